// Spanish of what came in and what needs somebody.

import type { TodayTexts } from './en.ts';

export const esToday: TodayTexts = {
  today: {
    title: 'Hoy',
    first: 'Por dónde empezar',
    nothingSold: 'Aquí aún no se ha vendido nada.',
    tryFirst:
      'Pruebe todo primero en modo de prueba: se ve y funciona igual, y no se mueve dinero real.',
    manual: 'Manual',
    steps: {
      key: 'Cree una clave de API: su tienda firma con ella sus peticiones.',
      checkout: 'Pida un primer cobro: el manual muestra la línea para pegar.',
      webhook: 'Haga que su tienda sepa cuándo alguien ha pagado.',
      settings: 'Su nombre, color y logotipo en las páginas que ven los clientes.',
      people: 'Invite a quienes trabajan con usted, cada uno con un papel.',
    },
    needsTitle: 'Lo que necesita a alguien',
    nothingWaits: 'Nada espera a nadie.',
    oldest: 'Lo más antiguo',
    needs: {
      underpaid: {
        label: 'Pagado de menos',
        hint: 'Llegó menos de lo pedido. Acéptelo o espere el resto.',
      },
      late: {
        label: 'Pagado tarde',
        hint: 'Llegó fuera de plazo y no basta al precio de hoy. Acéptelo o pida el resto.',
      },
      'bill-again': {
        label: 'Facturas que se pagaron dos veces',
        hint: 'Se abonaron dos pagos por una factura. Devuelva el que sobra o indique cómo se resolvió.',
      },
      'wrong-asset': {
        label: 'Otro activo u otra red de lo pedido',
        hint: 'Llegó y queda aparte, sin abonar. Quien lleva este servidor lo devuelve o lo asigna.',
      },
      suspense: {
        label: 'Dinero sin dueño que le nombra',
        hint: 'Queda aparte hasta que decida quien lleva este servidor.',
      },
      parked: {
        label: 'Cobros que no se pudieron decidir',
        hint: 'Se intentan de nuevo. Si siguen ahí, avise a quien lleva este servidor.',
      },
      'parked-address': {
        label: 'Direcciones de depósito que no se pudieron decidir',
        hint: 'Avise a quien lleva este servidor.',
      },
      'webhook-given-up': {
        label: 'Webhooks abandonados',
        hint: 'Su tienda no fue avisada. Vea qué respondió y envíelos otra vez.',
      },
      'webhook-failing': {
        label: 'Webhooks que fallan',
        hint: 'Su tienda no responde como debe. Se intenta de nuevo por sí solo.',
      },
      approval: {
        label: 'Espera a una segunda persona',
        hint: 'Debe aprobarlo alguien distinto de quien lo empezó.',
      },
      transfer: {
        label: 'Envíos por firmar o mandar',
        hint: 'Quien lleva este servidor los manda a mano o arregla lo que los detiene.',
      },
    },
    cameIn: 'Lo que entró',
    cameInHint:
      'Los días son los de UTC. Las facturas cuentan como se escribieron; lo demás, a los precios guardados ese día.',
    periods: {
      1: 'Hoy',
      7: '7 días',
      30: '30 días',
    },
    payments: 'Pagos',
    worth: 'Valor',
    withoutPrice: 'Y sin precio guardado',
    byDay: 'Por día',
    byAsset: 'Por medio de pago',
    byLanguage: 'Por idioma del cliente',
    asTable: 'Como tabla',
    day: 'Día',
    asset: 'Activo',
    language: 'Idioma',
    noLanguage: 'Sin página de cobro',
    notKnown: 'Desconocido',
  },
};
