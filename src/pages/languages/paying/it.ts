// Italian of what a payer sees beside the plain words of a page.
import { countedText, type NounForms } from '#pages/languages/plural.ts';
import type { PayingTexts } from './en.ts';

const count = (number: number, forms: NounForms) => countedText('it', number, forms);

export const itPaying: PayingTexts = {
  choose: {
    bank: 'Bonifico bancario',
    recommended: 'Consigliato',
    lastUsed: 'Usato l’ultima volta',
    fits: 'Adatto a questo dispositivo',
    search: 'Cerca monete e reti',
    nothing: 'Nessun risultato.',
    fee: (amount) => `commissione di rete circa ${amount}`,
    feeUnder: (amount) => `commissione di rete sotto ${amount}`,
    feeFrom: (amount) => `commissione di rete da ${amount}`,
    networks: (number) => count(number, { one: 'rete', many: 'reti', other: 'reti' }),
  },
  pay: {
    showCode: 'Mostra il codice',
    enlarge: 'Ingrandisci il codice',
    close: 'Chiudi',
    noWallet: 'Nessun wallet qui? Scansioni il codice con il telefono.',
    compare: 'Confronti nel wallet i primi quattro e gli ultimi quattro caratteri.',
  },
  steps: {
    title: 'Che cosa succede al suo pagamento',
    sent: 'Lei ha inviato',
    seen: 'La rete lo ha visto',
    confirmed: 'Confermato',
    told: 'Il negozio lo viene a sapere',
    wasTold: 'Il negozio lo sa',
    device: 'Continuare su un altro dispositivo',
    deviceHint: 'Lo scansioni con l’altro dispositivo: apre lì questa pagina.',
    signal: 'Suono e vibrazione quando è pagato',
    share: 'Condividi la ricevuta',
    calendar: 'Aggiungere al calendario',
  },
  trust: {
    title: 'Questo indirizzo è giusto?',
    signed:
      'Questa installazione ha firmato l’indirizzo. Lo controlli, meglio su un altro dispositivo:',
    check: 'Controllare l’indirizzo',
    host: (host) =>
      `Paghi solo se la barra degli indirizzi del browser mostra ${host}. Chi la aiuta non chiede mai le parole del wallet.`,
    domain: 'Dominio verificato',
    verified: 'Questo indirizzo è stato emesso qui',
    verifiedHint: 'Lo confronti segno per segno con quello che mostra il wallet.',
    unsigned:
      'Questo indirizzo non è stato emesso qui, oppure un segno è stato cambiato. Non invii nulla.',
    key: 'Chiave pubblica (Ed25519)',
    place: 'Indirizzo, o il link di controllo che si trova sulla pagina di pagamento',
    memo: 'Memo o tag, se c’è',
    signature: 'Firma',
    signatureHint:
      'La firma si trova in quel link. Un indirizzo da solo non dice nulla: è la sua firma che nessun altro può fare.',
  },
};
