import type { Texts } from './en.ts';
import { plPaying, plShop } from './paying/pl.ts';
import { nounFor } from './plural.ts';

export const pl: Texts = {
  paying: plPaying,
  shop: plShop,
  page: {
    language: 'Język',
    skip: 'Przejdź od razu do płatności',
    notInFrame: 'Tej strony nie można pokazać wewnątrz innej strony.',
    newWindow: 'Otwórz w nowym oknie',
    poweredBy: 'Płatności obsługuje Quittance',
    testMode: 'Tryb testowy',
    testModeHint: 'Tutaj nie ma prawdziwych pieniędzy.',
    copy: 'Kopiuj',
    copied: 'Skopiowano',
    back: 'Wstecz',
    tryAgain: 'Spróbuj ponownie',
  },
  summary: {
    title: 'Państwa zamówienie',
    quantity: (quantity) => `× ${quantity}`,
    discount: 'Rabat',
    shipping: 'Wysyłka',
    tax: 'Podatek',
    total: 'Razem',
    seller: 'Sprzedawca',
    order: 'Numer płatności',
  },
  choose: {
    title: (total) => `Do zapłaty: ${total}`,
    hint: 'Proszę wybrać, czym chcą Państwo zapłacić.',
    networkTitle: (group) => `Płatność w ${group}`,
    networkHint: 'Proszę wybrać sieć, przez którą wysyła Państwa portfel lub giełda.',
    only: 'Na następnej stronie pokażemy kwotę i adres, na który należy ją wysłać.',
    continue: 'Dalej',
    otherGroups: 'Inne waluty',
    back: 'Wróć do płatności',
    on: (network) => `przez sieć ${network}`,
    timeInstant: 'potwierdzenie w kilka sekund',
    timeMinutes: (minutes) => `czas potwierdzenia: ok. ${minutes}`,
    exchanges: 'także z giełdy',
    none: 'Żaden sposób płatności nie jest już dostępny. Proszę wrócić do sklepu i zamówić ponownie.',
    slow: 'płatności pojawiają się teraz z opóźnieniem',
  },
  pay: {
    title: (total) => `Do zapłaty: ${total}`,
    amount: 'Proszę wysłać dokładnie',
    amountRest: 'Pozostało do wysłania',
    address: (network) => `Na ten adres ${network}`,
    invoice: 'Proszę opłacić tę fakturę Lightning',
    memo: 'Z tym memo',
    tag: 'Z tym tagiem docelowym (destination tag)',
    memoWarning: 'Memo jest częścią płatności. Bez niego nie będziemy wiedzieć, kto zapłacił.',
    tagWarning: 'Tag jest częścią płatności. Bez niego nie będziemy wiedzieć, kto zapłacił.',
    onlyNetwork: (assetCode, network) =>
      `${assetCode} proszę wysyłać tylko przez sieć ${network}. Wszystko inne może przepaść.`,
    qrLink: 'Pełny link',
    qrAddress: 'Tylko adres',
    qrShows: 'Kod zawiera',
    qrAlt: (content) => `Kod QR. Zawiera: ${content}`,
    link: 'Link do płatności jako tekst',
    wallet: 'Otwórz w portfelu',
    exchange:
      'Płacą Państwo z giełdy? Jej opłata za wypłatę jest doliczana osobno: proszę sprawdzić, czy dotrze dokładnie ta kwota.',
    timeLeft: (time) => `Pozostały czas w tej cenie: ${time}`,
    timeShort: 'mniej niż minuta',
    windowOver: 'Czas na zapłatę w tej cenie minął.',
    watching: 'Obserwujemy sieć. Ta strona zmieni się, gdy tylko zobaczymy płatność.',
    change: 'Zapłać inaczej',
    cancel: 'Anuluj płatność',
    rate: (one, price, time) => `${one} = ${price}, stan z ${time}`,
    networkFee: (network) => `Portfel dolicza osobno opłatę sieci ${network}.`,
    anchorFee: (fee) => `W tym ${fee} to opłata serwisu, który przekazuje płatność.`,
    unify: 'Jeden kod dla Bitcoin i Lightning',
  },
  bank: {
    time: 'około jednego dnia roboczego',
    holder: 'Właściciel rachunku',
    account: 'Numer rachunku',
    pixKey: 'Klucz Pix',
    reference: 'Z tym tytułem przelewu',
    referenceWarning:
      'Tytuł jest częścią płatności. Bez niego nie będziemy wiedzieć, kto zapłacił.',
    duration: 'Przelew trwa około jednego dnia roboczego. Liczy się, kiedykolwiek nadejdzie.',
    code: 'Proszę zeskanować kod aplikacją swojego banku.',
    fees: 'Bank może pobrać opłatę. Musi dotrzeć dokładnie ta kwota.',
    watching: 'Można zamknąć tę stronę. Sklep dowie się o przelewie, gdy zaksięguje go nasz bank.',
  },
  seen: {
    title: 'Widzimy Państwa płatność',
    hint: 'Mogą Państwo zamknąć tę stronę. Dalej wszystko dzieje się samo.',
    amount: 'Dotychczas widoczne',
    // After "z" stands the genitive: one form for one, another for all others.
    confirmations: (have, need) =>
      `${have} z ${need} ${nounFor('pl', need, { one: 'potwierdzenia', other: 'potwierdzeń' })}`,
    waiting: 'czeka na pierwsze potwierdzenie',
    final: 'potwierdzona',
    held: 'potwierdzona, na razie wstrzymana',
    heldHint:
      'Sieć nie działa teraz tak, jak powinna. Większe płatności czekają, aż wróci do normy. Nie muszą Państwo nic robić.',
    wrongAsset: 'inna waluta niż żądana',
    transaction: 'Transakcja',
    timeSeconds: 'Zwykle trwa to mniej niż minutę.',
    timeMinutes: (range) =>
      `Zwykle trwa to ${range}. Bloki pojawiają się w nieregularnych odstępach.`,
    short: 'To mniej niż cena. Proszę wysłać również resztę.',
    explorer: (host) => `Zobacz na ${host}`,
  },
  partial: {
    title: 'Brakuje jeszcze części kwoty',
    hint: 'Płatność dotarła, ale była niższa niż cena.',
    received: 'Otrzymano',
    remaining: 'Pozostało',
    rest: 'Proszę wysłać resztę w ten sam sposób:',
    windowOver: 'Czas na zapłatę w tej cenie minął: proszę nic nie wysyłać po starej.',
    alternatives:
      'Nie chcą Państwo dopłacać? Proszę poprosić sklep o zwrot i podać numer płatności.',
  },
  paid: {
    title: 'Zapłacono. Dziękujemy!',
    hint: 'Płatność jest kompletna, a sklep został powiadomiony.',
    amount: 'Kwota',
    seller: 'Odbiorca',
    when: 'Zakończono',
    reference: 'Numer',
    return: 'Wróć do sklepu',
    print: 'Tę stronę można wydrukować lub zapisać jako dowód zapłaty.',
    leaving: (time) => `Powrót do sklepu za ${time}.`,
    stay: 'Zostań na tej stronie',
  },
  expired: {
    title: 'Czas na zapłatę minął',
    doNotSend: 'Proszę teraz niczego nie wysyłać.',
    alreadySent: 'Płatność została już wysłana?',
    alreadySentHint:
      'Nadal obserwujemy adres, a to, co dotrze, zostanie jeszcze zaksięgowane. Proszę zachować ten numer.',
    wasDue: 'Kwota do zapłaty wynosiła',
    address: 'Na adres',
    newPrice: 'Pobierz nową cenę',
    again: 'Wybierz inny sposób płatności',
    return: 'Wróć do sklepu',
  },
  cancelled: {
    title: 'Płatność anulowana',
    nothing: 'Niczego nie pobrano.',
    hint: 'Proszę niczego nie wysyłać na pokazany wcześniej adres.',
    sent: 'Jeśli coś zostało wysłane wcześniej, i tak trafi do sklepu: proszę podać tam ten numer.',
    back: 'Wróć do sklepu',
  },
  trouble: {
    title: 'Sprawdzamy',
    behindOver: (network) =>
      `Czas na zapłatę minął, ale w tej chwili nie widzimy najnowszych płatności w sieci ${network}. Jeśli płatność została wysłana, odnajdzie się. Jeśli nie, proszę teraz niczego nie wysyłać.`,
    behind: (network) =>
      `W tej chwili nie widzimy najnowszych płatności w sieci ${network}. To, co dotrze, pojawi się tutaj nieco później.`,
    replaced:
      'Płatność, którą widzieliśmy, została zastąpiona lub wycofana. Liczy się tylko to, co potwierdzi sieć.',
    wrongAsset:
      'Dotarła inna waluta niż żądana. Nie przepadła, ale nie opłaca tego zamówienia: proszę zapytać sklep i podać numer płatności.',
    reversed: 'Sieć cofnęła potwierdzoną płatność: już się nie liczy. Sklep został powiadomiony.',
    takenBack: 'Płatność została cofnięta',
    takenBackHint:
      'Sieć cofnęła potwierdzoną płatność. Sklep został powiadomiony: przed ponowną zapłatą proszę zwrócić się do niego.',
    rateMissing: (assets) =>
      `Brak aktualnej ceny dla ${assets}, dlatego nie można teraz wybrać tego sposobu.`,
    wrongNetwork: (amount, network) =>
      `${amount} dotarło przez sieć ${network}, w której o to nie proszono. Kwota nie przepadła, ale nie opłaca tego zamówienia: proszę skontaktować się ze sklepem i podać numer płatności.`,
  },
  notice: {
    over: (amount) =>
      `Wysłano o ${amount} za dużo. Ta kwota również trafiła do sklepu: proszę poprosić tam o jej zwrot.`,
    late: 'Płatność dotarła po czasie i została zaksięgowana według ceny z chwili nadejścia.',
    multiple:
      'Za to zamówienie dotarła więcej niż jedna płatność. O nadpłatę proszę zapytać sklep.',
    acceptedUnderpaid: 'Kwota była niższa niż cena, ale sklep ją przyjął.',
    refundAwaiting: (amount) =>
      `Sklep zwraca ${amount}. Przekaże link, pod którym można podać adres.`,
    refundUnderWay: (amount) => `Sklep zwraca ${amount}: kwota jest już w drodze.`,
    refundCompleted: (amount) => `Sklep zwrócił ${amount}.`,
  },
  contact: {
    hint: 'Pytania? Proszę podać numer płatności.',
    link: 'Kontakt ze sklepem',
  },
  find: {
    title: 'Znajdź moją płatność',
    hint: 'Płatność już wysłana? Proszę wkleić identyfikator transakcji z portfela lub giełdy.',
    label: 'Identyfikator transakcji',
    button: 'Sprawdź',
    unreadable:
      'Nie ma tu identyfikatora transakcji. Składa się on z 64 liter i cyfr; portfel pokazuje go w szczegółach płatności.',
    waiting: (amount) =>
      `Widzimy ją: ${amount}. Czeka na pierwsze potwierdzenie; nie trzeba nic robić.`,
    confirming: (amount) => `Widzimy ją: ${amount}. Sieć ją potwierdza; nie trzeba nic robić.`,
    confirmed: (amount) => `Dotarła i jest potwierdzona: ${amount}.`,
    gone: 'Widzieliśmy ją, ale sieć ją zastąpiła lub odrzuciła. Liczy się tylko to, co potwierdzi sieć: proszę sprawdzić w portfelu.',
    less: (amount, missing) => `Dotarła: ${amount}. To jeszcze za mało: brakuje ${missing}.`,
    lessAsk: (amount) =>
      `Dotarła: ${amount}. To mniej niż cena: proszę zapytać sklep i podać numer płatności.`,
    more: (amount, excess) =>
      `Dotarła: ${amount}. To o ${excess} za dużo; o zwrot proszę poprosić sklep.`,
    wrongAsset: (asset) =>
      `Dotarła, ale w ${asset}, a nie tak, jak proszono. Nie przepadła: proszę skontaktować się ze sklepem i podać numer płatności.`,
    wrongNetwork: (network) =>
      `Ta płatność jest w sieci ${network}, w której o nią nie proszono. Nie przepadła: proszę skontaktować się ze sklepem i podać numer płatności.`,
    otherNetwork:
      'Ten identyfikator pochodzi z innego rodzaju sieci niż wskazana do płatności. Proszę sprawdzić w portfelu, w której sieci wysłano płatność, i skontaktować się ze sklepem.',
    noMemo: (network) =>
      `Dotarła przez sieć ${network}, ale bez memo lub tagu, który wskazuje zamówienie. Nie przepadła: proszę skontaktować się ze sklepem, podając numer płatności i tę transakcję.`,
    elsewhere:
      'Ta płatność nie należy do tego zamówienia. Proszę sprawdzić, czy wklejono właściwą.',
    notFound:
      'Jeszcze jej nie widzimy. Jeśli portfel pokazuje, że została wysłana, proszę sprawdzić w nim sieć i adres i zapytać ponownie za kilka minut.',
    notFoundBehind: (networks) =>
      `Nie widzimy jej, ale w tej chwili nie widzimy też najnowszych płatności w sieci ${networks}. Proszę zapytać nieco później; nic nie przepadło.`,
    tooOften: 'Zbyt wiele zapytań w krótkim czasie. Proszę odczekać minutę i spróbować ponownie.',
  },
  error: {
    missingTitle: 'Ta strona nie istnieje',
    missingHint: 'Adres jest niepełny albo nigdy do nas nie należał.',
    methodGone: 'Ten sposób płatności nie jest już dostępny. Proszę wybrać inny.',
    hasMoney: 'Widać już płatność, dlatego nie można jej anulować.',
    completed: 'To zamówienie jest już opłacone.',
    outageTitle: 'Proszę o chwilę cierpliwości',
    outageHint:
      'Część naszego systemu nie odpowiada. Nic nie przepadło. Proszę spróbować ponownie.',
    faultTitle: 'Coś poszło nie tak po naszej stronie',
    faultHint:
      'Nic nie przepadło. Proszę spróbować ponownie; jeśli to się powtórzy, proszę powiadomić sklep.',
    refusedTitle: 'To się nie udało',
    refusedHint: 'Proszę wrócić i spróbować ponownie.',
    rateAway:
      'W tej chwili brak aktualnej ceny dla tego sposobu płatności. Niczego nie pobrano: proszę wybrać inny albo spróbować ponownie za minutę.',
    networkAway:
      'Ta sieć w tej chwili nie odpowiada. Niczego nie pobrano: proszę wybrać inną albo spróbować ponownie za minutę.',
    addressPending:
      'Adres jest jeszcze przygotowywany. Niczego nie pobrano: proszę za kilka sekund ponownie wybrać ten sposób.',
  },
  link: {
    amount: 'Kwota',
    between: (least, most) => `Od ${least} do ${most}.`,
    atLeast: (least) => `Co najmniej ${least}.`,
    atMost: (most) => `Najwyżej ${most}.`,
    pay: 'Dalej do płatności',
    wrong: 'Wpisz kwotę, np. 12,50, którą ten link przyjmuje.',
    off: 'Ten link nie jest teraz używany.',
    over: 'Czas tego linku minął.',
    soldOut: 'Nic nie zostało. Może zwolnić się miejsce: zajrzyj za godzinę.',
    closed: 'Teraz nie można tego zapłacić. Spróbuj później.',
  },
  refund: {
    title: (amount) => `Zwrot ${amount}`,
    hint: (network) =>
      `Sklep zwraca Państwu te pieniądze. Proszę podać, dokąd je wysłać w sieci ${network}.`,
    yourAddress: (network) => `Państwa adres ${network}`,
    lightningAddress:
      'Państwa adres Lightning (nazwa@przyklad.pl) lub faktura na dokładnie tę kwotę',
    memoLabel: 'Memo, jeśli wymaga go giełda',
    tagLabel: 'Destination tag, jeśli wymaga go giełda',
    memoHint:
      'Giełdy tego wymagają: bez tego pieniądze mogą nie dotrzeć na konto. Dla własnego portfela proszę zostawić puste.',
    memoType: 'Rodzaj memo',
    check: 'Proszę dokładnie sprawdzić: wysłanych środków nie da się cofnąć.',
    claim: 'Wyślij tam',
    next: 'Dalej',
    review: 'Czy wszystko się zgadza?',
    edit: 'Zmień',
    none: 'brak',
    until: 'Do odbioru do',
    looksLike: (forms) => `Zaczyna się od ${forms}.`,
    whereFrom: (network) =>
      `Z własnego portfela (aplikacji lub urządzenia, do którego klucze mają tylko Państwo): proszę skopiować jego adres do odbioru w sieci ${network}. Z giełdy: proszę skopiować jej adres wpłaty dla tej właśnie sieci.`,
    bankHint: {
      SEPA: 'IBAN Państwa rachunku w banku w obszarze SEPA.',
      SWIFT:
        'Cztery części oddzielone średnikiem: IBAN lub numer rachunku; BIC; nazwa posiadacza; ulica, miejscowość, kod kraju.',
      PIX: 'Państwa klucz Pix: CPF, CNPJ, adres e-mail, numer telefonu z +55 lub klucz losowy.',
    },
    noAddress: 'To nie jest adres tej sieci. Proszę skopiować go ponownie z portfela.',
    badMemo: 'To memo nie pasuje do swojego rodzaju. Proszę skopiować je ponownie z giełdy.',
    badTag: 'Destination tag to liczba całkowita. Proszę skopiować go ponownie z giełdy.',
    tooDear:
      'Sieć pobiera teraz za wysłanie znacznie więcej niż w chwili utworzenia tego zwrotu. Pieniądze pozostają dla Państwa zarezerwowane: proszę wrócić za kilka godzin.',
    underWay: 'Zwrot jest w drodze. Mogą Państwo zamknąć tę stronę.',
    rests: (when: string) =>
      `Dla Państwa bezpieczeństwa zwrot zostanie wysłany po ${when}. Mogą Państwo zamknąć tę stronę.`,
    completed: 'Zwrot został wysłany i dotarł.',
    toClaim: (asset) =>
      `Zwrot został wysłany. Państwa konto nie przyjmuje jeszcze ${asset}, dlatego pieniądze czekają w sieci: proszę dodać ${asset} w portfelu, a potem odebrać saldo podane niżej.`,
    claimBefore: (when) =>
      `Proszę je odebrać przed tym terminem: ${when}. Potem sklep może je cofnąć.`,
    failed: 'Nie udało się wysłać zwrotu. Proszę zapytać sklep.',
    address: 'Na ten adres',
    transaction: 'Transakcja',
    uncertain: 'Zwrot zostanie wysłany, gdy tylko sieć ponownie potwierdzi wpłatę.',
    takenBack:
      'Sieć cofnęła wpłatę, więc nie ma czego zwracać: pieniądze są nadal lub znów tam, skąd została wysłana wpłata.',
  },
  paper: {
    receipt: 'Potwierdzenie zapłaty',
    invoice: 'Rachunek',
    date: 'Data',
    buyer: 'Nabywca',
    taxId: 'Numer podatkowy',
    description: 'Opis',
    amount: 'Kwota',
    state: 'Stan',
    states: {
      open: 'Do zapłaty',
      underWay: 'Płatność w drodze',
      partial: 'Zapłacono częściowo',
      paid: 'Zapłacono',
      over: 'Czas na zapłatę minął',
      cancelled: 'Anulowano',
    },
    due: 'Kwota do zapłaty',
    howToPay: 'Jak zapłacić',
    howToPayHint:
      'Proszę otworzyć ten adres lub zeskanować kod. Tam można wybrać, czym zapłacić, i zobaczyć dokładną kwotę do wysłania.',
    payment: (number) => `Płatność ${number}`,
    arrived: 'Zauważono',
    confirmed: 'Potwierdzono',
    notConfirmed: 'jeszcze niepotwierdzona',
    network: 'Sieć',
    rate: 'Kurs',
    refund: (number) => `Zwrot ${number}`,
    refunded: 'Zwrócono',
    print: 'Tę stronę można wydrukować lub zapisać.',
    pdf: 'Potwierdzenie w formacie PDF',
    toPayment: 'Przejdź do strony płatności',
    page: (page, pages) => `Strona ${page} z ${pages}`,
    missingTitle: 'Nie ma jeszcze potwierdzenia',
    missingHint: 'Pojawi się tutaj, gdy tylko płatność zostanie potwierdzona.',
  },
  bill: {
    number: 'Numer faktury',
    dueOn: 'Termin płatności',
    net: 'Kwota netto',
    vatId: 'Numer VAT',
    taxNumber: 'Numer podatkowy',
    delivered: 'Dostawa lub usługa',
    cancellation: 'Faktura anulująca',
    cancels: (name, day) => `Anuluje fakturę ${name} z dnia ${day}.`,
    cancelledBy: (name) => `Ta faktura została anulowana przez ${name}.`,
    overdue: 'Po terminie',
    pay: 'Zapłać teraz',
    payHint: 'Wybierają Państwo sposób płatności i widzą cenę z tej chwili.',
    underWay: 'Płatność za tę fakturę jest w drodze.',
    pdf: 'Faktura w formacie PDF',
  },
  sandbox: {
    title: 'Portfel testowy',
    hint: 'Można tu odegrać płacącego. Tylko w trybie testowym, w symulowanych sieciach.',
    payExact: 'Zapłać dokładnie',
    payUnder: 'Zapłać połowę',
    payOver: 'Zapłać o ćwierć więcej',
    payParts: 'Zapłać w dwóch częściach',
    payLate: 'Zapłać za późno',
    replace: 'Zastąp płatność',
    reorg: 'Zreorganizuj',
    mine: 'Utwórz blok',
    expire: 'Zakończ czas teraz',
    payRest: 'Dopłać resztę',
    payOtherAsset: 'Zapłać w innej walucie',
  },
};
