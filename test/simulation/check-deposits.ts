// What money at a lasting address is worth: all of it in its own asset less the fee of the house, in
// the asset that was asked for; anything else waits for a person, whole.
import { type Reader, sql } from '#db/db.ts';
import { down, exact, lessFee, times } from './exact.ts';
import type { Story } from './story.ts';

type Row = {
  readonly key: string;
  readonly addressId: string;
  readonly isAsked: boolean;
  readonly account: string;
  readonly units: bigint;
  readonly net: bigint;
  readonly fee: bigint;
};

export function listDeposits(reader: Reader, { shop }: Story): Promise<Row[]> {
  return reader.query<Row>(sql`
    select dc.receipt_id || ':' || dc.generation as key, a.id as "addressId",
      r.asset_id = a.asset_id as "isAsked", dc.account, dc.units, dc.net_units as net,
      dc.fee_units as fee
    from deposit_credit dc join deposit_address a on a.id = dc.deposit_address_id
    join receipt r on r.id = dc.receipt_id where a.merchant_id = ${shop.merchantId}`);
}

export function checkDeposits({ shop }: Story, rows: readonly Row[]): string[] {
  return rows.flatMap(({ key, addressId, isAsked, account, units, net, fee }) => {
    const due = isAsked ? down(times(exact(units), lessFee(shop.feePartsPerMillion))) : units;
    const where = isAsked ? 'available' : 'suspense';
    if (net === due && fee === units - due && account === where) return [];
    return [
      `F5: receipt ${key} of deposit address ${addressId}, ${units}, was credited to ${account} as ` +
        `${net} net, fee ${fee}; it is ${due} net, to ${where}`,
    ];
  });
}
