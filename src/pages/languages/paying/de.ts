// German of what a payer sees beside the plain words of a page.
import { countedText, type NounForms } from '#pages/languages/plural.ts';
import type { PayingTexts } from './en.ts';

const count = (number: number, forms: NounForms) => countedText('de', number, forms);

export const dePaying: PayingTexts = {
  choose: {
    bank: 'Überweisung',
    recommended: 'Empfohlen',
    lastUsed: 'Zuletzt verwendet',
    fits: 'Passt zu diesem Gerät',
    search: 'Coins und Netzwerke suchen',
    nothing: 'Dazu passt nichts.',
    fee: (amount) => `Netzwerkgebühr etwa ${amount}`,
    feeUnder: (amount) => `Netzwerkgebühr unter ${amount}`,
    feeFrom: (amount) => `Netzwerkgebühr ab ${amount}`,
    networks: (number) => count(number, { one: 'Netzwerk', other: 'Netzwerke' }),
  },
  pay: {
    showCode: 'Code anzeigen',
    enlarge: 'Code vergrößern',
    close: 'Schließen',
    noWallet: 'Keine Wallet hier? Scannen Sie den Code mit Ihrem Handy.',
    compare: 'Vergleichen Sie in Ihrer Wallet die ersten und die letzten vier Zeichen.',
  },
  steps: {
    title: 'Was mit Ihrer Zahlung geschieht',
    sent: 'Sie haben gesendet',
    seen: 'Das Netzwerk hat sie gesehen',
    confirmed: 'Bestätigt',
    told: 'Der Shop erfährt davon',
    wasTold: 'Der Shop hat davon erfahren',
    device: 'Auf einem anderen Gerät weitermachen',
    deviceHint: 'Scannen Sie dies mit dem anderen Gerät: Es öffnet dort diese Seite.',
    signal: 'Ton und Vibration, wenn bezahlt ist',
    share: 'Quittung teilen',
    calendar: 'In den Kalender eintragen',
  },
  trust: {
    title: 'Stimmt diese Adresse?',
    signed:
      'Diese Installation hat die Adresse unterschrieben. Prüfen Sie sie, am besten auf einem anderen Gerät:',
    check: 'Adresse prüfen',
    host: (host) =>
      `Bezahlen Sie nur, wenn die Adresszeile Ihres Browsers ${host} zeigt. Niemand, der Ihnen hilft, fragt nach den Wörtern Ihrer Wallet.`,
    domain: 'Geprüfte Domain',
    verified: 'Diese Adresse wurde hier ausgegeben',
    verifiedHint: 'Vergleichen Sie sie Zeichen für Zeichen mit der in Ihrer Wallet.',
    unsigned:
      'Diese Adresse wurde nicht hier ausgegeben, oder ein Zeichen wurde verändert. Bitte senden Sie nichts dorthin.',
    key: 'Öffentlicher Schlüssel (Ed25519)',
    place: 'Adresse, oder der Link zum Prüfen, der auf der Zahlungsseite steht',
    memo: 'Memo oder Tag, falls es eines gibt',
    signature: 'Signatur',
    signatureHint:
      'Die Signatur steht in diesem Link. Eine Adresse allein sagt nichts: Ihre Signatur ist es, die sonst niemand machen kann.',
  },
};
