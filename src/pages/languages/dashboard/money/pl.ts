import type { MoneyTexts } from './en.ts';

export const plMoney: MoneyTexts = {
  money: {
    title: 'Pieniądze',
    balances: 'Salda',
    none: 'Nic jeszcze nie zaksięgowano.',
    pending: 'Jeszcze nieostateczne',
    owed: 'Należne',
    worth: 'Warte około',
    transfers: 'Wysłane',
    noTransfers: 'Nic jeszcze nie wysłano.',
    states: {
      QUOTED: 'wycenione',
      RESERVED: 'zarezerwowane',
      TO_SEND: 'do wysłania',
      SUBMITTED: 'w drodze',
      COMPLETED: 'dotarło',
      FAILED: 'nie wysłano',
      EXPIRED: 'wygasło',
      RETURNED: 'wróciło',
    },
  },
  reports: {
    title: 'Raporty',
    hint: 'Dni są według UTC. Waluta i koszt dotyczą tylko wymian i zysków.',
    report: 'Raport',
    names: {
      balances: 'Salda',
      ledger: 'Księga',
      settlements: 'Rozliczenia',
      fees: 'Opłaty',
      taxes: 'Sprzedaż i podatki',
      conversions: 'Wymiany',
      gains: 'Zyski',
    },
    from: 'Od',
    to: 'Do, włącznie',
    format: 'Plik',
    formats: {
      csv: 'Tabela (CSV)',
      beancount: 'Księga dla beancount',
      hledger: 'Księga dla hledger',
    },
    currency: 'Waluta',
    method: 'Koszt tego, co wychodzi',
    methods: {
      fifo: 'Najpierw najstarsze',
      average: 'Średnia',
    },
    download: 'Pobierz',
  },
};
