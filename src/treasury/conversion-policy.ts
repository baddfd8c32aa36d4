// How the house treats conversions of a pair of assets, and of everything that is converted to one
// asset, as its operator set it, and the SQL of both tables. Where nothing is set: within the
// exposure limit, hedged by hand later, without a spread, whether what is promised is held or not.
import type { Environment } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import { defineTable, integer, moment, optional, type Row, text } from '#db/table.ts';

/** In the place of an asset. */
export const ANY_ASSET = '*';

export const POLICY_MODES = ['WITHIN_LIMIT', 'AT_ONCE', 'REFUSE'] as const;

/** Who said so, why, and when. */
const said = { actor: text(), reason: text(), setAt: moment };
const SAID = ['actor', 'reason', 'setAt'] as const;

export const CONVERSION_POLICY = defineTable('conversion_policy', {
  environment: text<Environment>(),
  fromAssetId: text(),
  toAssetId: text(),
  mode: text<(typeof POLICY_MODES)[number]>(),
  /** Of AT_ONCE alone. */
  provider: optional(text()),
  spreadPartsPerMillion: integer,
  ...said,
});
export type ConversionPolicy = Row<typeof CONVERSION_POLICY>;

export function listPolicies(
  reader: Reader,
  environment: Environment,
): Promise<ConversionPolicy[]> {
  return CONVERSION_POLICY.select(
    reader,
    sql`where environment = ${environment} order by from_asset_id, to_asset_id`,
  );
}

export function setPolicy(tx: Tx, policy: ConversionPolicy): void {
  tx.send(
    CONVERSION_POLICY.insert(
      [policy],
      sql`on conflict (environment, from_asset_id, to_asset_id) do update
        set ${CONVERSION_POLICY.excluded(['mode', 'provider', 'spreadPartsPerMillion', ...SAID])}`,
    ),
  );
}

/** The nearest: of the pair, of what is taken, of what is promised, of everything. */
export function policyOf(
  policies: readonly ConversionPolicy[],
  fromAssetId: string,
  toAssetId: string,
): ConversionPolicy | undefined {
  for (const from of [fromAssetId, ANY_ASSET]) {
    for (const to of [toAssetId, ANY_ASSET]) {
      const found = policies.find((one) => one.fromAssetId === from && one.toAssetId === to);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Of what is promised: `assetId` is an asset, or any. */
export const LIQUIDITY_POLICY = defineTable('liquidity_policy', {
  environment: text<Environment>(),
  assetId: text(),
  ...said,
});
export type LiquidityPolicy = Row<typeof LIQUIDITY_POLICY>;

export function listLiquidityPolicies(
  reader: Reader,
  environment: Environment,
): Promise<LiquidityPolicy[]> {
  return LIQUIDITY_POLICY.select(reader, sql`where environment = ${environment} order by asset_id`);
}

export function setLiquidityPolicy(tx: Tx, policy: LiquidityPolicy): void {
  tx.send(
    LIQUIDITY_POLICY.insert(
      [policy],
      sql`on conflict (environment, asset_id) do update
        set ${LIQUIDITY_POLICY.excluded(SAID)}`,
    ),
  );
}

/** False when there was none. */
export async function removeLiquidityPolicy(
  tx: Tx,
  { environment, assetId }: Pick<LiquidityPolicy, 'environment' | 'assetId'>,
): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from liquidity_policy where environment = ${environment} and asset_id = ${assetId}
    returning asset_id`);
  return rows.length === 1;
}

/** Whether what is converted to it is promised only while it is held. */
export function isHeldOnly(policies: readonly LiquidityPolicy[], assetId: string): boolean {
  return policies.some((one) => one.assetId === assetId || one.assetId === ANY_ASSET);
}
