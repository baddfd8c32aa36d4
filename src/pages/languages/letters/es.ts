import type { LetterTexts, VerifyTexts } from './en.ts';

export const esLetters: LetterTexts = {
  test: 'Prueba',
  testHint: 'Era una prueba: no se ha movido dinero real.',
  reference: (id) => `Referencia: ${id}`,
  contact: (contact) => `¿Preguntas? Diríjase a la tienda: ${contact}`,
  why: (shop) => `Recibe este correo porque paga a ${shop} y la tienda tiene su dirección.`,
  whyAsked: (shop) =>
    `Recibe este correo porque alguien indicó su dirección en la página de un pago a ${shop}.`,
  leave: 'No recibir más correos sobre pagos a esta tienda',
  seen: {
    subject: (shop) => `Se ha visto su pago a ${shop}`,
    title: 'Se ha visto su pago',
    body: (amount) =>
      `${amount} están en camino. La red los está confirmando; no tiene que hacer nada.`,
    button: 'Ver cómo va',
  },
  paid: {
    subject: (shop) => `Su pago a ${shop} está completo`,
    title: 'Pagado. ¡Gracias!',
    body: (shop, total) => `${shop} ha recibido su pago de ${total}.`,
    button: 'Abrir el recibo',
  },
  underpaid: {
    subject: (shop) => `Falta una parte de su pago a ${shop}`,
    title: 'Todavía falta una parte',
    body: (received, remaining) => `Han llegado ${received}, faltan ${remaining}.`,
    todo: 'La página dice cuánto cuesta ahora el resto y cómo pagarlo. ¿No quiere pagarlo? Pida un reembolso a la tienda e indique la referencia.',
    button: 'Pagar el resto',
  },
  expired: {
    subject: (shop) => `El plazo para pagar a ${shop} ha terminado`,
    title: 'El plazo para pagar ha terminado',
    body: 'No se ha cobrado nada. No envíe nada al precio antiguo.',
    todo: '¿Todavía quiere pagar? La página le da un precio nuevo. ¿Ya lo ha enviado? Lo que llegue se abonará igualmente: guarde la referencia.',
    money: {
      body: 'Llegó algo que no cuenta como este pago: otra moneda, o una transferencia que la red no ha confirmado.',
      todo: 'No está perdido. Lo que la red confirme después se abonará igualmente. Si era otra moneda, pregunte a la tienda e indique la referencia. La página muestra lo que se ha visto.',
    },
    button: 'Abrir la página',
  },
  claim: {
    subject: (shop) => `Le espera un reembolso de ${shop}`,
    title: 'Le espera un reembolso',
    body: (shop, amount) => `${shop} le devuelve ${amount}. La página pregunta adónde enviarlo.`,
    until: (moment) =>
      `Está abierto hasta el ${moment}. No pase el enlace a nadie: quien lo tiene dice adónde va el dinero.`,
    button: 'Decir adónde va',
  },
  sent: {
    subject: (shop) => `Su reembolso de ${shop} se ha enviado`,
    title: 'Su reembolso se ha enviado',
    body: (amount, address) => `Se han enviado ${amount} a ${address}.`,
    transaction: (transaction) => `Transacción: ${transaction}`,
    button: 'Ver el pago',
  },
  bill: {
    sent: {
      subject: (shop, name) => `Factura ${name} de ${shop}`,
      title: 'Su factura',
      body: (shop, total) => `${shop} le ha enviado una factura de ${total}.`,
      due: (day) => `Páguela a más tardar el ${day}.`,
    },
    soon: {
      subject: (shop, name) => `Recordatorio: factura ${name} de ${shop}`,
      title: 'Su factura vence pronto',
      body: (total, day) => `Su factura de ${total} vence el ${day}.`,
    },
    today: {
      subject: (shop, name) => `La factura ${name} de ${shop} vence hoy`,
      title: 'Su factura vence hoy',
      body: (total, day) => `Su factura de ${total} vence hoy, ${day}.`,
    },
    overdue: {
      subject: (shop, name) => `La factura ${name} de ${shop} está vencida`,
      title: 'Su factura está vencida',
      body: (total, day) =>
        `Su factura de ${total} venció el ${day}. Todavía no vemos ningún pago de ella.`,
    },
    hint: 'La página muestra la factura y recibe el pago, al precio de ese momento. ¿Ya la ha pagado? Entonces no tiene que hacer nada.',
    number: (name) => `Número de factura: ${name}`,
    button: 'Ver y pagar la factura',
  },
  page: {
    title: (shop) => `Correos sobre pagos a ${shop}`,
    gets: 'Recibe correos sobre sus pagos a esta tienda.',
    leave: 'No más correos',
    left: 'Ya no recibe correos sobre sus pagos a esta tienda.',
    again: 'Volver a recibir correos',
  },
  staff: {
    why: (shop) => `Recibe este correo porque trabaja con ${shop}.`,
    choose: 'Elegir qué correos recibe',
    paid: {
      subject: (shop, total) => `${shop}: ${total} pagados`,
      title: 'Pagado',
      body: (total) => `Un pago de ${total} está completo.`,
      button: 'Abrir el pago',
    },
    needs: {
      subject: (shop) => `${shop}: un pago le necesita`,
      title: 'Un pago le necesita',
      reasons: {
        underpaid: 'Ha llegado menos de lo pedido. Acéptelo, reembólselo o espere el resto.',
        misdirected:
          'Ha llegado dinero en otro activo o por otra red de lo pedido. Decida qué se hace con él.',
        again: 'Un pago que ya estaba completo se ha pagado otra vez. Reembolse lo que sobra.',
        billAgain:
          'Una factura que ya estaba pagada se ha pagado otra vez. Reembolse lo que sobra.',
        reversed: 'La red ha retirado un pago que estaba abonado. Mire si ya ha entregado.',
        failed: 'Dinero que debía salir no ha salido, o ha vuelto. Mire por qué.',
      },
      button: 'Verlo',
    },
    summary: {
      subject: (shop, day) => `${shop}: ${day}`,
      title: (day) => `Su día: ${day}`,
      paid: (count) => `Pagos completos: ${count}`,
      total: (sums) => `En total: ${sums}`,
      needs: (count) => `Necesitaron a alguien: ${count}`,
      button: 'Abrir el panel',
    },
  },
};

export const esVerify: VerifyTexts = {
  title: 'Comprobar un recibo o una factura',
  hint: 'Escriba el código que figura en el recibo o en la factura. Verá lo que dicen nuestros libros, y nada del comprador.',
  code: 'Código de verificación',
  at: 'Comprobar en',
  check: 'Comprobar',
  unknown: 'Ningún recibo y ninguna factura nuestra tiene este código. Compárelo signo por signo.',
  compare: 'Compárelo con el papel que tiene. Vale lo que figura aquí.',
  issuer: 'Emitido por',
  states: {
    paid: 'Está pagado',
    partial: 'Está pagado en parte',
    open: 'No hay ningún pago confirmado para esto',
    reversed: 'Se pagó, y la red deshizo el pago',
    refunded: 'Se pagó, y el dinero se devolvió',
    partlyRefunded: 'Se pagó, y una parte se devolvió',
    cancelled: 'Esta factura fue anulada',
    cancellation: 'Este documento anula una factura',
  },
  worth: 'Importe pagado',
  explorer: 'En la red',
};
