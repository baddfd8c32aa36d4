// English: says which texts there are. Plain sentences, addressed to somebody who pays with a
// cryptocurrency perhaps for the first time. Functions where a text has parts or a plural.
import { enPaying, enShop } from './paying/en.ts';
import { countedText, type NounForms } from './plural.ts';

const count = (number: number, forms: NounForms) => countedText('en', number, forms);

export const en = {
  paying: enPaying,
  shop: enShop,
  page: {
    language: 'Language',
    skip: 'Skip to the payment',
    notInFrame: 'This page cannot be shown inside another page.',
    newWindow: 'Open in a new window',
    poweredBy: 'Payments by Quittance',
    testMode: 'Test mode',
    testModeHint: 'No real money moves here.',
    copy: 'Copy',
    copied: 'Copied',
    back: 'Back',
    tryAgain: 'Try again',
  },
  summary: {
    title: 'Your order',
    quantity: (quantity: string) => `× ${quantity}`,
    discount: 'Discount',
    shipping: 'Shipping',
    tax: 'Tax',
    total: 'Total',
    seller: 'Seller',
    order: 'Payment reference',
  },
  choose: {
    title: (total: string) => `Pay ${total}`,
    hint: 'Choose what you want to pay with.',
    networkTitle: (group: string) => `Pay with ${group}`,
    networkHint: 'Choose the network that your wallet or exchange sends on.',
    only: 'You will see the amount and where to send it on the next page.',
    continue: 'Continue',
    otherGroups: 'Other currencies',
    back: 'Back to the payment',
    on: (network: string) => `on ${network}`,
    timeInstant: 'confirmed in seconds',
    timeMinutes: (minutes: string) => `confirmed in about ${minutes}`,
    exchanges: 'works from exchanges',
    none: 'No way to pay is open any more. Please go back to the shop and order again.',
    slow: 'payments show late at the moment',
  },
  pay: {
    title: (total: string) => `Pay ${total}`,
    amount: 'Send exactly',
    amountRest: 'Still to send',
    address: (network: string) => `To this ${network} address`,
    invoice: 'Pay this Lightning invoice',
    memo: 'With this memo',
    tag: 'With this destination tag',
    memoWarning: 'The memo belongs to your payment. Without it we cannot tell who paid.',
    tagWarning: 'The tag belongs to your payment. Without it we cannot tell who paid.',
    onlyNetwork: (assetCode: string, network: string) =>
      `Send ${assetCode} on the ${network} network only. Anything else may be lost.`,
    qrLink: 'Full link',
    qrAddress: 'Address only',
    qrShows: 'The code holds',
    qrAlt: (content: string) => `QR code. It holds: ${content}`,
    link: 'Payment link as text',
    wallet: 'Open in wallet',
    exchange:
      'Paying from an exchange? Its withdrawal fee comes on top: make sure that exactly this amount arrives.',
    timeLeft: (time: string) => `${time} left at this price`,
    timeShort: 'less than a minute',
    windowOver: 'The time for this price is over.',
    watching: 'We are watching the network. This page changes as soon as we see your payment.',
    change: 'Pay another way',
    cancel: 'Cancel the payment',
    rate: (one: string, price: string, time: string) => `${one} = ${price}, as of ${time}`,
    networkFee: (network: string) => `Your wallet adds the fee of the ${network} network on top.`,
    anchorFee: (fee: string) => `${fee} of it is the fee of the service that passes it on.`,
    unify: 'One code for Bitcoin and Lightning',
  },
  bank: {
    time: 'about one business day',
    holder: 'Account holder',
    account: 'Account number',
    pixKey: 'Pix key',
    reference: 'With this reference',
    referenceWarning: 'The reference belongs to your payment. Without it we cannot tell who paid.',
    duration: 'A transfer takes about one business day. It counts whenever it arrives.',
    code: 'Scan the code with the app of your bank.',
    fees: 'Your bank may charge a fee. Make sure that exactly this amount arrives.',
    watching: 'You can close this page. The shop hears of your transfer when our bank books it.',
  },
  seen: {
    title: 'We see your payment',
    hint: 'You can close this page. Everything goes on by itself.',
    amount: 'Seen so far',
    confirmations: (have: number, need: number) =>
      `${have} of ${count(need, { one: 'confirmation', other: 'confirmations' })}`,
    waiting: 'waiting for the first confirmation',
    final: 'confirmed',
    held: 'confirmed, held for now',
    heldHint:
      'The network does not run as it should at the moment. Until it does, larger payments wait. There is nothing you need to do.',
    wrongAsset: 'another asset than asked for',
    transaction: 'Transaction',
    timeSeconds: 'Usually done within a minute.',
    timeMinutes: (range: string) => `Usually done in ${range}. Blocks come at irregular times.`,
    short: 'It is less than the price. Please send the rest too.',
    explorer: (host: string) => `Look at it on ${host}`,
  },
  partial: {
    title: 'A part is still missing',
    hint: 'Your payment arrived, but it was less than the price.',
    received: 'Received',
    remaining: 'Remaining',
    rest: 'Send the rest in the same way:',
    windowOver: 'The time for this price is over: please send nothing at the old one.',
    alternatives:
      'You do not want to pay the rest? Ask the shop for a refund and name the reference.',
  },
  paid: {
    title: 'Paid. Thank you!',
    hint: 'The payment is complete and the shop has been told.',
    amount: 'Amount',
    seller: 'Paid to',
    when: 'Completed',
    reference: 'Reference',
    return: 'Return to the shop',
    print: 'You can print or save this page as proof of payment.',
    leaving: (time: string) => `You go back to the shop in ${time}.`,
    stay: 'Stay on this page',
  },
  expired: {
    title: 'The time to pay is over',
    doNotSend: 'Please do not send anything now.',
    alreadySent: 'Did you send it already?',
    alreadySentHint:
      'We go on watching the address, and what arrives is still credited. Keep this reference.',
    wasDue: 'You were asked for',
    address: 'To the address',
    newPrice: 'Get a new price',
    again: 'Choose another way to pay',
    return: 'Back to the shop',
  },
  cancelled: {
    title: 'Payment cancelled',
    nothing: 'Nothing was charged.',
    hint: 'Please do not send anything to the address you were shown.',
    sent: 'If you sent something before, it is still credited to the shop: name this reference there.',
    back: 'Back to the shop',
  },
  trouble: {
    title: 'We are checking',
    behindOver: (network: string) =>
      `The time to pay is over, but we cannot see the newest payments on ${network} at the moment. If you have paid, your payment will be found. If not, please do not send anything now.`,
    behind: (network: string) =>
      `We cannot see the newest payments on ${network} at the moment. What arrives will show here a little later.`,
    replaced:
      'A payment that we had seen was replaced or withdrawn. Only what the network confirms counts.',
    wrongAsset:
      'Something arrived in another asset than we asked for. It is not lost, but it does not pay this order: ask the shop and name the reference.',
    reversed:
      'The network took a confirmed payment back: it does not count any more. The shop has been told.',
    takenBack: 'Your payment was taken back',
    takenBackHint:
      'The network took back a payment that had been confirmed. The shop has been told: please ask there before you pay again.',
    rateMissing: (assets: string) =>
      `There is no current price for ${assets}, so it cannot be chosen at the moment.`,
    wrongNetwork: (amount: string, network: string) =>
      `${amount} arrived on ${network}, where it was not asked for. It is held and not lost, but it does not pay this order: contact the shop and name the reference.`,
  },
  notice: {
    over: (amount: string) =>
      `You sent ${amount} more than needed. The shop was credited with it: ask there to have it returned.`,
    late: 'It arrived after the time was over and was credited at the price of its arrival.',
    multiple: 'More than one payment arrived for this order. Ask the shop about what was too much.',
    acceptedUnderpaid: 'It was less than the price, and the shop accepted it.',
    refundAwaiting: (amount: string) =>
      `The shop returns ${amount} to you. It gives you a link where you say where to send it.`,
    refundUnderWay: (amount: string) => `The shop is returning ${amount} to you: it is on its way.`,
    refundCompleted: (amount: string) => `The shop has returned ${amount} to you.`,
  },
  contact: {
    hint: 'Questions? Name the reference.',
    link: 'Contact the shop',
  },
  find: {
    title: 'Find my payment',
    hint: 'Already sent? Paste the transaction hash from your wallet or exchange.',
    label: 'Transaction hash',
    button: 'Check',
    unreadable:
      'There is no transaction hash in this. It has 64 letters and digits; your wallet shows it in the details of the payment.',
    waiting: (amount: string) =>
      `We see it: ${amount}. It waits for its first confirmation, and you need not do anything.`,
    confirming: (amount: string) =>
      `We see it: ${amount}. The network is confirming it, and you need not do anything.`,
    confirmed: (amount: string) => `It has arrived and is confirmed: ${amount}.`,
    gone: 'We had seen it, but the network replaced or dropped it. Only what the network confirms counts: please look into your wallet.',
    less: (amount: string, missing: string) =>
      `It has arrived: ${amount}. That is not enough yet: ${missing} is missing.`,
    lessAsk: (amount: string) =>
      `It has arrived: ${amount}. That is less than the price: ask the shop and name the reference.`,
    more: (amount: string, excess: string) =>
      `It has arrived: ${amount}. That is ${excess} more than needed; ask the shop to return it.`,
    wrongAsset: (asset: string) =>
      `It has arrived, but in ${asset}, which was not asked for. It is not lost: contact the shop and name the reference.`,
    wrongNetwork: (network: string) =>
      `This payment is on the ${network} network, where we did not ask for it. It is not lost: contact the shop and name the reference.`,
    otherNetwork:
      'This hash belongs to another kind of network than the one you were asked to pay on. Please check in your wallet which network you sent on, and contact the shop.',
    noMemo: (network: string) =>
      `It has arrived on ${network}, but without the memo or tag that names your order. It is not lost: contact the shop with the reference and this transaction.`,
    elsewhere:
      'This payment does not belong to this order. Please check whether you pasted the right one.',
    notFound:
      'We do not see it yet. If your wallet says that it was sent, check the network and the address there and ask again in a few minutes.',
    notFoundBehind: (networks: string) =>
      `We do not see it, but at the moment we cannot see the newest payments on ${networks}. Please ask again a little later; nothing is lost.`,
    tooOften: 'That was asked very often in a short time. Please wait a minute and try again.',
  },
  error: {
    missingTitle: 'This page does not exist',
    missingHint: 'The address is not complete, or it was never ours.',
    methodGone: 'This way to pay is not open any more. Please choose another one.',
    hasMoney: 'A payment was seen already, so it cannot be cancelled.',
    completed: 'This order is paid already.',
    outageTitle: 'One moment, please',
    outageHint: 'A part of our system does not answer. Nothing is lost. Please try again.',
    faultTitle: 'That went wrong on our side',
    faultHint: 'Nothing is lost. Please try again; if it happens again, tell the shop.',
    refusedTitle: 'That did not work',
    refusedHint: 'Please go back and try again.',
    rateAway:
      'There is no current price for this way to pay at the moment. Nothing was charged: please choose another one or try again in a minute.',
    networkAway:
      'This network does not answer us at the moment. Nothing was charged: please choose another one or try again in a minute.',
    addressPending:
      'The address is still being prepared. Nothing was charged: please choose this way again in a few seconds.',
  },
  link: {
    amount: 'Amount',
    between: (least: string, most: string) => `From ${least} to ${most}.`,
    atLeast: (least: string) => `At least ${least}.`,
    atMost: (most: string) => `At most ${most}.`,
    pay: 'Continue to the payment',
    wrong: 'Please write an amount such as 12.50 that this link takes.',
    off: 'This link is not in use at the moment.',
    over: 'The time of this link is over.',
    soldOut: 'Nothing is left. A place may become free: look again in an hour.',
    closed: 'This cannot be paid at the moment. Please try again later.',
  },
  refund: {
    title: (amount: string) => `Refund of ${amount}`,
    hint: (network: string) =>
      `The shop sends this money back to you. Tell us where to, on the ${network} network.`,
    yourAddress: (network: string) => `Your ${network} address`,
    lightningAddress:
      'Your lightning address (name@example.com), or an invoice for exactly this amount',
    memoLabel: 'Memo, if your exchange asks for one',
    tagLabel: 'Destination tag, if your exchange asks for one',
    memoHint:
      'Exchanges require it: without it the money may not reach your account. For a wallet of your own leave it empty.',
    memoType: 'Kind of memo',
    check: 'Check it well: what was sent cannot be called back.',
    claim: 'Send it there',
    next: 'Continue',
    review: 'Is this right?',
    edit: 'Change it',
    none: 'none',
    until: 'Open until',
    looksLike: (forms: string) => `It begins with ${forms}.`,
    whereFrom: (network: string) =>
      `From a wallet of your own (an app or a device whose keys you alone hold): copy its address to receive on ${network}. From an exchange: copy its deposit address for exactly this network.`,
    bankHint: {
      SEPA: 'The IBAN of your account at a bank in the SEPA area.',
      SWIFT:
        'Four parts with a semicolon between them: IBAN or account number; BIC; name of the holder; street, town, country code.',
      PIX: 'Your Pix key: CPF, CNPJ, e-mail address, telephone number with +55 or random key.',
    },
    noAddress: 'This is not an address of this network. Please copy it again from your wallet.',
    badMemo: 'This memo does not fit its kind. Please copy it again from your exchange.',
    badTag: 'A destination tag is a whole number. Please copy it again from your exchange.',
    tooDear:
      'The network takes much more for sending right now than when this refund was made. The money stays reserved for you: please come back in a few hours.',
    underWay: 'Your refund is on its way. You can close this page.',
    rests: (when: string) =>
      `For your safety your refund is sent after ${when}. You can close this page.`,
    completed: 'Your refund has been sent and has arrived.',
    toClaim: (asset: string) =>
      `Your refund has been sent. Your account does not take ${asset} yet, so the money waits for you on the network: add ${asset} in your wallet, then claim the balance named below.`,
    claimBefore: (when: string) => `Claim it before ${when}: after that the shop can take it back.`,
    failed: 'The refund could not be sent. Please ask the shop.',
    address: 'To this address',
    transaction: 'Transaction',
    uncertain: 'Your refund is sent as soon as the network has settled on your payment again.',
    takenBack:
      'The network took back your payment, so there is nothing to return: the money is still, or again, where you paid from.',
  },
  // Receipts and invoices: on pages, as PDF, and in mail.
  paper: {
    receipt: 'Receipt',
    invoice: 'Invoice',
    date: 'Date',
    buyer: 'Buyer',
    taxId: 'Tax ID',
    description: 'Description',
    amount: 'Amount',
    state: 'State',
    states: {
      open: 'Open',
      underWay: 'Payment under way',
      partial: 'Paid in part',
      paid: 'Paid',
      over: 'Time to pay is over',
      cancelled: 'Cancelled',
    },
    due: 'Amount due',
    howToPay: 'How to pay',
    howToPayHint:
      'Open this address or scan the code. There you choose what to pay with and see the exact amount to send.',
    payment: (number: string) => `Payment ${number}`,
    arrived: 'Seen',
    confirmed: 'Confirmed',
    notConfirmed: 'not confirmed yet',
    network: 'Network',
    rate: 'Rate',
    refund: (number: string) => `Refund ${number}`,
    refunded: 'Refunded',
    print: 'You can print this page or save it.',
    pdf: 'Receipt as PDF',
    toPayment: 'Go to the payment page',
    page: (page: string, pages: string) => `Page ${page} of ${pages}`,
    missingTitle: 'There is no receipt yet',
    missingHint: 'It will be here as soon as the payment has been confirmed.',
  },
  // Invoices that a shop sends.
  bill: {
    number: 'Invoice number',
    dueOn: 'Due date',
    net: 'Net amount',
    vatId: 'VAT ID',
    taxNumber: 'Tax number',
    delivered: 'Delivery or service',
    cancellation: 'Cancellation invoice',
    cancels: (name: string, day: string) => `This cancels invoice ${name} of ${day}.`,
    cancelledBy: (name: string) => `This invoice was cancelled by ${name}.`,
    overdue: 'Overdue',
    pay: 'Pay now',
    payHint: 'You choose what to pay with and see the price of this moment.',
    underWay: 'A payment for this invoice is under way.',
    pdf: 'Invoice as PDF',
  },
  sandbox: {
    title: 'Sandbox wallet',
    hint: 'Pretend to be the payer. Only in test mode, on simulated networks.',
    payExact: 'Pay exactly',
    payUnder: 'Pay half',
    payOver: 'Pay a quarter more',
    payParts: 'Pay in two parts',
    payLate: 'Pay too late',
    replace: 'Replace payment',
    reorg: 'Reorganise',
    mine: 'Mine a block',
    expire: 'Expire now',
    payRest: 'Pay the rest',
    payOtherAsset: 'Pay in another asset',
  },
};

/** What every language has to say. */
export type Texts = Widened<typeof en>;

type Widened<Text> = Text extends string
  ? string
  : Text extends (...given: infer Given) => string
    ? (...given: Given) => string
    : { readonly [Key in keyof Text]: Widened<Text[Key]> };
