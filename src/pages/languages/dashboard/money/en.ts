// English of money and reports: says which texts there are.

import type { CostMethod, Report, ValuedReport } from '#report/report.ts';
import type { Transfer } from '#transfer/transfer.ts';

const states: Readonly<Record<Transfer['state'], string>> = {
  QUOTED: 'quoted',
  RESERVED: 'reserved',
  TO_SEND: 'to be sent',
  SUBMITTED: 'on its way',
  COMPLETED: 'arrived',
  FAILED: 'not sent',
  EXPIRED: 'expired',
  RETURNED: 'came back',
};

const names: Readonly<Record<(Report | ValuedReport)['name'], string>> = {
  balances: 'Balances',
  ledger: 'Ledger',
  settlements: 'Settlements',
  fees: 'Fees',
  taxes: 'Sales and taxes',
  conversions: 'Conversions',
  gains: 'Gains',
};

const methods: Readonly<Record<CostMethod, string>> = {
  fifo: 'The oldest first',
  average: 'The average',
};

export const enMoney = {
  money: {
    title: 'Money',
    balances: 'Balances',
    none: 'Nothing has been credited yet.',
    pending: 'Not final yet',
    owed: 'Owed',
    worth: 'Worth about',
    transfers: 'Sent out',
    noTransfers: 'Nothing has been sent out yet.',
    states,
  },
  reports: {
    title: 'Reports',
    report: 'Report',
    names,
    from: 'From',
    to: 'Until, included',
    format: 'File',
    currency: 'Currency',
    method: 'Cost of what is given',
    methods,
    tabs: { files: 'Files', charts: 'Charts' },
    period: 'Days',
    months: 'Months',
    quarters: 'Quarters',
    years: 'Years',
    quarter: (number: number, year: number) => `Quarter ${number} of ${year}`,
    show: 'Show',
    otherDays: 'From one day to another',
    zone: 'Days begin and end at midnight UTC.',
    formats: {
      csv: 'Table (CSV)',
      json: 'Rows as JSON',
      beancount: 'beancount',
      hledger: 'hledger',
      xero: 'Xero (CSV)',
      quickbooks: 'QuickBooks Online (CSV)',
      camt053: 'Bank statement (camt.053)',
      datev: 'Postings for DATEV',
    },
    table: 'A table',
    tableHint: 'Every row of a report with every digit, for a spreadsheet or a program.',
    valued: 'For conversions and gains',
    journal: 'The ledger for a program of accounting',
    journalHint: 'Every movement on your accounts, with what there was before and what is left.',
    statement: 'A statement as of a bank',
    statementHint:
      'The available balance of one currency. What is longer than 1,000 lines comes as several files in one ZIP, since the programs take no more at once.',
    account: 'Account',
    noAccount:
      'No money of banks has been credited yet. Statements, and postings for DATEV, are of accounts such as euros; coins stand in the ledger.',
    datev: {
      hint: 'A batch of one currency within one fiscal year. Your tax adviser knows the numbers.',
      consultant: 'Number of the tax adviser (Beraternummer)',
      client: 'Your number there (Mandantennummer)',
      chart: 'Chart of accounts',
      fiscalYear: 'First day of the fiscal year',
      own: 'Other accounts than proposed',
      ownHint: 'Digits of your chart of accounts; what is left empty is as proposed.',
      accounts: {
        available: 'Available',
        pending: 'Not final yet',
        reserved: 'Reserved',
        owed: 'Owed',
        fees: 'Fees',
        clearing: 'Clearing',
      },
    },
    faults: {
      empty: 'Nothing is in these days. Choose others.',
      account: 'Choose an account in money of banks.',
      consultant: 'The number of the tax adviser is one from 1001 to 9999999.',
      client: 'Your number at the tax adviser is one from 1 to 99999.',
      chart: 'Choose SKR03 or SKR04.',
      fiscalYear: 'Write the first day of the fiscal year.',
      accounts: 'Accounts have 4 to 8 digits, all the same number, and none stands for two things.',
      within: 'The days have to lie within the fiscal year.',
      tooMany: 'There are more than 20,000 entries. Choose fewer days.',
      tooLarge: 'An amount is larger than DATEV has room for.',
    },
    chartsHint:
      'The twelve months that end with the chosen days, in one currency, by the prices that were stored then.',
    chartTooLarge: 'There is too much to add up while you wait. Download the report.',
    month: 'Month',
    count: 'How many',
    gain: 'Gain or loss',
    charts: {
      income: { title: 'What came in by month', none: 'Nothing came in in these months.' },
      fees: { title: 'Fees by month', none: 'There were no fees in these months.' },
      gains: { title: 'Gains and losses by month', none: 'Nothing was exchanged in these months.' },
    },
    download: 'Download',
  },
};

export type MoneyTexts = typeof enMoney;
