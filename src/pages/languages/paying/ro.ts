// Romanian of what a payer sees beside the plain words of a page.
import type { SomeOf } from '#pages/languages/filled.ts';
import { countedText, type NounForms } from '#pages/languages/plural.ts';
import type { PayingTexts, ShopTexts } from './en.ts';

const count = (number: number, forms: NounForms) => countedText('ro', number, forms);

export const roPaying: SomeOf<PayingTexts> = {
  choose: {
    bank: 'Transfer bancar',
    recommended: 'Recomandat',
    lastUsed: 'Folosit data trecută',
    fits: 'Potrivit pentru acest dispozitiv',
    search: 'Căutați monede și rețele',
    nothing: 'Nimic nu se potrivește.',
    fee: (amount) => `comision de rețea cam ${amount}`,
    feeUnder: (amount) => `comision de rețea sub ${amount}`,
    feeFrom: (amount) => `comision de rețea de la ${amount}`,
    networks: (number) => count(number, { one: 'rețea', few: 'rețele', other: 'de rețele' }),
  },
  pay: {
    showCode: 'Arătați codul',
    enlarge: 'Măriți codul',
    close: 'Închideți',
    noWallet: 'Nu aveți aici un portofel? Scanați codul cu telefonul.',
    compare: 'Comparați în portofel primele patru și ultimele patru caractere.',
  },
  steps: {
    title: 'Ce se întâmplă cu plata dumneavoastră',
    sent: 'Ați trimis',
    seen: 'Rețeaua a văzut-o',
    confirmed: 'Confirmată',
    told: 'Magazinul află de ea',
    wasTold: 'Magazinul a aflat de ea',
    device: 'Continuați pe alt dispozitiv',
    deviceHint: 'Scanați aceasta cu celălalt dispozitiv: acolo se deschide această pagină.',
    signal: 'Sunet și vibrație când este plătit',
    share: 'Distribuiți chitanța',
    calendar: 'Adăugați în calendar',
  },
  mail: {
    title: 'Anunță-mă prin e-mail când e gata',
    hint: 'Un e-mail când s-a plătit sau când mai aveți ceva de făcut. Adresa nu este folosită la nimic altceva.',
    label: 'Adresă de e-mail',
    button: 'Anunță-mă',
    asked: 'Veți fi anunțat prin e-mail',
    again: 'Ați greșit? Introduceți adresa încă o dată.',
    fault: 'Introduceți o adresă precum ann@mail.example.',
  },
  trust: {
    title: 'Este corectă această adresă?',
    signed: 'Această instalare a semnat adresa. Verificați-o, cel mai bine pe alt dispozitiv:',
    check: 'Verificați adresa',
    host: (host) =>
      `Plătiți numai dacă bara de adrese a browserului arată ${host}. Cine vă ajută nu cere niciodată cuvintele portofelului.`,
    domain: 'Domeniu verificat',
    verified: 'Această adresă a fost emisă aici',
    verifiedHint: 'Comparați-o semn cu semn cu cea arătată de portofel.',
    unsigned:
      'Această adresă nu a fost emisă aici sau un semn a fost schimbat. Vă rugăm să nu trimiteți nimic.',
    key: 'Cheie publică (Ed25519)',
    place: 'Adresa sau linkul de verificare de pe pagina de plată',
    memo: 'Memo sau etichetă, dacă există',
    signature: 'Semnătura',
    signatureHint:
      'Semnătura se află în acel link. O adresă singură nu spune nimic: semnătura ei este ceea ce nimeni altcineva nu poate face.',
  },
  wallets: {
    app: (app) => `Deschideți în ${app}`,
    with: (wallet) => `Plătiți cu ${wallet}`,
    browser: 'Plătiți cu portofelul acestui browser',
    asking: (wallet) => `Confirmați plata în ${wallet}.`,
    switching: (network) => `Portofelul vă cere să treceți la rețeaua ${network}.`,
    missing: (network) =>
      `Portofelul nu cunoaște rețeaua ${network}. Adăugați-o acolo sau plătiți cu codul.`,
    otherNetwork: (network) =>
      `Portofelul este pe altă rețea. Treceți acolo la rețeaua ${network} și încercați din nou.`,
    poor: (account, held, needed) =>
      `Contul ${account} are ${held}, și este nevoie de ${needed}. Alegeți alt cont în portofel.`,
    refused: 'Ați refuzat în portofel. Nu s-a trimis nimic.',
    waiting: 'În portofel așteaptă deja o întrebare. Deschideți-l și răspundeți acolo.',
    silent: 'Portofelul nu răspunde. Deschideți-l, deblocați-l și încercați din nou.',
    failed:
      'Portofelul nu a putut face asta. Verificați acolo dacă s-a trimis ceva înainte de a încerca din nou.',
    sent: 'Trimis. Pagina se schimbă de îndată ce rețeaua arată plata dumneavoastră.',
    again: (wallet) => `Trimiteți din nou cu ${wallet}`,
  },
};

export const roShop: ShopTexts = {
  title: 'Totul pentru scrisul de mână',
  hint: 'Un magazin demonstrativ: luați ceva, mergeți la casă și plătiți cu portofelul de test.',
  embedded: 'Plătiți fără a părăsi pagina',
  embeddedHint: (product) =>
    `${product}, într-o fereastră deasupra acestei pagini: pagina de plată, deschisă de un singur script.`,
  howTo: 'Cum se face într-un magazin',
  payHere: 'Plătiți aici',
  states: 'Vedeți toate stările paginii de plată',
  skip: 'Salt la conținut',
  shop: 'Magazin',
  add: 'Adăugați în coș',
  addOf: (product) => `Adăugați în coș: ${product}`,
  less: (product) => `Unul mai puțin: ${product}`,
  more: (product) => `Unul mai mult: ${product}`,
  cart: 'Coș',
  post: 'Poștă',
  tax: 'TVA',
  total: 'Total fără TVA',
  checkOut: 'Plătiți cu cripto',
  empty: 'Coșul este gol.',
  look: 'Priviți în jur',
  order: 'Comandă',
  state: 'Starea din ultimul webhook',
  none: 'încă niciuna',
  back: 'Înapoi la magazin',
  webhooks: 'Webhookuri primite',
  webhooksHint:
    'Atât știe magazinul. Crede un webhook doar dacă semnătura se potrivește, și pe cel cu numărul de ordine cel mai mare.',
  nothing: 'Încă nu a sosit nimic. Pagina întreabă din nou singură.',
  verified: 'semnătură verificată: da',
  unverified: 'semnătură verificată: nu',
  noEvent: 'nu este un eveniment',
  headers: 'Antete',
  body: 'Corp',
  told: {
    completed: { title: 'Mulțumim! Comanda este plătită.', hint: 'O împachetăm deja.' },
    pending: { title: 'Plata este pe drum.', hint: 'Rețeaua o confirmă.' },
    underpaid: { title: 'Încă lipsește o parte.', hint: 'Pagina de plată arată cum se trimite.' },
    expired: { title: 'Neplătită la timp.', hint: 'Dacă ați plătit mai târziu, tot contează.' },
    cancelled: { title: 'Anulată.', hint: 'Nu s-a încasat nimic.' },
    waiting: { title: 'Se așteaptă plata.', hint: 'Magazinul nu știe încă nimic.' },
  },
  madeUp: 'Comenzile și produsele sunt inventate.',
  about: 'Despre acest serviciu',
  products: {
    notebook: { name: 'Caiet cu puncte', about: '192 de pagini care stau plat, legate în in' },
    pen: { name: 'Stilou de alamă', about: 'Strunjit dintr-o singură bară, mai frumos cu anii' },
    ink: { name: 'Cerneală verde-mușchi', about: '50 ml de verde care se usucă aproape negru' },
    cards: { name: 'Vederi cu ferigi', about: 'Opt ferigi presate, tipărite de mână' },
  },
};
