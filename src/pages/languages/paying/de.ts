// German of what a payer sees beside the plain words of a page.
import { countedText, type NounForms } from '#pages/languages/plural.ts';
import type { PayingTexts, ShopTexts } from './en.ts';

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
  mail: {
    title: 'Per E-Mail Bescheid geben, wenn es fertig ist',
    hint: 'Eine Mail, wenn bezahlt ist oder wenn Sie noch etwas tun können. Die Adresse wird für nichts anderes verwendet.',
    label: 'E-Mail-Adresse',
    button: 'Bescheid geben',
    asked: 'Sie bekommen per E-Mail Bescheid',
    again: 'Vertippt? Geben Sie die Adresse noch einmal an.',
    fault: 'Bitte geben Sie eine Adresse wie ann@mail.example an.',
  },
  ask: {
    title: 'Bevor Sie bezahlen',
    optional: 'freiwillig',
    pick: 'Bitte wählen',
    terms: (shop) => `Ich nehme die Bedingungen von ${shop} an.`,
    readTerms: 'Bedingungen lesen',
    tip: 'Trinkgeld geben?',
    noTip: 'Kein Trinkgeld',
    otherTip: 'Anderer Betrag',
    ownTip: (currency) => `Trinkgeld in ${currency}`,
    tipLine: 'Trinkgeld',
    go: 'Weiter',
    change: 'Antworten ändern',
    wrong: 'Bitte sehen Sie sich das Markierte an.',
    fixed:
      'Sie haben einen Zahlungsweg gewählt: Ihre Antworten und das Trinkgeld bleiben, wie sie sind.',
    faults: {
      required: 'Bitte füllen Sie dies aus.',
      tick: 'Bitte kreuzen Sie dies an.',
      plain: 'Bitte schreiben Sie einfachen Text in einer Zeile.',
      short: (bound) => `Zu kurz (mindestens ${bound}).`,
      long: (bound) => `Zu lang (höchstens ${bound}).`,
      email: 'Das ist keine E-Mail-Adresse.',
      number: 'Das ist keine Zahl.',
      low: (bound) => `Mindestens ${bound}, bitte.`,
      high: (bound) => `Höchstens ${bound}, bitte.`,
      choice: 'Bitte wählen Sie eines davon.',
      tip: 'Dieses Trinkgeld ist nicht möglich.',
    },
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
  wallets: {
    app: (app: string) => `In ${app} öffnen`,
    with: (wallet: string) => `Mit ${wallet} bezahlen`,
    browser: 'Mit der Wallet dieses Browsers bezahlen',
    asking: (wallet: string) => `Bestätigen Sie die Zahlung in ${wallet}.`,
    switching: (network: string) =>
      `Ihre Wallet fragt, ob sie ins Netzwerk ${network} wechseln soll.`,
    missing: (network: string) =>
      `Ihre Wallet kennt das Netzwerk ${network} nicht. Fügen Sie es dort hinzu oder bezahlen Sie mit dem Code.`,
    otherNetwork: (network: string) =>
      `Ihre Wallet ist in einem anderen Netzwerk. Wechseln Sie dort ins Netzwerk ${network} und versuchen Sie es noch einmal.`,
    poor: (account: string, held: string, needed: string) =>
      `Das Konto ${account} hält ${held}, nötig sind ${needed}. Wählen Sie in Ihrer Wallet ein anderes Konto.`,
    refused: 'Sie haben in Ihrer Wallet abgelehnt. Es wurde nichts gesendet.',
    waiting: 'In Ihrer Wallet wartet schon eine Frage. Öffnen Sie sie und antworten Sie dort.',
    silent:
      'Ihre Wallet antwortet nicht. Öffnen und entsperren Sie sie und versuchen Sie es noch einmal.',
    failed:
      'Das konnte Ihre Wallet nicht. Sehen Sie dort nach, ob etwas gesendet wurde, bevor Sie es noch einmal versuchen.',
    sent: 'Gesendet. Diese Seite ändert sich, sobald das Netzwerk Ihre Zahlung zeigt.',
    again: (wallet: string) => `Noch einmal mit ${wallet} senden`,
    scan: 'Scannen Sie diesen Code mit Ihrer Wallet, oder öffnen Sie eine Wallet auf diesem Gerät.',
    ended:
      'Ihre Wallet hat die Verbindung beendet. Sehen Sie dort nach, ob etwas gesendet wurde, bevor Sie es noch einmal versuchen.',
    away: 'WalletConnect ist von hier aus nicht erreichbar. Bezahlen Sie mit dem Code auf der Seite.',
    ownWindow: 'Wallet nicht gefunden? Diese Seite in einem eigenen Fenster öffnen',
  },
};

export const deShop: ShopTexts = {
  title: 'Alles für das Schreiben von Hand',
  hint: 'Ein Probeladen: Nehmen Sie etwas, gehen Sie zur Kasse und zahlen Sie mit der Sandbox-Wallet.',
  embedded: 'Bezahlen, ohne die Seite zu verlassen',
  embeddedHint: (product) =>
    `${product}, in einem Fenster über dieser Seite: die gehostete Bezahlseite, geöffnet von einem Skript.`,
  howTo: 'So geht es in einem Shop',
  payHere: 'Hier bezahlen',
  states: 'Alle Zustände der Bezahlseite ansehen',
  skip: 'Zum Inhalt springen',
  shop: 'Laden',
  add: 'In den Warenkorb',
  addOf: (product) => `In den Warenkorb: ${product}`,
  less: (product) => `Eins weniger: ${product}`,
  more: (product) => `Eins mehr: ${product}`,
  cart: 'Warenkorb',
  post: 'Briefversand',
  tax: 'MwSt.',
  total: 'Summe ohne MwSt.',
  checkOut: 'Mit Krypto bezahlen',
  empty: 'Ihr Warenkorb ist leer.',
  look: 'Umsehen',
  order: 'Bestellung',
  state: 'Zustand im letzten Webhook',
  none: 'noch keiner',
  back: 'Zurück zum Laden',
  webhooks: 'Empfangene Webhooks',
  webhooksHint:
    'Mehr weiß der Laden nicht. Er glaubt einem Webhook nur, wenn die Signatur passt, und zwar dem mit der höchsten Folgenummer.',
  nothing: 'Noch ist nichts angekommen. Diese Seite fragt von selbst wieder nach.',
  verified: 'Signatur geprüft: ja',
  unverified: 'Signatur geprüft: nein',
  noEvent: 'kein Ereignis',
  headers: 'Kopfzeilen',
  body: 'Inhalt',
  told: {
    completed: { title: 'Danke! Ihre Bestellung ist bezahlt.', hint: 'Wir packen sie schon ein.' },
    pending: { title: 'Ihre Zahlung ist unterwegs.', hint: 'Das Netzwerk bestätigt sie gerade.' },
    underpaid: {
      title: 'Ein Teil fehlt noch.',
      hint: 'Die Bezahlseite zeigt, wie Sie ihn senden.',
    },
    expired: {
      title: 'Nicht rechtzeitig bezahlt.',
      hint: 'Wenn Sie später gezahlt haben, zählt es trotzdem.',
    },
    cancelled: { title: 'Abgebrochen.', hint: 'Es wurde nichts berechnet.' },
    waiting: { title: 'Wir warten auf die Zahlung.', hint: 'Der Laden hat noch nichts gehört.' },
  },
  madeUp: 'Bestellungen und Waren sind erfunden.',
  about: 'Über diesen Dienst',
  products: {
    notebook: {
      name: 'Notizbuch mit Punktraster',
      about: '192 Seiten, die flach liegen, in Leinen gebunden',
    },
    pen: {
      name: 'Stift aus Messing',
      about: 'Aus einem Stab gedreht, wird mit den Jahren schöner',
    },
    ink: { name: 'Moosgrüne Tinte', about: '50 ml Grün, das fast schwarz trocknet' },
    cards: { name: 'Postkarten mit Farn', about: 'Acht gepresste Farne, von Hand gedruckt' },
  },
};
