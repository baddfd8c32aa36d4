// What a wallet may have sent already, beside what is signed here: money that left since an order
// stands, of which nobody knows yet what it was for, and that is exactly what the order pays.
import { Refusal } from '#base/refusal.ts';
import { listUndecided } from '#chain/departure.ts';
import type { Reader } from '#db/db.ts';
import type { Transfer } from '#transfer/transfer.ts';
import { listTransactionsOf, type SendAttempt } from './attempt.ts';

type Signing = Pick<SendAttempt, 'chain' | 'transferIds' | 'spends'>;

/**
 * Until it is known whether that was this order, nothing else is signed for it: both would be paid.
 * What spends the same as `signing` cannot land beside it, and what was signed here for the same
 * order is looked at elsewhere (decide-rivals.ts).
 * @throws Refusal conflict `departure_carries_transfer`
 */
export async function requireNotLeft(
  reader: Reader,
  { chain, transferIds, spends }: Signing,
  transfers: readonly Transfer[],
): Promise<void> {
  const since = transfers
    .flatMap(({ committedAt }) => committedAt ?? [])
    .reduce((one, other) => (Temporal.Instant.compare(other, one) < 0 ? other : one));
  const undecided = await listUndecided(reader, chain, since);
  if (undecided.length === 0) return;
  const ours = await listTransactionsOf(reader, transferIds);
  for (const { transaction, spends: spent, parts } of undecided) {
    if (ours.has(transaction) || spent.some((one) => spends.includes(one))) continue;
    const paid = transfers.find(({ assetId, targetUnits }) =>
      parts.some(
        (part) =>
          part.purpose === undefined && part.assetId === assetId && part.units === targetUnits,
      ),
    );
    if (paid === undefined) continue;
    throw new Refusal('conflict', 'departure_carries_transfer', [
      `${transaction} has left and pays exactly what ${paid.id} pays: if it is that, wait a ` +
        'minute, or say so with npx quittance custody settle; if it is something else, say what ' +
        'with npx quittance custody explain',
    ]);
  }
}
