// Automatic settlement as an operator sets it up for a merchant.
import { doNoted } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import { type Decimal, tryParseDecimal } from '#money/decimal.ts';
import {
  createSettlementRule,
  type SettlementRuleRequest,
} from '#settlement-rule/create-settlement-rule.ts';
import { PERIODS, type Schedule } from '#settlement-rule/schedule.ts';
import {
  changeRule,
  listRules,
  listRuns,
  type RuleChange,
  ruleView,
  runView,
  type SettlementRule,
} from '#settlement-rule/settlement-rule.ts';
import {
  BY_OPTION,
  BY_USAGE,
  type Command,
  type CommandContext,
  chooseEnvironment,
  onePositional,
  textOption,
  type Values,
  wholeOption,
  whoOf,
} from './command.ts';
import { chooseMerchant } from './merchant.ts';

const OWNER_OPTIONS = { environment: { type: 'string' }, merchant: { type: 'string' } } as const;
const OWNER_USAGE = '--environment test|live [--merchant ID]';
const LISTED_MOST = 250;
const RUNS_MOST = 10;
const EVERY = PERIODS.map((period) => period.toLowerCase()).join('|');

async function openOwner(context: CommandContext, values: Values) {
  const environment = chooseEnvironment(values);
  const app = await context.openApp();
  return { app, owner: { merchantId: await chooseMerchant(app, values), environment } };
}

export const merchantSettleRuleAdd: Command = {
  name: 'merchant settle-rule add',
  summary: 'settle a balance of a merchant by itself',
  usage: [
    `ASSET ${OWNER_USAGE} [--above AMOUNT] [--keep AMOUNT]`,
    `  [--every ${EVERY} [--day DAY] --hour HOUR --zone ZONE]`,
    '  [--convert-to ASSET] [--network NETWORK --to BENEFICIARY] [--by NAME]',
    '  --above AMOUNT    when so much is available; without --every as soon as it is',
    '  --keep AMOUNT     stays in the balance',
    '  --day DAY         of the week, 1 is Monday, or of the month',
    '  --hour HOUR       0 to 23, on the clock of the zone',
    '  --zone ZONE       such as Europe/Berlin',
    '  --convert-to ASSET  is swapped first',
    '  --to BENEFICIARY  id or label: it is sent there then',
  ].join('\n'),
  options: {
    ...OWNER_OPTIONS,
    ...{ above: { type: 'string' }, keep: { type: 'string' }, every: { type: 'string' } },
    ...{ day: { type: 'string' }, hour: { type: 'string' }, zone: { type: 'string' } },
    ...{ 'convert-to': { type: 'string' }, network: { type: 'string' }, to: { type: 'string' } },
    by: { type: 'string' },
  },
  async run(context, { positionals, values }) {
    const asset = onePositional(positionals, 'the asset');
    const request: SettlementRuleRequest = {
      ...{ asset, convertTo: textOption(values, 'convert-to') },
      ...{ threshold: amountOption(values, 'above'), keep: amountOption(values, 'keep') },
      schedule: scheduleOf(values),
      ...{ network: textOption(values, 'network'), targetAccount: textOption(values, 'to') },
    };
    const { app, owner } = await openOwner(context, values);
    const maker = { ...owner, apiKey: undefined, actor: whoOf(values) };
    const act = {
      ...{ ...owner, actor: maker.actor, verb: 'settlement-rule-create' },
      subject: ({ id }: SettlementRule) => `settlement-rule:${id}`,
      details: { asset, to: request.targetAccount, convertTo: request.convertTo },
    };
    const rule = await doNoted(app, act, (within) => createSettlementRule(within, maker, request));
    return ruleResult(rule);
  },
};

function amountOption(values: Values, name: string): Decimal | undefined {
  const text = textOption(values, name);
  const amount = text === undefined ? undefined : tryParseDecimal(text);
  if (text === undefined || amount !== undefined) return amount;
  throw new Refusal('invalid', 'usage', [`--${name}: must be an amount`]);
}

function scheduleOf(values: Values): Schedule | undefined {
  const text = textOption(values, 'every');
  if (text === undefined) return undefined;
  const every = PERIODS.find((period) => period.toLowerCase() === text);
  const zone = textOption(values, 'zone');
  if (every === undefined || zone === undefined || textOption(values, 'hour') === undefined) {
    throw new Refusal('invalid', 'usage', [`--every: one of ${EVERY}, with --hour and --zone`]);
  }
  const day = wholeOption(values, 'day', { initial: 0, least: 1, most: 31 });
  const hour = wholeOption(values, 'hour', { initial: 0, least: 0, most: 23 });
  return { every, day: day === 0 ? undefined : day, hour, zone };
}

export const merchantSettleRuleList: Command = {
  name: 'merchant settle-rule list',
  summary: 'what settles balances of a merchant by itself, and what it did',
  usage: OWNER_USAGE,
  options: OWNER_OPTIONS,
  async run(context, { values }) {
    const { app, owner } = await openOwner(context, values);
    const { shown } = await listRules(app, owner, { limit: LISTED_MOST, cursor: undefined });
    const rules = await Promise.all(
      shown.map(async (rule) => {
        const runs = await listRuns(app.db, rule.id, RUNS_MOST);
        return { rule, runs: runs.map((run) => runView(rule, run)) };
      }),
    );
    const lines = rules.flatMap(({ rule, runs }) => [
      ruleLine(rule),
      ...runs.map(({ dueTime, state, amount, code, reason }) =>
        state === 'DONE' ? `    ${dueTime}  ${amount}` : `    ${dueTime}  ${code}: ${reason}`,
      ),
    ]);
    const json = rules.map(({ rule, runs }) => ({ ...ruleView(rule), runs }));
    return { text: lines.join('\n') || 'no settlement rules', json: { settlementRules: json } };
  },
};

export const merchantSettleRulePause = changeCommand('pause', 'do nothing by a rule from now on');
export const merchantSettleRuleResume = changeCommand(
  'resume',
  'follow a rule again, from the period that comes next',
);
export const merchantSettleRuleDelete = changeCommand('delete', 'delete a rule');

function changeCommand(change: RuleChange, summary: string): Command {
  return {
    name: `merchant settle-rule ${change}`,
    summary,
    usage: `RULE ${OWNER_USAGE} ${BY_USAGE}`,
    options: { ...OWNER_OPTIONS, ...BY_OPTION },
    async run(context, { positionals, values }) {
      const id = onePositional(positionals, 'the rule, as npx quittance merchant settle-rule list');
      const { app, owner } = await openOwner(context, values);
      const act = { ...owner, actor: whoOf(values), verb: `settlement-rule-${change}` };
      const rule = await doNoted(app, { ...act, subject: `settlement-rule:${id}` }, (within) =>
        changeRule(within, owner, id, change),
      );
      if (change !== 'delete') return ruleResult(rule);
      return { text: `${id} is deleted`, json: { settlementRuleId: id } };
    },
  };
}

function ruleResult(rule: SettlementRule) {
  return { text: ruleLine(rule), json: { settlementRule: ruleView(rule) } };
}

function ruleLine(rule: SettlementRule): string {
  const { id, state, assetId, threshold, keep, schedule, convertTo, network, ...shown } =
    ruleView(rule);
  const words = [
    `${id}  ${state}  ${assetId}`,
    ...(threshold === null ? [] : [`from ${threshold}`]),
    ...(keep === '0' ? [] : [`keeps ${keep}`]),
    ...(schedule === null
      ? []
      : [`every ${dayText(schedule)} at ${schedule.hour}:00 ${schedule.zone}`]),
    ...(convertTo === null ? [] : [`to ${convertTo}`]),
    ...(network === null ? [] : [`to ${shown.beneficiaryId} by ${network}`]),
    ...(shown.nextTime === null ? [] : [`next ${shown.nextTime}`]),
  ];
  return words.join('  ');
}

function dayText({ every, day }: { readonly every: string; readonly day: number | null }): string {
  return `${every.toLowerCase()}${day === null ? '' : ` ${day}`}`;
}
