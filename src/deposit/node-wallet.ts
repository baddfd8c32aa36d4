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
