// What a departure is for: a pure function. A transfer that a person sends is recognised by its
// receiver, its asset and its exact amount; each part carries at most one: what was signed so, then
// the oldest.
import type { RecordedDeparture, RecordedPart } from '#chain/departure.ts';

export type Order = {
  readonly transferId: string;
  /** As the watcher of its chain names the receiver; undefined where nothing is seen of it. */
  readonly destination: string | undefined;
  readonly assetId: string;
  readonly units: bigint;
  /** What was signed for it, where somebody has. */
  readonly transaction?: string | undefined;
};

/** What a part of which nobody said anything is for. */
type KnownPart = { readonly part: RecordedPart } & (
  | { readonly purpose: 'TRANSFER'; readonly transferId: string }
  | { readonly purpose: 'OUTSIDE'; readonly transferId?: undefined }
);

/**
 * `orders`: those that wait on the chain of the departure, oldest first. `collectTo`: where the
 * operator collects what he holds elsewhere, by the settings.
 */
export function decideParts(
  { parts, ...seen }: Pick<RecordedDeparture, 'parts' | 'transaction' | 'spends'>,
  orders: readonly Order[],
  collectTo?: string,
): KnownPart[] {
  const open = orders.toSorted((one, other) => rankOf(one, seen) - rankOf(other, seen));
  return parts.flatMap((part): KnownPart[] => {
    if (part.purpose !== undefined) return [];
    const index = open.findIndex(
      ({ destination, assetId, units }) =>
        destination === part.destination && assetId === part.assetId && units === part.units,
    );
    const [order] = index < 0 ? [] : open.splice(index, 1);
    if (order !== undefined) {
      return [{ part, purpose: 'TRANSFER', transferId: order.transferId }];
    }
    return part.destination === collectTo ? [{ part, purpose: 'OUTSIDE' }] : [];
  });
}

/**
 * Of two orders that look the same, the one that was signed so goes first, and one that was signed
 * otherwise last. What owners signed is named by the transaction that carries it out.
 */
function rankOf(
  { transaction: signed }: Order,
  { transaction, spends }: Pick<RecordedDeparture, 'transaction' | 'spends'>,
): number {
  if (signed === undefined) return 1;
  return signed === transaction || spends.includes(signed) ? 0 : 2;
}

type Reserved = { readonly assetId: string; readonly networkFeeUnits: bigint };

/**
 * What each of the transfers pays of the network fee: an equal share, as the difference of two
 * running totals that are rounded down, so that the shares add up to the fee to the unit; and never
 * more than was reserved for it, what goes beyond that is the house's. Undefined of one that pays
 * in another asset than the network took, and of all where nobody knows what it took.
 */
export function feeShares(
  { feeAssetId, feeUnits }: Pick<RecordedDeparture, 'feeAssetId' | 'feeUnits'>,
  transfers: readonly Reserved[],
): (bigint | undefined)[] {
  const sharing = transfers.filter(({ assetId }) => assetId === feeAssetId);
  let before = 0n;
  return transfers.map(({ assetId, networkFeeUnits }) => {
    if (feeUnits === undefined || assetId !== feeAssetId) return undefined;
    const [paid, next] = [before, before + 1n].map(
      (count) => (feeUnits * count) / BigInt(sharing.length),
    ) as [bigint, bigint];
    before += 1n;
    const share = next - paid;
    return share < networkFeeUnits ? share : networkFeeUnits;
  });
}

/** What the network took beyond what the transfers in it pay of it. */
export function restOfFee(
  { feeUnits = 0n }: Pick<RecordedDeparture, 'feeUnits'>,
  carried: readonly { readonly feeTakenUnits: bigint | undefined }[],
): bigint {
  return carried.reduce((rest, { feeTakenUnits = 0n }) => rest - feeTakenUnits, feeUnits);
}

export function carriedBy({ parts }: Pick<RecordedDeparture, 'parts'>): string[] {
  return parts.flatMap(({ transferId }) => (transferId === undefined ? [] : [transferId]));
}
