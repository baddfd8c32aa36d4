// Refunds of sales as the ledger tells of them: each time one reached its payer, was undone, or was
// sent back. What was given back of a sale is known from all of them, whatever the period is.

import { type Reader, type Statement, sql } from '#db/db.ts';
import { BEGINNING, END, isLater, type ReportRequest } from './report.ts';
import { NOTHING, type Share } from './sale-lines.ts';

/** A moment at which another share of a sale was given back. */
export type Refunded = {
  readonly entry: bigint;
  readonly at: Temporal.Instant;
  readonly checkoutId: string;
  readonly customerId: string | null;
  /** JSON text of the request. */
  readonly payload: string;
  readonly tip: string;
  /** JSON text. */
  readonly meta: string | null;
  readonly before: Share;
  readonly now: Share;
};

type Found = Omit<Refunded, 'before' | 'now'>;
type Period = Pick<ReportRequest, 'from' | 'to' | 'limit' | 'merchantId' | 'environment'>;
type After = { readonly at: Temporal.Instant; readonly entry: bigint };

export async function listRefunded(
  reader: Reader,
  period: Period,
  after: After,
): Promise<Refunded[]> {
  const found = await listFound(reader, period, after);
  if (found.length === 0) return [];
  const ids = [...new Set(found.map(({ checkoutId }) => checkoutId))];
  const [changes, payments] = await Promise.all([listChanges(reader, ids), listPaid(reader, ids)]);
  return found.map((one) => {
    const { checkoutId, entry } = one;
    const own = changes.filter((change) => change.checkoutId === checkoutId);
    const paid = payments.filter((payment) => payment.checkoutId === checkoutId);
    const index = own.findIndex((change) => change.entry === entry);
    const previous = own[index - 1];
    const shareAfter = (count: number, at: Temporal.Instant) =>
      givenBackAt(at, paid, own.slice(0, count));
    return {
      ...one,
      before: previous === undefined ? NOTHING : shareAfter(index, previous.at),
      now: shareAfter(index + 1, one.at),
    };
  });
}

/** Entries that say so of a completed sale; a reversal has the kind of what it reverses. */
function listFound(reader: Reader, period: Period, after: After): Promise<Found[]> {
  const { merchantId, environment, from = BEGINNING, to = END, limit } = period;
  const place = isLater(from, after.at) ? { at: from, entry: 0n } : after;
  return reader.query<Found>(sql`
    select e.id as entry, e.occurred_at as at, c.id as "checkoutId",
      c.customer_id as "customerId", c.payload, c.meta, c.tip::text as tip
    from ledger_entry e
      left join ledger_entry original on original.id = e.corrects_entry
      join lateral (
        select case when ${isRefund} then e.subject_id else (
          select a.transfer_id from suspense_act a
          where a.kind = 'CAME_BACK' and a.suspense_id = substr(e.subject_id, 10)::bigint) end as id
      ) sent on true
      join refund r on r.transfer_id = sent.id
      join checkout c on c.id = r.checkout_id
    where e.merchant_id = ${merchantId} and e.environment = ${environment}
      and (e.occurred_at, e.id) > (${place.at}, ${place.entry}) and e.occurred_at < ${to}
      and (e.is_reversal or e.kind in ('refund-complete', 'suspense-came-back'))
      and (${isRefund} or ${isReturned}) and ${IS_OF_SALE}
    order by e.occurred_at, e.id limit ${limit}`);
}

const isRefund = sql`coalesce(original.kind, e.kind) = 'refund-complete'`;
const isReturned = sql`coalesce(original.kind, e.kind) = 'suspense-came-back'`;
/** What was given back of a checkout that was not paid was never sold. */
const IS_OF_SALE = sql`r.context <> 'UNDERPAID_CHECKOUT'`;

type Change = SaleRefund & { readonly entry: bigint; readonly checkoutId: string };

/** In their order. */
function listChanges(reader: Reader, checkoutIds: readonly string[]): Promise<Change[]> {
  const changes = (units: Statement, from: Statement) => sql`
    select e.id as entry, e.occurred_at as at, r.checkout_id as "checkoutId", r.network,
      r.asset_id as "assetId",
      case when e.corrects_entry is null then ${units} else -${units} end as units
    from refund r ${from} left join ledger_entry original on original.id = e.corrects_entry
    where r.checkout_id = any(${checkoutIds}::text[]) and ${IS_OF_SALE}`;
  return reader.query<Change>(sql`
    ${changes(sql`r.units`, sql`join ledger_entry e on e.subject_id = r.transfer_id`)}
      and ${isRefund}
    union all
    ${changes(
      sql`(-s.units)`,
      sql`join suspense_act a on a.transfer_id = r.transfer_id and a.kind = 'CAME_BACK'
        join suspense s on s.id = a.suspense_id
        join ledger_entry e on e.subject_id = 'suspense:' || s.id`,
    )} and ${isReturned}
    order by at, entry`);
}

type Paid = SalePayment & { readonly checkoutId: string };

/** What was credited to the sale; what went back before it was one is not of it. */
async function listPaid(reader: Reader, checkoutIds: readonly string[]): Promise<Paid[]> {
  type Row = Omit<Paid, 'requiredUnits' | 'reversedAt'> & {
    readonly requiredUnits: bigint | null;
    readonly reversedAt: Temporal.Instant | null;
  };
  const rows = await reader.query<Row>(sql`
    select p.checkout_id as "checkoutId", p.receipt_id as "receiptId", p.network,
      p.asset_id as "assetId", p.units, least(w.payment_units, p.required_now_units)
        as "requiredUnits",
      p.credited_at as "creditedAt", p.reversed_at as "reversedAt"
    from receipt_credit p left join commitment w using (checkout_id, network, asset_id)
    where p.checkout_id = any(${checkoutIds}::text[]) and p.account in ('pending', 'available')
    order by p.credited_at, p.receipt_id, p.generation`);
  return rows.map(({ requiredUnits, reversedAt, ...row }) => {
    return {
      ...row,
      requiredUnits: requiredUnits ?? undefined,
      reversedAt: reversedAt ?? undefined,
    };
  });
}

// Which share of a sale was given back: as much as what the merchant keeps is less than the sale.
// Pure. What a payer sent beyond the price was no part of the sale, and giving it back is none.
type Way = { readonly network: string; readonly assetId: string };

/** A payment that was credited, and the moments between which it stood. */
export type SalePayment = Way & {
  readonly receiptId: bigint;
  readonly units: bigint;
  /** What the whole sale cost in it; undefined for what came when nobody knew any more. */
  readonly requiredUnits: bigint | undefined;
  readonly creditedAt: Temporal.Instant;
  readonly reversedAt: Temporal.Instant | undefined;
};

/** Money that reached the payer; below zero where that was undone, or it was sent back. */
export type SaleRefund = Way & { readonly at: Temporal.Instant; readonly units: bigint };

/** `refunds`: all until that moment. What happens later changes nothing of it. */
export function givenBackAt(
  at: Temporal.Instant,
  payments: readonly SalePayment[],
  refunds: readonly SaleRefund[],
): Share {
  const known = payments.filter((one) => Temporal.Instant.compare(one.creditedAt, at) <= 0);
  const standing = known.filter(
    ({ reversedAt }) => reversedAt === undefined || Temporal.Instant.compare(reversedAt, at) > 0,
  );
  // One that the chain lost and showed again was paid once.
  const ever = [...new Map(known.map((one) => [one.receiptId, one])).values()];
  const sold = least(sharePaid(ever), ONE);
  // A payment that is lost makes no refund: the sale stays what it was.
  const paid = most(sharePaid(standing), sold);
  const kept = most(NONE, minus(paid, shareRefunded(ever, refunds)));
  const back = minus(sold, least(sold, kept));
  // Of what counted as paid, which may be a little less than was asked for.
  return sold.above === 0n
    ? { part: 0n, whole: 1n }
    : { part: back.above * sold.below, whole: back.below * sold.above };
}

type Fraction = { readonly above: bigint; readonly below: bigint };
const NONE: Fraction = { above: 0n, below: 1n };
const ONE: Fraction = { above: 1n, below: 1n };

function sharePaid(payments: readonly SalePayment[]): Fraction {
  // Grouped by what all of it costs, so that many payments of one price are one fraction.
  const unitsByRequired = new Map<bigint, bigint>();
  for (const { requiredUnits, units } of payments) {
    if (requiredUnits === undefined) continue;
    unitsByRequired.set(requiredUnits, (unitsByRequired.get(requiredUnits) ?? 0n) + units);
  }
  return [...unitsByRequired].reduce((sum, [below, above]) => plus(sum, { above, below }), NONE);
}

/** At the price at which it was paid, of one way of paying the mean of its payments. */
function shareRefunded(payments: readonly SalePayment[], refunds: readonly SaleRefund[]): Fraction {
  const ways = Map.groupBy(refunds, ({ network, assetId }) => `${network} ${assetId}`);
  return [...ways].reduce((sum, [way, gone]) => {
    const own = payments.filter(({ network, assetId }) => `${network} ${assetId}` === way);
    const arrived = own.reduce((units, one) => units + one.units, 0n);
    const paid = sharePaid(own);
    const units = gone.reduce((total, one) => total + one.units, 0n);
    return arrived === 0n
      ? sum
      : plus(sum, { above: units * paid.above, below: arrived * paid.below });
  }, NONE);
}

function plus(one: Fraction, other: Fraction): Fraction {
  const above = one.above * other.below + other.above * one.below;
  return { above, below: one.below * other.below };
}

function minus(one: Fraction, other: Fraction): Fraction {
  return plus(one, { above: -other.above, below: other.below });
}

function isLess(one: Fraction, other: Fraction): boolean {
  return one.above * other.below < other.above * one.below;
}

function least(one: Fraction, other: Fraction): Fraction {
  return isLess(one, other) ? one : other;
}

function most(one: Fraction, other: Fraction): Fraction {
  return isLess(one, other) ? other : one;
}
