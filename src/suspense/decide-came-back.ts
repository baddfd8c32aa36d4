// Whether money in suspense that a network calls a transfer of ours sent back is that transfer, and
// where it goes. Pure: the caller holds the locks.
import type { Suspense } from '#settle/suspense.ts';
import type { Transfer } from '#transfer/transfer.ts';

type CameBack =
  /** To where the transfer took it from. */
  | { readonly kind: 'book' }
  /** The transfer took it out of suspense, where it is again. */
  | { readonly kind: 'stays' }
  /** What says that the transfer left is not booked yet. */
  | { readonly kind: 'wait' }
  /** Nobody but a person can say what it is. */
  | { readonly kind: 'person'; readonly why: string };

export function decideCameBack(
  suspense: Pick<Suspense, 'environment' | 'network' | 'assetId' | 'units'>,
  transfer: Transfer | undefined,
): CameBack {
  const person = (why: string): CameBack => ({ kind: 'person', why });
  if (transfer === undefined) return person('there is no such transfer');
  const isSame = (['environment', 'network', 'assetId'] as const).every(
    (field) => suspense[field] === transfer[field],
  );
  if (!isSame) return person('that transfer was sent elsewhere, or in another currency');
  const { state, source, targetUnits, units } = transfer;
  if (state === 'TO_SEND' || state === 'SUBMITTED') return { kind: 'wait' };
  if (state !== 'COMPLETED') return person(`that transfer is ${state}`);
  if (suspense.units > targetUnits) return person('it is more than was sent');
  if (source === 'merchant:available') return { kind: 'book' };
  // A payment that is not whole cannot pay its checkout again.
  if (source === 'merchant:pending' && suspense.units !== units) {
    return person('less came back than was taken from the checkout');
  }
  return { kind: source === 'merchant:pending' ? 'book' : 'stays' };
}
