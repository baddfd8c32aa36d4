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

/** What an operator allows to be paid by itself, in units of the asset. */
export type PayLimits = { readonly paymentUnits: bigint; readonly dayUnits: bigint };

/** An invoice somebody gave us to pay, found to be whole and what was ordered. */
export type PayableInvoice = {
  /** In its one spelling. */
  readonly invoice: string;
  /** 64 hexadecimal digits. */
  readonly paymentHash: string;
  readonly expiresAt: Temporal.Instant;
  /** Whose SHA-256 stands in the invoice, where it was told beside it (LUD-06). */
  readonly description: string | undefined;
};

export type PaymentOrder = Pick<PayableInvoice, 'invoice' | 'paymentHash' | 'description'> & {
  /** What the receiver gets. */
  readonly units: bigint;
  /** Most that the network may take beside it. */
  readonly feeUnitsMost: bigint;
};

export type InvoicePayment =
  /** Never heard of, or given up: nothing of it is in flight. `reason` in the words of the node. */
  | { readonly kind: 'none'; readonly reason: string | undefined }
  /** HTLCs may be in flight. */
  | { readonly kind: 'under-way' }
  | {
      readonly kind: 'paid';
      /** What was paid is proven by it. */
      readonly preimage: string;
      /** What the network took, rounded up. */
      readonly feeUnits: bigint;
    };

/**
 * The node that pays invoices (BOLT 11). `pay` may be called any number of times for one invoice
 * and pays it once, because the node knows payments by their hash; `findPayment` is the truth,
 * whatever became of a call. That a node lies is not found out, but for a preimage.
 */
export type InvoicePayer = {
  /** Undefined: the operator has not switched it on. */
  readonly limits: PayLimits | undefined;
  /**
   * The invoice of an account, for exactly these units: the one it holds, or a new one of its
   * Lightning address or LNURL. @throws Refusal conflict `invoice_refused` that says why it cannot
   * be paid now, `invoice_expired`. @throws Outage of the node
   */
  openInvoice(account: Readonly<Record<string, string>>, units: bigint): Promise<PayableInvoice>;
  /**
   * Orders the node to pay. Returns when the node has taken the order, and then what becomes of it
   * is asked. @throws Refusal conflict `payment_refused` in the words of the node.
   * @throws Outage: the order may have arrived or not.
   */
  pay(order: PaymentOrder): Promise<void>;
  /** @throws Outage */
  findPayment(order: Pick<PaymentOrder, 'paymentHash' | 'units'>): Promise<InvoicePayment>;
};

/** How long a node goes on trying after it was told to pay. */
export const PAYING_SECONDS = 60;

/** What a person is to send, to somebody else's account. */
export type DraftPayment = {
  readonly transferId: string;
  readonly account: Readonly<Record<string, string>>;
  readonly assetId: string;
  /** What the receiver gets. */
  readonly units: bigint;
  /**
   * To ourselves, as another asset, at the market of the network: at least so much of it or
   * nothing. The account is then ours, whatever `account` says.
   */
  readonly exchange?: { readonly assetId: string; readonly leastUnits: bigint } | undefined;
  /** To ourselves, out of where it was left for a receiver who never fetched it. */
  readonly takesBack?: { readonly claimableId: string } | undefined;
};

/** To be copied by itself into a page of a bank; one line. */
export type InstructionField = { readonly label: string; readonly value: string };

export type DraftOrder = {
  readonly payments: readonly DraftPayment[];
  readonly unspent: readonly UnspentOutput[];
  /** What transactions spend that are signed and can still land, but for the replaced one. */
  readonly taken: ReadonlySet<string>;
  /** Units for a virtual byte; gwei for each gas, at most. What the node estimates when absent. */
  readonly feeRate: bigint | undefined;
  /** The address of ours that pays, where there are several. */
  readonly from: string | undefined;
  /** Terms of what was signed for these payments and can still land: only one of both may. */
  readonly replaces: string | undefined;
  /** What would be spent by what is drafted and not signed, for these payments and for others. */
  readonly drafted?: { readonly own: ReadonlySet<string>; readonly others: ReadonlySet<string> };
  /** What owners have signed, for `from` to send, in the place of payments. */
  readonly carries?: SignedExecution['call'] | undefined;
};

/** Put together here, and signed elsewhere. */
export type DraftedTransaction = DraftedPsbt | DraftedPayment;

/** What is kept of a draft, to know again what was made of it. */
type Signable = {
  /** Text of the adapter's own. */
  readonly terms: string;
  /** What only one transaction can spend: outputs, the nonce or sequence number of an account. */
  readonly spends: readonly string[];
};

/** One payment out of an account. */
export type DraftedPayment = Signable & {
  readonly format: 'transaction';
  /** As signers of the network take it. */
  readonly text: string;
  /** The same for wallets that take fields. */
  readonly json: object | undefined;
  /** What wallets open, who put the transaction together themselves then. */
  readonly links: readonly string[];
  readonly from: string;
  /** Nonce or sequence number. */
  readonly sequence: bigint;
  /** Most that the network takes, in its coin. */
  readonly feeUnits: bigint;
  readonly feeAssetId: string;
  /** When it can no longer land; undefined: as long as nothing else takes its place. */
  readonly until: string | undefined;
  /** The receiver has to fetch it; from then on we may take it back. */
  readonly reclaimableAt?: string | undefined;
  /** Several have to sign it, and whoever sends it then pays what the network takes. */
  readonly signers?: {
    /** The hash that they sign. */
    readonly digest: string;
    readonly needed: number;
    readonly owners: readonly string[];
  };
};

export type DraftedPsbt = Signable & {
  readonly format: 'PSBT';
  readonly text: string;
  /** The same for wallets that scan codes from a screen. */
  readonly frames: readonly string[];
  readonly feeUnits: bigint;
  /** What comes back to us. */
  readonly changeUnits: bigint;
  readonly inputs: number;
  readonly virtualSize: number;
};

/** Many small coins of ours that are to be one. */
export type ConsolidationOrder = Pick<DraftOrder, 'unspent' | 'feeRate'> & {
  /** Spent at once. */
  readonly most: number;
  /** Only those that hold less; all when undefined. */
  readonly belowUnits: bigint | undefined;
};

/** What moves coins of ours to ourselves, was signed, and waits with too low a fee. */
export type ReplaceMoveOrder = Pick<DraftOrder, 'unspent' | 'feeRate'> & {
  readonly transaction: string;
  /** Its terms. */
  readonly replaces: string;
};

/** A payment to us that waits, and is to be mined sooner. */
export type SpeedUpOrder = Pick<DraftOrder, 'unspent' | 'feeRate'> & {
  readonly transaction: string;
  /** What it pays us. */
  readonly outputs: readonly UnspentOutput[];
  /** What spends it back to us already, waits as well, and pays too little itself. */
  readonly replaces: readonly string[];
};

/** Orders to a bank, which its own pages or an EBICS program take. */
export type OrderFile = {
  /** The bank names the file by it (pain.002), and takes a file of one name once. */
  readonly messageId: string;
  readonly createdAt: Temporal.Instant;
  readonly payments: readonly DraftPayment[];
};

/** What came back for a draft. */
export type ReturnedDraft = {
  readonly payments: readonly DraftPayment[];
  readonly terms: string;
  /** As it lay in the file: text, or the bytes themselves. */
  readonly returned: Uint8Array;
  /** As `DraftOrder` has it. */
  readonly carries?: SignedExecution['call'] | undefined;
};

export type SignedSending = {
  /** As the network takes it. */
  readonly signedTransaction: string;
  /** By which the network knows it. */
  readonly transaction: string;
};

/** Of one of several who sign the same. */
export type OwnerSignature = {
  /** As the network names it. */
  readonly owner: string;
  /** As the network takes it. */
  readonly signature: string;
};

/** What several have signed so far. */
export type Cosigned = {
  /** The hash that they sign. */
  readonly digest: string;
  /** What was not known before. */
  readonly entered: readonly OwnerSignature[];
  /** Everybody who signed it. */
  readonly signedBy: readonly string[];
  readonly needed: number;
  /** Undefined until enough have. */
  readonly sending: SignedSending | undefined;
};

/** What no node takes as it is, and anybody may send in a transaction of his own. */
export type SignedExecution = {
  /** As wallets take it. */
  readonly call: Readonly<Record<'chainId' | 'to' | 'value' | 'data', string>>;
  /** The contract of its owners, and the nonce of that. */
  readonly turn: { readonly address: string; readonly nonce: bigint };
  /** Why it would fail now. */
  readonly against: string | undefined;
};

/** Takes back what was drafted here and signed elsewhere, and hands it to the network. */
export type Sender = {
  /**
   * @throws Refusal `signed_transaction_invalid` when it is none, `signed_transaction_differs` with
   * a sentence for each difference from what was drafted. @throws Outage
   */
  readSigned(returned: ReturnedDraft): Promise<SignedSending>;
  /**
   * The same where several sign: one signature or some. `before`: what was entered of this hash.
   * Undefined of a draft that one key signs. @throws Refusal `signed_transaction_invalid`, Outage
   */
  cosign?(
    returned: ReturnedDraft,
    before: (digest: string) => Promise<readonly OwnerSignature[]>,
  ): Promise<Cosigned | undefined>;
  /** Of what these terms have; undefined where `broadcast` sends it. @throws Outage */
  executionOf?(terms: string, sending: SignedSending): Promise<SignedExecution | undefined>;
  /**
   * Any number of times: one that the network knows already is sent.
   * @throws Refusal conflict `transaction_not_taken` in the words of the node. @throws Outage
   */
  broadcast(sending: SignedSending): Promise<void>;
  /**
   * Whether what has these terms, and is in no block up to this height, can never be in one. Absent
   * where only what else spends the same shows it. @throws Outage
   */
  isOver?(terms: string, height: bigint): Promise<boolean>;
};

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
  /** Of the account that gives them; undefined where there is none. */
  readonly gas?:
    | {
        readonly heldUnits: bigint;
        /** Most that a token takes to be moved, by any of its contracts here. */
        readonly tokenCostUnits: bigint;
      }
    | undefined;
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
