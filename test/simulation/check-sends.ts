// What a transfer or refund costs: the network's fee comes out of what is sent, or on top of a
// refund of a completed checkout, and the house takes nothing.
import { type Reader, sql } from '#db/db.ts';
import type { Story } from './story.ts';
import { sendingFee } from './worth.ts';

type Row = {
  readonly id: string;
  readonly kind: string;
  readonly source: string;
  readonly network: string;
  readonly assetId: string;
  readonly units: bigint;
  readonly target: bigint;
  readonly networkFee: bigint;
  readonly fee: bigint;
};

export function listSends(reader: Reader, { shop }: Story): Promise<Row[]> {
  return reader.query<Row>(sql`
    select id, kind, source, network, asset_id as "assetId", units, target_units as target,
      network_fee_units as "networkFee", fee_units as fee
    from transfer where merchant_id = ${shop.merchantId}`);
}

export function checkSends(rows: readonly Row[]): string[] {
  return rows.flatMap((row) => {
    const { id, kind, source, network, assetId, units, target, networkFee, fee } = row;
    const isOnTop = kind === 'REFUND' && source === 'merchant:available';
    const due = sendingFee(network, assetId, isOnTop ? target : units);
    if (networkFee === due && fee === 0n && units === target + due) return [];
    return [
      `T1: transfer ${id} of ${units} ${assetId} on ${network} gives ${target}, ` +
        `${networkFee} to the network and ${fee} to the house; the network takes ${due}`,
    ];
  });
}
