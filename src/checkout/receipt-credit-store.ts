// SQL of what each receipt was worth, private to this folder.

import type { Reader, Tx } from '#db/db.ts';
import { sql } from '#db/db.ts';
import type { CreditAccount, RateBasis, ReceiptCredit } from './checkout.ts';

type ReceiptCreditRow = {
  checkout_id: string;
  receipt_id: bigint;
  generation: number;
  network: string;
  asset_id: string;
  units: bigint;
  locked_units: bigint;
  rate_basis: RateBasis;
  settlement_asset_id: string;
  settlement_units: bigint;
  net_units: bigint;
  fee_units: bigint;
  required_now_units: bigint | null;
  evidence: string;
  account: CreditAccount;
  refund_id: string | null;
  credited_at: Temporal.Instant;
  accepted_at: Temporal.Instant | null;
  released_at: Temporal.Instant | null;
  reversed_at: Temporal.Instant | null;
  pays_debt: boolean;
  owed_at: Temporal.Instant | null;
  returned_at: Temporal.Instant | null;
};

export async function listReceiptCredits(
  reader: Reader,
  checkoutIds: readonly string[],
): Promise<(ReceiptCredit & { readonly checkoutId: string })[]> {
  const rows = await reader.query<ReceiptCreditRow>(sql`
    select checkout_id, receipt_id, generation, network, asset_id, units, locked_units, rate_basis,
      settlement_asset_id, settlement_units, net_units, fee_units, required_now_units, evidence,
      account, refund_id, credited_at, accepted_at, released_at, reversed_at, pays_debt, owed_at,
      returned_at
    from receipt_credit where checkout_id = any(${checkoutIds}::text[])
    order by credited_at, receipt_id`);
  return rows.map((row) => ({
    checkoutId: row.checkout_id,
    receiptId: row.receipt_id,
    generation: row.generation,
    network: row.network,
    assetId: row.asset_id,
    units: row.units,
    lockedUnits: row.locked_units,
    rateBasis: row.rate_basis,
    settlementAssetId: row.settlement_asset_id,
    settlementUnits: row.settlement_units,
    netUnits: row.net_units,
    feeUnits: row.fee_units,
    requiredNowUnits: row.required_now_units ?? undefined,
    evidence: row.evidence,
    account: row.account,
    refundId: row.refund_id ?? undefined,
    creditedAt: row.credited_at,
    acceptedAt: row.accepted_at ?? undefined,
    releasedAt: row.released_at ?? undefined,
    reversedAt: row.reversed_at ?? undefined,
    paysDebt: row.pays_debt,
    owedAt: row.owed_at ?? undefined,
    returnedAt: row.returned_at ?? undefined,
  }));
}

export function insertReceiptCredit(tx: Tx, checkoutId: string, credit: ReceiptCredit): void {
  tx.send(sql`
    insert into receipt_credit (receipt_id, generation, checkout_id, network, asset_id, units,
      locked_units, rate_basis, settlement_asset_id, settlement_units, net_units, fee_units,
      required_now_units, evidence, account, credited_at, pays_debt, refund_id)
    values (${credit.receiptId}, ${credit.generation}, ${checkoutId}, ${credit.network},
      ${credit.assetId}, ${credit.units}, ${credit.lockedUnits}, ${credit.rateBasis},
      ${credit.settlementAssetId}, ${credit.settlementUnits}, ${credit.netUnits},
      ${credit.feeUnits}, ${credit.requiredNowUnits ?? null}, ${credit.evidence},
      ${credit.account}, ${credit.creditedAt}, ${credit.paysDebt},
      (select refund_id from receipt_credit where ${credit.account === 'refunded'}
        and receipt_id = ${credit.receiptId} and refund_id is not null
        order by generation desc limit 1))`);
}

/** Pending money of one way of paying goes back to the payer: it no longer pays the checkout. */
export function markCreditsRefunded(
  tx: Tx,
  refund: {
    readonly refundId: string;
    readonly checkoutId: string;
    readonly network: string;
    readonly assetId: string;
  },
): void {
  tx.send(sql`
    update receipt_credit set account = 'refunded', refund_id = ${refund.refundId}
    where checkout_id = ${refund.checkoutId} and network = ${refund.network}
      and asset_id = ${refund.assetId} and account = 'pending' and released_at is null
      and reversed_at is null`);
}

/** The refund failed: the money pays the checkout again. */
export function markCreditsPending(tx: Tx, refundId: string): void {
  tx.send(sql`
    update receipt_credit set account = 'pending', refund_id = null
    where refund_id = ${refundId}`);
}

/** With what it is worth, which is another when its lock was over. */
export function markCreditReleased(tx: Tx, credit: ReceiptCredit, now: Temporal.Instant): void {
  tx.send(sql`
    update receipt_credit set released_at = ${now}, locked_units = ${credit.lockedUnits},
      rate_basis = ${credit.rateBasis},
      settlement_units = ${credit.settlementUnits}, net_units = ${credit.netUnits},
      fee_units = ${credit.feeUnits}, evidence = ${credit.evidence}
    where receipt_id = ${credit.receiptId} and generation = ${credit.generation}`);
}

/** The merchant takes what is pending as enough: this, and nothing that comes in its place. */
export function markCreditsAccepted(tx: Tx, checkoutId: string, now: Temporal.Instant): void {
  tx.send(sql`
    update receipt_credit set accepted_at = ${now}
    where checkout_id = ${checkoutId} and account = 'pending' and released_at is null
      and reversed_at is null`);
}

export function markCreditReversed(
  tx: Tx,
  receiptId: bigint,
  generation: number,
  now: Temporal.Instant,
): void {
  tx.send(sql`
    update receipt_credit set reversed_at = ${now},
      owed_at = case when account = 'refunded' then ${now}::timestamptz end
    where receipt_id = ${receiptId} and generation = ${generation}`);
}

export function markCreditReturned(
  tx: Tx,
  receiptId: bigint,
  generation: number,
  now: Temporal.Instant,
): void {
  tx.send(sql`
    update receipt_credit set returned_at = ${now}
    where receipt_id = ${receiptId} and generation = ${generation}`);
}
