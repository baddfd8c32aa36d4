// What a network offers to whoever sends: part of the port (network.ts).

/** An output of ours that can be spent. */
export type UnspentOutput = {
  readonly creditKey: string;
  readonly destination: string;
  readonly units: bigint;
  /** Of the destination in its source; null of change, which nobody was given. */
  readonly sourceIndex: bigint | null;
  readonly confirmations: number;
};

/** What a network takes, in units of this asset. */
export type NetworkFee = { readonly assetId: string; readonly units: bigint };

/** What sending costs, for quotes: who asks does not wait for a node. */
export type SendingFees = {
  /** Asks the nodes again, once for all who want it; a failure is kept for `most`. */
  read(listUnspent: () => Promise<readonly UnspentOutput[]>): Promise<void>;
  /**
   * The most that the network takes for one payment of so much. Undefined where that is not known
   * of this asset. @throws Refusal unavailable `network_fee_unknown` that says why.
   */
  most(assetId: string, units: bigint): NetworkFee | undefined;
};

/** The wallet of a node, where the operator lets it sign what is drafted here. */
export type NodeWallet = {
  /** The setting that names it; those of its caps begin with the same words. */
  readonly setting: string;
  /** What leaves in one transaction and in any 24 hours, fees counted; in units of the coin. */
  readonly caps: { readonly perTransactionUnits: bigint; readonly perDayUnits: bigint };
  /** What was drafted, with its signatures; or what somebody has to do first. @throws Outage */
  sign(unsigned: string): Promise<{ readonly signed: string } | { readonly refused: string }>;
  /** What it is. @throws Outage, or Refusal that says what somebody has to do */
  check(): Promise<string>;
};
