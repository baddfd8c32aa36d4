// What an endpoint is: one value that says its method, path, class of authentication, schemas and
// what it does. routes.ts collects them; the OpenAPI document is made from the same values.

import type { z } from 'zod';
import type { Scope } from '#account/api-key.ts';
import type { Caller } from '#account/caller.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import type { CheckoutViewApp } from '#checkout/checkout-view.ts';
import type { CommitCheckoutApp } from '#checkout/commit-checkout.ts';
import type { CreateCheckoutApp } from '#checkout/create-checkout.ts';
import type { FindCheckoutApp } from '#checkout/find-checkout.ts';
import type { SandboxPort } from '#checkout/sandbox-port.ts';
import type { TargetAdmission } from '#event/admit-target.ts';
import type { ExactJson } from '#money/exact-json.ts';
import { checkShape } from '#money/exact-schema.ts';
import type { CreateBeneficiaryApp } from '#people/create-beneficiary.ts';
import type { CreateRefundApp } from '#refund/create-refund.ts';
import type { CommitSwapApp } from '#swap/commit-swap.ts';
import type { CommitTransferApp } from '#transfer/commit-transfer.ts';
import type { QuoteTransferApp } from '#transfer/quote-transfer.ts';
import type { AuthenticateApp } from './authenticate.ts';

/** The part of the App value that the api uses. */
export type ApiApp = AuthenticateApp &
  CreateCheckoutApp &
  CommitCheckoutApp &
  FindCheckoutApp &
  CheckoutViewApp &
  CreateBeneficiaryApp &
  CommitSwapApp &
  QuoteTransferApp &
  CommitTransferApp &
  CreateRefundApp & {
    readonly clock: Clock;
    readonly random: Random;
    readonly log: Log;
    readonly webhookTargets: TargetAdmission;
    /** Absent where there are no simulated networks. */
    readonly sandbox?: SandboxPort | undefined;
    /** Absent where nobody tells: then it is only polled. */
    readonly changes?: {
      /** Returns when the checkout changed, in any process, after `ms`, or on abort. */
      wait(checkoutId: string, ms: number, signal: AbortSignal): Promise<void>;
      /** The process is about to end: nobody should wait any more. */
      hasEnded(): boolean;
    };
  };

export const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** `public` needs no credentials; the others are the replay classes of api-contract.md 3. */
export type AuthClass = 'public' | 'read' | 'create' | 'idempotent' | 'money';

export type Call = {
  /** Absent on public endpoints only. */
  readonly caller: Caller | undefined;
  /** Header X-Origin-URL: for display, trusted for nothing. */
  readonly originUrl: string | undefined;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
};

export type AuthorizedCall = Call & { readonly caller: Caller };

/** Parameters of a query named by a prefix and a point: `meta.<key>`. */
export type PrefixedQuery = { readonly name: string; readonly description: string };

type Description = {
  readonly method: Method;
  /** Without the version prefix, lower case, as it is signed. */
  readonly path: string;
  readonly summary: string;
  /** Body of a POST, parameters of a GET; absent where neither is read. */
  readonly request?: z.ZodType;
  /** Beside those of `request`, which cannot name them one by one. */
  readonly prefixed?: readonly PrefixedQuery[];
  readonly response: z.ZodType;
};

export type Beforehand = (() => Promise<unknown>) | undefined;

export type Endpoint = Description & {
  readonly auth: AuthClass;
  /** What the key must be allowed to do; `any` key will do for `any`. */
  readonly scope: Scope | 'any';
  /** X-Basic is a static value: what it would open for ever is not opened by it. */
  readonly digestOnly: boolean;
  /** Checks `input` (JSON as received) and does what the endpoint is for. */
  answer(app: ApiApp, call: Call, input: ExactJson): Promise<unknown>;
  /**
   * The part of it that must not happen inside the transaction of an Idempotency-Key, because
   * somebody else is asked; undefined where there is nothing of the kind. Only where repeating it
   * changes nothing; done before `answer`.
   */
  readonly beforehand?: (app: ApiApp, call: Call, input: ExactJson) => Beforehand;
};

const SCOPE_BY_CLASS: Record<Exclude<AuthClass, 'public'>, Scope> = {
  read: 'read',
  create: 'checkout',
  idempotent: 'checkout',
  money: 'money',
};

export function publicEndpoint(
  description: Description & { handle(app: ApiApp): unknown | Promise<unknown> },
): Endpoint {
  const { handle, ...rest } = description;
  return {
    ...rest,
    auth: 'public',
    scope: 'any',
    digestOnly: false,
    answer: async (app) => handle(app),
  };
}

export function protectedEndpoint<Schema extends z.ZodType, Input = z.output<Schema>>(
  description: Description & {
    readonly auth: Exclude<AuthClass, 'public'>;
    /** By default that of the class of authentication. */
    readonly scope?: Scope | 'any';
    readonly request?: Schema;
    /** Where the schema alone does not say all that is checked. @throws Refusal */
    parse?(input: ExactJson): Input;
    handle(app: ApiApp, call: AuthorizedCall, input: Input): unknown | Promise<unknown>;
    /** See `Endpoint.beforehand`. */
    beforehand?(app: ApiApp, call: AuthorizedCall, input: Input): Beforehand;
  },
): Endpoint {
  const { handle, parse, beforehand, ...rest } = description;
  const scope = rest.scope ?? SCOPE_BY_CLASS[rest.auth];
  const read = (call: Call, input: ExactJson) => {
    const { caller } = call;
    if (caller === undefined) throw new Error(`${rest.path} was reached without credentials`);
    const parsed = parse === undefined ? parseInput<Input>(rest.request, input) : parse(input);
    return { call: { ...call, caller }, parsed };
  };
  const endpoint: Endpoint = {
    ...rest,
    scope,
    digestOnly: rest.auth === 'money' || scope === 'settings',
    async answer(app, given, input) {
      const { call, parsed } = read(given, input);
      return handle(app, call, parsed);
    },
  };
  if (beforehand === undefined) return endpoint;
  return {
    ...endpoint,
    beforehand(app, given, input) {
      const { call, parsed } = read(given, input);
      return beforehand(app, call, parsed);
    },
  };
}

function parseInput<Input>(schema: z.ZodType | undefined, input: ExactJson): Input {
  if (schema === undefined) return undefined as Input;
  const faults: string[] = [];
  const value = checkShape(schema, input, faults);
  if (faults.length > 0) throw new Refusal('invalid', 'validation_failed', faults);
  return value as Input;
}
