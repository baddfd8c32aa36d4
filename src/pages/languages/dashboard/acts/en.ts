// English of what people do with money of the shop: says which texts there are.

import type { CheckoutRefund, RefundKind } from '#checkout/checkout-refund.ts';
import type { SettlementRule } from '#settlement-rule/settlement-rule.ts';
import type { SuspenseRecord } from '#suspense/suspense-view.ts';
import type { Swap } from '#swap/swap.ts';
import type { Transfer } from '#transfer/transfer.ts';

type Suspense = SuspenseRecord['suspense'];

const transferHints: Readonly<Record<Transfer['state'], string>> = {
  QUOTED: 'Nothing is ordered yet.',
  RESERVED: 'The amount is taken out of the balance. It is sent soon.',
  TO_SEND: 'It waits for whoever signs for this server.',
  SUBMITTED: 'The network has it. It is final after some blocks.',
  COMPLETED: 'It has arrived.',
  FAILED: 'Nothing was sent. The amount is in the balance again.',
  EXPIRED: 'Nothing was ordered in time.',
  RETURNED: 'It had arrived and was sent back.',
};

const swapStates: Readonly<Record<Swap['state'], string>> = {
  QUOTED: 'quoted',
  COMPLETED: 'done',
  FAILED: 'not done',
  EXPIRED: 'expired',
};

const periods: Readonly<Record<NonNullable<SettlementRule['every']>, string>> = {
  DAY: 'every day',
  WEEK: 'every week',
  MONTH: 'every month',
};

const reasons: Readonly<Record<Suspense['reason'], string>> = {
  WRONG_ASSET: 'Another asset came than was asked for.',
  WRONG_NETWORK: 'It came on another network than was asked for.',
  NO_MEMO: 'It came without its memo or tag.',
  UNKNOWN_MEMO: 'It came with a memo or tag that nobody was given.',
  NO_REFERENCE: 'It came without its reference.',
  UNKNOWN_REFERENCE: 'It came with a reference that nobody was given.',
  UNKNOWN_INDEX: 'It came to an address that nobody was given.',
  UNKNOWN_INVOICE: 'It came for an invoice that nobody was given.',
};

const suspenseStates: Readonly<Record<Suspense['state'], string>> = {
  OPEN: 'waits for a decision',
  ASSIGNED: 'assigned',
  RETURNING: 'on its way back',
  RETURNED: 'returned',
  WRITTEN_OFF: 'written off',
  GONE: 'taken back by the network',
};

const refundKinds: Readonly<Record<RefundKind, string>> = {
  full: 'All that is left',
  excess: 'What was paid too much',
  amount: 'This amount',
};

const refundStates: Readonly<Record<CheckoutRefund['state'], string>> = {
  AWAITING_ADDRESS: 'the customer has not said where to',
  UNDER_WAY: 'on its way',
  COMPLETED: 'arrived',
  FAILED: 'not sent',
  RETURNED: 'came back',
};

/** Of an account of a network; most are called the same everywhere. */
const fields = {
  address: 'Address',
  invoice: 'Invoice (BOLT 11)',
  lightningAddress: 'Lightning address',
  lnurl: 'LNURL',
  account: 'Account',
  memo: 'Memo',
  memoType: 'Kind of memo',
  destinationTag: 'Destination tag',
  iban: 'IBAN',
  accountNumber: 'Account number',
  bic: 'BIC',
  holder: 'Account holder',
  pixKey: 'Pix key',
  taxId: 'CPF or CNPJ',
  label: 'Name',
  amount: 'Amount',
};

const faults = {
  other: 'It was refused.',
  notRight: 'Something is not right. Nothing was done.',
  amount:
    'Write an amount above zero, without thousands separators and with no more decimals than the asset has.',
  tooSmall: 'The amount does not pay its fees.',
  asset: 'Choose an asset that there is here.',
  labelTaken: 'Another beneficiary has this name.',
  tooNew: 'A new beneficiary can be used after a day.',
  invoice: 'The invoice of this beneficiary can be paid no more.',
  balance: 'The available balance is too low.',
  limit: 'It is above what may be sent out in 24 hours.',
  secondPerson: 'It is above the limit of one person: another one has to say it.',
  notNow: 'That is not possible now. Nothing was moved: try again in a minute.',
  cannotSend: 'Nothing here can send on this network. Ask whoever runs this server.',
  noExchange: 'Nothing can be swapped here. Ask whoever runs this server.',
  notCovered: 'The swap is more than can be covered now. Try less, or later.',
  over: 'This quote is over. Ask for another one.',
  ofAnother: 'Somebody else asked for this quote. Ask for one of your own.',
  shown: 'It can be cancelled here no more: it is on its way, or somebody was told to send it.',
  noAddress: 'This is no account of the network. Copy it whole.',
  nothingLeft: 'Nothing is left to be refunded.',
  tooMuch: 'That is more than is left of what was paid.',
  onlyFull: 'Of what is not paid in full all goes back, or nothing.',
  uncertain: 'The network may take the payment back: wait until it is final.',
  changed: 'Amount or fee changed since you looked. Look again.',
  formUsed: 'This form was sent before. Look at what it did, and fill in a new one.',
  notWaiting: 'It does not wait for anybody any more.',
};

export const enActs = {
  moneyActs: {
    tabs: {
      balances: 'Balances',
      send: 'Send',
      swap: 'Swap',
      beneficiaries: 'Beneficiaries',
      approvals: 'Approvals',
      rules: 'Automatic',
      suspense: 'Unassigned',
    },
    fields,
    faults,
    amount: 'Amount',
    amountHint: (sample: string) => `For example ${sample}.`,
    asset: 'Asset',
    available: (amount: string) => `${amount} available`,
    to: 'To',
    network: 'Network',
    next: 'Next',
    change: 'Change something',
    fee: 'The network takes at most',
    feeTaken: 'Network fee',
    gas: 'Paid by this server for the network',
    arrives: 'Arrives',
    debited: 'Taken out of the balance',
    until: 'Holds until',
    review: 'Look at it once more',
    check: 'Compare the address group by group. What was sent cannot be called back.',
    number: 'Number',
    look: 'Look again',
    cancel: 'Cancel it',
    none: 'None',
    ownerOnly: 'Only an owner moves money.',
    send: {
      title: 'Send money',
      hint: 'What you take out of the balance, fees included. You see what arrives before anything is sent.',
      noBeneficiary: 'Money goes to beneficiaries alone. Add one first.',
      coolsDown: 'This beneficiary is new and can be used from',
      quote: 'See what arrives',
      order: 'Send it now',
      another: 'Send something else',
      hints: transferHints,
      waits: 'It waits for a second person.',
    },
    swap: {
      title: 'Swap',
      hint: 'One asset of the balance for another, at a price that holds for a minute.',
      from: 'Give',
      into: 'Get',
      side: 'The amount is',
      sides: { source: 'what I give', target: 'what I get' },
      quote: 'See the price',
      given: 'You give',
      got: 'You get',
      rate: 'Rate',
      fee: 'Fee, taken off already',
      order: 'Swap it now',
      again: 'Ask for a new price',
      another: 'Swap something else',
      states: swapStates,
      second: 'It is above the limit of one person: another owner opens this page and orders it.',
    },
    beneficiaries: {
      title: 'Beneficiaries',
      hint: 'Accounts that money of the shop may be sent to. With real money a new one rests for a day.',
      none: 'There is none yet.',
      add: 'Add a beneficiary',
      addOn: (network: string) => `Add a beneficiary on ${network}`,
      labelHint: 'As you will know it again, for example "Cold wallet".',
      oneOf: 'Fill in one of them.',
      usable: 'Can be used',
      usableFrom: 'Can be used from',
    },
    approvals: {
      title: 'What waits for a second person',
      hint: 'Above a limit one person makes it and another one approves it. What nobody approves in time ends by itself.',
      none: 'Nothing waits.',
      maker: 'Made by',
      key: (key: string) => `API key ${key}`,
      nobody: 'nobody who is known',
      own: 'You made it: another one decides.',
      until: 'Waits until',
      approve: 'Approve',
      decline: 'Decline',
    },
    rules: {
      title: 'Automatic settlement',
      hint: 'What is done with a balance by itself, at an hour or above an amount. Each transfer meets the same limits as one that you order.',
      none: 'There is no rule yet.',
      add: 'Add a rule',
      threshold: 'When so much is there',
      thresholdHint: 'Empty: whatever is there, at its hour.',
      every: 'When',
      periods,
      atOnce: 'as soon as so much is there',
      day: 'Day',
      dayHint: 'Of a week 1 (Monday) to 7, of a month 1 to 31.',
      hour: 'Hour, 0 to 23',
      zone: 'Time zone',
      keep: 'What stays',
      convertTo: 'Swap to',
      sendTo: 'Send to',
      make: 'Add it',
      pause: 'Pause',
      resume: 'Go on',
      paused: 'paused',
      nextTime: 'Next',
      from: (amount: string) => `from ${amount}`,
      keeps: (amount: string) => `${amount} stays`,
      at: (hour: string, zone: string) => `at ${hour} (${zone})`,
      onDay: (day: string) => `on day ${day}`,
      done: 'Done',
      skipped: 'Not done',
    },
    suspense: {
      title: 'Money that is not assigned',
      hint: 'It came for your checkouts or addresses and could not be credited. Whoever runs this server assigns it or sends it back: tell them the number.',
      none: 'There is nothing.',
      reasons,
      states: suspenseStates,
      cameTo: 'Came to',
      resolved: 'Decided',
      returnedTo: 'Sent back to',
    },
    refund: {
      title: 'Refund',
      open: 'Refund',
      which: 'What goes back',
      kinds: refundKinds,
      states: refundStates,
      way: 'Paid by',
      address: 'Where to',
      addressHint: 'Empty: the customer gets a link and says so himself.',
      byLink: 'The customer says so himself, by a link',
      see: 'See what goes back',
      back: 'The customer gets',
      order: 'Refund it now',
      link: 'Link for the customer',
      rests: 'It goes to a new address and rests until',
      toCheckout: 'Back to the checkout',
    },
  },
};

export type ActsTexts = typeof enActs;
