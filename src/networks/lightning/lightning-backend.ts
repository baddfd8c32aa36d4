import { Refusal } from '#base/refusal.ts';
import type { InvoicePayer, PaymentOrder } from '#deposit/money-out.ts';
import { NodeLie } from '#networks/answer-fields.ts';

// What a Lightning node must be able to do for us, whatever its API: lnd-backend.ts,
// core-lightning-backend.ts, electrum-backend.ts. A backend reads answers and gives facts; what
// they mean, and which of them are new, is lightning-network.ts's part.

/** How the node is asked (http-client.ts), whatever its API. */
export const NODE_LIMITS = {
  connections: 4,
  timeoutMs: 15_000,
  mostAnswerBytes: 64 * 1024 * 1024,
};

export type NodeDescription = {
  /** As we call it (LIGHTNING_CHAIN); undefined for one we do not know. */
  readonly chainName: string | undefined;
  /** Public key of the node: it signs its invoices. */
  readonly nodeId: string;
  readonly version: string;
  /** Why it cannot be relied on at the moment; undefined when it can. */
  readonly notReady: string | undefined;
  /** It only catches up with its chain: time alone makes it ready. */
  readonly isCatchingUp: boolean;
};

export type InvoiceRequest = {
  /** Asking twice with it gives the same invoice, also when nobody heard the first answer. */
  readonly instructionId: string;
  readonly millisatoshis: bigint;
  readonly expirySeconds: bigint;
  /** What the payer reads. */
  readonly description: string;
  /** The payer was shown it before: its SHA-256 stands in the invoice instead (BOLT 11, tag h). */
  readonly hashedDescription?: string | undefined;
};

export type InvoiceFact = {
  /** 64 hexadecimal digits, lower case. */
  readonly paymentHash: string;
  readonly state:
    | { readonly kind: 'open' }
    /** Cancelled or expired: nobody can pay it any more. */
    | { readonly kind: 'closed' }
    | {
        readonly kind: 'settled';
        /** What arrived, never what was asked. Above zero. */
        readonly receivedMillisatoshis: bigint;
        readonly settledAt: Temporal.Instant;
      };
  /** The node's own count of its invoices, where it has one. */
  readonly index: bigint | undefined;
};

type InvoicePage = {
  /** Those that were wanted, in the order of their index, each once. */
  readonly facts: readonly InvoiceFact[];
  /** Where the page after this one begins, and what comes to be later. */
  readonly next: bigint;
  /** True when there is nothing more at the moment. */
  readonly isLast: boolean;
};

export type LightningBackend = {
  /** For people: LND, Core Lightning, Electrum. */
  readonly name: string;
  /** Whether it makes invoices with the hash of a description. */
  readonly hashesDescriptions: boolean;
  describe(): Promise<NodeDescription>;
  /** The invoice as text (BOLT 11). */
  makeInvoice(request: InvoiceRequest): Promise<string>;
  /** Of the invoices of the node from that index on those with a wanted payment hash. */
  listInvoices(from: bigint, wanted: ReadonlySet<string>): Promise<InvoicePage>;
  /** Of the invoices from that index on those made by this program that are open or settled. */
  listOwn(from: bigint): Promise<InvoicePage>;
  /** One invoice; undefined when the node does not know it. */
  findInvoice(paymentHash: string): Promise<InvoiceFact | undefined>;
  /** What each usable channel can receive, in satoshi: less the reserve of the other side. */
  listReceivableUnits(): Promise<readonly bigint[]>;
  /** Returns when the node says that an invoice was paid, or after `ms`. Never throws. */
  waitForPayment(ms: number, signal: AbortSignal): Promise<void>;
  close(): void;
};

/** What the payer reads, and by which an invoice is known to be made here. */
export function descriptionOf(instructionId: string): string {
  return `Payment ${instructionId}`;
}

/** Undefined when it was not made here. */
export function instructionIn(description: unknown): string | undefined {
  return /^Payment ([a-z0-9]{12})$/.exec(String(description))?.[1];
}

export const MILLISATOSHIS = 1000n;
/** 21 million bitcoins: an amount above it is a lie. */
export const MILLISATOSHIS_MAX = 21_000_000n * 100_000_000n * MILLISATOSHIS;

// What a Lightning node must be able to do to pay, whatever its API: lnd-payments.ts,
// core-lightning-backend.ts, electrum-backend.ts. Each reads answers; what follows from them is
// lightning-payer.ts's part, and src/invoice's.
export type LightningPayments = Pick<InvoicePayer, 'pay' | 'findPayment'> & { close(): void };

/** What a payment is asked about by. */
export type WantedPayment = Pick<PaymentOrder, 'paymentHash' | 'units'>;

/** The node understood and does not pay. Whether something is in flight is asked of it anyway. */
export function paymentRefused(sentence: string): Refusal {
  return new Refusal('conflict', 'payment_refused', `the node does not pay: ${sentence}`);
}

/** In whole satoshi: a part of one has left us too. */
export function feeUnits(sentMillisatoshis: bigint, units: bigint): bigint {
  const fee = sentMillisatoshis - units * MILLISATOSHIS;
  if (fee < 0n) throw new NodeLie('the node paid less than the invoice asks for');
  return (fee + MILLISATOSHIS - 1n) / MILLISATOSHIS;
}
