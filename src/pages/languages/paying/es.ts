// Spanish of what a payer sees beside the plain words of a page.
import { countedText, type NounForms } from '#pages/languages/plural.ts';
import type { PayingTexts, ShopTexts } from './en.ts';

const count = (number: number, forms: NounForms) => countedText('es', number, forms);

export const esPaying: PayingTexts = {
  choose: {
    bank: 'Transferencia bancaria',
    recommended: 'Recomendado',
    lastUsed: 'Usado la última vez',
    fits: 'Va bien en este dispositivo',
    search: 'Buscar monedas y redes',
    nothing: 'No hay nada que coincida.',
    fee: (amount) => `comisión de red de unos ${amount}`,
    feeUnder: (amount) => `comisión de red inferior a ${amount}`,
    feeFrom: (amount) => `comisión de red desde ${amount}`,
    networks: (number) => count(number, { one: 'red', many: 'redes', other: 'redes' }),
  },
  pay: {
    showCode: 'Mostrar el código',
    enlarge: 'Ampliar el código',
    close: 'Cerrar',
    noWallet: '¿No hay cartera aquí? Escanee el código con su teléfono.',
    compare: 'Compare en su cartera los cuatro primeros y los cuatro últimos caracteres.',
  },
  steps: {
    title: 'Qué pasa con su pago',
    sent: 'Usted lo envió',
    seen: 'La red lo ha visto',
    confirmed: 'Confirmado',
    told: 'La tienda se entera',
    wasTold: 'La tienda ya lo sabe',
    device: 'Continuar en otro dispositivo',
    deviceHint: 'Escanee esto con el otro dispositivo: abre allí esta página.',
    signal: 'Sonido y vibración cuando esté pagado',
    share: 'Compartir el recibo',
    calendar: 'Añadir al calendario',
  },
  mail: {
    title: 'Avísenme por correo cuando termine',
    hint: 'Un correo cuando esté pagado, o cuando le quede algo por hacer. La dirección no se usa para nada más.',
    label: 'Correo electrónico',
    button: 'Avísenme',
    asked: 'Le avisaremos por correo',
    again: '¿Se equivocó? Indique la dirección de nuevo.',
    fault: 'Indique una dirección como ann@mail.example.',
  },
  trust: {
    title: '¿Es correcta esta dirección?',
    signed: 'Esta instalación ha firmado la dirección. Compruébela, mejor en otro dispositivo:',
    check: 'Comprobar la dirección',
    host: (host) =>
      `Pague solo si la barra de direcciones del navegador muestra ${host}. Quien le ayuda nunca pide las palabras de su cartera.`,
    domain: 'Dominio verificado',
    verified: 'Esta dirección se emitió aquí',
    verifiedHint: 'Compárela signo por signo con la que muestra su cartera.',
    unsigned:
      'Esta dirección no se emitió aquí, o se cambió algún signo. Por favor, no envíe nada a ella.',
    key: 'Clave pública (Ed25519)',
    place: 'Dirección, o el enlace de comprobación que está en la página de pago',
    memo: 'Memo o etiqueta, si los hay',
    signature: 'Firma',
    signatureHint:
      'La firma está en ese enlace. Una dirección sola no dice nada: es su firma lo que nadie más puede hacer.',
  },
  wallets: {
    app: (app: string) => `Abrir en ${app}`,
    with: (wallet: string) => `Pagar con ${wallet}`,
    browser: 'Pagar con el monedero de este navegador',
    asking: (wallet: string) => `Confirme el pago en ${wallet}.`,
    switching: (network: string) => `Su monedero le pide cambiar a la red ${network}.`,
    missing: (network: string) =>
      `Su monedero no conoce la red ${network}. Añádala allí o pague con el código.`,
    otherNetwork: (network: string) =>
      `Su monedero está en otra red. Cámbielo allí a la red ${network} e inténtelo de nuevo.`,
    poor: (account: string, held: string, needed: string) =>
      `La cuenta ${account} tiene ${held} y hacen falta ${needed}. Elija otra cuenta en su monedero.`,
    refused: 'Lo ha rechazado en su monedero. No se ha enviado nada.',
    waiting: 'En su monedero ya espera una pregunta. Ábralo y responda allí.',
    silent: 'Su monedero no responde. Ábralo, desbloquéelo e inténtelo de nuevo.',
    failed:
      'Su monedero no ha podido hacerlo. Mire allí si se ha enviado algo antes de volver a intentarlo.',
    sent: 'Enviado. Esta página cambia en cuanto la red muestre su pago.',
    again: (wallet: string) => `Enviar otra vez con ${wallet}`,
  },
};

export const esShop: ShopTexts = {
  title: 'Todo para escribir a mano',
  hint: 'Una tienda de prueba: elija algo, vaya a la caja y pague con la cartera de pruebas.',
  embedded: 'Pagar sin salir de la página',
  embeddedHint: (product) =>
    `${product}, en una ventana sobre esta página: la página de pago alojada, abierta por un solo script.`,
  howTo: 'Cómo hacerlo en una tienda',
  payHere: 'Pagar aquí',
  states: 'Ver todos los estados de la página de pago',
  skip: 'Ir al contenido',
  shop: 'Tienda',
  add: 'Añadir a la cesta',
  addOf: (product) => `Añadir a la cesta: ${product}`,
  less: (product) => `Uno menos: ${product}`,
  more: (product) => `Uno más: ${product}`,
  cart: 'Cesta',
  post: 'Correo postal',
  tax: 'IVA',
  total: 'Total sin IVA',
  checkOut: 'Pagar con cripto',
  empty: 'Su cesta está vacía.',
  look: 'Ver la tienda',
  order: 'Pedido',
  state: 'Estado en el último webhook',
  none: 'aún ninguno',
  back: 'Volver a la tienda',
  webhooks: 'Webhooks recibidos',
  webhooksHint:
    'Es todo lo que sabe la tienda. Solo cree un webhook si la firma es correcta, y el que tiene el número de secuencia más alto.',
  nothing: 'Aún no ha llegado nada. Esta página vuelve a preguntar sola.',
  verified: 'firma verificada: sí',
  unverified: 'firma verificada: no',
  noEvent: 'no es un evento',
  headers: 'Cabeceras',
  body: 'Cuerpo',
  told: {
    completed: { title: '¡Gracias! Su pedido está pagado.', hint: 'Ya lo estamos envolviendo.' },
    pending: { title: 'Su pago está en camino.', hint: 'La red lo está confirmando.' },
    underpaid: {
      title: 'Todavía falta una parte.',
      hint: 'La página de pago muestra cómo enviarla.',
    },
    expired: { title: 'No se pagó a tiempo.', hint: 'Si pagó más tarde, sigue contando.' },
    cancelled: { title: 'Cancelado.', hint: 'No se cobró nada.' },
    waiting: { title: 'Esperando el pago.', hint: 'La tienda aún no sabe nada.' },
  },
  madeUp: 'Los pedidos y los artículos son inventados.',
  about: 'Acerca de este servicio',
  products: {
    notebook: {
      name: 'Cuaderno de puntos',
      about: '192 páginas que se abren planas, encuadernado en lino',
    },
    pen: { name: 'Pluma de latón', about: 'Torneada de una sola pieza, mejora con los años' },
    ink: { name: 'Tinta verde musgo', about: '50 ml de un verde que seca casi negro' },
    cards: { name: 'Postales de helechos', about: 'Ocho helechos prensados, impresos a mano' },
  },
};
