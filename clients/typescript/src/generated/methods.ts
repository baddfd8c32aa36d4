// Made from the OpenAPI document by test/clients; what is changed here is lost.
import type { Caller, Endpoint } from '../call.ts';
import type { CallOptions } from '../options.ts';
import type { Pages } from '../pages.ts';
import type {
  AccountSettings,
  Approval,
  Asset,
  AssetIssuer,
  Authentication,
  Beneficiary,
  BeneficiaryFields,
  BeneficiaryReference,
  Blockchain,
  Charge,
  ChargeTotals,
  Checkout,
  CheckoutCommitment,
  CheckoutRequest,
  CommitCheckoutRequest,
  CreateDepositAddressRequest,
  CreateRefundRequest,
  CreateSettlementRuleRequest,
  CreateSwapRequest,
  CreateTransferRequest,
  CreateWebhookEndpointRequest,
  CreatedCheckout,
  CreatedHostedCheckout,
  Currency,
  Customer,
  CustomerChange,
  CustomerFields,
  CustomerReference,
  DepositAddress,
  EventType,
  ExchangeRate,
  FiatCurrency,
  FollowedEvents,
  JsonObject,
  Language,
  ListedEvent,
  ListedRequest,
  Network,
  Numeric,
  PageLook,
  Refund,
  SandboxAnswer,
  SandboxFreeze,
  SandboxPayment,
  SandboxRequest,
  SandboxTip,
  SettlementRule,
  SettlementRuleAnswer,
  SettlementRuleReference,
  SpendingLimit,
  Suspense,
  Swap,
  Transfer,
  UpdateAccountSettingsRequest,
  UpdatePageLookRequest,
  Wallet,
  WebhookEndpoint,
  WebhookEndpointReference,
  WebhookEndpointWithSecret,
} from './types.ts';

export const ENDPOINTS = {
  'service.time': {"method":"GET","path":"/time","auth":"public","wrap":null,"returns":"time","pages":null},
  'service.authTest': {"method":"GET","path":"/auth-test","auth":"read","wrap":null,"returns":null,"pages":null},
  'service.languages': {"method":"GET","path":"/languages","auth":"public","wrap":null,"returns":"languages","pages":null},
  'service.openapi': {"method":"GET","path":"/openapi.json","auth":"public","wrap":null,"returns":null,"pages":null},
  'catalogue.networks': {"method":"GET","path":"/networks","auth":"read","wrap":null,"returns":"networks","pages":null},
  'catalogue.assets': {"method":"GET","path":"/assets","auth":"read","wrap":null,"returns":"assets","pages":null},
  'catalogue.currencies': {"method":"GET","path":"/currencies","auth":"read","wrap":null,"returns":"currencies","pages":null},
  'catalogue.fiatCurrencies': {"method":"GET","path":"/fiat-currencies","auth":"read","wrap":null,"returns":"fiatCurrencies","pages":null},
  'catalogue.blockchains': {"method":"GET","path":"/blockchains","auth":"read","wrap":null,"returns":"blockchains","pages":null},
  'catalogue.assetIssuers': {"method":"GET","path":"/asset-issuers","auth":"read","wrap":null,"returns":"assetIssuers","pages":null},
  'catalogue.exchangeRate': {"method":"GET","path":"/exchange-rate","auth":"read","wrap":null,"returns":null,"pages":null},
  'checkout.create': {"method":"POST","path":"/checkout","auth":"create","wrap":null,"returns":null,"pages":null},
  'checkout.get': {"method":"GET","path":"/checkout","auth":"read","wrap":null,"returns":"checkout","pages":null},
  'checkout.commit': {"method":"POST","path":"/checkout/commit","auth":"idempotent","wrap":null,"returns":null,"pages":null},
  'checkout.createHosted': {"method":"POST","path":"/checkout/hosted","auth":"create","wrap":null,"returns":null,"pages":null},
  'checkout.validateCharge': {"method":"POST","path":"/checkout/validate-checkout-charge","auth":"idempotent","wrap":"charge","returns":null,"pages":null},
  'checkout.cancel': {"method":"POST","path":"/checkout/cancel","auth":"idempotent","wrap":null,"returns":"checkout","pages":null},
  'checkout.acceptUnderpaid': {"method":"POST","path":"/checkout/accept-underpaid","auth":"idempotent","wrap":null,"returns":"checkout","pages":null},
  'checkout.list': {"method":"GET","path":"/checkouts","auth":"read","wrap":null,"returns":null,"pages":"checkouts"},
  'depositAddresses.create': {"method":"POST","path":"/deposit-address","auth":"create","wrap":null,"returns":"depositAddress","pages":null},
  'depositAddresses.get': {"method":"GET","path":"/deposit-address","auth":"read","wrap":null,"returns":"depositAddress","pages":null},
  'depositAddresses.list': {"method":"GET","path":"/deposit-addresses","auth":"read","wrap":null,"returns":null,"pages":"depositAddresses"},
  'events.list': {"method":"GET","path":"/events","auth":"read","wrap":null,"returns":null,"pages":"events"},
  'events.get': {"method":"GET","path":"/event","auth":"read","wrap":null,"returns":"event","pages":null},
  'events.follow': {"method":"GET","path":"/events/follow","auth":"read","wrap":null,"returns":null,"pages":null},
  'events.redeliver': {"method":"POST","path":"/events/{id}/redeliver","auth":"create","wrap":null,"returns":"event","pages":null},
  'requests.list': {"method":"GET","path":"/requests","auth":"read","wrap":null,"returns":null,"pages":"requests"},
  'requests.get': {"method":"GET","path":"/request","auth":"read","wrap":null,"returns":"request","pages":null},
  'webhookEndpoints.create': {"method":"POST","path":"/webhook-endpoint","auth":"create","wrap":null,"returns":null,"pages":null},
  'webhookEndpoints.update': {"method":"PUT","path":"/webhook-endpoint","auth":"idempotent","wrap":null,"returns":"webhookEndpoint","pages":null},
  'webhookEndpoints.delete': {"method":"DELETE","path":"/webhook-endpoint","auth":"idempotent","wrap":null,"returns":null,"pages":null},
  'webhookEndpoints.rotateSecret': {"method":"POST","path":"/webhook-endpoint/rotate-secret","auth":"create","wrap":null,"returns":null,"pages":null},
  'webhookEndpoints.list': {"method":"GET","path":"/webhook-endpoints","auth":"read","wrap":null,"returns":null,"pages":"webhookEndpoints"},
  'accountSettings.get': {"method":"GET","path":"/account-settings","auth":"read","wrap":null,"returns":"accountSettings","pages":null},
  'accountSettings.update': {"method":"PUT","path":"/account-settings","auth":"idempotent","wrap":null,"returns":"accountSettings","pages":null},
  'accountSettings.getPageLook': {"method":"GET","path":"/page-look","auth":"read","wrap":null,"returns":"pageLook","pages":null},
  'accountSettings.updatePageLook': {"method":"PUT","path":"/page-look","auth":"idempotent","wrap":null,"returns":"pageLook","pages":null},
  'spendingLimits.get': {"method":"GET","path":"/spending-limits","auth":"read","wrap":null,"returns":"spendingLimits","pages":null},
  'spendingLimits.update': {"method":"PUT","path":"/spending-limit","auth":"idempotent","wrap":null,"returns":"spendingLimits","pages":null},
  'wallets.list': {"method":"GET","path":"/wallets","auth":"read","wrap":null,"returns":"wallets","pages":null},
  'wallets.get': {"method":"GET","path":"/wallet","auth":"read","wrap":null,"returns":"wallets","pages":null},
  'customers.create': {"method":"POST","path":"/customer","auth":"create","wrap":"customer","returns":null,"pages":null},
  'customers.update': {"method":"PUT","path":"/customer","auth":"idempotent","wrap":"customer","returns":"customer","pages":null},
  'customers.delete': {"method":"DELETE","path":"/customer","auth":"idempotent","wrap":null,"returns":null,"pages":null},
  'customers.get': {"method":"GET","path":"/customer","auth":"read","wrap":null,"returns":"customer","pages":null},
  'customers.list': {"method":"GET","path":"/customers","auth":"read","wrap":null,"returns":null,"pages":"customers"},
  'swaps.create': {"method":"POST","path":"/swap","auth":"money","wrap":null,"returns":"swap","pages":null},
  'swaps.get': {"method":"GET","path":"/swap","auth":"read","wrap":null,"returns":"swap","pages":null},
  'swaps.commit': {"method":"POST","path":"/swap/commit","auth":"money","wrap":null,"returns":"swap","pages":null},
  'beneficiaries.create': {"method":"POST","path":"/beneficiary","auth":"money","wrap":"beneficiary","returns":null,"pages":null},
  'beneficiaries.delete': {"method":"DELETE","path":"/beneficiary","auth":"money","wrap":null,"returns":null,"pages":null},
  'beneficiaries.get': {"method":"GET","path":"/beneficiary","auth":"read","wrap":null,"returns":"beneficiary","pages":null},
  'beneficiaries.list': {"method":"GET","path":"/beneficiaries","auth":"read","wrap":null,"returns":null,"pages":"beneficiaries"},
  'transfers.create': {"method":"POST","path":"/transfer","auth":"money","wrap":null,"returns":"transfer","pages":null},
  'transfers.get': {"method":"GET","path":"/transfer","auth":"read","wrap":null,"returns":"transfer","pages":null},
  'transfers.commit': {"method":"POST","path":"/transfer/commit","auth":"money","wrap":null,"returns":"transfer","pages":null},
  'transfers.cancel': {"method":"POST","path":"/transfer/cancel","auth":"money","wrap":null,"returns":"transfer","pages":null},
  'transfers.list': {"method":"GET","path":"/transfers","auth":"read","wrap":null,"returns":null,"pages":"transfers"},
  'settlementRules.create': {"method":"POST","path":"/settlement-rule","auth":"money","wrap":null,"returns":"settlementRule","pages":null},
  'settlementRules.delete': {"method":"DELETE","path":"/settlement-rule","auth":"money","wrap":null,"returns":null,"pages":null},
  'settlementRules.get': {"method":"GET","path":"/settlement-rule","auth":"read","wrap":null,"returns":null,"pages":null},
  'settlementRules.pause': {"method":"POST","path":"/settlement-rule/pause","auth":"money","wrap":null,"returns":"settlementRule","pages":null},
  'settlementRules.resume': {"method":"POST","path":"/settlement-rule/resume","auth":"money","wrap":null,"returns":"settlementRule","pages":null},
  'settlementRules.list': {"method":"GET","path":"/settlement-rules","auth":"read","wrap":null,"returns":null,"pages":"settlementRules"},
  'approvals.list': {"method":"GET","path":"/approvals","auth":"read","wrap":null,"returns":"approvals","pages":null},
  'approvals.approve': {"method":"POST","path":"/approval","auth":"money","wrap":null,"returns":"approval","pages":null},
  'refunds.create': {"method":"POST","path":"/refund","auth":"money","wrap":null,"returns":"refund","pages":null},
  'refunds.get': {"method":"GET","path":"/refund","auth":"read","wrap":null,"returns":"refund","pages":null},
  'refunds.cancel': {"method":"POST","path":"/refund/cancel","auth":"money","wrap":null,"returns":"refund","pages":null},
  'refunds.list': {"method":"GET","path":"/refunds","auth":"read","wrap":null,"returns":null,"pages":"refunds"},
  'suspense.list': {"method":"GET","path":"/suspense","auth":"read","wrap":null,"returns":null,"pages":"suspense"},
  'reports.balances': {"method":"GET","path":"/reports/balances","auth":"read","wrap":null,"returns":null,"pages":"report.rows"},
  'reports.ledger': {"method":"GET","path":"/reports/ledger","auth":"read","wrap":null,"returns":null,"pages":"report.rows"},
  'reports.settlements': {"method":"GET","path":"/reports/settlements","auth":"read","wrap":null,"returns":null,"pages":"report.rows"},
  'reports.fees': {"method":"GET","path":"/reports/fees","auth":"read","wrap":null,"returns":null,"pages":"report.rows"},
  'reports.taxes': {"method":"GET","path":"/reports/taxes","auth":"read","wrap":null,"returns":null,"pages":"report.rows"},
  'reports.conversions': {"method":"GET","path":"/reports/conversions","auth":"read","wrap":null,"returns":null,"pages":"report.rows"},
  'reports.gains': {"method":"GET","path":"/reports/gains","auth":"read","wrap":null,"returns":null,"pages":"report.rows"},
  'sandbox.pay': {"method":"POST","path":"/sandbox/pay","auth":"create","wrap":null,"returns":"payments","pages":null},
  'sandbox.mine': {"method":"POST","path":"/sandbox/mine","auth":"create","wrap":null,"returns":"tips","pages":null},
  'sandbox.replace': {"method":"POST","path":"/sandbox/replace","auth":"create","wrap":null,"returns":"payments","pages":null},
  'sandbox.reorg': {"method":"POST","path":"/sandbox/reorg","auth":"create","wrap":null,"returns":"tip","pages":null},
  'sandbox.advance': {"method":"POST","path":"/sandbox/advance","auth":"create","wrap":null,"returns":null,"pages":null},
  'sandbox.expire': {"method":"POST","path":"/sandbox/expire","auth":"create","wrap":null,"returns":null,"pages":null},
  'sandbox.freeze': {"method":"POST","path":"/sandbox/freeze","auth":"create","wrap":null,"returns":null,"pages":null},
} as const satisfies Readonly<Record<string, Endpoint>>;

export class ServiceMethods {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** Current Unix timestamp of the service (`GET /time`). */
  time(options?: CallOptions): Promise<number> {
    return this.caller.call(ENDPOINTS['service.time'], {}, options);
  }

  /** Verify credentials (`GET /auth-test`). */
  authTest(options?: CallOptions): Promise<Authentication> {
    return this.caller.call(ENDPOINTS['service.authTest'], {}, options);
  }

  /** Languages of hosted pages (`GET /languages`). */
  languages(options?: CallOptions): Promise<Language[]> {
    return this.caller.call(ENDPOINTS['service.languages'], {}, options);
  }

  /** This document (`GET /openapi.json`). */
  openapi(options?: CallOptions): Promise<JsonObject> {
    return this.caller.call(ENDPOINTS['service.openapi'], {}, options);
  }
}

export class CatalogueMethods {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** Networks that payments can come from and transfers can go to (`GET /networks`). */
  networks(options?: CallOptions): Promise<Network[]> {
    return this.caller.call(ENDPOINTS['catalogue.networks'], {}, options);
  }

  /** Assets and what they can be used for (`GET /assets`). */
  assets(options?: CallOptions): Promise<Asset[]> {
    return this.caller.call(ENDPOINTS['catalogue.assets'], {}, options);
  }

  /** Currencies of charges, settlements and payments (`GET /currencies`). */
  currencies(options?: CallOptions): Promise<Currency[]> {
    return this.caller.call(ENDPOINTS['catalogue.currencies'], {}, options);
  }

  /** Currencies of states that a charge may be in (older catalogue) (`GET /fiat-currencies`). */
  fiatCurrencies(options?: CallOptions): Promise<FiatCurrency[]> {
    return this.caller.call(ENDPOINTS['catalogue.fiatCurrencies'], {}, options);
  }

  /** Blockchains and their native assets (older catalogue) (`GET /blockchains`). */
  blockchains(options?: CallOptions): Promise<Blockchain[]> {
    return this.caller.call(ENDPOINTS['catalogue.blockchains'], {}, options);
  }

  /** Issuers and the ids of their assets (older catalogue) (`GET /asset-issuers`). */
  assetIssuers(options?: CallOptions): Promise<AssetIssuer[]> {
    return this.caller.call(ENDPOINTS['catalogue.assetIssuers'], {}, options);
  }

  /** What an amount of one asset or currency is in another, now and without commitment (`GET /exchange-rate`). */
  exchangeRate(parameters: {
    /** Id of an asset, or code of a currency. */
    sourceAsset: string;
    /** Id of an asset, or code of a currency. */
    targetAsset: string;
    /** How much of the source; either this or `targetAmount`. */
    sourceAmount?: Numeric;
    /** How much of the target; either this or `sourceAmount`. */
    targetAmount?: Numeric;
    /** Older name of `sourceAmount`. */
    amount?: Numeric;
  }, options?: CallOptions): Promise<ExchangeRate> {
    return this.caller.call(ENDPOINTS['catalogue.exchangeRate'], parameters, options);
  }
}

export class CheckoutMethods {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** Create a self-hosted checkout (`POST /checkout`). */
  create(parameters: CheckoutRequest, options?: CallOptions): Promise<CreatedCheckout> {
    return this.caller.call(ENDPOINTS['checkout.create'], parameters, options);
  }

  /** State of a checkout; `wait` holds the answer until the state changes (`GET /checkout`). */
  get(id: string, parameters: {
    /** Seconds, up to 60, for which the answer is held until the state changes. */
    wait?: Numeric;
  } = {}, options?: CallOptions): Promise<Checkout> {
    return this.caller.call(ENDPOINTS['checkout.get'], { ...parameters, id }, options);
  }

  /** Choose the payment method; a repeat changes nothing until the window is over (`POST /checkout/commit`). */
  commit(checkoutId: string, parameters: Omit<CommitCheckoutRequest, 'checkoutId'> = {}, options?: CallOptions): Promise<CheckoutCommitment> {
    return this.caller.call(ENDPOINTS['checkout.commit'], { ...parameters, checkoutId }, options);
  }

  /** Create a checkout with a hosted payment page (`POST /checkout/hosted`). */
  createHosted(parameters: CheckoutRequest, options?: CallOptions): Promise<CreatedHostedCheckout> {
    return this.caller.call(ENDPOINTS['checkout.createHosted'], parameters, options);
  }

  /** Check a charge and compute its total without creating anything (`POST /checkout/validate-checkout-charge`). */
  validateCharge(parameters: Charge, options?: CallOptions): Promise<ChargeTotals> {
    return this.caller.call(ENDPOINTS['checkout.validateCharge'], parameters, options);
  }

  /** Cancel a checkout that no money was seen for; what still arrives is still credited (`POST /checkout/cancel`). */
  cancel(checkoutId: string, options?: CallOptions): Promise<Checkout> {
    return this.caller.call(ENDPOINTS['checkout.cancel'], { checkoutId }, options);
  }

  /** Complete an underpaid checkout with what arrived (`POST /checkout/accept-underpaid`). */
  acceptUnderpaid(checkoutId: string, options?: CallOptions): Promise<Checkout> {
    return this.caller.call(ENDPOINTS['checkout.acceptUnderpaid'], { checkoutId }, options);
  }

  /** Checkouts, newest first; created from `from` on and before `to`; `meta.<key>=` finds those with this text or number at the top of their `meta` (`GET /checkouts`). */
  list(parameters: {
    /** 1 to 250, 50 unless given */
    limit?: Numeric;
    /** `nextCursor` of the page before */
    cursor?: string;
    /** Those in this state. */
    state?: 'NEW' | 'AWAITING_PAYMENT' | 'PENDING' | 'UNDERPAID' | 'COMPLETED' | 'EXPIRED' | 'CANCELLED';
    /** Made from this time on: ISO 8601 with offset, or a day. */
    from?: string | Date;
    /** Made before this time: ISO 8601 with offset, or a day. */
    to?: string | Date;
    /** Those of this customer. */
    customerId?: string;
    /** `meta.order=7`: text or number at the top of `meta`; a page looks through 10,000 and may have fewer than `limit`, or none, and a `nextCursor` */
    meta?: Record<string, string | bigint | number>;
  } = {}, options?: CallOptions): Pages<Checkout> {
    return this.caller.list(ENDPOINTS['checkout.list'], parameters, options);
  }
}

export class DepositAddressesMethods {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** A dedicated address that may be paid any number of times, watched for ever (`POST /deposit-address`). */
  create(parameters: CreateDepositAddressRequest, options?: CallOptions): Promise<DepositAddress> {
    return this.caller.call(ENDPOINTS['depositAddresses.create'], parameters, options);
  }

  /** A deposit address (`GET /deposit-address`). */
  get(id: string, options?: CallOptions): Promise<DepositAddress> {
    return this.caller.call(ENDPOINTS['depositAddresses.get'], { id }, options);
  }

  /** Deposit addresses, newest first (`GET /deposit-addresses`). */
  list(parameters: {
    /** 1 to 250, 50 unless given */
    limit?: Numeric;
    /** `nextCursor` of the page before */
    cursor?: string;
  } = {}, options?: CallOptions): Pages<DepositAddress> {
    return this.caller.list(ENDPOINTS['depositAddresses.list'], parameters, options);
  }
}

export class EventsMethods {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** The events of the account as they were sent, newest first, with their deliveries; a key with scopes sees those it may ask for. What every receiver has got goes after 60 days (`GET /events`). */
  list(parameters: {
    /** 1 to 250, 50 unless given */
    limit?: Numeric;
    /** `nextCursor` of the page before */
    cursor?: string;
    /** Those of this type. */
    type?: EventType;
  } = {}, options?: CallOptions): Pages<ListedEvent> {
    return this.caller.list(ENDPOINTS['events.list'], parameters, options);
  }

  /** One event as it was sent, with the exact text of its webhook and its deliveries (`GET /event`). */
  get(id: string, options?: CallOptions): Promise<ListedEvent> {
    return this.caller.call(ENDPOINTS['events.get'], { id }, options);
  }

  /** The events of the account after one, oldest first, for a program without an address that webhooks reach. `wait` holds the answer until there is one. Go on with `after` of the answer: each event comes once, and none is left out. Without `after` it begins now (`GET /events/follow`). */
  follow(parameters: {
    /** `after` of the answer before, or `start` for all events that are kept */
    after?: string;
    /** 1 to 100, 50 unless given */
    limit?: Numeric;
    /** Seconds, up to 30, for which the answer is held until there is one. */
    wait?: Numeric;
  } = {}, options?: CallOptions): Promise<FollowedEvents> {
    return this.caller.call(ENDPOINTS['events.follow'], parameters, options);
  }

  /** Send an event again to each of its receivers, as it was (`POST /events/{id}/redeliver`). */
  redeliver(id: string, options?: CallOptions): Promise<ListedEvent> {
    return this.caller.call(ENDPOINTS['events.redeliver'], { id }, options);
  }
}

export class RequestsMethods {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** Requests of the last seven days to the API, newest first, a second after they were answered; a key with scopes sees those it may make itself. A page may hold fewer than asked for (`GET /requests`). */
  list(parameters: {
    /** 1 to 250, 50 unless given */
    limit?: Numeric;
    /** `nextCursor` of the page before */
    cursor?: string;
    /** `2xx`, `4xx`, `5xx`, or one status */
    status?: Numeric;
    /** How the path begins */
    path?: string;
  } = {}, options?: CallOptions): Pages<ListedRequest> {
    return this.caller.list(ENDPOINTS['requests.list'], parameters, options);
  }

  /** One request of the last seven days with what was sent and answered, without secrets (`GET /request`). */
  get(id: string, options?: CallOptions): Promise<ListedRequest> {
    return this.caller.call(ENDPOINTS['requests.get'], { id }, options);
  }
}

export class WebhookEndpointsMethods {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** Register a receiver of the events of the whole account, of all types unless some are named; the secret that signs them is told here only (`POST /webhook-endpoint`). */
  create(parameters: CreateWebhookEndpointRequest, options?: CallOptions): Promise<WebhookEndpointWithSecret> {
    return this.caller.call(ENDPOINTS['webhookEndpoints.create'], parameters, options);
  }

  /** The dated version that an account-wide receiver is told in of what happens from now on; what has happened is told again as it was (`PUT /webhook-endpoint`). */
  update(webhookEndpointId: string, parameters: Omit<WebhookEndpointReference, 'webhookEndpointId'> = {}, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.caller.call(ENDPOINTS['webhookEndpoints.update'], { ...parameters, webhookEndpointId }, options);
  }

  /** Send nothing more to an account-wide receiver (`DELETE /webhook-endpoint`). */
  delete(id: string, options?: CallOptions): Promise<WebhookEndpointReference> {
    return this.caller.call(ENDPOINTS['webhookEndpoints.delete'], { id }, options);
  }

  /** A new secret for an account-wide receiver, told here only; the old one signs beside it for `overlapHours` (0 to 24, 24 unless given) (`POST /webhook-endpoint/rotate-secret`). */
  rotateSecret(webhookEndpointId: string, parameters: Omit<WebhookEndpointReference, 'webhookEndpointId'> = {}, options?: CallOptions): Promise<WebhookEndpointWithSecret> {
    return this.caller.call(ENDPOINTS['webhookEndpoints.rotateSecret'], { ...parameters, webhookEndpointId }, options);
  }

  /** Account-wide receivers of events, newest first, deleted ones included (`GET /webhook-endpoints`). */
  list(parameters: {
    /** 1 to 250, 50 unless given */
    limit?: Numeric;
    /** `nextCursor` of the page before */
    cursor?: string;
  } = {}, options?: CallOptions): Pages<WebhookEndpoint> {
    return this.caller.list(ENDPOINTS['webhookEndpoints.list'], parameters, options);
  }
}

export class AccountSettingsMethods {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** Settings of the account for the environment of the key (`GET /account-settings`). */
  get(options?: CallOptions): Promise<AccountSettings> {
    return this.caller.call(ENDPOINTS['accountSettings.get'], {}, options);
  }

  /** Change settings of the account; what is absent stays, and new checkouts follow: assets above `riskTolerance` are neither offered nor settled in; lists are all there is afterwards; what is of both environments is set with a live key (`PUT /account-settings`). */
  update(parameters: UpdateAccountSettingsRequest = {}, options?: CallOptions): Promise<AccountSettings> {
    return this.caller.call(ENDPOINTS['accountSettings.update'], parameters, options);
  }

  /** How the hosted pages of the account look (`GET /page-look`). */
  getPageLook(options?: CallOptions): Promise<PageLook> {
    return this.caller.call(ENDPOINTS['accountSettings.getPageLook'], {}, options);
  }

  /** Change how the hosted pages look, with a live key; what is absent stays, null takes back, and lists are all there is afterwards (`PUT /page-look`). */
  updatePageLook(parameters: UpdatePageLookRequest = {}, options?: CallOptions): Promise<PageLook> {
    return this.caller.call(ENDPOINTS['accountSettings.updatePageLook'], parameters, options);
  }
}

export class SpendingLimitsMethods {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** How much may be sent out by transfers, refunds and swaps: DAY in any 24 hours, TWO_PEOPLE without a second approver, COOL_DOWN to a free address at once (`GET /spending-limits`). */
  get(options?: CallOptions): Promise<SpendingLimit[]> {
    return this.caller.call(ENDPOINTS['spendingLimits.get'], {}, options);
  }

  /** Lower a limit of the account, or set one where there is none; the operator raises it (`PUT /spending-limit`). */
  update(parameters: SpendingLimit, options?: CallOptions): Promise<SpendingLimit[]> {
    return this.caller.call(ENDPOINTS['spendingLimits.update'], parameters, options);
  }
}

export class WalletsMethods {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** Balances of every asset the account ever had, and where each can be paid to (`GET /wallets`). */
  list(options?: CallOptions): Promise<Wallet[]> {
    return this.caller.call(ENDPOINTS['wallets.list'], {}, options);
  }

  /** Balances of the assets with one code (several networks issue USDC), or of one asset id (`GET /wallet`). */
  get(assetCode: string, options?: CallOptions): Promise<Wallet[]> {
    return this.caller.call(ENDPOINTS['wallets.get'], { assetCode }, options);
  }
}

export class CustomersMethods {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** Create a customer (`POST /customer`). */
  create(parameters: CustomerFields, options?: CallOptions): Promise<CustomerReference> {
    return this.caller.call(ENDPOINTS['customers.create'], parameters, options);
  }

  /** Change a customer: absent fields stay, null clears (`PUT /customer`). */
  update(id: string, parameters: Omit<CustomerChange, 'id'> = {}, options?: CallOptions): Promise<Customer> {
    return this.caller.call(ENDPOINTS['customers.update'], { ...parameters, id }, options);
  }

  /** Delete a customer: `{ id }` or `{ customer: { id } }` (`DELETE /customer`). */
  delete(id: string, options?: CallOptions): Promise<CustomerReference> {
    return this.caller.call(ENDPOINTS['customers.delete'], { id }, options);
  }

  /** A customer by its id (`GET /customer`). */
  get(id: string, options?: CallOptions): Promise<Customer> {
    return this.caller.call(ENDPOINTS['customers.get'], { id }, options);
  }

  /** Customers, newest first (`GET /customers`). */
  list(parameters: {
    /** 1 to 250, 50 unless given */
    limit?: Numeric;
    /** `nextCursor` of the page before */
    cursor?: string;
  } = {}, options?: CallOptions): Pages<Customer> {
    return this.caller.list(ENDPOINTS['customers.list'], parameters, options);
  }
}

export class SwapsMethods {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** Quote a conversion of the balance for 60 seconds (`POST /swap`). */
  create(parameters: CreateSwapRequest, options?: CallOptions): Promise<Swap> {
    return this.caller.call(ENDPOINTS['swaps.create'], parameters, options);
  }

  /** State of a swap (`GET /swap`). */
  get(id: string, options?: CallOptions): Promise<Swap> {
    return this.caller.call(ENDPOINTS['swaps.get'], { id }, options);
  }

  /** Carry out a swap at its quote; repeats change nothing (`POST /swap/commit`). */
  commit(swapId: string, options?: CallOptions): Promise<Swap> {
    return this.caller.call(ENDPOINTS['swaps.commit'], { swapId }, options);
  }
}

export class BeneficiariesMethods {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** Create a beneficiary: somebody money may be sent to (`POST /beneficiary`). */
  create(parameters: BeneficiaryFields, options?: CallOptions): Promise<BeneficiaryReference> {
    return this.caller.call(ENDPOINTS['beneficiaries.create'], parameters, options);
  }

  /** Delete a beneficiary: `{ id }` or `{ beneficiary: { id } }` (`DELETE /beneficiary`). */
  delete(id: string, options?: CallOptions): Promise<BeneficiaryReference> {
    return this.caller.call(ENDPOINTS['beneficiaries.delete'], { id }, options);
  }

  /** A beneficiary by its id (`GET /beneficiary`). */
  get(id: string, options?: CallOptions): Promise<Beneficiary> {
    return this.caller.call(ENDPOINTS['beneficiaries.get'], { id }, options);
  }

  /** Beneficiaries, newest first (`GET /beneficiaries`). */
  list(parameters: {
    /** 1 to 250, 50 unless given */
    limit?: Numeric;
    /** `nextCursor` of the page before */
    cursor?: string;
  } = {}, options?: CallOptions): Pages<Beneficiary> {
    return this.caller.list(ENDPOINTS['beneficiaries.list'], parameters, options);
  }
}

export class TransfersMethods {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** Quote a transfer to a beneficiary; nothing moves before it is committed (`POST /transfer`). */
  create(parameters: CreateTransferRequest, options?: CallOptions): Promise<Transfer> {
    return this.caller.call(ENDPOINTS['transfers.create'], parameters, options);
  }

  /** State of a transfer (`GET /transfer`). */
  get(id: string, options?: CallOptions): Promise<Transfer> {
    return this.caller.call(ENDPOINTS['transfers.get'], { id }, options);
  }

  /** Send a quoted transfer; a repeat answers with it as it stands (`POST /transfer/commit`). */
  commit(transferId: string, options?: CallOptions): Promise<Transfer> {
    return this.caller.call(ENDPOINTS['transfers.commit'], { transferId }, options);
  }

  /** Take back a transfer that a person has to send and nobody was told of yet (`POST /transfer/cancel`). */
  cancel(transferId: string, options?: CallOptions): Promise<Transfer> {
    return this.caller.call(ENDPOINTS['transfers.cancel'], { transferId }, options);
  }

  /** Transfers, newest first (`GET /transfers`). */
  list(parameters: {
    /** 1 to 250, 50 unless given */
    limit?: Numeric;
    /** `nextCursor` of the page before */
    cursor?: string;
  } = {}, options?: CallOptions): Pages<Transfer> {
    return this.caller.list(ENDPOINTS['transfers.list'], parameters, options);
  }
}

export class SettlementRulesMethods {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** Settle a balance by itself: at an hour of a schedule or above a threshold, by conversion (`convertTo`), to a beneficiary, or both; `keep` stays (`POST /settlement-rule`). */
  create(parameters: CreateSettlementRuleRequest, options?: CallOptions): Promise<SettlementRule> {
    return this.caller.call(ENDPOINTS['settlementRules.create'], parameters, options);
  }

  /** Delete a settlement rule; what it did stays (`DELETE /settlement-rule`). */
  delete(id: string, options?: CallOptions): Promise<SettlementRuleReference> {
    return this.caller.call(ENDPOINTS['settlementRules.delete'], { id }, options);
  }

  /** A settlement rule, and what it did in its last 50 periods, newest first (`GET /settlement-rule`). */
  get(id: string, options?: CallOptions): Promise<SettlementRuleAnswer> {
    return this.caller.call(ENDPOINTS['settlementRules.get'], { id }, options);
  }

  /** Do nothing by a rule from now on (`POST /settlement-rule/pause`). */
  pause(settlementRuleId: string, options?: CallOptions): Promise<SettlementRule> {
    return this.caller.call(ENDPOINTS['settlementRules.pause'], { settlementRuleId }, options);
  }

  /** Follow a rule again, from the period that comes next (`POST /settlement-rule/resume`). */
  resume(settlementRuleId: string, options?: CallOptions): Promise<SettlementRule> {
    return this.caller.call(ENDPOINTS['settlementRules.resume'], { settlementRuleId }, options);
  }

  /** Settlement rules, newest first (`GET /settlement-rules`). */
  list(parameters: {
    /** 1 to 250, 50 unless given */
    limit?: Numeric;
    /** `nextCursor` of the page before */
    cursor?: string;
  } = {}, options?: CallOptions): Pages<SettlementRule> {
    return this.caller.list(ENDPOINTS['settlementRules.list'], parameters, options);
  }
}

export class ApprovalsMethods {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** What waits for a second approver, because it is above the limit TWO_PEOPLE (`GET /approvals`). */
  list(options?: CallOptions): Promise<Approval[]> {
    return this.caller.call(ENDPOINTS['approvals.list'], {}, options);
  }

  /** Approve what another key made; it is sent soon after, and not before (`POST /approval`). */
  approve(subject: string, options?: CallOptions): Promise<Approval> {
    return this.caller.call(ENDPOINTS['approvals.approve'], { subject }, options);
  }
}

export class RefundsMethods {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** Send money of a checkout back; without `address` the payer gets a link to claim it (`POST /refund`). */
  create(parameters: CreateRefundRequest, options?: CallOptions): Promise<Refund> {
    return this.caller.call(ENDPOINTS['refunds.create'], parameters, options);
  }

  /** State of a refund (`GET /refund`). */
  get(id: string, options?: CallOptions): Promise<Refund> {
    return this.caller.call(ENDPOINTS['refunds.get'], { id }, options);
  }

  /** Take back a refund that is not sent yet, and that nobody was told how to send (`POST /refund/cancel`). */
  cancel(refundId: string, options?: CallOptions): Promise<Refund> {
    return this.caller.call(ENDPOINTS['refunds.cancel'], { refundId }, options);
  }

  /** Refunds, newest first (`GET /refunds`). */
  list(parameters: {
    /** 1 to 250, 50 unless given */
    limit?: Numeric;
    /** `nextCursor` of the page before */
    cursor?: string;
  } = {}, options?: CallOptions): Pages<Refund> {
    return this.caller.list(ENDPOINTS['refunds.list'], parameters, options);
  }
}

export class SuspenseMethods {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** Money that came for your checkouts and addresses and is not credited, newest first (`GET /suspense`). */
  list(parameters: {
    /** 1 to 250, 50 unless given */
    limit?: Numeric;
    /** `nextCursor` of the page before */
    cursor?: string;
  } = {}, options?: CallOptions): Pages<Suspense> {
    return this.caller.list(ENDPOINTS['suspense.list'], parameters, options);
  }
}

export class ReportsMethods {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** Balances at the beginning and the end of the period, and what moved between; oldest first, as JSON or CSV (then X-Next-Cursor is a header) (`GET /reports/balances`). */
  balances(parameters: {
    /** From this time on, included: ISO 8601 with offset, or a day, which begins at midnight UTC. */
    from?: string | Date;
    /** Before this time: ISO 8601 with offset, or a day, which begins at midnight UTC. */
    to?: string | Date;
    /** Rows of a page: 1 to 5,000, 1,000 unless given. */
    limit?: Numeric;
    /** `nextCursor` of the page before */
    cursor?: string;
    /** As JSON unless given; `csv` as a table. */
    format?: 'json' | 'csv';
  } = {}, options?: CallOptions): Pages<Record<string, string | null>> {
    return this.caller.list(ENDPOINTS['reports.balances'], parameters, options);
  }

  /** Every movement on the accounts of the merchant; oldest first, as JSON or CSV, or as programs of accounting read it (then X-Next-Cursor is a header) (`GET /reports/ledger`). */
  ledger(parameters: {
    /** From this time on, included: ISO 8601 with offset, or a day, which begins at midnight UTC. */
    from?: string | Date;
    /** Before this time: ISO 8601 with offset, or a day, which begins at midnight UTC. */
    to?: string | Date;
    /** Rows of a page: 1 to 5,000, 1,000 unless given. */
    limit?: Numeric;
    /** `nextCursor` of the page before */
    cursor?: string;
    /** As JSON unless given; `csv` as a table. */
    format?: 'json' | 'csv' | 'beancount' | 'hledger' | 'xero' | 'quickbooks' | 'camt053';
    /** Of a statement of account: which asset it is of. */
    asset?: string;
  } = {}, options?: CallOptions): Pages<Record<string, string | null>> {
    return this.caller.list(ENDPOINTS['reports.ledger'], parameters, options);
  }

  /** Every payment that became available, with what was paid, credited and kept as a fee; oldest first, as JSON or CSV (then X-Next-Cursor is a header) (`GET /reports/settlements`). */
  settlements(parameters: {
    /** From this time on, included: ISO 8601 with offset, or a day, which begins at midnight UTC. */
    from?: string | Date;
    /** Before this time: ISO 8601 with offset, or a day, which begins at midnight UTC. */
    to?: string | Date;
    /** Rows of a page: 1 to 5,000, 1,000 unless given. */
    limit?: Numeric;
    /** `nextCursor` of the page before */
    cursor?: string;
    /** As JSON unless given; `csv` as a table. */
    format?: 'json' | 'csv';
  } = {}, options?: CallOptions): Pages<Record<string, string | null>> {
    return this.caller.list(ENDPOINTS['reports.settlements'], parameters, options);
  }

  /** Every fee: of the service, and of networks on transfers (a page may hold fewer than asked for); oldest first, as JSON or CSV (then X-Next-Cursor is a header) (`GET /reports/fees`). */
  fees(parameters: {
    /** From this time on, included: ISO 8601 with offset, or a day, which begins at midnight UTC. */
    from?: string | Date;
    /** Before this time: ISO 8601 with offset, or a day, which begins at midnight UTC. */
    to?: string | Date;
    /** Rows of a page: 1 to 5,000, 1,000 unless given. */
    limit?: Numeric;
    /** `nextCursor` of the page before */
    cursor?: string;
    /** As JSON unless given; `csv` as a table. */
    format?: 'json' | 'csv';
  } = {}, options?: CallOptions): Pages<Record<string, string | null>> {
    return this.caller.list(ENDPOINTS['reports.fees'], parameters, options);
  }

  /** Net, taxes and total of the checkouts completed in the period, in their billing currencies, and less (below zero) what of any was refunded in it; oldest first, as JSON or CSV (then X-Next-Cursor is a header) (`GET /reports/taxes`). */
  taxes(parameters: {
    /** From this time on, included: ISO 8601 with offset, or a day, which begins at midnight UTC. */
    from?: string | Date;
    /** Before this time: ISO 8601 with offset, or a day, which begins at midnight UTC. */
    to?: string | Date;
    /** Rows of a page: 1 to 5,000, 1,000 unless given. */
    limit?: Numeric;
    /** `nextCursor` of the page before */
    cursor?: string;
    /** As JSON unless given; `csv` as a table. */
    format?: 'json' | 'csv';
  } = {}, options?: CallOptions): Pages<Record<string, string | null>> {
    return this.caller.list(ENDPOINTS['reports.taxes'], parameters, options);
  }

  /** Every exchange of one asset for another, with its worth at receipt and at disposal; by the prices that were stored then, oldest first, as JSON or CSV (then X-Next-Cursor is a header) (`GET /reports/conversions`). */
  conversions(parameters: {
    /** From this time on, included: ISO 8601 with offset, or a day, which begins at midnight UTC. */
    from?: string | Date;
    /** Before this time: ISO 8601 with offset, or a day, which begins at midnight UTC. */
    to?: string | Date;
    /** Rows of a page: 1 to 5,000, 1,000 unless given. */
    limit?: Numeric;
    /** `nextCursor` of the page before */
    cursor?: string;
    /** As JSON unless given; `csv` as a table. */
    format?: 'json' | 'csv';
    /** Code of a currency of states, in which values are told. */
    currency: string;
    /** Which units of an asset go first: the oldest, unless given, or the same part of all. */
    method?: 'fifo' | 'average';
  }, options?: CallOptions): Pages<Record<string, string | null>> {
    return this.caller.list(ENDPOINTS['reports.conversions'], parameters, options);
  }

  /** What was received, exchanged and sent, each with its worth then, its cost and the gain; by the prices that were stored then, oldest first, as JSON or CSV (then X-Next-Cursor is a header) (`GET /reports/gains`). */
  gains(parameters: {
    /** From this time on, included: ISO 8601 with offset, or a day, which begins at midnight UTC. */
    from?: string | Date;
    /** Before this time: ISO 8601 with offset, or a day, which begins at midnight UTC. */
    to?: string | Date;
    /** Rows of a page: 1 to 5,000, 1,000 unless given. */
    limit?: Numeric;
    /** `nextCursor` of the page before */
    cursor?: string;
    /** As JSON unless given; `csv` as a table. */
    format?: 'json' | 'csv';
    /** Code of a currency of states, in which values are told. */
    currency: string;
    /** Which units of an asset go first: the oldest, unless given, or the same part of all. */
    method?: 'fifo' | 'average';
  }, options?: CallOptions): Pages<Record<string, string | null>> {
    return this.caller.list(ENDPOINTS['reports.gains'], parameters, options);
  }
}

export class SandboxMethods {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** Pay a test checkout or a test deposit address on a simulated network (`POST /sandbox/pay`). */
  pay(parameters: SandboxRequest = {}, options?: CallOptions): Promise<SandboxPayment[]> {
    return this.caller.call(ENDPOINTS['sandbox.pay'], parameters, options);
  }

  /** Mine your payments on one simulated network, or on all, so many blocks deep (`POST /sandbox/mine`). */
  mine(parameters: SandboxRequest = {}, options?: CallOptions): Promise<SandboxTip[]> {
    return this.caller.call(ENDPOINTS['sandbox.mine'], parameters, options);
  }

  /** Replace the unconfirmed payments of a test checkout (`POST /sandbox/replace`). */
  replace(checkoutId: string, options?: CallOptions): Promise<SandboxPayment[]> {
    return this.caller.call(ENDPOINTS['sandbox.replace'], { checkoutId }, options);
  }

  /** Undo blocks of a simulated network together with your payments in them (`POST /sandbox/reorg`). */
  reorg(network: string, parameters: Omit<SandboxRequest, 'network'> = {}, options?: CallOptions): Promise<SandboxTip> {
    return this.caller.call(ENDPOINTS['sandbox.reorg'], { ...parameters, network }, options);
  }

  /** Let time pass for your test data: blocks come, windows end, webhooks and rules fall due (`POST /sandbox/advance`). */
  advance(minutes: number, options?: CallOptions): Promise<SandboxAnswer> {
    return this.caller.call(ENDPOINTS['sandbox.advance'], { minutes }, options);
  }

  /** End the payment window of a test checkout now (`POST /sandbox/expire`). */
  expire(checkoutId: string, options?: CallOptions): Promise<SandboxAnswer> {
    return this.caller.call(ENDPOINTS['sandbox.expire'], { checkoutId }, options);
  }

  /** Let the node of a simulated network fall silent for you for a while; 0 wakes it (`POST /sandbox/freeze`). */
  freeze(network: string, parameters: Omit<SandboxFreeze, 'network'>, options?: CallOptions): Promise<SandboxFreeze> {
    return this.caller.call(ENDPOINTS['sandbox.freeze'], { ...parameters, network }, options);
  }
}
