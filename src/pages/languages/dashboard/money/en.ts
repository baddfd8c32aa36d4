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
    hint: 'Days are those of UTC. The currency and the cost are for conversions and gains alone.',
    report: 'Report',
    names,
    from: 'From',
    to: 'Until, included',
    format: 'File',
    formats: {
      csv: 'Table (CSV)',
      beancount: 'Ledger for beancount',
      hledger: 'Ledger for hledger',
    },
    currency: 'Currency',
    method: 'Cost of what is given',
    methods,
    download: 'Download',
  },
};

export type MoneyTexts = typeof enMoney;
