// The port to networks on which each payer has an address, and money is brought together.

/** What lies at one address of ours, and what moving it takes at most. */
type SweepHolding = {
  readonly address: string;
  readonly assetId: string;
  /** What is there for good and has not left. */
  readonly units: bigint;
  /** In the coin of the chain; undefined where the chain would refuse it now. */
  readonly costUnits: bigint | undefined;
};

type SweepSurvey = {
  readonly coinAssetId: string;
  readonly holdings: readonly SweepHolding[];
  /** Of giving an address the coins that it needs. */
  readonly topUpCostUnits: bigint;
};

/**
 * Brings together what lies at many addresses of ours, where each pays for itself only. Absent
 * where one account or any coins pay, or nobody said where to.
 */
export type Sweeper = {
  /** Where it is brought; canonical form. */
  readonly collectTo: string;
  /** The address of ours that gives coins to those which have none to pay with. */
  readonly gasAccount: string | undefined;
  /** From how many units on an address is emptied without being asked, by asset. */
  readonly above: ReadonlyMap<string, bigint>;
  /** Of these addresses; of all but the two above when undefined. @throws Refusal, Outage */
  survey(addresses: readonly string[] | undefined): Promise<SweepSurvey>;
};
