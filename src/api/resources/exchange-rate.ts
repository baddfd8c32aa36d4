import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { assert } from '#base/assert.ts';
import { timestamp } from '#base/instant.ts';
import { Refusal } from '#base/refusal.ts';
import { type Decimal, decimalToText } from '#money/decimal.ts';
import { type ExactJson, isJsonObject } from '#money/exact-json.ts';
import { checkShape, faultAt, fields, isGiven, omittable, textUpTo } from '#money/exact-schema.ts';
import { rateToText } from '#money/rate.ts';
import { findExchangeRate, findPriced, type Priced } from '#rates/exchange-rate.ts';
import { amountAboveZero, faulty } from './shared-fields.ts';

const NAME_MAX = 200;
const RATE_DIGITS = 18;

const priced = textUpTo(NAME_MAX).refine(
  (name) => findPriced(name) !== undefined,
  'is neither an asset id of GET /assets nor a currency code of GET /currencies',
);

const rateRequest = fields({
  sourceAsset: priced,
  targetAsset: priced,
  sourceAmount: omittable(amountAboveZero),
  targetAmount: omittable(amountAboveZero),
  /** Older clients: the source amount. */
  amount: omittable(amountAboveZero),
});

type RateInput = {
  readonly source: Priced;
  readonly target: Priced;
  readonly amount: Decimal;
  readonly given: 'source' | 'target';
};

export const getExchangeRate = protectedEndpoint({
  method: 'GET',
  path: '/exchange-rate',
  operationId: 'getExchangeRate',
  auth: 'read',
  summary: 'What an amount of one asset or currency is in another, now and without commitment',
  request: rateRequest,
  response: z
    .object({
      sourceAsset: z.string(),
      sourceAmount: z.string(),
      targetAsset: z.string(),
      targetAmount: z.string(),
      pair: z.string(),
      exchangeRate: z.string(),
      deviation: z.string(),
      time: z.string(),
      sources: z.array(z.string()),
    })
    .meta({ id: 'ExchangeRate' }),
  parse: parseRateRequest,
  async handle(app, { caller }, input) {
    const request = { environment: caller.environment, ...input };
    const found = await findExchangeRate(app, request, app.clock.now());
    return {
      sourceAsset: input.source.name,
      sourceAmount: decimalToText(found.sourceAmount),
      targetAsset: input.target.name,
      targetAmount: decimalToText(found.targetAmount),
      pair: `${input.source.code}/${input.target.code}`,
      exchangeRate: rateToText(found.rate, RATE_DIGITS),
      deviation: decimalToText(found.deviation),
      time: timestamp(found.observedAt),
      sources: found.sources,
    };
  },
});

/** Told beside every other fault: `names` are of the same amount, of which one decides. */
export function faultUnlessOne(input: ExactJson, names: readonly string[], faults: string[]): void {
  if (!isJsonObject(input)) return;
  const given = names.filter((name) => isGiven(input[name]));
  if (given.length === 1) return;
  faults.push(faultAt(['sourceAmount'], 'exactly one of sourceAmount and targetAmount is given'));
}

function parseRateRequest(input: ExactJson): RateInput {
  const faults: string[] = [];
  const request = checkShape(rateRequest, input, faults);
  faultUnlessOne(input, ['sourceAmount', 'targetAmount', 'amount'], faults);
  if (request === undefined || faults.length > 0) {
    throw new Refusal('invalid', 'validation_failed', faults);
  }
  const { sourceAmount, targetAmount, amount } = request;
  const only = sourceAmount ?? targetAmount ?? amount;
  const source = findPriced(request.sourceAsset);
  const target = findPriced(request.targetAsset);
  assert(only !== undefined && source !== undefined && target !== undefined, 'was checked');
  const given = targetAmount === undefined ? 'source' : 'target';
  const { decimals, name } = given === 'source' ? source : target;
  if (only.scale > decimals) {
    const field = amount === undefined ? `${given}Amount` : 'amount';
    throw faulty([field], `${name} has ${decimals} digits after the point at most`);
  }
  return { source, target, amount: only, given };
}
