import { assert } from '#base/assert.ts';
import type { Environment } from '#catalog/chain.ts';
import { type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import { parseExactJson } from '#money/exact-json.ts';
import { isFields } from '#money/exact-schema.ts';
import { createRate, type Rate } from '#money/rate.ts';
import type { Swap, SwapState } from './swap.ts';

type SwapRow = {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly state: SwapState;
  readonly source_asset_id: string;
  readonly source_units: bigint;
  readonly target_asset_id: string;
  readonly target_units: bigint;
  readonly fee_units: bigint;
  readonly rates: string;
  readonly failure: string | null;
  readonly api_key: string | null;
  readonly created_at: Temporal.Instant;
  readonly expires_at: Temporal.Instant;
};

const columns = sql`id, merchant_id, environment, state, source_asset_id, source_units,
  target_asset_id, target_units, fee_units, rates, failure, api_key, created_at, expires_at`;

export function insertSwap(swap: Swap): Statement {
  return sql`
    insert into swap (${columns})
    values (${swap.id}, ${swap.merchantId}, ${swap.environment}, ${swap.state},
      ${swap.sourceAssetId}, ${swap.sourceUnits}, ${swap.targetAssetId}, ${swap.targetUnits},
      ${swap.feeUnits}, ${swap.rates}, ${swap.failure ?? null}, ${swap.apiKey ?? null},
      ${swap.createdAt}, ${swap.expiresAt})`;
}

export async function findSwapRow(reader: Reader, id: string): Promise<Swap | undefined> {
  const [row] = await reader.query<SwapRow>(sql`select ${columns} from swap where id = ${id}`);
  return row && toSwap(row);
}

export async function lockSwapRow(tx: Tx, id: string): Promise<Swap | undefined> {
  const [row] = await tx.query<SwapRow>(sql`
    select ${columns} from swap where id = ${id} for no key update`);
  return row && toSwap(row);
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

function toSwap(row: SwapRow): Swap {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    environment: row.environment,
    state: row.state,
    sourceAssetId: row.source_asset_id,
    sourceUnits: row.source_units,
    targetAssetId: row.target_asset_id,
    targetUnits: row.target_units,
    feeUnits: row.fee_units,
    rate: rateOf(row.rates),
    rates: row.rates,
    failure: row.failure ?? undefined,
    apiKey: row.api_key ?? undefined,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}

function rateOf(rates: string): Rate {
  const parsed = parseExactJson(rates);
  const value = parsed.ok ? parsed.value : undefined;
  assert(isFields(value), 'the rates of a swap are a JSON object');
  return createRate(BigInt(String(value.numerator)), BigInt(String(value.denominator)));
}
