import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { assert } from '#base/assert.ts';
import { Refusal } from '#base/refusal.ts';
import { timestamp } from '#base/timestamp.ts';
import { compare, type Decimal, decimalToText, ZERO } from '#money/decimal.ts';
import type { ExactJson } from '#money/exact-json.ts';
import {
  checkShape,
  faultAt,
  fields,
  isFields,
  isGiven,
  numeric,
  optional,
  text,
} from '#money/exact-schema.ts';
import { rateToText } from '#money/rate.ts';
import { findExchangeRate, findPriced, type Priced } from '#rates/exchange-rate.ts';

const nameMax = 200;
const rateDigits = 18;

export const amountAboveZero = numeric((value) =>
  compare(value, ZERO) <= 0 ? 'must be greater than 0' : undefined,
);

const priced = text(nameMax).refine(
  (name) => findPriced(name) !== undefined,
  'is neither an asset id of GET /assets nor a currency code of GET /currencies',
);

const requestSchema = fields({
  sourceAsset: priced,
  targetAsset: priced,
  sourceAmount: optional(amountAboveZero),
  targetAmount: optional(amountAboveZero),
  /** Older clients: the source amount. */
  amount: optional(amountAboveZero),
});

type Input = {
  readonly source: Priced;
  readonly target: Priced;
  readonly amount: Decimal;
  readonly given: 'source' | 'target';
};

export const getExchangeRate = protectedEndpoint({
  method: 'GET',
  path: '/exchange-rate',
  auth: 'read',
  summary: 'What an amount of one asset or currency is in another, now and without commitment',
  request: requestSchema,
  response: z.object({
    sourceAsset: z.string(),
    sourceAmount: z.string(),
    targetAsset: z.string(),
    targetAmount: z.string(),
    pair: z.string(),
    exchangeRate: z.string(),
    deviation: z.string(),
    time: z.string(),
    sources: z.array(z.string()),
  }),
  parse: parseInput,
  async handle(app, { caller }, input) {
    const request = { environment: caller.environment, ...input };
    const found = await findExchangeRate(app, request, app.clock.now());
    return {
      sourceAsset: input.source.name,
      sourceAmount: decimalToText(found.sourceAmount),
      targetAsset: input.target.name,
      targetAmount: decimalToText(found.targetAmount),
      pair: `${input.source.code}/${input.target.code}`,
      exchangeRate: rateToText(found.rate, rateDigits),
      deviation: decimalToText(found.deviation),
      time: timestamp(found.observedAt),
      sources: found.sources,
    };
  },
});

/** Told beside every other fault: `names` are of the same amount, of which one decides. */
export function faultUnlessOne(input: ExactJson, names: readonly string[], faults: string[]): void {
  if (!isFields(input)) return;
  const given = names.filter((name) => isGiven(input[name]));
  if (given.length === 1) return;
  faults.push(faultAt(['sourceAmount'], 'exactly one of sourceAmount and targetAmount is given'));
}

function parseInput(input: ExactJson): Input {
  const faults: string[] = [];
  const request = checkShape(requestSchema, input, faults);
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
    const message = `${name} has ${decimals} digits after the point at most`;
    faults.push(faultAt([amount === undefined ? `${given}Amount` : 'amount'], message));
    throw new Refusal('invalid', 'validation_failed', faults);
  }
  return { source, target, amount: only, given };
}
