// German of people.

import type { PeopleTexts } from './en.ts';

export const dePeople: PeopleTexts = {
  people: {
    mailed: {
      PENDING: 'Mail geschrieben, unterwegs seit',
      SENT: 'Gemailt',
      PARKED: 'Die Mail wurde abgewiesen',
    },
    title: 'Personen',
    who: 'Wer was darf',
    you: 'Sie',
    role: 'Rolle',
    change: 'Ändern',
    invite: 'Jemanden einladen',
    name: 'Name der Person',
    email: 'E-Mail-Adresse',
    submit: 'Einladung erstellen',
    link: 'Geben Sie diesen Link der Person. Er gilt einmal, sieben Tage lang, und wird nur dieses eine Mal gezeigt.',
    open: 'Offene Einladungen',
    until: 'Gilt bis',
    withdraw: 'Zurückziehen',
  },
};
