import type { MoneyTexts } from './en.ts';

export const itMoney: MoneyTexts = {
  money: {
    title: 'Denaro',
    balances: 'Saldi',
    none: 'Non è ancora stato accreditato nulla.',
    pending: 'Non ancora definitivo',
    owed: 'Dovuto',
    worth: 'Vale circa',
    transfers: 'Inviato',
    noTransfers: 'Non è ancora stato inviato nulla.',
    states: {
      QUOTED: 'quotato',
      RESERVED: 'riservato',
      TO_SEND: 'da inviare',
      SUBMITTED: 'in viaggio',
      COMPLETED: 'arrivato',
      FAILED: 'non inviato',
      EXPIRED: 'scaduto',
      RETURNED: 'tornato',
    },
  },
  reports: {
    title: 'Rapporti',
    hint: 'I giorni sono quelli di UTC. Valuta e costo valgono solo per conversioni e guadagni.',
    report: 'Rapporto',
    names: {
      balances: 'Saldi',
      ledger: 'Libro mastro',
      settlements: 'Accrediti',
      fees: 'Commissioni',
      taxes: 'Vendite e imposte',
      conversions: 'Conversioni',
      gains: 'Guadagni',
    },
    from: 'Dal',
    to: 'Al, incluso',
    format: 'File da scaricare',
    formats: {
      csv: 'Tabella (CSV)',
      beancount: 'Libro mastro per beancount',
      hledger: 'Libro mastro per hledger',
    },
    currency: 'Valuta',
    method: 'Costo di ciò che esce',
    methods: {
      fifo: 'Prima il più vecchio',
      average: 'La media',
    },
    download: 'Scarica',
  },
};
