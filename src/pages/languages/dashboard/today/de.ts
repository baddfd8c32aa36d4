// German of what came in and what needs somebody.

import type { TodayTexts } from './en.ts';

export const deToday: TodayTexts = {
  today: {
    title: 'Heute',
    first: 'Was zuerst zu tun ist',
    nothingSold: 'Hier wurde noch nichts verkauft.',
    tryFirst:
      'Probieren Sie alles zuerst im Testmodus: Er sieht gleich aus, arbeitet gleich, und kein echtes Geld bewegt sich.',
    manual: 'Handbuch',
    steps: {
      key: 'Einen API-Schlüssel anlegen: Damit unterschreibt Ihr Shop seine Anfragen.',
      checkout: 'Einen ersten Checkout anfragen: Das Handbuch zeigt die Zeile zum Einfügen.',
      webhook: 'Ihren Shop erfahren lassen, wenn jemand bezahlt hat.',
      settings: 'Ihr Name, Ihre Farbe und Ihr Logo auf den Seiten, die Kunden sehen.',
      people: 'Die einladen, mit denen Sie arbeiten, jeden mit einer Rolle.',
    },
    needsTitle: 'Was jemanden braucht',
    nothingWaits: 'Nichts wartet auf jemanden.',
    oldest: 'Am längsten',
    needs: {
      underpaid: {
        label: 'Zu wenig bezahlt',
        hint: 'Es kam weniger an als verlangt. Annehmen oder auf den Rest warten.',
      },
      late: {
        label: 'Zu spät bezahlt',
        hint: 'Es kam nach Ablauf und reicht zum heutigen Kurs nicht. Annehmen oder den Rest verlangen.',
      },
      'bill-again': {
        label: 'Rechnungen, die zweimal bezahlt wurden',
        hint: 'Für eine Rechnung wurden zwei Zahlungen gutgeschrieben. Zahlen Sie zurück, was zu viel ist, oder sagen Sie, wie es geregelt wurde.',
      },
      'wrong-asset': {
        label: 'Andere Währung oder anderes Netz als verlangt',
        hint: 'Es kam an und liegt beiseite, ohne Gutschrift. Wer diesen Server betreibt, sendet es zurück oder ordnet es zu.',
      },
      suspense: {
        label: 'Geld ohne Besitzer, das Sie nennt',
        hint: 'Es liegt beiseite, bis entschieden hat, wer diesen Server betreibt.',
      },
      parked: {
        label: 'Checkouts, die nicht entschieden werden konnten',
        hint: 'Sie werden wieder versucht. Bleiben sie, sagen Sie es dem, der diesen Server betreibt.',
      },
      'parked-address': {
        label: 'Einzahlungsadressen, die nicht entschieden werden konnten',
        hint: 'Sagen Sie es dem, der diesen Server betreibt.',
      },
      'webhook-given-up': {
        label: 'Aufgegebene Webhooks',
        hint: 'Ihr Shop hat es nicht erfahren. Sehen Sie, was er antwortete, und senden Sie es noch einmal.',
      },
      'webhook-failing': {
        label: 'Webhooks, die scheitern',
        hint: 'Ihr Shop antwortet nicht, wie er soll. Es wird von selbst wieder versucht.',
      },
      approval: {
        label: 'Wartet auf eine zweite Person',
        hint: 'Jemand anderes als der, der es begann, muss zustimmen.',
      },
      transfer: {
        label: 'Überweisungen zu unterschreiben oder zu senden',
        hint: 'Wer diesen Server betreibt, sendet sie von Hand oder behebt, was sie aufhält.',
      },
    },
    cameIn: 'Was hereinkam',
    cameInHint:
      'Tage sind die von UTC. Rechnungen zählen, wie sie geschrieben wurden; das Übrige zu Kursen, die an seinem Tag gespeichert wurden.',
    periods: {
      1: 'Heute',
      7: '7 Tage',
      30: '30 Tage',
    },
    payments: 'Zahlungen',
    worth: 'Wert',
    withoutPrice: 'Und ohne gespeicherten Kurs',
    byDay: 'Nach Tagen',
    byAsset: 'Nach Zahlungsmittel',
    byLanguage: 'Nach Sprache des Kunden',
    asTable: 'Als Tabelle',
    day: 'Tag',
    asset: 'Zahlungsmittel',
    language: 'Sprache',
    noLanguage: 'Ohne Checkout',
    notKnown: 'Unbekannt',
  },
};
