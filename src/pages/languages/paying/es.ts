// Spanish of what a payer sees beside the plain words of a page.
import { countedText, type NounForms } from '#pages/languages/plural.ts';
import type { PayingTexts } from './en.ts';

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
};
