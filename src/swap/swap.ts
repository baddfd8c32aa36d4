// A conversion of a merchant's balance at a fixed quote, and the SQL of its table.
import { assert } from '#base/assert.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import { defineTable, moment, optional, type Row, text, units } from '#db/table.ts';
import { isJsonObject, parseExactJson } from '#money/exact-json.ts';
import { createRate, type Rate } from '#money/rate.ts';
import type { Conversion } from '#rates/exposure.ts';

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
export function rateOf({ rates }: Pick<Swap, 'rates'>): Rate {
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
