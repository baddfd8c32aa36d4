import type { LetterTexts, VerifyTexts } from './en.ts';

export const plLetters: LetterTexts = {
  test: 'Próba',
  testHint: 'To była próba: nie przesłano prawdziwych pieniędzy.',
  reference: (id) => `Numer referencyjny: ${id}`,
  contact: (contact) => `Pytania? Proszę zwrócić się do sklepu: ${contact}`,
  why: (shop) =>
    `Ta wiadomość przychodzi, ponieważ płacisz sklepowi ${shop}, a sklep ma Twój adres.`,
  whyAsked: (shop) =>
    `Ta wiadomość przyszła, bo ktoś podał ten adres na stronie płatności dla ${shop}.`,
  leave: 'Nie wysyłać więcej wiadomości o płatnościach dla tego sklepu',
  seen: {
    subject: (shop) => `Widać Twoją płatność dla ${shop}`,
    title: 'Widać Twoją płatność',
    body: (amount) => `${amount} jest w drodze. Sieć właśnie to potwierdza; nie trzeba nic robić.`,
    button: 'Zobacz stan',
  },
  paid: {
    subject: (shop) => `Twoja płatność dla ${shop} jest pełna`,
    title: 'Zapłacono. Dziękujemy!',
    body: (shop, total) => `Sklep ${shop} otrzymał Twoją płatność: ${total}.`,
    button: 'Otwórz potwierdzenie',
  },
  underpaid: {
    subject: (shop) => `Brakuje części Twojej płatności dla ${shop}`,
    title: 'Brakuje jeszcze części',
    body: (received, remaining) => `Dotarło ${received}, brakuje ${remaining}.`,
    todo: 'Strona mówi, ile reszta kosztuje teraz i jak ją zapłacić. Nie chcesz jej płacić? Poproś sklep o zwrot i podaj numer referencyjny.',
    button: 'Zapłać resztę',
  },
  expired: {
    subject: (shop) => `Czas na płatność dla ${shop} minął`,
    title: 'Czas na płatność minął',
    body: 'Niczego nie pobrano. Proszę nie wysyłać nic po starej cenie.',
    todo: 'Nadal chcesz zapłacić? Strona poda nową cenę. Już wysłano? To, co dotrze, i tak zostanie zaliczone: zachowaj numer referencyjny.',
    money: {
      body: 'Przyszło coś, co nie liczy się jako ta płatność: inna waluta albo przelew, którego sieć nie potwierdziła.',
      todo: 'To nie przepadło. Co sieć potwierdzi później, zostanie zaksięgowane. W sprawie innej waluty zapytaj sklep i podaj numer referencyjny. Strona pokazuje, co widać.',
    },
    button: 'Otwórz stronę',
  },
  claim: {
    subject: (shop) => `Czeka na Ciebie zwrot od ${shop}`,
    title: 'Czeka na Ciebie zwrot',
    body: (shop, amount) => `Sklep ${shop} zwraca Ci ${amount}. Strona pyta, dokąd to wysłać.`,
    until: (moment) =>
      `Jest otwarty do ${moment}. Nie przekazuj nikomu tego linku: kto go ma, decyduje, dokąd trafią pieniądze.`,
    button: 'Podaj, dokąd wysłać',
  },
  sent: {
    subject: (shop) => `Twój zwrot od ${shop} został wysłany`,
    title: 'Twój zwrot został wysłany',
    body: (amount, address) => `Wysłano ${amount} na adres ${address}.`,
    transaction: (transaction) => `Transakcja: ${transaction}`,
    button: 'Zobacz płatność',
  },
  bill: {
    sent: {
      subject: (shop, name) => `Faktura ${name} od ${shop}`,
      title: 'Twoja faktura',
      body: (shop, total) => `${shop} wystawia Ci fakturę na kwotę ${total}.`,
      due: (day) => `Termin płatności: ${day}.`,
    },
    soon: {
      subject: (shop, name) => `Przypomnienie: faktura ${name} od ${shop}`,
      title: 'Zbliża się termin płatności faktury',
      body: (total, day) => `Termin płatności Twojej faktury na kwotę ${total}: ${day}.`,
    },
    today: {
      subject: (shop, name) => `Dziś mija termin płatności faktury ${name} od ${shop}`,
      title: 'Dziś mija termin płatności faktury',
      body: (total, day) => `Termin płatności Twojej faktury na kwotę ${total} mija dziś, ${day}.`,
    },
    overdue: {
      subject: (shop, name) => `Minął termin płatności faktury ${name} od ${shop}`,
      title: 'Minął termin płatności faktury',
      body: (total, day) =>
        `Termin płatności Twojej faktury na kwotę ${total} minął: ${day}. Nie widzimy jeszcze płatności.`,
    },
    hint: 'Strona pokazuje fakturę i przyjmuje płatność po cenie z tej chwili. Faktura jest już zapłacona? Wtedy nie trzeba nic robić.',
    number: (name) => `Numer faktury: ${name}`,
    button: 'Zobacz i zapłać fakturę',
  },
  page: {
    title: (shop) => `Wiadomości o płatnościach dla ${shop}`,
    gets: 'Dostajesz wiadomości o swoich płatnościach dla tego sklepu.',
    leave: 'Nie wysyłać więcej wiadomości',
    left: 'Nie dostajesz już wiadomości o swoich płatnościach dla tego sklepu.',
    again: 'Wysyłać znowu wiadomości',
  },
  staff: {
    why: (shop) => `Ta wiadomość przychodzi, ponieważ pracujesz z ${shop}.`,
    choose: 'Wybierz, jakie wiadomości dostajesz',
    paid: {
      subject: (shop, total) => `${shop}: zapłacono ${total}`,
      title: 'Zapłacono',
      body: (total) => `Płatność na kwotę ${total} jest pełna.`,
      button: 'Otwórz płatność',
    },
    needs: {
      subject: (shop) => `${shop}: płatność wymaga Twojej decyzji`,
      title: 'Płatność wymaga Twojej decyzji',
      reasons: {
        underpaid: 'Dotarło mniej, niż trzeba. Przyjmij to, zwróć albo poczekaj na resztę.',
        misdirected:
          'Dotarły pieniądze w innym aktywie lub inną siecią, niż trzeba. Zdecyduj, co z nimi zrobić.',
        again: 'Pełna już płatność została zapłacona jeszcze raz. Zwróć nadwyżkę.',
        billAgain: 'Zapłacona już faktura została zapłacona jeszcze raz. Proszę zwrócić nadwyżkę.',
        reversed: 'Sieć cofnęła płatność, która była zaliczona. Sprawdź, czy towar już wydano.',
        failed: 'Pieniądze, które miały wyjść, nie wyszły albo wróciły. Sprawdź dlaczego.',
      },
      button: 'Zobacz',
    },
    summary: {
      subject: (shop, day) => `${shop}: ${day}`,
      title: (day) => `Twój dzień: ${day}`,
      paid: (count) => `Pełne płatności: ${count}`,
      total: (sums) => `Razem: ${sums}`,
      needs: (count) => `Wymagało decyzji: ${count}`,
      button: 'Otwórz panel',
    },
  },
};

export const plVerify: VerifyTexts = {
  title: 'Sprawdź potwierdzenie albo fakturę',
  hint: 'Proszę wpisać kod z potwierdzenia albo z faktury. Widać wtedy, co mówią nasze księgi, i nic o kupującym.',
  code: 'Kod weryfikacyjny',
  at: 'Sprawdź pod adresem',
  check: 'Sprawdź',
  unknown:
    'Żadne nasze potwierdzenie i żadna nasza faktura nie ma tego kodu. Proszę porównać znak po znaku.',
  compare: 'Proszę porównać z dokumentem, który Państwo mają. Liczy się to, co stoi tutaj.',
  issuer: 'Wystawca',
  states: {
    paid: 'To jest zapłacone',
    partial: 'To jest zapłacone częściowo',
    open: 'Nie ma za to potwierdzonej płatności',
    reversed: 'To było zapłacone, a sieć cofnęła płatność',
    refunded: 'To było zapłacone, a pieniądze zwrócono',
    partlyRefunded: 'To było zapłacone, a część zwrócono',
    cancelled: 'Ta faktura została anulowana',
    cancellation: 'Ten dokument anuluje fakturę',
  },
  worth: 'Zapłacona kwota',
  explorer: 'W sieci',
};
