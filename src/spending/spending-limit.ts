// How much a merchant may send out, and the SQL of its table. The operator sets it for one merchant
// or for every merchant (change-limit.ts); a merchant lowers its own and never raises it, so that a
// stolen key does not help itself. Of several that say something of an act each one holds.
import { noteAct } from '#audit/act.ts';
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import { findAsset, getAsset } from '#catalog/asset.ts';
import type { Environment } from '#catalog/chain.ts';
import { findCurrency, getCurrency } from '#catalog/currency.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, type Reader, sql, type Tx } from '#db/db.ts';
import { defineTable, moment, optional, type Row, text, units } from '#db/table.ts';
import { amountToText } from '#money/asset-amount.ts';
import { type Decimal, unitsFromDecimal } from '#money/decimal.ts';

export const LIMIT_KINDS = [
  /** In any 24 hours, all acts together. */
  'DAY',
  /** Above it one act needs a second person. */
  'TWO_PEOPLE',
  /** Above it a refund to a free address waits. */
  'COOL_DOWN',
] as const;
type LimitKind = (typeof LIMIT_KINDS)[number];

export const SPENDING_LIMIT = defineTable('spending_limit', {
  kind: text<LimitKind>(),
  environment: text<Environment>(),
  /** Undefined: of every merchant, each for itself. */
  merchantId: optional(text()),
  /** An asset, of which so much; or a currency, of all assets so much in value. */
  measure: text(),
  mostUnits: units,
  actor: text(),
  reason: text(),
  setAt: moment,
});
export type SpendingLimit = Row<typeof SPENDING_LIMIT>;
/** Which one it is. */
export type LimitName = Pick<SpendingLimit, 'kind' | 'environment' | 'merchantId' | 'measure'>;

/** Acts of one merchant that have a limit follow each other, until the transaction ends. */
export function lockSpending(tx: Tx, { merchantId, environment }: Owner): Promise<unknown> {
  const name = `spending ${environment} ${merchantId}`;
  return tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

/** Those of the merchant, and those of every merchant. */
export function listLimitsOf(
  reader: Reader,
  { merchantId, environment }: Owner,
): Promise<SpendingLimit[]> {
  return SPENDING_LIMIT.select(
    reader,
    sql`where environment = ${environment} and coalesce(merchant_id, '') in ('', ${merchantId})
      order by kind, measure, merchant_id nulls first`,
  );
}

/** Of all merchants. */
export function listAllLimits(reader: Reader, environment: Environment): Promise<SpendingLimit[]> {
  return SPENDING_LIMIT.select(
    reader,
    sql`where environment = ${environment} order by merchant_id nulls first, kind, measure`,
  );
}

/** What holds under exactly this name. */
export function findLimit(
  reader: Reader,
  { kind, environment, merchantId = '', measure }: LimitName,
): Promise<SpendingLimit | undefined> {
  return SPENDING_LIMIT.find(
    reader,
    sql`where environment = ${environment} and coalesce(merchant_id, '') = ${merchantId}
      and kind = ${kind} and measure = ${measure}`,
  );
}

/** Whatever held under its name before. */
export function setLimit(tx: Tx, limit: SpendingLimit): void {
  noteLimit(tx, 'limit-set', limit, { most: limitText(limit), reason: limit.reason });
  tx.send(
    SPENDING_LIMIT.insert(
      [limit],
      sql`on conflict (environment, coalesce(merchant_id, ''), kind, measure) do update
        set ${SPENDING_LIMIT.excluded(['mostUnits', 'actor', 'reason', 'setAt'])}`,
    ),
  );
}

/** @throws Refusal missing `limit_missing` */
export async function removeLimit(
  tx: Tx,
  { kind, measure, ...owner }: LimitName,
  said: Pick<SpendingLimit, 'actor' | 'reason' | 'setAt'>,
): Promise<void> {
  const { environment, merchantId = '' } = owner;
  const removed = await tx.query(sql`
    delete from spending_limit
    where environment = ${environment} and coalesce(merchant_id, '') = ${merchantId}
      and kind = ${kind} and measure = ${measure} returning kind`);
  if (removed.length === 0) throw new Refusal('missing', 'limit_missing', 'no such limit is set');
  noteLimit(tx, 'limit-remove', { kind, measure, ...owner, ...said }, { reason: said.reason });
}

function noteLimit(
  tx: Tx,
  verb: 'limit-set' | 'limit-remove',
  limit: LimitName & Pick<SpendingLimit, 'actor' | 'setAt'>,
  details: Readonly<Record<string, string>>,
): void {
  const { kind, measure, environment, merchantId, actor, setAt: actedAt } = limit;
  const subject = `limit:${kind}:${measure}`;
  noteAct(tx, { actedAt, actor, verb, subject, environment, merchantId, details });
}

/**
 * What the merchant itself says of a limit of its own: less than what holds now.
 * @throws Refusal conflict `limit_not_lower`
 */
export async function lowerLimit(
  app: { readonly db: Db; readonly clock: Clock },
  owner: Owner,
  lowered: Pick<SpendingLimit, 'kind' | 'measure' | 'mostUnits' | 'actor'>,
): Promise<void> {
  const { merchantId, environment } = owner;
  const { kind, measure, mostUnits } = lowered;
  await app.db.transact(async (tx) => {
    const [, limits] = await Promise.all([lockSpending(tx, owner), listLimitsOf(tx, owner)]);
    const same = limits.filter((limit) => limit.kind === kind && limit.measure === measure);
    const lower = same.find((limit) => limit.mostUnits < mostUnits);
    if (lower !== undefined) {
      throw new Refusal('conflict', 'limit_not_lower', [
        `amount: the limit is ${limitText(lower)} now, and only the operator raises it`,
      ]);
    }
    const reason = 'lowered by the merchant';
    setLimit(tx, { ...lowered, environment, merchantId, reason, setAt: app.clock.now() });
  });
}

/** In a currency, and not of one asset. */
export function isOfAllAssets({ measure }: Pick<SpendingLimit, 'measure'>): boolean {
  return !measure.includes(':');
}

/** Undefined for what is neither an asset nor a currency. */
export function decimalsOfMeasure(measure: string): number | undefined {
  return findAsset(measure)?.decimals ?? findCurrency(measure)?.decimals;
}

/** Undefined unless it is an amount of the measure, from zero up. */
export function measuredUnits(measure: string, amount: Decimal): bigint | undefined {
  const decimals = decimalsOfMeasure(measure);
  const given = decimals === undefined ? undefined : unitsFromDecimal(amount, decimals);
  return given === undefined || given < 0n ? undefined : given;
}

/** As `12.5 LTC` or `1000.00 EUR`. */
export function measuredText(measure: string, amountUnits: bigint): string {
  const asset = findAsset(measure);
  if (asset !== undefined) {
    return `${amountToText(amountUnits, getAsset(measure).decimals)} ${asset.assetCode}`;
  }
  return `${amountToText(amountUnits, getCurrency(measure).decimals)} ${measure}`;
}

export function limitText({ measure, mostUnits }: SpendingLimit): string {
  return measuredText(measure, mostUnits);
}
