// Polish of customers.

import type { CustomersTexts } from './en.ts';

export const plCustomers: CustomersTexts = {
  customers: {
    title: 'Klienci',
    one: 'Klient',
    find: 'Adres e-mail, nazwisko lub firma zaczyna się od',
    none: 'Nie ma jeszcze klientów. Sklep ich tworzy albo wskazuje przy płatności.',
    noneFound: 'Nikt się tak nie nazywa.',
    more: 'Jest ich więcej: potrzeba dłuższego początku.',
    fields: {
      email: 'Adres e-mail',
      firstname: 'Imię',
      lastname: 'Nazwisko',
      company: 'Firma',
      adr1: 'Adres',
      adr2: 'Adres, drugi wiersz',
      zip: 'Kod pocztowy',
      city: 'Miejscowość',
      countrycode: 'Kraj',
      phonenumber: 'Telefon',
      taxid: 'Numer podatkowy',
      note: 'Notatka',
    },
    history: 'Co kupiono',
    noHistory: 'Jeszcze nic nie kupiono.',
    paid: 'Zapłacono',
    refunded: 'Zwrócono',
    addresses: 'Znane adresy',
    noAddresses:
      'Jeszcze żadnych. Adres jest znany, gdy coś na niego zwrócono; kto wysłał wpłatę, nie wie nikt.',
    asJson: 'Wszystko jako JSON',
    asCsv: 'Zakupy jako CSV',
    allAsCsv: 'Wszyscy jako CSV',
    allAsJson: 'Wszyscy jako JSON',
    erase: 'Usuń tego klienta',
    eraseHint:
      'Nazwisko, adresy, notatka i wszystko, co osobiste, znika na zawsze. Płatności i księgi zachowują samo oznaczenie, a własne dane płatności zostają. Wysłane wiadomości są zapominane po 90 dniach.',
    sure: 'Tak, na zawsze',
    notSure: 'Proszę zaznaczyć pole na znak pewności.',
    erased: 'Klient został usunięty.',
  },
  merging: {
    title: 'Połącz z innym wpisem',
    hint: 'Ten sam klient jest tu dwa razy? Znajdź drugi wpis: oba widać obok siebie, zanim cokolwiek się stanie.',
    look: 'Szukaj',
    pairHint:
      'To, co pogrubione, zostaje. Płatności, wpłaty i znane adresy obu będą razem; drugi numer oznacza odtąd tego klienta, także dla programów sklepu.',
    stays: 'Zostaje',
    other: 'Staje się jego częścią',
    goes: 'znika na zawsze',
    turn: 'Ma zostać ten drugi',
    forGood:
      'Nie można tego cofnąć: to, co znika, nie jest nigdzie przechowywane, a obu nie da się już rozdzielić.',
    merge: 'Połącz',
    changed: 'Jeden z nich zmienił się od ostatniego spojrzenia. Spójrz jeszcze raz.',
    most: 'Ten klient ma już tyle innych numerów, ile się przechowuje.',
    names: 'Inne numery',
    done: 'Oba wpisy są teraz jednym.',
  },
};
