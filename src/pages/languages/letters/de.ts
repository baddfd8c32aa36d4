import type { LetterTexts } from './en.ts';

export const deLetters: LetterTexts = {
  test: 'Testbetrieb',
  testHint: 'Das war ein Test: Es wurde kein echtes Geld bewegt.',
  reference: (id) => `Referenz: ${id}`,
  contact: (contact) => `Fragen? Wenden Sie sich an den Shop: ${contact}`,
  why: (shop) =>
    `Sie erhalten diese Mail, weil Sie bei ${shop} bezahlen und der Shop Ihre Adresse hat.`,
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
  page: {
    title: (shop) => `Mails über Zahlungen an ${shop}`,
    gets: 'Sie erhalten Mails über Ihre Zahlungen an diesen Shop.',
    leave: 'Keine Mails mehr',
    left: 'Sie erhalten keine Mails mehr über Ihre Zahlungen an diesen Shop.',
    again: 'Mails wieder erhalten',
  },
};
