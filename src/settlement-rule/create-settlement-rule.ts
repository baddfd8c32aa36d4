// A rule as a merchant or the operator gives it, checked and written. What only shows when it is
// due (a price, a balance, whether the beneficiary has cooled down) is checked then, by the same
// acts as of a swap and a transfer that somebody asks for.
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { type Asset, findAsset } from '#catalog/asset.ts';
import { findNetwork } from '#catalog/network.ts';
import type { Owner } from '#catalog/owner.ts';
import type { Db } from '#db/db.ts';
import { type Decimal, unitsFromDecimal } from '#money/decimal.ts';
import { type Beneficiary, findBeneficiary, type SealKeys } from '#people/beneficiary.ts';
import { isZone, type Schedule } from './schedule.ts';
import {
  firstDue,
  type RuleSealKeys,
  SETTLEMENT_RULE,
  type SettlementRule,
  sealOfRule,
} from './settlement-rule.ts';

export type CreateRuleApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly keyring: SealKeys & RuleSealKeys;
};

export type SettlementRuleRequest = {
  /** Asset id. */
  readonly asset: string;
  /** In whole coins, as is `keep`. */
  readonly threshold: Decimal | undefined;
  readonly keep: Decimal | undefined;
  readonly schedule: Schedule | undefined;
  readonly convertTo: string | undefined;
  readonly network: string | undefined;
  /** Id or label of a beneficiary. */
  readonly targetAccount: string | undefined;
};

/** Whose rule, and who makes it: a key of theirs, or the operator. */
type Maker = Owner & { readonly apiKey: string | undefined; readonly actor: string };

/**
 * @throws Refusal invalid `validation_failed` with every fault, `beneficiary_elsewhere`; missing
 * `beneficiary_missing`.
 */
export async function createSettlementRule(
  app: CreateRuleApp,
  { merchantId, environment, apiKey, actor }: Maker,
  request: SettlementRuleRequest,
): Promise<SettlementRule> {
  const terms = readTerms(request);
  const receiver = await findReceiver(app, { merchantId, environment }, request);
  const { schedule } = request;
  const now = app.clock.now().round('millisecond');
  const dueAt = firstDue(schedule, now);
  const rule: SettlementRule = {
    ...{ id: newId(app.random), merchantId, environment, ...terms },
    ...{ every: schedule?.every, day: schedule?.day, hour: schedule?.hour, zone: schedule?.zone },
    ...{ network: receiver?.network, beneficiaryId: receiver?.id },
    ...{ apiKey, actor, createdAt: now, dueAt, nextAt: dueAt },
    ...{ pausedAt: undefined, toldCode: undefined, eventSequence: 0 },
  };
  const row = { ...rule, seal: sealOfRule(app.keyring, rule) };
  await app.db.single((tx) => tx.query(SETTLEMENT_RULE.insert([row])));
  return rule;
}

function readTerms(request: SettlementRuleRequest) {
  const { asset: assetId, convertTo, schedule, network, targetAccount } = request;
  const faults: string[] = [];
  const asset = findAsset(assetId);
  const bought = convertTo === undefined ? undefined : findAsset(convertTo);
  if (asset === undefined) faults.push('asset: is not an asset id of GET /assets');
  if (convertTo !== undefined) {
    if (bought?.swaps !== true) faults.push('convertTo: is not an asset id with swaps');
    else if (asset?.swaps === false) faults.push('asset: is not one with swaps');
    else if (convertTo === assetId) faults.push('convertTo: is the same as asset');
  }
  if ((network === undefined) !== (targetAccount === undefined)) {
    faults.push('network and targetAccount: give both, or neither');
  }
  if (convertTo === undefined && targetAccount === undefined) {
    faults.push('convertTo or targetAccount: say what is to be done');
  }
  const sent = convertTo ?? assetId;
  if (network !== undefined && findNetwork(network)?.assets.includes(sent) !== true) {
    faults.push(`network: does not carry ${sent}`);
  }
  faults.push(...scheduleFaults(schedule));
  const keepUnits = readUnits('keep', request.keep, asset, faults) ?? 0n;
  const thresholdUnits = readUnits('threshold', request.threshold, asset, faults);
  if (thresholdUnits === undefined && schedule === undefined) {
    faults.push('threshold or schedule: say when');
  }
  if (thresholdUnits !== undefined && thresholdUnits <= keepUnits) {
    faults.push('threshold: must be above keep');
  }
  if (faults.length > 0) throw new Refusal('invalid', 'validation_failed', faults);
  return { assetId, keepUnits, thresholdUnits, convertTo };
}

function readUnits(
  name: string,
  amount: Decimal | undefined,
  asset: Asset | undefined,
  faults: string[],
): bigint | undefined {
  if (amount === undefined || asset === undefined) return undefined;
  const units = unitsFromDecimal(amount, asset.decimals);
  if (units !== undefined && units >= 0n) return units;
  faults.push(
    `${name}: must not be below 0, with at most ${asset.decimals} digits after the point`,
  );
  return undefined;
}

const DAYS_MOST = { DAY: 0, WEEK: 7, MONTH: 31 } as const;

function scheduleFaults(schedule: Schedule | undefined): string[] {
  if (schedule === undefined) return [];
  const { every, day, zone } = schedule;
  const most = DAYS_MOST[every];
  const isDay = most === 0 ? day === undefined : day !== undefined && day >= 1 && day <= most;
  return [
    ...(isDay ? [] : [`schedule.day: must be ${most === 0 ? 'left out' : `from 1 to ${most}`}`]),
    ...(isZone(zone) ? [] : ['schedule.zone: is no time zone such as Europe/Berlin']),
  ];
}

async function findReceiver(
  app: CreateRuleApp,
  owner: Owner,
  { network, targetAccount }: SettlementRuleRequest,
): Promise<Beneficiary | undefined> {
  if (targetAccount === undefined) return undefined;
  const receiver = await findBeneficiary(app, owner, targetAccount);
  if (receiver === undefined) {
    throw new Refusal('missing', 'beneficiary_missing', 'targetAccount: no such beneficiary');
  }
  if (receiver.network === network) return receiver;
  throw new Refusal('invalid', 'beneficiary_elsewhere', [
    `targetAccount: the beneficiary is reached by ${receiver.network}, not ${network}`,
  ]);
}
