// What pays a transfer all the same, whatever a person would say of it: it stands in the place of
// what carries that transfer.
import { Refusal } from '#base/refusal.ts';
import type { RecordedDeparture, RecordedPart } from '#chain/departure.ts';
import { decideParts, type Order } from './decide-parts.ts';

/**
 * It took the place of what carries a transfer, or the other one takes its own: whichever lands has
 * paid that transfer. @throws Refusal conflict
 */
export function requireNotReplacing(
  part: RecordedPart,
  rivals: readonly RecordedDeparture[],
): void {
  for (const rival of rivals) {
    const same = findSame(part, rival);
    if (same?.transferId === undefined) continue;
    throw new Refusal('conflict', 'departure_carries_transfer', [
      `it pays exactly what ${rival.transaction} pays for transfer ${same.transferId}, of which one ` +
        'lands: it is booked as that by itself',
    ]);
  }
}

/** Of what carries a transfer: to the same receiver, and as much. */
function findSame(part: RecordedPart, { parts }: RecordedDeparture): RecordedPart | undefined {
  return parts.find(
    (one) =>
      one.transferId !== undefined &&
      one.destination === part.destination &&
      one.assetId === part.assetId &&
      one.units === part.units,
  );
}

/**
 * A wallet may have sent another transaction in the place of one that a reorganisation undid; where
 * nothing shows what a transaction spends, it stands beside it. @throws Refusal conflict
 */
export function requireNotInPlace(part: RecordedPart, undone: readonly RecordedDeparture[]): void {
  for (const departure of undone) {
    const { transaction } = departure;
    const same = findSame(part, departure);
    if (same?.transferId === undefined) continue;
    throw new Refusal('conflict', 'departure_carries_transfer', [
      `it pays exactly what ${transaction} paid for transfer ${same.transferId} before a ` +
        `reorganisation undid that. If it took its place: npx quittance custody gone ` +
        `${transaction}, then npx quittance custody settle`,
    ]);
  }
}

/**
 * What was signed for one order pays that one, whatever a person would say of it: the watcher books
 * it as that. @throws Refusal conflict
 */
export function requireNotSigned(
  departure: Pick<RecordedDeparture, 'parts' | 'transaction' | 'spends'>,
  { number, transferId }: { readonly number: number; readonly transferId: string },
  orders: readonly Order[],
): void {
  const signed = orders.filter(({ transaction }) => transaction === departure.transaction);
  const known = decideParts(departure, signed).find(({ part }) => part.number === number);
  if (known?.transferId === undefined || known.transferId === transferId) return;
  throw new Refusal('conflict', 'departure_carries_transfer', [
    `it was signed for transfer ${known.transferId}, and is booked as that by itself`,
  ]);
}
