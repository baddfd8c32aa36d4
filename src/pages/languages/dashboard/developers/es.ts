import type { DeveloperTexts } from './en.ts';

export const esDevelopers: DeveloperTexts = {
  requests: {
    title: 'Solicitudes',
    hint: 'Lo que sus programas pidieron a la API en los últimos siete días. Los secretos están recortados.',
    missed: (count: string) =>
      `Faltan ${count} solicitudes: llegaron demasiadas a la vez o no se pudieron escribir.`,
    status: 'Respuesta',
    succeeded: 'Éxito (2xx)',
    refused: 'Rechazada (4xx)',
    failed: 'Fallida (5xx)',
    path: 'La ruta empieza por',
    key: 'Clave de API',
    at: 'Hora',
    duration: 'Duración',
    address: 'Desde',
    asked: 'Lo que se pidió',
    answered: 'Lo que se respondió',
    bytes: (count: string) => `${count} bytes`,
    unproven: 'Quien lo envió no probó la clave, así que no se guarda nada de lo enviado.',
    notKept: 'El cuerpo no se guarda: no es JSON o es demasiado largo.',
  },
  testEvent: {
    title: 'Probar un receptor',
    hint: 'Un evento firmado con datos inventados va a un receptor. Su texto dice "test": true y nada de ello ha ocurrido.',
    receiver: 'Receptor',
    kind: 'Tipo',
    send: 'Enviar un evento de prueba',
    mark: 'Evento de prueba: nada de ello ha ocurrido.',
  },
  eventKinds: {
    title: 'Tipos de eventos',
    hint: 'Cuándo se avisa de cada uno y cómo es. Los datos son inventados.',
    example: 'Ejemplo',
    told: {
      CHECKOUT_COMPLETED: 'Un checkout se pagó por completo; el saldo está actualizado',
      CHECKOUT_PENDING: 'Se vio dinero para un checkout que aún no es definitivo',
      CHECKOUT_UNDERPAID: 'El dinero definitivo es menos de lo necesario',
      CHECKOUT_EXPIRED: 'El plazo de un checkout terminó sin dinero definitivo',
      CHECKOUT_CANCELLED: 'La tienda o el cliente canceló un checkout',
      CHECKOUT_REVERSED: 'La red retiró dinero que estaba abonado',
      CHECKOUT_RESTORED: 'El dinero que la red había retirado, u otro en su lugar, ha vuelto',
      CHECKOUT_PAID_AGAIN: 'Se abonó otro pago después de completarse el checkout',
      CHECKOUT_PENDING_WITHDRAWN: 'El dinero de CHECKOUT_PENDING no llegará: no se abonó',
      CHECKOUT_MISDIRECTED: 'Llegó dinero en otro activo o en otra red que los pedidos',
      UNDERPAID_ACCEPTED: 'Un checkout pagado de menos se aceptó con lo que llegó',
      REFUND_RESTS:
        'Un reembolso a una dirección nueva por encima de un límite se envía más tarde: hasta entonces se puede cancelar',
      REFUND_COMPLETED: 'Un reembolso ha llegado',
      REFUND_FAILED: 'Un reembolso no se envió ni se enviará; su dinero está donde estaba',
      REFUND_REOPENED:
        'Un reembolso había llegado, o fallado, y la red lo deshizo: está de nuevo en camino',
      REFUND_RETURNED: 'Un reembolso había llegado y fue devuelto; su dinero está donde estaba',
      DEPOSIT_PENDING: 'Se vio dinero en una dirección de depósito que aún no es definitivo',
      DEPOSIT_PENDING_WITHDRAWN: 'El dinero de DEPOSIT_PENDING ya no está en la red: no se abonó',
      DEPOSIT_COMPLETED: 'Se abonó dinero de una dirección de depósito',
      DEPOSIT_REVERSED: 'La red retiró dinero abonado de una dirección de depósito',
      DEPOSIT_MISDIRECTED:
        'Llegó dinero en otro activo a una dirección de depósito: espera a que alguien decida',
      SUSPENSE_RESOLVED:
        'El dinero sin asignar se le asignó, se devolvió al pagador o se dio de baja',
      SWAP_COMPLETED: 'Se realizó un cambio',
      SWAP_FAILED: 'Un cambio no se pudo realizar',
      TRANSFER_COMPLETED: 'Una transferencia ha llegado',
      TRANSFER_FAILED: 'Una transferencia no puede llegar; su dinero vuelve a estar disponible',
      TRANSFER_REOPENED:
        'Una transferencia había llegado, o fallado, y la red lo deshizo: está de nuevo en camino',
      TRANSFER_RETURNED:
        'Una transferencia había llegado y fue devuelta; lo que volvió está disponible de nuevo',
      SETTLEMENT_SKIPPED:
        'Una regla de liquidación vencía y no se pudo seguir: se dice una vez por motivo, mientras se reintenta',
    },
  },
};
