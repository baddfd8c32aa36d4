import { Caller } from './call.ts';
import { CheckoutResource } from './checkout.ts';
import {
  AccountSettingsMethods,
  ApprovalsMethods,
  BeneficiariesMethods,
  CatalogueMethods,
  CustomersMethods,
  DepositAddressesMethods,
  EventsMethods,
  RefundsMethods,
  RequestsMethods,
  ServiceMethods,
  SettlementRulesMethods,
  SpendingLimitsMethods,
  SuspenseMethods,
  SwapsMethods,
  TransfersMethods,
  WalletsMethods,
  WebhookEndpointsMethods,
} from './generated/methods.ts';
import type { ClientOptions } from './options.ts';
import { ReportsResource } from './reports.ts';
import { SandboxResource } from './sandbox.ts';
import { ApiTransport } from './transport.ts';
import { verify } from './webhooks.ts';

/** The API of one account, in the environment of the key: test or live. */
export class Quittance {
  readonly service: ServiceMethods;
  readonly catalogue: CatalogueMethods;
  readonly checkout: CheckoutResource;
  readonly depositAddresses: DepositAddressesMethods;
  readonly events: EventsMethods;
  readonly requests: RequestsMethods;
  readonly webhookEndpoints: WebhookEndpointsMethods;
  readonly accountSettings: AccountSettingsMethods;
  readonly spendingLimits: SpendingLimitsMethods;
  readonly wallets: WalletsMethods;
  readonly customers: CustomersMethods;
  readonly swaps: SwapsMethods;
  readonly beneficiaries: BeneficiariesMethods;
  readonly transfers: TransfersMethods;
  readonly settlementRules: SettlementRulesMethods;
  readonly approvals: ApprovalsMethods;
  readonly refunds: RefundsMethods;
  readonly suspense: SuspenseMethods;
  readonly reports: ReportsResource;
  readonly sandbox: SandboxResource;
  /** Needs no client: also a function of the package. */
  readonly webhooks = { verify };

  /** @throws TypeError when key, secret or baseUrl is missing. */
  constructor(options: ClientOptions) {
    const caller = new Caller(new ApiTransport(options));
    this.service = new ServiceMethods(caller);
    this.catalogue = new CatalogueMethods(caller);
    this.checkout = new CheckoutResource(caller);
    this.depositAddresses = new DepositAddressesMethods(caller);
    this.events = new EventsMethods(caller);
    this.requests = new RequestsMethods(caller);
    this.webhookEndpoints = new WebhookEndpointsMethods(caller);
    this.accountSettings = new AccountSettingsMethods(caller);
    this.spendingLimits = new SpendingLimitsMethods(caller);
    this.wallets = new WalletsMethods(caller);
    this.customers = new CustomersMethods(caller);
    this.swaps = new SwapsMethods(caller);
    this.beneficiaries = new BeneficiariesMethods(caller);
    this.transfers = new TransfersMethods(caller);
    this.settlementRules = new SettlementRulesMethods(caller);
    this.approvals = new ApprovalsMethods(caller);
    this.refunds = new RefundsMethods(caller);
    this.suspense = new SuspenseMethods(caller);
    this.reports = new ReportsResource(caller);
    this.sandbox = new SandboxResource(caller, this.checkout);
  }
}
