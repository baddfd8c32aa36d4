import type { MoneyTexts } from './en.ts';

export const deMoney: MoneyTexts = {
  money: {
    title: 'Geld',
    balances: 'Guthaben',
    none: 'Noch wurde nichts gutgeschrieben.',
    pending: 'Noch nicht endgültig',
    owed: 'Geschuldet',
    worth: 'Wert etwa',
    transfers: 'Ausgezahlt',
    noTransfers: 'Noch wurde nichts ausgezahlt.',
    states: {
      QUOTED: 'angeboten',
      RESERVED: 'reserviert',
      TO_SEND: 'zu senden',
      SUBMITTED: 'unterwegs',
      COMPLETED: 'angekommen',
      FAILED: 'nicht gesendet',
      EXPIRED: 'abgelaufen',
      RETURNED: 'zurückgekommen',
    },
  },
  reports: {
    title: 'Berichte',
    hint: 'Tage sind die der UTC. Währung und Einstand gelten nur für Umtausch und Gewinne.',
    report: 'Bericht',
    names: {
      balances: 'Guthaben',
      ledger: 'Hauptbuch',
      settlements: 'Gutschriften',
      fees: 'Gebühren',
      taxes: 'Verkäufe und Steuern',
      conversions: 'Umtausch',
      gains: 'Gewinne',
    },
    from: 'Von',
    to: 'Bis einschließlich',
    format: 'Datei',
    formats: {
      csv: 'Tabelle (CSV)',
      beancount: 'Hauptbuch für beancount',
      hledger: 'Hauptbuch für hledger',
    },
    currency: 'Währung',
    method: 'Einstand dessen, was abgeht',
    methods: {
      fifo: 'Das Älteste zuerst',
      average: 'Der Durchschnitt',
    },
    download: 'Herunterladen',
  },
};
