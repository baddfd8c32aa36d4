// Polish of what a payer sees beside the plain words of a page.
import { countedText, type NounForms } from '#pages/languages/plural.ts';
import type { PayingTexts, ShopTexts } from './en.ts';

const count = (number: number, forms: NounForms) => countedText('pl', number, forms);

export const plPaying: PayingTexts = {
  choose: {
    bank: 'Przelew bankowy',
    recommended: 'Polecane',
    lastUsed: 'Ostatnio używane',
    fits: 'Pasuje do tego urządzenia',
    search: 'Szukaj walut i sieci',
    nothing: 'Nic do tego nie pasuje.',
    fee: (amount) => `opłata sieciowa około ${amount}`,
    feeUnder: (amount) => `opłata sieciowa poniżej ${amount}`,
    feeFrom: (amount) => `opłata sieciowa od ${amount}`,
    networks: (number) =>
      count(number, { one: 'sieć', few: 'sieci', many: 'sieci', other: 'sieci' }),
  },
  pay: {
    showCode: 'Pokaż kod',
    enlarge: 'Powiększ kod',
    close: 'Zamknij',
    noWallet: 'Nie ma tu portfela? Zeskanuj kod telefonem.',
    compare: 'Porównaj w portfelu pierwsze cztery i ostatnie cztery znaki.',
  },
  steps: {
    title: 'Co się dzieje z płatnością',
    sent: 'Wysłano',
    seen: 'Sieć ją zobaczyła',
    confirmed: 'Potwierdzona',
    told: 'Sklep się dowiaduje',
    wasTold: 'Sklep już wie',
    device: 'Kontynuuj na innym urządzeniu',
    deviceHint: 'Zeskanuj to drugim urządzeniem: otworzy ono tę stronę.',
    signal: 'Dźwięk i wibracja po zapłacie',
    share: 'Udostępnij pokwitowanie',
    calendar: 'Dodaj do kalendarza',
  },
  mail: {
    title: 'Powiadom mnie e-mailem, gdy to się zakończy',
    hint: 'Jedna wiadomość, gdy płatność dojdzie albo gdy zostanie coś do zrobienia. Adres nie służy do niczego innego.',
    label: 'Adres e-mail',
    button: 'Powiadom mnie',
    asked: 'Powiadomimy e-mailem',
    again: 'Literówka? Podaj adres jeszcze raz.',
    fault: 'Podaj adres taki jak ann@mail.example.',
  },
  trust: {
    title: 'Czy ten adres jest właściwy?',
    signed: 'Ta instalacja podpisała adres. Sprawdź go, najlepiej na innym urządzeniu:',
    check: 'Sprawdź adres',
    host: (host) =>
      `Płać tylko, gdy pasek adresu przeglądarki pokazuje ${host}. Nikt, kto pomaga, nie pyta o słowa portfela.`,
    domain: 'Sprawdzona domena',
    verified: 'Ten adres wydano tutaj',
    verifiedHint: 'Porównaj go znak po znaku z tym, który pokazuje portfel.',
    unsigned:
      'Tego adresu nie wydano tutaj albo zmieniono w nim znak. Nie wysyłaj na niego niczego.',
    key: 'Klucz publiczny (Ed25519)',
    place: 'Adres albo link do sprawdzenia ze strony płatności',
    memo: 'Memo lub tag, jeśli jest',
    signature: 'Podpis',
    signatureHint:
      'Podpis jest w tym linku. Sam adres nic nie mówi: to jego podpisu nikt inny nie może złożyć.',
  },
  wallets: {
    app: (app: string) => `Otwórz w ${app}`,
    with: (wallet: string) => `Zapłać przez ${wallet}`,
    browser: 'Zapłać portfelem tej przeglądarki',
    asking: (wallet: string) => `Potwierdź płatność w ${wallet}.`,
    switching: (network: string) => `Portfel pyta o zmianę sieci na ${network}.`,
    missing: (network: string) =>
      `Portfel nie zna sieci ${network}. Dodaj ją w nim albo zapłać kodem.`,
    otherNetwork: (network: string) =>
      `Portfel jest w innej sieci. Przełącz go na sieć ${network} i spróbuj ponownie.`,
    poor: (account: string, held: string, needed: string) =>
      `Na koncie ${account} jest ${held}, a potrzeba ${needed}. Wybierz w portfelu inne konto.`,
    refused: 'Odmówiono w portfelu. Nic nie zostało wysłane.',
    waiting: 'W portfelu czeka już pytanie. Otwórz go i odpowiedz.',
    silent: 'Portfel nie odpowiada. Otwórz go, odblokuj i spróbuj ponownie.',
    failed:
      'Portfel nie mógł tego zrobić. Zanim spróbujesz ponownie, sprawdź w nim, czy coś zostało wysłane.',
    sent: 'Wysłano. Ta strona zmieni się, gdy tylko sieć pokaże płatność.',
    again: (wallet: string) => `Wyślij ponownie przez ${wallet}`,
  },
};

export const plShop: ShopTexts = {
  title: 'Wszystko do pisania ręcznego',
  hint: 'Sklep pokazowy: wybierz coś, przejdź do kasy i zapłać portfelem testowym.',
  embedded: 'Zapłać bez opuszczania strony',
  embeddedHint: (product) =>
    `${product}, w oknie nad tą stroną: strona płatności otwarta jednym skryptem.`,
  howTo: 'Jak to zrobić w sklepie',
  payHere: 'Zapłać tutaj',
  states: 'Zobacz wszystkie stany strony płatności',
  skip: 'Przejdź do treści',
  shop: 'Sklep',
  add: 'Do koszyka',
  addOf: (product) => `Do koszyka: ${product}`,
  less: (product) => `O jeden mniej: ${product}`,
  more: (product) => `O jeden więcej: ${product}`,
  cart: 'Koszyk',
  post: 'Poczta listowa',
  tax: 'VAT (podatek)',
  total: 'Suma bez VAT',
  checkOut: 'Zapłać kryptowalutą',
  empty: 'Twój koszyk jest pusty.',
  look: 'Rozejrzyj się',
  order: 'Zamówienie',
  state: 'Stan w ostatnim webhooku',
  none: 'jeszcze żaden',
  back: 'Wróć do sklepu',
  webhooks: 'Odebrane webhooki',
  webhooksHint:
    'To wszystko, co sklep wie. Wierzy webhookowi tylko wtedy, gdy podpis się zgadza, i temu o najwyższym numerze kolejnym.',
  nothing: 'Nic jeszcze nie przyszło. Ta strona sama zapyta ponownie.',
  verified: 'podpis sprawdzony: tak',
  unverified: 'podpis sprawdzony: nie',
  noEvent: 'nie jest zdarzeniem',
  headers: 'Nagłówki',
  body: 'Treść',
  told: {
    completed: { title: 'Dziękujemy! Zamówienie jest opłacone.', hint: 'Już je pakujemy.' },
    pending: { title: 'Twoja płatność jest w drodze.', hint: 'Sieć ją potwierdza.' },
    underpaid: {
      title: 'Części jeszcze brakuje.',
      hint: 'Strona płatności pokazuje, jak ją wysłać.',
    },
    expired: { title: 'Nie zapłacono na czas.', hint: 'Jeśli zapłacono później, nadal się liczy.' },
    cancelled: { title: 'Anulowano.', hint: 'Nic nie pobrano.' },
    waiting: { title: 'Czekamy na płatność.', hint: 'Sklep jeszcze nic nie wie.' },
  },
  madeUp: 'Zamówienia i towary są zmyślone.',
  about: 'O tej usłudze',
  products: {
    notebook: { name: 'Notatnik w kropki', about: '192 strony, które leżą płasko, oprawa z lnu' },
    pen: { name: 'Mosiężne pióro', about: 'Wytoczone z jednego pręta, pięknieje z wiekiem' },
    ink: { name: 'Atrament koloru mchu', about: '50 ml zieleni, która schnie prawie na czarno' },
    cards: {
      name: 'Pocztówki z paprocią',
      about: 'Osiem zasuszonych paproci, drukowanych ręcznie',
    },
  },
};
