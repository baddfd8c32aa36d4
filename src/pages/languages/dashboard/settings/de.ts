import type { SettingsTexts } from './en.ts';

export const deSettings: SettingsTexts = {
  title: 'Einstellungen',
  pages: 'Seiten',
  payments: 'Zahlungen',
  domains: 'Eigene Domain',
  export: 'Ihre Daten',
  exportHint:
    'Alles zu diesem Shop in einem ZIP-Archiv: Kunden, Checkouts, Rechnungen, Links, Erstattungen, Überweisungen, Ereignisse, das Hauptbuch mit seinen Berichten, und wer was tat. Es wird geschrieben, während Sie es laden, und dass Sie es geholt haben, steht im Protokoll.',
  exportNot:
    'Schlüssel, Geheimnisse und Passwörter sind nicht darin. Persönliches Ihrer Kunden schon: Verwahren Sie es so sorgfältig, wie diese es täten.',
  exportTake: 'Alles laden',
  preview: 'Vorschau',
  shopName: 'Name des Shops',
  shopNameHint: 'In großen Buchstaben auf Ihren Seiten. Leer: der Name des Kontos.',
  contact: 'Kontakt',
  contactHint:
    'Eine Mail- oder Webadresse, die bei Schwierigkeiten mit einer Zahlung gezeigt wird.',
  sellerInfo: 'Ihre Postanschrift',
  displaySellerInfo: 'Ihre Postanschrift zeigen',
  displayBuyerInfo: 'Rechnungsanschrift des Kunden zeigen',
  explorerLinks: 'Transaktionen mit einem öffentlichen Explorer verlinken',
  primaryColor: 'Farbe der Knöpfe',
  backgroundColor: 'Farbe des Hintergrunds',
  ownColor: (name) => `Verwenden: ${name}`,
  languages: 'Sprachen Ihrer Seiten',
  languagesHint:
    'Kunden lesen Ihre Seiten in der davon, die ihr Browser am liebsten will. Ist keine angekreuzt, werden alle angeboten.',
  languagesFault: 'Die Sprache für alle anderen muss eine der angekreuzten sein.',
  defaultLanguage: 'Sprache, wenn der Browser keine von diesen will',
  returnCountdownSeconds: 'Sekunden, bis eine bezahlte Seite zum Shop zurückkehrt',
  returnCountdownHint: '0 bis 300; bei 0 kehrt sie nicht von selbst zurück.',
  embedOrigins: 'Shops, die die Seite in einem Rahmen zeigen dürfen',
  embedOriginsHint: 'Zum Beispiel https://shop.example; mehrere mit Kommas.',
  logo: 'Ihr Logo',
  logoFile: 'Bild',
  logoHint: 'PNG, JPEG oder WebP, bis 2 MB.',
  logoSet: 'Dieses Logo verwenden',
  logoRemove: 'Logo entfernen',
  risk: 'Welche Werte Sie annehmen',
  riskHint:
    'Riskantere Werte werden Kunden nicht angeboten und nicht gutgeschrieben. Test- und Echtbetrieb sind getrennt.',
  riskLevel: 'Risiko',
  risks: {
    LOW: 'Niedrig: in ihrem Netzwerk heimisch und vielerorts einlösbar',
    MEDIUM: 'Mittel: auch, was vertrauenswürdige Verwahrer überbrücken und einlösen',
    HIGH: 'Hoch: auch, was Sie auf eigenes Risiko annehmen',
  },
  late: 'Geld, das zu spät kommt',
  lateHint:
    'Es wird immer zu dem gutgeschrieben, was es dann wert ist. Hier sagen Sie, wann es den Verkauf von selbst abschließt.',
  lateFloor: 'Mindestwert in Prozent der Summe',
  lateFloorHint: '50 bis 100. Was weniger wert ist, wartet auf Sie.',
  lateDays: 'Tage nach dem Ende des Preises',
  lateDaysHint: (most) => `0 bis ${most}. Was später kommt, wartet auf Sie.`,
  settled: 'Worin Sie Gutschriften erhalten',
  settledHint:
    'Für Bestellungen, die hier entstehen, Zahlungslinks, die Kasse und Rechnungen, wenn Sie dort nichts anderes sagen. Programme sagen es selbst (settlementAsset).',
  underpaid: 'Geld, das ein wenig zu wenig ist',
  underpaidHint:
    'Eine rechtzeitige Zahlung, der weniger als das fehlt, schließt den Verkauf von selbst ab. Was fehlt, ist Ihr Verlust.',
  underpaidPercent: 'Was fehlen darf, in Prozent der Summe',
  underpaidPercentHint: '0 bis 2.',
  underpaidFault: 'Geben Sie eine Prozentzahl von 0 bis 2 ein.',
  methods: 'Zahlungswege und ihre Reihenfolge',
  methodsHint:
    'Kunden sehen sie in dieser Reihenfolge. Was kein Häkchen hat, wird in neuen Bestellungen nicht angeboten; offene bleiben, wie sie sind.',
  methodsAway:
    'Zurzeit ist kein Zahlungsweg bereit. Sie erscheinen hier, sobald ein Netzwerk es ist.',
  methodPlace: 'Platz',
  methodRecommended: 'Empfehlen',
  methodsRecommendedHint:
    'Was Sie empfehlen, steht auf Ihren Seiten zuerst und ist gekennzeichnet, sofort auch in offenen Bestellungen.',
  methodsNone: 'Mindestens ein Zahlungsweg muss bleiben.',
  depths: 'Bestätigungen nach Wert',
  depthsHint:
    'Blöcke, auf die eine Zahlung wartet, nach ihrem Wert in US-Dollar. Weniger, als dieser Server verlangt, wirkt nicht, und was begonnen hat, behält seine Zahl.',
  depth: { small: 'Unter 1.000', medium: 'Unter 50.000', large: 'Darüber' },
  depthsFault: 'Geben Sie ganze Zahlen von 1 bis 1000 ein, und nicht weniger für mehr Geld.',
  domainsHint:
    'Kunden zahlen dann unter Ihrem eigenen Namen. Der Betreiber dieses Servers muss seinen Proxy dafür einrichten.',
  domain: 'Ihre Domain',
  domainHint: 'Zum Beispiel pay.shop.example',
  domainAdd: 'Anmelden',
  domainVerified: 'Bestätigt',
  domainRecords:
    'Tragen Sie diese Einträge dort ein, wo Ihre Domain verwaltet wird, und prüfen Sie dann:',
  domainCheck: 'Jetzt prüfen',
  mailWords: {
    title: 'Ihre eigenen Worte',
    own: 'Eigene Worte',
    hint: 'Reiner Text in dieser Sprache, vor und nach dem, was die Mail von selbst sagt; je bis zu 500 Zeichen und 20 Zeilen. Leer: Nichts kommt dazu. Eine Adresse darin ist kein Link.',
    opening: 'Davor',
    closing: 'Danach',
    fault: 'Schreiben Sie reinen Text mit bis zu 500 Zeichen und 20 Zeilen.',
  },
};
