// How much the account may send out: shown with what is left, and lowered. Raising is the
// operator's.
import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { amountToText } from '#money/asset-amount.ts';
import { isNegative } from '#money/decimal.ts';
import { fields, numeric, textUpTo } from '#money/exact-schema.ts';
import { leftOfLimits } from '#spending/require-within-limits.ts';
import {
  decimalsOfMeasure,
  LIMIT_KINDS,
  listLimitsOf,
  lowerLimit,
  measuredUnits,
  type SpendingLimit,
} from '#spending/spending-limit.ts';
import { faulty } from './shared-fields.ts';

const MEASURE_MAX = 200;

const spendingLimit = z.object({
  kind: z.enum(LIMIT_KINDS),
  /** An asset, of which so much; or a currency, of all assets so much in value. */
  measure: z.string(),
  amount: z.string(),
  /** Of a limit of 24 hours; null of the others. */
  left: z.string().nullable(),
});
const response = z.object({ spendingLimits: z.array(spendingLimit) });

export const getSpendingLimits = protectedEndpoint({
  method: 'GET',
  path: '/spending-limits',
  auth: 'read',
  scope: 'money',
  summary:
    'How much may be sent out by transfers, refunds and swaps: DAY in any 24 hours, TWO_PEOPLE ' +
    'without a second approver, COOL_DOWN to a free address at once',
  response,
  async handle(app, { caller }) {
    const limits = await listLimitsOf(app.db, caller);
    const days = limits.filter(({ kind }) => kind === 'DAY');
    const left = await leftOfLimits(app, caller, days, app.clock.now());
    return { spendingLimits: limits.map((limit) => limitView(limit, left.get(limit))) };
  },
});

export const putSpendingLimit = protectedEndpoint({
  method: 'PUT',
  path: '/spending-limit',
  auth: 'idempotent',
  scope: 'settings',
  summary: 'Lower a limit of the account, or set one where there is none; the operator raises it',
  request: fields({
    kind: z.enum(LIMIT_KINDS),
    measure: textUpTo(MEASURE_MAX).refine(
      (measure) => decimalsOfMeasure(measure) !== undefined,
      'must be an asset id of GET /assets or a currency of GET /currencies',
    ),
    amount: numeric((value) => (isNegative(value) ? 'must not be below 0' : undefined)),
  }),
  response,
  async handle(app, { caller }, { kind, measure, amount }) {
    const mostUnits = measuredUnits(measure, amount);
    if (mostUnits === undefined) {
      const decimals = decimalsOfMeasure(measure);
      throw faulty(['amount'], `must have at most ${decimals} digits after the point`);
    }
    const lowered = { kind, measure, mostUnits, actor: `key ${caller.apiKey}` };
    await lowerLimit(app, caller, lowered);
    const limits = await listLimitsOf(app.db, caller);
    return { spendingLimits: limits.map((limit) => limitView(limit, undefined)) };
  },
});

function limitView({ kind, measure, mostUnits }: SpendingLimit, leftUnits: bigint | undefined) {
  const decimals = decimalsOfMeasure(measure) ?? 0;
  return {
    kind,
    measure,
    amount: amountToText(mostUnits, decimals),
    left: leftUnits === undefined ? null : amountToText(leftUnits, decimals),
  };
}
