// What the market of Stellar gives for an amount now, over order books and pools together, as
// Horizon finds it (GET /paths/strict-send; protocols/horizon/main.go of go-stellar-sdk).
// Guarantees: an answer about something else than was asked is none. Not guaranteed: that it is
// true, or that it is still so when a transaction lands. What is signed has a least amount, and the
// network holds to that.
import { amountToText } from '#money/asset-amount.ts';
import { type Fields, requireFields, requireThat } from '#networks/answer-fields.ts';
import { refusedDraft } from '#networks/draft-terms.ts';
import type { Horizon } from './horizon.ts';
import { requireAssetId, requireRecords, requireUnits } from './horizon-fields.ts';

type Asked = {
  readonly giveAssetId: string;
  readonly giveUnits: bigint;
  readonly getAssetId: string;
};

type Quoted = {
  readonly getUnits: bigint;
  /** Between the two. */
  readonly path: readonly string[];
};

const DECIMALS = 7;
const NATIVE = 'XLM:NATIVE';
/** Horizon finds a few by itself, and has no pages of them. */
const RECORDS_MOST = 200;
const PATH_MOST = 5;

/**
 * The best there is; of two alike the shorter. Undefined where nobody trades the two.
 * @throws Refusal conflict where this Horizon finds no paths (DISABLE_PATH_FINDING); Outage.
 */
export async function quoteExchange(horizon: Horizon, asked: Asked): Promise<Quoted | undefined> {
  const { giveAssetId, giveUnits, getAssetId } = asked;
  const { json } = await horizon.get('/paths/strict-send', {
    ...sourceAsset(giveAssetId),
    source_amount: amountToText(giveUnits, DECIMALS),
    destination_assets: getAssetId === NATIVE ? 'native' : getAssetId,
  });
  if (json === undefined) {
    throw refusedDraft(`${horizon.host} finds no paths: name a Horizon that does`);
  }
  const quotes = requireRecords(json, RECORDS_MOST).map((record) => readQuote(record, asked));
  const [best] = quotes.toSorted(
    (one, other) => compare(other.getUnits, one.getUnits) || one.path.length - other.path.length,
  );
  return best;
}

function readQuote(record: Fields, { giveAssetId, giveUnits, getAssetId }: Asked): Quoted {
  requireThat(
    requireAssetId(record, 'source_') === giveAssetId &&
      requireUnits(record, 'source_amount') === giveUnits &&
      requireAssetId(record, 'destination_') === getAssetId,
    'a path is of something else than was asked',
  );
  const { path } = record;
  requireThat(Array.isArray(path) && path.length <= PATH_MOST, 'a path is too long, or none');
  const assets = path.map((one: unknown) => requireAssetId(requireFields(one, 'a path')));
  return { getUnits: requireUnits(record, 'destination_amount'), path: assets };
}

function sourceAsset(assetId: string): Readonly<Record<string, string>> {
  if (assetId === NATIVE) return { source_asset_type: 'native' };
  const [code = '', issuer = ''] = assetId.split(':');
  return {
    source_asset_type: code.length > 4 ? 'credit_alphanum12' : 'credit_alphanum4',
    source_asset_code: code,
    source_asset_issuer: issuer,
  };
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
