// SQL of the customer table, private to this folder.
import { type Reader, sql, type Tx } from '#db/db.ts';
import { type PagePlace, placeNewestFirst } from '#db/page-cursor.ts';
import type { Customer, CustomerFields, CustomerOwner } from './customer.ts';

const FIELDS = sql`email, firstname, lastname, company, adr1, adr2, zip, city, countrycode,
  phonenumber, taxid, note, meta`;
const COLUMNS = sql`id, ${FIELDS}, created_at as "createdAt"`;

export async function insertCustomer(
  tx: Tx,
  owner: CustomerOwner,
  customer: Customer,
): Promise<void> {
  const { createdAt, ...given } = customer;
  await tx.query(sql`
    insert into customer (id, merchant_id, environment, created_at, updated_at, ${FIELDS})
    select id, ${owner.merchantId}, ${owner.environment}, ${createdAt}::timestamptz,
      ${createdAt}::timestamptz, ${FIELDS}
    from json_populate_record(null::customer, ${JSON.stringify(given)}::json)`);
}

/** Fields that are not among the changes stay as they are. */
export async function updateCustomer(
  tx: Tx,
  owner: CustomerOwner,
  id: string,
  changes: Partial<CustomerFields>,
  now: Temporal.Instant,
): Promise<Customer | undefined> {
  const [row] = await tx.query<Customer>(sql`
    update customer set updated_at = ${now}, (${FIELDS}) = (
      select ${FIELDS} from json_populate_record(customer, ${JSON.stringify(changes)}::json))
    where id = ${id} and ${ownedBy(owner)} returning ${COLUMNS}`);
  return row;
}

/** Nothing personal is left; the id stays, for the checkouts that name it. */
export async function clearCustomer(
  tx: Tx,
  owner: CustomerOwner,
  id: string,
  now: Temporal.Instant,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update customer set deleted_at = ${now}, updated_at = ${now}, (${FIELDS}) = (
      select ${FIELDS} from json_populate_record(null::customer, '{"email": ""}'))
    where id = ${id} and ${ownedBy(owner)} returning id`);
  return rows.length > 0;
}

export async function findCustomerRow(
  reader: Reader,
  owner: CustomerOwner,
  id: string,
): Promise<Customer | undefined> {
  const [row] = await reader.query<Customer>(
    sql`select ${COLUMNS} from customer where id = ${id} and ${ownedBy(owner)}`,
  );
  return row;
}

/** Newest first, those after `place`. */
export function listCustomerRows(
  reader: Reader,
  owner: CustomerOwner,
  { most, place }: { readonly most: number; readonly place: PagePlace | undefined },
): Promise<Customer[]> {
  const { at, id } = placeNewestFirst(place);
  return reader.query<Customer>(sql`
    select ${COLUMNS} from customer
    where ${ownedBy(owner)} and (created_at, id) < (${at}, ${id})
    order by created_at desc, id desc limit ${most}`);
}

function ownedBy({ merchantId, environment }: CustomerOwner) {
  return sql`(merchant_id = ${merchantId} and environment = ${environment}
    and deleted_at is null)`;
}
