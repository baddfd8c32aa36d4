// People a merchant bills, and the SQL of their table. Those of another merchant or environment do
// not exist (E9). A deleted one leaves its id, for the checkouts that name it, and nothing else;
// one that became one with another (merge-customers.ts) leaves it as another name of that one.

import { z } from 'zod';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import { timestamp } from '#base/instant.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { isEmail } from '#base/text.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, type Reader, type Statement, sql } from '#db/db.ts';
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
import type { Keyring } from '#installation/keyring.ts';
import { forgetReceiver, mailReader } from '#mail/mail-stop.ts';
import {
  type ExactJson,
  isJsonObject,
  parseStoredObject,
  stringifyExact,
} from '#money/exact-json.ts';
import { checkShape, fields, isGiven, metaObject, textUpTo } from '#money/exact-schema.ts';
import { isCountry } from './iban.ts';
import { forgetPayer } from './payer-mail.ts';

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
type CustomerFields = Pick<Customer, CustomerField | 'meta'>;

const CHANGEABLE = [...CUSTOMER_FIELDS, 'meta'] as const;
/** The columns that stay when everything personal is cleared. */
const EMPTY_CUSTOMER = {
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

/** By any id that names him. Undefined also when deleted or of another merchant, environment. */
export function findCustomer(
  app: { readonly db: Reader },
  owner: Owner,
  id: string,
): Promise<Customer | undefined> {
  return CUSTOMER.find(app.db, sql`where id = ${namedBy(owner, id)} and ${livingOf(owner)}`);
}

/** Ids that name the same customer, his own first; also of one who is not there, the id alone. */
export async function listCustomerIds(
  reader: Reader,
  owner: Owner,
  id: string,
): Promise<readonly string[]> {
  const rows = await reader.query<{ readonly id: string }>(sql`
    with own as (select ${namedBy(owner, id)} as id)
    select id from own where id is not null
    union all
    select merged.id from own join customer merged on merged.merged_into = own.id`);
  return rows.length === 0 ? [id] : rows.map((row) => row.id);
}

/** The one who was there first. */
export function findCustomerByEmail(
  app: { readonly db: Reader },
  owner: Owner,
  email: string,
): Promise<Customer | undefined> {
  return CUSTOMER.find(
    app.db,
    sql`where email = ${email} and ${livingOf(owner)} order by created_at, id limit 1`,
  );
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

/** Stands behind every other character. */
const LAST = '\u{10ffff}';
const SEARCHED = ['email', 'firstname', 'lastname', 'company'] as const;

/**
 * Those whose e-mail address, name or company begins like that, in either case, or whose id it is;
 * newest first. Each column is read from its own index, and no further than `most`.
 */
export function searchCustomers(
  app: { readonly db: Reader },
  owner: Owner,
  { begins, most }: { readonly begins: string; readonly most: number },
): Promise<Customer[]> {
  const found = SEARCHED.map((column) => {
    const name = CUSTOMER.namesOf([column]);
    return sql`(select id from customer where ${livingOf(owner)}
      and lower(${name}) ~>=~ lower(${begins}) and lower(${name}) ~<~ (lower(${begins}) || ${LAST})
      limit ${most})`;
  }).reduce((all, one) => sql`${all} union ${one}`);
  return CUSTOMER.select(
    app.db,
    sql`where id in (${found} union select ${namedBy(owner, begins)}) and ${livingOf(owner)}
      order by created_at desc, id desc limit ${most}`,
  );
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
      where id = ${namedBy(owner, id)} and ${livingOf(owner)} returning ${CUSTOMER.columns}`),
  );
  if (row === undefined) throw customerMissing();
  return CUSTOMER.parse(row);
}

/**
 * Clears everything personal for good, mails with it. The id is never used again: checkouts of the
 * past keep it. Answers his own id. @throws Refusal missing `customer_missing`.
 */
export async function eraseCustomer(
  app: App & { readonly keyring: Keyring },
  owner: Owner,
  id: string,
): Promise<string> {
  const { merchantId } = owner;
  const now = app.clock.now();
  return app.db.transact(async (tx) => {
    const [known] = await tx.query<Pick<Customer, 'id' | 'email'>>(sql`
      select id, email from customer
      where id = ${namedBy(owner, id)} and ${livingOf(owner)} for update`);
    if (known === undefined) throw customerMissing();
    tx.send(sql`
      update customer set deleted_at = ${now}, updated_at = ${now}, ${clearCustomer()}
      where id = ${known.id}`);
    const others = await tx.query(sql`
      select 1 from customer where merchant_id = ${merchantId} and email = ${known.email}
        and id <> ${known.id} limit 1`);
    // Their mails are not told apart from his, and are theirs as well.
    const isHis = others.length === 0;
    if (isHis) forgetReceiver(tx, { merchantId, receiver: known.email });
    const reader = isHis ? mailReader(app.keyring, merchantId, known.email) : undefined;
    const customerIds = await listCustomerIds(tx, owner, known.id);
    await forgetPayer(tx, { merchantId, reader, customerIds });
    return known.id;
  });
}

/** `update … set ${…}`: nothing personal is left. */
export function clearCustomer(): Statement {
  return CUSTOMER.changed(CHANGEABLE, EMPTY_CUSTOMER);
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

/** The id of the customer whom this one names; null where nobody ever had it. */
function namedBy(owner: Owner, id: string): Statement {
  return sql`(select coalesce(merged_into, id) from customer
    where id = ${id} and ${ownedBy(owner)})`;
}

function livingOf(owner: Owner) {
  return sql`${ownedBy(owner)} and deleted_at is null`;
}

// Customers as merchants send them (api-contract.md 5): only `email` is required, a change is
// partial, null clears. Lengths count code points.
const email = textUpTo(254).refine(isEmail, 'must be an e-mail address');

/** Either case. */
const countrycode = z
  .string()
  .transform((code) => code.toUpperCase())
  .refine(isCountry, 'must be a country code of ISO 3166-1 (DE, BR)')
  .meta({ description: 'ISO 3166-1, two letters' });

/** Null clears, and so does an empty text or, for `meta`, the empty list that PHP sends. */
function clearable<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess(
    (value) => (value === undefined || isGiven(value) ? value : null),
    schema.nullish(),
  );
}

const detailsShape = {
  firstname: clearable(textUpTo(200)),
  lastname: clearable(textUpTo(200)),
  company: clearable(textUpTo(200)),
  adr1: clearable(textUpTo(200)),
  adr2: clearable(textUpTo(200)),
  zip: clearable(textUpTo(20)),
  city: clearable(textUpTo(200)),
  countrycode: clearable(countrycode),
  phonenumber: clearable(textUpTo(40)),
  taxid: clearable(textUpTo(50)),
  note: clearable(textUpTo(2000)),
  meta: clearable(metaObject),
};

/** POST /customer. */
export const newCustomerSchema = fields({
  customer: fields({ email, ...detailsShape }).meta({ id: 'CustomerFields' }),
}).meta({ id: 'CreateCustomerRequest' });

/** PUT /customer: what is absent stays, null clears. */
export const customerChangeSchema = fields({
  customer: fields({ id: textUpTo(100), email: email.optional(), ...detailsShape }).meta({
    id: 'CustomerChange',
  }),
}).meta({ id: 'UpdateCustomerRequest' });

/** @throws Refusal `validation_failed` with one sentence a fault. */
export function parseNewCustomer(body: ExactJson): CustomerFields {
  const { email, ...details } = parseCustomer(newCustomerSchema, body);
  return { ...EMPTY_CUSTOMER, ...details, email };
}

type CustomerChange = {
  readonly id: string;
  readonly changes: Partial<CustomerFields>;
};

/** @throws Refusal `validation_failed` with one sentence a fault. */
export function parseCustomerChange(body: ExactJson): CustomerChange {
  const { id, ...changes } = parseCustomer(customerChangeSchema, body);
  return { id, changes };
}

/** The fields that are given, `meta` as its text: value for value what was sent. */
function parseCustomer<Fields extends { readonly meta?: unknown }>(
  schema: z.ZodType<{ readonly customer: Fields }>,
  body: ExactJson,
): Omit<Fields, 'meta'> & { readonly meta?: string | null } {
  const faults: string[] = [];
  const parsed = checkShape(schema, body, faults);
  if (parsed === undefined) throw new Refusal('invalid', 'validation_failed', faults);
  const { meta, ...given } = parsed.customer;
  if (meta === undefined) return given;
  return { ...given, meta: meta === null ? null : stringifyExact(sentMeta(body)) };
}

function sentMeta(body: ExactJson): unknown {
  const customer: unknown = isJsonObject(body) ? body.customer : undefined;
  return isJsonObject(customer) ? customer.meta : undefined;
}
