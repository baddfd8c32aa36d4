import type { Texts } from './en.ts';
import type { SomeOf } from './filled.ts';
import { nlPaying, nlShop } from './paying/nl.ts';
import { countedText, type NounForms } from './plural.ts';

const count = (number: number, forms: NounForms) => countedText('nl', number, forms);

export const nl: SomeOf<Texts> = {
  paying: nlPaying,
  shop: nlShop,
  page: {
    language: 'Taal',
    skip: 'Meteen naar de betaling',
    notInFrame: 'Deze pagina kan niet binnen een andere pagina worden getoond.',
    newWindow: 'Openen in een nieuw venster',
    poweredBy: 'Betalingen met Quittance',
    testMode: 'Testmodus',
    testModeHint: 'Hier gaat geen echt geld om.',
    copy: 'Kopiëren',
    copied: 'Gekopieerd',
    back: 'Terug',
    tryAgain: 'Opnieuw proberen',
  },
  summary: {
    title: 'Uw bestelling',
    quantity: (quantity) => `× ${quantity}`,
    discount: 'Korting',
    shipping: 'Verzending',
    tax: 'Belasting',
    total: 'Totaal',
    seller: 'Verkoper',
    order: 'Betalingskenmerk',
  },
  choose: {
    title: (total) => `${total} betalen`,
    hint: 'Kies waarmee u wilt betalen.',
    networkTitle: (group) => `Betalen met ${group}`,
    networkHint: 'Kies het netwerk waarover uw wallet of exchange verstuurt.',
    only: 'Op de volgende pagina ziet u het bedrag en waar u het naartoe stuurt.',
    continue: 'Verder',
    otherGroups: 'Andere valuta’s',
    back: 'Terug naar de betaling',
    on: (network) => `op ${network}`,
    timeInstant: 'binnen seconden bevestigd',
    timeMinutes: (minutes) => `bevestigd in ongeveer ${minutes}`,
    exchanges: 'ook vanaf een exchange',
    none: 'Er is geen betaalwijze meer open. Ga terug naar de winkel en bestel opnieuw.',
    slow: 'betalingen verschijnen nu met vertraging',
  },
  pay: {
    title: (total) => `${total} betalen`,
    amount: 'Verstuur precies',
    amountRest: 'Nog te versturen',
    address: (network) => `Naar dit ${network}-adres`,
    invoice: 'Betaal deze Lightning-factuur',
    memo: 'Met deze memo',
    tag: 'Met deze bestemmingstag',
    memoWarning: 'De memo hoort bij uw betaling. Zonder memo weten wij niet wie heeft betaald.',
    tagWarning: 'De tag hoort bij uw betaling. Zonder tag weten wij niet wie heeft betaald.',
    onlyNetwork: (assetCode, network) =>
      `Verstuur ${assetCode} alleen via het netwerk ${network}. Al het andere kan verloren gaan.`,
    qrLink: 'Volledige link',
    qrAddress: 'Alleen adres',
    qrShows: 'De code bevat',
    qrAlt: (content) => `QR-code. De inhoud: ${content}`,
    link: 'Betaallink als tekst',
    wallet: 'Openen in wallet',
    exchange:
      'Betaalt u vanaf een exchange? De opnamekosten komen erbovenop: zorg dat precies dit bedrag aankomt.',
    timeLeft: (time) => `Nog ${time} tegen deze prijs`,
    timeShort: 'minder dan een minuut',
    windowOver: 'De tijd voor deze prijs is verstreken.',
    watching:
      'Wij houden het netwerk in de gaten. Deze pagina verandert zodra wij uw betaling zien.',
    change: 'Anders betalen',
    cancel: 'Betaling annuleren',
    rate: (one, price, time) => `${one} = ${price}, stand van ${time}`,
    networkFee: (network) => `Uw wallet telt de kosten van het netwerk ${network} erbij op.`,
    anchorFee: (fee) => `Daarvan is ${fee} de vergoeding van de dienst die het doorgeeft.`,
    unify: 'Eén code voor Bitcoin en Lightning',
  },
  bank: {
    time: 'ongeveer één werkdag',
    holder: 'Rekeninghouder',
    account: 'Rekeningnummer',
    pixKey: 'Pix-sleutel',
    reference: 'Met dit kenmerk',
    referenceWarning:
      'Het kenmerk hoort bij uw betaling. Zonder kenmerk weten wij niet wie heeft betaald.',
    duration:
      'Een overboeking duurt ongeveer één werkdag. Zij telt mee, wanneer zij ook binnenkomt.',
    code: 'Scan de code met de app van uw bank.',
    fees: 'Uw bank kan kosten rekenen. Zorg dat precies dit bedrag aankomt.',
    watching:
      'U kunt deze pagina sluiten. De winkel krijgt bericht zodra onze bank uw overboeking boekt.',
  },
  seen: {
    title: 'Wij zien uw betaling',
    hint: 'U kunt deze pagina sluiten. Alles gaat vanzelf verder.',
    amount: 'Tot nu toe gezien',
    confirmations: (have, need) =>
      `${have} van ${count(need, { one: 'bevestiging', other: 'bevestigingen' })}`,
    waiting: 'wacht op de eerste bevestiging',
    final: 'bevestigd',
    held: 'bevestigd, wordt nog vastgehouden',
    heldHint:
      'Het netwerk werkt op dit moment niet zoals het hoort. Zolang dat zo is, wachten grotere betalingen. U hoeft niets te doen.',
    wrongAsset: 'een andere munt dan gevraagd',
    transaction: 'Transactie',
    timeSeconds: 'Meestal binnen een minuut klaar.',
    timeMinutes: (range) => `Meestal klaar in ${range}. Blokken komen op onregelmatige tijden.`,
    short: 'Het is minder dan de prijs. Verstuur ook de rest.',
    explorer: (host) => `Bekijken op ${host}`,
  },
  partial: {
    title: 'Er ontbreekt nog een deel',
    hint: 'Uw betaling is aangekomen, maar het was minder dan de prijs.',
    received: 'Ontvangen',
    remaining: 'Nog te betalen',
    rest: 'Verstuur de rest op dezelfde manier:',
    windowOver: 'De tijd voor deze prijs is verstreken: verstuur niets meer tegen de oude.',
    alternatives:
      'Wilt u de rest niet betalen? Vraag de winkel om terugbetaling en noem het kenmerk.',
  },
  paid: {
    title: 'Betaald. Hartelijk dank!',
    hint: 'De betaling is volledig en de winkel heeft bericht gekregen.',
    amount: 'Bedrag',
    seller: 'Betaald aan',
    when: 'Voltooid',
    reference: 'Kenmerk',
    return: 'Terug naar de winkel',
    print: 'U kunt deze pagina afdrukken of bewaren als betalingsbewijs.',
    leaving: (time) => `U gaat over ${time} terug naar de winkel.`,
    stay: 'Op deze pagina blijven',
  },
  expired: {
    title: 'De betaaltijd is verstreken',
    doNotSend: 'Verstuur nu niets meer.',
    alreadySent: 'Hebt u het al verstuurd?',
    alreadySentHint:
      'Wij blijven het adres volgen en wat aankomt, wordt nog bijgeschreven. Bewaar dit kenmerk.',
    wasDue: 'Gevraagd was',
    address: 'Naar het adres',
    newPrice: 'Nieuwe prijs ophalen',
    again: 'Andere betaalwijze kiezen',
    return: 'Terug naar de winkel',
  },
  cancelled: {
    title: 'Betaling geannuleerd',
    nothing: 'Er is niets in rekening gebracht.',
    hint: 'Verstuur niets naar het adres dat u hebt gezien.',
    sent: 'Hebt u eerder iets verstuurd, dan wordt het nog bijgeschreven bij de winkel: noem daar dit kenmerk.',
    back: 'Terug naar de winkel',
  },
  trouble: {
    title: 'Wij controleren dit',
    behindOver: (network) =>
      `De betaaltijd is verstreken, maar wij kunnen de nieuwste betalingen op ${network} nu niet zien. Hebt u betaald, dan wordt uw betaling gevonden. Zo niet, verstuur dan nu niets meer.`,
    behind: (network) =>
      `Wij kunnen de nieuwste betalingen op ${network} nu niet zien. Wat aankomt, verschijnt hier iets later.`,
    replaced:
      'Een betaling die wij hadden gezien, is vervangen of ingetrokken. Alleen wat het netwerk bevestigt, telt.',
    wrongAsset:
      'Er is iets aangekomen in een andere munt dan wij vroegen. Het is niet verloren, maar het betaalt deze bestelling niet: vraag het de winkel en noem het kenmerk.',
    reversed:
      'Het netwerk heeft een bevestigde betaling teruggedraaid: zij telt niet meer. De winkel heeft bericht gekregen.',
    takenBack: 'Uw betaling is teruggedraaid',
    takenBackHint:
      'Het netwerk heeft een bevestigde betaling teruggedraaid. De winkel heeft bericht gekregen: vraag het daar voordat u opnieuw betaalt.',
    rateMissing: (assets) =>
      `Er is geen actuele prijs voor ${assets}, dus dat is op dit moment niet te kiezen.`,
    wrongNetwork: (amount, network) =>
      `${amount} is aangekomen op ${network}, waar het niet was gevraagd. Het wordt bewaard en is niet verloren, maar het betaalt deze bestelling niet: neem contact op met de winkel en noem het kenmerk.`,
  },
  notice: {
    over: (amount) =>
      `U hebt ${amount} meer verstuurd dan nodig. Ook dat is bijgeschreven bij de winkel: vraag het daar terug.`,
    late: 'Het kwam aan toen de tijd voorbij was en is bijgeschreven tegen de prijs bij aankomst.',
    multiple:
      'Voor deze bestelling is meer dan één betaling aangekomen. Vraag de winkel naar wat te veel was.',
    acceptedUnderpaid: 'Het was minder dan de prijs, en de winkel heeft het aanvaard.',
    refundAwaiting: (amount) =>
      `De winkel betaalt u ${amount} terug. U krijgt een link waarop u zegt waarheen.`,
    refundUnderWay: (amount) => `De winkel betaalt u ${amount} terug: het is onderweg.`,
    refundCompleted: (amount) => `De winkel heeft u ${amount} terugbetaald.`,
  },
  contact: {
    hint: 'Vragen? Noem het kenmerk.',
    link: 'Contact met de winkel',
  },
  find: {
    title: 'Mijn betaling zoeken',
    hint: 'Al verstuurd? Plak de transactiehash uit uw wallet of van uw exchange.',
    label: 'Transactiehash',
    button: 'Controleren',
    unreadable:
      'Hier staat geen transactiehash in. Die heeft 64 letters en cijfers; uw wallet toont hem bij de details van de betaling.',
    waiting: (amount) =>
      `Wij zien de betaling: ${amount}. Zij wacht op de eerste bevestiging; u hoeft niets te doen.`,
    confirming: (amount) =>
      `Wij zien de betaling: ${amount}. Het netwerk bevestigt haar nu; u hoeft niets te doen.`,
    confirmed: (amount) => `De betaling is aangekomen en bevestigd: ${amount}.`,
    gone: 'Wij hadden de betaling gezien, maar het netwerk heeft haar vervangen of laten vallen. Alleen wat het netwerk bevestigt, telt: kijk in uw wallet.',
    less: (amount, missing) =>
      `De betaling is aangekomen: ${amount}. Dat is nog niet genoeg: er ontbreekt ${missing}.`,
    lessAsk: (amount) =>
      `De betaling is aangekomen: ${amount}. Dat is minder dan de prijs: vraag het de winkel en noem het kenmerk.`,
    more: (amount, excess) =>
      `De betaling is aangekomen: ${amount}. Dat is ${excess} meer dan nodig; vraag het de winkel terug.`,
    wrongAsset: (asset) =>
      `De betaling is aangekomen, maar in ${asset}, wat niet was gevraagd. Zij is niet verloren: neem contact op met de winkel en noem het kenmerk.`,
    wrongNetwork: (network) =>
      `Deze betaling staat op het netwerk ${network}, waar wij er niet om vroegen. Zij is niet verloren: neem contact op met de winkel en noem het kenmerk.`,
    otherNetwork:
      'Deze hash hoort bij een ander soort netwerk dan waarop u moest betalen. Kijk in uw wallet over welk netwerk u hebt verstuurd en neem contact op met de winkel.',
    noMemo: (network) =>
      `De betaling is aangekomen op ${network}, maar zonder de memo of tag die uw bestelling noemt. Zij is niet verloren: neem met het kenmerk en deze transactie contact op met de winkel.`,
    elsewhere:
      'Deze betaling hoort niet bij deze bestelling. Controleer of u de juiste hebt geplakt.',
    notFound:
      'Wij zien haar nog niet. Zegt uw wallet dat zij is verstuurd, controleer daar dan netwerk en adres en vraag het over een paar minuten opnieuw.',
    notFoundBehind: (networks) =>
      `Wij zien haar niet, maar wij kunnen de nieuwste betalingen op ${networks} nu ook niet zien. Vraag het iets later opnieuw; er is niets verloren.`,
    tooOften:
      'Dit is in korte tijd heel vaak gevraagd. Wacht een minuut en probeer het dan opnieuw.',
  },
  error: {
    missingTitle: 'Deze pagina bestaat niet',
    missingHint: 'Het adres is onvolledig of is nooit van ons geweest.',
    methodGone: 'Deze betaalwijze is niet meer open. Kies een andere.',
    hasMoney: 'Er is al een betaling gezien, dus annuleren is niet mogelijk.',
    completed: 'Deze bestelling is al betaald.',
    outageTitle: 'Een ogenblik geduld',
    outageHint:
      'Een deel van ons systeem antwoordt niet. Er is niets verloren. Probeer het opnieuw.',
    faultTitle: 'Dat ging bij ons mis',
    faultHint:
      'Er is niets verloren. Probeer het opnieuw; gebeurt het nog eens, zeg het dan de winkel.',
    refusedTitle: 'Dat is niet gelukt',
    refusedHint: 'Ga terug en probeer het opnieuw.',
    rateAway:
      'Er is op dit moment geen actuele prijs voor deze betaalwijze. Er is niets in rekening gebracht: kies een andere of probeer het over een minuut opnieuw.',
    networkAway:
      'Dit netwerk antwoordt ons op dit moment niet. Er is niets in rekening gebracht: kies een ander of probeer het over een minuut opnieuw.',
    addressPending:
      'Het adres wordt nog voorbereid. Er is niets in rekening gebracht: kies deze betaalwijze over enkele seconden opnieuw.',
  },
  link: {
    amount: 'Bedrag',
    between: (least, most) => `Van ${least} tot ${most}.`,
    atLeast: (least) => `Ten minste ${least}.`,
    atMost: (most) => `Ten hoogste ${most}.`,
    pay: 'Verder naar de betaling',
    wrong: 'Vul een bedrag in zoals 12,50 dat deze link aanneemt.',
    off: 'Deze link is op dit moment niet in gebruik.',
    over: 'De tijd van deze link is voorbij.',
    soldOut: 'Er is niets meer over. Misschien komt er iets vrij: kijk over een uur nog eens.',
    closed: 'Dit kan op dit moment niet worden betaald. Probeer het later opnieuw.',
  },
  refund: {
    title: (amount) => `Terugbetaling van ${amount}`,
    hint: (network) =>
      `De winkel stuurt dit geld naar u terug. Zeg ons waarheen, op het netwerk ${network}.`,
    yourAddress: (network) => `Uw ${network}-adres`,
    lightningAddress:
      'Uw Lightning-adres (naam@voorbeeld.nl), of een factuur van precies dit bedrag',
    memoLabel: 'Memo, als uw exchange erom vraagt',
    tagLabel: 'Bestemmingstag, als uw exchange erom vraagt',
    memoHint:
      'Een exchange eist dit: zonder komt het geld misschien niet op uw rekening. Laat het leeg bij een eigen wallet.',
    memoType: 'Soort memo',
    check: 'Controleer het goed: wat is verstuurd, kan niet worden teruggeroepen.',
    claim: 'Daarheen sturen',
    next: 'Verder',
    review: 'Klopt dit?',
    edit: 'Wijzigen',
    none: 'geen',
    until: 'Open tot',
    looksLike: (forms) => `Het begint met ${forms}.`,
    whereFrom: (network) =>
      `Uit een eigen wallet (een app of apparaat waarvan alleen u de sleutels hebt): kopieer het adres om op ${network} te ontvangen. Vanaf een exchange: kopieer het stortingsadres voor precies dit netwerk.`,
    bankHint: {
      SEPA: 'De IBAN van uw rekening bij een bank in het SEPA-gebied.',
      SWIFT:
        'Vier delen met een puntkomma ertussen: IBAN of rekeningnummer; BIC; naam van de houder; straat, plaats, landcode.',
      PIX: 'Uw Pix-sleutel: CPF, CNPJ, e-mailadres, telefoonnummer met +55 of willekeurige sleutel.',
    },
    noAddress: 'Dit is geen adres van dit netwerk. Kopieer het opnieuw uit uw wallet.',
    badMemo: 'Deze memo past niet bij zijn soort. Kopieer hem opnieuw van uw exchange.',
    badTag: 'Een bestemmingstag is een heel getal. Kopieer hem opnieuw van uw exchange.',
    tooDear:
      'Het netwerk vraagt nu veel meer voor het versturen dan toen deze terugbetaling is gemaakt. Het geld blijft voor u gereserveerd: kom over een paar uur terug.',
    underWay: 'Uw terugbetaling is onderweg. U kunt deze pagina sluiten.',
    rests: (when) =>
      `Voor uw veiligheid wordt uw terugbetaling verstuurd na ${when}. U kunt deze pagina sluiten.`,
    completed: 'Uw terugbetaling is verstuurd en aangekomen.',
    toClaim: (asset) =>
      `Uw terugbetaling is verstuurd. Uw account neemt ${asset} nog niet aan, dus het geld wacht op het netwerk op u: voeg ${asset} toe in uw wallet en neem daarna het hieronder genoemde tegoed op.`,
    claimBefore: (when) => `Neem het op vóór ${when}: daarna kan de winkel het terugnemen.`,
    failed: 'De terugbetaling kon niet worden verstuurd. Vraag het de winkel.',
    address: 'Naar dit adres',
    transaction: 'Transactie',
    uncertain:
      'Uw terugbetaling wordt verstuurd zodra het netwerk uw betaling weer heeft bevestigd.',
    takenBack:
      'Het netwerk heeft uw betaling teruggedraaid, dus er is niets terug te betalen: het geld is nog, of weer, waar u vandaan betaalde.',
  },
  paper: {
    receipt: 'Kwitantie',
    invoice: 'Factuur',
    date: 'Datum',
    buyer: 'Koper',
    taxId: 'Btw-nummer',
    description: 'Omschrijving',
    amount: 'Bedrag',
    state: 'Status',
    states: {
      open: 'Openstaand',
      underWay: 'Betaling onderweg',
      partial: 'Deels betaald',
      paid: 'Betaald',
      over: 'Betaaltijd verstreken',
      cancelled: 'Geannuleerd',
    },
    due: 'Te betalen',
    howToPay: 'Zo betaalt u',
    howToPayHint:
      'Open dit adres of scan de code. Daar kiest u waarmee u betaalt en ziet u het precieze bedrag.',
    payment: (number) => `Betaling ${number}`,
    arrived: 'Gezien',
    confirmed: 'Bevestigd',
    notConfirmed: 'nog niet bevestigd',
    network: 'Netwerk',
    rate: 'Koers',
    refund: (number) => `Terugbetaling ${number}`,
    refunded: 'Terugbetaald',
    print: 'U kunt deze pagina afdrukken of bewaren.',
    pdf: 'Kwitantie als PDF',
    toPayment: 'Naar de betaalpagina',
    page: (page, pages) => `Pagina ${page} van ${pages}`,
    missingTitle: 'Er is nog geen kwitantie',
    missingHint: 'Zij staat hier zodra de betaling is bevestigd.',
  },
  bill: {
    number: 'Factuurnummer',
    dueOn: 'Vervaldatum',
    net: 'Nettobedrag',
    vatId: 'Btw-identificatienummer',
    taxNumber: 'Fiscaal nummer',
    delivered: 'Levering of dienst',
    cancellation: 'Creditfactuur',
    cancels: (name, day) => `Hiermee vervalt factuur ${name} van ${day}.`,
    cancelledBy: (name) => `Deze factuur is vervallen door ${name}.`,
    overdue: 'Achterstallig',
    pay: 'Nu betalen',
    payHint: 'U kiest waarmee u betaalt en ziet de prijs van dit moment.',
    underWay: 'Een betaling voor deze factuur is onderweg.',
    pdf: 'Factuur als PDF',
  },
  sandbox: {
    title: 'Sandbox-wallet',
    hint: 'Speel de betaler. Alleen in testmodus, op gesimuleerde netwerken.',
    payExact: 'Precies betalen',
    payUnder: 'De helft betalen',
    payOver: 'Een kwart te veel',
    payParts: 'In twee delen betalen',
    payLate: 'Te laat betalen',
    replace: 'Betaling vervangen',
    reorg: 'Reorganiseren',
    mine: 'Blok delven',
    expire: 'Nu laten verlopen',
    payRest: 'De rest betalen',
    payOtherAsset: 'In een andere munt',
  },
};
