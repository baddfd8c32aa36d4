// People a merchant bills, and the SQL of their table. Those of another merchant or environment do
// not exist (E9). A deleted one leaves its id, for the checkouts that name it, and nothing else.
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import { timestamp } from '#base/instant.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, type Reader, sql } from '#db/db.ts';
import { ownedBy } from '#db/owned-by.ts';
import { cutPage, type PagePlace, placeNewestFirst } from '#db/page-cursor.ts';
import {
  defineTable,
  insertOnly,
  moment,
  nullable,
  propertiesOf,
  type Row,
  text,
} from '#db/table.ts';
import { parseStoredObject } from '#money/exact-json.ts';

/** Text fields in the order of api-contract.md 5. Null is a field without a value. */
const FIELDS = {
  email: text(),
  firstname: nullable(text()),
  lastname: nullable(text()),
  company: nullable(text()),
  adr1: nullable(text()),
  adr2: nullable(text()),
  zip: nullable(text()),
  city: nullable(text()),
  countrycode: nullable(text()),
  phonenumber: nullable(text()),
  taxid: nullable(text()),
  note: nullable(text()),
};
type CustomerField = keyof typeof FIELDS;
export const CUSTOMER_FIELDS = propertiesOf(FIELDS);

export const CUSTOMER = defineTable('customer', {
  id: text(),
  merchantId: insertOnly(text()),
  environment: insertOnly(text<Environment>()),
  ...FIELDS,
  /** JSON text. */
  meta: nullable(text()),
  createdAt: moment,
  updatedAt: insertOnly(moment),
});
export type Customer = Row<typeof CUSTOMER>;
export type CustomerFields = Pick<Customer, CustomerField | 'meta'>;

const CHANGEABLE = [...CUSTOMER_FIELDS, 'meta'] as const;
/** The columns that stay when everything personal is cleared. */
export const EMPTY_CUSTOMER = {
  ...Object.fromEntries(CHANGEABLE.map((name) => [name, null])),
  email: '',
} as CustomerFields;

type App = { readonly db: Db; readonly clock: Clock };

export async function createCustomer(
  app: App & { readonly random: Random },
  { merchantId, environment }: Owner,
  given: CustomerFields,
): Promise<Customer> {
  const customer = { ...given, id: newId(app.random), createdAt: app.clock.now() };
  const row = { ...customer, merchantId, environment, updatedAt: customer.createdAt };
  await app.db.single((tx) => tx.query(CUSTOMER.insert([row])));
  return customer;
}

/** Undefined also for a deleted customer and for one of another merchant or environment. */
export function findCustomer(
  app: { readonly db: Reader },
  owner: Owner,
  id: string,
): Promise<Customer | undefined> {
  return CUSTOMER.find(app.db, sql`where id = ${id} and ${livingOf(owner)}`);
}

/** @throws Refusal missing `customer_missing`. */
export async function requireCustomer(
  app: { readonly db: Reader },
  owner: Owner,
  id: string,
): Promise<Customer> {
  const found = await findCustomer(app, owner, id);
  if (found === undefined) throw customerMissing();
  return found;
}

/** Newest first, without those deleted. */
export async function listCustomers(
  app: { readonly db: Reader },
  owner: Owner,
  { limit, cursor }: { readonly limit: number; readonly cursor: PagePlace | undefined },
): Promise<{ readonly customers: readonly Customer[]; readonly nextCursor: string | null }> {
  const place = placeNewestFirst(cursor);
  const rows = await CUSTOMER.select(
    app.db,
    sql`where ${livingOf(owner)} and (created_at, id) < (${place.at}, ${place.id})
      order by created_at desc, id desc limit ${limit + 1}`,
  );
  const placeOf = ({ createdAt, id }: Customer) => ({ at: createdAt, id });
  const { shown, nextCursor } = cutPage(rows, limit, placeOf);
  return { customers: shown, nextCursor };
}

/** Changes the given fields only. @throws Refusal missing `customer_missing`. */
export async function changeCustomer(
  app: App,
  owner: Owner,
  id: string,
  changes: Partial<CustomerFields>,
): Promise<Customer> {
  const now = app.clock.now();
  const [row] = await app.db.single((tx) =>
    tx.query<object>(sql`
      update customer set updated_at = ${now}, ${CUSTOMER.changed(CHANGEABLE, changes)}
      where id = ${id} and ${livingOf(owner)} returning ${CUSTOMER.columns}`),
  );
  if (row === undefined) throw customerMissing();
  return CUSTOMER.parse(row);
}

/**
 * Clears everything personal for good. The id is never used again: checkouts of the past keep it.
 * @throws Refusal missing `customer_missing`.
 */
export async function eraseCustomer(app: App, owner: Owner, id: string): Promise<void> {
  const now = app.clock.now();
  const rows = await app.db.single((tx) =>
    tx.query(sql`
      update customer set deleted_at = ${now}, updated_at = ${now},
        ${CUSTOMER.changed(CHANGEABLE, EMPTY_CUSTOMER)}
      where id = ${id} and ${livingOf(owner)} returning id`),
  );
  if (rows.length === 0) throw customerMissing();
}

/** `customer` of the wire: every field, null where there is nothing; `meta` as it was given. */
export function customerView({ createdAt, meta, ...fields }: Customer) {
  return {
    ...fields,
    meta: meta === null ? null : parseStoredObject(meta),
    timestamp: timestamp(createdAt),
  };
}

function customerMissing(): Refusal {
  return new Refusal('missing', 'customer_missing', 'no such customer');
}

function livingOf(owner: Owner) {
  return sql`${ownedBy(owner)} and deleted_at is null`;
}
