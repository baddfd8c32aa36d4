// Made from the OpenAPI document by test/clients; what is changed here is lost.

/** A text as '12.50', or a whole number: a float that is not whole is refused. */
export type Numeric = string | bigint | number;

export type AccountSettings = {
  riskTolerance: 'LOW' | 'MEDIUM' | 'HIGH';
  /** Mails that customers get; none unless switched on */
  customerMails: ('PAYMENT_SEEN' | 'PAID' | 'UNDERPAID' | 'EXPIRED' | 'REFUND_CLAIM' | 'REFUND_SENT' | 'BILL_SENT' | 'BILL_DUE_SOON' | 'BILL_DUE' | 'BILL_OVERDUE')[];
  /** What is sold by hand, by links and invoices is credited in it; ORIGIN: whatever is paid */
  settlementAsset: string;
  /** Ways to pay in the order of customers, such as `BITCOIN BTC:NATIVE`; what is not listed comes after */
  methodOrder: string[];
  /** Ways to pay that new checkouts do not offer */
  methodsOff: string[];
  customerMailWords: MailWords[];
  pageLanguages: ('en' | 'de' | 'pt' | 'es' | 'it' | 'tr' | 'pl' | 'fr')[];
  defaultPageLanguage: 'en' | 'de' | 'pt' | 'es' | 'it' | 'tr' | 'pl' | 'fr';
  confirmations: Record<string, number[]>;
  lateFloorPercent: string;
  lateDays: number;
  underpaidPercent: string;
};

export type AccountSettingsAnswer = {
  accountSettings: AccountSettings;
};

export type Approval = {
  subject: string;
  environment: string;
  merchantId: string | null;
  about: string;
  maker: string | null;
  askedAt: string;
  waitsUntil: string;
  approver: string | null;
  approvedAt: string | null;
};

export type ApprovalAnswer = {
  approval: Approval;
};

export type ApprovalList = {
  approvals: Approval[];
};

export type Asset = {
  id: string;
  assetCode: string;
  assetIssuer: string;
  name: string;
  group: string;
  groupImageSrc: string;
  issuerName: string;
  issuerDomain: string;
  issuerAddress: string;
  imageSrc: string;
  checkouts: boolean;
  deposits: boolean;
  settlement: boolean;
  swaps: boolean;
  transfers: boolean;
  hexColor: string;
  riskLevel: 'LOW' | 'MEDIUM' | 'HIGH';
  bridge: boolean;
  networks: string[];
};

export type AssetIssuer = {
  id: string;
  name: string;
  domain: string;
  assets: string[];
};

export type AssetIssuerList = {
  assetIssuers: AssetIssuer[];
};

export type AssetList = {
  assets: Asset[];
};

export type Authentication = {
  authenticated: true;
  method: 'digest' | 'basic';
  environment: 'test' | 'live';
};

export type Beneficiary = {
  id: string;
  label: string;
  network: string;
  account: Record<string, Numeric>;
  timestamp: string;
  usableTime: string;
};

export type BeneficiaryAccount = {
  /** blockchains with addresses; SWIFT: where the holder lives */
  address?: string | null;
  /** LIGHTNING: an invoice (BOLT 11), which pays one transfer of exactly its amount */
  invoice?: string | null;
  /** LIGHTNING: name@domain (LUD-16), or invoice, or lnurl */
  lightningAddress?: string | null;
  /** LIGHTNING: lnurl1... (LUD-01), or invoice, or lightningAddress */
  lnurl?: string | null;
  /** STELLAR, XRP_LEDGER */
  account?: string | null;
  /** STELLAR, with memoType */
  memo?: string | null;
  /** STELLAR: text, id, hash, return */
  memoType?: string | null;
  /** XRP_LEDGER: a whole number, as number or text */
  destinationTag?: string | number | null;
  /** SEPA; SWIFT: or accountNumber */
  iban?: string | null;
  /** SWIFT: or iban */
  accountNumber?: string | null;
  /** SWIFT; SEPA when known */
  bic?: string | null;
  /** SEPA, SWIFT: whose account it is */
  holder?: string | null;
  /** PIX: CPF, CNPJ, e-mail address, telephone or random key */
  pixKey?: string | null;
  /** PIX: CPF or CNPJ */
  taxId?: string | null;
};

export type BeneficiaryAnswer = {
  beneficiary: Beneficiary;
};

export type BeneficiaryPage = {
  beneficiaries: Beneficiary[];
  nextCursor: string | null;
};

export type BeneficiaryReference = {
  beneficiaryId: string;
};

export type Blockchain = {
  id: string;
  nativeAssetCode: string;
  nativeAssetName: string;
};

export type BlockchainList = {
  blockchains: Blockchain[];
};

export type CancelRefundRequest = {
  refundId: string;
};

export type Charge = {
  customerId?: string | null;
  billingCurrency?: string | null;
  currency?: string | null;
  lineItems: LineItem[];
  discountItems?: DiscountItem[] | null;
  shippingCostItems?: ShippingCostItem[] | null;
  taxItems?: TaxItem[] | null;
};

export type ChargeTotals = {
  total: string;
  decimals: number;
  netTotal: string;
  taxTotal: string;
  discountTotal: string;
  shippingTotal: string;
};

export type Checkout = {
  id: string;
  timestamp: string;
  state: CheckoutState;
  type: 'HOSTED' | 'SELF_HOSTED';
  origin: 'API' | 'DASHBOARD' | 'PAYMENT_LINK';
  settlementAssetId: string | null;
  settlementAmountRequired: string | null;
  settlementAmountReceived: string | null;
  settlementAmountFeePaid: string | null;
  sourceAssetId: string | null;
  sourceAmountRequired: string | null;
  sourceAmountReceived: string | null;
  sourceNetwork: string | null;
  sourceNetworkName: string | null;
  depositAddress: string | null;
  blockchainTransactions: CheckoutTransaction[];
  payload: CheckoutPayload;
  hostedCheckoutUrl: string;
  total: string;
  billingCurrency: string;
  stateHistory: CheckoutStateChange[];
  flags: CheckoutFlags;
  paymentMethods: PaymentMethod[];
  depositInstructions: DepositInstructions | null;
  expirationTime: string | null;
  quoteExpirationTime: string;
  meta?: Record<string, unknown>;
  refunds: CheckoutRefund[];
};

export type CheckoutAnswer = {
  checkout: Checkout;
};

export type CheckoutCommitment = {
  depositInstructions: DepositInstructions;
  settlement: Settlement;
  expirationTime: string;
  quoteExpirationTime: string;
  checkoutId: string;
  paymentUri: string | null;
  meta?: Record<string, unknown>;
};

export type CheckoutEvent = {
  eventType: 'CHECKOUT_COMPLETED' | 'CHECKOUT_PENDING' | 'CHECKOUT_UNDERPAID' | 'CHECKOUT_EXPIRED' | 'CHECKOUT_CANCELLED' | 'CHECKOUT_REVERSED' | 'CHECKOUT_RESTORED' | 'CHECKOUT_PENDING_WITHDRAWN' | 'CHECKOUT_MISDIRECTED' | 'CHECKOUT_PAID_AGAIN' | 'UNDERPAID_ACCEPTED';
  data: CheckoutEventData;
  id: string;
  created: string;
  sequence: number;
  apiVersion: '1';
  /** Sent by a person to try a receiver: nothing of it has happened */
  test?: true;
};

export type CheckoutEventData = {
  checkout: Checkout;
};

export type CheckoutFlags = {
  late?: FlagTime;
  overpaid?: FlagSum;
  multiple?: FlagCount;
  reversed?: FlagSumAtTime;
  restored?: FlagSumAtTime;
  misdirected?: MisdirectedPayment[];
  acceptedUnderpaid?: FlagTime;
  wrongNetwork?: WrongNetworkPayment;
  manual?: FlagTime;
};

export type CheckoutLinks = {
  cancelUrl: string | null;
  returnUrl: string | null;
};

export type CheckoutPage = {
  checkouts: Checkout[];
  nextCursor: string | null;
};

export type CheckoutPayload = {
  charge: Record<string, unknown>;
  settlementAsset: string;
  webhook: string | null;
  links: CheckoutLinks;
  [name: string]: unknown;
};

export type CheckoutReference = {
  checkoutId: string;
};

export type CheckoutRefund = {
  id: string;
  checkoutId: string;
  state: 'AWAITING_ADDRESS' | 'UNDER_WAY' | 'COMPLETED' | 'FAILED' | 'RETURNED';
  kind: 'full' | 'excess' | 'amount';
  context: 'COMPLETED_CHECKOUT' | 'UNDERPAID_CHECKOUT' | 'OVERPAID_TRANSACTION';
  network: string;
  assetId: string;
  amount: string;
  amountAssetCode: string;
  address: string | null;
  tx: string | null;
  payment: 'STANDING' | 'UNCERTAIN' | 'TAKEN_BACK';
  failure: string | null;
  timestamp: string;
};

export type CheckoutRequest = {
  charge: Charge;
  settlementAsset?: string | null;
  settlementCurrency?: string | null;
  checkoutLanguage?: 'auto' | 'en' | 'de' | 'pt' | 'es' | 'it' | 'tr' | 'pl' | 'fr' | null;
  webhook?: string | null;
  anchors?: Record<string, string> | null;
  blockchainRelays?: Record<string, string> | null;
  pageSettings?: PageSettings | null;
  links?: ReturnLinks | null;
  meta?: Record<string, unknown> | null;
};

export type CheckoutState = 'NEW' | 'AWAITING_PAYMENT' | 'PENDING' | 'UNDERPAID' | 'COMPLETED' | 'EXPIRED' | 'CANCELLED';

export type CheckoutStateChange = {
  state: CheckoutState;
  timestamp: string;
};

export type CheckoutTransaction = {
  type: 'CHECKOUT_ORIGIN' | 'CHECKOUT_BRIDGE' | 'CHECKOUT_SETTLEMENT';
  typeDescription: string;
  network: string;
  networkName: string;
  timestamp: string;
  tx: string;
  amount: string;
  amountAssetCode: string;
  exception: string | null;
  confirmations: number;
  confirmationsRequired: number | null;
};

export type ClaimableBalance = {
  id: string;
  reclaimableFrom: string | null;
};

export type CommitCheckoutRequest = {
  checkoutId: string;
  network?: string | null;
  asset?: string | null;
  depositNetwork?: string | null;
  relatedAssetId?: string | null;
  assetCode?: string | null;
};

export type CommitSwapRequest = {
  swapId: string;
};

export type CreateApprovalRequest = {
  subject: string;
};

export type CreateBeneficiaryRequest = {
  beneficiary: NewBeneficiary;
};

export type CreateCustomerRequest = {
  customer: NewCustomer;
};

export type CreateDepositAddressRequest = {
  network: string;
  asset?: string | null;
  label?: string | null;
  webhook?: string | null;
  meta?: Record<string, unknown> | null;
};

export type CreateRefundRequest = {
  checkoutId: string;
  kind: 'full' | 'excess' | 'amount';
  amount?: Numeric | null;
  address?: string | null;
  memo?: string | null;
  memoType?: 'text' | 'id' | 'hash' | 'return' | null;
  destinationTag?: Numeric | null;
  holder?: string | null;
  network?: string | null;
  asset?: string | null;
};

export type CreateSettlementRuleRequest = {
  asset: string;
  threshold?: Numeric | null;
  keep?: Numeric | null;
  schedule?: SettlementScheduleRequest | null;
  convertTo?: string | null;
  network?: string | null;
  targetAccount?: string | null;
};

export type CreateSwapRequest = {
  sourceAsset: string;
  targetAsset: string;
  sourceAmount?: Numeric | null;
  targetAmount?: Numeric | null;
};

export type CreateTransferRequest = {
  network: string;
  asset?: string | null;
  amount: Numeric;
  targetAccount: string;
};

export type CreateWebhookEndpointRequest = {
  url: string;
  eventTypes?: EventType[] | null;
};

export type CreatedCheckout = {
  id: string;
  paymentMethods: PaymentMethod[];
  quoteExpirationTime: string;
  meta?: Record<string, unknown>;
  warnings?: string[];
};

export type CreatedHostedCheckout = {
  id: string;
  url: string;
  checkoutId: string;
  meta?: Record<string, unknown>;
  warnings?: string[];
};

export type Currency = {
  assetCode: string;
  name: string;
  type: 'CRYPTO' | 'FIAT';
  billing: boolean;
  settlement: boolean;
  payment: boolean;
};

export type CurrencyList = {
  currencies: Currency[];
};

export type Customer = {
  id: string;
  email: string;
  firstname: string | null;
  lastname: string | null;
  company: string | null;
  adr1: string | null;
  adr2: string | null;
  zip: string | null;
  city: string | null;
  countrycode: string | null;
  phonenumber: string | null;
  taxid: string | null;
  note: string | null;
  meta: Record<string, unknown> | null;
  timestamp: string;
};

export type CustomerAnswer = {
  customer: Customer;
};

export type CustomerChange = {
  id: string;
  email?: string;
  firstname?: string | null;
  lastname?: string | null;
  company?: string | null;
  adr1?: string | null;
  adr2?: string | null;
  zip?: string | null;
  city?: string | null;
  /** ISO 3166-1, two letters */
  countrycode?: string | null;
  phonenumber?: string | null;
  taxid?: string | null;
  note?: string | null;
  meta?: Record<string, unknown> | null;
};

export type CustomerPage = {
  customers: Customer[];
  nextCursor: string | null;
};

export type CustomerReference = {
  customerId: string;
};

export type DeletedSettlementRule = {
  settlementRuleId: string;
};

export type DeletedWebhookEndpoint = {
  webhookEndpointId: string;
};

export type Delivery = {
  url: string;
  webhookEndpointId: string | null;
  state: 'PENDING' | 'DELIVERED' | 'PARKED' | 'DISABLED';
  attempts: number;
  lastStatus: number | null;
  lastError: string | null;
  nextAttempt: string | null;
  finished: string | null;
  reason: string | null;
};

export type Deposit = {
  id: string;
  state: 'PENDING' | 'WITHDRAWN' | 'COMPLETED' | 'REVERSED' | 'MISDIRECTED';
  timestamp: string;
  depositAddressId: string;
  label: string | null;
  network: string;
  networkName: string;
  address: string;
  memo: string | null;
  memoType: string | null;
  tx: string;
  assetId: string;
  assetCode: string;
  amount: string;
  netAmount: string | null;
  fee: string | null;
  confirmations: number;
  confirmationsRequired: number | null;
  meta?: Record<string, unknown>;
};

export type DepositAddress = {
  id: string;
  network: string;
  assetId: string;
  address: string;
  memo: string | null;
  memoType: string | null;
  destinationTag?: number;
  paymentUri: string | null;
  lightningAddress?: string;
  lnurl?: string;
  label: string | null;
  webhook: string | null;
  created: string;
  meta?: Record<string, unknown>;
};

export type DepositAddressAnswer = {
  depositAddress: DepositAddress;
};

export type DepositAddressPage = {
  depositAddresses: DepositAddress[];
  nextCursor: string | null;
};

export type DepositEvent = {
  eventType: 'DEPOSIT_PENDING' | 'DEPOSIT_PENDING_WITHDRAWN' | 'DEPOSIT_COMPLETED' | 'DEPOSIT_REVERSED' | 'DEPOSIT_MISDIRECTED';
  data: DepositEventData;
  id: string;
  created: string;
  sequence: number;
  apiVersion: '1';
  /** Sent by a person to try a receiver: nothing of it has happened */
  test?: true;
};

export type DepositEventData = {
  deposit: Deposit;
};

export type DepositInstructions = {
  assetCode: string;
  blockchain: string;
  network: string;
  amount: string;
  anchorFee?: string;
  address: string;
  memo: string | null;
  memoType: string | null;
  destinationTag?: number;
  holder?: string;
  bic?: string;
  paymentUri: string | null;
};

export type DiscountItem = {
  description: string;
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
  event: ListedEvent;
};

export type EventPage = {
  events: ListedEvent[];
  nextCursor: string | null;
};

export type EventType = 'CHECKOUT_COMPLETED' | 'CHECKOUT_PENDING' | 'CHECKOUT_UNDERPAID' | 'CHECKOUT_EXPIRED' | 'CHECKOUT_CANCELLED' | 'CHECKOUT_REVERSED' | 'CHECKOUT_RESTORED' | 'CHECKOUT_PENDING_WITHDRAWN' | 'CHECKOUT_MISDIRECTED' | 'CHECKOUT_PAID_AGAIN' | 'UNDERPAID_ACCEPTED' | 'REFUND_RESTS' | 'REFUND_COMPLETED' | 'REFUND_FAILED' | 'REFUND_REOPENED' | 'REFUND_RETURNED' | 'DEPOSIT_PENDING' | 'DEPOSIT_PENDING_WITHDRAWN' | 'DEPOSIT_COMPLETED' | 'DEPOSIT_REVERSED' | 'DEPOSIT_MISDIRECTED' | 'SUSPENSE_RESOLVED' | 'SWAP_COMPLETED' | 'SWAP_FAILED' | 'TRANSFER_COMPLETED' | 'TRANSFER_FAILED' | 'TRANSFER_REOPENED' | 'TRANSFER_RETURNED' | 'SETTLEMENT_SKIPPED';

export type ExchangeRate = {
  sourceAsset: string;
  sourceAmount: string;
  targetAsset: string;
  targetAmount: string;
  pair: string;
  exchangeRate: string;
  deviation: string;
  time: string;
  sources: string[];
};

export type FiatCurrency = {
  assetCode: string;
  assetName: string;
};

export type FiatCurrencyList = {
  fiatCurrencies: FiatCurrency[];
};

export type FlagCount = {
  count: number;
};

export type FlagSum = {
  amount: string;
  assetCode: string;
};

export type FlagSumAtTime = {
  amount: string;
  assetCode: string;
  at: string;
};

export type FlagTime = {
  at: string;
};

export type FollowedEvent = {
  /** Id of the event, the header `webhook-id` */
  id: string;
  /** What happened */
  eventType: EventType;
  /** The text of the webhook, byte for byte: what signatures are made over */
  body: string;
};

export type FollowedEvents = {
  events: FollowedEvent[];
  /** Where the next question goes on */
  after: string;
};

export type GasFee = {
  assetId: string;
  amount: string;
};

export type IdReference = {
  id: string;
};

export type Language = {
  languageCode: string;
  name: string;
};

export type LanguageList = {
  languages: Language[];
};

export type LineItem = {
  description: string;
  netAmount: Numeric;
  quantity?: Numeric | null;
  productId?: string | null;
};

export type ListedEvent = {
  eventType: EventType;
  data: Record<string, unknown>;
  id: string;
  created: string;
  sequence: number;
  apiVersion: string;
  test?: true;
  deliveries: Delivery[];
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
  at: string;
};

export type LowerSpendingLimitRequest = {
  kind: 'DAY' | 'TWO_PEOPLE' | 'COOL_DOWN';
  measure: string;
  amount: Numeric;
};

export type MailWords = {
  kind: 'PAYMENT_SEEN' | 'PAID' | 'UNDERPAID' | 'EXPIRED' | 'REFUND_CLAIM' | 'REFUND_SENT' | 'BILL_SENT' | 'BILL_DUE_SOON' | 'BILL_DUE' | 'BILL_OVERDUE';
  language: 'en' | 'de' | 'pt' | 'es' | 'it' | 'tr' | 'pl' | 'fr';
  opening: string | null;
  closing: string | null;
};

export type MailWordsRequest = {
  kind: 'PAYMENT_SEEN' | 'PAID' | 'UNDERPAID' | 'EXPIRED' | 'REFUND_CLAIM' | 'REFUND_SENT' | 'BILL_SENT' | 'BILL_DUE_SOON' | 'BILL_DUE' | 'BILL_OVERDUE';
  language: 'en' | 'de' | 'pt' | 'es' | 'it' | 'tr' | 'pl' | 'fr';
  opening?: string | null;
  closing?: string | null;
};

export type MisdirectedPayment = {
  reason: 'WRONG_ASSET' | 'WRONG_NETWORK';
  network: string;
  amount: string;
  assetCode: string;
  tx: string;
};

export type Network = {
  id: string;
  name: string;
  type: 'BLOCKCHAIN' | 'BANK';
  imageSrc: string;
  deposits: boolean;
  transfers: boolean;
  bridged: boolean;
  assets: string[];
};

export type NetworkList = {
  networks: Network[];
};

export type NewBeneficiary = {
  label: string;
  network: string;
  account: BeneficiaryAccount;
};

export type NewCustomer = {
  email: string;
  firstname?: string | null;
  lastname?: string | null;
  company?: string | null;
  adr1?: string | null;
  adr2?: string | null;
  zip?: string | null;
  city?: string | null;
  /** ISO 3166-1, two letters */
  countrycode?: string | null;
  phonenumber?: string | null;
  taxid?: string | null;
  note?: string | null;
  meta?: Record<string, unknown> | null;
};

export type PageSettings = {
  returnUrl?: string | null;
  cancelUrl?: string | null;
  shopName?: string | null;
  displayBuyerInfo?: boolean | null;
  displaySellerInfo?: boolean | null;
};

export type PaymentMethod = {
  assetCode: string;
  blockchain: string;
  network: string;
  relatedAssetId: string;
  paymentAmount: string;
  anchorFee?: string;
  settlement: Settlement;
};

export type Refund = {
  id: string;
  checkoutId: string;
  state: 'AWAITING_ADDRESS' | 'UNDER_WAY' | 'COMPLETED' | 'FAILED' | 'RETURNED';
  kind: 'full' | 'excess' | 'amount';
  context: 'COMPLETED_CHECKOUT' | 'UNDERPAID_CHECKOUT' | 'OVERPAID_TRANSACTION';
  network: string;
  assetId: string;
  amount: string;
  amountAssetCode: string;
  address: string | null;
  tx: string | null;
  payment: 'STANDING' | 'UNCERTAIN' | 'TAKEN_BACK';
  failure: string | null;
  timestamp: string;
  networkFee: string;
  gasFee: GasFee | null;
  claimableBalance: ClaimableBalance | null;
  claimUrl: string | null;
  claimableUntil: string | null;
  restsUntil: string | null;
  meta?: Record<string, unknown>;
};

export type RefundAnswer = {
  refund: Refund;
};

export type RefundEvent = {
  eventType: 'REFUND_RESTS' | 'REFUND_COMPLETED' | 'REFUND_FAILED' | 'REFUND_REOPENED' | 'REFUND_RETURNED';
  data: RefundEventData;
  id: string;
  created: string;
  sequence: number;
  apiVersion: '1';
  /** Sent by a person to try a receiver: nothing of it has happened */
  test?: true;
};

export type RefundEventData = {
  refund: ToldRefund;
};

export type RefundPage = {
  refunds: Refund[];
  nextCursor: string | null;
};

export type Report = {
  name: string;
  from: string | null;
  to: string | null;
  rows: (Record<string, string | null>)[];
};

export type ReportPage = {
  report: Report;
  nextCursor: string | null;
};

export type RequestAnswer = {
  request: WholeRequest;
};

export type RequestPage = {
  requests: ListedRequest[];
  nextCursor: string | null;
};

export type ReturnLinks = {
  returnUrl?: string | null;
  cancelUrl?: string | null;
};

export type RotateWebhookEndpointSecretRequest = {
  id: string;
  overlapHours?: Numeric | null;
};

export type SandboxExpired = {
  checkoutId: string;
  meta?: Record<string, unknown>;
};

export type SandboxFreezeRequest = {
  network: string;
  seconds: Numeric;
};

export type SandboxFrozen = {
  network: string;
  seconds: number;
};

export type SandboxMineRequest = {
  network?: string | null;
  blocks?: Numeric | null;
  /** Payments of this checkout alone */
  checkoutId?: string | null;
  /** Payments of this address alone */
  depositAddressId?: string | null;
};

export type SandboxPayRequest = {
  checkoutId?: string | null;
  depositAddressId?: string | null;
  network?: string | null;
  asset?: string | null;
  /** Another asset of the network than the checkout asks for, sent to the same place; with `amount` */
  inAsset?: string | null;
  amount?: Numeric | null;
  parts?: Numeric | null;
};

export type SandboxPayment = {
  network: string;
  assetId: string;
  amount: string;
  transaction: string;
};

export type SandboxPayments = {
  payments: SandboxPayment[];
};

export type SandboxReorgRequest = {
  network: string;
  depth?: Numeric | null;
  /** Payments of this checkout alone */
  checkoutId?: string | null;
  /** Payments of this address alone */
  depositAddressId?: string | null;
};

export type SandboxTip = {
  network: string;
  height: number;
  hash: string;
};

export type SandboxTipAnswer = {
  tip: SandboxTip;
};

export type SandboxTips = {
  tips: SandboxTip[];
};

export type ServiceTime = {
  time: number;
};

export type Settlement = {
  assetId: string;
  amount: string;
  netAmount: string;
  fee: string;
};

export type SettlementEvent = {
  eventType: 'SETTLEMENT_SKIPPED';
  data: SettlementEventData;
  id: string;
  created: string;
  sequence: number;
  apiVersion: '1';
  /** Sent by a person to try a receiver: nothing of it has happened */
  test?: true;
};

export type SettlementEventData = {
  settlementRule: SettlementRule;
  run: SettlementRun;
};

export type SettlementRule = {
  id: string;
  state: 'ACTIVE' | 'PAUSED';
  assetId: string;
  threshold: string | null;
  keep: string;
  schedule: SettlementSchedule | null;
  convertTo: string | null;
  network: string | null;
  beneficiaryId: string | null;
  nextTime: string | null;
  createdBy: string;
  timestamp: string;
};

export type SettlementRuleAnswer = {
  settlementRule: SettlementRule;
};

export type SettlementRulePage = {
  settlementRules: SettlementRule[];
  nextCursor: string | null;
};

export type SettlementRuleWithRuns = {
  settlementRule: SettlementRule;
  runs: SettlementRun[];
};

export type SettlementRun = {
  dueTime: string;
  state: 'DONE' | 'SKIPPED';
  amount: string | null;
  swapId: string | null;
  transferId: string | null;
  code: string | null;
  reason: string | null;
  timestamp: string;
};

export type SettlementSchedule = {
  every: 'DAY' | 'WEEK' | 'MONTH';
  day: number | null;
  hour: number;
  zone: string;
};

export type SettlementScheduleRequest = {
  every: 'DAY' | 'WEEK' | 'MONTH';
  day?: Numeric | null;
  hour: Numeric;
  zone: string;
};

export type ShippingCostItem = {
  description: string;
  netAmount: Numeric;
  taxable?: boolean | null;
};

export type SpendingLimit = {
  kind: 'DAY' | 'TWO_PEOPLE' | 'COOL_DOWN';
  measure: string;
  amount: string;
  left: string | null;
};

export type SpendingLimitList = {
  spendingLimits: SpendingLimit[];
};

export type Suspense = {
  id: string;
  state: 'OPEN' | 'ASSIGNED' | 'RETURNING' | 'RETURNED' | 'WRITTEN_OFF' | 'GONE';
  reason: 'WRONG_ASSET' | 'WRONG_NETWORK' | 'NO_MEMO' | 'UNKNOWN_MEMO' | 'NO_REFERENCE' | 'UNKNOWN_REFERENCE' | 'UNKNOWN_INDEX' | 'UNKNOWN_INVOICE';
  detail: string | null;
  network: string;
  assetId: string;
  amount: string;
  amountAssetCode: string;
  tx: string;
  destination: string;
  checkoutId: string | null;
  depositAddressId: string | null;
  timestamp: string;
  resolved: string | null;
  returnAddress: string | null;
  returnTx: string | null;
  meta?: Record<string, unknown>;
};

export type SuspenseEvent = {
  eventType: 'SUSPENSE_RESOLVED';
  data: SuspenseEventData;
  id: string;
  created: string;
  sequence: number;
  apiVersion: '1';
  /** Sent by a person to try a receiver: nothing of it has happened */
  test?: true;
};

export type SuspenseEventData = {
  suspense: Suspense;
};

export type SuspensePage = {
  suspense: Suspense[];
  nextCursor: string | null;
};

export type Swap = {
  id: string;
  state: 'QUOTED' | 'COMPLETED' | 'FAILED' | 'EXPIRED';
  sourceAsset: string;
  sourceAmount: string;
  targetAsset: string;
  targetAmount: string;
  exchangeRate: string;
  fee: string;
  expirationTime: string;
  failure?: string;
};

export type SwapAnswer = {
  swap: Swap;
};

export type SwapEvent = {
  eventType: 'SWAP_COMPLETED' | 'SWAP_FAILED';
  data: SwapEventData;
  id: string;
  created: string;
  sequence: number;
  apiVersion: '1';
  /** Sent by a person to try a receiver: nothing of it has happened */
  test?: true;
};

export type SwapEventData = {
  swap: Swap;
};

export type TaxItem = {
  name: string;
  percent: Numeric;
};

export type ToldRefund = {
  id: string;
  checkoutId: string;
  context: 'COMPLETED_CHECKOUT' | 'UNDERPAID_CHECKOUT' | 'OVERPAID_TRANSACTION';
  meta?: Record<string, unknown>;
  /** Of REFUND_RESTS: it is not sent before */
  restsUntil?: string;
  /** Of REFUND_FAILED and REFUND_RETURNED */
  payment?: 'STANDING' | 'UNCERTAIN' | 'TAKEN_BACK';
  /** Of REFUND_FAILED and REFUND_RETURNED: why, as far as it is known */
  failure?: string | null;
};

export type Transfer = {
  id: string;
  state: 'QUOTED' | 'RESERVED' | 'TO_SEND' | 'SUBMITTED' | 'COMPLETED' | 'FAILED' | 'EXPIRED' | 'RETURNED';
  network: string;
  assetId: string;
  amount: string;
  networkFee: string;
  fee: string;
  targetAmount: string;
  expirationTime: string;
  tx: string | null;
  gasFee: GasFee | null;
  beneficiaryId: string | null;
  failure: string | null;
  stuckSince: string | null;
  claimableBalance: ClaimableBalance | null;
  returnedAmount: string | null;
};

export type TransferAnswer = {
  transfer: Transfer;
};

export type TransferEvent = {
  eventType: 'TRANSFER_COMPLETED' | 'TRANSFER_FAILED' | 'TRANSFER_REOPENED' | 'TRANSFER_RETURNED';
  data: TransferEventData;
  id: string;
  created: string;
  sequence: number;
  apiVersion: '1';
  /** Sent by a person to try a receiver: nothing of it has happened */
  test?: true;
};

export type TransferEventData = {
  transfer: Transfer;
};

export type TransferPage = {
  transfers: Transfer[];
  nextCursor: string | null;
};

export type TransferReference = {
  transferId: string;
};

export type UpdateAccountSettingsRequest = {
  riskTolerance?: 'LOW' | 'MEDIUM' | 'HIGH';
  /** Mails that customers get; none unless switched on */
  customerMails?: ('PAYMENT_SEEN' | 'PAID' | 'UNDERPAID' | 'EXPIRED' | 'REFUND_CLAIM' | 'REFUND_SENT' | 'BILL_SENT' | 'BILL_DUE_SOON' | 'BILL_DUE' | 'BILL_OVERDUE')[];
  /** Plain text of your own before and after what such a mail says by itself */
  customerMailWords?: MailWordsRequest[];
  /** That the pages of the account are offered in */
  pageLanguages?: ('en' | 'de' | 'pt' | 'es' | 'it' | 'tr' | 'pl' | 'fr')[];
  /** One of `pageLanguages`, where the browser of a customer wants none of them */
  defaultPageLanguage?: 'en' | 'de' | 'pt' | 'es' | 'it' | 'tr' | 'pl' | 'fr';
  /** What is sold by hand, by links and invoices is credited in it; ORIGIN: whatever is paid */
  settlementAsset?: string;
  /** Ways to pay in the order of customers, such as `BITCOIN BTC:NATIVE`; what is not listed comes after */
  methodOrder?: string[];
  /** Ways to pay that new checkouts do not offer */
  methodsOff?: string[];
  /** More blocks than the server asks, by network, for small, medium and large amounts */
  confirmations?: Record<string, Numeric[]>;
  lateFloorPercent?: Numeric;
  lateDays?: Numeric;
  underpaidPercent?: Numeric;
};

export type UpdateCustomerRequest = {
  customer: CustomerChange;
};

export type ValidateChargeRequest = {
  charge: Charge;
};

export type Wallet = {
  assetId: string;
  assetCode: string;
  balance: string;
  available: string;
  pending: string;
  owed: string;
  depositAddresses: WalletAddress[];
};

export type WalletAddress = {
  network: string;
  address: string;
  memo: string | null;
  memoType: string | null;
};

export type WalletList = {
  wallets: Wallet[];
};

export type WebhookEndpoint = {
  id: string;
  url: string;
  eventTypes: EventType[] | null;
  created: string;
  disabled: string | null;
};

export type WebhookEndpointPage = {
  webhookEndpoints: WebhookEndpoint[];
  nextCursor: string | null;
};

export type WebhookEndpointWithSecret = {
  webhookEndpoint: WebhookEndpoint;
  secret: string;
};

export type WholeEvent = {
  eventType: EventType;
  data: Record<string, unknown>;
  id: string;
  created: string;
  sequence: number;
  apiVersion: string;
  test?: true;
  deliveries: Delivery[];
  /** The text of the webhook, byte for byte: what signatures are made over */
  body: string;
};

export type WholeEventAnswer = {
  event: WholeEvent;
};

export type WholeRequest = {
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
  at: string;
  /** The query, without secrets; null where nothing was kept */
  query: string | null;
  /** Lines of headers, without secrets; null where nothing was kept */
  requestHeaders: string | null;
  /** What was sent, without secrets; null where nothing was kept */
  requestBody: string | null;
  /** Lines of headers, without secrets; null where nothing was kept */
  answerHeaders: string | null;
  /** What was answered, without secrets; null where nothing was kept */
  answerBody: string | null;
};

export type WrongNetworkPayment = {
  network: string;
  amount: string;
  assetCode: string;
  tx: string;
};
