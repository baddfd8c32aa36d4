// What an endpoint is: one value that says its method, path, class of authentication, schemas and
// what it does. routes.ts collects them; the OpenAPI document is made from the same values.

import type { z } from 'zod';
import type { Scope } from '#access/api-key.ts';
import type { Caller } from '#access/caller.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import type { CommitCheckoutApp } from '#checkout/commit-checkout.ts';
import type { CreateCheckoutApp } from '#checkout/create-checkout.ts';
import type { FindCheckoutApp } from '#checkout/find-checkout.ts';
import type { CheckoutViewApp } from '#checkout-settlement/checkout-view.ts';
import type { SandboxPort } from '#checkout-settlement/sandbox-port.ts';
import type { Reader } from '#db/db.ts';
import type { LogoDrawing } from '#merchant/seller.ts';
import type { ExactJson } from '#money/exact-json.ts';
import { checkShape } from '#money/exact-schema.ts';
import type { CreateBeneficiaryApp } from '#people/create-beneficiary.ts';
import type { CreateRefundApp } from '#refund/create-refund.ts';
import type { RequestLog } from '#request-log/keep-requests.ts';
import type { CreateRuleApp } from '#settlement-rule/create-settlement-rule.ts';
import type { CommitSwapApp } from '#swap/commit-swap.ts';
import type { CommitTransferApp } from '#transfer/commit-transfer.ts';
import type { QuoteTransferApp } from '#transfer/quote-transfer.ts';
import type { TargetAdmission } from '#webhook/admit-target.ts';
import type { AuthenticateApp, Route } from './http/authenticate.ts';
import type { DocumentAnswer } from './http/send-refusal.ts';

export const BASE_PATH = '/api/v1';

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
  CreateRuleApp &
  CreateRefundApp & {
    /** For reports, which may be some seconds old; the database itself when absent. */
    readonly reads?: Reader | undefined;
    readonly clock: Clock;
    readonly random: Random;
    readonly log: Log;
    readonly webhookTargets: TargetAdmission;
    /** Makes pictures of our own of what somebody sent. @throws Refusal invalid `logo` */
    readonly drawLogo: (file: Uint8Array) => Promise<readonly LogoDrawing[]>;
    /** Absent where requests are not kept. */
    readonly requestLog?: Pick<RequestLog, 'note'> | undefined;
    /** Absent where there are no simulated networks. */
    readonly sandbox?: SandboxPort | undefined;
    /** Absent where changes are not announced: then they are only polled. */
    readonly changes?: {
      /** Returns when the checkout changed, in any process, after `ms`, or on abort. */
      wait(checkoutId: string, ms: number, signal: AbortSignal): Promise<void>;
      /** The process is about to end: nobody should wait any more. */
      hasEnded(): boolean;
    };
  };

export type Call = {
  /** Absent on public endpoints only. */
  readonly caller: Caller | undefined;
  /** Header X-Origin-URL: for display, trusted for nothing. */
  readonly originUrl: string | undefined;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
};

/** Who does it, in what is noted of an act. */
export function callerOf({ merchantId, environment, apiKey }: Caller) {
  return { merchantId, environment, actor: `key ${apiKey}` };
}

type AuthorizedCall = Call & { readonly caller: Caller };

/** Parameters of a query named by a prefix and a point: `meta.<key>`. */
export type PrefixedQuery = { readonly name: string; readonly description: string };

/**
 * What a handler answers, by the schema of the answer: a view that lacks a field of it, or gives it
 * another type, does not compile.
 */
export type AnswerOf<Schema extends z.ZodType> = Shown<z.input<Schema>> & object;

/** The same value, of which nobody changes anything. */
type Shown<Value> = unknown extends Value
  ? Value
  : Value extends readonly (infer One)[]
    ? readonly Shown<One>[]
    : Value extends object
      ? { readonly [Name in keyof Value]: Shown<Value[Name]> }
      : Value;

type Description<Answer extends z.ZodType> = Pick<Route, 'method' | 'path'> & {
  /** The name of a method in generated clients: it stays. */
  readonly operationId: string;
  readonly summary: string;
  /** Body of a POST, parameters of a GET; absent where neither is read. */
  readonly request?: z.ZodType;
  /** What the document says of it, where older clients may say it in another way too. */
  readonly documented?: z.ZodType;
  /** Beside those of `request`, which cannot name them one by one. */
  readonly prefixed?: readonly PrefixedQuery[];
  readonly response: Answer;
  /** Media types of the documents that it answers instead of JSON, where that is asked for. */
  readonly documents?: readonly string[];
  /** Its answer has an ETag, and whoever names that in If-None-Match is answered 304. */
  readonly isConditional?: boolean;
};

type Beforehand = (() => Promise<unknown>) | undefined;

export type Endpoint = Description<z.ZodType> &
  Route & {
    /** Its path before an id was put into it. */
    readonly template?: string;
    /** Checks `input` (JSON as received) and does what the endpoint is for. */
    answer(app: ApiApp, call: Call, input: ExactJson): object | Promise<object>;
    /**
     * The part of it that must not happen inside the transaction of an Idempotency-Key, because
     * somebody else is asked; undefined where there is nothing of the kind. Only where repeating
     * it changes nothing; done before `answer`.
     */
    readonly beforehand?: (app: ApiApp, call: Call, input: ExactJson) => Beforehand;
  };

type Protected = Exclude<Route['auth'], 'public'>;

const SCOPE_BY_CLASS: Record<Protected, Scope> = {
  read: 'read',
  create: 'checkout',
  idempotent: 'checkout',
  money: 'money',
};

export function publicEndpoint<Answer extends z.ZodType>(
  description: Description<Answer> & {
    handle(app: ApiApp): AnswerOf<Answer> | Promise<AnswerOf<Answer>>;
  },
): Endpoint {
  const { handle, ...rest } = description;
  return {
    ...rest,
    auth: 'public',
    scope: 'any',
    digestOnly: false,
    answer: (app) => handle(app),
  };
}

export function protectedEndpoint<
  Answer extends z.ZodType,
  Request extends z.ZodType,
  Input = z.output<Request>,
>(
  description: Description<Answer> & {
    readonly auth: Protected;
    /** By default that of the class of authentication. */
    readonly scope?: Route['scope'];
    readonly request?: Request;
    /** Where the schema alone does not say all that is checked. @throws Refusal */
    parse?(input: ExactJson): Input;
    handle(
      app: ApiApp,
      call: AuthorizedCall,
      input: Input,
    ): AnswerOf<Answer> | DocumentAnswer | Promise<AnswerOf<Answer> | DocumentAnswer>;
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
    return { call: call as AuthorizedCall, parsed };
  };
  const endpoint: Endpoint = {
    ...rest,
    scope,
    digestOnly: rest.auth === 'money' || scope === 'settings',
    answer(app, given, input) {
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
