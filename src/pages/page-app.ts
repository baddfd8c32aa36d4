// What the pages need of the application: nothing else of it can be reached from here.

import type { Seller } from '#account/seller.ts';
import type { Log } from '#base/log.ts';
import type { Explorers } from '#catalog/explorer.ts';
import type { CheckoutRequest } from '#checkout/checkout-request.ts';
import type { CommitCheckoutApp } from '#checkout/commit-checkout.ts';
import type { FindCheckoutApp } from '#checkout/find-checkout.ts';
import type { SandboxPort } from '#checkout/sandbox-port.ts';
import type { SettleCheckoutApp } from '#checkout/settle-checkout.ts';
import type { ClaimRefundApp } from '#refund/claim-refund.ts';
import type { ApiReference } from './docs/api-reference.ts';

/** The shop at /demo: a test account of this installation, and the secret of its API key. */
export type DemoPort = {
  createDemoCheckout(
    request: CheckoutRequest,
  ): Promise<{ readonly id: string; readonly url: string }>;
  readApiSecret(): Promise<string>;
};

export type PageApp = FindCheckoutApp &
  CommitCheckoutApp &
  SettleCheckoutApp &
  ClaimRefundApp & {
    readonly log: Log;
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
    /** Undefined: no manual at /docs. */
    readonly apiReference?: ApiReference | undefined;
  };
