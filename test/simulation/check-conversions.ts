// What conversions at the market are worth, by what the market itself gave: each is booked once, with
// what was given and what came, an order is filled by one of them at most, and none was drafted or
// signed below the least price. Computed from the prices of the story and from what the chain took.
import { type Reader, sql } from '#db/db.ts';
import { converterOf, SLIPPAGE_PARTS } from './convert-steps.ts';
import { exact, lessFee, times, up } from './exact.ts';
import type { Story } from './story.ts';
import { assetOf, ratio } from './worth.ts';

type Draft = {
  readonly orderId: string;
  readonly give: string;
  readonly get: string;
  readonly units: bigint;
  readonly least: bigint;
  readonly at: Temporal.Instant;
};

type Fill = {
  readonly orderId: string;
  readonly fillId: string;
  readonly give: string;
  readonly get: string;
  readonly wanted: bigint;
  readonly sold: bigint;
  readonly got: bigint;
};

type Order = {
  readonly id: string;
  readonly state: string;
  readonly give: string;
  readonly get: string;
  readonly wanted: bigint;
  readonly closes: bigint;
  /** By its entries. */
  readonly gave: bigint;
  readonly came: bigint;
  readonly closedGive: bigint;
  readonly closedGet: bigint;
};

export type ConversionsSeen = {
  readonly drafts: readonly Draft[];
  readonly fills: readonly Fill[];
  readonly orders: readonly Order[];
};

export async function listConversions(reader: Reader, story: Story): Promise<ConversionsSeen> {
  const who = converterOf(story);
  const [drafts, fills, orders] = await Promise.all([
    reader.query<Draft>(sql`
      select m.order_id as "orderId", o.give_asset_id as give, o.get_asset_id as get, m.units,
        m.least_units as least, m.drafted_at as at
      from market_draft m join hedge_order o on o.id = m.order_id where o.ordered_by = ${who}`),
    reader.query<Fill>(sql`
      select f.order_id as "orderId", f.fill_id as "fillId", o.give_asset_id as give,
        o.get_asset_id as get, o.give_units as wanted, f.sold_units as sold, f.got_units as got
      from hedge_fill f join hedge_order o on o.id = f.order_id
      where o.ordered_by = ${who} and f.undone_at is null`),
    reader.query<Order>(sql`
      select o.id, o.state, o.give_asset_id as give, o.get_asset_id as get,
        o.give_units as wanted, o.closes_units as closes,
        coalesce(-sum(p.units) filter (where a.code = 'custody:STELLAR'
          and p.asset_id = o.give_asset_id), 0) as gave,
        coalesce(sum(p.units) filter (where a.code = 'custody:STELLAR'
          and p.asset_id = o.get_asset_id), 0) as came,
        coalesce(sum(p.units) filter (where a.code = 'exchange'
          and p.asset_id = o.give_asset_id), 0) as "closedGive",
        coalesce(-sum(p.units) filter (where a.code = 'exchange'
          and p.asset_id = o.get_asset_id), 0) as "closedGet"
      from hedge_order o left join ledger_entry e on e.subject_id = o.id
      left join ledger_posting p on p.entry_id = e.id
      left join ledger_account a on a.id = p.account_id
      where o.ordered_by = ${who} group by o.id`),
  ]);
  return { drafts, fills, orders };
}

export function checkConversions(
  story: Story,
  { drafts, fills, orders }: ConversionsSeen,
): string[] {
  return [
    ...drafts.flatMap((draft) => checkLeast(story, draft)),
    ...checkFills(story, fills),
    ...checkOnce(story),
    ...orders.flatMap((order) => checkOrder(order, fills)),
  ];
}

/** Digits of the price that the service counts with. */
const PRICE_UNITS = 10n ** 18n;

/** The price of the house less the slippage, up; above it only by the digits of a price. */
function checkLeast({ world }: Story, { orderId, give, get, units, least, at }: Draft): string[] {
  const [from, to] = [assetOf(give), assetOf(get)];
  const price = ratio(world.market, from, to, at);
  if (price === undefined) return [`T13: ${orderId} was drafted without a price`];
  const due = up(times(times(exact(units), price), lessFee(SLIPPAGE_PARTS)));
  const digits = up(
    exact(units * 10n ** BigInt(to.decimals), 10n ** BigInt(from.decimals) * PRICE_UNITS),
  );
  const lowest = due > 0n ? due : 1n;
  if (least >= lowest && least <= lowest + digits + 1n) return [];
  return [`T13: ${orderId} sells ${units} ${give} for at least ${least} ${get}: it is ${due}`];
}

/** Of what was drafted for an order the market has taken one at most. */
function checkOnce({ world }: Story): string[] {
  const { exchanged, draftedFor } = world.wallet;
  const carried = [...exchanged].filter(
    ([hash, { got }]) => got !== undefined && draftedFor.has(hash),
  );
  const byOrder = Map.groupBy(carried, ([hash]) => draftedFor.get(hash));
  return [...byOrder]
    .filter(([, some]) => some.length > 1)
    .map(([orderId, some]) => `T13: ${orderId} is carried out ${some.length} times`);
}

function checkFills({ world }: Story, fills: readonly Fill[]): string[] {
  const used = new Set<string>();
  const filled = new Set<string>();
  return fills.flatMap(({ orderId, fillId, give, get, wanted, sold, got }) => {
    const broken: string[] = [];
    const name = fillId.slice(0, 40);
    if (used.has(name)) broken.push(`T13: ${name} is booked for two orders`);
    if (filled.has(orderId)) broken.push(`T13: ${orderId} is filled twice`);
    used.add(name);
    filled.add(orderId);
    const found = [...world.wallet.exchanged].find(([hash]) => hash.startsWith(name));
    const [, { exchange, got: came } = { exchange: undefined, got: undefined }] = found ?? [];
    const isSame =
      exchange?.give.assetId === give &&
      exchange.give.units === sold &&
      came?.assetId === get &&
      came.units === got &&
      sold === wanted;
    if (!isSame) {
      broken.push(
        `T13: ${orderId} sold ${sold} ${give} for ${got} ${get}; the market took ` +
          `${exchange?.give.units} for ${came?.units}`,
      );
    }
    if (exchange !== undefined && got < exchange.get.units) {
      broken.push(`T13: ${orderId} got ${got}, less than ${exchange.get.units}`);
    }
    return broken;
  });
}

function checkOrder(order: Order, fills: readonly Fill[]): string[] {
  const { id, state, wanted, closes, gave, came, closedGive, closedGet } = order;
  const fill = fills.find(({ orderId }) => orderId === id);
  const { sold, got } = fill ?? { sold: 0n, got: 0n };
  const [whole, part] = fill === undefined ? [0n, 0n] : [wanted, closes];
  const isRight =
    gave === sold &&
    came === got &&
    closedGive === whole &&
    closedGet === part &&
    (state === 'COMPLETED') === (fill !== undefined);
  if (isRight) return [];
  return [
    `T13: ${id}, ${state}, of ${wanted} for ${closes} gave ${gave} for ${came} ` +
      `and closed ${closedGive} for ${closedGet}; its part is ${sold} for ${got}`,
  ];
}
