import type { LetterTexts, VerifyTexts } from './en.ts';

export const deLetters: LetterTexts = {
  test: 'Testbetrieb',
  testHint: 'Das war ein Test: Es wurde kein echtes Geld bewegt.',
  reference: (id) => `Referenz: ${id}`,
  contact: (contact) => `Fragen? Wenden Sie sich an den Shop: ${contact}`,
  why: (shop) =>
    `Sie erhalten diese Mail, weil Sie bei ${shop} bezahlen und der Shop Ihre Adresse hat.`,
  whyAsked: (shop) =>
    `Sie erhalten diese Mail, weil jemand Ihre Adresse auf der Seite einer Zahlung an ${shop} angegeben hat.`,
  leave: 'Keine Mails mehr über Zahlungen an diesen Shop',
  seen: {
    subject: (shop) => `Ihre Zahlung an ${shop} ist zu sehen`,
    title: 'Ihre Zahlung ist zu sehen',
    body: (amount) =>
      `${amount} sind unterwegs. Das Netzwerk bestätigt sie gerade; Sie müssen nichts tun.`,
    button: 'Stand ansehen',
  },
  paid: {
    subject: (shop) => `Ihre Zahlung an ${shop} ist vollständig`,
    title: 'Bezahlt. Vielen Dank!',
    body: (shop, total) => `${shop} hat Ihre Zahlung von ${total} erhalten.`,
    button: 'Beleg öffnen',
  },
  underpaid: {
    subject: (shop) => `Ein Teil Ihrer Zahlung an ${shop} fehlt`,
    title: 'Ein Teil fehlt noch',
    body: (received, remaining) => `${received} sind angekommen, ${remaining} fehlen.`,
    todo: 'Die Seite sagt, was der Rest jetzt kostet und wie Sie ihn bezahlen. Sie möchten ihn nicht bezahlen? Bitten Sie den Shop um Erstattung und nennen Sie die Referenz.',
    button: 'Rest bezahlen',
  },
  expired: {
    subject: (shop) => `Die Zeit für die Zahlung an ${shop} ist abgelaufen`,
    title: 'Die Zeit zum Bezahlen ist abgelaufen',
    body: 'Es wurde nichts berechnet. Bitte senden Sie nichts mehr zum alten Preis.',
    todo: 'Sie möchten doch bezahlen? Die Seite nennt Ihnen einen neuen Preis. Sie haben schon gesendet? Was ankommt, wird noch gutgeschrieben: Behalten Sie die Referenz.',
    money: {
      body: 'Es kam etwas an, das nicht als diese Zahlung zählt: eine andere Währung, oder eine Überweisung, die das Netzwerk nicht bestätigt hat.',
      todo: 'Es ist nicht verloren. Was das Netzwerk später bestätigt, wird noch gutgeschrieben. Bei einer anderen Währung fragen Sie den Shop und nennen die Referenz. Die Seite zeigt, was zu sehen war.',
    },
    button: 'Seite öffnen',
  },
  claim: {
    subject: (shop) => `Eine Erstattung von ${shop} wartet auf Sie`,
    title: 'Eine Erstattung wartet auf Sie',
    body: (shop, amount) =>
      `${shop} gibt Ihnen ${amount} zurück. Die Seite fragt, wohin das Geld gehen soll.`,
    until: (moment) =>
      `Sie ist offen bis ${moment}. Geben Sie den Link niemandem weiter: Wer ihn hat, bestimmt, wohin das Geld geht.`,
    button: 'Angeben, wohin es geht',
  },
  sent: {
    subject: (shop) => `Ihre Erstattung von ${shop} wurde gesendet`,
    title: 'Ihre Erstattung wurde gesendet',
    body: (amount, address) => `${amount} wurden an ${address} gesendet.`,
    transaction: (transaction) => `Transaktion: ${transaction}`,
    button: 'Zahlung ansehen',
  },
  bill: {
    sent: {
      subject: (shop, name) => `Rechnung ${name} von ${shop}`,
      title: 'Ihre Rechnung',
      body: (shop, total) => `${shop} hat Ihnen eine Rechnung über ${total} gestellt.`,
      due: (day) => `Bitte bezahlen Sie sie bis ${day}.`,
    },
    soon: {
      subject: (shop, name) => `Erinnerung: Rechnung ${name} von ${shop}`,
      title: 'Ihre Rechnung ist bald fällig',
      body: (total, day) => `Ihre Rechnung über ${total} ist am ${day} fällig.`,
    },
    today: {
      subject: (shop, name) => `Rechnung ${name} von ${shop} ist heute fällig`,
      title: 'Ihre Rechnung ist heute fällig',
      body: (total, day) => `Ihre Rechnung über ${total} ist heute, am ${day}, fällig.`,
    },
    overdue: {
      subject: (shop, name) => `Rechnung ${name} von ${shop} ist überfällig`,
      title: 'Ihre Rechnung ist überfällig',
      body: (total, day) =>
        `Ihre Rechnung über ${total} war am ${day} fällig. Wir sehen noch keine Zahlung dafür.`,
    },
    hint: 'Auf der Seite sehen Sie die Rechnung und bezahlen sie zum Preis dieses Augenblicks. Schon bezahlt? Dann müssen Sie nichts tun.',
    number: (name) => `Rechnungsnummer: ${name}`,
    button: 'Rechnung ansehen und bezahlen',
  },
  page: {
    title: (shop) => `Mails über Zahlungen an ${shop}`,
    gets: 'Sie erhalten Mails über Ihre Zahlungen an diesen Shop.',
    leave: 'Keine Mails mehr',
    left: 'Sie erhalten keine Mails mehr über Ihre Zahlungen an diesen Shop.',
    again: 'Mails wieder erhalten',
  },
  staff: {
    why: (shop) => `Sie erhalten diese Mail, weil Sie für ${shop} arbeiten.`,
    choose: 'Auswählen, welche Mails Sie erhalten',
    paid: {
      subject: (shop, total) => `${shop}: ${total} bezahlt`,
      title: 'Bezahlt',
      body: (total) => `Ein Checkout über ${total} ist vollständig.`,
      button: 'Checkout öffnen',
    },
    needs: {
      subject: (shop) => `${shop}: Eine Zahlung braucht Sie`,
      title: 'Eine Zahlung braucht Sie',
      reasons: {
        underpaid:
          'Es kam weniger an, als verlangt war. Nehmen Sie es an, erstatten Sie es, oder warten Sie auf den Rest.',
        misdirected:
          'Es kam Geld in einem anderen Wert oder auf einem anderen Netzwerk an, als verlangt war. Entscheiden Sie, was damit geschieht.',
        again:
          'Ein Checkout, der schon bezahlt war, wurde noch einmal bezahlt. Erstatten Sie, was zu viel ist.',
        billAgain:
          'Eine Rechnung, die schon bezahlt war, wurde noch einmal bezahlt. Zahlen Sie zurück, was zu viel ist.',
        reversed:
          'Das Netzwerk hat eine Zahlung zurückgenommen, die gutgeschrieben war. Sehen Sie nach, ob Sie schon geliefert haben.',
        failed:
          'Geld, das hinausgehen sollte, ging nicht hinaus oder kam zurück. Sehen Sie nach, warum.',
      },
      button: 'Ansehen',
    },
    summary: {
      subject: (shop, day) => `${shop}: ${day}`,
      title: (day) => `Ihr Tag: ${day}`,
      paid: (count) => `Bezahlte Checkouts: ${count}`,
      total: (sums) => `Zusammen: ${sums}`,
      needs: (count) => `Brauchte jemanden: ${count}`,
      button: 'Dashboard öffnen',
    },
  },
};

export const deVerify: VerifyTexts = {
  title: 'Quittung oder Rechnung prüfen',
  hint: 'Geben Sie den Code ein, der auf der Quittung oder der Rechnung steht. Sie erfahren, was unsere Bücher dazu sagen, und nichts über den Käufer.',
  code: 'Prüfcode',
  at: 'Prüfen unter',
  check: 'Prüfen',
  unknown:
    'Keine unserer Quittungen und Rechnungen hat diesen Code. Bitte vergleichen Sie jedes Zeichen.',
  compare: 'Vergleichen Sie dies mit dem Papier, das Sie haben. Was hier steht, gilt.',
  issuer: 'Ausgestellt von',
  states: {
    paid: 'Das ist bezahlt',
    partial: 'Ein Teil davon ist bezahlt',
    open: 'Dafür gibt es keine bestätigte Zahlung',
    reversed: 'Das war bezahlt, und das Netzwerk hat die Zahlung zurückgenommen',
    refunded: 'Das war bezahlt, und das Geld wurde zurückgegeben',
    partlyRefunded: 'Das war bezahlt, und ein Teil wurde zurückgegeben',
    cancelled: 'Diese Rechnung wurde storniert',
    cancellation: 'Dieses Dokument storniert eine Rechnung',
  },
  worth: 'Bezahlter Betrag',
  explorer: 'Im Netzwerk',
};
