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
  signInLink: {
    send: 'Link per E-Mail senden',
    sent: 'Ein Link ist unterwegs',
    sentHint:
      'Wenn unter dieser Adresse hier jemand bekannt ist, hat er gleich eine E-Mail mit einem Link. Er gilt einmal, fünfzehn Minuten lang.',
    title: 'Mit Link anmelden',
    hint: 'Dieser Link meldet Sie einmal an. Geld, Schlüssel und Personen fragen trotzdem nach Ihrem Passwort oder Passkey.',
    gone: 'Dieser Link wurde benutzt oder ist zu alt. Fordern Sie einen neuen an.',
  },
  trail: {
    title: 'Protokoll',
    hint: 'Was Personen und Schlüssel dieses Shops taten, was auf der Kommandozeile mit ihm geschah und was der Server für ihn tat, mit dem, was zu jeder Handlung geschrieben wurde. Niemand ändert oder entfernt es.',
    aboutHint: 'transfer:ID; oder transfer, key, beneficiary, person: alles dieser Art',
    sentFrom: 'Von wo',
    asCsv: 'Diese als Tabelle (CSV)',
    asJson: 'Diese als JSON',
  },
  keyboard: {
    title: 'Tastatur',
    search: 'Suchen',
    help: 'Diese Tasten',
    on: 'Diese Tasten in diesem Browser verwenden',
    close: 'Schließen',
  },
};
