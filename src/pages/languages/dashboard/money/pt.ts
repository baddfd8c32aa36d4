import type { MoneyTexts } from './en.ts';

export const ptMoney: MoneyTexts = {
  money: {
    title: 'Dinheiro',
    balances: 'Saldos',
    none: 'Nada foi creditado ainda.',
    pending: 'Ainda não definitivo',
    owed: 'Devido',
    worth: 'Vale cerca de',
    transfers: 'Enviado',
    noTransfers: 'Nada foi enviado ainda.',
    states: {
      QUOTED: 'cotado',
      RESERVED: 'reservado',
      TO_SEND: 'a enviar',
      SUBMITTED: 'a caminho',
      COMPLETED: 'chegou',
      FAILED: 'não enviado',
      EXPIRED: 'expirado',
      RETURNED: 'voltou',
    },
  },
  reports: {
    title: 'Relatórios',
    hint: 'Os dias são os de UTC. Moeda e custo valem só para conversões e ganhos.',
    report: 'Relatório',
    names: {
      balances: 'Saldos',
      ledger: 'Razão',
      settlements: 'Liquidações',
      fees: 'Tarifas',
      taxes: 'Vendas e impostos',
      conversions: 'Conversões',
      gains: 'Ganhos',
    },
    from: 'De',
    to: 'Até, inclusive',
    format: 'Arquivo',
    formats: {
      csv: 'Tabela (CSV)',
      beancount: 'Razão para beancount',
      hledger: 'Razão para hledger',
    },
    currency: 'Moeda',
    method: 'Custo do que sai',
    methods: {
      fifo: 'O mais antigo primeiro',
      average: 'A média',
    },
    download: 'Baixar',
  },
};
