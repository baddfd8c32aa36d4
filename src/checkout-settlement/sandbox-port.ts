// What the simulated networks can be told to do, as api, pages and command line see it; the acts
// live in networks/sandbox, which none of them may import. What a merchant does happens to his own
// test payments alone, and without an owner (the operator) to everybody's; a checkout of somebody
// else is a Refusal `checkout_missing`.
import type { Owner } from '#catalog/owner.ts';
import type { Db } from '#db/db.ts';

export type SandboxPayment = {
  readonly network: string;
  readonly assetId: string;
  /** Whole coins as the customer sees them (SAT on Lightning). */
  readonly amount: string;
  readonly transaction: string;
};

export type SandboxPayInput = {
  readonly checkoutId: string;
  /**
   * Network id; the committed one, or the first offered, when absent. Commits first when needed.
   */
  readonly network: string | undefined;
  readonly asset: string | undefined;
  /** Text of a number above zero; what is still required when absent. */
  readonly amount: string | undefined;
  /** In how many transactions: 1 to 20. */
  readonly parts: number;
  /** Another asset of the network than was asked for, sent to the same place; needs an amount. */
  readonly inAsset?: string | undefined;
  /** No block takes it before that, where payments wait for blocks: it is to be replaced. */
  readonly heldUntil?: Temporal.Instant | undefined;
};

/** A deposit address asks for nothing: the amount is the payer's. */
export type SandboxDepositInput = {
  readonly depositAddressId: string;
  /** Another asset of the network than the address is for; that one when absent. */
  readonly asset: string | undefined;
  /** Text of a number above zero. */
  readonly amount: string;
  readonly parts: number;
};

export type SandboxTip = {
  readonly network: string;
  readonly height: bigint;
  readonly hash: string;
};

/** How a simulated network is for one merchant. */
export type SimulatedChain = {
  readonly network: string;
  /** Zero before its first block. */
  readonly height: bigint;
  /** Blocks come by themselves; else each payment is a block of its own. */
  readonly hasSchedule: boolean;
  /** Its node is silent until then; undefined: it answers. */
  readonly silentUntil: Temporal.Instant | undefined;
};

/** `owner`: of the key at the api, of the checkout itself on its page. */
export type SandboxPort = {
  /** Its payments belong to that transaction: they are sent when it is committed, or not at all. */
  within(db: Db): Pick<SandboxPort, 'pay' | 'payAddress'>;
  /** In the order of their names. */
  list(owner: Owner): Promise<readonly SimulatedChain[]>;
  pay(owner: Owner, input: SandboxPayInput): Promise<readonly SandboxPayment[]>;
  payAddress(owner: Owner, input: SandboxDepositInput): Promise<readonly SandboxPayment[]>;
  /**
   * Makes blocks, on every simulated network when none is named. With an owner his payments, or
   * those of one thing of his, are mined and so much deeper, and where he has none nothing
   * happens.
   */
  mine(
    owner: Owner | undefined,
    input: {
      readonly network: string | undefined;
      readonly blocks: number;
      /** Of one checkout or deposit address. */
      readonly purposeId?: string | undefined;
    },
  ): Promise<readonly SandboxTip[]>;
  /** Replaces the unconfirmed payment of the checkout by one that pays somebody else, or nobody. */
  replace(owner: Owner, input: { readonly checkoutId: string }): Promise<readonly SandboxPayment[]>;
  /**
   * Undoes `depth` blocks: the payments of the owner in them, or of one thing of his, are gone;
   * what others were paid stands where it stood. Everybody's when there is no owner.
   */
  reorg(
    owner: Owner | undefined,
    input: {
      readonly network: string;
      readonly depth: number;
      readonly purposeId?: string | undefined;
    },
  ): Promise<SandboxTip>;
  /**
   * As if so much time had passed: his payments get the blocks of that time, and windows of his
   * checkouts end so much earlier. Gives how many windows were moved.
   */
  advance(owner: Owner, input: { readonly minutes: number }): Promise<number>;
  /** One step of every payer that acts by itself; how many acted. */
  play(): Promise<number>;
  /** Ends the payment window now. */
  expire(owner: Owner, input: { readonly checkoutId: string }): Promise<void>;
  /**
   * No block and no answer from the network's node for so long. Where there are other merchants it
   * is silent for the owner alone: his payments that are not mined are neither seen nor mined.
   */
  freeze(
    owner: Owner | undefined,
    input: { readonly network: string; readonly seconds: number },
  ): Promise<void>;
};
