import type { MoneyTexts } from './en.ts';

export const frMoney: MoneyTexts = {
  money: {
    title: 'Argent',
    balances: 'Soldes',
    none: 'Rien n’a encore été crédité.',
    pending: 'Pas encore définitif',
    owed: 'Dû',
    worth: 'Vaut environ',
    transfers: 'Envoyé',
    noTransfers: 'Rien n’a encore été envoyé.',
    states: {
      QUOTED: 'chiffré',
      RESERVED: 'réservé',
      TO_SEND: 'à envoyer',
      SUBMITTED: 'en route',
      COMPLETED: 'arrivé',
      FAILED: 'non envoyé',
      EXPIRED: 'expiré',
      RETURNED: 'revenu',
    },
  },
  reports: {
    title: 'Rapports',
    hint: 'Les jours sont ceux d’UTC. La devise et le coût ne valent que pour les conversions et les gains.',
    report: 'Rapport',
    names: {
      balances: 'Soldes',
      ledger: 'Grand livre',
      settlements: 'Règlements',
      fees: 'Frais',
      taxes: 'Ventes et taxes',
      conversions: 'Conversions de monnaie',
      gains: 'Gains',
    },
    from: 'Du',
    to: 'Au, inclus',
    format: 'Fichier',
    formats: {
      csv: 'Tableau (CSV)',
      beancount: 'Grand livre pour beancount',
      hledger: 'Grand livre pour hledger',
    },
    currency: 'Devise',
    method: 'Coût de ce qui sort',
    methods: {
      fifo: 'Le plus ancien d’abord',
      average: 'La moyenne',
    },
    download: 'Télécharger',
  },
};
