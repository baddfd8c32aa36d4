// A trade in the account at a provider that carried out no order of the house, and the SQL of its
// table.
import type { Environment } from '#catalog/chain.ts';
import { type Reader, sql } from '#db/db.ts';
import { defineTable, moment, optional, type Row, text, units } from '#db/table.ts';

export const PROVIDER_TRADE = defineTable('provider_trade', {
  id: text(),
  environment: text<Environment>(),
  provider: text(),
  symbol: text(),
  tradeId: text(),
  tradedAt: moment,
  soldAssetId: text(),
  soldUnits: units,
  gotAssetId: text(),
  gotUnits: units,
  feeAssetId: optional(text()),
  feeUnits: optional(units),
  actor: text(),
  reason: text(),
  bookedAt: moment,
});
export type ProviderTrade = Row<typeof PROVIDER_TRADE>;

export function listTradesAt(
  reader: Reader,
  environment: Environment,
  provider: string,
): Promise<ProviderTrade[]> {
  return PROVIDER_TRADE.select(
    reader,
    sql`where environment = ${environment} and provider = ${provider} order by id`,
  );
}
