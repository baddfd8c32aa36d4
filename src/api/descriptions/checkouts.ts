// What the fields of checkouts, charges and refunds mean.
import type { FieldMeanings } from './field-meanings.ts';

export const CHECKOUT_MEANINGS: FieldMeanings = {
  Charge: {
    customerId: 'Customer that it is for, of `POST /customer`.',
    billingCurrency:
      'Code of a currency of `GET /currencies` with `billing`, in which all amounts are; needed unless `currency` is given.',
    currency:
      'Older name of `billingCurrency`; alone, it needs `settlementCurrency` or `settlementAsset`.',
    lineItems: 'What is sold: 1 to 500 lines.',
    discountItems: 'What is taken off before tax, up to 100.',
    shippingCostItems: 'What sending costs, up to 100.',
    taxItems: 'Taxes, up to 100: each a part of the taxable sum.',
  },
  LineItem: {
    description: 'What it is, up to 200 characters.',
    netAmount: 'Net price of one, in the billing currency; below zero for what is given back.',
    quantity: 'How many, 1 unless given; not below zero, may be a fraction.',
    productId: 'Your own number of it, up to 20 characters.',
  },
  DiscountItem: {
    description: 'What for, up to 200 characters.',
    netAmount: 'Taken off the sum, in the billing currency.',
  },
  ShippingCostItem: {
    description: 'How it is sent, up to 200 characters.',
    netAmount: 'Net cost, in the billing currency.',
    taxable: 'Whether taxes are taken of it too; false unless given.',
  },
  TaxItem: {
    name: 'Such as `VAT`, up to 200 characters.',
    percent: 'As a fraction from 0 to 1: 8.25 percent is `0.0825`.',
  },
  ChargeTotals: {
    total:
      'What the customer is charged, rounded once, halves up, to the decimals of the currency.',
    decimals: 'Digits after the point that the billing currency has.',
    netTotal: 'Lines less discounts plus shipping, without tax, exact.',
    taxTotal: 'All taxes, exact.',
    discountTotal: 'All discounts, exact.',
    shippingTotal: 'All shipping costs, exact.',
  },
  ValidateChargeRequest: { charge: 'Checked and added up; nothing is created.' },
  CheckoutRequest: {
    settlementAsset:
      'Id of the asset that you are credited in, or `ORIGIN`: whatever is paid. `ORIGIN` unless given.',
    settlementCurrency: 'Older name of `settlementAsset`; takes codes such as `BTC` too.',
    checkoutLanguage:
      'Language of the payment page: a code of `GET /languages`, or `auto`, that of the browser; `auto` unless given, `en` with `charge.currency`.',
    webhook: 'Address, http or https, that is told of everything that happens to the checkout.',
    anchors:
      'By network, the id of the asset that is preferred where one coin can come in two ways.',
    blockchainRelays: 'Older form of `anchors`: by network, the issuer.',
    pageSettings: 'Of the payment page; what is absent is as the account says.',
    links: 'Older place of `returnUrl` and `cancelUrl`.',
    meta: 'Your own data, up to 16 KiB of JSON: comes back in answers and webhooks.',
  },
  PageSettings: {
    returnUrl: 'Where the customer goes after paying; `checkoutId` is appended to its query.',
    cancelUrl: 'Where the customer goes who cancels; `checkoutId` is appended to its query.',
    shopName: 'Name over the page, up to 200 characters.',
    displayBuyerInfo: 'Whether what is known of the customer is shown.',
    displaySellerInfo: 'Whether name and address of the seller are shown.',
    asks: 'Asked from the payer first, up to 20: `key`, `label`, `labels` by language, `kind` (TEXT unless given, EMAIL, NUMBER, CHOICE, CHECKBOX), `required`, `least`, `most`, `choices`, `choiceLabels`.',
    termsUrl: 'Address, http or https, of terms that the payer has to accept; null without.',
    termsText: 'What the payer ticks to accept terms, up to 500 characters; null: words of ours.',
    tipPercents: 'Tips that are offered, up to 6, above 0 and up to 1: 0.1 is ten percent.',
    tipAmounts: 'Tips that are offered, up to 6, in the billing currency.',
    tipOwn: 'Whether the payer may name a tip of his own.',
    returnMethod: '`POST`: a signed form leads back; `GET` unless given.',
  },
  ReturnLinks: {
    returnUrl: 'Where the customer goes after paying; null where none was given.',
    cancelUrl: 'Where the customer goes who cancels; null where none was given.',
  },
  CreatedCheckout: {
    paymentMethods: 'Every way to pay it, of which one is chosen by `POST /checkout/commit`.',
    warnings: 'Sentences: what was asked for and cannot be done, as far as it stops no sale.',
  },
  CreatedHostedCheckout: {
    url: 'Address of the payment page: send the customer there.',
    checkoutId: 'The same as `id`, read by older clients.',
    warnings: 'Sentences: what was asked for and cannot be done, as far as it stops no sale.',
  },
  CommitCheckoutRequest: {
    network:
      'Id of the network that the customer pays on: of one of the payment methods; needed where several fit.',
    asset:
      'Id of the asset; unless given the first of `assets` of the network, where it is offered.',
    depositNetwork: 'Another name of `network`.',
    relatedAssetId: 'Another name of `asset`.',
    assetCode: 'Older way to name the payment method, by the code of its asset.',
    answers: 'What the customer answered, by `key` of `asks`.',
    termsAccepted:
      'That the customer accepts the terms: needed, true, where the checkout has some.',
    tip: 'What the customer adds, in the billing currency; nothing unless given.',
  },
  CheckoutCommitment: {
    depositInstructions: 'What the customer sends, and where.',
    expirationTime: 'End of the payment window, UTC.',
    quoteExpirationTime: 'Until then the settlement is guaranteed for these amounts.',
  },
  Settlement: {
    assetId: 'Id of the asset that you are credited in.',
    amount: 'Before the fee: in whole coins, as a decimal text.',
    netAmount: 'What you are credited: `amount` less `fee`.',
    fee: 'What the service keeps, in the same asset.',
  },
  PaymentMethod: {
    relatedAssetId: 'Id of the asset that is paid.',
    paymentAmount: 'What the customer sends, in whole coins of that asset.',
    anchorFee: 'How much of it an anchor keeps; absent where none is in between.',
  },
  DepositInstructions: {
    amount: 'What the customer sends, in whole coins.',
    anchorFee: 'How much of the amount an anchor keeps; absent where none is in between.',
    address: 'Where to: an address, a Lightning invoice, or an account of a bank.',
    holder: 'Banks: whose account it is.',
    bic: 'Banks: its BIC, where it has one.',
  },
  Checkout: {
    asks: 'What the payer is asked; absent where nothing is asked, no terms and no tip.',
    answers:
      'What the payer answered, by `key`; empty before, and when erased; absent with `asks`.',
    answeredAt: 'When the payer answered, UTC; null: not yet; absent with `asks`.',
    termsUrl: 'Address of the terms; null without; absent with `asks`.',
    termsAcceptedAt:
      'When the payer accepted the terms, UTC; null: not yet, or there are none; absent with `asks`.',
    tip: 'What the payer added, in the billing currency: part of `total`; absent with `asks`.',
    timestamp: 'When it came to this state, UTC.',
    state: 'How far it is.',
    type: '`HOSTED`: paid on our page; `SELF_HOSTED`: on yours.',
    origin: 'What made it: a key, a person in the dashboard, or a payment link.',
    settlementAssetId:
      'Id of the asset that is credited; null while nothing was chosen for ORIGIN.',
    settlementAmountRequired:
      'What a full payment settles to, before the fee, in that asset; null before a commit.',
    settlementAmountReceived:
      'What was settled so far, before the fee, in that asset; 0 before a commit.',
    settlementAmountFeePaid: 'Fees of that, in that asset; 0 before a commit.',
    sourceAssetId:
      'Id of the asset that money came in last, else of the one chosen last; null before a commit.',
    sourceAmountRequired:
      'What has to arrive of the customer, in that asset, without what an anchor keeps; null before a commit.',
    sourceAmountReceived: 'What came and is final, in that asset; 0 before a commit.',
    sourceNetwork: 'Network of the same; null before a commit.',
    sourceNetworkName: 'Its name, to be shown; null before a commit.',
    depositAddress: 'Where the customer pays to by it; null before a commit.',
    blockchainTransactions:
      'Every transaction that belongs to it: first those of anchors, then its payments, oldest first.',
    payload: 'The request as it came, with what is always there in the current layout.',
    hostedCheckoutUrl: 'Address of its payment page.',
    total: 'What the customer is charged, in the billing currency.',
    billingCurrency: 'Code of the currency of the charge.',
    stateHistory: 'Every state it had, oldest first.',
    flags: 'What one state cannot say; each only when it holds.',
    paymentMethods: 'Every way to pay it.',
    depositInstructions: 'What the customer sends, and where; null before a commit.',
    expirationTime: 'End of the payment window, UTC; null before a commit.',
    quoteExpirationTime: 'Until then a commit keeps the amounts of `paymentMethods`, UTC.',
    refunds: 'Money of it that was sent back, or is on its way.',
  },
  CheckoutPage: { checkouts: 'Newest first.' },
  CheckoutPayload: {
    settlementAsset: 'Id of the asset that is credited, or `ORIGIN`: whatever is paid.',
    webhook: 'Address that is told; null where none was given.',
    links: 'Where the customer goes afterwards.',
  },
  CheckoutStateChange: {
    state: 'The state it came to.',
    timestamp: 'When, UTC.',
  },
  CheckoutTransaction: {
    type: 'What it did: the payment itself, or a step of an anchor or of the settlement.',
    typeDescription: 'The same, in words.',
    timestamp: 'When its block was made, UTC; before it is in one, when it was seen first.',
    tx: 'Hash of the transaction on the network.',
    exception:
      '`REVERSED`: taken back by the network; `REPLACED`: it will not come; `WRONG_ASSET`; `HELD`: it waits for a person; null otherwise.',
  },
  CheckoutFlags: {
    late: 'Money came after the window was over.',
    overpaid: 'More came than was asked for: so much more.',
    multiple: 'It was paid again after it was completed.',
    reversed: 'The network took back money that had been credited.',
    restored: 'Money that the network had taken back is here again.',
    misdirected: 'Payments in another asset or on another network than asked.',
    acceptedUnderpaid: 'It was underpaid, and accepted with what arrived.',
    wrongNetwork: 'A payment came on another network than asked.',
    manual: 'A person decided about its money.',
  },
  CheckoutFlag: {
    at: 'Since when, UTC; with `late`, `reversed`, `restored`, `acceptedUnderpaid`, `manual`.',
    amount: 'In whole coins of `assetCode`; with `overpaid`, `reversed`, `restored`.',
    assetCode: 'Code of the asset that `amount` is in.',
    count: 'How many payments were credited after it was completed; with `multiple`.',
  },
  MisdirectedPayment: {
    reason: 'What was wrong; with `misdirected` alone.',
    network: 'Id of the network that it came on.',
    assetCode: 'Code of the asset that came.',
    tx: 'Hash of the transaction on the network.',
  },
  CreateRefundRequest: {
    kind: '`full`: what is left, of an underpaid checkout all of it, less the fee of the network; `amount`: so much; `excess`: what was paid too much.',
    amount: 'With `kind` amount only: in whole coins of what was paid.',
    address:
      'Where to; on Lightning an address, an LNURL, or an invoice for exactly what is refunded. Without it the payer gets a link to claim it.',
    memo: 'What an exchange asks for beside its address, up to 64 characters.',
    holder: 'Whose bank account it is, up to 200 characters.',
    network: 'Where the customer paid in several ways: which; the last one unless given.',
    asset: 'The same: id of the asset that was paid.',
  },
  Refund: {
    state: 'How far it is.',
    kind: 'How much of what came: all, a part, or what was too much.',
    context:
      'What it gives back of: a completed checkout, an underpaid one, or what was paid too much.',
    amount: 'What the payer gets, in whole coins of the asset.',
    address: 'Where to; null while its payer has not said.',
    payment: 'Whether the payment that it gives back stands.',
    timestamp: 'When it ended, UTC; before that when it was made.',
    claimUrl: 'Link for the payer to say where to; null once that is known.',
    claimableUntil: 'Until then the link works, UTC; null without one.',
    restsUntil:
      'It is not sent before, and can be cancelled until then; null where it does not rest.',
  },
  RefundPage: { refunds: 'Newest first.' },
  ToldRefund: {
    context:
      'What it gives back of: a completed checkout, an underpaid one, or what was paid too much.',
    restsUntil: 'Of REFUND_RESTS alone: it is not sent before, UTC, and can be cancelled.',
    payment:
      'Of REFUND_FAILED and REFUND_RETURNED alone: whether the payment that it gave back stands.',
    failure:
      'Of REFUND_FAILED and REFUND_RETURNED alone: why, as far as that is known; null otherwise.',
  },
};
