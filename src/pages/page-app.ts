// What the pages need of the application: nothing else of it can be reached from here.

import type { Log } from '#base/log.ts';
import type { Explorers } from '#catalog/explorer.ts';
import type { RecordObservationApp } from '#chain/record-observation.ts';
import type { CheckoutRequest } from '#charge/checkout-request.ts';
import type { CommitCheckoutApp } from '#checkout/commit-checkout.ts';
import type { CreateCheckoutApp } from '#checkout/create-checkout.ts';
import type { FindCheckoutApp } from '#checkout/find-checkout.ts';
import type { PayerTransactionApp } from '#checkout-settlement/payer-transaction.ts';
import type { SandboxPort } from '#checkout-settlement/sandbox-port.ts';
import type { SettleCheckoutApp } from '#checkout-settlement/settle-checkout.ts';
import type { Reader } from '#db/db.ts';
import type { RedeliverApp } from '#event/delivery.ts';
import type { Seller } from '#merchant/seller.ts';
import type { FindTextRecords } from '#merchant/verify-domain.ts';
import type { CreateBeneficiaryApp } from '#people/create-beneficiary.ts';
import type { ClaimRefundApp } from '#refund/claim-refund.ts';
import type { CreateRefundApp } from '#refund/create-refund.ts';
import type { CreateRuleApp } from '#settlement-rule/create-settlement-rule.ts';
import type { SignInApp } from '#staff/sign-in.ts';
import type { CommitSwapApp } from '#swap/commit-swap.ts';
import type { CreateSwapApp } from '#swap/create-swap.ts';
import type { CommitTransferApp } from '#transfer/commit-transfer.ts';
import type { QuoteTransferApp } from '#transfer/quote-transfer.ts';
import type { TargetAdmission } from '#webhook/admit-target.ts';
import type { ApiReference } from './docs/api-reference.ts';
import type { OperatorPort } from './operator-port.ts';

/** What people do with money of the shop. */
type MoneyApp = CreateBeneficiaryApp &
  QuoteTransferApp &
  CommitTransferApp &
  CreateSwapApp &
  CommitSwapApp &
  CreateRuleApp &
  CreateRefundApp;

/** The shops at /demo: each visitor who orders has a test account that is his own. */
export type DemoPort = {
  /** False when he has none, or none any more. His shop stays his for a day from now. */
  useShop(visitor: string): Promise<boolean>;
  /** @throws Refusal too-many `rate_limited`. */
  openShop(visitor: string): Promise<void>;
  createDemoCheckout(
    visitor: string,
    request: CheckoutRequest,
  ): Promise<{ readonly id: string; readonly url: string }>;
  /** Of the key of his shop; undefined when he has none. */
  readApiSecret(visitor: string): Promise<string | undefined>;
};

/** A project of the operator at a relay that browsers of payers may connect to. */
export type WalletConnect = {
  readonly projectId: string;
  readonly relayUrl: string;
  /** What the policy of the page names. */
  readonly relayOrigin: string;
};

export type PageApp = FindCheckoutApp &
  CreateCheckoutApp &
  CommitCheckoutApp &
  SettleCheckoutApp &
  ClaimRefundApp &
  PayerTransactionApp &
  RedeliverApp &
  MoneyApp &
  SignInApp & {
    readonly log: Log;
    /** For reports, which may be some seconds old; the database itself when absent. */
    readonly reads?: Reader | undefined;
    readonly policy: Pick<RecordObservationApp['policy'], 'requiredConfirmations'>;
    readonly webhookTargets: TargetAdmission;
    readonly findTextRecords: FindTextRecords;
    /** Tells of checkouts and chains that changed, whichever process changed them. */
    readonly changes: {
      /** Resolves when told, or after `ms`, or when aborted. */
      wait(topic: string, ms: number, signal: AbortSignal): Promise<void>;
      /** Calls back whenever told, until the returned function is called. */
      listen(topic: string, onTold: () => void): () => void;
      /** The process is about to end: nobody should wait any more. */
      hasEnded(): boolean;
    };
    /** `bindings`: what the server hands on with a request. Absent: all clients count as one. */
    readonly clientAddressOf?: (request: Request, bindings: unknown) => string;
    findSeller(merchantId: string): Promise<Seller | undefined>;
    /** Undefined when the simulated networks are switched off. */
    readonly sandbox: SandboxPort | undefined;
    readonly demo: DemoPort | undefined;
    /** Public explorers as the operator wants them; those we know when absent. */
    readonly explorers?: Explorers | undefined;
    /** Undefined: payers are not offered WalletConnect. */
    readonly walletConnect?: WalletConnect | undefined;
    /** Undefined: no manual at /docs. */
    readonly apiReference?: (() => ApiReference) | undefined;
    /** As programs read it, with its examples. */
    readonly apiDocument?: (() => object) | undefined;
    /** Undefined: nobody runs the installation from here. */
    readonly operator?: OperatorPort | undefined;
  };
