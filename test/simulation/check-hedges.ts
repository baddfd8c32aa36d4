// What the dealer has of ours, by his own account of each part that was entered; and that an order
// which was carried out whole has closed exactly what it was given for.
import { type Reader, sql } from '#db/db.ts';
import { dealerOf } from './hedge-steps.ts';
import type { Story } from './story.ts';

export type HedgesSeen = {
  readonly held: readonly { readonly assetId: string; readonly units: bigint }[];
  /** Parts that are entered and not taken back. */
  readonly parts: readonly { readonly orderId: string; readonly fillId: string }[];
  /** Of orders that were carried out: what their entries closed. */
  readonly closed: readonly {
    readonly orderId: string;
    readonly given: bigint;
    readonly got: bigint;
  }[];
};

export async function listHedges(reader: Reader, story: Story): Promise<HedgesSeen> {
  const dealer = dealerOf(story);
  const [held, parts, closed] = await Promise.all([
    reader.query<HedgesSeen['held'][number]>(sql`
      select asset_id as "assetId", balance_units as units from ledger_balance
      where code = ${`custody:${dealer}`}`),
    reader.query<HedgesSeen['parts'][number]>(sql`
      select f.order_id as "orderId", f.fill_id as "fillId" from hedge_fill f
      join hedge_order o on o.id = f.order_id
      where o.provider = ${dealer} and f.undone_at is null`),
    reader.query<HedgesSeen['closed'][number]>(sql`
      select o.id as "orderId",
        coalesce(sum(p.units) filter (where p.asset_id = o.give_asset_id), 0) as given,
        coalesce(-sum(p.units) filter (where p.asset_id = o.get_asset_id), 0) as got
      from hedge_order o join ledger_entry e on e.subject_id = o.id
      join ledger_posting p on p.entry_id = e.id
      join ledger_account a on a.id = p.account_id and a.code = 'exchange'
      where o.provider = ${dealer} and o.state = 'COMPLETED' group by o.id`),
  ]);
  return { held, parts, closed };
}

export function checkHedges(story: Story, { held, parts, closed }: HedgesSeen): string[] {
  const { hedges } = story;
  const off = new Map<string, bigint>();
  const add = (assetId: string, units: bigint) =>
    off.set(assetId, (off.get(assetId) ?? 0n) + units);
  for (const { orderId, fillId } of parts) {
    const order = hedges.find(({ id }) => id === orderId);
    const part = order?.parts.find((one) => one.fillId === fillId);
    // A process that died has ordered it, and nobody heard by which name.
    if (order === undefined || part === undefined) return [`T11: ${fillId} was never carried out`];
    add(order.giveAssetId, -part.soldUnits);
    add(order.getAssetId, part.gotUnits - (part.feeUnits ?? 0n));
  }
  for (const { assetId, units } of held) add(assetId, -units);
  const wrong = [...off].filter(([, units]) => units !== 0n);
  const broken = wrong.map(
    ([assetId, units]) => `T11: the dealer has ${units} ${assetId} more of ours than is booked`,
  );
  for (const { orderId, given, got } of closed) {
    const order = hedges.find(({ id }) => id === orderId);
    if (order === undefined || (order.giveUnits === given && order.closesUnits === got)) continue;
    broken.push(
      `T11: order ${orderId} of ${order.giveUnits} for ${order.closesUnits} closed ${given} and ${got}`,
    );
  }
  return broken;
}
