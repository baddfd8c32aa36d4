// Whether an order stays within what may leave in one transaction and in any 24 hours, where
// whoever signs has no caps of its own: a pure function. The fee counts. What was signed for the
// same order before counts once: only one of both lands.
import type { SignOrder } from '#signer/sign-order.ts';

type Caps = { readonly perTransactionUnits: bigint; readonly perDayUnits: bigint };
type Capped = Pick<SignOrder, 'id' | 'feeUnits'> & {
  readonly payments: readonly Pick<SignOrder['payments'][number], 'units'>[];
};
/** Which cap it exceeds, and by what: what leaves with it, in this transaction or in a day. */
type Exceeded = { readonly cap: 'transaction' | 'day'; readonly units: bigint };

/** `signed`: within the last 24 hours. */
export function decideCaps(
  order: Capped,
  signed: readonly Capped[],
  { perTransactionUnits, perDayUnits }: Caps,
): Exceeded | undefined {
  const units = leavingUnits(order);
  if (units > perTransactionUnits) return { cap: 'transaction', units };
  const byOrder = new Map([[order.id, units]]);
  for (const one of signed) {
    const known = byOrder.get(one.id) ?? 0n;
    const leaving = leavingUnits(one);
    byOrder.set(one.id, leaving > known ? leaving : known);
  }
  const inDay = [...byOrder.values()].reduce((sum, one) => sum + one, 0n);
  return inDay > perDayUnits ? { cap: 'day', units: inDay } : undefined;
}

function leavingUnits({ payments, feeUnits }: Capped): bigint {
  return payments.reduce((sum, { units }) => sum + units, feeUnits);
}
