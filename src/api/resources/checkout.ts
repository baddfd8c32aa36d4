import { z } from 'zod';
import type { Caller } from '#access/caller.ts';
import { type AnswerOf, type ApiApp, protectedEndpoint } from '#api/endpoint.ts';
import { shareAnswer } from '#api/http/send-refusal.ts';
import type { AnswerFault } from '#ask/decide-answers.ts';
import { timestamp } from '#base/instant.ts';
import { Refusal } from '#base/refusal.ts';
import { type Environment, environmentOf } from '#catalog/chain.ts';
import { checkoutRequestSchema, parseCheckoutRequest } from '#charge/checkout-request.ts';
import { CHECKOUT_STATES, type CheckoutRecord } from '#checkout/checkout.ts';
import { answerCheckout, commitCheckout, mayAskNode } from '#checkout/commit-checkout.ts';
import { createCheckout } from '#checkout/create-checkout.ts';
import { type CheckoutFilter, listCheckouts } from '#checkout/list-checkouts.ts';
import { acceptUnderpaid, cancelCheckout } from '#checkout-settlement/act-on-checkout.ts';
import {
  checkoutView,
  commitmentView,
  metaView,
  paymentMethodsView,
} from '#checkout-settlement/checkout-view.ts';
import type { Watcher } from '#deposit/network.ts';
import { type ExactJson, type ExactObject, isJsonObject } from '#money/exact-json.ts';
import {
  checkShape,
  faultAt,
  fields,
  isGiven,
  metaObject,
  numeric,
  omittable,
  textUpTo,
} from '#money/exact-schema.ts';
import {
  checkoutAnswer,
  checkoutSchema,
  depositInstructionsSchema,
  paymentMethodSchema,
  settlementSchema,
} from './checkout-schema.ts';
import {
  admitWebhook,
  checkoutReference,
  idField,
  metaAnswer,
  named,
  nextCursor,
  pageQuery,
  parsePage,
  shownId,
  timeQuery,
  waitField,
} from './shared-fields.ts';
import { requireCheckout, waitForChange } from './wait-for-change.ts';

const NAME_MAX = 200;
const WAIT_SECONDS_MAX = 60;
const META_PREFIX = 'meta.';

/** What was asked for and cannot be done, as far as it does not stop the sale. */
const warningsAnswer = z.array(z.string()).optional();

export const postCheckout = protectedEndpoint({
  method: 'POST',
  path: '/checkout',
  operationId: 'createCheckout',
  auth: 'create',
  summary: 'Create a self-hosted checkout',
  request: checkoutRequestSchema,
  response: z
    .object({
      id: shownId,
      paymentMethods: z.array(paymentMethodSchema),
      /** Until then a commit keeps these amounts. */
      quoteExpirationTime: z.string(),
      meta: metaAnswer,
      warnings: warningsAnswer,
    })
    .meta({ id: 'CreatedCheckout' }),
  parse: parseCheckoutRequest,
  beforehand: (app, call, request) => admitWebhook(app, call, request),
  async handle(app, { caller, originUrl }, request) {
    requireNetworks(app, caller);
    await admitWebhook(app, { caller }, request)();
    const { id, offers, quotedUntil, warnings } = await createCheckout(app, caller, request, {
      type: 'SELF_HOSTED',
      origin: 'API',
      originUrl,
    });
    return {
      id,
      paymentMethods: paymentMethodsView(offers),
      quoteExpirationTime: timestamp(quotedUntil),
      ...metaView(request.metaText),
      ...(warnings.length > 0 && { warnings }),
    };
  },
});

export const postCheckoutHosted = protectedEndpoint({
  method: 'POST',
  path: '/checkout/hosted',
  operationId: 'createHostedCheckout',
  auth: 'create',
  summary: 'Create a checkout with a hosted payment page',
  request: checkoutRequestSchema,
  response: z
    .object({
      id: shownId,
      url: z.url(),
      // The same value, read by older clients.
      checkoutId: shownId,
      meta: metaAnswer,
      warnings: warningsAnswer,
    })
    .meta({ id: 'CreatedHostedCheckout' }),
  parse: parseCheckoutRequest,
  beforehand: (app, call, request) => admitWebhook(app, call, request),
  async handle(app, { caller, originUrl }, request) {
    requireNetworks(app, caller);
    await admitWebhook(app, { caller }, request)();
    const { id, url, warnings } = await createCheckout(app, caller, request, {
      type: 'HOSTED',
      origin: 'API',
      originUrl,
    });
    return {
      id,
      url,
      checkoutId: id,
      ...metaView(request.metaText),
      ...(warnings.length > 0 && { warnings }),
    };
  },
});

const commitRequest = fields({
  checkoutId: idField,
  network: omittable(textUpTo(NAME_MAX)),
  asset: omittable(textUpTo(NAME_MAX)),
  /** Other names of `network` and `asset` (service.md, POST /checkout/commit). */
  depositNetwork: omittable(textUpTo(NAME_MAX)),
  relatedAssetId: omittable(textUpTo(NAME_MAX)),
  /** Older clients name the payment method by its code instead. */
  assetCode: omittable(textUpTo(NAME_MAX)),
  /** What the customer answered on a page of the shop, where the checkout asks. */
  answers: omittable(metaObject),
  termsAccepted: omittable(z.boolean()),
  tip: omittable(numeric()),
}).meta({ id: 'CommitCheckoutRequest' });

type CommitInput = Omit<
  z.output<typeof commitRequest>,
  'depositNetwork' | 'relatedAssetId' | 'answers'
> & { readonly answers: ExactObject | undefined };

export const postCheckoutCommit = protectedEndpoint({
  method: 'POST',
  path: '/checkout/commit',
  operationId: 'commitCheckout',
  auth: 'idempotent',
  summary: 'Choose the payment method; a repeat changes nothing until the window is over',
  request: commitRequest,
  response: z
    .object({
      depositInstructions: depositInstructionsSchema,
      settlement: settlementSchema,
      expirationTime: z.string(),
      /** Until then the settlement is guaranteed for these amounts. */
      quoteExpirationTime: z.string(),
      checkoutId: shownId,
      paymentUri: z.string().nullable(),
      meta: metaAnswer,
    })
    .meta({ id: 'CheckoutCommitment' }),
  parse: parseCommit,
  beforehand(app, { caller }, input) {
    const request = commitOf(caller, input);
    if (!mayAskNode(app, request)) return undefined;
    return async () => {
      await keepAnswers(app, caller, input);
      return commitCheckout(app, request);
    };
  },
  async handle(app, { caller }, input) {
    await keepAnswers(app, caller, input);
    return commitmentView(await commitCheckout(app, commitOf(caller, input)));
  },
});

export const getCheckout = protectedEndpoint({
  method: 'GET',
  path: '/checkout',
  operationId: 'getCheckout',
  auth: 'read',
  summary: 'State of a checkout; `wait` holds the answer until the state changes',
  request: fields({
    ...named,
    wait: omittable(waitField(WAIT_SECONDS_MAX)),
  }),
  response: checkoutAnswer,
  isConditional: true,
  async handle(app, call, { id, wait }) {
    const { caller } = call;
    const record = await requireCheckout(app, caller, id);
    const isOver = wait === undefined || record.state === 'COMPLETED';
    const shown = isOver ? record : await waitForChange(app, caller, record, wait, call.signal);
    return sharedAnswerOf(app, shown);
  },
});

export const postCheckoutCancel = protectedEndpoint({
  method: 'POST',
  path: '/checkout/cancel',
  operationId: 'cancelCheckout',
  auth: 'idempotent',
  summary: 'Cancel a checkout that no money was seen for; what still arrives is still credited',
  request: checkoutReference,
  response: checkoutAnswer,
  async handle(app, { caller }, { checkoutId }) {
    await cancelCheckout(app, { checkoutId, owner: caller });
    return { checkout: checkoutView(app, await requireCheckout(app, caller, checkoutId)) };
  },
});

export const postCheckoutAcceptUnderpaid = protectedEndpoint({
  method: 'POST',
  path: '/checkout/accept-underpaid',
  operationId: 'acceptUnderpaidCheckout',
  auth: 'idempotent',
  summary: 'Complete an underpaid checkout with what arrived',
  request: checkoutReference,
  response: checkoutAnswer,
  async handle(app, { caller }, { checkoutId }) {
    await acceptUnderpaid(app, { checkoutId, owner: caller });
    return { checkout: checkoutView(app, await requireCheckout(app, caller, checkoutId)) };
  },
});

const checkoutsQuery = fields({
  ...pageQuery,
  state: omittable(z.enum(CHECKOUT_STATES)),
  from: omittable(timeQuery),
  to: omittable(timeQuery),
  customerId: omittable(textUpTo(100)),
});

type CheckoutsInput = z.output<typeof checkoutsQuery> & Pick<CheckoutFilter, 'meta'>;

export const getCheckouts = protectedEndpoint({
  method: 'GET',
  path: '/checkouts',
  operationId: 'listCheckouts',
  auth: 'read',
  summary:
    'Checkouts, newest first; created from `from` on and before `to`; `meta.<key>=` finds those ' +
    'with this text or number at the top of their `meta`',
  request: checkoutsQuery,
  prefixed: [
    {
      name: 'meta',
      description:
        '`meta.order=7`: text or number at the top of `meta`; a page looks through 10,000 and may ' +
        'have fewer than `limit`, or none, and a `nextCursor`',
    },
  ],
  response: z
    .object({ checkouts: z.array(checkoutSchema), nextCursor })
    .meta({ id: 'CheckoutPage' }),
  parse: parseCheckouts,
  async handle(app, { caller }, { limit, cursor, state, from, to, customerId, meta }) {
    const filter = { state, from, to, customerId, meta };
    const page = await listCheckouts(app, caller, filter, parsePage({ limit, cursor }));
    return {
      checkouts: page.checkouts.map((record) => checkoutView(app, record)),
      nextCursor: page.nextCursor,
    };
  },
});

const MISSING_NETWORKS: Readonly<Record<Environment, string>> = {
  live:
    'no real network is connected to this installation: its operator sets BITCOIN_RPC_URL and ' +
    'BITCOIN_DESCRIPTOR, or the settings of another network (npx quittance settings; ' +
    'docs/operate/connect-a-node.md). Test keys work without any',
  test: 'the simulated networks are switched off on this installation: its operator can set SANDBOX=on',
};

/**
 * A live key on an installation without real networks must not look like a caller's mistake, nor
 * like something that comes back by itself.
 * @throws Refusal when nothing can be received in the environment of the caller.
 */
function requireNetworks(
  app: { readonly networks: ReadonlyMap<string, Watcher> },
  { environment }: Caller,
): void {
  if (app.networks.values().some(({ chain }) => environmentOf(chain) === environment)) return;
  throw new Refusal('unavailable', 'networks_not_configured', [MISSING_NETWORKS[environment]]);
}

function commitOf(owner: Caller, { checkoutId, network, asset, assetCode }: CommitInput) {
  return {
    checkoutId,
    owner,
    network,
    asset,
    // Beside `network` it says nothing more, and on Lightning it may say BTC where SAT is shown.
    assetCode: network === undefined ? assetCode : undefined,
  };
}

/**
 * Nothing is done where nothing is answered: then what was answered on the hosted page stands.
 * @throws Refusal as `answerCheckout`; invalid `validation_failed`
 */
async function keepAnswers(app: ApiApp, owner: Caller, input: CommitInput): Promise<void> {
  const { checkoutId, answers, termsAccepted = false, tip } = input;
  if (answers === undefined && !termsAccepted && tip === undefined) return;
  const { faults, mustAcceptTerms, isTipRefused } = await answerCheckout(app, {
    ...{ checkoutId, owner, tip, isTermsAccepted: termsAccepted },
    answers: new Map(Object.entries(answers ?? {})),
  });
  const said = faults.map(({ key, fault }) => faultAt(['answers', key], ANSWER_FAULTS[fault]));
  if (mustAcceptTerms)
    said.push(faultAt(['termsAccepted'], 'must be true: the checkout has terms'));
  if (isTipRefused) said.push(faultAt(['tip'], 'is not offered by this checkout'));
  if (said.length > 0) throw new Refusal('invalid', 'validation_failed', said);
}

const ANSWER_FAULTS: Readonly<Record<AnswerFault, string>> = {
  required: 'is required',
  plain: 'must be text on one line, without control characters',
  short: 'is shorter than the checkout asks for',
  long: 'is longer than the checkout asks for',
  email: 'must be an e-mail address',
  number: 'must be a number',
  low: 'is below what the checkout asks for',
  high: 'is above what the checkout asks for',
  choice: 'must be one of the choices',
  checkbox: 'must be true or false',
  unknown: 'is not asked for',
};

/** What may say the network of a commit. */
const NETWORK_NAMES = ['network', 'depositNetwork', 'assetCode'];

function parseCommit(input: ExactJson): CommitInput {
  const faults: string[] = [];
  const request = checkShape(commitRequest, input, faults);
  const pick = (name: 'network' | 'asset', alias: 'depositNetwork' | 'relatedAssetId') => {
    const [one, other] = [request?.[name], request?.[alias]];
    const differs = one !== undefined && other !== undefined && one !== other;
    if (differs) faults.push(faultAt([alias], `differs from ${name}`));
    return one ?? other;
  };
  const network = pick('network', 'depositNetwork');
  const asset = pick('asset', 'relatedAssetId');
  const isNamed = isJsonObject(input) && NETWORK_NAMES.some((name) => isGiven(input[name]));
  if (isJsonObject(input) && !isNamed) faults.push(faultAt(['network'], 'is required'));
  if (request === undefined || faults.length > 0) {
    throw new Refusal('invalid', 'validation_failed', faults);
  }
  const { checkoutId, assetCode, termsAccepted, tip } = request;
  // As they came: a number keeps its text.
  const answers = request.answers && (input as { readonly answers: ExactObject }).answers;
  return { checkoutId, network, asset, assetCode, answers, termsAccepted, tip };
}

function parseCheckouts(input: ExactJson): CheckoutsInput {
  const faults: string[] = [];
  const query = checkShape(checkoutsQuery, input, faults);
  if (query === undefined) throw new Refusal('invalid', 'validation_failed', faults);
  const meta = new Map<string, string>();
  for (const [name, value] of Object.entries(isJsonObject(input) ? input : {})) {
    if (name.startsWith(META_PREFIX)) meta.set(name.slice(META_PREFIX.length), String(value));
  }
  return { ...query, meta };
}

type CheckoutAnswer = { readonly checkout: AnswerOf<typeof checkoutSchema> };

const ANSWERS = new WeakMap<CheckoutRecord, CheckoutAnswer>();

/** Requests that are read together are answered with the same record. */
function sharedAnswerOf(app: ApiApp, record: CheckoutRecord): CheckoutAnswer {
  const known = ANSWERS.get(record);
  if (known !== undefined) return known;
  const answer = shareAnswer({ checkout: checkoutView(app, record) });
  ANSWERS.set(record, answer);
  return answer;
}
