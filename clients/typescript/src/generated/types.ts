// Made from the OpenAPI document by test/clients; what is changed here is lost.

/** A text as '12.50', or a whole number: a float that is not whole is refused. */
export type Numeric = string | bigint | number;

export type AccountSettings = {
  /** Assets above this risk are neither offered nor settled in. */
  riskTolerance: 'LOW' | 'MEDIUM' | 'HIGH';
  /** `DIGEST`: requests of every key are signed; `BASIC`: `X-Basic` is taken too. */
  preferredAuthentication: 'DIGEST' | 'BASIC';
  /** Mails that customers get; none unless switched on. */
  customerMails: ('PAYMENT_SEEN' | 'PAID' | 'UNDERPAID' | 'EXPIRED' | 'REFUND_CLAIM' | 'REFUND_SENT' | 'BILL_SENT' | 'BILL_DUE_SOON' | 'BILL_DUE' | 'BILL_OVERDUE')[];
  /** Whether payers may ask on their page for an e-mail when it is paid, or something is left for them to do. */
  payerMails: boolean;
  /** Id of the asset that sales by hand, links and invoices are credited in, or `ORIGIN`: whatever is paid. */
  settlementAsset: string;
  /** Ways to pay in the order of customers, `LITECOIN LTC:NATIVE`; others come after. */
  methodOrder: string[];
  /** Ways to pay that new checkouts do not offer. */
  methodsOff: string[];
  /** Ways to pay that pages show first and mark. */
  methodsRecommended: string[];
  /** Your own words in such mails. */
  customerMailWords: MailWords[];
  /** Languages that the pages of the account are offered in. */
  pageLanguages: PageLanguage[];
  /** That of `pageLanguages` in which they are where the browser of a customer wants none. */
  defaultPageLanguage: PageLanguage;
  /** Sites that may show pages of the account in a frame. */
  embedOrigins: string[];
  /** By id of a network, blocks for small, medium and large amounts, each 1 to 1,000. */
  confirmations: Record<string, number[]>;
  /** Percent of the price that late money has to be worth, 50 to 100. */
  lateFloorPercent: string;
  /** Days after its window in which a checkout can still complete. */
  lateDays: number;
  /** Percent that may be missing from a payment, 0 to 2. */
  underpaidPercent: string;
  /** What its pages ask, and how they lead back. */
  pageSettings: PageSettings;
};

export type AccountSettingsAnswer = {
  /** As they are now. */
  accountSettings: AccountSettings;
};

export type Approval = {
  /** What waits: `transfer:` and an id, also of the transfer that carries a refund. */
  subject: string;
  /** `test` or `live`: that of the key. */
  environment: string;
  /** Whose it is; null of the house. */
  merchantId: string | null;
  /** What it is, in words. */
  about: string;
  /** Who made it: `key` and its id, or a person; null where that is not known. */
  maker: string | null;
  /** Since when it waits, UTC. */
  askedAt: string;
  /** Until then it can be approved, UTC. */
  waitsUntil: string;
  /** Who approved it; null while nobody has. */
  approver: string | null;
  /** When, UTC; null while nobody has. */
  approvedAt: string | null;
};

export type ApprovalAnswer = {
  /** Of `POST /approval`: as it stands now. */
  approval?: Approval;
  /** Of `GET /approvals`: what waits, oldest first. */
  approvals?: Approval[];
};

export type Asset = {
  /** Code and issuer, such as `LTC:NATIVE`. */
  id: string;
  /** Code of the asset, such as `LTC`; not unique: several networks issue `USDC`. */
  assetCode: string;
  /** `NATIVE`, `FIAT`, or the account or contract that issues it. */
  assetIssuer: string;
  /** Name, to be shown. */
  name: string;
  /** Assets of one group are worth the same. */
  group: string;
  /** Path of the picture of the group on this server. */
  groupImageSrc: string;
  /** Who issues it; empty where nobody does. */
  issuerName: string;
  /** Domain of the issuer; empty where there is none. */
  issuerDomain: string;
  /** Address of the issuer on its network; empty where there is none. */
  issuerAddress: string;
  /** Path of its picture on this server. */
  imageSrc: string;
  /** Whether checkouts of the account offer it now. */
  checkouts: boolean;
  /** Whether deposit addresses of the account take it now. */
  deposits: boolean;
  /** Whether you can be credited in it. */
  settlement: boolean;
  /** Whether it can be converted. */
  swaps: boolean;
  /** Whether it can be sent now. */
  transfers: boolean;
  /** Colour of the brand, `#` and six hex digits. */
  hexColor: string;
  /** How much can go wrong with it: held against `riskTolerance` of the account. */
  riskLevel: 'LOW' | 'MEDIUM' | 'HIGH';
  /** Whether it stands for a coin of another network. */
  bridge: boolean;
  /** Ids of the networks that it is on. */
  networks: string[];
};

export type AssetIssuer = {
  /** Account or contract that issues. */
  id: string;
  /** Name, to be shown. */
  name: string;
  /** Domain of the issuer; empty where there is none. */
  domain: string;
  /** Ids of the assets that it issues. */
  assets: string[];
};

export type AssetIssuerList = {
  /** Every issuer of an asset of this environment. */
  assetIssuers: AssetIssuer[];
};

export type AssetList = {
  /** Every asset of this environment. */
  assets: Asset[];
};

export type Authentication = {
  /** Always true: other answers are errors. */
  authenticated: boolean;
  /** How the request was signed. */
  method: 'digest' | 'basic';
  /** `test` or `live`: that of the key. */
  environment: 'test' | 'live';
};

export type Beneficiary = {
  /** Its id: 12 characters. */
  id: string;
  /** Your own name for it; no two have the same. */
  label: string;
  /** Id of a network, such as `LITECOIN`. */
  network: string;
  /** Where to, by the fields that its network needs. */
  account: BeneficiaryAccount;
  /** When it was made, UTC. */
  timestamp: string;
  /** From then on it can be paid, UTC. */
  usableTime: string;
};

export type BeneficiaryAccount = {
  /** Address on the network; of SWIFT where the holder lives */
  address?: string | null;
  /** LIGHTNING: an invoice (BOLT 11), which pays one transfer of exactly its amount */
  invoice?: string | null;
  /** LIGHTNING: name@domain (LUD-16), or invoice, or lnurl */
  lightningAddress?: string | null;
  /** LIGHTNING: lnurl1... (LUD-01), or invoice, or lightningAddress */
  lnurl?: string | null;
  /** STELLAR, XRP_LEDGER: the account */
  account?: string | null;
  /** STELLAR: what has to be given beside the account, with memoType */
  memo?: string | null;
  /** STELLAR: kind of the memo, text, id, hash, return */
  memoType?: string | null;
  /** SEPA: the IBAN; SWIFT: it, or accountNumber */
  iban?: string | null;
  /** SWIFT: number of the account, or iban */
  accountNumber?: string | null;
  /** SWIFT: BIC of the bank; SEPA: where it is known */
  bic?: string | null;
  /** SEPA, SWIFT: whose account it is */
  holder?: string | null;
  /** PIX: CPF, CNPJ, e-mail address, telephone or random key */
  pixKey?: string | null;
  /** PIX: CPF or CNPJ */
  taxId?: string | null;
  /** XRP_LEDGER: what has to be given beside the account, as number or text */
  destinationTag?: number | null;
};

export type BeneficiaryAnswer = {
  /** The beneficiary. */
  beneficiary: Beneficiary;
};

export type BeneficiaryFields = {
  /** Your own name for it, up to 200 characters; no two have the same. */
  label: string;
  /** Id of a network of `GET /networks` with `transfers`. */
  network: string;
  /** Where to, by the fields that its network needs. */
  account: BeneficiaryAccount;
};

export type BeneficiaryPage = {
  /** Newest first. */
  beneficiaries: Beneficiary[];
  /** `cursor` of the next page; null on the last. */
  nextCursor: string | null;
};

export type BeneficiaryReference = {
  /** Id of the beneficiary. */
  beneficiaryId: string;
};

export type Blockchain = {
  /** Such as `LITECOIN`. */
  id: string;
  /** Code of its own coin. */
  nativeAssetCode: string;
  /** Name of its own coin. */
  nativeAssetName: string;
};

export type BlockchainList = {
  /** Every blockchain that is known here. */
  blockchains: Blockchain[];
};

export type CancelRefundRequest = {
  /** Id of the refund. */
  refundId: string;
};

export type Charge = {
  /** Customer that it is for, of `POST /customer`. */
  customerId?: string | null;
  /** Code of a currency of `GET /currencies` with `billing`, in which all amounts are; needed unless `currency` is given. */
  billingCurrency?: string | null;
  /** Older name of `billingCurrency`; alone, it needs `settlementCurrency` or `settlementAsset`. */
  currency?: string | null;
  /** What is sold: 1 to 500 lines. */
  lineItems: LineItem[];
  /** What is taken off before tax, up to 100. */
  discountItems?: DiscountItem[] | null;
  /** What sending costs, up to 100. */
  shippingCostItems?: ShippingCostItem[] | null;
  /** Taxes, up to 100: each a part of the taxable sum. */
  taxItems?: TaxItem[] | null;
};

export type ChargeTotals = {
  /** What the customer is charged, rounded once, halves up, to the decimals of the currency. */
  total: string;
  /** Digits after the point that the billing currency has. */
  decimals: number;
  /** Lines less discounts plus shipping, without tax, exact. */
  netTotal: string;
  /** All taxes, exact. */
  taxTotal: string;
  /** All discounts, exact. */
  discountTotal: string;
  /** All shipping costs, exact. */
  shippingTotal: string;
};

export type Checkout = {
  /** Its id: 12 characters. */
  id: string;
  /** When it came to this state, UTC. */
  timestamp: string;
  /** How far it is. */
  state: CheckoutState;
  /** `HOSTED`: paid on our page; `SELF_HOSTED`: on yours. */
  type: 'HOSTED' | 'SELF_HOSTED';
  /** What made it: a key, a person in the dashboard, or a payment link. */
  origin: 'API' | 'DASHBOARD' | 'PAYMENT_LINK';
  /** Id of the asset that is credited; null while nothing was chosen for ORIGIN. */
  settlementAssetId: string | null;
  /** What a full payment settles to, before the fee, in that asset; null before a commit. */
  settlementAmountRequired: string | null;
  /** What was settled so far, before the fee, in that asset; 0 before a commit. */
  settlementAmountReceived: string;
  /** Fees of that, in that asset; 0 before a commit. */
  settlementAmountFeePaid: string;
  /** Id of the asset that money came in last, else of the one chosen last; null before a commit. */
  sourceAssetId: string | null;
  /** What has to arrive of the customer, in that asset, without what an anchor keeps; null before a commit. */
  sourceAmountRequired: string | null;
  /** What came and is final, in that asset; 0 before a commit. */
  sourceAmountReceived: string;
  /** Network of the same; null before a commit. */
  sourceNetwork: string | null;
  /** Its name, to be shown; null before a commit. */
  sourceNetworkName: string | null;
  /** Where the customer pays to by it; null before a commit. */
  depositAddress: string | null;
  /** Every transaction that belongs to it: first those of anchors, then its payments, oldest first. */
  blockchainTransactions: CheckoutTransaction[];
  /** The request as it came, with what is always there in the current layout. */
  payload: CheckoutPayload;
  /** Address of its payment page. */
  hostedCheckoutUrl: string;
  /** What the customer is charged, in the billing currency. */
  total: string;
  /** Code of the currency of the charge. */
  billingCurrency: string;
  /** What the payer is asked; absent where nothing is asked, no terms and no tip. */
  asks?: JsonObject[];
  /** What the payer answered, by `key`; empty before, and when erased; absent with `asks`. */
  answers?: JsonObject;
  /** When the payer answered, UTC; null: not yet; absent with `asks`. */
  answeredAt?: string | null;
  /** Address of the terms; null without; absent with `asks`. */
  termsUrl?: string | null;
  /** When the payer accepted the terms, UTC; null: not yet, or there are none; absent with `asks`. */
  termsAcceptedAt?: string | null;
  /** What the payer added, in the billing currency: part of `total`; absent with `asks`. */
  tip?: string;
  /** Every state it had, oldest first. */
  stateHistory: CheckoutStateChange[];
  /** What one state cannot say; each only when it holds. */
  flags: CheckoutFlags;
  /** Every way to pay it. */
  paymentMethods: PaymentMethod[];
  /** What the customer sends, and where; null before a commit. */
  depositInstructions: DepositInstructions | null;
  /** End of the payment window, UTC; null before a commit. */
  expirationTime: string | null;
  /** Until then a commit keeps the amounts of `paymentMethods`, UTC. */
  quoteExpirationTime: string;
  /** What you gave with it; absent where nothing was given. */
  meta?: JsonObject;
  /** Money of it that was sent back, or is on its way. */
  refunds: Refund[];
};

export type CheckoutAnswer = {
  /** The checkout as it stands. */
  checkout: Checkout;
};

export type CheckoutCommitment = {
  /** What the customer sends, and where. */
  depositInstructions: DepositInstructions;
  /** What you are credited for this payment. */
  settlement: Settlement;
  /** End of the payment window, UTC. */
  expirationTime: string;
  /** Until then the settlement is guaranteed for these amounts. */
  quoteExpirationTime: string;
  /** Id of the checkout. */
  checkoutId: string;
  /** Link that opens a wallet with everything filled in; null where there is none. */
  paymentUri: string | null;
  /** What you gave with it; absent where nothing was given. */
  meta?: JsonObject;
};

export type CheckoutEvent = {
  /** What happened. */
  eventType: 'CHECKOUT_COMPLETED' | 'CHECKOUT_PENDING' | 'CHECKOUT_UNDERPAID' | 'CHECKOUT_EXPIRED' | 'CHECKOUT_CANCELLED' | 'CHECKOUT_REVERSED' | 'CHECKOUT_RESTORED' | 'CHECKOUT_PENDING_WITHDRAWN' | 'CHECKOUT_MISDIRECTED' | 'CHECKOUT_PAID_AGAIN' | 'UNDERPAID_ACCEPTED';
  /** What it happened to. */
  data: CheckoutAnswer;
  /** Its id: 12 characters. */
  id: string;
  /** When it was made, UTC. */
  created: string;
  /** Rises from 1 with each event of one thing: the highest is the newest. */
  sequence: number;
  /** Dated version that this is told in, that of its receiver; `1` is the first. */
  apiVersion: string;
  /** A person tries a receiver: nothing of it happened */
  test?: boolean;
};

export type CheckoutFlag = {
  /** Since when, UTC; with `late`, `reversed`, `restored`, `acceptedUnderpaid`, `manual`. */
  at?: string;
  /** In whole coins of `assetCode`; with `overpaid`, `reversed`, `restored`. */
  amount?: string;
  /** Code of the asset that `amount` is in. */
  assetCode?: string;
  /** How many payments were credited after it was completed; with `multiple`. */
  count?: number;
};

export type CheckoutFlags = {
  /** Money came after the window was over. */
  late?: CheckoutFlag;
  /** More came than was asked for: so much more. */
  overpaid?: CheckoutFlag;
  /** It was paid again after it was completed. */
  multiple?: CheckoutFlag;
  /** The network took back money that had been credited. */
  reversed?: CheckoutFlag;
  /** Money that the network had taken back is here again. */
  restored?: CheckoutFlag;
  /** Payments in another asset or on another network than asked. */
  misdirected?: MisdirectedPayment[];
  /** It was underpaid, and accepted with what arrived. */
  acceptedUnderpaid?: CheckoutFlag;
  /** A payment came on another network than asked. */
  wrongNetwork?: MisdirectedPayment;
  /** A person decided about its money. */
  manual?: CheckoutFlag;
};

export type CheckoutPage = {
  /** Newest first. */
  checkouts: Checkout[];
  /** `cursor` of the next page; null on the last. */
  nextCursor: string | null;
};

export type CheckoutPayload = {
  /** What the customer is charged. */
  charge: JsonObject;
  /** Id of the asset that is credited, or `ORIGIN`: whatever is paid. */
  settlementAsset: string;
  /** Address that is told; null where none was given. */
  webhook: string | null;
  /** Where the customer goes afterwards. */
  links: ReturnLinks;
  [name: string]: unknown;
};

export type CheckoutReference = {
  /** Id of the checkout. */
  checkoutId: string;
};

export type CheckoutRequest = {
  /** What the customer is charged. */
  charge: Charge;
  /** Id of the asset that you are credited in, or `ORIGIN`: whatever is paid. `ORIGIN` unless given. */
  settlementAsset?: string | null;
  /** Older name of `settlementAsset`; takes codes such as `BTC` too. */
  settlementCurrency?: string | null;
  /** Language of the payment page: a code of `GET /languages`, or `auto`, that of the browser; `auto` unless given, `en` with `charge.currency`. */
  checkoutLanguage?: 'auto' | 'en' | 'de' | 'pt' | 'es' | 'it' | 'tr' | 'pl' | 'fr' | 'nl' | 'pt-BR' | 'ru' | 'uk' | 'cs' | 'ro' | 'zh-Hans' | 'ja' | 'ko' | 'ar' | 'he' | 'hi' | null;
  /** Address, http or https, that is told of everything that happens to the checkout. */
  webhook?: string | null;
  /** By network, the id of the asset that is preferred where one coin can come in two ways. */
  anchors?: Record<string, string> | null;
  /** Older form of `anchors`: by network, the issuer. */
  blockchainRelays?: Record<string, string> | null;
  /** Of the payment page; what is absent is as the account says. */
  pageSettings?: PageSettings | null;
  /** Older place of `returnUrl` and `cancelUrl`. */
  links?: ReturnLinks | null;
  /** Your own data, up to 16 KiB of JSON: comes back in answers and webhooks. */
  meta?: JsonObject | null;
};

export type CheckoutState = 'NEW' | 'AWAITING_PAYMENT' | 'PENDING' | 'UNDERPAID' | 'COMPLETED' | 'EXPIRED' | 'CANCELLED';

export type CheckoutStateChange = {
  /** The state it came to. */
  state: CheckoutState;
  /** When, UTC. */
  timestamp: string;
};

export type CheckoutTransaction = {
  /** What it did: the payment itself, or a step of an anchor or of the settlement. */
  type: 'CHECKOUT_ORIGIN' | 'CHECKOUT_BRIDGE' | 'CHECKOUT_SETTLEMENT';
  /** The same, in words. */
  typeDescription: string;
  /** Id of a network, such as `LITECOIN`. */
  network: string;
  /** Name of the network, to be shown. */
  networkName: string;
  /** When its block was made, UTC; before it is in one, when it was seen first. */
  timestamp: string;
  /** Hash of the transaction on the network. */
  tx: string;
  /** In whole coins of the asset, as a decimal text. */
  amount: string;
  /** Code of the asset that `amount` is in. */
  amountAssetCode: string;
  /** `REVERSED`: taken back by the network; `REPLACED`: it will not come; `WRONG_ASSET`; `HELD`: it waits for a person; null otherwise. */
  exception: string | null;
  /** Blocks that confirm it now. */
  confirmations: number;
  /** Blocks after which it is final; null while that is not known. */
  confirmationsRequired: number | null;
};

export type ClaimableBalance = {
  /** Id of the claimable balance on Stellar. */
  id: string;
  /** From then on it may be taken back, UTC; null where never. */
  reclaimableFrom: string | null;
};

export type CommitCheckoutRequest = {
  /** Id of the checkout. */
  checkoutId: string;
  /** Id of the network that the customer pays on: of one of the payment methods; needed where several fit. */
  network?: string | null;
  /** Id of the asset; unless given the first of `assets` of the network, where it is offered. */
  asset?: string | null;
  /** Another name of `network`. */
  depositNetwork?: string | null;
  /** Another name of `asset`. */
  relatedAssetId?: string | null;
  /** Older way to name the payment method, by the code of its asset. */
  assetCode?: string | null;
  /** What the customer answered, by `key` of `asks`. */
  answers?: JsonObject | null;
  /** That the customer accepts the terms: needed, true, where the checkout has some. */
  termsAccepted?: boolean | null;
  /** What the customer adds, in the billing currency; nothing unless given. */
  tip?: Numeric | null;
};

export type CommitSwapRequest = {
  /** Id of the swap. */
  swapId: string;
};

export type CreateApprovalRequest = {
  /** `subject` of one of `GET /approvals`. */
  subject: string;
};

export type CreateBeneficiaryRequest = {
  /** Who may be sent money to. */
  beneficiary: BeneficiaryFields;
};

export type CreateCustomerRequest = {
  /** Who is created. */
  customer: CustomerFields;
};

export type CreateDepositAddressRequest = {
  /** Id of a network, such as `LITECOIN`. */
  network: string;
  /** Id of the asset; the first of `assets` of the network unless given. */
  asset?: string | null;
  /** Your own name for it, up to 200 characters. */
  label?: string | null;
  /** Address, http or https, that is told of its payments. */
  webhook?: string | null;
  /** Your own data, up to 16 KiB of JSON: comes back in answers and webhooks. */
  meta?: JsonObject | null;
};

export type CreateRefundRequest = {
  /** Id of the checkout. */
  checkoutId: string;
  /** `full`: what is left, of an underpaid checkout all of it, less the fee of the network; `amount`: so much; `excess`: what was paid too much. */
  kind: 'full' | 'excess' | 'amount';
  /** With `kind` amount only: in whole coins of what was paid. */
  amount?: Numeric | null;
  /** Where to; on Lightning an address, an LNURL, or an invoice for exactly what is refunded. Without it the payer gets a link to claim it. */
  address?: string | null;
  /** What an exchange asks for beside its address, up to 64 characters. */
  memo?: string | null;
  /** Kind of the memo: `text`, `id`, `hash` or `return`; null without a memo. */
  memoType?: 'text' | 'id' | 'hash' | 'return' | null;
  /** On the XRP Ledger: what has to be given beside the address. */
  destinationTag?: number | null;
  /** Whose bank account it is, up to 200 characters. */
  holder?: string | null;
  /** Where the customer paid in several ways: which; the last one unless given. */
  network?: string | null;
  /** The same: id of the asset that was paid. */
  asset?: string | null;
};

export type CreateSettlementRuleRequest = {
  /** Id of an asset, such as `LTC:NATIVE`. */
  asset: string;
  /** Least of the balance with which it is followed, in whole coins, above `keep`; needed unless `schedule` is given. */
  threshold?: Numeric | null;
  /** What stays in the balance, in whole coins; 0 unless given. */
  keep?: Numeric | null;
  /** When it is followed; unless given, whenever `threshold` is reached. */
  schedule?: SettlementSchedule | null;
  /** Id of the asset that it is converted to; needed unless `targetAccount` is given. */
  convertTo?: string | null;
  /** Id of the network that it is sent on; with `targetAccount` alone. */
  network?: string | null;
  /** Id or label of the beneficiary that gets it; with `network` alone. */
  targetAccount?: string | null;
};

export type CreateSwapRequest = {
  /** Id of the asset that is given. */
  sourceAsset: string;
  /** Id of the asset that is got. */
  targetAsset: string;
  /** What is given, in whole coins; either this or `targetAmount`. */
  sourceAmount?: Numeric | null;
  /** What is got, in whole coins; either this or `sourceAmount`. */
  targetAmount?: Numeric | null;
};

export type CreateTransferRequest = {
  /** Id of a network, such as `LITECOIN`. */
  network: string;
  /** Id of the asset; the first of `assets` of the network unless given. */
  asset?: string | null;
  /** What is taken from the balance, in whole coins, above zero: the fee of the network goes off it. */
  amount: Numeric;
  /** Id or label of a beneficiary. */
  targetAccount: string;
};

export type CreateWebhookEndpointRequest = {
  /** Address, http or https, that events are sent to. */
  url: string;
  /** Which are sent; all unless given. */
  eventTypes?: EventType[] | null;
  /** In whose words: ours unless given, of BTCPay Server, or of Coinbase Commerce. */
  format?: 'QUITTANCE' | 'GREENFIELD' | 'COMMERCE' | null;
  /** Dated version that its events are told in; that of the key unless given. */
  apiVersion?: '2026-11-24' | '2026-11-25' | null;
};

export type CreatedCheckout = {
  /** Its id: 12 characters. */
  id: string;
  /** Every way to pay it, of which one is chosen by `POST /checkout/commit`. */
  paymentMethods: PaymentMethod[];
  /** Until then these amounts are kept, UTC. */
  quoteExpirationTime: string;
  /** What you gave with it; absent where nothing was given. */
  meta?: JsonObject;
  /** Sentences: what was asked for and cannot be done, as far as it stops no sale. */
  warnings?: string[];
};

export type CreatedHostedCheckout = {
  /** Its id: 12 characters. */
  id: string;
  /** Address of the payment page: send the customer there. */
  url: string;
  /** The same as `id`, read by older clients. */
  checkoutId: string;
  /** What you gave with it; absent where nothing was given. */
  meta?: JsonObject;
  /** Sentences: what was asked for and cannot be done, as far as it stops no sale. */
  warnings?: string[];
};

export type Currency = {
  /** Such as `EUR`. */
  assetCode: string;
  /** Name, to be shown. */
  name: string;
  /** `FIAT`: of states; `CRYPTO`: of networks. */
  type: 'CRYPTO' | 'FIAT';
  /** Whether charges can be in it. */
  billing: boolean;
  /** Whether you can be credited in it. */
  settlement: boolean;
  /** Whether customers can pay in it now. */
  payment: boolean;
};

export type CurrencyList = {
  /** Every currency that is known here. */
  currencies: Currency[];
};

export type Customer = {
  /** Its id: 12 characters. */
  id: string;
  /** E-mail address, up to 254 characters. */
  email: string;
  /** First name, up to 200 characters; null where there is none. */
  firstname: string | null;
  /** Last name, up to 200 characters; null where there is none. */
  lastname: string | null;
  /** Company, up to 200 characters; null where there is none. */
  company: string | null;
  /** First line of the address, up to 200 characters; null where there is none. */
  adr1: string | null;
  /** Second line of the address, up to 200 characters; null where there is none. */
  adr2: string | null;
  /** Postal code, up to 20 characters; null where there is none. */
  zip: string | null;
  /** City, up to 200 characters; null where there is none. */
  city: string | null;
  /** Country: ISO 3166-1, two letters in either case; null where there is none. */
  countrycode: string | null;
  /** Telephone, up to 40 characters; null where there is none. */
  phonenumber: string | null;
  /** Number for taxes, up to 50 characters; null where there is none. */
  taxid: string | null;
  /** Your own note, up to 2,000 characters; null where there is none. */
  note: string | null;
  /** Your own data, up to 16 KiB of JSON; null where there is none. */
  meta: JsonObject | null;
  /** When it was made, UTC. */
  timestamp: string;
};

export type CustomerAnswer = {
  /** The customer. */
  customer: Customer;
};

export type CustomerChange = {
  /** Id of the customer. */
  id: string;
  /** E-mail address, up to 254 characters. */
  email?: string;
  /** First name, up to 200 characters. */
  firstname?: string | null;
  /** Last name, up to 200 characters. */
  lastname?: string | null;
  /** Company, up to 200 characters. */
  company?: string | null;
  /** First line of the address, up to 200 characters. */
  adr1?: string | null;
  /** Second line of the address, up to 200 characters. */
  adr2?: string | null;
  /** Postal code, up to 20 characters. */
  zip?: string | null;
  /** City, up to 200 characters. */
  city?: string | null;
  /** Country: ISO 3166-1, two letters in either case. */
  countrycode?: string | null;
  /** Telephone, up to 40 characters. */
  phonenumber?: string | null;
  /** Number for taxes, up to 50 characters. */
  taxid?: string | null;
  /** Your own note, up to 2,000 characters. */
  note?: string | null;
  /** Your own data, up to 16 KiB of JSON. */
  meta?: JsonObject | null;
};

export type CustomerFields = {
  /** E-mail address, up to 254 characters. */
  email: string;
  /** First name, up to 200 characters. */
  firstname?: string | null;
  /** Last name, up to 200 characters. */
  lastname?: string | null;
  /** Company, up to 200 characters. */
  company?: string | null;
  /** First line of the address, up to 200 characters. */
  adr1?: string | null;
  /** Second line of the address, up to 200 characters. */
  adr2?: string | null;
  /** Postal code, up to 20 characters. */
  zip?: string | null;
  /** City, up to 200 characters. */
  city?: string | null;
  /** Country: ISO 3166-1, two letters in either case. */
  countrycode?: string | null;
  /** Telephone, up to 40 characters. */
  phonenumber?: string | null;
  /** Number for taxes, up to 50 characters. */
  taxid?: string | null;
  /** Your own note, up to 2,000 characters. */
  note?: string | null;
  /** Your own data, up to 16 KiB of JSON. */
  meta?: JsonObject | null;
};

export type CustomerPage = {
  /** Newest first. */
  customers: Customer[];
  /** `cursor` of the next page; null on the last. */
  nextCursor: string | null;
};

export type CustomerReference = {
  /** Id of the customer. */
  customerId: string;
};

export type Delivery = {
  /** Address of the receiver. */
  url: string;
  /** Which receiver of the account; null of an address given with a checkout or a deposit address. */
  webhookEndpointId: string | null;
  /** How far it is. */
  state: 'PENDING' | 'DELIVERED' | 'PARKED' | 'DISABLED';
  /** How often it was tried. */
  attempts: number;
  /** HTTP status of the last answer; null where there was none. */
  lastStatus: number | null;
  /** Why the last attempt got no answer, in words; null where it got one. */
  lastError: string | null;
  /** When it is tried again, UTC; null where it is not. */
  nextAttempt: string | null;
  /** When it ended, UTC; null while it has not. */
  finishedTime: string | null;
  /** Why it ended without success, in words; null otherwise. */
  reason: string | null;
};

export type Deposit = {
  /** Names the payment, in each event about it. */
  id: string;
  /** How far it is. */
  state: 'PENDING' | 'WITHDRAWN' | 'COMPLETED' | 'REVERSED' | 'MISDIRECTED';
  /** When its block was made, UTC; before it is in one, when it was seen first. */
  timestamp: string;
  /** Id of the deposit address. */
  depositAddressId: string;
  /** Your own name for it, up to 200 characters; null where none was given. */
  label: string | null;
  /** Id of a network, such as `LITECOIN`. */
  network: string;
  /** Name of the network, to be shown. */
  networkName: string;
  /** Address on the network. */
  address: string;
  /** What has to be given beside the address, or null. */
  memo: string | null;
  /** Kind of the memo: `text`, `id`, `hash` or `return`; null without a memo. */
  memoType: string | null;
  /** Hash of the transaction on the network. */
  tx: string;
  /** Id of the asset, such as `LTC:NATIVE`. */
  assetId: string;
  /** Code of the asset, such as `LTC`; not unique: several networks issue `USDC`. */
  assetCode: string;
  /** What came, in whole coins. */
  amount: string;
  /** What was credited: `amount` less `fee`; null where nothing was. */
  netAmount: string | null;
  /** What the service keeps; null where nothing was credited. */
  fee: string | null;
  /** Blocks that confirm it now. */
  confirmations: number;
  /** Blocks after which it is final; null while that is not known. */
  confirmationsRequired: number | null;
  /** What you gave with it; absent where nothing was given. */
  meta?: JsonObject;
};

export type DepositAddress = {
  /** Its id: 12 characters. */
  id: string;
  /** Id of a network, such as `LITECOIN`. */
  network: string;
  /** Id of the asset, such as `LTC:NATIVE`. */
  assetId: string;
  /** May be paid any number of times. */
  address: string;
  /** What has to be given beside the address, or null. */
  memo: string | null;
  /** Kind of the memo: `text`, `id`, `hash` or `return`; null without a memo. */
  memoType: string | null;
  /** On the XRP Ledger: what has to be given beside the address. */
  destinationTag?: number;
  /** Link that opens a wallet with everything filled in; null where there is none. */
  paymentUri: string | null;
  /** Lightning: the address in the form of a mail address. */
  lightningAddress?: string;
  /** Lightning: the same as an LNURL. */
  lnurl?: string;
  /** Your own name for it, up to 200 characters; null where none was given. */
  label: string | null;
  /** Address that is told of its payments, beside the receivers of the account; null where none was given. */
  webhook: string | null;
  /** When it was made, UTC. */
  timestamp: string;
  /** What you gave with it; absent where nothing was given. */
  meta?: JsonObject;
};

export type DepositAddressAnswer = {
  /** The deposit address. */
  depositAddress: DepositAddress;
};

export type DepositAddressPage = {
  /** Newest first. */
  depositAddresses: DepositAddress[];
  /** `cursor` of the next page; null on the last. */
  nextCursor: string | null;
};

export type DepositEvent = {
  /** What happened. */
  eventType: 'DEPOSIT_PENDING' | 'DEPOSIT_PENDING_WITHDRAWN' | 'DEPOSIT_COMPLETED' | 'DEPOSIT_REVERSED' | 'DEPOSIT_MISDIRECTED';
  /** What it happened to. */
  data: DepositEventData;
  /** Its id: 12 characters. */
  id: string;
  /** When it was made, UTC. */
  created: string;
  /** Rises from 1 with each event of one thing: the highest is the newest. */
  sequence: number;
  /** Dated version that this is told in, that of its receiver; `1` is the first. */
  apiVersion: string;
  /** A person tries a receiver: nothing of it happened */
  test?: boolean;
};

export type DepositEventData = {
  /** The payment to a deposit address. */
  deposit: Deposit;
};

export type DepositInstructions = {
  /** Code of the asset, such as `LTC`; not unique: several networks issue `USDC`. */
  assetCode: string;
  /** Name of the network, such as `Litecoin`, read by older clients. */
  blockchain: string;
  /** Id of a network, such as `LITECOIN`. */
  network: string;
  /** What the customer sends, in whole coins. */
  amount: string;
  /** How much of the amount an anchor keeps; absent where none is in between. */
  anchorFee?: string;
  /** Where to: an address, a Lightning invoice, or an account of a bank. */
  address: string;
  /** What has to be given beside the address, or null. */
  memo: string | null;
  /** Kind of the memo: `text`, `id`, `hash` or `return`; null without a memo. */
  memoType: string | null;
  /** On the XRP Ledger: what has to be given beside the address. */
  destinationTag?: number;
  /** Banks: whose account it is. */
  holder?: string;
  /** Banks: its BIC, where it has one. */
  bic?: string;
  /** Link that opens a wallet with everything filled in; null where there is none. */
  paymentUri: string | null;
};

export type DiscountItem = {
  /** What for, up to 200 characters. */
  description: string;
  /** Taken off the sum, in the billing currency. */
  netAmount: Numeric;
};

/** Every answer that is no success; its stable code stands in the header X-Error-Code. */
export type ErrorBody = {
  /** Sentences for a person: the first begins with the wording of the status, each fault of a request is one more, with its JSON path. */
  errors: string[];
};

/** The body of a webhook: which one it is says `eventType`. */
export type WebhookEvent = CheckoutEvent | RefundEvent | DepositEvent | SuspenseEvent | SwapEvent | TransferEvent | SettlementEvent;

export type EventAnswer = {
  /** The event, with its deliveries as they stand now. */
  event: ListedEvent;
};

export type EventPage = {
  /** Newest first. */
  events: ListedEvent[];
  /** `cursor` of the next page; null on the last. */
  nextCursor: string | null;
};

export type EventType = 'CHECKOUT_COMPLETED' | 'CHECKOUT_PENDING' | 'CHECKOUT_UNDERPAID' | 'CHECKOUT_EXPIRED' | 'CHECKOUT_CANCELLED' | 'CHECKOUT_REVERSED' | 'CHECKOUT_RESTORED' | 'CHECKOUT_PENDING_WITHDRAWN' | 'CHECKOUT_MISDIRECTED' | 'CHECKOUT_PAID_AGAIN' | 'UNDERPAID_ACCEPTED' | 'REFUND_RESTS' | 'REFUND_COMPLETED' | 'REFUND_FAILED' | 'REFUND_REOPENED' | 'REFUND_RETURNED' | 'DEPOSIT_PENDING' | 'DEPOSIT_PENDING_WITHDRAWN' | 'DEPOSIT_COMPLETED' | 'DEPOSIT_REVERSED' | 'DEPOSIT_MISDIRECTED' | 'SUSPENSE_RESOLVED' | 'SWAP_COMPLETED' | 'SWAP_FAILED' | 'TRANSFER_COMPLETED' | 'TRANSFER_FAILED' | 'TRANSFER_REOPENED' | 'TRANSFER_RETURNED' | 'SETTLEMENT_SKIPPED';

export type ExchangeRate = {
  /** What was asked for: an asset or a currency. */
  sourceAsset: string;
  /** In whole coins, or in the currency; rounded up where `targetAmount` was asked for. */
  sourceAmount: string;
  /** What it is told in: an asset or a currency. */
  targetAsset: string;
  /** What the source amount is worth, rounded down to what the target can hold. */
  targetAmount: string;
  /** Codes of both, such as `LTC/EUR`. */
  pair: string;
  /** How much of the target one of the source is. */
  exchangeRate: string;
  /** How far sources differ, as a fraction of the price: of both assets together. */
  deviation: string;
  /** When the older of both prices was seen, UTC. */
  time: string;
  /** Which sources of prices said so. */
  sources: string[];
};

export type FiatCurrency = {
  /** Such as `EUR`. */
  assetCode: string;
  /** Name, to be shown. */
  assetName: string;
};

export type FiatCurrencyList = {
  /** Those that charges can be in. */
  fiatCurrencies: FiatCurrency[];
};

export type FollowedEvent = {
  /** Id of the event, the header `webhook-id`. */
  id: string;
  /** What happened */
  eventType: EventType;
  /** The text of the webhook, byte for byte: what signatures are made over */
  body: string;
};

export type FollowedEvents = {
  /** In the order in which they were told, oldest first. */
  events: FollowedEvent[];
  /** Where the next question goes on */
  after: string;
};

export type GasFee = {
  /** Id of the asset that the network takes it in. */
  assetId: string;
  /** In whole coins of that asset. */
  amount: string;
};

export type IdReference = {
  /** Its id: 12 characters. */
  id: string;
};

export type JsonObject = Record<string, unknown>;

export type Language = {
  /** Such as `en`. */
  languageCode: string;
  /** In the language itself. */
  name: string;
};

export type LanguageList = {
  /** That payment pages are there in. */
  languages: Language[];
};

export type LineItem = {
  /** What it is, up to 200 characters. */
  description: string;
  /** Net price of one, in the billing currency; below zero for what is given back. */
  netAmount: Numeric;
  /** How many, 1 unless given; not below zero, may be a fraction. */
  quantity?: Numeric | null;
  /** Your own number of it, up to 20 characters. */
  productId?: string | null;
};

export type ListedEvent = {
  /** What happened. */
  eventType: EventType;
  /** What it happened to. */
  data: JsonObject;
  /** Its id: 12 characters. */
  id: string;
  /** When it was made, UTC. */
  created: string;
  /** Rises from 1 with each event of one thing: the highest is the newest. */
  sequence: number;
  /** Dated version that this is told in. */
  apiVersion: string;
  /** There where a person sent it to try a receiver: nothing of it has happened. */
  test?: boolean;
  /** One for each receiver. */
  deliveries: Delivery[];
  /** The text of the webhook, byte for byte: what signatures are made over */
  body?: string;
};

export type ListedRequest = {
  /** The `X-Request-Id` of its answer */
  id: string;
  /** The key it named */
  apiKey: string;
  /** Of HTTP */
  method: string;
  /** As it was asked for, without the query */
  path: string;
  /** Of HTTP, as it was answered */
  status: number;
  /** The `X-Error-Code` of a refusal */
  errorCode: string | null;
  /** How long the answer took, in milliseconds */
  durationMs: number;
  /** When it was answered */
  timestamp: string;
  /** The query, without secrets; null where nothing was kept */
  query?: string | null;
  /** Lines of headers, without secrets; null where nothing was kept */
  requestHeaders?: string | null;
  /** What was sent, without secrets; null where nothing was kept */
  requestBody?: string | null;
  /** Lines of headers, without secrets; null where nothing was kept */
  answerHeaders?: string | null;
  /** What was answered, without secrets; null where nothing was kept */
  answerBody?: string | null;
};

export type MailWords = {
  /** Which mail. */
  kind: 'PAYMENT_SEEN' | 'PAID' | 'UNDERPAID' | 'EXPIRED' | 'REFUND_CLAIM' | 'REFUND_SENT' | 'BILL_SENT' | 'BILL_DUE_SOON' | 'BILL_DUE' | 'BILL_OVERDUE';
  /** Code of a language of `GET /languages`. */
  language: PageLanguage;
  /** What it begins with, up to 500 characters; null as it is by itself. */
  opening?: string | null;
  /** What it ends with, up to 500 characters; null as it is by itself. */
  closing?: string | null;
};

export type MisdirectedPayment = {
  /** What was wrong; with `misdirected` alone. */
  reason?: 'WRONG_ASSET' | 'WRONG_NETWORK';
  /** Id of the network that it came on. */
  network: string;
  /** In whole coins of the asset, as a decimal text. */
  amount: string;
  /** Code of the asset that came. */
  assetCode: string;
  /** Hash of the transaction on the network. */
  tx: string;
};

export type Network = {
  /** Such as `LITECOIN`. */
  id: string;
  /** Name, to be shown. */
  name: string;
  /** Blockchain, or money of banks. */
  type: 'BLOCKCHAIN' | 'BANK';
  /** Path of its picture on this server. */
  imageSrc: string;
  /** Whether payments can be received on it now. */
  deposits: boolean;
  /** Whether money can be sent on it now. */
  transfers: boolean;
  /** Whether an anchor brings its coins. */
  bridged: boolean;
  /** Ids of the assets that are on it. */
  assets: string[];
};

export type NetworkList = {
  /** Every network that is known here. */
  networks: Network[];
};

export type PageLanguage = 'en' | 'de' | 'pt' | 'es' | 'it' | 'tr' | 'pl' | 'fr' | 'nl' | 'pt-BR' | 'ru' | 'uk' | 'cs' | 'ro' | 'zh-Hans' | 'ja' | 'ko' | 'ar' | 'he' | 'hi';

export type PageLook = {
  /** Families that devices have. */
  font: 'system' | 'humanist' | 'rounded' | 'serif' | 'mono';
  /** Of a card, in pixels, 0 to 24. */
  cornerRadius: number;
  /** Of buttons: `#rrggbb`, null: as we make it. */
  primaryColor: string | null;
  /** Behind the cards: `#rrggbb`, null: as we make it. */
  backgroundColor: string | null;
  /** Of single things, `dark-surface=#1c2226`, readable on what they stand on. */
  colors: string[];
  /** Parts of a page, each once, in their order. */
  blocks: ('pay' | 'order' | 'note')[];
  /** Your own words on your pages. */
  words: PageWords[];
  /** Beside your name: path of the picture, null without one. */
  logo: string | null;
  /** The same where pages are dark: path of the picture, null without one. */
  darkLogo: string | null;
  /** Your own font: path of the file, null without one. */
  fontFile: string | null;
  /** The same for bold text: path of the file, null without one. */
  boldFontFile: string | null;
};

export type PageLookAnswer = {
  /** As it is now. */
  pageLook: PageLook;
};

export type PageSettings = {
  /** Asked from the payer first, up to 20: `key`, `label`, `labels` by language, `kind` (TEXT unless given, EMAIL, NUMBER, CHOICE, CHECKBOX), `required`, `least`, `most`, `choices`, `choiceLabels`. */
  asks?: JsonObject[] | null;
  /** Address, http or https, of terms that the payer has to accept; null without. */
  termsUrl?: string | null;
  /** What the payer ticks to accept terms, up to 500 characters; null: words of ours. */
  termsText?: string | null;
  /** Tips that are offered, up to 6, above 0 and up to 1: 0.1 is ten percent. */
  tipPercents?: string[] | null;
  /** Tips that are offered, up to 6, in the billing currency. */
  tipAmounts?: string[] | null;
  /** Whether the payer may name a tip of his own. */
  tipOwn?: boolean | null;
  /** `POST`: a signed form leads back; `GET` unless given. */
  returnMethod?: 'GET' | 'POST' | null;
  /** Where the customer goes after paying; `checkoutId` is appended to its query. */
  returnUrl?: string | null;
  /** Where the customer goes who cancels; `checkoutId` is appended to its query. */
  cancelUrl?: string | null;
  /** Name over the page, up to 200 characters. */
  shopName?: string | null;
  /** Whether what is known of the customer is shown. */
  displayBuyerInfo?: boolean | null;
  /** Whether name and address of the seller are shown. */
  displaySellerInfo?: boolean | null;
};

export type PageWords = {
  /** `HEADING`: above all else; `PAY_NOTE`: under what is to be paid; `PAID`: after the payment; `TERMS`: your terms. */
  place: 'HEADING' | 'PAY_NOTE' | 'PAID' | 'TERMS';
  /** Code of a language of `GET /languages`. */
  language: PageLanguage;
  /** Plain text of up to 500 characters, in `HEADING` 120; empty is none. */
  words: string;
};

export type PaymentMethod = {
  /** Code of the asset, such as `LTC`; not unique: several networks issue `USDC`. */
  assetCode: string;
  /** Name of the network, such as `Litecoin`, read by older clients. */
  blockchain: string;
  /** Id of a network, such as `LITECOIN`. */
  network: string;
  /** Id of the asset that is paid. */
  relatedAssetId: string;
  /** What the customer sends, in whole coins of that asset. */
  paymentAmount: string;
  /** How much of it an anchor keeps; absent where none is in between. */
  anchorFee?: string;
  /** What you are credited for this payment. */
  settlement: Settlement;
};

export type Refund = {
  /** Its id: 12 characters. */
  id: string;
  /** Id of the checkout. */
  checkoutId: string;
  /** How far it is. */
  state: 'AWAITING_ADDRESS' | 'UNDER_WAY' | 'COMPLETED' | 'FAILED' | 'RETURNED';
  /** How much of what came: all, a part, or what was too much. */
  kind: 'full' | 'excess' | 'amount';
  /** What it gives back of: a completed checkout, an underpaid one, or what was paid too much. */
  context: 'COMPLETED_CHECKOUT' | 'UNDERPAID_CHECKOUT' | 'OVERPAID_TRANSACTION';
  /** Id of a network, such as `LITECOIN`. */
  network: string;
  /** Id of the asset, such as `LTC:NATIVE`. */
  assetId: string;
  /** What the payer gets, in whole coins of the asset. */
  amount: string;
  /** Code of the asset that `amount` is in. */
  amountAssetCode: string;
  /** Where to; null while its payer has not said. */
  address: string | null;
  /** Hash of the transaction on the network; null while there is none. */
  tx: string | null;
  /** Whether the payment that it gives back stands. */
  payment: 'STANDING' | 'UNCERTAIN' | 'TAKEN_BACK';
  /** Why it failed, as far as that is known; null otherwise. */
  failure: string | null;
  /** When it ended, UTC; before that when it was made. */
  timestamp: string;
  /** The most that the network may take, and what it took once that is known. */
  networkFee?: string;
  /** What the network takes in another asset, which you do not pay; null where nothing. */
  gasFee?: GasFee | null;
  /** Where on Stellar a receiver without a trust line claims it; null otherwise. */
  claimableBalance?: ClaimableBalance | null;
  /** Link for the payer to say where to; null once that is known. */
  claimUrl?: string | null;
  /** Until then the link works, UTC; null without one. */
  claimableUntil?: string | null;
  /** It is not sent before, and can be cancelled until then; null where it does not rest. */
  restsUntil?: string | null;
  /** What you gave with it; absent where nothing was given. */
  meta?: JsonObject;
};

export type RefundAnswer = {
  /** The refund as it stands. */
  refund: Refund;
};

export type RefundEvent = {
  /** What happened. */
  eventType: 'REFUND_RESTS' | 'REFUND_COMPLETED' | 'REFUND_FAILED' | 'REFUND_REOPENED' | 'REFUND_RETURNED';
  /** What it happened to. */
  data: RefundEventData;
  /** Its id: 12 characters. */
  id: string;
  /** When it was made, UTC. */
  created: string;
  /** Rises from 1 with each event of one thing: the highest is the newest. */
  sequence: number;
  /** Dated version that this is told in, that of its receiver; `1` is the first. */
  apiVersion: string;
  /** A person tries a receiver: nothing of it happened */
  test?: boolean;
};

export type RefundEventData = {
  /** The refund as it stands. */
  refund: ToldRefund;
};

export type RefundPage = {
  /** Newest first. */
  refunds: Refund[];
  /** `cursor` of the next page; null on the last. */
  nextCursor: string | null;
};

export type Report = {
  /** Which report. */
  name: string;
  /** Begin of the period, included, UTC; null from the beginning. */
  from: string | null;
  /** End of the period, not included, UTC; null to the end. */
  to: string | null;
  /** Oldest first: texts by the name of their column; null where nothing applies. */
  rows: (Record<string, string | null>)[];
};

export type ReportPage = {
  /** A page of the report. */
  report: Report;
  /** `cursor` of the next page; null on the last. */
  nextCursor: string | null;
};

export type RequestAnswer = {
  /** The request, without secrets. */
  request: ListedRequest;
};

export type RequestPage = {
  /** Newest first. */
  requests: ListedRequest[];
  /** `cursor` of the next page; null on the last. */
  nextCursor: string | null;
};

export type ReturnLinks = {
  /** Where the customer goes who cancels; null where none was given. */
  cancelUrl?: string | null;
  /** Where the customer goes after paying; null where none was given. */
  returnUrl?: string | null;
};

export type SandboxAdvance = {
  /** How many pass: 1 to 43,200, which is 30 days. */
  minutes: number;
};

export type SandboxAnswer = {
  /** Of `/sandbox/expire`: the checkout whose window ended. */
  checkoutId?: string;
  /** Of `/sandbox/expire`: what you gave with the checkout; absent where nothing was given. */
  meta?: JsonObject;
  /** Of `/sandbox/advance`: how many passed. */
  minutes?: number;
  /** Of `/sandbox/advance`: how many windows came nearer. */
  checkouts?: number;
  /** Of `/sandbox/advance`: how many attempts at webhooks came nearer. */
  deliveries?: number;
  /** Of `/sandbox/advance`: how many settlement rules came nearer. */
  settlementRules?: number;
  /** Of `/sandbox/reorg`: the newest block that is left. */
  tip?: SandboxTip;
  /** Of `/sandbox/pay` and `/sandbox/replace`: what was sent. */
  payments?: SandboxPayment[];
  /** Of `/sandbox/mine`: the newest block of each network. */
  tips?: SandboxTip[];
};

export type SandboxFreeze = {
  /** Id of a network, such as `LITECOIN`. */
  network: string;
  /** For how long its node is silent: 0 to 86,400. */
  seconds: number;
};

export type SandboxPayment = {
  /** Id of a network, such as `LITECOIN`. */
  network: string;
  /** Id of the asset, such as `LTC:NATIVE`. */
  assetId: string;
  /** In whole coins of the asset, as a decimal text. */
  amount: string;
  /** Hash of the transaction on the simulated network. */
  transaction: string;
};

export type SandboxRequest = {
  /** Which simulated network: that of the payment where the checkout is not committed; blocks come on all of them unless given, and it is needed to undo some. */
  network?: string | null;
  /** How many are undone, 1 to 30; 1 unless given. */
  depth?: number | null;
  /** Test checkout that is paid, instead of `depositAddressId`; or whose payments alone are mined or undone. */
  checkoutId?: string | null;
  /** Test deposit address that is paid, with `amount`; or whose payments alone are mined or undone. */
  depositAddressId?: string | null;
  /** How many come, 1 to 100; 1 unless given. */
  blocks?: number | null;
  /** What is paid, where a checkout is not committed or an address takes several: id of an asset of `GET /assets`. */
  asset?: string | null;
  /** Another asset of the network than the checkout asks for, sent to the same place; with `amount` */
  inAsset?: string | null;
  /** Of the payment, in whole coins; what is asked for unless given. */
  amount?: Numeric | null;
  /** In so many payments, 1 to 20; 1 unless given. */
  parts?: number | null;
};

export type SandboxTip = {
  /** Id of a network, such as `LITECOIN`. */
  network: string;
  /** Height of the newest block. */
  height: number;
  /** Hash of the newest block. */
  hash: string;
};

export type ServiceTime = {
  /** Unix seconds. */
  time: number;
};

export type Settlement = {
  /** Id of the asset that you are credited in. */
  assetId: string;
  /** Before the fee: in whole coins, as a decimal text. */
  amount: string;
  /** What you are credited: `amount` less `fee`. */
  netAmount: string;
  /** What the service keeps, in the same asset. */
  fee: string;
};

export type SettlementEvent = {
  /** What happened. */
  eventType: 'SETTLEMENT_SKIPPED';
  /** What it happened to. */
  data: SettlementEventData;
  /** Its id: 12 characters. */
  id: string;
  /** When it was made, UTC. */
  created: string;
  /** Rises from 1 with each event of one thing: the highest is the newest. */
  sequence: number;
  /** Dated version that this is told in, that of its receiver; `1` is the first. */
  apiVersion: string;
  /** A person tries a receiver: nothing of it happened */
  test?: boolean;
};

export type SettlementEventData = {
  /** The rule as it stands. */
  settlementRule: SettlementRule;
  /** The period that was skipped. */
  run: SettlementRun;
};

export type SettlementRule = {
  /** Its id: 12 characters. */
  id: string;
  /** Whether it is followed. */
  state: 'ACTIVE' | 'PAUSED';
  /** Id of the asset, such as `LTC:NATIVE`. */
  assetId: string;
  /** Least of the balance with which it is followed, in whole coins; null where none was given. */
  threshold: string | null;
  /** What stays in the balance, in whole coins. */
  keep: string;
  /** When it is followed; null: whenever `threshold` is reached. */
  schedule: SettlementSchedule | null;
  /** Id of the asset that it is converted to; null without conversion. */
  convertTo: string | null;
  /** Id of the network that it is sent on; null where it stays in the balance. */
  network: string | null;
  /** Who gets it; null where it stays in the balance. */
  beneficiaryId: string | null;
  /** When it is looked at next, UTC; null of one that is paused. */
  nextTime: string | null;
  /** Who made it: `key` and its id, or a person. */
  createdBy: string;
  /** When it was made, UTC. */
  timestamp: string;
};

export type SettlementRuleAnswer = {
  /** The rule as it stands. */
  settlementRule: SettlementRule;
  /** Of `GET /settlement-rule` alone: what it did in its last 50 periods, newest first. */
  runs?: SettlementRun[];
};

export type SettlementRulePage = {
  /** Newest first. */
  settlementRules: SettlementRule[];
  /** `cursor` of the next page; null on the last. */
  nextCursor: string | null;
};

export type SettlementRuleReference = {
  /** Id of the rule. */
  settlementRuleId: string;
};

export type SettlementRun = {
  /** When it was due, UTC. */
  dueTime: string;
  /** Whether it was followed. */
  state: 'DONE' | 'SKIPPED';
  /** What it took from the balance, in whole coins; null where nothing. */
  amount: string | null;
  /** Conversion that it made; null where none. */
  swapId: string | null;
  /** Transfer that it made; null where none. */
  transferId: string | null;
  /** Why it was skipped, as an error code; null where it was followed. */
  code: string | null;
  /** The same, in words. */
  reason: string | null;
  /** When it was tried last, UTC. */
  timestamp: string;
};

export type SettlementSchedule = {
  /** Each day, week or month. */
  every: 'DAY' | 'WEEK' | 'MONTH';
  /** Of a week 1 to 7 (1 is Monday), of a month 1 to 31 (its last day where it is shorter); null or absent of a day. */
  day?: number | null;
  /** From 0 to 23, in the time zone. */
  hour: number;
  /** Time zone, such as `Europe/Berlin`. */
  zone: string;
};

export type ShippingCostItem = {
  /** How it is sent, up to 200 characters. */
  description: string;
  /** Net cost, in the billing currency. */
  netAmount: Numeric;
  /** Whether taxes are taken of it too; false unless given. */
  taxable?: boolean | null;
};

export type SpendingLimit = {
  /** What it bounds: `DAY` what leaves in 24 hours, `TWO_PEOPLE` and `COOL_DOWN` one payment. */
  kind: 'DAY' | 'TWO_PEOPLE' | 'COOL_DOWN';
  /** Id of an asset, of which so much; or a currency, of all assets so much in value. */
  measure: string;
  /** In whole coins of the asset, or in the currency. */
  amount: string;
  /** What may still be sent now: of a `DAY`; null of others, and where it has no price right now. Not in requests. */
  left?: string | null;
};

export type SpendingLimitList = {
  /** Every limit of the account. */
  spendingLimits: SpendingLimit[];
};

export type Suspense = {
  /** Its number. */
  id: string;
  /** Whether somebody decided. */
  state: 'OPEN' | 'ASSIGNED' | 'RETURNING' | 'RETURNED' | 'WRITTEN_OFF' | 'GONE';
  /** Why it is not credited. */
  reason: 'WRONG_ASSET' | 'WRONG_NETWORK' | 'NO_MEMO' | 'UNKNOWN_MEMO' | 'NO_REFERENCE' | 'UNKNOWN_REFERENCE' | 'UNKNOWN_INDEX' | 'UNKNOWN_INVOICE';
  /** A sentence for a person, where more is known; null otherwise. */
  detail: string | null;
  /** Id of a network, such as `LITECOIN`. */
  network: string;
  /** Id of the asset, such as `LTC:NATIVE`. */
  assetId: string;
  /** In whole coins of the asset, as a decimal text. */
  amount: string;
  /** Code of the asset that `amount` is in. */
  amountAssetCode: string;
  /** Hash of the transaction on the network. */
  tx: string;
  /** Where it came to: the address, with a colon and the memo or tag where it has one. */
  destination: string;
  /** Checkout that it came for; null where none. */
  checkoutId: string | null;
  /** Deposit address that it came to; null where none. */
  depositAddressId: string | null;
  /** Since when it lies there, UTC. */
  timestamp: string;
  /** When it was decided, UTC; null while it was not. */
  resolvedTime: string | null;
  /** Where it is sent back to; null where it is not. */
  returnAddress: string | null;
  /** Hash of the transaction that sent it back; null where there is none. */
  returnTx: string | null;
  /** What you gave with its checkout; absent where nothing was given. */
  meta?: JsonObject;
};

export type SuspenseEvent = {
  /** What happened. */
  eventType: 'SUSPENSE_RESOLVED';
  /** What it happened to. */
  data: SuspenseEventData;
  /** Its id: 12 characters. */
  id: string;
  /** When it was made, UTC. */
  created: string;
  /** Rises from 1 with each event of one thing: the highest is the newest. */
  sequence: number;
  /** Dated version that this is told in, that of its receiver; `1` is the first. */
  apiVersion: string;
  /** A person tries a receiver: nothing of it happened */
  test?: boolean;
};

export type SuspenseEventData = {
  /** Money that came and is not credited. */
  suspense: Suspense;
};

export type SuspensePage = {
  /** Newest first. */
  suspense: Suspense[];
  /** `cursor` of the next page; null on the last. */
  nextCursor: string | null;
};

export type Swap = {
  /** Its id: 12 characters. */
  id: string;
  /** How far it is. */
  state: 'QUOTED' | 'COMPLETED' | 'FAILED' | 'EXPIRED';
  /** Id of the asset that is given. */
  sourceAsset: string;
  /** What is given, in whole coins. */
  sourceAmount: string;
  /** Id of the asset that is got. */
  targetAsset: string;
  /** What is got, in whole coins, after the fee. */
  targetAmount: string;
  /** How much of the target one of the source is, before the fee. */
  exchangeRate: string;
  /** What the service keeps, in the target asset. */
  fee: string;
  /** Until then the quote can be committed, UTC. */
  expirationTime: string;
  /** Why, of a swap that failed; absent otherwise. */
  failure?: string;
};

export type SwapAnswer = {
  /** The swap as it stands. */
  swap: Swap;
};

export type SwapEvent = {
  /** What happened. */
  eventType: 'SWAP_COMPLETED' | 'SWAP_FAILED';
  /** What it happened to. */
  data: SwapAnswer;
  /** Its id: 12 characters. */
  id: string;
  /** When it was made, UTC. */
  created: string;
  /** Rises from 1 with each event of one thing: the highest is the newest. */
  sequence: number;
  /** Dated version that this is told in, that of its receiver; `1` is the first. */
  apiVersion: string;
  /** A person tries a receiver: nothing of it happened */
  test?: boolean;
};

export type TaxItem = {
  /** Such as `VAT`, up to 200 characters. */
  name: string;
  /** As a fraction from 0 to 1: 8.25 percent is `0.0825`. */
  percent: Numeric;
};

export type ToldRefund = {
  /** Its id: 12 characters. */
  id: string;
  /** Id of the checkout. */
  checkoutId: string;
  /** What it gives back of: a completed checkout, an underpaid one, or what was paid too much. */
  context: 'COMPLETED_CHECKOUT' | 'UNDERPAID_CHECKOUT' | 'OVERPAID_TRANSACTION';
  /** What you gave with it; absent where nothing was given. */
  meta?: JsonObject;
  /** Of REFUND_RESTS alone: it is not sent before, UTC, and can be cancelled. */
  restsUntil?: string;
  /** Of REFUND_FAILED and REFUND_RETURNED alone: whether the payment that it gave back stands. */
  payment?: 'STANDING' | 'UNCERTAIN' | 'TAKEN_BACK';
  /** Of REFUND_FAILED and REFUND_RETURNED alone: why, as far as that is known; null otherwise. */
  failure?: string | null;
};

export type Transfer = {
  /** Its id: 12 characters. */
  id: string;
  /** How far it is. */
  state: 'QUOTED' | 'RESERVED' | 'TO_SEND' | 'SUBMITTED' | 'COMPLETED' | 'FAILED' | 'EXPIRED' | 'RETURNED';
  /** Id of a network, such as `LITECOIN`. */
  network: string;
  /** Id of the asset, such as `LTC:NATIVE`. */
  assetId: string;
  /** Taken from your balance, in whole coins: `targetAmount` with `networkFee` and `fee`. */
  amount: string;
  /** The most that the network may take, and what it took once that is known. */
  networkFee: string;
  /** What the service takes, in the same asset. */
  fee: string;
  /** What arrives, in whole coins. */
  targetAmount: string;
  /** Until then the quote can be committed, UTC. */
  expirationTime: string;
  /** Hash of the transaction on the network; null while there is none. */
  tx: string | null;
  /** What the network takes in another asset, which you do not pay; null where nothing. */
  gasFee: GasFee | null;
  /** Who gets it; null of one that carries a refund. */
  beneficiaryId: string | null;
  /** Why it failed, as far as that is known; null otherwise. */
  failure: string | null;
  /** Since when one that was sent is in no block for too long; null otherwise. */
  stuckSince: string | null;
  /** Where on Stellar a receiver without a trust line claims it; null otherwise. */
  claimableBalance: ClaimableBalance | null;
  /** Of one that is RETURNED: what came back; null otherwise. */
  returnedAmount: string | null;
};

export type TransferAnswer = {
  /** The transfer as it stands. */
  transfer: Transfer;
};

export type TransferEvent = {
  /** What happened. */
  eventType: 'TRANSFER_COMPLETED' | 'TRANSFER_FAILED' | 'TRANSFER_REOPENED' | 'TRANSFER_RETURNED';
  /** What it happened to. */
  data: TransferAnswer;
  /** Its id: 12 characters. */
  id: string;
  /** When it was made, UTC. */
  created: string;
  /** Rises from 1 with each event of one thing: the highest is the newest. */
  sequence: number;
  /** Dated version that this is told in, that of its receiver; `1` is the first. */
  apiVersion: string;
  /** A person tries a receiver: nothing of it happened */
  test?: boolean;
};

export type TransferPage = {
  /** Newest first. */
  transfers: Transfer[];
  /** `cursor` of the next page; null on the last. */
  nextCursor: string | null;
};

export type TransferReference = {
  /** Id of the transfer. */
  transferId: string;
};

export type UpdateAccountSettingsRequest = {
  /** Assets above this risk are neither offered nor settled in. */
  riskTolerance?: 'LOW' | 'MEDIUM' | 'HIGH';
  /** `DIGEST`: requests of every key are signed; `BASIC`: `X-Basic` is taken too. */
  preferredAuthentication?: 'DIGEST' | 'BASIC';
  /** Mails that customers get; none unless switched on. */
  customerMails?: ('PAYMENT_SEEN' | 'PAID' | 'UNDERPAID' | 'EXPIRED' | 'REFUND_CLAIM' | 'REFUND_SENT' | 'BILL_SENT' | 'BILL_DUE_SOON' | 'BILL_DUE' | 'BILL_OVERDUE')[];
  /** Your own words in such mails. */
  customerMailWords?: MailWords[];
  /** Whether payers may ask on their page for an e-mail when it is paid, or something is left for them to do. */
  payerMails?: boolean;
  /** Languages that the pages of the account are offered in. */
  pageLanguages?: PageLanguage[];
  /** That of `pageLanguages` in which they are where the browser of a customer wants none. */
  defaultPageLanguage?: PageLanguage;
  /** Sites that may show pages of the account in a frame. */
  embedOrigins?: string[];
  /** Id of the asset that sales by hand, links and invoices are credited in, or `ORIGIN`: whatever is paid. */
  settlementAsset?: string;
  /** Ways to pay in the order of customers, `LITECOIN LTC:NATIVE`; others come after. */
  methodOrder?: string[];
  /** Ways to pay that new checkouts do not offer. */
  methodsOff?: string[];
  /** Ways to pay that pages show first and mark. */
  methodsRecommended?: string[];
  /** By id of a network, blocks for small, medium and large amounts, each 1 to 1,000. */
  confirmations?: Record<string, number[]>;
  /** Percent of the price that late money has to be worth, 50 to 100. */
  lateFloorPercent?: Numeric;
  /** Days after its window in which a checkout can still complete. */
  lateDays?: number;
  /** Percent that may be missing from a payment, 0 to 2. */
  underpaidPercent?: Numeric;
  /** What its pages ask, and how they lead back. */
  pageSettings?: PageSettings;
};

export type UpdateCustomerRequest = {
  /** What is absent stays; null clears. */
  customer: CustomerChange;
};

export type UpdatePageLookRequest = {
  /** Families that devices have. */
  font?: 'system' | 'humanist' | 'rounded' | 'serif' | 'mono';
  /** Of a card, in pixels, 0 to 24. */
  cornerRadius?: number;
  /** Of buttons: `#rrggbb`, null: as we make it. */
  primaryColor?: string | null;
  /** Behind the cards: `#rrggbb`, null: as we make it. */
  backgroundColor?: string | null;
  /** Of single things, `dark-surface=#1c2226`, readable on what they stand on. */
  colors?: string[];
  /** Parts of a page, each once, in their order. */
  blocks?: ('pay' | 'order' | 'note')[];
  /** Your own words on your pages. */
  words?: PageWords[];
  /** Beside your name: PNG, JPEG or WebP in Base64, null takes it away. */
  logo?: string | null;
  /** The same where pages are dark: PNG, JPEG or WebP in Base64, null takes it away. */
  darkLogo?: string | null;
  /** Your own font: WOFF2 in Base64, up to 100 KiB, null takes it away. */
  fontFile?: string | null;
  /** The same for bold text: WOFF2 in Base64, up to 100 KiB, null takes it away. */
  boldFontFile?: string | null;
};

export type ValidateChargeRequest = {
  /** Checked and added up; nothing is created. */
  charge: Charge;
};

export type Wallet = {
  /** Id of the asset, such as `LTC:NATIVE`. */
  assetId: string;
  /** Code of the asset, such as `LTC`; not unique: several networks issue `USDC`. */
  assetCode: string;
  /** All of it: `available`, `pending` and what transfers under way hold, less `owed`; may be below zero. */
  balance: string;
  /** What may be sent, converted or refunded now. */
  available: string;
  /** Came for checkouts that are not paid in full. */
  pending: string;
  /** What you owe, because a payment that you had refunded was taken back by its network. */
  owed: string;
  /** Those of your newest 250 deposit addresses that take this asset. */
  depositAddresses: WalletAddress[];
};

export type WalletAddress = {
  /** Id of a network, such as `LITECOIN`. */
  network: string;
  /** Address on the network. */
  address: string;
  /** What has to be given beside the address, or null. */
  memo: string | null;
  /** Kind of the memo: `text`, `id`, `hash` or `return`; null without a memo. */
  memoType: string | null;
};

export type WalletList = {
  /** One for each asset. */
  wallets: Wallet[];
};

export type WebhookEndpoint = {
  /** Its id: 12 characters. */
  id: string;
  /** Address that events are sent to. */
  url: string;
  /** Which are sent; null: all of them. */
  eventTypes: EventType[] | null;
  /** In whose words it is told: ours, of BTCPay Server, or of Coinbase Commerce. */
  format: 'QUITTANCE' | 'GREENFIELD' | 'COMMERCE';
  /** Dated version that its events are told in. */
  apiVersion: string;
  /** When it was made, UTC. */
  timestamp: string;
  /** Since when nothing is sent to it, UTC; null while it is in use. */
  disabledTime: string | null;
};

export type WebhookEndpointAnswer = {
  /** The receiver. */
  webhookEndpoint: WebhookEndpoint;
};

export type WebhookEndpointPage = {
  /** Newest first, deleted ones included. */
  webhookEndpoints: WebhookEndpoint[];
  /** `cursor` of the next page; null on the last. */
  nextCursor: string | null;
};

export type WebhookEndpointReference = {
  /** Id of the receiver. */
  webhookEndpointId: string;
  /** Of a new secret alone: hours in which the old one signs too, 0 to 24, 24 unless given. */
  overlapHours?: number | null;
  /** Of a change alone: dated version that its events are told in from now on. */
  apiVersion?: '2026-11-24' | '2026-11-25';
};

export type WebhookEndpointWithSecret = {
  /** The receiver. */
  webhookEndpoint: WebhookEndpoint;
  /** Signs what is sent to it (Standard Webhooks, `whsec_…`): told here only. */
  secret: string;
};
