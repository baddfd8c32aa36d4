// French of what a payer sees beside the plain words of a page.
import { countedText, type NounForms } from '#pages/languages/plural.ts';
import type { PayingTexts } from './en.ts';

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
};
