import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { assert } from '#base/assert.ts';
import { isId } from '#base/id.ts';
import { Refusal } from '#base/refusal.ts';
import { findAsset, findAssetByCode } from '#catalog/asset.ts';
import { unitsFromDecimal } from '#money/decimal.ts';
import type { ExactJson } from '#money/exact-json.ts';
import { checkShape, fields, omittable, textUpTo } from '#money/exact-schema.ts';
import { commitSwap } from '#swap/commit-swap.ts';
import { createSwap, type SwapRequest } from '#swap/create-swap.ts';
import { findSwap, SWAP_STATES, swapView } from '#swap/swap.ts';
import { faultUnlessOne } from './exchange-rate.ts';
import { amountAboveZero, faulty, idField, named, shownId } from './shared-fields.ts';

const NAME_MAX = 200;

export const swapSchema = z
  .object({
    id: shownId,
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
  })
  .meta({ id: 'Swap' });

const swapAnswer = z.object({ swap: swapSchema }).meta({ id: 'SwapAnswer' });

const swapAsset = textUpTo(NAME_MAX).refine(
  (name) => findSwapAsset(name) !== undefined,
  'is not an asset id of GET /assets with swaps',
);

const swapRequest = fields({
  sourceAsset: swapAsset,
  targetAsset: swapAsset,
  sourceAmount: omittable(amountAboveZero),
  targetAmount: omittable(amountAboveZero),
}).meta({ id: 'CreateSwapRequest' });

export const postSwap = protectedEndpoint({
  method: 'POST',
  path: '/swap',
  operationId: 'createSwap',
  auth: 'money',
  summary: 'Quote a conversion of the balance for 60 seconds',
  request: swapRequest,
  response: swapAnswer,
  parse: parseSwap,
  async handle(app, { caller }, request) {
    const swap = await createSwap(app, caller, request);
    return { swap: swapView(swap, app.clock.now()) };
  },
});

export const postSwapCommit = protectedEndpoint({
  method: 'POST',
  path: '/swap/commit',
  operationId: 'commitSwap',
  auth: 'money',
  summary: 'Carry out a swap at its quote; repeats change nothing',
  request: fields({ swapId: idField }).meta({ id: 'CommitSwapRequest' }),
  response: swapAnswer,
  async handle(app, { caller }, { swapId }) {
    const swap = await commitSwap(app, { swapId, owner: caller, committer: caller });
    return { swap: swapView(swap, app.clock.now()) };
  },
});

export const getSwap = protectedEndpoint({
  method: 'GET',
  path: '/swap',
  operationId: 'getSwap',
  auth: 'read',
  summary: 'State of a swap',
  request: fields(named),
  response: swapAnswer,
  async handle(app, { caller }, { id }) {
    const swap = isId(id) ? await findSwap(app, caller, id) : undefined;
    if (swap === undefined) throw new Refusal('missing', 'swap_missing', 'no such swap');
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
  const request = checkShape(swapRequest, input, faults);
  faultUnlessOne(input, ['sourceAmount', 'targetAmount'], faults);
  if (request === undefined || faults.length > 0) {
    throw new Refusal('invalid', 'validation_failed', faults);
  }
  const source = findSwapAsset(request.sourceAsset);
  const target = findSwapAsset(request.targetAsset);
  const { sourceAmount, targetAmount } = request;
  const amount = sourceAmount ?? targetAmount;
  assert(amount !== undefined && source !== undefined && target !== undefined, 'was checked');
  if (source.id === target.id) throw faulty(['targetAsset'], 'is the same as sourceAsset');
  const [name, asset] =
    sourceAmount === undefined ? ['targetAmount', target] : ['sourceAmount', source];
  const units = unitsFromDecimal(amount, asset.decimals);
  if (units === undefined) {
    const { assetCode, decimals } = asset;
    throw faulty([name], `${assetCode} has ${decimals} digits after the point at most`);
  }
  return {
    sourceAssetId: source.id,
    targetAssetId: target.id,
    fixed: sourceAmount === undefined ? { targetUnits: units } : { sourceUnits: units },
  };
}
