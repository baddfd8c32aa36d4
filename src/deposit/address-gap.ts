/** Destinations that are looked at for a gap: more than a wallet would be set to look ahead. */
export const GAP_LOOKED_AT = 5_000n;

export type AddressGap = {
  /** Destinations handed out. */
  readonly issued: bigint;
  /**
   * Those handed out after the last that was paid: a wallet must look so far ahead. Counted to
   * `GAP_LOOKED_AT`.
   */
  readonly unpaidInARow: bigint;
};
