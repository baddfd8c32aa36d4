import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { amountAboveZero, faultUnlessOne } from '#api/endpoints/get-exchange-rate.ts';
import { assert } from '#base/assert.ts';
import { Refusal } from '#base/refusal.ts';
import { findAsset, findAssetByCode } from '#catalog/asset.ts';
import { unitsFromDecimal } from '#money/decimal.ts';
import type { ExactJson } from '#money/exact-json.ts';
import { checkShape, faultAt, fields, optional, text } from '#money/exact-schema.ts';
import { createSwap, type SwapRequest } from '#swap/create-swap.ts';
import { SWAP_STATES } from '#swap/swap.ts';
import { swapView } from '#swap/swap-view.ts';

const nameMax = 200;

export const swapSchema = z.object({
  id: z.string().length(12),
  state: z.enum(SWAP_STATES),
  sourceAsset: z.string(),
  sourceAmount: z.string(),
  targetAsset: z.string(),
  targetAmount: z.string(),
  exchangeRate: z.string(),
  fee: z.string(),
  expirationTime: z.string(),
  /** Only of a swap that failed. */
  failure: z.string().optional(),
});

const swapAsset = text(nameMax).refine(
  (name) => findSwapAsset(name) !== undefined,
  'is not an asset id of GET /assets with swaps',
);

const requestSchema = fields({
  sourceAsset: swapAsset,
  targetAsset: swapAsset,
  sourceAmount: optional(amountAboveZero),
  targetAmount: optional(amountAboveZero),
});

export const postSwap = protectedEndpoint({
  method: 'POST',
  path: '/swap',
  auth: 'money',
  summary: 'Quote a conversion of the balance for 60 seconds',
  request: requestSchema,
  response: z.object({ swap: swapSchema }),
  parse: parseSwap,
  async handle(app, { caller }, request) {
    const swap = await createSwap(app, caller, request);
    return { swap: swapView(swap, app.clock.now()) };
  },
});

/** An asset id, or the bare code of one (the older way to name it). */
function findSwapAsset(name: string) {
  const asset = findAsset(name) ?? findAssetByCode(name);
  return asset?.swaps ? asset : undefined;
}

function parseSwap(input: ExactJson): SwapRequest {
  const faults: string[] = [];
  const request = checkShape(requestSchema, input, faults);
  faultUnlessOne(input, ['sourceAmount', 'targetAmount'], faults);
  if (request === undefined || faults.length > 0) {
    throw new Refusal('invalid', 'validation_failed', faults);
  }
  const source = findSwapAsset(request.sourceAsset);
  const target = findSwapAsset(request.targetAsset);
  const { sourceAmount, targetAmount } = request;
  const amount = sourceAmount ?? targetAmount;
  assert(amount !== undefined && source !== undefined && target !== undefined, 'was checked');
  if (source.id === target.id) {
    const message = faultAt(['targetAsset'], 'is the same as sourceAsset');
    throw new Refusal('invalid', 'validation_failed', message);
  }
  const [name, asset] =
    sourceAmount === undefined ? ['targetAmount', target] : ['sourceAmount', source];
  const units = unitsFromDecimal(amount, asset.decimals);
  if (units === undefined) {
    const message = `${asset.assetCode} has ${asset.decimals} digits after the point at most`;
    throw new Refusal('invalid', 'validation_failed', faultAt([name], message));
  }
  return {
    sourceAssetId: source.id,
    targetAssetId: target.id,
    fixed: sourceAmount === undefined ? { targetUnits: units } : { sourceUnits: units },
  };
}
