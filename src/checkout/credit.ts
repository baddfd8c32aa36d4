// Where the ledger put a final receipt, and for how much: one row from the decision to the table,
// and the SQL of that table. It is read and written under the lock of its checkout.

import { type Reader, sql, type Tx } from '#db/db.ts';
import {
  bigInteger,
  defineTable,
  flag,
  integer,
  jsonText,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
  units,
} from '#db/table.ts';
import type { Rate } from '#money/rate.ts';
import { requestSettlement } from '#settle/queue.ts';

export const RECEIPT_CREDIT = defineTable('receipt_credit', {
  checkoutId: text(),
  receiptId: bigInteger,
  generation: integer,
  network: text(),
  assetId: text(),
  units,
  /** The part that was covered by the lock. */
  lockedUnits: units,
  rateBasis: text<'LOCKED' | 'CURRENT' | 'MIXED' | 'NONE'>(),
  settlementAssetId: text(),
  settlementUnits: units,
  netUnits: units,
  feeUnits: units,
  /** What the whole charge cost in this asset when money that came late became final. */
  requiredNowUnits: optional(units),
  /** JSON text: by which rates it was valued. */
  evidence: jsonText(),
  /** `refunded`: pending money that went, or is going, back to the payer. */
  account: text<'pending' | 'available' | 'suspense' | 'refunded'>(),
  /** With which pending money went back to the payer. */
  refundId: optional(text()),
  creditedAt: moment,
  /** The merchant took it as enough. */
  acceptedAt: selectOnly(optional(moment)),
  /** Pending money became available. */
  releasedAt: selectOnly(optional(moment)),
  /** The chain took it back. */
  reversedAt: selectOnly(optional(moment)),
  /** It came again after it had been refunded and lost: it was posted against what is owed. */
  paysDebt: flag,
  /** When it was lost after it had been refunded: the merchant owes it since. */
  owedAt: selectOnly(optional(moment)),
  /** When the refund failed and gave it back, which paid that debt. */
  returnedAt: selectOnly(optional(moment)),
});
export type Credit = Omit<Row<typeof RECEIPT_CREDIT>, 'checkoutId' | 'evidence'> & {
  /** As it is stored, or what a decision made just now. */
  readonly evidence: string | Valuation;
};

/** By which rates a decision valued a credit: a text of each is made when it is stored. */
type Valuation = {
  readonly lock: { readonly openedAt: Temporal.Instant };
  /** Of the moment; undefined for money that is worth nothing to the merchant. */
  readonly rate:
    | {
        readonly toSettlement: Rate | undefined;
        readonly rateIds: readonly bigint[];
        readonly requiredRateIds: readonly bigint[];
      }
    | undefined;
};

/** What a decision makes of the credits of a checkout, each as it is afterwards. */
export type CreditChanges = {
  readonly credited: readonly Credit[];
  /** Pending money that is the merchant's now, at what it is worth now. */
  readonly released: readonly Credit[];
  readonly reversed: readonly Credit[];
  /** What is owed for them is paid by what a failed refund gave back. */
  readonly returned: readonly Credit[];
};

/** Lost after it was refunded, and no failed refund has given it back. */
export function isOwed({ owedAt, returnedAt }: Credit): boolean {
  return owedAt !== undefined && returnedAt === undefined;
}

export function listReceiptCredits(
  reader: Reader,
  checkoutIds: readonly string[],
): Promise<(Credit & { readonly checkoutId: string })[]> {
  return RECEIPT_CREDIT.select(
    reader,
    sql`where checkout_id = any(${checkoutIds}::text[]) order by credited_at, receipt_id, generation`,
  );
}

export function creditsAfter(
  before: readonly Credit[],
  { credited, released, reversed, returned }: CreditChanges,
): Credit[] {
  const changed = [...released, ...reversed, ...returned];
  const now = new Map(changed.map((credit) => [creditKey(credit), credit]));
  return [...before.map((credit) => now.get(creditKey(credit)) ?? credit), ...credited];
}

export function writeCredits(
  tx: Tx,
  checkoutId: string,
  { credited, released, reversed, returned }: CreditChanges,
): void {
  if (credited.length > 0) {
    const rows = credited.map((credit) => ({
      ...credit,
      checkoutId,
      evidence: evidenceText(credit),
    }));
    tx.send(RECEIPT_CREDIT.insert(rows));
  }
  for (const credit of [...released, ...reversed, ...returned]) updateCredit(tx, credit);
}

function updateCredit(tx: Tx, credit: Credit): void {
  tx.send(sql`
    update receipt_credit set released_at = ${credit.releasedAt ?? null},
      reversed_at = ${credit.reversedAt ?? null}, owed_at = ${credit.owedAt ?? null},
      returned_at = ${credit.returnedAt ?? null}, locked_units = ${credit.lockedUnits},
      rate_basis = ${credit.rateBasis}, settlement_units = ${credit.settlementUnits},
      net_units = ${credit.netUnits}, fee_units = ${credit.feeUnits},
      evidence = ${evidenceText(credit)}
    where receipt_id = ${credit.receiptId} and generation = ${credit.generation}`);
}

/** By which rates it was valued, as JSON text: those of its lock are stored with the lock. */
export function evidenceText(credit: Credit): string {
  const { evidence, rateBasis, lockedUnits, settlementUnits, releasedAt } = credit;
  if (typeof evidence === 'string') return evidence;
  const { lock, rate } = evidence;
  return JSON.stringify({
    basis: rateBasis,
    lockedUnits: String(lockedUnits),
    settlementUnits: String(settlementUnits),
    lockOpenedAt: lockedUnits > 0n ? lock.openedAt.toString() : undefined,
    current: rate && currentOf(credit, rate),
    // What was valued anew when it was released is measured by nothing.
    required: releasedAt === undefined && rate ? requiredOf(credit, rate) : undefined,
    releasedAt: releasedAt?.toString(),
  });
}

/** What `evidenceText` wrote of a credit that is stored. */
export function ratesOfCredit({ evidence }: Credit): {
  /** Of the window whose price counted. */
  readonly openedAt: Temporal.Instant | undefined;
  readonly rateIds: readonly bigint[];
} {
  if (typeof evidence !== 'string') return { openedAt: undefined, rateIds: [] };
  const { lockOpenedAt, current, required } = JSON.parse(evidence) as StoredEvidence;
  const ids = [...(current?.rateIds ?? []), ...(required?.rateIds ?? [])];
  return {
    openedAt: lockOpenedAt === undefined ? undefined : Temporal.Instant.from(lockOpenedAt),
    rateIds: [...new Set(ids)].map(BigInt),
  };
}

type StoredEvidence = {
  readonly lockOpenedAt?: string;
  readonly current?: { readonly rateIds: readonly string[] };
  readonly required?: { readonly rateIds: readonly string[] };
};

type Rates = NonNullable<Valuation['rate']>;

/** The rate of the moment, where a part was converted by it. */
function currentOf({ rateBasis, assetId, settlementAssetId }: Credit, rate: Rates) {
  if (rateBasis === 'LOCKED') return undefined;
  if (assetId === settlementAssetId) return { rateIds: [], numerator: '1', denominator: '1' };
  return (
    rate.toSettlement && {
      rateIds: rate.rateIds.map(String),
      numerator: String(rate.toSettlement.numerator),
      denominator: String(rate.toSettlement.denominator),
    }
  );
}

function requiredOf({ requiredNowUnits }: Credit, { requiredRateIds }: Rates) {
  if (requiredNowUnits === undefined) return undefined;
  return { units: String(requiredNowUnits), rateIds: requiredRateIds.map(String) };
}

/** Exactly this money is accepted, and nothing that comes in its place. */
export function acceptPending(tx: Tx, checkoutId: string, now: Temporal.Instant): void {
  tx.send(sql`
    update receipt_credit set accepted_at = ${now}
    where checkout_id = ${checkoutId} and account = 'pending' and released_at is null
      and reversed_at is null`);
}

/**
 * Pending money of one way of paying goes back to the payer and no longer pays the checkout. Under
 * the lock of the checkout, which is then decided again.
 */
export function refundCredits(
  tx: Tx,
  refund: {
    readonly refundId: string;
    readonly checkoutId: string;
    readonly network: string;
    readonly assetId: string;
  },
  now: Temporal.Instant,
): void {
  tx.send(sql`
    update receipt_credit set account = 'refunded', refund_id = ${refund.refundId}
    where checkout_id = ${refund.checkoutId} and network = ${refund.network}
      and asset_id = ${refund.assetId} and account = 'pending' and released_at is null
      and reversed_at is null`);
  requestSettlement(tx, [{ purpose: 'checkout', purposeId: refund.checkoutId }], now);
}

/** The refund failed: the money pays the checkout again. */
export function restoreCredits(
  tx: Tx,
  refund: { readonly refundId: string; readonly checkoutId: string },
  now: Temporal.Instant,
): void {
  requestSettlement(tx, [{ purpose: 'checkout', purposeId: refund.checkoutId }], now);
  tx.send(sql`
    update receipt_credit set account = 'pending', refund_id = null
    where refund_id = ${refund.refundId}`);
}

/** What was booked for a receipt counts no more. */
export function dropCredit(
  tx: Tx,
  { receiptId, generation }: Pick<Credit, 'receiptId' | 'generation'>,
  now: Temporal.Instant,
): void {
  tx.send(sql`
    update receipt_credit set reversed_at = ${now}
    where receipt_id = ${receiptId} and generation = ${generation}`);
}

export function creditKey({
  receiptId,
  generation,
}: Pick<Credit, 'receiptId' | 'generation'>): string {
  return `${receiptId}:${generation}`;
}
