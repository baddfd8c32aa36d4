// The port behind which invoices (BOLT 11) are paid: by the operator's own node, which holds the
// keys. Guarantees of an adapter: `pay` may be called any number of times for one invoice and pays
// it once, because the node knows payments by their hash; `findPayment` is the truth, whatever
// became of a call. Not guaranteed: that a node which lies is found out, but for a preimage.

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
