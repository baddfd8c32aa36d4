// Which transfers go together in one transaction: a pure function. Whatever waits at this moment
// goes at once, up to what one transaction carries; nobody waits for others. What the signer was
// asked for before goes alone, so that one order it does not sign holds up no other.
export type WaitingTransfer = {
  readonly id: string;
  readonly assetId: string;
  /** Nobody was ever asked to sign it. */
  readonly isFresh: boolean;
};

/** `first` and what goes with it, the oldest first. `most`: what one transaction carries. */
export function decideBatch(
  first: WaitingTransfer,
  waiting: readonly WaitingTransfer[],
  most: number,
): readonly string[] {
  if (!first.isFresh) return [first.id];
  const others = waiting.filter(
    ({ id, assetId, isFresh }) => isFresh && id !== first.id && assetId === first.assetId,
  );
  return [first, ...others].slice(0, most).map(({ id }) => id);
}
