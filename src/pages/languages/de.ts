import type { Texts } from './en.ts';
import { dePaying, deShop } from './paying/de.ts';
import { countedText, type NounForms } from './plural.ts';

const count = (number: number, forms: NounForms) => countedText('de', number, forms);

export const de: Texts = {
  paying: dePaying,
  shop: deShop,
  page: {
    language: 'Sprache',
    skip: 'Direkt zur Zahlung',
    notInFrame: 'Diese Seite kann nicht in einer anderen Seite gezeigt werden.',
    newWindow: 'In einem neuen Fenster öffnen',
    poweredBy: 'Zahlungen mit Quittance',
    testMode: 'Testbetrieb',
    testModeHint: 'Hier fließt kein echtes Geld.',
    ...{ copy: 'Kopieren', copied: 'Kopiert' },
    back: 'Zurück',
    tryAgain: 'Erneut versuchen',
  },
  summary: {
    title: 'Ihre Bestellung',
    quantity: (quantity) => `× ${quantity}`,
    discount: 'Rabatt',
    shipping: 'Versand',
    tax: 'Steuer',
    total: 'Gesamtbetrag',
    seller: 'Verkäufer',
    order: 'Zahlungsreferenz',
  },
  choose: {
    title: (total) => `${total} bezahlen`,
    hint: 'Wählen Sie, womit Sie bezahlen möchten.',
    networkTitle: (group) => `Mit ${group} bezahlen`,
    networkHint: 'Wählen Sie das Netzwerk, über das Ihre Wallet oder Börse sendet.',
    only: 'Auf der nächsten Seite sehen Sie den Betrag und wohin Sie ihn senden.',
    continue: 'Weiter',
    otherGroups: 'Andere Währungen',
    back: 'Zurück zur Zahlung',
    on: (network) => `über ${network}`,
    timeInstant: 'in Sekunden bestätigt',
    timeMinutes: (minutes) => `Bestätigung in etwa ${minutes}`,
    exchanges: 'auch von Börsen aus',
    none: 'Es ist kein Zahlungsweg mehr offen. Bitte kehren Sie zum Shop zurück und bestellen Sie erneut.',
    slow: 'Zahlungen erscheinen gerade verspätet',
  },
  pay: {
    title: (total) => `${total} bezahlen`,
    amount: 'Senden Sie genau',
    amountRest: 'Noch zu senden',
    address: (network) => `An diese ${network}-Adresse`,
    invoice: 'Bezahlen Sie diese Lightning-Rechnung',
    memo: 'Mit diesem Memo',
    tag: 'Mit diesem Destination-Tag',
    memoWarning:
      'Das Memo gehört zu Ihrer Zahlung. Ohne das Memo können wir sie Ihnen nicht zuordnen.',
    tagWarning: 'Das Tag gehört zu Ihrer Zahlung. Ohne es können wir sie Ihnen nicht zuordnen.',
    onlyNetwork: (assetCode, network) =>
      `Senden Sie ${assetCode} nur über das Netzwerk ${network}. Alles andere kann verloren gehen.`,
    qrLink: 'Ganzer Link',
    qrAddress: 'Nur Adresse',
    qrShows: 'Der Code enthält',
    qrAlt: (content) => `QR-Code. Er enthält: ${content}`,
    link: 'Zahlungslink als Text',
    wallet: 'In der Wallet öffnen',
    exchange:
      'Sie zahlen von einer Börse aus? Deren Auszahlungsgebühr kommt hinzu: Achten Sie darauf, dass genau dieser Betrag ankommt.',
    timeLeft: (time) => `Noch ${time} zu diesem Preis`,
    timeShort: 'weniger als eine Minute',
    windowOver: 'Die Zeit für diesen Preis ist abgelaufen.',
    watching:
      'Wir beobachten das Netzwerk. Diese Seite ändert sich, sobald wir Ihre Zahlung sehen.',
    change: 'Anders bezahlen',
    cancel: 'Zahlung abbrechen',
    rate: (one, price, time) => `${one} = ${price}, Stand ${time}`,
    networkFee: (network) => `Ihre Wallet rechnet die Gebühr des Netzwerks ${network} hinzu.`,
    anchorFee: (fee) => `Davon sind ${fee} die Gebühr des Dienstes, der die Zahlung weiterleitet.`,
    unify: 'Ein Code für Bitcoin und Lightning',
  },
  bank: {
    time: 'etwa ein Bankarbeitstag',
    holder: 'Kontoinhaber',
    account: 'Kontonummer',
    pixKey: 'Pix-Schlüssel',
    reference: 'Mit diesem Verwendungs\u00adzweck',
    referenceWarning:
      'Der Verwendungszweck gehört zu Ihrer Zahlung. Ohne ihn wissen wir nicht, wer bezahlt hat.',
    duration:
      'Eine Überweisung dauert etwa einen Bankarbeitstag. Sie zählt, wann immer sie ankommt.',
    code: 'Scannen Sie den Code mit der App Ihrer Bank.',
    fees: 'Ihre Bank berechnet vielleicht eine Gebühr. Genau dieser Betrag muss ankommen.',
    watching:
      'Sie können diese Seite schließen. Der Shop erfährt von Ihrer Überweisung, sobald unsere Bank sie bucht.',
  },
  seen: {
    title: 'Wir sehen Ihre Zahlung',
    hint: 'Sie können diese Seite schließen. Alles Weitere geschieht von selbst.',
    amount: 'Bisher gesehen',
    confirmations: (have, need) =>
      `${have} von ${count(need, { one: 'Bestätigung', other: 'Bestätigungen' })}`,
    waiting: 'wartet auf die erste Bestätigung',
    final: 'bestätigt',
    held: 'bestätigt, wird noch zurückgehalten',
    heldHint:
      'Das Netzwerk läuft zurzeit nicht so, wie es soll. Größere Zahlungen warten, bis es das wieder tut. Sie müssen nichts tun.',
    wrongAsset: 'anderer Wert als verlangt',
    transaction: 'Transaktion',
    timeSeconds: 'Meist innerhalb einer Minute erledigt.',
    timeMinutes: (range) =>
      `Meist in ${range} erledigt. Blöcke kommen in unregelmäßigen Abständen.`,
    short: 'Es ist weniger als der Preis. Bitte senden Sie auch den Rest.',
    explorer: (host) => `Ansehen auf ${host}`,
  },
  partial: {
    title: 'Ein Teil fehlt noch',
    hint: 'Ihre Zahlung ist angekommen, aber es war weniger als der Preis.',
    received: 'Erhalten',
    remaining: 'Es fehlen noch',
    rest: 'Senden Sie den Rest auf demselben Weg:',
    windowOver: 'Die Zeit für diesen Preis ist abgelaufen: Bitte senden Sie nichts mehr zum alten.',
    alternatives:
      'Sie möchten den Rest nicht bezahlen? Bitten Sie den Shop um Erstattung und nennen Sie die Referenz.',
  },
  paid: {
    title: 'Bezahlt. Vielen Dank!',
    hint: 'Die Zahlung ist vollständig, und der Shop ist benachrichtigt.',
    amount: 'Betrag',
    seller: 'Bezahlt an',
    when: 'Abgeschlossen',
    reference: 'Referenz',
    return: 'Zurück zum Shop',
    print: 'Sie können diese Seite als Zahlungsnachweis drucken oder speichern.',
    leaving: (time) => `In ${time} geht es zurück zum Shop.`,
    stay: 'Auf dieser Seite bleiben',
  },
  expired: {
    title: 'Die Zeit zum Bezahlen ist abgelaufen',
    doNotSend: 'Bitte senden Sie jetzt nichts mehr.',
    alreadySent: 'Haben Sie schon gesendet?',
    alreadySentHint:
      'Wir beobachten die Adresse weiter, und was ankommt, wird noch gutgeschrieben. Bewahren Sie diese Referenz auf.',
    wasDue: 'Verlangt waren',
    address: 'An die Adresse',
    newPrice: 'Neuen Preis holen',
    again: 'Anderen Zahlungsweg wählen',
    return: 'Zurück zum Shop',
  },
  cancelled: {
    title: 'Zahlung abgebrochen',
    nothing: 'Es wurde nichts abgebucht.',
    hint: 'Bitte senden Sie nichts an die Adresse, die Sie gesehen haben.',
    sent: 'Falls Sie vorher etwas gesendet haben, wird es dem Shop noch gutgeschrieben: Nennen Sie dort diese Referenz.',
    back: 'Zurück zum Shop',
  },
  trouble: {
    title: 'Wir prüfen das noch',
    behindOver: (network) =>
      `Die Zeit zum Bezahlen ist abgelaufen, aber wir sehen die neuesten Zahlungen über ${network} gerade nicht. Wenn Sie bezahlt haben, wird Ihre Zahlung gefunden. Wenn nicht, senden Sie jetzt bitte nichts mehr.`,
    behind: (network) =>
      `Wir sehen die neuesten Zahlungen über ${network} gerade nicht. Was ankommt, erscheint hier etwas später.`,
    replaced:
      'Eine Zahlung, die wir gesehen hatten, wurde ersetzt oder zurückgezogen. Es zählt nur, was das Netzwerk bestätigt.',
    wrongAsset:
      'Es ist ein anderer Wert angekommen als verlangt. Er ist nicht verloren, bezahlt aber diese Bestellung nicht: Fragen Sie den Shop und nennen Sie die Referenz.',
    reversed:
      'Das Netzwerk hat eine bestätigte Zahlung rückgängig gemacht: Sie zählt nicht mehr. Der Shop ist benachrichtigt.',
    takenBack: 'Ihre Zahlung wurde rückgängig gemacht',
    takenBackHint:
      'Das Netzwerk hat eine bestätigte Zahlung rückgängig gemacht. Der Shop ist benachrichtigt: Bitte fragen Sie dort nach, bevor Sie noch einmal bezahlen.',
    rateMissing: (assets) =>
      `Für ${assets} gibt es gerade keinen aktuellen Preis, deshalb ist es im Moment nicht wählbar.`,
    wrongNetwork: (amount, network) =>
      `${amount} ist über ${network} angekommen, wo es nicht verlangt war. Es ist nicht verloren, bezahlt aber diese Bestellung nicht: Wenden Sie sich an den Shop und nennen Sie die Referenz.`,
  },
  notice: {
    over: (amount) =>
      `Sie haben ${amount} zu viel gesendet. Auch das wurde dem Shop gutgeschrieben: Bitten Sie dort um Rückgabe.`,
    late: 'Sie kam nach Ablauf der Zeit an und wurde zum Preis bei Ankunft gutgeschrieben.',
    multiple:
      'Für diese Bestellung ist mehr als eine Zahlung angekommen. Fragen Sie den Shop nach dem, was zu viel war.',
    acceptedUnderpaid: 'Es war weniger als der Preis, und der Shop hat es angenommen.',
    refundAwaiting: (amount) =>
      `Der Shop gibt Ihnen ${amount} zurück. Sie bekommen von ihm einen Link, unter dem Sie sagen, wohin.`,
    refundUnderWay: (amount) => `Der Shop gibt Ihnen ${amount} zurück: Es ist unterwegs.`,
    refundCompleted: (amount) => `Der Shop hat Ihnen ${amount} zurückgegeben.`,
  },
  contact: {
    hint: 'Fragen? Nennen Sie die Referenz.',
    link: 'Shop kontaktieren',
  },
  find: {
    title: 'Meine Zahlung finden',
    hint: 'Schon gesendet? Fügen Sie die Transaktions-ID aus Ihrer Wallet oder Börse ein.',
    label: 'Transaktions-ID',
    button: 'Prüfen',
    unreadable:
      'Darin ist keine Transaktions-ID. Sie hat 64 Buchstaben und Ziffern; Ihre Wallet zeigt sie in den Details der Zahlung.',
    waiting: (amount) =>
      `Wir sehen sie: ${amount}. Sie wartet auf die erste Bestätigung; Sie müssen nichts weiter tun.`,
    confirming: (amount) =>
      `Wir sehen sie: ${amount}. Das Netzwerk bestätigt sie gerade; Sie müssen nichts weiter tun.`,
    confirmed: (amount) => `Sie ist angekommen und bestätigt: ${amount}.`,
    gone: 'Wir hatten sie gesehen, aber das Netzwerk hat sie ersetzt oder verworfen. Es zählt nur, was das Netzwerk bestätigt: Bitte sehen Sie in Ihrer Wallet nach.',
    less: (amount, missing) =>
      `Sie ist angekommen: ${amount}. Das reicht noch nicht: Es fehlen ${missing}.`,
    lessAsk: (amount) =>
      `Sie ist angekommen: ${amount}. Das ist weniger als der Preis: Fragen Sie den Shop und nennen Sie die Referenz.`,
    more: (amount, excess) =>
      `Sie ist angekommen: ${amount}. Das sind ${excess} zu viel; bitten Sie den Shop um Rückgabe.`,
    wrongAsset: (asset) =>
      `Sie ist angekommen, aber in ${asset}, was nicht verlangt war. Sie ist nicht verloren: Wenden Sie sich an den Shop und nennen Sie die Referenz.`,
    wrongNetwork: (network) =>
      `Diese Zahlung liegt im Netzwerk ${network}, und dort war sie nicht verlangt. Sie ist nicht verloren: Wenden Sie sich an den Shop und nennen Sie die Referenz.`,
    otherNetwork:
      'Diese ID gehört zu einer anderen Art von Netzwerk als dem, auf dem Sie zahlen sollten. Bitte prüfen Sie in Ihrer Wallet, über welches Netzwerk Sie gesendet haben, und wenden Sie sich an den Shop.',
    noMemo: (network) =>
      `Sie ist über ${network} angekommen, aber ohne das Memo oder Tag, das Ihre Bestellung nennt. Sie ist nicht verloren: Wenden Sie sich mit der Referenz und dieser Transaktion an den Shop.`,
    elsewhere:
      'Diese Zahlung gehört nicht zu dieser Bestellung. Bitte prüfen Sie, ob Sie die richtige eingefügt haben.',
    notFound:
      'Wir sehen sie noch nicht. Wenn Ihre Wallet sagt, dass sie gesendet wurde, prüfen Sie dort Netzwerk und Adresse und fragen Sie in einigen Minuten noch einmal.',
    notFoundBehind: (networks) =>
      `Wir sehen sie nicht, sehen aber gerade auch die neuesten Zahlungen über ${networks} nicht. Bitte fragen Sie etwas später noch einmal; es ist nichts verloren.`,
    tooOften:
      'Das wurde in kurzer Zeit sehr oft gefragt. Bitte warten Sie eine Minute und versuchen Sie es erneut.',
  },
  error: {
    missingTitle: 'Diese Seite gibt es nicht',
    missingHint: 'Die Adresse ist unvollständig, oder es war nie eine von uns.',
    methodGone: 'Dieser Zahlungsweg ist nicht mehr offen. Bitte wählen Sie einen anderen.',
    hasMoney: 'Es wurde schon eine Zahlung gesehen, deshalb ist ein Abbruch nicht möglich.',
    completed: 'Diese Bestellung ist schon bezahlt.',
    outageTitle: 'Einen Moment, bitte',
    outageHint:
      'Ein Teil unseres Systems antwortet gerade nicht. Es ist nichts verloren. Bitte versuchen Sie es erneut.',
    faultTitle: 'Bei uns ist etwas schiefgegangen',
    faultHint:
      'Es ist nichts verloren. Bitte versuchen Sie es erneut; wenn es wieder geschieht, sagen Sie dem Shop Bescheid.',
    refusedTitle: 'Das hat nicht geklappt',
    refusedHint: 'Bitte gehen Sie zurück und versuchen Sie es erneut.',
    rateAway:
      'Für diesen Zahlungsweg gibt es gerade keinen aktuellen Preis. Es wurde nichts abgebucht: Bitte wählen Sie einen anderen, oder versuchen Sie es in einer Minute erneut.',
    networkAway:
      'Dieses Netzwerk antwortet uns gerade nicht. Es wurde nichts abgebucht: Bitte wählen Sie ein anderes, oder versuchen Sie es in einer Minute erneut.',
    addressPending:
      'Die Adresse wird noch vorbereitet. Es wurde nichts abgebucht: Bitte wählen Sie diesen Weg in einigen Sekunden noch einmal.',
  },
  link: {
    amount: 'Betrag',
    between: (least, most) => `Von ${least} bis ${most}.`,
    atLeast: (least) => `Mindestens ${least}.`,
    atMost: (most) => `Höchstens ${most}.`,
    pay: 'Weiter zur Zahlung',
    wrong: 'Bitte einen Betrag wie 12,50 eingeben, den dieser Link annimmt.',
    off: 'Dieser Link ist gerade nicht in Gebrauch.',
    over: 'Die Zeit dieses Links ist vorbei.',
    soldOut:
      'Nichts ist mehr übrig. Vielleicht wird etwas frei: in einer Stunde noch einmal schauen.',
    closed: 'Das kann gerade nicht bezahlt werden. Bitte später noch einmal versuchen.',
  },
  refund: {
    title: (amount) => `Rückzahlung von ${amount}`,
    hint: (network) =>
      `Der Shop schickt Ihnen dieses Geld zurück. Sagen Sie uns wohin, im Netzwerk ${network}.`,
    yourAddress: (network) => `Ihre Adresse bei ${network}`,
    lightningAddress:
      'Ihre Lightning-Adresse (name@beispiel.de), oder eine Rechnung über genau diesen Betrag',
    memoLabel: 'Memo, falls Ihre Börse eines verlangt',
    tagLabel: 'Destination-Tag, falls Ihre Börse einen verlangt',
    memoHint:
      'Börsen verlangen es: Ohne kommt das Geld vielleicht nicht auf Ihrem Konto an. Bei einer eigenen Wallet bleibt es leer.',
    memoType: 'Art des Memos',
    check: 'Prüfen Sie die Angaben gut: Gesendetes lässt sich nicht zurückholen.',
    claim: 'Dorthin senden',
    next: 'Weiter',
    review: 'Stimmt das so?',
    edit: 'Ändern',
    none: 'keines',
    until: 'Offen bis',
    looksLike: (forms) => `Sie beginnt mit ${forms}.`,
    whereFrom: (network) =>
      `Aus einer eigenen Wallet (App oder Gerät, deren Schlüssel nur Sie haben): Kopieren Sie die Empfangsadresse für ${network}. Von einer Börse: Kopieren Sie die Einzahlungsadresse für genau dieses Netzwerk.`,
    bankHint: {
      SEPA: 'Die IBAN Ihres Kontos bei einer Bank im SEPA-Raum.',
      SWIFT:
        'Vier Teile mit Strichpunkt dazwischen: IBAN oder Kontonummer; BIC; Name des Inhabers; Straße, Ort, Länderkürzel.',
      PIX: 'Ihr Pix-Schlüssel: CPF, CNPJ, E-Mail-Adresse, Telefonnummer mit +55 oder Zufallsschlüssel.',
    },
    noAddress:
      'Das ist keine Adresse dieses Netzwerks. Bitte kopieren Sie sie noch einmal aus Ihrer Wallet.',
    badMemo:
      'Dieses Memo passt nicht zu seiner Art. Bitte kopieren Sie es noch einmal von Ihrer Börse.',
    badTag:
      'Ein Destination-Tag ist eine ganze Zahl. Bitte kopieren Sie ihn noch einmal von Ihrer Börse.',
    tooDear:
      'Das Netzwerk verlangt für eine Sendung gerade viel mehr als damals, als diese Rückzahlung angelegt wurde. Das Geld bleibt für Sie reserviert: Bitte kommen Sie in einigen Stunden wieder.',
    underWay: 'Ihre Rückzahlung ist unterwegs. Sie können diese Seite schließen.',
    rests: (when: string) =>
      `Zu Ihrer Sicherheit wird Ihre Rückzahlung nach ${when} gesendet. Sie können diese Seite schließen.`,
    completed: 'Ihre Rückzahlung wurde gesendet und ist angekommen.',
    toClaim: (asset) =>
      `Ihre Rückzahlung wurde gesendet. Ihr Konto nimmt ${asset} noch nicht an, darum wartet das Geld im Netzwerk auf Sie: Fügen Sie ${asset} in Ihrer Wallet hinzu und rufen Sie dann das unten genannte Guthaben ab.`,
    claimBefore: (when) =>
      `Rufen Sie es vor dieser Zeit ab: ${when}. Danach kann der Shop es zurückholen.`,
    failed: 'Die Rückzahlung konnte nicht gesendet werden. Bitte fragen Sie den Shop.',
    address: 'An diese Adresse',
    transaction: 'Transaktion',
    uncertain:
      'Ihre Erstattung wird gesendet, sobald das Netzwerk Ihre Zahlung wieder bestätigt hat.',
    takenBack:
      'Das Netzwerk hat Ihre Zahlung zurückgenommen, daher ist nichts zu erstatten: Das Geld ist noch oder wieder dort, von wo Sie bezahlt haben.',
  },
  paper: {
    receipt: 'Quittung',
    invoice: 'Rechnung',
    date: 'Datum',
    buyer: 'Käufer',
    taxId: 'Steuernummer',
    description: 'Beschreibung',
    amount: 'Summe',
    state: 'Stand',
    states: {
      open: 'Offen',
      underWay: 'Zahlung unterwegs',
      partial: 'Teilweise bezahlt',
      paid: 'Bezahlt',
      over: 'Zeit zum Bezahlen abgelaufen',
      cancelled: 'Abgebrochen',
    },
    due: 'Zu zahlen',
    howToPay: 'So bezahlen Sie',
    howToPayHint:
      'Öffnen Sie diese Adresse oder scannen Sie den Code. Dort wählen Sie, womit Sie bezahlen, und sehen den genauen Betrag.',
    payment: (number) => `Zahlung ${number}`,
    arrived: 'Gesehen',
    confirmed: 'Bestätigt',
    notConfirmed: 'noch nicht bestätigt',
    network: 'Netzwerk',
    rate: 'Kurs',
    refund: (number) => `Rückzahlung ${number}`,
    refunded: 'Zurückgezahlt',
    print: 'Sie können diese Seite drucken oder speichern.',
    pdf: 'Quittung als PDF',
    toPayment: 'Zur Zahlungsseite',
    page: (page, pages) => `Seite ${page} von ${pages}`,
    missingTitle: 'Es gibt noch keine Quittung',
    missingHint: 'Sie erscheint hier, sobald die Zahlung bestätigt ist.',
  },
  bill: {
    number: 'Rechnungsnummer',
    dueOn: 'Zahlbar bis',
    net: 'Nettobetrag',
    vatId: 'USt-IdNr.',
    taxNumber: 'Steuernummer des Verkäufers',
    delivered: 'Lieferung oder Leistung',
    cancellation: 'Stornorechnung',
    cancels: (name, day) => `Sie hebt die Rechnung ${name} vom ${day} auf.`,
    cancelledBy: (name) => `Diese Rechnung wurde durch ${name} storniert.`,
    overdue: 'Überfällig',
    pay: 'Jetzt bezahlen',
    payHint: 'Sie wählen, womit Sie bezahlen, und sehen den Preis dieses Augenblicks.',
    underWay: 'Eine Zahlung für diese Rechnung ist unterwegs.',
    pdf: 'Rechnung als PDF',
  },
  sandbox: {
    title: 'Sandbox-Wallet',
    hint: 'Spielen Sie die zahlende Person. Nur im Testbetrieb, auf simulierten Netzwerken.',
    payExact: 'Genau bezahlen',
    payUnder: 'Die Hälfte bezahlen',
    payOver: 'Ein Viertel zu viel',
    payParts: 'In zwei Teilen',
    payLate: 'Zu spät bezahlen',
    replace: 'Zahlung ersetzen',
    reorg: 'Reorganisieren',
    mine: 'Block erzeugen',
    expire: 'Jetzt ablaufen lassen',
    payRest: 'Den Rest bezahlen',
    payOtherAsset: 'In anderem Wert bezahlen',
  },
};
