// SQL of the requests to nodes, private to this folder.

import type { Tx } from '#db/db.ts';
import { sql } from '#db/db.ts';

export type NewDestinationRequest = {
  readonly checkoutId: string;
  readonly network: string;
  readonly assetId: string;
  readonly instructionId: string;
  readonly units: bigint;
  readonly askedAt: Temporal.Instant;
  /** A request for the same units that is not older is repeated instead of replaced. */
  readonly repeatedSince: Temporal.Instant;
};

export type DestinationRequestRow = {
  readonly instructionId: string;
  readonly askedAt: Temporal.Instant;
};

/** What an earlier window was opened with is never asked for again. */
const isUnused = sql`not exists
  (select 1 from deposit_instruction i where i.id = known.instruction_id)`;

/** The checkout is locked: nobody else decides the same. */
export async function takeDestinationRequest(
  tx: Tx,
  made: NewDestinationRequest,
): Promise<DestinationRequestRow> {
  const [row] = await tx.query<DestinationRequestRow>(sql`
    insert into destination_request as known
      (checkout_id, network, asset_id, instruction_id, units, asked_at)
    values (${made.checkoutId}, ${made.network}, ${made.assetId}, ${made.instructionId},
      ${made.units}, ${made.askedAt})
    on conflict (checkout_id, network, asset_id) do update set
      instruction_id = case when known.units = excluded.units
        and known.asked_at >= ${made.repeatedSince} and ${isUnused}
        then known.instruction_id else excluded.instruction_id end,
      asked_at = case when known.units = excluded.units
        and known.asked_at >= ${made.repeatedSince} and ${isUnused}
        then known.asked_at else excluded.asked_at end,
      units = excluded.units
    returning instruction_id as "instructionId", asked_at as "askedAt"`);
  return row as DestinationRequestRow;
}
