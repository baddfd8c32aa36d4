// One writer of the turns of an account: what goes back to ourselves out of it has its turn from
// when it is drafted, so that nothing for a transfer is drafted or sent beside it, nor the reverse.
import { Refusal } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import { type Reader, sql, type Tx } from '#db/db.ts';
import { hasTransferUnderWay } from '#transfer/transfer.ts';
import { readAskedOrder } from './asked-order.ts';
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

/** What it was drafted for, and what frees its turn. */
function reservedText({ kind, question, answeredAt, draftedAt }: SendAttempt): string {
  const drafted = `was drafted at ${draftedAt} with the same sequence number`;
  const wait = 'wait until it has landed or ended, half an hour at most';
  if (kind === 'TAKE_BACK') {
    return `what takes back what nobody claimed (npx quittance send left) ${drafted}: ${wait}`;
  }
  // A person was given it: what order it is for is not known here.
  if (question === undefined) {
    return `an order at the market (npx quittance treasury list) ${drafted}: ${wait}`;
  }
  // Each draft is an order of its own for the signer: behind the dot is when it ends.
  const [orderId = ''] = readAskedOrder(question).id.split('.');
  const isRefused = answeredAt !== undefined;
  return isRefused
    ? `order ${orderId} at the market ${drafted}, and the signer does not sign it (npx quittance ` +
        `treasury show ${orderId}): npx quittance treasury cancel ${orderId} --reason TEXT frees ` +
        `it at once; else ${wait}`
    : `order ${orderId} at the market (npx quittance treasury show ${orderId}) ${drafted}: ${wait}`;
}

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
  throw new Refusal('conflict', 'draft_refused', [reservedText(found)]);
}
