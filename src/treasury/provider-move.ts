// Money on its way between what the operator holds and a provider of conversions, and the SQL of
// its table.
import type { Environment } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import { defineTable, moment, optional, type Row, selectOnly, text, units } from '#db/table.ts';

export const PROVIDER_MOVE = defineTable('provider_move', {
  id: text(),
  environment: text<Environment>(),
  provider: text(),
  direction: text<'TO' | 'FROM'>(),
  network: text(),
  assetId: text(),
  units,
  /** Transaction, or how the provider calls it. */
  reference: text(),
  actor: text(),
  reason: text(),
  sentAt: moment,
  arrivedUnits: selectOnly(optional(units)),
  arrivedBy: selectOnly(optional(text())),
  arrivedAt: selectOnly(optional(moment)),
});
export type ProviderMove = Row<typeof PROVIDER_MOVE>;

/** Oldest first. */
export function listMovesUnderWay(
  reader: Reader,
  environment: Environment,
): Promise<ProviderMove[]> {
  return PROVIDER_MOVE.select(
    reader,
    sql`where environment = ${environment} and arrived_at is null order by sent_at, id`,
  );
}

export function lockMove(tx: Tx, id: string): Promise<ProviderMove | undefined> {
  return PROVIDER_MOVE.find(tx, sql`where id = ${id} for no key update`);
}

export function findMove(
  reader: Reader,
  {
    environment,
    provider,
    reference,
  }: Pick<ProviderMove, 'environment' | 'provider' | 'reference'>,
): Promise<ProviderMove | undefined> {
  return PROVIDER_MOVE.find(
    reader,
    sql`where environment = ${environment} and provider = ${provider}
      and reference = ${reference}`,
  );
}

export function markArrived(
  tx: Tx,
  { id, arrivedUnits, arrivedBy, arrivedAt }: Required<ProviderMove>,
): void {
  tx.send(sql`
    update provider_move set arrived_units = ${arrivedUnits ?? null},
      arrived_by = ${arrivedBy ?? null}, arrived_at = ${arrivedAt ?? null} where id = ${id}`);
}
