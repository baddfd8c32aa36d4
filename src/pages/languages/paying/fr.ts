// French of what a payer sees beside the plain words of a page.
import { countedText, type NounForms } from '#pages/languages/plural.ts';
import type { PayingTexts, ShopTexts } from './en.ts';

const count = (number: number, forms: NounForms) => countedText('fr', number, forms);

export const frPaying: PayingTexts = {
  choose: {
    bank: 'Virement bancaire',
    recommended: 'Recommandé',
    lastUsed: 'Utilisé la dernière fois',
    fits: 'Convient à cet appareil',
    search: 'Chercher une monnaie ou un réseau',
    nothing: 'Rien ne correspond.',
    fee: (amount) => `frais de réseau d’environ ${amount}`,
    feeUnder: (amount) => `frais de réseau inférieurs à ${amount}`,
    feeFrom: (amount) => `frais de réseau à partir de ${amount}`,
    networks: (number) => count(number, { one: 'réseau', many: 'réseaux', other: 'réseaux' }),
  },
  pay: {
    showCode: 'Afficher le code',
    enlarge: 'Agrandir le code',
    close: 'Fermer',
    noWallet: 'Pas de portefeuille ici\u00a0? Scannez le code avec votre téléphone.',
    compare:
      'Comparez dans votre portefeuille les quatre premiers et les quatre derniers caractères.',
  },
  steps: {
    title: 'Ce que devient votre paiement',
    sent: 'Vous avez envoyé',
    seen: 'Le réseau l’a vu',
    confirmed: 'Confirmé',
    told: 'La boutique en est informée',
    wasTold: 'La boutique est au courant',
    device: 'Continuer sur un autre appareil',
    deviceHint: 'Scannez ceci avec l’autre appareil\u00a0: il y ouvre cette page.',
    signal: 'Son et vibration une fois payé',
    share: 'Partager le reçu',
    calendar: 'Ajouter au calendrier',
  },
  mail: {
    title: 'M’avertir par e-mail quand c’est terminé',
    hint: 'Un e-mail quand c’est payé, ou quand il vous reste quelque chose à faire. L’adresse ne sert à rien d’autre.',
    label: 'Adresse e-mail',
    button: 'M’avertir',
    asked: 'Vous serez averti par e-mail',
    again: 'Une faute de frappe\u00a0? Indiquez l’adresse à nouveau.',
    fault: 'Indiquez une adresse comme ann@mail.example.',
  },
  ask: {
    title: 'Avant de payer',
    optional: 'facultatif',
    pick: 'Choisissez',
    terms: (shop) => `J’accepte les conditions de ${shop}.`,
    readTerms: 'Lire les conditions',
    tip: 'Ajouter un pourboire\u00a0?',
    noTip: 'Sans pourboire',
    otherTip: 'Un autre montant',
    ownTip: (currency) => `Pourboire en ${currency}`,
    tipLine: 'Pourboire',
    go: 'Continuer',
    change: 'Modifier mes réponses',
    wrong: 'Regardez ce qui est signalé.',
    fixed:
      'Vous avez choisi un moyen de paiement\u00a0: vos réponses et le pourboire restent tels quels.',
    faults: {
      required: 'Remplissez ce champ.',
      tick: 'Cochez cette case.',
      plain: 'Écrivez du texte simple sur une seule ligne.',
      short: (bound) => `Trop court (minimum ${bound}).`,
      long: (bound) => `Trop long (maximum ${bound}).`,
      email: 'Ceci n’est pas une adresse e-mail.',
      number: 'Ceci n’est pas un nombre.',
      low: (bound) => `Au moins ${bound}.`,
      high: (bound) => `Au plus ${bound}.`,
      choice: 'Choisissez l’une de ces options.',
      tip: 'Ce pourboire n’est pas possible.',
    },
  },
  trust: {
    title: 'Cette adresse est-elle la bonne\u00a0?',
    signed:
      'Cette installation a signé l’adresse. Vérifiez-la, de préférence sur un autre appareil\u00a0:',
    check: 'Vérifier l’adresse',
    host: (host) =>
      `Payez seulement si la barre d’adresse du navigateur affiche ${host}. Personne qui vous aide ne demande les mots de votre portefeuille.`,
    domain: 'Domaine vérifié',
    verified: 'Cette adresse a été émise ici',
    verifiedHint: 'Comparez-la signe par signe avec celle que montre votre portefeuille.',
    unsigned: 'Cette adresse n’a pas été émise ici, ou un signe a été modifié. N’y envoyez rien.',
    key: 'Clé publique (Ed25519)',
    place: 'Adresse, ou le lien de vérification qui figure sur la page de paiement',
    memo: 'Mémo ou tag, s’il y en a un',
    signature: 'Signature de l’adresse',
    signatureHint:
      'La signature figure dans ce lien. Une adresse seule ne dit rien\u00a0: c’est sa signature que personne d’autre ne peut faire.',
  },
  wallets: {
    app: (app: string) => `Ouvrir dans ${app}`,
    with: (wallet: string) => `Payer avec ${wallet}`,
    browser: 'Payer avec le portefeuille de ce navigateur',
    asking: (wallet: string) => `Confirmez le paiement dans ${wallet}.`,
    switching: (network: string) =>
      `Votre portefeuille vous demande de passer au réseau ${network}.`,
    missing: (network: string) =>
      `Votre portefeuille ne connaît pas le réseau ${network}. Ajoutez-le, ou payez avec le code.`,
    otherNetwork: (network: string) =>
      `Votre portefeuille est sur un autre réseau. Passez-y au réseau ${network}, puis réessayez.`,
    poor: (account: string, held: string, needed: string) =>
      `Le compte ${account} contient ${held}, et il faut ${needed}. Choisissez un autre compte dans votre portefeuille.`,
    refused: 'Vous avez refusé dans votre portefeuille. Rien n’a été envoyé.',
    waiting: 'Une question attend déjà dans votre portefeuille. Ouvrez-le et répondez-y.',
    silent: 'Votre portefeuille ne répond pas. Ouvrez-le, déverrouillez-le et réessayez.',
    failed:
      'Votre portefeuille n’y est pas parvenu. Vérifiez si quelque chose a été envoyé avant de réessayer.',
    sent: 'Envoyé. Cette page change dès que le réseau montre votre paiement.',
    again: (wallet: string) => `Envoyer encore avec ${wallet}`,
    scan: 'Scannez ce code avec votre portefeuille, ou ouvrez un portefeuille sur cet appareil.',
    ended:
      'Votre portefeuille a mis fin à la connexion. Vérifiez si quelque chose a été envoyé avant de réessayer.',
    away: 'WalletConnect est injoignable d’ici. Payez avec le code de la page.',
    ownWindow: 'Portefeuille introuvable\u00a0? Ouvrir cette page dans sa propre fenêtre',
  },
};

export const frShop: ShopTexts = {
  title: 'Tout pour écrire à la main',
  hint: 'Une boutique de démonstration : prenez quelque chose, passez à la caisse et payez avec le portefeuille de test.',
  embedded: 'Payer sans quitter la page',
  embeddedHint: (product) =>
    `${product}, dans une fenêtre au-dessus de cette page : la page de paiement, ouverte par un seul script.`,
  howTo: 'Comment le faire dans une boutique',
  payHere: 'Payer ici',
  states: 'Voir tous les états de la page de paiement',
  skip: 'Aller au contenu',
  shop: 'Boutique',
  add: 'Ajouter au panier',
  addOf: (product) => `Ajouter au panier : ${product}`,
  less: (product) => `Un de moins : ${product}`,
  more: (product) => `Un de plus : ${product}`,
  cart: 'Panier',
  post: 'Lettre postale',
  tax: 'TVA',
  total: 'Total hors TVA',
  checkOut: 'Payer en crypto',
  empty: 'Votre panier est vide.',
  look: 'Faire un tour',
  order: 'Commande',
  state: 'État du dernier webhook',
  none: 'encore aucun',
  back: 'Retour à la boutique',
  webhooks: 'Webhooks reçus',
  webhooksHint:
    'C’est tout ce que sait la boutique. Elle ne croit un webhook que si la signature est juste, et celui dont le numéro d’ordre est le plus haut.',
  nothing: 'Rien n’est encore arrivé. Cette page redemande d’elle-même.',
  verified: 'signature vérifiée : oui',
  unverified: 'signature vérifiée : non',
  noEvent: 'pas un événement',
  headers: 'En-têtes',
  body: 'Corps',
  told: {
    completed: { title: 'Merci ! Votre commande est payée.', hint: 'Nous l’emballons déjà.' },
    pending: { title: 'Votre paiement est en route.', hint: 'Le réseau le confirme.' },
    underpaid: {
      title: 'Il manque encore une partie.',
      hint: 'La page de paiement montre comment l’envoyer.',
    },
    expired: {
      title: 'Pas payée à temps.',
      hint: 'Si vous avez payé plus tard, cela compte encore.',
    },
    cancelled: { title: 'Annulée.', hint: 'Rien n’a été débité.' },
    waiting: { title: 'En attente du paiement.', hint: 'La boutique n’a encore rien reçu.' },
  },
  madeUp: 'Les commandes et les articles sont inventés.',
  about: 'À propos de ce service',
  products: {
    notebook: { name: 'Carnet à points', about: '192 pages qui restent à plat, reliées en lin' },
    pen: { name: 'Stylo en laiton', about: 'Tourné dans une seule tige, embellit avec l’âge' },
    ink: { name: 'Encre vert mousse', about: '50 ml d’un vert qui sèche presque noir' },
    cards: {
      name: 'Cartes postales de fougères',
      about: 'Huit fougères pressées, imprimées à la main',
    },
  },
};
