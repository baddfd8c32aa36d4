// Italian of what a payer sees beside the plain words of a page.
import { countedText, type NounForms } from '#pages/languages/plural.ts';
import type { PayingTexts, ShopTexts } from './en.ts';

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
  mail: {
    title: 'Avvisami per e-mail quando è fatto',
    hint: 'Una mail quando è pagato, o quando resta qualcosa da fare. L’indirizzo non serve ad altro.',
    label: 'Indirizzo e-mail',
    button: 'Avvisami',
    asked: 'Riceverà un avviso per e-mail',
    again: 'Errore di battitura? Indichi di nuovo l’indirizzo.',
    fault: 'Indichi un indirizzo come ann@mail.example.',
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
  wallets: {
    app: (app: string) => `Apri in ${app}`,
    with: (wallet: string) => `Paga con ${wallet}`,
    browser: 'Paga con il wallet di questo browser',
    asking: (wallet: string) => `Confermi il pagamento in ${wallet}.`,
    switching: (network: string) => `Il Suo wallet chiede di passare alla rete ${network}.`,
    missing: (network: string) =>
      `Il Suo wallet non conosce la rete ${network}. La aggiunga lì, oppure paghi con il codice.`,
    otherNetwork: (network: string) =>
      `Il Suo wallet è su un’altra rete. Passi lì alla rete ${network} e riprovi.`,
    poor: (account: string, held: string, needed: string) =>
      `Il conto ${account} contiene ${held}, ne servono ${needed}. Scelga un altro conto nel Suo wallet.`,
    refused: 'Ha rifiutato nel Suo wallet. Non è stato inviato nulla.',
    waiting: 'Una domanda aspetta già nel Suo wallet. Lo apra e risponda lì.',
    silent: 'Il Suo wallet non risponde. Lo apra, lo sblocchi e riprovi.',
    failed:
      'Il Suo wallet non ci è riuscito. Controlli lì se qualcosa è stato inviato prima di riprovare.',
    sent: 'Inviato. Questa pagina cambia appena la rete mostra il Suo pagamento.',
    again: (wallet: string) => `Invia di nuovo con ${wallet}`,
  },
};

export const itShop: ShopTexts = {
  title: 'Tutto per scrivere a mano',
  hint: 'Un negozio di prova: prenda qualcosa, vada alla cassa e paghi con il wallet di prova.',
  embedded: 'Pagare senza lasciare la pagina',
  embeddedHint: (product) =>
    `${product}, in una finestra sopra questa pagina: la pagina di pagamento ospitata, aperta da un solo script.`,
  howTo: 'Come si fa in un negozio',
  payHere: 'Paga qui',
  states: 'Guarda tutti gli stati della pagina di pagamento',
  skip: 'Vai al contenuto',
  shop: 'Negozio',
  add: 'Aggiungi al carrello',
  addOf: (product) => `Aggiungi al carrello: ${product}`,
  less: (product) => `Uno in meno: ${product}`,
  more: (product) => `Uno in più: ${product}`,
  cart: 'Carrello',
  post: 'Posta',
  tax: 'IVA',
  total: 'Totale senza IVA',
  checkOut: 'Paga in cripto',
  empty: 'Il carrello è vuoto.',
  look: 'Guarda il negozio',
  order: 'Ordine',
  state: 'Stato nell’ultimo webhook',
  none: 'ancora nessuno',
  back: 'Torna al negozio',
  webhooks: 'Webhook ricevuti',
  webhooksHint:
    'È tutto ciò che il negozio sa. Crede a un webhook solo se la firma è giusta, e a quello con il numero di sequenza più alto.',
  nothing: 'Non è ancora arrivato nulla. Questa pagina chiede di nuovo da sola.',
  verified: 'firma verificata: sì',
  unverified: 'firma verificata: no',
  noEvent: 'non è un evento',
  headers: 'Intestazioni',
  body: 'Corpo',
  told: {
    completed: { title: 'Grazie! Il suo ordine è pagato.', hint: 'Lo stiamo già incartando.' },
    pending: { title: 'Il suo pagamento è in viaggio.', hint: 'La rete lo sta confermando.' },
    underpaid: {
      title: 'Manca ancora una parte.',
      hint: 'La pagina di pagamento mostra come inviarla.',
    },
    expired: { title: 'Non pagato in tempo.', hint: 'Se ha pagato più tardi, vale comunque.' },
    cancelled: { title: 'Annullato.', hint: 'Non è stato addebitato nulla.' },
    waiting: { title: 'In attesa del pagamento.', hint: 'Il negozio non sa ancora nulla.' },
  },
  madeUp: 'Ordini e articoli sono inventati.',
  about: 'Informazioni su questo servizio',
  products: {
    notebook: {
      name: 'Quaderno puntinato',
      about: '192 pagine che restano aperte, rilegato in lino',
    },
    pen: { name: 'Penna di ottone', about: 'Tornita da un pezzo solo, migliora con il tempo' },
    ink: { name: 'Inchiostro verde muschio', about: '50 ml di un verde che asciuga quasi nero' },
    cards: { name: 'Cartoline con felci', about: 'Otto felci pressate, stampate a mano' },
  },
};
