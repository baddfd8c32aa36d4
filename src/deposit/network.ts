// The port between the service and the networks it watches, in two halves. A payee says where money
// for us may be sent: pure for derived addresses, memos, tags and references, so that a simulated
// network has the one of the real network. A watcher says what the chain shows: it reports facts in
// order, never decides what a payment means, never touches the ledger, and may be asked the same
// thing any number of times: recording is idempotent (record-observation.ts). Streams and
// notifications are hints; `observe` is the truth. Who needs one half asks for that one.

import type { ChainId } from '#catalog/chain.ts';
import type { Authorizations } from './authorized-transfer.ts';
import type {
  ConsolidationOrder,
  DraftedPsbt,
  DraftedTransaction,
  DraftOrder,
  DraftPayment,
  InstructionField,
  InvoicePayer,
  NodeWallet,
  OrderFile,
  ReplaceMoveOrder,
  Sender,
  SendingFees,
  SpeedUpOrder,
  Sweeper,
} from './money-out.ts';

export type BlockReference = { readonly height: bigint; readonly hash: string };

export type Block = BlockReference & {
  readonly parentHash: string;
  /** Time the block states. A fact about the chain, never a deadline of ours. */
  readonly minedAt: Temporal.Instant;
  /** Everything in the block that could be for us, in order. */
  readonly arrivals: readonly Arrival[];
  /** What leaves us in the block, where the network names senders; else found by what is spent. */
  readonly departures?: readonly Departure[];
};

/** One movement of value to one destination, as the network shows it. */
export type Arrival = {
  /** What can be credited once for ever (money.md, credit key), unique within the chain. */
  readonly creditKey: string;
  readonly transaction: string;
  /** Canonical form of where it arrived; matched with `deposit_instruction.destination`. */
  readonly destination: string;
  readonly assetId: string;
  /** Smallest units of the asset, above zero: what arrived, never what was asked. */
  readonly units: bigint;
  /** Outpoints spent by the transaction, where the network has them; to recognise replacement. */
  readonly spends: readonly string[];
  /** Depth below which nobody can spend it (a peg-out), whatever its value needs. */
  readonly leastConfirmations?: number | undefined;
  /** True when the destination is ours even if nobody was given it: suspense if unmatched. */
  readonly ours: boolean;
  /** Why it cannot be told whose it is, in a sentence for a person; nearly never. */
  readonly remark?: string | undefined;
  /** The transfer of ours that it brings back, as far as the network says. */
  readonly transferId?: string | undefined;
};

/** What one receiver gets of a transaction of ours. */
export type DeparturePart = {
  /** Names it within the chain: the output, where the network has outputs. */
  readonly creditKey: string;
  /** Canonical form, with the memo or tag (`destinationOf`). */
  readonly destination: string;
  readonly assetId: string;
  readonly units: bigint;
  /** What the same operation really gave us for it, where the network itself converts. */
  readonly got?: { readonly assetId: string; readonly units: bigint } | undefined;
  /** Where it waits until the receiver fetches it. */
  readonly claimable?: ClaimableLeft | undefined;
};

/** Money that lies for its receiver to fetch. */
export type ClaimableLeft = {
  /** By which the receiver finds it. */
  readonly id: string;
  /** From when on we may take it back; undefined where we never may. */
  readonly reclaimableAt: Temporal.Instant | undefined;
};

/** A transaction that moves money of ours away; also one that failed and cost a fee. */
export type Departure = {
  readonly transaction: string;
  /** What only one transaction can spend and this one names, where the network has no outputs. */
  readonly spends?: readonly string[];
  readonly parts: readonly DeparturePart[];
  /** What the network took from us, in its asset; undefined when that cannot be told. */
  readonly fee: { readonly assetId: string; readonly units: bigint | undefined };
};

/** Outpoints spent by a transaction that may conflict with one we saw. */
export type Spend = {
  readonly transaction: string;
  readonly spends: readonly string[];
  /** Height of the block that holds it; absent while it is unconfirmed. */
  readonly height?: bigint | undefined;
  /** What it pays to scripts that we never hand out: nobody's payment to us. */
  readonly others?: readonly DeparturePart[];
};

/** What the service already knows about the chain, read in one query before each step. */
export type Position = {
  /** Last block recorded; undefined before the first step ever. */
  readonly cursor: BlockReference | undefined;
  /** Recent recorded blocks, highest first, for the walk back to the common ancestor. */
  readonly recent: readonly BlockReference[];
  /**
   * Transactions recorded as unconfirmed, of which the adapter says whether they still stand: all,
   * or where there are very many a part, another one with each step.
   */
  readonly unconfirmed: readonly string[];
};

/**
 * One bounded step: first undo, then extend, then the unconfirmed picture.
 * `blocks` is contiguous from the cursor (or from `rollbackTo`). `unconfirmed` and `gone` are given
 * only when the step reached the tip, for the mempool as it was on top of that tip; `spends` of the
 * blocks always. On the first step ever (no cursor) `blocks` may hold the last few blocks up to the
 * tip, with empty `arrivals`: where to walk back to when the very first tip is reorganised away.
 */
export type Observation = {
  readonly identity: string;
  readonly tip: BlockReference;
  /** Common ancestor, when recorded blocks above it are no longer in the best chain. */
  readonly rollbackTo: BlockReference | undefined;
  readonly blocks: readonly Block[];
  readonly unconfirmed: readonly Arrival[];
  /** Of `Position.unconfirmed`: no longer in the mempool and not in a block up to the tip. */
  readonly gone: readonly string[];
  /** What unconfirmed transactions and the given blocks spend, where ours could conflict. */
  readonly spends: readonly Spend[];
  /** False when more blocks are waiting: the caller asks again at once. */
  readonly complete: boolean;
  /**
   * Other chains on which the same destinations exist: money of ours that nobody asked for here may
   * have been meant for an instruction there.
   */
  readonly siblings?: readonly ChainId[] | undefined;
  /**
   * What was unconfirmed may have come from another node, which lied: what a block says about the
   * same credit key takes its place as long as nothing was credited. It is an alarm all the same.
   */
  readonly correctsSeen?: boolean | undefined;
  /** Of the destinations observed: those that our key derives and nobody is given (change). */
  readonly change?: ReadonlySet<string> | undefined;
  /** Why the operator should look before more is trusted, where the adapter can tell. */
  readonly brake?: readonly BrakeCause[] | undefined;
};

/** Something that is not as it should be, for which the brake of a chain is on. */
export type BrakeCause = {
  readonly kind: 'slow-blocks' | 'competing-branch' | 'missing-statement' | 'wrong-statement';
  /** Which of its kind: with another name it is another cause. */
  readonly what: string;
  /** A whole number; the same cause is worse with a higher one. */
  readonly degree: number;
  /** A sentence for the operator. */
  readonly reason: string;
};

/** Whose account it is: payers of banks are asked for it. */
export type AccountHolder = { readonly holder: string; readonly bic: string | undefined };

export type DestinationRequest = {
  /**
   * Number from the address source: derivation index, memo or tag. Never given twice; 0 where a
   * node is asked, which numbers itself.
   */
  readonly index: bigint;
  readonly assetId: string;
  readonly units: bigint;
  /** Stable id: asking twice with it gives the same invoice (Lightning). */
  readonly instructionId: string;
  readonly expiresAt: Temporal.Instant;
  /** The invoice holds the SHA-256 of it instead of a description (BOLT 11, tag h; LUD-06). */
  readonly hashedDescription?: string | undefined;
  /** What the payer is told to send where somebody on the way keeps a part (`passage`). */
  readonly askedUnits?: bigint | undefined;
};

export type Destination = {
  /** Canonical form, what arrivals are matched by. */
  readonly destination: string;
  /** What the customer is shown. */
  readonly address: string;
  readonly memo: string | undefined;
  readonly memoType: string | undefined;
  readonly destinationTag: bigint | undefined;
};

/**
 * How much is to be sent so that enough arrives, where somebody on the way keeps a part (the fee of
 * an anchor). `arrivingUnits` is not less than what was asked for, and asking for it again gives
 * the same `askedUnits`.
 */
export type Passage =
  | { readonly kind: 'passes'; readonly askedUnits: bigint; readonly arrivingUnits: bigint }
  | { readonly kind: 'refused'; readonly reason: string };

export type Payee = {
  readonly chain: ChainId;
  /** Public text that names where destinations come from (descriptor); shown to the operator. */
  readonly addressSource: string;
  /**
   * Whose counter the source has where several chains share one, so that no two of them hand out
   * the same destination. The chain's own when absent.
   */
  readonly addressSourceOwner?: ChainId | undefined;
  /**
   * Where the index of a source that is new in this database may begin. A database that is begun
   * anew for the same account must not give out what customers of the one before still pay to.
   * 0 when absent: there wallets look for what was derived first.
   */
  readonly firstIndexes?: { readonly least: bigint; readonly below: bigint } | undefined;
  /** Where a payer has to name it. */
  readonly accountHolder?: AccountHolder | undefined;
  /** True where destinations come from a node: it is asked before a transaction opens. */
  readonly asksNode?: boolean;
  /** The chain that invoices (BOLT 11) name in their first letters. */
  readonly invoicePrefix?: string;
  /** LUD-16: an address that answers an invoice for each payment; `fault`: why there is none. */
  readonly addressInvoices?: { readonly fault: string | undefined };
  /** Absent where what is sent arrives whole. Answered from memory. */
  passage?(assetId: string, units: bigint): Passage;
  /**
   * Pure for derived addresses, memos and tags. An adapter that must ask a node (Lightning) says
   * so in `asksNode`. Throws Outage when the node cannot be asked.
   */
  openDestination(request: DestinationRequest): Destination | Promise<Destination>;
  /** Canonical form of an address typed by a person; undefined when it is not one of ours. */
  canonicalAddress(address: string): string | undefined;
  /**
   * As the parts of a departure name whoever has this account (api-contract.md 8). Absent where
   * nothing is seen of what leaves.
   */
  destinationOf?(account: Readonly<Record<string, string>>, transferId: string): string | undefined;
  /** What a person types to send it, where no wallet opens a link; undefined: not sent here. */
  instruct?(payment: DraftPayment): readonly InstructionField[] | undefined;
  /**
   * BIP-321, EIP-681, SEP-7, BOLT 11, XRPL: what a wallet opens and the QR code holds. Without
   * units the payer chooses the amount.
   */
  paymentUri(destination: Destination, assetId: string, units: bigint | undefined): string;
  /**
   * Writes outside the database that this index is given out now (given-out.ts); to be waited for
   * before it is shown. Absent where nothing of value is received. @throws Outage
   */
  keepIndex?(index: bigint): Promise<void>;
};

/** A way that is set up and not offered now, and why; for the merchant. */
export type ClosedWay = { readonly assetId: string; readonly reason: string };

export type NetworkHealth = {
  readonly chain: ChainId;
  readonly description: string;
  readonly nodeVersion: string | undefined;
  readonly lastHeardAt: Temporal.Instant | undefined;
  readonly lastError: string | undefined;
  /** What the operator should change so that less goes wrong; shown by `doctor`. */
  readonly advice?: readonly string[];
};

/** What a chain shows at our destinations, never what waits to be mined. */
export type Holdings = {
  /** The last block that is counted; its hash where another branch may have the same height. */
  readonly upTo: { readonly height: bigint; readonly hash?: string };
  /** By asset. */
  readonly units: ReadonlyMap<string, bigint>;
};

/** What a payer signs in a wallet that does not put together by itself what it signs. */
export type PayerOrder = {
  /** Of the payer: his account, as his wallet names it. */
  readonly account: string;
  readonly receiver: Pick<Destination, 'address' | 'memo' | 'memoType'>;
  readonly assetId: string;
  readonly units: bigint;
  /** No block that is later takes it. */
  readonly until: Temporal.Instant;
};

export type PayerDraft =
  | {
      readonly unsigned: string;
      /** By which the network will know it; what differs in anything has another. */
      readonly transaction: string;
      /** What the wallet has to be on, in the words of the network. */
      readonly networkName: string;
    }
  /** The account has less, of what is paid or of what the network takes. */
  | {
      readonly short: { readonly assetId: string; readonly held: bigint; readonly needed: bigint };
    };

export type PayerTransactions = {
  /** @throws Refusal of what can never be paid so. @throws Outage */
  draft(order: PayerOrder): Promise<PayerDraft>;
  /** By which the network knows what is signed. @throws Refusal of what is none. */
  nameOf(signed: string): string;
  /** Undefined once it is in a block; else why the network refuses it. @throws Outage */
  send(signed: string): Promise<string | undefined>;
};

export type Watcher = {
  readonly chain: ChainId;
  /** What `observe` will call the chain, where the settings say it: genesis hash, network id. */
  readonly identity?: string | undefined;
  /** Assets that can be received on it now. */
  receivableAssets(): readonly string[];
  /**
   * The most that can be received in one payment now, where the network itself has a limit
   * (Lightning: inbound capacity). Throws Outage when it is not known.
   */
  receivableUnitsMost?(assetId: string): Promise<bigint>;
  /** Set up, and not among the `receivableAssets` now for a reason worth telling. */
  closedWays?(): readonly ClosedWay[];
  /** What may be held, where other assets are offered now. */
  heldAssets?(): readonly string[];
  /** Refuses (throws) a node of another chain: genesis hash or chain id is compared. */
  checkIdentity(): Promise<void>;
  observe(position: Position): Promise<Observation>;
  /** Returns when the node says that something happened, or after `ms`. */
  waitForHint(ms: number, signal: AbortSignal): Promise<void>;
  health(): NetworkHealth;
  /**
   * For indexes below `issued`, up to `cursor`, the last block recorded; up to the node's last one
   * where it tells of no other. May take minutes. Absent where nobody can tell. @throws Outage
   */
  holdings?(issued: bigint, cursor: BlockReference): Promise<Holdings>;
  /**
   * The block of the best chain at that height, where it can be gone back to: the blocks above are
   * there to be read. Absent where blocks are final. @throws Outage
   */
  blockReferenceAt?(height: bigint): Promise<BlockReference | undefined>;
  /**
   * One transaction for all of these payments, unsigned. Absent where whoever sends puts them
   * together. @throws Refusal conflict that says what is missing. @throws Outage
   */
  draft?(order: DraftOrder): Promise<DraftedTransaction>;
  /**
   * Small coins of ours as one, unsigned. Absent where there are no coins. @throws Refusal conflict
   * that says why it is not worth it. @throws Outage
   */
  consolidate?(order: ConsolidationOrder): Promise<DraftedPsbt>;
  /**
   * What spends a payment to us that waits, and pays for both, unsigned. @throws Refusal conflict
   * that says why it cannot be. @throws Outage
   */
  speedUp?(order: SpeedUpOrder): Promise<DraftedPsbt>;
  /**
   * The same coins once more to ourselves with a higher fee, unsigned. @throws Refusal conflict
   * that says why it cannot be. @throws Outage
   */
  replaceMove?(order: ReplaceMoveOrder): Promise<DraftedPsbt>;
  /** A file of orders, absent where banks share none. @throws Refusal of what it cannot say. */
  orderFile?(file: OrderFile): string;
  /** Absent where whoever signs also sends. */
  readonly sender?: Sender;
  /** Several sign what is paid, and whom the settings name signs our own moves only. */
  readonly isCosigned?: boolean;
  /** The address of ours that sends what several have signed; absent: a person does. */
  readonly carriesFrom?: string | undefined;
  readonly wallet?: NodeWallet;
  readonly sweeper?: Sweeper | undefined;
  /** Absent where the network takes nothing. */
  readonly sendingFees?: SendingFees;
  readonly payer?: InvoicePayer;
  /** Absent where wallets of payers put together by themselves what they sign. */
  readonly payerTransactions?: PayerTransactions | undefined;
  /** Absent where payers sign nothing that somebody else sends. */
  readonly authorizations?: Authorizations;
  /** Lets go of what the adapter keeps of the blocks above, before they are read again. */
  forgetAbove?(height: bigint): Promise<void>;
  /**
   * The highest index of the source, from this one on and as far as one question goes, at which
   * the chain shows money; undefined when there is none. May take minutes. Absent where the chain
   * cannot be asked. @throws Outage
   */
  usedIndex?(from: bigint): Promise<bigint | undefined>;
  close(): Promise<void>;
};

export type Network = Payee & Watcher;
