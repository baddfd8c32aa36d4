// What mails to people of the dashboard say, in the eight languages. No word of them comes from
// anybody else: nobody can make this service mail his own sentences.

import type { DashboardLanguageCode } from '#catalog/language.ts';

export type SecurityChange =
  | 'password-set'
  | 'totp-on'
  | 'totp-off'
  | 'recovery-codes'
  | 'passkey-add'
  | 'passkey-remove';

type PeopleTexts = {
  readonly invitation: {
    readonly title: (host: string) => string;
    readonly body: (host: string) => string;
    readonly until: (moment: string) => string;
    readonly button: string;
  };
  readonly signInLink: {
    readonly title: (host: string) => string;
    readonly body: string;
    readonly until: (moment: string) => string;
    readonly button: string;
  };
  readonly newSignIn: {
    readonly title: (host: string) => string;
    readonly body: (moment: string, address: string) => string;
  };
  readonly changed: Readonly<Record<SecurityChange, string>> & {
    readonly title: (host: string) => string;
    readonly at: (moment: string) => string;
  };
  readonly brake: {
    readonly title: (network: string, host: string) => string;
    readonly body: (payments: string, network: string) => string;
    readonly look: string;
  };
  readonly notYou: string;
  readonly openSecurity: string;
};

export const PEOPLE_TEXTS: Readonly<Record<DashboardLanguageCode, PeopleTexts>> = {
  en: {
    invitation: {
      title: (host) => `You are invited to the dashboard of ${host}`,
      body: (host) =>
        `Somebody who runs ${host} has invited you. Open the link to choose how you sign in.`,
      until: (moment) =>
        `The link works once, until ${moment}. If you do not expect it, do nothing.`,
      button: 'Accept the invitation',
    },
    signInLink: {
      title: (host) => `Your link to sign in to ${host}`,
      body: 'Somebody asked for this link with your address. Open it in the browser in which you want to sign in.',
      until: (moment) =>
        `The link works once, until ${moment}. If it was not you, do nothing: without this link nobody comes in.`,
      button: 'Sign in',
    },
    newSignIn: {
      title: (host) => `New sign-in to ${host}`,
      body: (moment, address) =>
        `Somebody signed in as you on ${moment}, from the address ${address}, in a browser that was not used before.`,
    },
    changed: {
      title: (host) => `How you sign in to ${host} was changed`,
      at: (moment) => `This happened on ${moment}.`,
      'password-set': 'Your password was set.',
      'totp-on': 'Codes of an app are asked for from now on.',
      'totp-off': 'Codes of an app are not asked for any more.',
      'recovery-codes': 'New recovery codes were made. Those before do not work any more.',
      'passkey-add': 'A passkey was added.',
      'passkey-remove': 'A passkey was removed.',
    },
    brake: {
      title: (network, host) => `Held payments on ${network} were let go at ${host}`,
      body: (payments, network) =>
        `Somebody let go payments that the brake of ${network} held. Payments: ${payments}. They still need twice the confirmations.`,
      look: 'Who it was, and why, stands in the trail. If nobody told you of it, look at the network now.',
    },
    notYou:
      'If that was not you, end all sessions, choose a new password, and tell whoever runs the installation.',
    openSecurity: 'Open the dashboard',
  },
  de: {
    invitation: {
      title: (host) => `Einladung zum Dashboard von ${host}`,
      body: (host) =>
        `Jemand, der ${host} betreibt, hat Sie eingeladen. Öffnen Sie den Link und wählen Sie, wie Sie sich anmelden.`,
      until: (moment) =>
        `Der Link gilt einmal, bis ${moment}. Wenn Sie ihn nicht erwarten, tun Sie nichts.`,
      button: 'Einladung annehmen',
    },
    signInLink: {
      title: (host) => `Ihr Link zur Anmeldung bei ${host}`,
      body: 'Jemand hat mit Ihrer Adresse um diesen Link gebeten. Öffnen Sie ihn in dem Browser, in dem Sie sich anmelden wollen.',
      until: (moment) =>
        `Der Link gilt einmal, bis ${moment}. Wenn Sie das nicht waren, tun Sie nichts: Ohne diesen Link kommt niemand hinein.`,
      button: 'Anmelden',
    },
    newSignIn: {
      title: (host) => `Neue Anmeldung bei ${host}`,
      body: (moment, address) =>
        `Jemand hat sich am ${moment} von der Adresse ${address} als Sie angemeldet, in einem Browser, der bisher nicht benutzt wurde.`,
    },
    changed: {
      title: (host) => `Ihre Anmeldung bei ${host} wurde geändert`,
      at: (moment) => `Das geschah am ${moment}.`,
      'password-set': 'Ihr Passwort wurde gesetzt.',
      'totp-on': 'Ab jetzt wird nach Codes einer App gefragt.',
      'totp-off': 'Nach Codes einer App wird nicht mehr gefragt.',
      'recovery-codes':
        'Neue Wiederherstellungscodes wurden erstellt. Die früheren gelten nicht mehr.',
      'passkey-add': 'Ein Passkey wurde hinzugefügt.',
      'passkey-remove': 'Ein Passkey wurde entfernt.',
    },
    brake: {
      title: (network, host) => `Gehaltene Zahlungen auf ${network} wurden bei ${host} freigegeben`,
      body: (payments, network) =>
        `Jemand hat Zahlungen freigegeben, die die Bremse von ${network} hielt. Zahlungen: ${payments}. Sie brauchen weiterhin doppelt so viele Bestätigungen.`,
      look: 'Wer es war und warum, steht im Protokoll. Wenn Ihnen niemand davon erzählt hat, sehen Sie jetzt nach dem Netzwerk.',
    },
    notYou:
      'Wenn Sie das nicht waren: Beenden Sie alle Sitzungen, wählen Sie ein neues Passwort und sagen Sie es dem Betreiber.',
    openSecurity: 'Dashboard öffnen',
  },
  pt: {
    invitation: {
      title: (host) => `Convite para o painel de ${host}`,
      body: (host) =>
        `Alguém que gere ${host} convidou-o. Abra a ligação para escolher como entra.`,
      until: (moment) =>
        `A ligação funciona uma vez, até ${moment}. Se não a espera, não faça nada.`,
      button: 'Aceitar o convite',
    },
    signInLink: {
      title: (host) => `A sua ligação para entrar em ${host}`,
      body: 'Alguém pediu esta ligação com o seu endereço. Abra-a no navegador em que quer entrar.',
      until: (moment) =>
        `A ligação funciona uma vez, até ${moment}. Se não foi você, não faça nada: sem esta ligação ninguém entra.`,
      button: 'Entrar',
    },
    newSignIn: {
      title: (host) => `Nova sessão em ${host}`,
      body: (moment, address) =>
        `Alguém entrou na sua conta em ${moment}, a partir do endereço ${address}, num navegador que não tinha sido usado antes.`,
    },
    changed: {
      title: (host) => `A sua forma de entrar em ${host} foi alterada`,
      at: (moment) => `Aconteceu em ${moment}.`,
      'password-set': 'A sua palavra-passe foi definida.',
      'totp-on': 'A partir de agora são pedidos códigos de uma aplicação.',
      'totp-off': 'Já não são pedidos códigos de uma aplicação.',
      'recovery-codes':
        'Foram criados novos códigos de recuperação. Os anteriores já não funcionam.',
      'passkey-add': 'Foi adicionada uma chave de acesso.',
      'passkey-remove': 'Foi removida uma chave de acesso.',
    },
    brake: {
      title: (network, host) => `Pagamentos retidos em ${network} foram libertados em ${host}`,
      body: (payments, network) =>
        `Alguém libertou pagamentos que o travão de ${network} retinha. Pagamentos: ${payments}. Continuam a precisar do dobro das confirmações.`,
      look: 'Quem foi e porquê está no registo. Se ninguém lhe falou disso, veja já a rede.',
    },
    notYou:
      'Se não foi você, termine todas as sessões, escolha uma nova palavra-passe e avise quem gere a instalação.',
    openSecurity: 'Abrir o painel',
  },
  es: {
    invitation: {
      title: (host) => `Invitación al panel de ${host}`,
      body: (host) =>
        `Alguien que gestiona ${host} le ha invitado. Abra el enlace para elegir cómo inicia sesión.`,
      until: (moment) =>
        `El enlace funciona una vez, hasta el ${moment}. Si no lo espera, no haga nada.`,
      button: 'Aceptar la invitación',
    },
    signInLink: {
      title: (host) => `Su enlace para iniciar sesión en ${host}`,
      body: 'Alguien pidió este enlace con su dirección. Ábralo en el navegador en el que quiere iniciar sesión.',
      until: (moment) =>
        `El enlace funciona una vez, hasta el ${moment}. Si no fue usted, no haga nada: sin este enlace no entra nadie.`,
      button: 'Iniciar sesión',
    },
    newSignIn: {
      title: (host) => `Nuevo inicio de sesión en ${host}`,
      body: (moment, address) =>
        `Alguien inició sesión con su cuenta el ${moment}, desde la dirección ${address}, en un navegador que no se había usado antes.`,
    },
    changed: {
      title: (host) => `Se cambió su forma de iniciar sesión en ${host}`,
      at: (moment) => `Ocurrió el ${moment}.`,
      'password-set': 'Se estableció su contraseña.',
      'totp-on': 'A partir de ahora se piden códigos de una aplicación.',
      'totp-off': 'Ya no se piden códigos de una aplicación.',
      'recovery-codes': 'Se crearon nuevos códigos de recuperación. Los anteriores ya no sirven.',
      'passkey-add': 'Se añadió una llave de acceso.',
      'passkey-remove': 'Se quitó una llave de acceso.',
    },
    brake: {
      title: (network, host) => `Se liberaron pagos retenidos en ${network} en ${host}`,
      body: (payments, network) =>
        `Alguien ha liberado pagos que el freno de ${network} retenía. Pagos: ${payments}. Siguen necesitando el doble de confirmaciones.`,
      look: 'Quién fue y por qué consta en el registro. Si nadie se lo ha dicho, mire la red ahora.',
    },
    notYou:
      'Si no fue usted, cierre todas las sesiones, elija una contraseña nueva y avise a quien gestiona la instalación.',
    openSecurity: 'Abrir el panel',
  },
  it: {
    invitation: {
      title: (host) => `Invito alla dashboard di ${host}`,
      body: (host) =>
        `Chi gestisce ${host} l’ha invitata. Apra il link per scegliere come accedere.`,
      until: (moment) =>
        `Il link funziona una volta, fino al ${moment}. Se non lo aspetta, non faccia nulla.`,
      button: 'Accetta l’invito',
    },
    signInLink: {
      title: (host) => `Il suo link per accedere a ${host}`,
      body: 'Qualcuno ha chiesto questo link con il suo indirizzo. Lo apra nel browser con cui vuole accedere.',
      until: (moment) =>
        `Il link funziona una volta, fino al ${moment}. Se non è stato lei, non faccia nulla: senza questo link non entra nessuno.`,
      button: 'Accedi',
    },
    newSignIn: {
      title: (host) => `Nuovo accesso a ${host}`,
      body: (moment, address) =>
        `Qualcuno ha effettuato l’accesso come lei il ${moment}, dall’indirizzo ${address}, con un browser mai usato prima.`,
    },
    changed: {
      title: (host) => `Il suo accesso a ${host} è stato modificato`,
      at: (moment) => `È successo il ${moment}.`,
      'password-set': 'La sua password è stata impostata.',
      'totp-on': 'D’ora in poi vengono chiesti i codici di un’app.',
      'totp-off': 'I codici di un’app non vengono più chiesti.',
      'recovery-codes':
        'Sono stati creati nuovi codici di recupero. Quelli di prima non valgono più.',
      'passkey-add': 'È stata aggiunta una passkey.',
      'passkey-remove': 'È stata rimossa una passkey.',
    },
    brake: {
      title: (network, host) => `Pagamenti trattenuti su ${network} sbloccati su ${host}`,
      body: (payments, network) =>
        `Qualcuno ha sbloccato pagamenti che il freno di ${network} tratteneva. Pagamenti: ${payments}. Serve ancora il doppio delle conferme.`,
      look: 'Chi è stato e perché è scritto nel registro. Se nessuno glielo ha detto, controlli subito la rete.',
    },
    notYou:
      'Se non è stata lei, chiuda tutte le sessioni, scelga una nuova password e avvisi chi gestisce l’installazione.',
    openSecurity: 'Apri la dashboard',
  },
  tr: {
    invitation: {
      title: (host) => `${host} paneline davet edildiniz`,
      body: (host) =>
        `${host} adresini yöneten biri sizi davet etti. Nasıl oturum açacağınızı seçmek için bağlantıyı açın.`,
      until: (moment) =>
        `Bağlantı bir kez çalışır, son tarih: ${moment}. Beklemiyorsanız hiçbir şey yapmayın.`,
      button: 'Daveti kabul et',
    },
    signInLink: {
      title: (host) => `${host} için oturum açma bağlantınız`,
      body: 'Birisi bu bağlantıyı sizin adresinizle istedi. Bağlantıyı oturum açmak istediğiniz tarayıcıda açın.',
      until: (moment) =>
        `Bağlantı bir kez çalışır, son tarih: ${moment}. Siz istemediyseniz hiçbir şey yapmayın: Bu bağlantı olmadan kimse giremez.`,
      button: 'Oturum aç',
    },
    newSignIn: {
      title: (host) => `${host} için yeni oturum`,
      body: (moment, address) =>
        `Biri sizin hesabınızla oturum açtı: ${moment}, adres ${address}, daha önce kullanılmamış bir tarayıcı.`,
    },
    changed: {
      title: (host) => `${host} oturum açma yönteminiz değişti`,
      at: (moment) => `Zamanı: ${moment}.`,
      'password-set': 'Parolanız belirlendi.',
      'totp-on': 'Bundan sonra bir uygulamanın kodları istenecek.',
      'totp-off': 'Artık bir uygulamanın kodları istenmiyor.',
      'recovery-codes': 'Yeni kurtarma kodları oluşturuldu. Öncekiler artık geçerli değil.',
      'passkey-add': 'Bir geçiş anahtarı eklendi.',
      'passkey-remove': 'Bir geçiş anahtarı kaldırıldı.',
    },
    brake: {
      title: (network, host) =>
        `${host} üzerinde ${network} ağında tutulan ödemeler serbest bırakıldı`,
      body: (payments, network) =>
        `Biri, ${network} freninin tuttuğu ödemeleri serbest bıraktı. Ödeme sayısı: ${payments}. Yine de iki kat onay gerekiyor.`,
      look: 'Kimin, neden yaptığı kayıtta yazıyor. Size kimse söylemediyse ağa hemen bakın.',
    },
    notYou:
      'Bu siz değilseniz tüm oturumları kapatın, yeni bir parola seçin ve kurulumu yöneten kişiye haber verin.',
    openSecurity: 'Paneli aç',
  },
  pl: {
    invitation: {
      title: (host) => `Zaproszenie do panelu ${host}`,
      body: (host) =>
        `Osoba prowadząca ${host} zaprasza do panelu. Otwórz link, aby wybrać sposób logowania.`,
      until: (moment) => `Link działa raz, do ${moment}. Jeśli go nie oczekujesz, nic nie rób.`,
      button: 'Przyjmij zaproszenie',
    },
    signInLink: {
      title: (host) => `Link do logowania w ${host}`,
      body: 'Ktoś poprosił o ten link, podając Twój adres. Otwórz go w przeglądarce, w której chcesz się zalogować.',
      until: (moment) =>
        `Link działa raz, do ${moment}. Jeśli to nie Ty, nic nie rób: bez tego linku nikt nie wejdzie.`,
      button: 'Zaloguj się',
    },
    newSignIn: {
      title: (host) => `Nowe logowanie do ${host}`,
      body: (moment, address) =>
        `Ktoś zalogował się na Twoje konto ${moment}, z adresu ${address}, w przeglądarce, której wcześniej nie używano.`,
    },
    changed: {
      title: (host) => `Zmieniono sposób logowania do ${host}`,
      at: (moment) => `Stało się to ${moment}.`,
      'password-set': 'Ustawiono hasło.',
      'totp-on': 'Od teraz wymagane są kody z aplikacji.',
      'totp-off': 'Kody z aplikacji nie są już wymagane.',
      'recovery-codes': 'Utworzono nowe kody odzyskiwania. Poprzednie już nie działają.',
      'passkey-add': 'Dodano klucz dostępu.',
      'passkey-remove': 'Usunięto klucz dostępu.',
    },
    brake: {
      title: (network, host) => `Zwolniono wstrzymane płatności w sieci ${network} na ${host}`,
      body: (payments, network) =>
        `Ktoś zwolnił płatności wstrzymane przez hamulec sieci ${network}. Płatności: ${payments}. Nadal potrzebują dwa razy więcej potwierdzeń.`,
      look: 'Kto to zrobił i dlaczego, jest w dzienniku. Jeśli nikt Ci o tym nie powiedział, sprawdź teraz sieć.',
    },
    notYou:
      'Jeśli to nie Ty, zakończ wszystkie sesje, wybierz nowe hasło i powiadom osobę prowadzącą instalację.',
    openSecurity: 'Otwórz panel',
  },
  fr: {
    invitation: {
      title: (host) => `Invitation au tableau de bord de ${host}`,
      body: (host) =>
        `Une personne qui gère ${host} vous a invité. Ouvrez le lien pour choisir comment vous connecter.`,
      until: (moment) =>
        `Le lien fonctionne une fois, jusqu’au ${moment}. Si vous ne l’attendez pas, ne faites rien.`,
      button: 'Accepter l’invitation',
    },
    signInLink: {
      title: (host) => `Votre lien de connexion à ${host}`,
      body: 'Quelqu’un a demandé ce lien avec votre adresse. Ouvrez-le dans le navigateur où vous voulez vous connecter.',
      until: (moment) =>
        `Le lien fonctionne une fois, jusqu’au ${moment}. Si ce n’était pas vous, ne faites rien\u00a0: sans ce lien personne n’entre.`,
      button: 'Se connecter',
    },
    newSignIn: {
      title: (host) => `Nouvelle connexion à ${host}`,
      body: (moment, address) =>
        `Quelqu’un s’est connecté à votre compte le ${moment}, depuis l’adresse ${address}, dans un navigateur jamais utilisé auparavant.`,
    },
    changed: {
      title: (host) => `Votre connexion à ${host} a été modifiée`,
      at: (moment) => `Cela s’est produit le ${moment}.`,
      'password-set': 'Votre mot de passe a été défini.',
      'totp-on': 'Les codes d’une application sont désormais demandés.',
      'totp-off': 'Les codes d’une application ne sont plus demandés.',
      'recovery-codes':
        'De nouveaux codes de récupération ont été créés. Les précédents ne fonctionnent plus.',
      'passkey-add': 'Une clé d’accès a été ajoutée.',
      'passkey-remove': 'Une clé d’accès a été supprimée.',
    },
    brake: {
      title: (network, host) => `Des paiements retenus sur ${network} ont été libérés sur ${host}`,
      body: (payments, network) =>
        `Quelqu’un a libéré des paiements que le frein de ${network} retenait. Paiements : ${payments}. Il leur faut toujours deux fois plus de confirmations.`,
      look: 'Qui l’a fait et pourquoi figure dans le journal. Si personne ne vous en a parlé, regardez le réseau maintenant.',
    },
    notYou:
      'Si ce n’était pas vous, fermez toutes les sessions, choisissez un nouveau mot de passe et prévenez la personne qui gère l’installation.',
    openSecurity: 'Ouvrir le tableau de bord',
  },
};
