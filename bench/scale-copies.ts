// How a row of a template becomes the same row of a copy: what names the sale is named anew, times are
// moved, all else stays. Numbers of rows are computed, so that parts may be written in any order and
// at the same time.

import { type Db, type Reader, sql } from '#db/db.ts';
import { fragment, rawStatement } from '#db/statement.ts';

type Copied = {
  readonly table: string;
  /** Of the table `x`: the id of the template, and the order within it. */
  readonly from?: string;
  readonly template: string;
  readonly order: string;
  /** New values: `m` is the copy, `t` the template, `p` the plan, `s` the row that is copied. */
  readonly set: Readonly<Record<string, string>>;
};

const RECEIPT = 'p.first_receipt + p.receipts * m.number + s.scale_ordinal';
const ENTRY = 'p.first_entry + p.entries * m.number + s.scale_ordinal';
const EVENT = 'p.first_event + p.events * m.number + s.scale_ordinal';
const DELIVERY = 'p.first_delivery + p.events * m.number + s.scale_ordinal';
const EVENT_ID = `substr(md5(s.scale_event || ':' || m.number), 1, 12)`;
const PAID = 'm.transactions[s.scale_ordinal + 1]';

/** Each name of the template in a text, by that of the copy. */
const told = (text: string) =>
  [
    ['t.checkout_id', 'm.checkout_id'],
    ['t.address', 'm.address'],
    ['t.token', 'm.token'],
    ['t.transactions[1]', 'm.transactions[1]'],
    ['t.transactions[2]', 'm.transactions[2]'],
  ].reduce((inner, [before, after]) => `replace(${inner}, ${before}, ${after})`, text);

const COPIED: readonly Copied[] = [
  {
    table: 'checkout',
    template: 'x.id',
    order: 'x.id',
    set: {
      id: 'm.checkout_id',
      page_token_hash: 'm.token_hash',
      changed_in: 'pg_current_xact_id()',
    },
  },
  {
    table: 'checkout_state_change',
    template: 'x.checkout_id',
    order: 'x.version',
    set: { checkout_id: 'm.checkout_id' },
  },
  {
    table: 'deposit_instruction',
    template: 'x.purpose_id',
    order: 'x.id',
    set: {
      id: 'm.instruction_id',
      purpose_id: 'm.checkout_id',
      destination: 'm.address',
      address: 'm.address',
      integrity_mac: 'm.mac',
      source_index: 'p.first_index + m.number',
    },
  },
  {
    table: 'commitment',
    template: 'x.checkout_id',
    order: 'x.network',
    set: { checkout_id: 'm.checkout_id', instruction_id: 'm.instruction_id' },
  },
  {
    table: 'receipt',
    template: 'x.purpose_id',
    order: 'x.id',
    set: {
      id: RECEIPT,
      instruction_id: 'm.instruction_id',
      purpose_id: 'm.checkout_id',
      destination: 'm.address',
      transaction: PAID,
      credit_key: `${PAID} || ':0'`,
      spends: `array[md5(${PAID}) || md5(${PAID} || '/') || ':1']`,
      block_height: 'm.number / 50 + 1',
      block_hash: `encode(sha256((m.number / 50)::text::bytea), 'hex')`,
    },
  },
  {
    table: 'receipt_credit',
    template: 'x.checkout_id',
    order: 'x.receipt_id',
    set: { receipt_id: RECEIPT, checkout_id: 'm.checkout_id' },
  },
  {
    table: 'ledger_entry',
    template: 'x.subject_id',
    order: 'x.id',
    set: {
      id: ENTRY,
      subject_id: 'm.checkout_id',
      // One entry for each receipt, in their order.
      cause_key: `'receipt:' || (${RECEIPT}) || ':1'`,
    },
  },
  {
    table: 'ledger_posting',
    from: 'ledger_posting x join ledger_entry e on e.id = x.entry_id',
    template: 'e.subject_id',
    order: 'x.entry_id',
    set: { entry_id: ENTRY },
  },
  {
    table: 'event',
    template: 'x.subject_id',
    order: 'x.number',
    set: {
      id: EVENT_ID,
      subject_id: 'm.checkout_id',
      cause_key: `replace(s.cause_key, t.checkout_id, m.checkout_id)`,
      body: told('s.body'),
      number: EVENT,
    },
  },
  {
    table: 'webhook_delivery',
    from: 'webhook_delivery x join event e on e.id = x.event_id',
    template: 'e.subject_id',
    order: 'x.id',
    set: { id: DELIVERY, event_id: EVENT_ID },
  },
  {
    table: 'webhook_attempt',
    from: `webhook_attempt x join webhook_delivery d on d.id = x.delivery_id
      join event e on e.id = d.event_id`,
    template: 'e.subject_id',
    order: 'x.delivery_id',
    set: { delivery_id: DELIVERY },
  },
];

export const COPIED_TABLES = COPIED.map(({ table }) => table);

/** Tables whose rows name an event; all others have no such thing. */
const EVENT_OF: Readonly<Record<string, string>> = {
  event: 'x.id',
  webhook_delivery: 'x.event_id',
};

/** Sets the rows of the templates aside, each with its template and its place among them. */
export async function keepTemplates(db: Db): Promise<void> {
  for (const { table, from, template, order } of COPIED) {
    await db.query(
      rawStatement(`create table bench_scale.${table} as
        select x.*, ${template} as scale_template, ${EVENT_OF[table] ?? 'null::text'} as scale_event,
          dense_rank() over (partition by ${template} order by ${order}) - 1 as scale_ordinal
        from ${from ?? `${table} x`}`),
    );
  }
}

/**
 * One statement for each table: rows of `made` by those of their templates, in the order of `made`
 * where that is what the others are looked up for.
 */
export async function copyStatements(reader: Reader, made: string): Promise<readonly string[]> {
  const statements: string[] = [];
  for (const { table, set } of COPIED) {
    const columns = await reader.query<{ name: string; type: string }>(sql`
      select attname::text as name, format_type(atttypid, atttypmod) as type
      from pg_attribute
      where attrelid = ${fragment(`'${table}'::regclass`)} and attnum > 0 and not attisdropped
        and attgenerated = '' order by attnum`);
    const names = columns.map(({ name }) => `"${name}"`).join(', ');
    const values = columns.map(({ name, type }) => {
      const moved = type === 'timestamp with time zone' ? ' + m.shift' : '';
      return set[name] ?? `s."${name}"${moved}`;
    });
    statements.push(`insert into ${table} (${names}) overriding system value
      select ${values.join(', ')} from ${made} m
      join bench_scale.sale t on t.checkout_id = m.template
      join bench_scale.${table} s on s.scale_template = m.template cross join bench_scale.plan p`);
  }
  return statements;
}
