// A conversion of a merchant's balance at a fixed quote, and the SQL of its table.
import { assert } from '#base/assert.ts';
import { timestamp } from '#base/instant.ts';
import { getAsset } from '#catalog/asset.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import { defineTable, moment, optional, type Row, text, units } from '#db/table.ts';
import { amountToText } from '#money/asset-amount.ts';
import { isJsonObject, parseExactJson } from '#money/exact-json.ts';
import { createRate, type Rate, rateToText } from '#money/rate.ts';
import { powerOfTen } from '#money/rounding.ts';
import type { Conversion } from '#treasury/exposure.ts';

export const SWAP_STATES = ['QUOTED', 'COMPLETED', 'FAILED', 'EXPIRED'] as const;
type SwapState = (typeof SWAP_STATES)[number];

/** api-contract.md 5. */
export const SWAP_QUOTE_SECONDS = 60;

export const SWAP = defineTable('swap', {
  id: text(),
  merchantId: text(),
  environment: text<Environment>(),
  /** As stored; a quote whose time is over is EXPIRED whatever this says: see `swapStateAt`. */
  state: text<SwapState>(),
  sourceAssetId: text(),
  sourceUnits: units,
  targetAssetId: text(),
  /** After the fee. */
  targetUnits: units,
  /** In the target asset. */
  feeUnits: units,
  /** JSON text: the rate (see `rateOf`) and the rows of the table `rate` it was made of. */
  rates: text(),
  failure: optional(text()),
  apiKey: optional(text()),
  /** A person, as the trail names him; undefined where a key or the service made it. */
  maker: optional(text()),
  createdAt: moment,
  expiresAt: moment,
});
export type Swap = Row<typeof SWAP>;

/** Undefined also for a swap of another merchant or environment (E9). */
export async function findSwap(
  app: { readonly db: Reader },
  { merchantId, environment }: Owner,
  id: string,
): Promise<Swap | undefined> {
  const swap = await SWAP.find(app.db, sql`where id = ${id}`);
  const isOwn = swap?.merchantId === merchantId && swap.environment === environment;
  return isOwn ? swap : undefined;
}

export function lockSwap(tx: Tx, id: string): Promise<Swap | undefined> {
  return SWAP.find(tx, sql`where id = ${id} for no key update`);
}

/** The end of a swap, which is told by its only event. */
export function finishSwap(
  id: string,
  end: { readonly state: 'COMPLETED' | 'FAILED'; readonly failure: string | null },
  finishedAt: Temporal.Instant,
): Statement {
  return sql`
    update swap set state = ${end.state}, failure = ${end.failure}, finished_at = ${finishedAt},
      event_sequence = event_sequence + 1
    where id = ${id}`;
}

/** No row is written when the time runs out, so the state is computed. */
export function swapStateAt(swap: Swap, now: Temporal.Instant): SwapState {
  const isOver = Temporal.Instant.compare(now, swap.expiresAt) >= 0;
  return swap.state === 'QUOTED' && isOver ? 'EXPIRED' : swap.state;
}

/** Target units per source unit, before the fee. */
function rateOf({ rates }: Pick<Swap, 'rates'>): Rate {
  const parsed = parseExactJson(rates);
  const value = parsed.ok ? parsed.value : undefined;
  assert(isJsonObject(value), 'the rates of a swap are a JSON object');
  return createRate(BigInt(String(value.numerator)), BigInt(String(value.denominator)));
}

/** What a swap converts, gross. */
export function conversionOf(
  swap: Pick<Swap, 'sourceAssetId' | 'sourceUnits' | 'targetAssetId' | 'targetUnits' | 'feeUnits'>,
): Conversion {
  return {
    from: { assetId: swap.sourceAssetId, units: swap.sourceUnits },
    to: { assetId: swap.targetAssetId, units: swap.targetUnits + swap.feeUnits },
  };
}

const RATE_DIGITS = 18;

/** `swap` of the endpoints, `data.swap` of its events (api-contract.md 5). */
export function swapView(swap: Swap, now: Temporal.Instant) {
  const source = getAsset(swap.sourceAssetId);
  const target = getAsset(swap.targetAssetId);
  return {
    id: swap.id,
    state: swapStateAt(swap, now),
    sourceAsset: source.id,
    sourceAmount: amountToText(swap.sourceUnits, source.decimals),
    targetAsset: target.id,
    targetAmount: amountToText(swap.targetUnits, target.decimals),
    exchangeRate: rateToText(wholeRate(swap, source.decimals, target.decimals), RATE_DIGITS),
    fee: amountToText(swap.feeUnits, target.decimals),
    expirationTime: timestamp(swap.expiresAt),
    ...(swap.failure === undefined ? {} : { failure: swap.failure }),
  };
}

/** Whole target coins per whole source coin. */
function wholeRate(swap: Swap, sourceDecimals: number, targetDecimals: number) {
  const rate = rateOf(swap);
  return createRate(
    rate.numerator * powerOfTen(sourceDecimals),
    rate.denominator * powerOfTen(targetDecimals),
  );
}
