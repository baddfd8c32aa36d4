// Polish of what came in and what needs somebody.

import type { TodayTexts } from './en.ts';

export const plToday: TodayTexts = {
  today: {
    title: 'Dzisiaj',
    first: 'Od czego zacząć',
    nothingSold: 'Nic tu jeszcze nie sprzedano.',
    tryFirst:
      'Najpierw można wypróbować wszystko w trybie testowym: działa tak samo, a prawdziwe pieniądze się nie ruszają.',
    manual: 'Podręcznik',
    steps: {
      key: 'Klucz API: sklep podpisuje nim swoje żądania.',
      checkout: 'Pierwsza płatność: podręcznik pokazuje wiersz do wklejenia.',
      webhook: 'Niech sklep się dowie, gdy ktoś zapłaci.',
      settings: 'Nazwa, kolor i logo na stronach, które widzą klienci.',
      people: 'Zaproszenia dla współpracowników, dla każdego jego rola.',
    },
    needsTitle: 'Co wymaga człowieka',
    nothingWaits: 'Nic na nikogo nie czeka.',
    oldest: 'Najstarsze',
    needs: {
      underpaid: {
        label: 'Zapłacono za mało',
        hint: 'Przyszło mniej, niż żądano. Można to przyjąć albo poczekać na resztę.',
      },
      late: {
        label: 'Zapłacono za późno',
        hint: 'Przyszło po czasie i nie wystarcza po dzisiejszej cenie. Można to przyjąć albo poprosić o resztę.',
      },
      'bill-again': {
        label: 'Faktury zapłacone dwa razy',
        hint: 'Za jedną fakturę zaksięgowano dwie płatności. Proszę zwrócić tę, która jest nadpłatą, albo napisać, jak to załatwiono.',
      },
      'wrong-asset': {
        label: 'Inne aktywo lub inna sieć, niż żądano',
        hint: 'Przyszło i leży osobno, bez zaliczenia. Kto prowadzi ten serwer, odsyła to albo przypisuje.',
      },
      suspense: {
        label: 'Pieniądze bez właściciela, które wskazują na ten sklep',
        hint: 'Leżą osobno, aż zdecyduje ten, kto prowadzi serwer.',
      },
      parked: {
        label: 'Płatności, o których nie udało się rozstrzygnąć',
        hint: 'Są próbowane ponownie. Jeśli zostają, powinien o tym wiedzieć ten, kto prowadzi serwer.',
      },
      'parked-address': {
        label: 'Adresy wpłat, o których nie udało się rozstrzygnąć',
        hint: 'Powinien o tym wiedzieć ten, kto prowadzi serwer.',
      },
      'webhook-given-up': {
        label: 'Porzucone webhooki',
        hint: 'Sklep się nie dowiedział. Można zobaczyć, co odpowiedział, i wysłać ponownie.',
      },
      'webhook-failing': {
        label: 'Nieudane webhooki',
        hint: 'Sklep nie odpowiada tak, jak powinien. Ponowna próba nastąpi sama.',
      },
      approval: {
        label: 'Czeka na drugą osobę',
        hint: 'Zatwierdzić musi ktoś inny niż ten, kto zaczął.',
      },
      transfer: {
        label: 'Przelewy do podpisania lub wysłania',
        hint: 'Kto prowadzi ten serwer, wysyła je ręcznie albo naprawia, co je wstrzymuje.',
      },
    },
    cameIn: 'Co wpłynęło',
    cameInHint:
      'Dni są według UTC. Rachunki liczą się tak, jak je wystawiono; reszta po cenach zapisanych tego dnia.',
    periods: {
      1: 'Dzisiaj',
      7: '7 dni',
      30: '30 dni',
    },
    payments: 'Płatności',
    worth: 'Wartość',
    withoutPrice: 'I bez zapisanej ceny',
    byDay: 'Według dni',
    byAsset: 'Według środka płatności',
    byLanguage: 'Według języka klienta',
    asTable: 'Jako tabela',
    day: 'Dzień',
    asset: 'Aktywo',
    language: 'Język',
    noLanguage: 'Bez strony płatności',
    notKnown: 'Nieznane',
  },
};
