// English of what came in and what needs somebody: says which texts there are.

export const enToday = {
  today: {
    title: 'Today',
    first: 'What to do first',
    nothingSold: 'Nothing has been sold here yet.',
    tryFirst:
      'Try everything in test mode first: it looks and works the same, and no real money moves.',
    manual: 'Manual',
    steps: {
      key: 'Make an API key: your shop signs its requests with it.',
      checkout: 'Ask for a first checkout: the manual shows the line to paste.',
      webhook: 'Let your shop be told when somebody has paid.',
      settings: 'Your name, colour and logo on the pages that customers see.',
      people: 'Invite those who work with you, each with a role.',
    },
    needsTitle: 'What needs somebody',
    nothingWaits: 'Nothing waits for anybody.',
    oldest: 'The oldest',
    needs: {
      underpaid: {
        label: 'Underpaid',
        hint: 'Less arrived than was asked for. Accept it, or wait for the rest.',
      },
      late: {
        label: 'Paid late',
        hint: 'It came after its time and is not enough at today’s price. Accept it, or ask for the rest.',
      },
      'bill-again': {
        label: 'Invoices that were paid twice',
        hint: 'Two payments were credited for one invoice. Refund the one that is too much, or say how it was settled.',
      },
      'wrong-asset': {
        label: 'Another asset or network than asked',
        hint: 'It arrived and is kept apart, not credited. Whoever runs this server returns or assigns it.',
      },
      suspense: {
        label: 'Money without an owner that names you',
        hint: 'It is kept apart until whoever runs this server has decided.',
      },
      parked: {
        label: 'Checkouts that could not be decided',
        hint: 'They are tried again. If they stay, tell whoever runs this server.',
      },
      'parked-address': {
        label: 'Deposit addresses that could not be decided',
        hint: 'Tell whoever runs this server.',
      },
      'webhook-given-up': {
        label: 'Webhooks given up',
        hint: 'Your shop was not told. See what it answered, and send it again.',
      },
      'webhook-failing': {
        label: 'Webhooks that fail',
        hint: 'Your shop does not answer as it should. It is tried again by itself.',
      },
      approval: {
        label: 'Waiting for a second person',
        hint: 'Somebody else than the one who began it has to approve.',
      },
      transfer: {
        label: 'Transfers to be signed or sent',
        hint: 'Whoever runs this server sends them by hand, or mends what holds them up.',
      },
    },
    cameIn: 'What came in',
    cameInHint:
      'Days are those of UTC. Bills count as they were written; the rest is told by prices stored on its day.',
    periods: {
      1: 'Today',
      7: '7 days',
      30: '30 days',
    },
    payments: 'Payments',
    worth: 'Worth',
    withoutPrice: 'And without a stored price',
    byDay: 'By day',
    byAsset: 'By what was paid with',
    byLanguage: 'By language of the customer',
    asTable: 'As a table',
    day: 'Day',
    asset: 'Asset',
    language: 'Language',
    noLanguage: 'Without a checkout',
    notKnown: 'Not known',
  },
};

export type TodayTexts = typeof enToday;
