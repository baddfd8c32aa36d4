// English of mails to customers and of what can be checked: says which texts there are. Whoever
// reads them paid in a shop and knows nothing of us. Mails to the staff of a shop are in the
// languages of the dashboard.

export const enLetters = {
  test: 'Test',
  testHint: 'This was a test: no real money moved.',
  reference: (id: string) => `Reference: ${id}`,
  contact: (contact: string) => `Questions? Ask the shop: ${contact}`,
  why: (shop: string) => `You get this mail because you pay ${shop} and it has your address.`,
  whyAsked: (shop: string) =>
    `You get this mail because somebody gave your address on the page of a payment to ${shop}.`,
  leave: 'No more mails about payments to this shop',
  seen: {
    subject: (shop: string) => `Your payment to ${shop} was seen`,
    title: 'Your payment was seen',
    body: (amount: string) =>
      `${amount} is on its way. The network is confirming it now; you do not have to do anything.`,
    button: 'See how it stands',
  },
  paid: {
    subject: (shop: string) => `Your payment to ${shop} is complete`,
    title: 'Paid. Thank you!',
    body: (shop: string, total: string) => `${shop} has received your payment of ${total}.`,
    button: 'Open the receipt',
  },
  underpaid: {
    subject: (shop: string) => `A part of your payment to ${shop} is missing`,
    title: 'A part is still missing',
    body: (received: string, remaining: string) => `${received} arrived, ${remaining} is missing.`,
    todo: 'The page says what the rest costs now, and how to pay it. You do not want to pay it? Ask the shop for a refund and name the reference.',
    button: 'Pay the rest',
  },
  expired: {
    subject: (shop: string) => `The time to pay ${shop} is over`,
    title: 'The time to pay is over',
    body: 'Nothing was charged. Please send nothing at the old price.',
    todo: 'You still want to pay? The page gives you a new price. You have sent it already? What arrives is still credited: keep the reference.',
    money: {
      body: 'Something came that does not count as this payment: another coin, or a transfer that the network has not confirmed.',
      todo: 'It is not lost. What the network confirms later is still credited. For another coin ask the shop and name the reference. The page shows what was seen.',
    },
    button: 'Open the page',
  },
  claim: {
    subject: (shop: string) => `A refund from ${shop} waits for you`,
    title: 'A refund waits for you',
    body: (shop: string, amount: string) =>
      `${shop} gives you ${amount} back. The page asks where it is to go.`,
    until: (moment: string) =>
      `It is open until ${moment}. Pass the link on to nobody: whoever has it says where the money goes.`,
    button: 'Say where it goes',
  },
  sent: {
    subject: (shop: string) => `Your refund from ${shop} was sent`,
    title: 'Your refund was sent',
    body: (amount: string, address: string) => `${amount} was sent to ${address}.`,
    transaction: (transaction: string) => `Transaction: ${transaction}`,
    button: 'See the payment',
  },
  bill: {
    sent: {
      subject: (shop: string, name: string) => `Invoice ${name} from ${shop}`,
      title: 'Your invoice',
      body: (shop: string, total: string) => `${shop} has sent you an invoice of ${total}.`,
      due: (day: string) => `Please pay it by ${day}.`,
    },
    soon: {
      subject: (shop: string, name: string) => `Reminder: invoice ${name} from ${shop}`,
      title: 'Your invoice is due soon',
      body: (total: string, day: string) => `Your invoice of ${total} is due on ${day}.`,
    },
    today: {
      subject: (shop: string, name: string) => `Invoice ${name} from ${shop} is due today`,
      title: 'Your invoice is due today',
      body: (total: string, day: string) => `Your invoice of ${total} is due today, ${day}.`,
    },
    overdue: {
      subject: (shop: string, name: string) => `Invoice ${name} from ${shop} is overdue`,
      title: 'Your invoice is overdue',
      body: (total: string, day: string) =>
        `Your invoice of ${total} was due on ${day}. We see no payment of it yet.`,
    },
    hint: 'The page shows the invoice and takes the payment, at the price of that moment. Paid already? Then you do not have to do anything.',
    number: (name: string) => `Invoice number: ${name}`,
    button: 'See and pay the invoice',
  },
  page: {
    title: (shop: string) => `Mails about payments to ${shop}`,
    gets: 'You get mails about your payments to this shop.',
    leave: 'No more mails',
    left: 'You get no more mails about your payments to this shop.',
    again: 'Send me mails again',
  },
  staff: {
    why: (shop: string) => `You get this mail because you work with ${shop}.`,
    choose: 'Choose which mails you get',
    paid: {
      subject: (shop: string, total: string) => `${shop}: ${total} paid`,
      title: 'Paid',
      body: (total: string) => `A checkout of ${total} is complete.`,
      button: 'Open the checkout',
    },
    needs: {
      subject: (shop: string) => `${shop}: a payment needs you`,
      title: 'A payment needs you',
      reasons: {
        underpaid: 'Less arrived than was asked for. Accept it, refund it, or wait for the rest.',
        misdirected:
          'Money arrived in another asset or on another network than was asked for. Decide what becomes of it.',
        again: 'A checkout that was paid already was paid once more. Refund what is too much.',
        billAgain: 'An invoice that was paid already was paid once more. Refund what is too much.',
        reversed:
          'The network took back a payment that was credited. See whether you have delivered.',
        failed: 'Money that was to be sent out was not, or came back. See why.',
      },
      button: 'Look at it',
    },
    summary: {
      subject: (shop: string, day: string) => `${shop}: ${day}`,
      title: (day: string) => `Your day: ${day}`,
      paid: (count: string) => `Paid checkouts: ${count}`,
      total: (sums: string) => `In total: ${sums}`,
      needs: (count: string) => `Needed somebody: ${count}`,
      button: 'Open the dashboard',
    },
  },
};

// What stands on a receipt and on an invoice so that it can be checked, and on the page that checks
// it.
export const enVerify = {
  title: 'Check a receipt or an invoice',
  hint: 'Type the code that stands on the receipt or the invoice. You learn what our books say of it, and nothing about the buyer.',
  code: 'Verification code',
  at: 'Check it at',
  check: 'Check',
  unknown: 'No receipt and no invoice of ours has this code. Please compare it sign by sign.',
  compare: 'Compare this with the paper that you hold. What stands here is what counts.',
  issuer: 'Issued by',
  states: {
    paid: 'This is paid',
    partial: 'A part of this is paid',
    open: 'No confirmed payment stands for this',
    reversed: 'This was paid, and the network took the payment back',
    refunded: 'This was paid, and the money was given back',
    partlyRefunded: 'This was paid, and a part was given back',
    cancelled: 'This invoice was cancelled',
    cancellation: 'This document cancels an invoice',
  },
  // What a payment is in the currency of the bill.
  worth: 'Amount paid',
  explorer: 'On the network',
};

export type VerifyTexts = typeof enVerify;

/** What every language of the dashboard has to say in mails. */
export type LetterTexts = typeof enLetters;

/** What every language has to say to customers. */
export type CustomerLetterTexts = Omit<LetterTexts, 'staff'>;
