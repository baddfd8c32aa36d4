// Polish of people.

import type { PeopleTexts } from './en.ts';

export const plPeople: PeopleTexts = {
  people: {
    mailed: {
      PENDING: 'Wiadomość napisana, w drodze od',
      SENT: 'Wysłano wiadomość',
      PARKED: 'Wiadomość odrzucono',
    },
    title: 'Osoby',
    who: 'Kto co może',
    you: 'to konto',
    role: 'Rola',
    change: 'Zmień',
    invite: 'Zaproś osobę',
    name: 'Imię i nazwisko',
    email: 'Adres e-mail',
    submit: 'Utwórz zaproszenie',
    link: 'Proszę przekazać ten link zaproszonej osobie. Działa jeden raz, przez siedem dni, i jest pokazywany tylko teraz.',
    open: 'Otwarte zaproszenia',
    until: 'Ważne do',
    withdraw: 'Wycofaj',
  },
  signInLink: {
    send: 'Wyślij mi link',
    sent: 'Link jest w drodze',
    sentHint:
      'Jeśli ktoś jest tu znany pod tym adresem, za chwilę otrzyma wiadomość z linkiem. Link działa raz, przez piętnaście minut.',
    title: 'Logowanie linkiem',
    hint: 'Ten link loguje jeden raz. Pieniądze, klucze i osoby i tak wymagają hasła albo klucza dostępu.',
    gone: 'Ten link został użyty albo jest zbyt stary. Proszę poprosić o nowy.',
  },
  trail: {
    title: 'Dziennik',
    hint: 'Co zrobiły osoby i klucze tego sklepu, co zrobiono z nim w wierszu poleceń i co serwer zrobił dla niego, z tym, co zapisano przy każdej czynności. Nikt tego nie zmienia ani nie usuwa.',
    aboutHint: 'transfer:ID; albo transfer, key, beneficiary, person: wszystko tego rodzaju',
    sentFrom: 'Skąd',
    asCsv: 'Te jako tabela (CSV)',
    asJson: 'Te jako JSON',
  },
  keyboard: {
    title: 'Klawiatura',
    search: 'Szukaj',
    help: 'Te klawisze',
    on: 'Używaj tych klawiszy w tej przeglądarce',
    close: 'Zamknij',
  },
};
