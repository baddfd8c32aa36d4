import { z } from 'zod';
import type { Caller } from '#account/caller.ts';
import { protectedEndpoint } from '#api/endpoint.ts';
import { settlementSchema } from '#api/endpoints/post-checkout.ts';
import { isId } from '#base/id.ts';
import { Refusal } from '#base/refusal.ts';
import { commitmentView } from '#checkout/checkout-view.ts';
import { commitCheckout, mayAskNode } from '#checkout/commit-checkout.ts';
import type { ExactJson } from '#money/exact-json.ts';
import {
  checkShape,
  faultAt,
  fields,
  isFields,
  isGiven,
  optional,
  text,
} from '#money/exact-schema.ts';

const nameMax = 200;
/** What may say the network. */
const NETWORK_NAMES = ['network', 'depositNetwork', 'assetCode'];

const commitRequestSchema = fields({
  checkoutId: z.string().refine(isId, 'must be 12 characters from a to z and 0 to 9'),
  network: optional(text(nameMax)),
  asset: optional(text(nameMax)),
  /** Other names of `network` and `asset` (service.md, POST /checkout/commit). */
  depositNetwork: optional(text(nameMax)),
  relatedAssetId: optional(text(nameMax)),
  /** Older clients name the payment method by its code instead. */
  assetCode: optional(text(nameMax)),
});

type CommitInput = Omit<z.output<typeof commitRequestSchema>, 'depositNetwork' | 'relatedAssetId'>;

export const depositInstructionsSchema = z.object({
  assetCode: z.string(),
  blockchain: z.string(),
  network: z.string(),
  amount: z.string(),
  /** How much of the amount an anchor keeps. */
  anchorFee: z.string().optional(),
  address: z.string(),
  memo: z.string().nullable(),
  memoType: z.string().nullable(),
  destinationTag: z.int().optional(),
  /** Banks: whose account it is. */
  holder: z.string().optional(),
  bic: z.string().optional(),
  /** Null where there is no such link: most banks know none. */
  paymentUri: z.string().nullable(),
});

export const postCheckoutCommit = protectedEndpoint({
  method: 'POST',
  path: '/checkout/commit',
  auth: 'idempotent',
  summary: 'Choose the payment method; a repeat changes nothing until the window is over',
  request: commitRequestSchema,
  response: z.object({
    depositInstructions: depositInstructionsSchema,
    settlement: settlementSchema,
    expirationTime: z.string(),
    /** Until then the settlement is guaranteed for these amounts. */
    quoteExpirationTime: z.string(),
    checkoutId: z.string().length(12),
    paymentUri: z.string().nullable(),
    meta: z.record(z.string(), z.unknown()).optional(),
  }),
  parse: parseCommit,
  beforehand(app, { caller }, input) {
    const request = requestOf(caller, input);
    return mayAskNode(app, request) ? () => commitCheckout(app, request) : undefined;
  },
  async handle(app, { caller }, input) {
    return commitmentView(await commitCheckout(app, requestOf(caller, input)));
  },
});

function requestOf(owner: Caller, { checkoutId, network, asset, assetCode }: CommitInput) {
  return {
    checkoutId,
    owner,
    network,
    asset,
    // Beside `network` it says nothing more, and on Lightning it may say BTC where SAT is shown.
    assetCode: network === undefined ? assetCode : undefined,
  };
}

function parseCommit(input: ExactJson): CommitInput {
  const faults: string[] = [];
  const request = checkShape(commitRequestSchema, input, faults);
  const pick = (name: 'network' | 'asset', alias: 'depositNetwork' | 'relatedAssetId') => {
    const [named, other] = [request?.[name], request?.[alias]];
    const differs = named !== undefined && other !== undefined && named !== other;
    if (differs) faults.push(faultAt([alias], `differs from ${name}`));
    return named ?? other;
  };
  const network = pick('network', 'depositNetwork');
  const asset = pick('asset', 'relatedAssetId');
  const isNamed = isFields(input) && NETWORK_NAMES.some((name) => isGiven(input[name]));
  if (isFields(input) && !isNamed) faults.push(faultAt(['network'], 'is required'));
  if (request === undefined || faults.length > 0) {
    throw new Refusal('invalid', 'validation_failed', faults);
  }
  const { checkoutId, assetCode } = request;
  return { checkoutId, network, asset, assetCode };
}
