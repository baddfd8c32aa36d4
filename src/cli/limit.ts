// How much merchants may send out: in 24 hours, by one person, and at once to a free address.

import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import { amountToText } from '#money/asset-amount.ts';
import { tryParseDecimal } from '#money/decimal.ts';
import { type Approval, approvalView, approveAct, listWaiting } from '#spending/approval.ts';
import { changeLimit } from '#spending/change-limit.ts';
import {
  decimalsOfMeasure,
  LIMIT_KINDS,
  type LimitName,
  limitText,
  listAllLimits,
  measuredUnits,
  type SpendingLimit,
} from '#spending/spending-limit.ts';
import {
  type Command,
  type CommandContext,
  chooseEnvironment,
  onePositional,
  SAID_OPTIONS,
  SAID_USAGE,
  saidOf,
  textOption,
  type Values,
  whoOf,
} from './command.ts';
import { chooseMerchant } from './merchant.ts';

const kindName = (kind: string) => kind.toLowerCase().replace('_', '-');
const KINDS = LIMIT_KINDS.map(kindName).join('|');
const WHOSE_USAGE = '--environment live|test [--merchant ID | --everyone]';
const WHOSE_OPTIONS = {
  environment: { type: 'string' },
  merchant: { type: 'string' },
  everyone: { type: 'boolean' },
} as const;
const RAISED_BY_TWO =
  '  two-people is raised or taken away by two: it is refused, npx quittance approval list names ' +
  'it,\n  another one gives his approval, and it is said again; lower it holds at once';

export const limitSet: Command = {
  name: 'limit set',
  summary: 'limit what a merchant may send out by transfers, refunds and swaps',
  usage: [
    `${KINDS} AMOUNT ASSET|CURRENCY ${WHOSE_USAGE} ${SAID_USAGE}`,
    '  day         in any 24 hours, all acts together; fees count, what came back does not',
    '  two-people  above it one act needs a second person: npx quittance approval',
    '  cool-down   above it a refund to a free address waits 24 hours',
    '  ASSET       so much of it (LTC:NATIVE); CURRENCY: of all assets so much in value (EUR)',
    '  --everyone  of every merchant, each for itself; each limit that fits an act holds',
    RAISED_BY_TWO,
  ].join('\n'),
  options: { ...WHOSE_OPTIONS, ...SAID_OPTIONS },
  async run(context, { positionals, values }) {
    const [kind, amount, measure, ...more] = positionals;
    const name = await nameOf(context, [kind, measure, ...more], values);
    const mostUnits = unitsOf(amount ?? '', name.measure);
    const app = await context.openApp();
    const said = { mostUnits, ...saidOf(values), setAt: app.clock.now() };
    await changeLimit(app, name, said);
    const limit = { ...name, ...said };
    return { text: limitLine(limit), json: { limit: limitView(limit) } };
  },
};

export const limitRemove: Command = {
  name: 'limit remove',
  summary: 'take a limit away',
  usage: `${KINDS} ASSET|CURRENCY ${WHOSE_USAGE} ${SAID_USAGE}\n${RAISED_BY_TWO}`,
  options: { ...WHOSE_OPTIONS, ...SAID_OPTIONS },
  async run(context, { positionals, values }) {
    const name = await nameOf(context, positionals, values);
    const app = await context.openApp();
    const said = { ...saidOf(values), setAt: app.clock.now() };
    await changeLimit(app, name, { ...said, mostUnits: undefined });
    return { text: 'Taken away.', json: { removed: { ...name, kind: kindName(name.kind) } } };
  },
};

export const limitList: Command = {
  name: 'limit list',
  summary: 'show the limits of what merchants may send out',
  usage: '--environment live|test',
  options: { environment: { type: 'string' } },
  async run(context, { values }) {
    const { db } = await context.openApp();
    const limits = await listAllLimits(db, chooseEnvironment(values));
    const lines = limits.map(limitLine);
    if (lines.length === 0) lines.push('No limit is set: npx quittance limit set --help');
    return { text: lines.join('\n'), json: { limits: limits.map(limitView) } };
  },
};

/** `[kind, measure]` and whose. @throws Refusal */
async function nameOf(
  context: CommandContext,
  [kindText, measure, ...more]: readonly (string | undefined)[],
  values: Values,
): Promise<LimitName> {
  const kind = LIMIT_KINDS.find((one) => kindName(one) === kindText);
  if (kind === undefined) throw new Refusal('invalid', 'usage', [`which limit: ${KINDS}`]);
  if (measure === undefined || decimalsOfMeasure(measure) === undefined || more.length > 0) {
    throw new Refusal('invalid', 'usage', ['say of which asset (LTC:NATIVE) or currency (EUR)']);
  }
  const environment: Environment = chooseEnvironment(values);
  const isOfAll = values.everyone === true;
  if (isOfAll && textOption(values, 'merchant') !== undefined) {
    throw new Refusal('invalid', 'usage', ['--merchant or --everyone, not both']);
  }
  const merchantId = isOfAll ? undefined : await chooseMerchant(await context.openApp(), values);
  return { kind, environment, merchantId, measure };
}

function unitsOf(amount: string, measure: string): bigint {
  const decimal = tryParseDecimal(amount);
  const given = decimal === undefined ? undefined : measuredUnits(measure, decimal);
  if (given !== undefined) return given;
  throw new Refusal('invalid', 'usage', [
    `AMOUNT: must be an amount of ${measure} from 0 up, with at most ` +
      `${decimalsOfMeasure(measure)} decimals`,
  ]);
}

function limitView(limit: SpendingLimit) {
  const { kind, environment, merchantId, measure, mostUnits, actor, reason, setAt } = limit;
  return {
    kind: kindName(kind),
    environment,
    merchantId: merchantId ?? null,
    measure,
    amount: amountToText(mostUnits, decimalsOfMeasure(measure) ?? 0),
    ...{ by: actor, reason, setAt: setAt.toString() },
  };
}

function limitLine(limit: SpendingLimit): string {
  const { kind, merchantId, actor, reason, setAt } = limit;
  const whose = merchantId ?? 'every merchant';
  return `${whose}  ${kindName(kind)}  ${limitText(limit)}  by ${actor} at ${setAt}: ${reason}`;
}

// What waits for a second person, and his word.
export const approvalList: Command = {
  name: 'approval list',
  summary: 'what waits for a second person, because it is above the limit of one or lifts that',
  usage: '',
  options: {},
  async run(context) {
    const { db, clock } = await context.openApp();
    const waiting = await listWaiting(db, { now: clock.now() });
    const lines = waiting.map(approvalLine);
    if (waiting.length === 0) lines.push('Nothing waits for a second person.');
    return { text: lines.join('\n'), json: { approvals: waiting.map(approvalView) } };
  },
};

export const approvalGive: Command = {
  name: 'approval give',
  summary:
    'approve what somebody else made: a transfer is sent within a minute, all else is said again',
  usage: 'SUBJECT [--by NAME]',
  options: { by: { type: 'string' } },
  async run(context, { positionals, values }) {
    const subject = onePositional(positionals, 'which, as npx quittance approval list names it');
    const approval = await approveAct(await context.openApp(), subject, {
      approver: whoOf(values),
    });
    return { text: approvalLine(approval), json: { approval: approvalView(approval) } };
  },
};

function approvalLine(approval: Approval): string {
  const { subject, about, maker, waitsUntil, approver, approvedAt } = approvalView(approval);
  const state =
    approver === null ? `waits until ${waitsUntil}` : `approved by ${approver} at ${approvedAt}`;
  return `${subject}  ${about}\n    made by ${maker ?? 'nobody who is known'}, ${state}`;
}
