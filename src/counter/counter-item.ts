// What a shop sells at its counter again and again, so that nobody types it each time; and the SQL
// of its table.

import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { codePointLength, hasLoneSurrogate, hasNul } from '#base/text.ts';
import type { Environment } from '#catalog/chain.ts';
import { findCurrency } from '#catalog/currency.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, type Reader, sql } from '#db/db.ts';
import { ownedBy } from '#db/owned-by.ts';
import { coded, defineTable, fractional, moment, type Row, text } from '#db/table.ts';
import { compare, decimalToText, parseDecimal, ZERO } from '#money/decimal.ts';

export const COUNTER_ITEM = defineTable('counter_item', {
  id: text(),
  merchantId: text(),
  environment: text<Environment>(),
  name: text(),
  price: coded(fractional, {
    decode: (stored) => parseDecimal(String(stored)),
    encode: decimalToText,
  }),
  currency: text(),
  createdAt: moment,
});
export type CounterItem = Row<typeof COUNTER_ITEM>;

export const ITEM_NAME_MAX = 100;
/** As many as can be found on one screen. */
const ITEMS_MOST = 60;

/** By name. */
export function listCounterItems(reader: Reader, owner: Owner): Promise<CounterItem[]> {
  return COUNTER_ITEM.select(reader, sql`where ${ownedBy(owner)} order by name, id`);
}

/** @throws Refusal invalid `counter_item`; conflict `counter_items_too_many` */
export async function addCounterItem(
  app: { readonly db: Db; readonly clock: Clock; readonly random: Random },
  { merchantId, environment }: Owner,
  given: Pick<CounterItem, 'name' | 'price' | 'currency'>,
): Promise<CounterItem> {
  const { name, price, currency } = given;
  const isName = name !== '' && codePointLength(name) <= ITEM_NAME_MAX;
  const isText = isName && !hasNul(name) && !hasLoneSurrogate(name);
  if (!isText || compare(price, ZERO) <= 0 || findCurrency(currency)?.billing !== true) {
    throw new Refusal('invalid', 'counter_item', 'name and price: a text, and one above zero');
  }
  const id = newId(app.random);
  const item = { ...given, id, merchantId, environment, createdAt: app.clock.now() };
  await app.db.transact(async (tx) => {
    // Whoever adds another one waits until this one is counted.
    await tx.query(
      sql`select pg_advisory_xact_lock(hashtextextended(${`items ${merchantId}`}, 0))`,
    );
    const [row] = await tx.query<{ readonly count: number }>(sql`
      select count(*)::int as count from counter_item
      where ${ownedBy({ merchantId, environment })}`);
    if ((row?.count ?? 0) >= ITEMS_MOST) {
      throw new Refusal('conflict', 'counter_items_too_many', `at most ${ITEMS_MOST} items`);
    }
    await tx.query(COUNTER_ITEM.insert([item]));
  });
  return item;
}

/** One that is not there is gone already. */
export async function removeCounterItem(
  app: { readonly db: Db },
  owner: Owner,
  id: string,
): Promise<void> {
  await app.db.single((tx) =>
    tx.query(sql`delete from counter_item where id = ${id} and ${ownedBy(owner)}`),
  );
}
