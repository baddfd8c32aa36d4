import type { Texts } from './en.ts';
import type { SomeOf } from './filled.ts';
import { roPaying, roShop } from './paying/ro.ts';
import { countedText, type NounForms } from './plural.ts';

const count = (number: number, forms: NounForms) => countedText('ro', number, forms);

export const ro: SomeOf<Texts> = {
  paying: roPaying,
  shop: roShop,
  page: {
    language: 'Limba',
    skip: 'Direct la plată',
    notInFrame: 'Această pagină nu poate fi afișată în interiorul altei pagini.',
    newWindow: 'Deschide într-o fereastră nouă',
    poweredBy: 'Plăți prin Quittance',
    testMode: 'Mod de test',
    testModeHint: 'Aici nu se mișcă bani adevărați.',
    copy: 'Copiați',
    copied: 'Copiat',
    back: 'Înapoi',
    tryAgain: 'Încercați din nou',
  },
  summary: {
    title: 'Comanda dumneavoastră',
    quantity: (quantity) => `× ${quantity}`,
    discount: 'Reducere',
    shipping: 'Livrare',
    tax: 'Taxă',
    total: 'Total de plată',
    seller: 'Vânzător',
    order: 'Referința plății',
  },
  choose: {
    title: (total) => `Plătiți ${total}`,
    hint: 'Alegeți cu ce doriți să plătiți.',
    networkTitle: (group) => `Plătiți cu ${group}`,
    networkHint: 'Alegeți rețeaua pe care trimite portofelul sau bursa dumneavoastră.',
    only: 'Pe pagina următoare vedeți suma și unde trebuie trimisă.',
    continue: 'Continuați',
    otherGroups: 'Alte monede',
    back: 'Înapoi la plată',
    on: (network) => `pe ${network}`,
    timeInstant: 'confirmată în câteva secunde',
    timeMinutes: (minutes) => `confirmată în aproximativ ${minutes}`,
    exchanges: 'merge și de pe burse',
    none: 'Nicio modalitate de plată nu mai este deschisă. Întoarceți-vă la magazin și comandați din nou.',
    slow: 'plățile apar acum cu întârziere',
  },
  pay: {
    title: (total) => `Plătiți ${total}`,
    amount: 'Trimiteți exact',
    amountRest: 'Mai aveți de trimis',
    address: (network) => `La această adresă ${network}`,
    invoice: 'Plătiți această factură Lightning',
    memo: 'Cu acest memo',
    tag: 'Cu această etichetă de destinație',
    memoWarning: 'Memo-ul ține de plata dumneavoastră. Fără el nu putem ști cine a plătit.',
    tagWarning: 'Eticheta ține de plata dumneavoastră. Fără ea nu putem ști cine a plătit.',
    onlyNetwork: (assetCode, network) =>
      `Trimiteți ${assetCode} numai pe rețeaua ${network}. Orice altceva se poate pierde.`,
    qrLink: 'Tot linkul',
    qrAddress: 'Doar adresa',
    qrShows: 'Codul conține',
    qrAlt: (content) => `Cod QR. Conține: ${content}`,
    link: 'Linkul de plată ca text',
    wallet: 'Deschideți în portofel',
    exchange:
      'Plătiți de pe o bursă? Comisionul ei de retragere se adaugă: aveți grijă să ajungă exact această sumă.',
    timeLeft: (time) => `Încă ${time} la acest preț`,
    timeShort: 'mai puțin de un minut',
    windowOver: 'Timpul pentru acest preț a expirat.',
    watching: 'Urmărim rețeaua. Pagina se schimbă de îndată ce vedem plata dumneavoastră.',
    change: 'Plătiți altfel',
    cancel: 'Anulați plata',
    rate: (one, price, time) => `${one} = ${price}, la ${time}`,
    networkFee: (network) => `Portofelul adaugă comisionul rețelei ${network}.`,
    anchorFee: (fee) => `Din care ${fee} este comisionul serviciului care o transmite mai departe.`,
    unify: 'Un singur cod pentru Bitcoin și Lightning',
  },
  bank: {
    time: 'cam o zi lucrătoare',
    holder: 'Titularul contului',
    account: 'Numărul contului',
    pixKey: 'Cheie Pix',
    reference: 'Cu această referință',
    referenceWarning: 'Referința ține de plata dumneavoastră. Fără ea nu putem ști cine a plătit.',
    duration: 'Un transfer durează cam o zi lucrătoare. Contează oricând ajunge.',
    code: 'Scanați codul cu aplicația băncii dumneavoastră.',
    fees: 'Banca poate percepe un comision. Aveți grijă să ajungă exact această sumă.',
    watching:
      'Puteți închide pagina. Magazinul află de transfer când îl înregistrează banca noastră.',
  },
  seen: {
    title: 'Vedem plata dumneavoastră',
    hint: 'Puteți închide pagina. Totul continuă de la sine.',
    amount: 'Văzut până acum',
    confirmations: (have, need) =>
      `${have} din ${count(need, {
        one: 'confirmare',
        few: 'confirmări',
        other: 'de confirmări',
      })}`,
    waiting: 'așteaptă prima confirmare',
    final: 'confirmată',
    held: 'confirmată, reținută deocamdată',
    heldHint:
      'Rețeaua nu funcționează acum cum trebuie. Până atunci plățile mai mari așteaptă. Nu trebuie să faceți nimic.',
    wrongAsset: 'alt activ decât cel cerut',
    transaction: 'Tranzacție',
    timeSeconds: 'De obicei gata într-un minut.',
    timeMinutes: (range) => `De obicei gata în ${range}. Blocurile vin la intervale neregulate.`,
    short: 'Este mai puțin decât prețul. Trimiteți, vă rugăm, și restul.',
    explorer: (host) => `Vedeți pe ${host}`,
  },
  partial: {
    title: 'Mai lipsește o parte',
    hint: 'Plata a ajuns, dar a fost mai mică decât prețul.',
    received: 'Primit',
    remaining: 'Rămas',
    rest: 'Trimiteți restul în același mod:',
    windowOver: 'Timpul pentru acest preț a expirat: nu mai trimiteți nimic la cel vechi.',
    alternatives:
      'Nu doriți să plătiți restul? Cereți magazinului rambursarea și spuneți referința.',
  },
  paid: {
    title: 'Plătit. Vă mulțumim!',
    hint: 'Plata este completă, iar magazinul a fost anunțat.',
    amount: 'Suma',
    seller: 'Plătit către',
    when: 'Încheiată',
    reference: 'Referința',
    return: 'Înapoi la magazin',
    print: 'Puteți tipări sau salva pagina ca dovadă de plată.',
    leaving: (time) => `Vă întoarceți la magazin în ${time}.`,
    stay: 'Rămâneți pe pagină',
  },
  expired: {
    title: 'Timpul de plată a expirat',
    doNotSend: 'Vă rugăm să nu mai trimiteți nimic acum.',
    alreadySent: 'Ați trimis deja?',
    alreadySentHint:
      'Urmărim în continuare adresa, iar ce ajunge este încă înregistrat. Păstrați această referință.',
    wasDue: 'Se cerea',
    address: 'La adresa',
    newPrice: 'Obțineți un preț nou',
    again: 'Alegeți altă modalitate de plată',
    return: 'Înapoi la magazin',
  },
  cancelled: {
    title: 'Plată anulată',
    nothing: 'Nu s-a încasat nimic.',
    hint: 'Vă rugăm să nu trimiteți nimic la adresa care v-a fost arătată.',
    sent: 'Dacă ați trimis ceva mai devreme, se înregistrează totuși pentru magazin: spuneți acolo această referință.',
    back: 'Înapoi la magazin',
  },
  trouble: {
    title: 'Verificăm',
    behindOver: (network) =>
      `Timpul de plată a expirat, dar acum nu putem vedea cele mai noi plăți pe ${network}. Dacă ați plătit, plata va fi găsită. Dacă nu, vă rugăm să nu mai trimiteți nimic acum.`,
    behind: (network) =>
      `Acum nu putem vedea cele mai noi plăți pe ${network}. Ce ajunge va apărea aici puțin mai târziu.`,
    replaced:
      'O plată pe care o văzuserăm a fost înlocuită sau retrasă. Contează doar ce confirmă rețeaua.',
    wrongAsset:
      'A ajuns ceva în alt activ decât am cerut. Nu este pierdut, dar nu plătește această comandă: întrebați magazinul și spuneți referința.',
    reversed: 'Rețeaua a retras o plată confirmată: nu mai contează. Magazinul a fost anunțat.',
    takenBack: 'Plata dumneavoastră a fost retrasă',
    takenBackHint:
      'Rețeaua a retras o plată care fusese confirmată. Magazinul a fost anunțat: întrebați acolo înainte de a plăti din nou.',
    rateMissing: (assets) =>
      `Nu există un preț actual pentru ${assets}, de aceea nu se poate alege acum.`,
    wrongNetwork: (amount, network) =>
      `${amount} a ajuns pe ${network}, unde nu a fost cerut. Este păstrat și nu este pierdut, dar nu plătește această comandă: contactați magazinul și spuneți referința.`,
  },
  notice: {
    over: (amount) =>
      `Ați trimis cu ${amount} mai mult decât trebuia. Și acesta a fost înregistrat pentru magazin: cereți acolo înapoierea.`,
    late: 'A ajuns după expirarea timpului și a fost înregistrată la prețul de la sosire.',
    multiple:
      'Pentru această comandă au ajuns mai multe plăți. Întrebați magazinul despre ce a fost în plus.',
    acceptedUnderpaid: 'A fost mai puțin decât prețul, iar magazinul a acceptat.',
    refundAwaiting: (amount) =>
      `Magazinul vă înapoiază ${amount}. Primiți un link unde spuneți unde să fie trimis.`,
    refundUnderWay: (amount) => `Magazinul vă înapoiază ${amount}: este pe drum.`,
    refundCompleted: (amount) => `Magazinul v-a înapoiat ${amount}.`,
  },
  contact: {
    hint: 'Întrebări? Spuneți referința.',
    link: 'Contactați magazinul',
  },
  find: {
    title: 'Găsiți plata mea',
    hint: 'Ați trimis deja? Lipiți hash-ul tranzacției din portofel sau de la bursă.',
    label: 'Hash-ul tranzacției',
    button: 'Verificați',
    unreadable:
      'Aici nu este un hash de tranzacție. Are 64 de litere și cifre; portofelul îl arată în detaliile plății.',
    waiting: (amount) =>
      `O vedem: ${amount}. Așteaptă prima confirmare, nu trebuie să faceți nimic.`,
    confirming: (amount) => `O vedem: ${amount}. Rețeaua o confirmă, nu trebuie să faceți nimic.`,
    confirmed: (amount) => `A ajuns și este confirmată: ${amount}.`,
    gone: 'O văzuserăm, dar rețeaua a înlocuit-o sau a abandonat-o. Contează doar ce confirmă rețeaua: uitați-vă în portofel.',
    less: (amount, missing) => `A ajuns: ${amount}. Încă nu ajunge: lipsește ${missing}.`,
    lessAsk: (amount) =>
      `A ajuns: ${amount}. Este mai puțin decât prețul: întrebați magazinul și spuneți referința.`,
    more: (amount, excess) =>
      `A ajuns: ${amount}. Este cu ${excess} mai mult decât trebuia; cereți magazinului înapoierea.`,
    wrongAsset: (asset) =>
      `A ajuns, dar în ${asset}, ceea ce nu s-a cerut. Nu este pierdută: contactați magazinul și spuneți referința.`,
    wrongNetwork: (network) =>
      `Această plată este pe rețeaua ${network}, unde nu am cerut-o. Nu este pierdută: contactați magazinul și spuneți referința.`,
    otherNetwork:
      'Acest hash ține de alt fel de rețea decât cea pe care trebuia să plătiți. Verificați în portofel pe ce rețea ați trimis și contactați magazinul.',
    noMemo: (network) =>
      `A ajuns pe ${network}, dar fără memo-ul sau eticheta care arată comanda. Nu este pierdută: contactați magazinul cu referința și această tranzacție.`,
    elsewhere: 'Această plată nu ține de această comandă. Verificați dacă ați lipit ce trebuia.',
    notFound:
      'Încă nu o vedem. Dacă portofelul spune că a fost trimisă, verificați acolo rețeaua și adresa și întrebați din nou peste câteva minute.',
    notFoundBehind: (networks) =>
      `Nu o vedem, dar acum nu putem vedea cele mai noi plăți pe ${networks}. Întrebați din nou puțin mai târziu; nimic nu este pierdut.`,
    tooOften: 'S-a întrebat foarte des în scurt timp. Așteptați un minut și încercați din nou.',
  },
  error: {
    missingTitle: 'Această pagină nu există',
    missingHint: 'Adresa nu este completă sau nu a fost niciodată a noastră.',
    methodGone: 'Această modalitate de plată nu mai este deschisă. Alegeți alta.',
    hasMoney: 'O plată a fost deja văzută, de aceea nu se poate anula.',
    completed: 'Această comandă este deja plătită.',
    outageTitle: 'Un moment, vă rugăm',
    outageHint:
      'O parte a sistemului nostru nu răspunde. Nimic nu este pierdut. Încercați din nou.',
    faultTitle: 'Ceva nu a mers la noi',
    faultHint: 'Nimic nu este pierdut. Încercați din nou; dacă se repetă, spuneți magazinului.',
    refusedTitle: 'Nu a mers',
    refusedHint: 'Întoarceți-vă și încercați din nou.',
    rateAway:
      'Pentru această modalitate de plată nu există acum un preț actual. Nu s-a încasat nimic: alegeți alta sau încercați din nou peste un minut.',
    networkAway:
      'Această rețea nu ne răspunde acum. Nu s-a încasat nimic: alegeți alta sau încercați din nou peste un minut.',
    addressPending:
      'Adresa este încă în pregătire. Nu s-a încasat nimic: alegeți din nou această modalitate peste câteva secunde.',
  },
  link: {
    amount: 'Suma',
    between: (least, most) => `De la ${least} până la ${most}.`,
    atLeast: (least) => `Cel puțin ${least}.`,
    atMost: (most) => `Cel mult ${most}.`,
    pay: 'Continuați la plată',
    wrong: 'Scrieți o sumă precum 12,50 pe care o acceptă acest link.',
    off: 'Acest link nu este folosit acum.',
    over: 'Timpul acestui link a trecut.',
    soldOut: 'Nu a mai rămas nimic. Se poate elibera un loc: reveniți peste o oră.',
    closed: 'Acum nu se poate plăti. Încercați mai târziu.',
  },
  refund: {
    title: (amount) => `Rambursare de ${amount}`,
    hint: (network) =>
      `Magazinul vă trimite acești bani înapoi. Spuneți-ne unde, pe rețeaua ${network}.`,
    yourAddress: (network) => `Adresa dumneavoastră ${network}`,
    lightningAddress:
      'Adresa dumneavoastră Lightning (nume@example.com) sau o factură exact pentru această sumă',
    memoLabel: 'Memo, dacă îl cere bursa',
    tagLabel: 'Eticheta de destinație, dacă o cere bursa',
    memoHint:
      'Bursele îl cer: fără el banii pot să nu ajungă în cont. Pentru un portofel propriu lăsați gol.',
    memoType: 'Felul memo-ului',
    check: 'Verificați bine: ce s-a trimis nu se mai poate chema înapoi.',
    claim: 'Trimiteți acolo',
    next: 'Continuați',
    review: 'Este corect?',
    edit: 'Schimbați',
    none: 'niciunul',
    until: 'Deschis până la',
    looksLike: (forms) => `Începe cu ${forms}.`,
    whereFrom: (network) =>
      `Dintr-un portofel propriu (o aplicație sau un dispozitiv ale cărui chei le aveți numai dumneavoastră): copiați adresa de primire pe ${network}. De la o bursă: copiați adresa de depunere exact pentru această rețea.`,
    bankHint: {
      SEPA: 'IBAN-ul contului dumneavoastră la o bancă din zona SEPA.',
      SWIFT:
        'Patru părți cu punct și virgulă între ele: IBAN sau numărul contului; BIC; numele titularului; strada, localitatea, codul țării.',
      PIX: 'Cheia Pix: CPF, CNPJ, adresă de e-mail, număr de telefon cu +55 sau cheie aleatorie.',
    },
    noAddress: 'Aceasta nu este o adresă a acestei rețele. Copiați-o din nou din portofel.',
    badMemo: 'Acest memo nu se potrivește cu felul lui. Copiați-l din nou de la bursă.',
    badTag: 'O etichetă de destinație este un număr întreg. Copiați-o din nou de la bursă.',
    tooDear:
      'Rețeaua cere acum mult mai mult pentru trimitere decât când a fost făcută această rambursare. Banii rămân rezervați pentru dumneavoastră: reveniți peste câteva ore.',
    underWay: 'Rambursarea este pe drum. Puteți închide pagina.',
    rests: (when) =>
      `Pentru siguranța dumneavoastră rambursarea se trimite după ${when}. Puteți închide pagina.`,
    completed: 'Rambursarea a fost trimisă și a ajuns.',
    toClaim: (asset) =>
      `Rambursarea a fost trimisă. Contul dumneavoastră nu acceptă încă ${asset}, așa că banii vă așteaptă în rețea: adăugați ${asset} în portofel, apoi revendicați soldul numit mai jos.`,
    claimBefore: (when) =>
      `Revendicați-l înainte de ${when}: după aceea magazinul îl poate lua înapoi.`,
    failed: 'Rambursarea nu a putut fi trimisă. Întrebați magazinul.',
    address: 'La această adresă',
    transaction: 'Tranzacție',
    uncertain: 'Rambursarea se trimite de îndată ce rețeaua confirmă din nou plata dumneavoastră.',
    takenBack:
      'Rețeaua a retras plata dumneavoastră, așa că nu este nimic de înapoiat: banii sunt încă, sau din nou, acolo de unde ați plătit.',
  },
  paper: {
    receipt: 'Chitanță',
    invoice: 'Factură',
    date: 'Data',
    buyer: 'Cumpărător',
    taxId: 'Cod fiscal',
    description: 'Descriere',
    amount: 'Suma',
    state: 'Stare',
    states: {
      open: 'Neplătită',
      underWay: 'Plată pe drum',
      partial: 'Plătită parțial',
      paid: 'Plătită',
      over: 'Timpul de plată a expirat',
      cancelled: 'Anulată',
    },
    due: 'De plată',
    howToPay: 'Cum se plătește',
    howToPayHint:
      'Deschideți această adresă sau scanați codul. Acolo alegeți cu ce plătiți și vedeți suma exactă.',
    payment: (number) => `Plata ${number}`,
    arrived: 'Văzută',
    confirmed: 'Confirmată',
    notConfirmed: 'încă neconfirmată',
    network: 'Rețea',
    rate: 'Curs',
    refund: (number) => `Rambursarea ${number}`,
    refunded: 'Rambursat',
    print: 'Puteți tipări sau salva această pagină.',
    pdf: 'Chitanța ca PDF',
    toPayment: 'La pagina de plată',
    page: (page, pages) => `Pagina ${page} din ${pages}`,
    missingTitle: 'Încă nu există o chitanță',
    missingHint: 'Va fi aici de îndată ce plata este confirmată.',
  },
  bill: {
    number: 'Numărul facturii',
    dueOn: 'Scadența',
    net: 'Suma netă',
    vatId: 'Cod de TVA',
    taxNumber: 'Cod de identificare fiscală',
    delivered: 'Livrare sau serviciu',
    cancellation: 'Factură de stornare',
    cancels: (name, day) => `Aceasta stornează factura ${name} din ${day}.`,
    cancelledBy: (name) => `Această factură a fost stornată prin ${name}.`,
    overdue: 'Restantă',
    pay: 'Plătiți acum',
    payHint: 'Alegeți cu ce plătiți și vedeți prețul din acest moment.',
    underWay: 'O plată pentru această factură este pe drum.',
    pdf: 'Factura ca PDF',
  },
  sandbox: {
    title: 'Portofel de probă',
    hint: 'Jucați rolul plătitorului. Numai în modul de test, pe rețele simulate.',
    payExact: 'Plătiți exact',
    payUnder: 'Plătiți jumătate',
    payOver: 'Un sfert în plus',
    payParts: 'În două părți',
    payLate: 'Plătiți prea târziu',
    replace: 'Înlocuiți plata',
    reorg: 'Reorganizați',
    mine: 'Minați un bloc',
    expire: 'Expiră acum',
    payRest: 'Plătiți restul',
    payOtherAsset: 'În alt activ',
  },
};
