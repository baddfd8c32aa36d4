import type { MoneyTexts } from './en.ts';

export const esMoney: MoneyTexts = {
  money: {
    title: 'Dinero',
    balances: 'Saldos',
    none: 'Todavía no se ha abonado nada.',
    pending: 'Aún no definitivo',
    owed: 'Debido',
    worth: 'Vale unos',
    transfers: 'Enviado',
    noTransfers: 'Todavía no se ha enviado nada.',
    states: {
      QUOTED: 'cotizado',
      RESERVED: 'reservado',
      TO_SEND: 'por enviar',
      SUBMITTED: 'en camino',
      COMPLETED: 'llegó',
      FAILED: 'no enviado',
      EXPIRED: 'vencido',
      RETURNED: 'volvió',
    },
  },
  reports: {
    title: 'Informes',
    hint: 'Los días son los de UTC. La moneda y el coste valen solo para conversiones y ganancias.',
    report: 'Informe',
    names: {
      balances: 'Saldos',
      ledger: 'Libro mayor',
      settlements: 'Liquidaciones',
      fees: 'Comisiones',
      taxes: 'Ventas e impuestos',
      conversions: 'Conversiones',
      gains: 'Ganancias',
    },
    from: 'Desde',
    to: 'Hasta, incluido',
    format: 'Archivo',
    formats: {
      csv: 'Tabla (CSV)',
      beancount: 'Libro mayor para beancount',
      hledger: 'Libro mayor para hledger',
    },
    currency: 'Moneda',
    method: 'Coste de lo que sale',
    methods: {
      fifo: 'Lo más antiguo primero',
      average: 'El promedio',
    },
    download: 'Descargar',
  },
};
