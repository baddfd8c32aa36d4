// How much the account may send out: shown with what is left, and lowered. Raising is the
// operator's.

import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import type { Owner } from '#catalog/owner.ts';
import { amountToText } from '#money/asset-amount.ts';
import { isNegative } from '#money/decimal.ts';
import { fields, numeric, textUpTo } from '#money/exact-schema.ts';
import { approvalView, approveAct, listWaiting } from '#spending/approval.ts';
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

const spendingLimit = z
  .object({
    kind: z.enum(LIMIT_KINDS),
    /** An asset, of which so much; or a currency, of all assets so much in value. */
    measure: z.string(),
    amount: z.string(),
    /** Of a limit of 24 hours; null of the others, and of what cannot be valued now. */
    left: z.string().nullable(),
  })
  .meta({ id: 'SpendingLimit' });
const response = z
  .object({ spendingLimits: z.array(spendingLimit) })
  .meta({ id: 'SpendingLimitList' });

export const getSpendingLimits = protectedEndpoint({
  method: 'GET',
  path: '/spending-limits',
  operationId: 'listSpendingLimits',
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
  operationId: 'lowerSpendingLimit',
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
  }).meta({ id: 'SpendingLimit' }),
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
    const left = await Promise.all(limits.map((limit) => leftIfValued(app, caller, limit)));
    return { spendingLimits: limits.map((limit, index) => limitView(limit, left[index])) };
  },
});

/** A limit is lowered also while nothing has a price: what is left of it is not known then. */
async function leftIfValued(
  app: Parameters<typeof leftOfLimits>[0] & { readonly clock: Clock },
  owner: Owner,
  limit: SpendingLimit,
): Promise<bigint | undefined> {
  if (limit.kind !== 'DAY') return undefined;
  try {
    return (await leftOfLimits(app, owner, [limit], app.clock.now())).get(limit);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'rate_missing') return undefined;
    throw error;
  }
}

function limitView({ kind, measure, mostUnits }: SpendingLimit, leftUnits: bigint | undefined) {
  const decimals = decimalsOfMeasure(measure) ?? 0;
  return {
    kind,
    measure,
    amount: amountToText(mostUnits, decimals),
    left: leftUnits === undefined ? null : amountToText(leftUnits, decimals),
  };
}

// What waits for a second person, and his word: another key than the one that made it.
const SUBJECT_MAX = 100;

const approvalSchema = z
  .object({
    /** `transfer:<id>`, also of the transfer that carries a refund. */
    subject: z.string(),
    environment: z.string(),
    merchantId: z.string().nullable(),
    about: z.string(),
    maker: z.string().nullable(),
    askedAt: z.string(),
    waitsUntil: z.string(),
    approver: z.string().nullable(),
    approvedAt: z.string().nullable(),
  })
  .meta({ id: 'Approval' });

export const getApprovals = protectedEndpoint({
  method: 'GET',
  path: '/approvals',
  operationId: 'listApprovals',
  auth: 'read',
  scope: 'approve',
  summary: 'What waits for a second approver, because it is above the limit TWO_PEOPLE',
  response: z.object({ approvals: z.array(approvalSchema) }).meta({ id: 'ApprovalAnswer' }),
  async handle(app, { caller }) {
    const waiting = await listWaiting(app.db, { owner: caller, now: app.clock.now() });
    return { approvals: waiting.map(approvalView) };
  },
});

export const postApproval = protectedEndpoint({
  method: 'POST',
  path: '/approval',
  operationId: 'createApproval',
  auth: 'money',
  scope: 'approve',
  summary: 'Approve what another key made; it is sent soon after, and not before',
  request: fields({ subject: textUpTo(SUBJECT_MAX) }).meta({ id: 'CreateApprovalRequest' }),
  response: z.object({ approval: approvalSchema }).meta({ id: 'ApprovalAnswer' }),
  async handle(app, { caller }, { subject }) {
    const approver = `key ${caller.apiKey}`;
    return { approval: approvalView(await approveAct(app, subject, { approver, owner: caller })) };
  },
});
