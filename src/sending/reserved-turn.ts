// One writer of the turns of an account: what goes back to ourselves out of it has its turn from
// when it is drafted, so that nothing for a transfer is drafted or sent beside it, nor the reverse.
import { Refusal } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import { hasTransferUnderWay } from '#transfer/transfer.ts';
import { ATTEMPT, type SendAttempt } from './attempt.ts';

/**
 * Who drafts for a chain, or stores what was signed there, follows whoever did before, until the
 * transaction ends: what was looked at under it stays so.
 */
function lockTurns(tx: Tx, chain: ChainId): void {
  tx.send(sql`select pg_advisory_xact_lock(hashtextextended(${`turns ${chain}`}, 0))`);
}

/** For transfers that have not ended, and spends the same: it may land. */
export function listSameTurn(
  reader: Reader,
  chain: ChainId,
  spends: readonly string[],
): Promise<SendAttempt[]> {
  return ATTEMPT.select(
    reader,
    sql`where chain = ${chain} and spends && ${spends}::text[] and over_at is null
      and answered_at is null and ${hasTransferUnderWay(sql`transfer_ids`)} order by id`,
  );
}

const RESERVED: Readonly<Partial<Record<SendAttempt['kind'], string>>> = {
  CONVERSION: 'an order at the market (npx quittance treasury list)',
  TAKE_BACK: 'what takes back what nobody claimed (npx quittance send left)',
};

/** Drafted to take back what nobody claimed, and not known to be over. */
export function listTakingBack(reader: Reader): Promise<SendAttempt[]> {
  return ATTEMPT.select(reader, sql`where kind = 'TAKE_BACK' and over_at is null order by id`);
}

/**
 * What goes back to ourselves out of an account has its turn from when it is drafted: whoever was
 * shown it may have signed it. @throws Refusal conflict `draft_refused`
 */
export async function requireUnreserved(
  tx: Tx,
  { chain, spends }: Pick<SendAttempt, 'chain' | 'spends'>,
): Promise<void> {
  lockTurns(tx, chain);
  const found = await ATTEMPT.find(
    tx,
    sql`where chain = ${chain} and kind in ('CONVERSION', 'TAKE_BACK') and over_at is null
      and spends && ${spends}::text[] limit 1`,
  );
  if (found === undefined) return;
  throw new Refusal('conflict', 'draft_refused', [
    `${RESERVED[found.kind] ?? ''} was drafted at ${found.draftedAt} with the same sequence ` +
      'number: wait until it has landed or ended, half an hour at most',
  ]);
}
