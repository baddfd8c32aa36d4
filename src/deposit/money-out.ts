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
