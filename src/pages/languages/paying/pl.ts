// Polish of what a payer sees beside the plain words of a page.
import { countedText, type NounForms } from '#pages/languages/plural.ts';
import type { PayingTexts } from './en.ts';

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
};
