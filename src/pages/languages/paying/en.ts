// English of what a payer sees beside the plain words of a page (../en.ts): says which texts
// there are.
import { countedText, type NounForms } from '#pages/languages/plural.ts';

const count = (number: number, forms: NounForms) => countedText('en', number, forms);

export const enPaying = {
  choose: {
    bank: 'Bank transfer',
    recommended: 'Recommended',
    lastUsed: 'Used last time',
    fits: 'Fits this device',
    search: 'Search coins and networks',
    nothing: 'Nothing fits that.',
    fee: (amount: string) => `network fee about ${amount}`,
    feeUnder: (amount: string) => `network fee below ${amount}`,
    feeFrom: (amount: string) => `network fee from ${amount}`,
    networks: (number: number) => count(number, { one: 'network', other: 'networks' }),
  },
  pay: {
    showCode: 'Show the code',
    enlarge: 'Enlarge the code',
    close: 'Close',
    noWallet: 'No wallet here? Scan the code with your phone.',
    compare: 'Compare the first and the last four characters in your wallet.',
  },
  steps: {
    title: 'What happens with your payment',
    sent: 'You sent it',
    seen: 'The network has seen it',
    confirmed: 'Confirmed',
    told: 'The shop hears of it',
    wasTold: 'The shop has heard of it',
    device: 'Continue on another device',
    deviceHint: 'Scan this with the other device: it opens this page there.',
    signal: 'Sound and vibration when it is paid',
    share: 'Share the receipt',
    calendar: 'Add to calendar',
  },
  mail: {
    title: 'Tell me by e-mail when it is done',
    hint: 'One mail when it is paid, or when something is left for you to do. The address is used for nothing else.',
    label: 'E-mail address',
    button: 'Tell me',
    asked: 'You will be told by e-mail',
    again: 'Mistyped? Give the address once more.',
    fault: 'Please give an address such as ann@mail.example.',
  },
  ask: {
    title: 'Before you pay',
    optional: 'optional',
    pick: 'Please choose',
    terms: (shop: string) => `I accept the terms of ${shop}.`,
    readTerms: 'Read the terms',
    tip: 'Add a tip?',
    noTip: 'No tip',
    otherTip: 'Another amount',
    ownTip: (currency: string) => `Tip in ${currency}`,
    tipLine: 'Tip',
    go: 'Continue',
    change: 'Change my answers',
    wrong: 'Please look at what is marked.',
    fixed: 'You have chosen a way to pay: your answers and the tip stay as they are.',
    faults: {
      required: 'Please fill this in.',
      tick: 'Please tick this.',
      plain: 'Please write plain text on one line.',
      short: (bound: string) => `Too short (at least ${bound}).`,
      long: (bound: string) => `Too long (at most ${bound}).`,
      email: 'This is no e-mail address.',
      number: 'This is no number.',
      low: (bound: string) => `At least ${bound}, please.`,
      high: (bound: string) => `At most ${bound}, please.`,
      choice: 'Please choose one of these.',
      tip: 'This tip cannot be taken.',
    },
  },
  trust: {
    title: 'Is this address right?',
    signed: 'This installation has signed the address. Check it, best on another device:',
    check: 'Check the address',
    host: (host: string) =>
      `Pay only where the address bar of your browser shows ${host}. Nobody who helps you asks for the words of your wallet.`,
    domain: 'Verified domain',
    verified: 'This address was given out here',
    verifiedHint: 'Compare it with the one your wallet shows, sign by sign.',
    unsigned:
      'This address was not given out here, or a sign of it was changed. Please send nothing to it.',
    key: 'Public key (Ed25519)',
    place: 'Address, or the link to check that stands on the page to pay',
    memo: 'Memo or tag, where there is one',
    signature: 'Signature',
    signatureHint:
      'The signature stands in that link. An address alone says nothing: it is its signature that nobody else can make.',
  },
  wallets: {
    app: (app: string) => `Open in ${app}`,
    with: (wallet: string) => `Pay with ${wallet}`,
    browser: 'Pay with the wallet of this browser',
    asking: (wallet: string) => `Confirm the payment in ${wallet}.`,
    switching: (network: string) => `Your wallet asks you to change to the ${network} network.`,
    missing: (network: string) =>
      `Your wallet does not know the ${network} network. Add it there, or pay with the code.`,
    otherNetwork: (network: string) =>
      `Your wallet is on another network. Change it to the ${network} network there, and try again.`,
    poor: (account: string, held: string, needed: string) =>
      `The account ${account} holds ${held}, and ${needed} are needed. Choose another account in your wallet.`,
    refused: 'You said no in your wallet. Nothing was sent.',
    waiting: 'A question already waits in your wallet. Open it and answer there.',
    silent: 'Your wallet does not answer. Open it, unlock it, and try again.',
    failed:
      'Your wallet could not do that. Look there whether something was sent before you try again.',
    sent: 'Sent. This page changes as soon as the network shows your payment.',
    again: (wallet: string) => `Send again with ${wallet}`,
    scan: 'Scan this code with your wallet, or open a wallet on this device.',
    ended:
      'Your wallet ended the connection. Look there whether something was sent before you try again.',
    away: 'WalletConnect cannot be reached from here. Pay with the code on the page instead.',
    ownWindow: 'Wallet not found? Open this page in a window of its own',
  },
};

export type PayingTexts = typeof enPaying;

/** The demo shop. */
export const enShop = {
  title: 'Things for writing by hand',
  hint: 'A demo shop: take something, check out, and pay with the sandbox wallet.',
  embedded: 'Pay without leaving the page',
  embeddedHint: (product: string) =>
    `${product}, in a window above this page: the hosted checkout, opened by one script.`,
  howTo: 'How to do it in a shop',
  payHere: 'Pay here',
  states: 'Look at every state of the hosted page',
  skip: 'Skip to the content',
  shop: 'Shop',
  add: 'Add to cart',
  addOf: (product: string) => `Add to cart: ${product}`,
  less: (product: string) => `One less: ${product}`,
  more: (product: string) => `One more: ${product}`,
  cart: 'Cart',
  post: 'Letter post',
  tax: 'VAT',
  total: 'Total before VAT',
  checkOut: 'Check out with crypto',
  empty: 'Your cart is empty.',
  look: 'Look around',
  order: 'Order',
  state: 'State in the last webhook',
  none: 'none yet',
  back: 'Back to the shop',
  webhooks: 'Webhooks received',
  webhooksHint:
    'This is all the shop knows. It believes a webhook only when the signature fits, and the one with the highest sequence.',
  nothing: 'Nothing arrived yet. This page asks again by itself.',
  verified: 'signature verified: yes',
  unverified: 'signature verified: no',
  noEvent: 'not an event',
  headers: 'Headers',
  body: 'Body',
  told: {
    completed: { title: 'Thank you! Your order is paid.', hint: 'We are wrapping it already.' },
    pending: { title: 'Your payment is on its way.', hint: 'The network is confirming it.' },
    underpaid: {
      title: 'A part is still missing.',
      hint: 'The checkout page shows how to send it.',
    },
    expired: { title: 'Not paid in time.', hint: 'If you paid later, it still counts.' },
    cancelled: { title: 'Cancelled.', hint: 'Nothing was charged.' },
    waiting: { title: 'Waiting for the payment.', hint: 'The shop has heard nothing yet.' },
  },
  madeUp: 'Orders and goods are made up.',
  about: 'About this service',
  products: {
    notebook: { name: 'Dot grid notebook', about: '192 pages that lie flat, bound in linen' },
    pen: { name: 'Brass pen', about: 'Turned from one rod, gets better with age' },
    ink: { name: 'Moss ink', about: '50 ml of a green that dries almost black' },
    cards: { name: 'Fern postcards', about: 'Eight pressed ferns, printed by hand' },
  },
};

export type ShopTexts = typeof enShop;
