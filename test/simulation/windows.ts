// The windows of the ways to pay of a story, one after the other on the same instruction. Money
// belongs to the one that was opened last when it was first seen.
import { type Reader, sql } from '#db/db.ts';
import type { Story } from './story.ts';

export type Window = {
  readonly key: string;
  readonly checkoutId: string;
  /** Network and asset. */
  readonly way: string;
  readonly instructionId: string;
  readonly assetId: string;
  readonly settlementAssetId: string;
  readonly arrivingUnits: bigint;
  readonly settlementUnits: bigint;
  readonly netUnits: bigint;
  readonly feeUnits: bigint;
  readonly openedAt: Temporal.Instant;
  readonly expiresAt: Temporal.Instant;
  /** Of money that was assigned to a checkout and came by no way that it had: always late. */
  readonly isUnasked: boolean;
};

const LONG_AGO = Temporal.Instant.from('2000-01-01T00:00:00Z');
/** Under this name stands the money itself, in place of an instruction. */
export const UNASKED = sql`'assigned ' || r.id`;

export function listWindows(reader: Reader, { shop }: Story): Promise<Window[]> {
  const columns = sql`checkout_id, network, asset_id, instruction_id, settlement_asset_id,
    payment_units, settlement_units, net_units, fee_units, committed_at, expires_at`;
  return reader.query<Window>(sql`
    select instruction_id || ' ' || committed_at as key, checkout_id as "checkoutId",
      network || ' ' || w.asset_id as way, instruction_id as "instructionId",
      w.asset_id as "assetId", settlement_asset_id as "settlementAssetId",
      payment_units as "arrivingUnits", settlement_units as "settlementUnits",
      net_units as "netUnits", fee_units as "feeUnits", committed_at as "openedAt",
      w.expires_at as "expiresAt", false as "isUnasked"
    from (select ${columns} from commitment union all select ${columns} from past_window) w
    join checkout c on c.id = w.checkout_id
    where c.merchant_id = ${shop.merchantId}
    union all
    select ${UNASKED}, r.purpose_id, ${UNASKED}, ${UNASKED}, r.asset_id,
      r.unasked_settlement_asset_id, 0, 0, 0, 0, ${LONG_AGO}::timestamptz,
      ${LONG_AGO}::timestamptz, true
    from receipt r where r.merchant_id = ${shop.merchantId}
      and r.unasked_settlement_asset_id is not null
    order by "openedAt", "instructionId"`);
}

export function windowOf(
  windows: readonly Window[],
  instructionId: string,
  seenAt: Temporal.Instant,
): Window | undefined {
  const own = windows.filter((one) => one.instructionId === instructionId);
  return own.findLast(({ openedAt }) => !isAfter(openedAt, seenAt)) ?? own[0];
}

export function isAfter(left: Temporal.Instant, right: Temporal.Instant): boolean {
  return Temporal.Instant.compare(left, right) > 0;
}
