import type { Texts } from './en.ts';
import { esPaying, esShop } from './paying/es.ts';
import { countedText, type NounForms } from './plural.ts';

const count = (number: number, forms: NounForms) => countedText('es', number, forms);

export const es: Texts = {
  paying: esPaying,
  shop: esShop,
  page: {
    language: 'Idioma',
    skip: 'Ir directamente al pago',
    notInFrame: 'Esta página no se puede mostrar dentro de otra página.',
    newWindow: 'Abrir en una ventana nueva',
    poweredBy: 'Pagos con Quittance',
    testMode: 'Modo de prueba',
    testModeHint: 'Aquí no se mueve dinero real.',
    copy: 'Copiar',
    copied: 'Copiado',
    back: 'Volver',
    tryAgain: 'Intentar de nuevo',
  },
  summary: {
    title: 'Su pedido',
    quantity: (quantity) => `× ${quantity}`,
    discount: 'Descuento',
    shipping: 'Envío',
    tax: 'Impuesto',
    total: 'Importe total',
    seller: 'Vendedor',
    order: 'Referencia del pago',
  },
  choose: {
    title: (total) => `Pagar ${total}`,
    hint: 'Elija con qué desea pagar.',
    networkTitle: (group) => `Pagar con ${group}`,
    networkHint: 'Elija la red por la que envía su monedero o su plataforma de intercambio.',
    only: 'En la página siguiente verá el importe y adónde enviarlo.',
    continue: 'Continuar',
    otherGroups: 'Otras monedas',
    back: 'Volver al pago',
    on: (network) => `por la red ${network}`,
    timeInstant: 'confirmado en segundos',
    timeMinutes: (minutes) => `confirmado en unos ${minutes}`,
    exchanges: 'también desde plataformas de intercambio',
    none: 'Ya no queda abierta ninguna forma de pago. Vuelva a la tienda y haga el pedido de nuevo.',
    slow: 'los pagos aparecen con retraso en este momento',
  },
  pay: {
    title: (total) => `Pagar ${total}`,
    amount: 'Envíe exactamente',
    amountRest: 'Falta por enviar',
    address: (network) => `A esta dirección de ${network}`,
    invoice: 'Pague esta factura Lightning',
    memo: 'Con este memo',
    tag: 'Con esta etiqueta de destino (tag)',
    memoWarning: 'El memo forma parte de su pago. Sin él no podemos saber quién ha pagado.',
    tagWarning: 'La etiqueta forma parte de su pago. Sin ella no podemos saber quién ha pagado.',
    onlyNetwork: (assetCode, network) =>
      `Envíe ${assetCode} únicamente por la red ${network}. Cualquier otra cosa puede perderse.`,
    qrLink: 'Enlace completo',
    qrAddress: 'Solo la dirección',
    qrShows: 'El código contiene',
    qrAlt: (content) => `Código QR. Contiene: ${content}`,
    link: 'Enlace de pago como texto',
    wallet: 'Abrir en el monedero',
    exchange:
      '¿Paga desde una plataforma de intercambio? Su comisión de retirada se suma: compruebe que llegue exactamente este importe.',
    timeLeft: (time) => `Tiempo restante a este precio: ${time}`,
    timeShort: 'menos de un minuto',
    windowOver: 'El tiempo para este precio ha terminado.',
    watching: 'Estamos observando la red. Esta página cambiará en cuanto veamos su pago.',
    change: 'Pagar de otra forma',
    cancel: 'Cancelar el pago',
    rate: (one, price, time) => `${one} = ${price}, a las ${time}`,
    networkFee: (network) => `Su monedero añade aparte la comisión de la red ${network}.`,
    anchorFee: (fee) => `De este importe, ${fee} es la comisión del servicio que reenvía el pago.`,
    unify: 'Un solo código para Bitcoin y Lightning',
  },
  bank: {
    time: 'cerca de un día hábil',
    holder: 'Titular de la cuenta',
    account: 'Número de cuenta',
    pixKey: 'Clave Pix',
    reference: 'Con esta referencia',
    referenceWarning:
      'La referencia forma parte de su pago. Sin ella no podemos saber quién ha pagado.',
    duration:
      'Una transferencia tarda cerca de un día hábil. Cuenta en cualquier momento en que llegue.',
    code: 'Escanee el código con la aplicación de su banco.',
    fees: 'Su banco puede cobrar una comisión. Asegúrese de que llegue exactamente este importe.',
    watching:
      'Puede cerrar esta página. La tienda sabrá de su transferencia cuando nuestro banco la registre.',
  },
  seen: {
    title: 'Vemos su pago',
    hint: 'Puede cerrar esta página. Todo lo demás sucede por sí solo.',
    amount: 'Visto hasta ahora',
    confirmations: (have, need) =>
      `${have} de ${count(need, { one: 'confirmación', other: 'confirmaciones' })}`,
    waiting: 'a la espera de la primera confirmación',
    final: 'confirmado',
    held: 'confirmado, retenido por ahora',
    heldHint:
      'La red no funciona como debería en este momento. Los pagos grandes esperan hasta que vuelva a hacerlo. No tiene que hacer nada.',
    wrongAsset: 'una moneda distinta de la solicitada',
    transaction: 'Transacción',
    timeSeconds: 'Normalmente termina en menos de un minuto.',
    timeMinutes: (range) =>
      `Normalmente tarda ${range}. Los bloques llegan a intervalos irregulares.`,
    short: 'Es menos que el precio. Por favor, envíe también el resto.',
    explorer: (host) => `Ver en ${host}`,
  },
  partial: {
    title: 'Todavía falta una parte',
    hint: 'Su pago ha llegado, pero era menos que el precio.',
    received: 'Recibido',
    remaining: 'Falta',
    rest: 'Envíe el resto de la misma manera:',
    windowOver: 'El tiempo para este precio ha terminado: por favor, no envíe nada al anterior.',
    alternatives:
      '¿No desea pagar el resto? Pida un reembolso a la tienda e indique la referencia.',
  },
  paid: {
    title: 'Pagado. ¡Muchas gracias!',
    hint: 'El pago está completo y la tienda ha sido avisada.',
    amount: 'Importe',
    seller: 'Pagado a',
    when: 'Completado',
    reference: 'Referencia',
    return: 'Volver a la tienda',
    print: 'Puede imprimir o guardar esta página como comprobante de pago.',
    leaving: (time) => `Volverá a la tienda en ${time}.`,
    stay: 'Quedarse en esta página',
  },
  expired: {
    title: 'El tiempo para pagar ha terminado',
    doNotSend: 'Por favor, no envíe nada ahora.',
    alreadySent: '¿Ya lo ha enviado?',
    alreadySentHint:
      'Seguimos observando la dirección, y lo que llegue todavía se abonará. Conserve esta referencia.',
    wasDue: 'Se le pidió',
    address: 'A la dirección',
    newPrice: 'Obtener un precio nuevo',
    again: 'Elegir otra forma de pago',
    return: 'Volver a la tienda',
  },
  cancelled: {
    title: 'Pago cancelado',
    nothing: 'No se ha cobrado nada.',
    hint: 'Por favor, no envíe nada a la dirección que vio.',
    sent: 'Si envió algo antes, todavía se abonará a la tienda: indique allí esta referencia.',
    back: 'Volver a la tienda',
  },
  trouble: {
    title: 'Lo estamos comprobando',
    behindOver: (network) =>
      `El tiempo para pagar ha terminado, pero en este momento no podemos ver los pagos más recientes en ${network}. Si ha pagado, su pago se encontrará. Si no, por favor no envíe nada ahora.`,
    behind: (network) =>
      `En este momento no podemos ver los pagos más recientes en ${network}. Lo que llegue aparecerá aquí un poco más tarde.`,
    replaced:
      'Un pago que habíamos visto fue sustituido o retirado. Solo cuenta lo que confirma la red.',
    wrongAsset:
      'Ha llegado una moneda distinta de la solicitada. No se ha perdido, pero no paga este pedido: pregunte a la tienda e indique la referencia.',
    reversed: 'La red ha deshecho un pago confirmado: ya no cuenta. La tienda ha sido avisada.',
    takenBack: 'Su pago se ha deshecho',
    takenBackHint:
      'La red ha deshecho un pago confirmado. La tienda ha sido avisada: por favor, pregunte allí antes de volver a pagar.',
    rateMissing: (assets) =>
      `No hay un precio actual para ${assets}, por lo que no se puede elegir en este momento.`,
    wrongNetwork: (amount, network) =>
      `Han llegado ${amount} por ${network}, donde no se habían solicitado. No se han perdido, pero no pagan este pedido: contacte con la tienda e indique la referencia.`,
  },
  notice: {
    over: (amount) =>
      `Ha enviado ${amount} de más. También se ha abonado a la tienda: pida allí su devolución.`,
    late: 'Llegó después de que terminara el tiempo y se abonó al precio del momento de llegada.',
    multiple:
      'Ha llegado más de un pago para este pedido. Pregunte a la tienda por lo que se pagó de más.',
    acceptedUnderpaid: 'Era menos que el precio, y la tienda lo ha aceptado.',
    refundAwaiting: (amount) =>
      `La tienda le devuelve ${amount}. Le dará un enlace donde indicar adónde enviarlo.`,
    refundUnderWay: (amount) => `La tienda le devuelve ${amount}: ya está en camino.`,
    refundCompleted: (amount) => `La tienda le ha devuelto ${amount}.`,
  },
  contact: {
    hint: '¿Preguntas? Indique la referencia.',
    link: 'Contactar con la tienda',
  },
  find: {
    title: 'Buscar mi pago',
    hint: '¿Ya lo ha enviado? Pegue el hash de la transacción de su monedero o plataforma.',
    label: 'Hash de la transacción',
    button: 'Comprobar',
    unreadable:
      'Aquí no hay ningún hash de transacción. Tiene 64 letras y cifras; su monedero lo muestra en los detalles del pago.',
    waiting: (amount) =>
      `Lo vemos: ${amount}. Espera su primera confirmación; no tiene que hacer nada.`,
    confirming: (amount) =>
      `Lo vemos: ${amount}. La red lo está confirmando; no tiene que hacer nada.`,
    confirmed: (amount) => `Ha llegado y está confirmado: ${amount}.`,
    gone: 'Lo habíamos visto, pero la red lo ha sustituido o descartado. Solo cuenta lo que confirma la red: mire en su monedero.',
    less: (amount, missing) => `Ha llegado: ${amount}. Todavía no es suficiente: falta ${missing}.`,
    lessAsk: (amount) =>
      `Ha llegado: ${amount}. Es menos que el precio: pregunte a la tienda e indique la referencia.`,
    more: (amount, excess) =>
      `Ha llegado: ${amount}. Es ${excess} más de lo necesario; pida su devolución a la tienda.`,
    wrongAsset: (asset) =>
      `Ha llegado, pero en ${asset}, que no es lo solicitado. No se ha perdido: contacte con la tienda e indique la referencia.`,
    wrongNetwork: (network) =>
      `Este pago está en la red ${network}, donde no se había solicitado. No se ha perdido: contacte con la tienda e indique la referencia.`,
    otherNetwork:
      'Este hash es de otro tipo de red que la indicada para el pago. Compruebe en su monedero por qué red envió y contacte con la tienda.',
    noMemo: (network) =>
      `Ha llegado por ${network}, pero sin el memo o la etiqueta que identifica su pedido. No se ha perdido: contacte con la tienda con la referencia y esta transacción.`,
    elsewhere: 'Este pago no pertenece a este pedido. Compruebe si ha pegado el correcto.',
    notFound:
      'Todavía no lo vemos. Si su monedero dice que se envió, compruebe allí la red y la dirección y vuelva a consultar en unos minutos.',
    notFoundBehind: (networks) =>
      `No lo vemos, pero en este momento tampoco vemos los pagos más recientes en ${networks}. Vuelva a consultar un poco más tarde; no se ha perdido nada.`,
    tooOften:
      'Se ha consultado muchas veces en poco tiempo. Espere un minuto e inténtelo de nuevo.',
  },
  error: {
    missingTitle: 'Esta página no existe',
    missingHint: 'La dirección está incompleta o nunca fue nuestra.',
    methodGone: 'Esta forma de pago ya no está abierta. Por favor, elija otra.',
    hasMoney: 'Ya se ha visto un pago, por lo que no es posible cancelar.',
    completed: 'Este pedido ya está pagado.',
    outageTitle: 'Un momento, por favor',
    outageHint:
      'Una parte de nuestro sistema no responde. No se ha perdido nada. Por favor, inténtelo de nuevo.',
    faultTitle: 'Algo ha fallado por nuestra parte',
    faultHint:
      'No se ha perdido nada. Por favor, inténtelo de nuevo; si vuelve a ocurrir, avise a la tienda.',
    refusedTitle: 'No ha funcionado',
    refusedHint: 'Por favor, vuelva atrás e inténtelo de nuevo.',
    rateAway:
      'En este momento no hay un precio actual para esta forma de pago. No se ha cobrado nada: elija otra o inténtelo de nuevo en un minuto.',
    networkAway:
      'Esta red no nos responde en este momento. No se ha cobrado nada: elija otra o inténtelo de nuevo en un minuto.',
    addressPending:
      'La dirección aún se está preparando. No se ha cobrado nada: elija esta opción de nuevo en unos segundos.',
  },
  link: {
    amount: 'Importe',
    between: (least, most) => `De ${least} a ${most}.`,
    atLeast: (least) => `Como mínimo ${least}.`,
    atMost: (most) => `Como máximo ${most}.`,
    pay: 'Continuar al pago',
    wrong: 'Escriba un importe como 12,50 que este enlace acepte.',
    off: 'Este enlace no se usa en este momento.',
    over: 'El tiempo de este enlace ha terminado.',
    soldOut: 'No queda nada. Puede quedar libre una plaza: vuelva a mirar en una hora.',
    closed: 'Esto no se puede pagar ahora. Inténtelo más tarde.',
  },
  refund: {
    title: (amount) => `Reembolso de ${amount}`,
    hint: (network) => `La tienda le devuelve este dinero. Díganos adónde, en la red ${network}.`,
    yourAddress: (network) => `Su dirección de ${network}`,
    lightningAddress:
      'Su dirección Lightning (nombre@ejemplo.com), o una factura por este importe exacto',
    memoLabel: 'Memo, si su exchange lo pide',
    tagLabel: 'Destination tag, si su exchange lo pide',
    memoHint:
      'Los exchanges lo exigen: sin él, el dinero puede no llegar a su cuenta. Para un monedero propio, déjelo vacío.',
    memoType: 'Tipo de memo',
    check: 'Compruébela bien: lo que se ha enviado no se puede recuperar.',
    claim: 'Enviar allí',
    next: 'Continuar',
    review: '¿Es correcto?',
    edit: 'Cambiar',
    none: 'ninguno',
    until: 'Abierto hasta',
    looksLike: (forms) => `Empieza por ${forms}.`,
    whereFrom: (network) =>
      `Desde un monedero propio (una aplicación o un dispositivo cuyas claves solo tiene usted): copie su dirección para recibir en ${network}. Desde un exchange: copie su dirección de depósito para esta misma red.`,
    bankHint: {
      SEPA: 'El IBAN de su cuenta en un banco de la zona SEPA.',
      SWIFT:
        'Cuatro partes separadas por punto y coma: IBAN o número de cuenta; BIC; nombre del titular; calle, ciudad, código de país.',
      PIX: 'Su clave Pix: CPF, CNPJ, correo electrónico, teléfono con +55 o clave aleatoria.',
    },
    noAddress: 'No es una dirección de esta red. Por favor, cópiela de nuevo desde su monedero.',
    badMemo: 'Este memo no corresponde a su tipo. Por favor, cópielo de nuevo desde su exchange.',
    badTag:
      'Un destination tag es un número entero. Por favor, cópielo de nuevo desde su exchange.',
    tooDear:
      'En este momento la red cobra por un envío mucho más que cuando se creó este reembolso. El dinero sigue reservado para usted: por favor, vuelva dentro de unas horas.',
    underWay: 'Su reembolso está en camino. Puede cerrar esta página.',
    rests: (when: string) =>
      `Por su seguridad, su reembolso se enviará después del ${when}. Puede cerrar esta página.`,
    completed: 'Su reembolso se ha enviado y ha llegado.',
    toClaim: (asset) =>
      `Su reembolso se ha enviado. Su cuenta todavía no acepta ${asset}, por eso el dinero le espera en la red: añada ${asset} en su monedero y reclame después el saldo indicado abajo.`,
    claimBefore: (when) =>
      `Reclámelo antes de esta hora: ${when}. Después la tienda puede recuperarlo.`,
    failed: 'No se pudo enviar el reembolso. Por favor, pregunte a la tienda.',
    address: 'A esta dirección',
    transaction: 'Transacción',
    uncertain: 'Su reembolso se enviará en cuanto la red haya confirmado de nuevo su pago.',
    takenBack:
      'La red anuló su pago, así que no hay nada que devolver: el dinero sigue, o está de nuevo, en el lugar desde el que pagó.',
  },
  paper: {
    receipt: 'Recibo',
    invoice: 'Factura',
    date: 'Fecha',
    buyer: 'Comprador',
    taxId: 'Número fiscal',
    description: 'Descripción',
    amount: 'Importe',
    state: 'Estado',
    states: {
      open: 'Pendiente',
      underWay: 'Pago en camino',
      partial: 'Pagado en parte',
      paid: 'Pagado',
      over: 'Plazo de pago terminado',
      cancelled: 'Cancelado',
    },
    due: 'Importe por pagar',
    howToPay: 'Cómo pagar',
    howToPayHint:
      'Abra esta dirección o escanee el código. Allí elige con qué pagar y ve el importe exacto que debe enviar.',
    payment: (number) => `Pago ${number}`,
    arrived: 'Visto',
    confirmed: 'Confirmado',
    notConfirmed: 'aún sin confirmar',
    network: 'Red',
    rate: 'Cotización',
    refund: (number) => `Reembolso ${number}`,
    refunded: 'Reembolsado',
    print: 'Puede imprimir o guardar esta página.',
    pdf: 'Recibo en PDF',
    toPayment: 'Ir a la página de pago',
    page: (page, pages) => `Página ${page} de ${pages}`,
    missingTitle: 'Todavía no hay recibo',
    missingHint: 'Aparecerá aquí en cuanto el pago esté confirmado.',
  },
  bill: {
    number: 'Número de factura',
    dueOn: 'Fecha de vencimiento',
    net: 'Importe neto',
    vatId: 'NIF-IVA',
    taxNumber: 'Número fiscal',
    delivered: 'Entrega o servicio',
    cancellation: 'Factura de anulación',
    cancels: (name, day) => `Anula la factura ${name} del ${day}.`,
    cancelledBy: (name) => `Esta factura fue anulada por ${name}.`,
    overdue: 'Vencida',
    pay: 'Pagar ahora',
    payHint: 'Usted elige con qué pagar y ve el precio de este momento.',
    underWay: 'Un pago de esta factura está en camino.',
    pdf: 'Factura en PDF',
  },
  sandbox: {
    title: 'Monedero de prueba',
    hint: 'Haga de pagador. Solo en modo de prueba, en redes simuladas.',
    payExact: 'Pagar el importe exacto',
    payUnder: 'Pagar la mitad',
    payOver: 'Pagar un cuarto más',
    payParts: 'Pagar en dos partes',
    payLate: 'Pagar demasiado tarde',
    replace: 'Sustituir el pago',
    reorg: 'Reorganizar',
    mine: 'Minar un bloque',
    expire: 'Hacer que venza ahora',
    payRest: 'Pagar el resto',
    payOtherAsset: 'Pagar en otra moneda',
  },
};
