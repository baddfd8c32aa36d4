import { doNoted } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import { RISK_LEVELS, type RiskLevel } from '#catalog/asset.ts';
import { ENVIRONMENTS } from '#catalog/chain.ts';
import type { Reader } from '#db/db.ts';
import {
  changeMerchant,
  changeRiskTolerance,
  findFirstMerchant,
  floorOfPercent,
  LATE_DAYS_MOST,
  listMerchants,
  type Merchant,
} from '#merchant/merchant.ts';
import { openAccount } from '#server/first-run.ts';
import {
  BY_OPTION,
  BY_USAGE,
  type Command,
  textOption,
  type Values,
  wholeOption,
  whoOf,
} from './command.ts';

const LISTED_MOST = 1000;

export const merchantCreate: Command = {
  name: 'merchant create',
  summary: 'make a merchant account',
  usage: `--name NAME ${BY_USAGE}`,
  options: { ...BY_OPTION, name: { type: 'string' } },
  async run(context, { values, positionals }) {
    const name = textOption(values, 'name') ?? positionals[0];
    if (name === undefined) throw new Refusal('invalid', 'usage', ['--name is missing']);
    const { id } = await doNoted(
      await context.openApp(),
      {
        ...{ actor: whoOf(values), verb: 'merchant-create', details: { name } },
        subject: (made: Merchant) => `merchant:${made.id}`,
      },
      (within) => openAccount(within, name),
    );
    return { text: `Merchant ${name}\n  id  ${id}`, json: { id, name } };
  },
};

export const merchantList: Command = {
  name: 'merchant list',
  summary: 'list the merchant accounts',
  usage: '',
  options: {},
  async run(context) {
    const { db } = await context.openApp();
    const merchants = await listMerchants(db, { limit: LISTED_MOST });
    const rows = merchants.map(({ id, name, createdAt }) => ({
      id,
      name,
      createdAt: createdAt.toString(),
    }));
    const text = rows.map((row) => `${row.id}  ${row.createdAt}  ${row.name}`).join('\n');
    return { text: text || 'no merchants', json: { merchants: rows } };
  },
};

export const merchantSet: Command = {
  name: 'merchant set',
  summary: 'change when new checkouts of a merchant count as paid, and which assets it takes',
  usage: [
    `[--late-floor PERCENT] [--late-days DAYS] [--risk-tolerance LEVEL] [--merchant ID] ${BY_USAGE}`,
    '  --late-floor PERCENT  what money that comes late must be worth, of the total, to complete',
    '                        a sale by itself; 50 to 100, 90 unless set. Less waits for you',
    '  --late-days DAYS      after the end of a window in which such money completes it by itself;',
    '                        0 to 36500, any time unless set. What comes later waits for you',
    '  --risk-tolerance LEVEL  LOW, MEDIUM or HIGH: riskier assets are neither offered nor settled',
    '                        in (riskLevel of GET /assets), with test and live keys;',
    '                        MEDIUM unless set',
  ].join('\n'),
  options: {
    ...BY_OPTION,
    merchant: { type: 'string' },
    'late-floor': { type: 'string' },
    'late-days': { type: 'string' },
    'risk-tolerance': { type: 'string' },
  },
  async run(context, { positionals, values }) {
    const floor = textOption(values, 'late-floor');
    const risk = textOption(values, 'risk-tolerance');
    const days = textOption(values, 'late-days');
    if ([floor, days, risk].every((one) => one === undefined) || positionals.length > 0) {
      throw new Refusal('invalid', 'usage', [
        '--late-floor, --late-days or --risk-tolerance is missing',
      ]);
    }
    const lateFloorPartsPerMillion = floor === undefined ? undefined : partsOfPercent(floor);
    const lateDays =
      days === undefined
        ? undefined
        : wholeOption(values, 'late-days', { initial: 0, least: 0, most: LATE_DAYS_MOST });
    const riskTolerance = risk === undefined ? undefined : riskLevel(risk);
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    const act = { actor: whoOf(values), verb: 'merchant-set', subject: `merchant:${merchantId}` };
    const details = { lateFloor: floor, lateDays: days, riskTolerance };
    await doNoted(app, { ...act, merchantId, details }, async (within) => {
      if (lateFloorPartsPerMillion !== undefined || lateDays !== undefined) {
        await changeMerchant(within, merchantId, { lateFloorPartsPerMillion, lateDays });
      }
      if (riskTolerance === undefined) return;
      for (const environment of ENVIRONMENTS) {
        await changeRiskTolerance(within, { merchantId, environment }, riskTolerance);
      }
    });
    const said = [
      ...(floor === undefined
        ? []
        : [`Late money completes new checkouts of ${merchantId} when it is worth ${floor} %`]),
      ...(days === undefined
        ? []
        : [`Money up to ${days} days late completes new checkouts of ${merchantId}`]),
      ...(risk === undefined ? [] : [`${merchantId} takes assets up to risk level ${risk}`]),
    ];
    const json = { merchantId, lateFloorPartsPerMillion, lateDays, riskTolerance };
    return { text: said.join('\n'), json };
  },
};

/** @throws Refusal */
function riskLevel(text: string): RiskLevel {
  const level = RISK_LEVELS.find((known) => known === text);
  if (level !== undefined) return level;
  throw new Refusal('invalid', 'usage', [
    `--risk-tolerance: must be one of ${RISK_LEVELS.join(', ')}`,
  ]);
}

/** @throws Refusal */
function partsOfPercent(text: string): number {
  const parts = floorOfPercent(text);
  if (parts !== undefined) return parts;
  throw new Refusal('invalid', 'usage', ['--late-floor: must be a percentage from 50 to 100']);
}

/** `--merchant ID`, or the merchant there is. @throws Refusal when there is none yet. */
export async function chooseMerchant(
  { db }: { readonly db: Reader },
  values: Values,
): Promise<string> {
  const merchantId = textOption(values, 'merchant') ?? (await findFirstMerchant(db))?.id;
  if (merchantId !== undefined) return merchantId;
  throw new Refusal('missing', 'merchant_missing', [
    'there is no merchant yet: npx quittance merchant create --name NAME',
  ]);
}
