// What is due is asked for all the time, mostly while little or nothing waits, among all that is over.
// PostgreSQL takes its statistics in such an hour too (autovacuum), and from them makes one plan for
// all values (plan_cache_mode in src/db/db.ts): that plan has to read an index, and not the table.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { claimMessages } from '#alert/alert.ts';
import { silentLog } from '#base/log.ts';
import { listDueBillMails } from '#billing/bill-mails.ts';
import type { Db, Reader, Statement, Tx } from '#db/db.ts';
import { rawStatement } from '#db/statement.ts';
import { claimDeliveries } from '#event/claim-deliveries.ts';
import { claimMails } from '#mail/claim-mails.ts';
import { settleDue } from '#settle/queue.ts';
import { listDueRuleIds } from '#settlement-rule/settlement-rule.ts';
import { explain } from '#test/support/explain.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { openTestDatabase } from '#test/support/test-database.ts';
import { runTransfers } from '#transfer/run-transfers.ts';

const ROWS = 20_000;
/** Of any queue here. */
const MOST_PER_STEP = 200;
const now = Temporal.Instant.from('2026-01-01T00:00:00Z');
const clock = manualClock(now);
const leaseUntil = now.add({ seconds: 30 });

type Fill = { readonly table: string; readonly columns: string; readonly values: string };

/** Nothing waits. */
const fills: readonly Fill[] = [
  {
    table: 'checkout',
    columns: `id, merchant_id, environment, type, origin, page_token_hash, payload,
      billing_currency, total, settlement_asset, language, offers, fee_parts_per_million,
      underpaid_tolerance_parts_per_million, late_floor_parts_per_million, state, created_at,
      expires_at, quoted_until, completed_at`,
    values: `id, 'm', 'live', 'HOSTED', 'API', sha256(id::bytea), repeat('p', 1700), 'EUR', 1,
      'ORIGIN', 'en', '[]', 0, 0, 900000, 'COMPLETED', at, at, at, at`,
  },
  {
    table: 'deposit_address',
    columns: `id, merchant_id, environment, network, asset_id, instruction_id,
      fee_parts_per_million, created_at`,
    values: `id, 'm', 'live', 'LITECOIN', 'LTC:NATIVE', id, 0, at`,
  },
  {
    table: 'transfer',
    columns: `id, merchant_id, environment, kind, network, asset_id, account, units,
      network_fee_units, fee_units, source, target_units, state, created_at, expires_at`,
    values: `id, 'm', 'live', 'TRANSFER', 'SEPA', 'EUR:FIAT', '{}', 1, 0, 0,
      'merchant:available', 1, 'QUOTED', at, at`,
  },
  {
    table: 'webhook_delivery',
    columns: `event_id, merchant_id, environment, url, lane, state, attempt_count,
      next_attempt_at, created_at, finished_at`,
    values: `id, 'm', 'live', 'https://example.org', 'a', 'DELIVERED', 1, at, at, at`,
  },
  {
    table: 'mail',
    columns: `id, cause_key, kind, receiver, state, next_attempt_at, created_at, finished_at`,
    values: `id, id, 'PAID', 'a@example.org', 'SENT', at, at, at`,
  },
  {
    table: 'alert_message',
    columns: `id, channel, stage, kind, subject, title, detail, happened_at, state,
      next_attempt_at, created_at, finished_at`,
    values: `id, 'NTFY', 'ON', 'k', 's', 't', 'd', at, 'SENT', at, at, at`,
  },
  {
    // Of each shop, and deleted.
    table: 'settlement_rule',
    columns: `id, merchant_id, environment, asset_id, threshold_units, keep_units, convert_to,
      actor, created_at, seal, due_at, next_at, deleted_at`,
    values: `id, id, 'live', 'BTC:NATIVE', 1, 0, 'EUR:FIAT', 'a', at, '', at, at, at`,
  },
  {
    table: 'bill_mail',
    columns: 'bill_id, kind, tell_on, told_at',
    values: `id, 'BILL_DUE', to_char(at, 'YYYY-MM-DD'), at`,
  },
];

let db: Db;

before(async () => {
  ({ db } = await openTestDatabase({ unsafeFast: true }));
  await db.transact(async (tx) => {
    // Without triggers and foreign keys: only how much is read is looked at here.
    await tx.query(rawStatement('set local session_replication_role = replica'));
    for (const { table, columns, values } of fills) {
      await tx.query(
        rawStatement(`insert into ${table} (${columns})
          select ${values} from (select lpad(n::text, 12, '0') as id,
            timestamptz '2025-01-01Z' + n * interval '1 minute' as at
            from generate_series(1, ${ROWS}) as n) as rows`),
      );
    }
  });
  await db.query(rawStatement('analyze'));
});

/** What an act sends up to its first question, which is not asked. */
async function firstStatements(act: (db: Db) => Promise<unknown>): Promise<Statement[]> {
  const noted: Statement[] = [];
  const query = async (statement: Statement) => {
    noted.push(statement);
    throw new Error('noted');
  };
  const tx = { query, send: (statement: Statement) => noted.push(statement) } as unknown as Tx;
  const run = <T>(inside: (tx: Tx) => Promise<T>) => inside(tx);
  const noting = { query, transact: run, single: run, read: run } as unknown as Db;
  // What claims deliveries reads its answer when its transaction is over.
  await assert.rejects(act(noting), /noted/);
  return noted;
}

const settle = (purpose: 'checkout' | 'deposit-address') => (reader: Db) =>
  settleDue(
    { db: reader, clock, log: silentLog },
    { purpose, atOnce: 1, settle: async () => undefined },
  );
const claim = { now, leaseUntil, most: 50 };

const queues: Record<string, (db: Db) => Promise<unknown>> = {
  checkout: settle('checkout'),
  deposit_address: settle('deposit-address'),
  transfer: (reader) =>
    runTransfers({ db: reader, clock } as unknown as Parameters<typeof runTransfers>[0]),
  webhook_delivery: (reader) =>
    claimDeliveries(reader, {
      ...claim,
      ...{ troubledMost: 10, merchantMost: 50, laneMost: 10, wide: [], cursor: '' },
    }),
  mail: (reader) => claimMails(reader, { ...claim, only: undefined }),
  alert_message: (reader) => claimMessages(reader, { ...claim, only: undefined }),
  settlement_rule: (reader: Reader) => listDueRuleIds(reader, now, 50),
  bill_mail: (reader: Reader) => listDueBillMails(reader, '2026-01-01', 50),
};

async function readsOf(queue: string) {
  const act = queues[queue];
  assert.ok(act !== undefined);
  const reads = [];
  for (const statement of await firstStatements(act)) reads.push(...(await explain(db, statement)));
  const read = reads.filter((one) => one.table === queue && one.node !== 'ModifyTable');
  assert.ok(read.length > 0);
  return read;
}

for (const queue of Object.keys(queues)) {
  test(`${queue}: what is due is read from an index while nothing is`, async (t) => {
    const read = await readsOf(queue);
    t.diagnostic(`${read.map(({ node, rows }) => `${node} ${rows}`)}`);
    for (const { node } of read) assert.match(node, /^(?:Index|Index Only|Bitmap Heap) Scan$/);
  });
}

for (const [queue, column] of [
  ['checkout', 'settle_at'],
  ['deposit_address', 'settle_at'],
  ['transfer', 'next_step_at'],
] as const) {
  test(`${queue}: with those statistics a step reads as many as it takes, however many are due`, async (t) => {
    await db.transact(async (tx) => {
      await tx.query(rawStatement('set local session_replication_role = replica'));
      await tx.query(rawStatement(`update ${queue} set ${column} = created_at`));
    });
    const read = await readsOf(queue);
    t.diagnostic(`${read.map(({ node, rows }) => `${node} ${rows}`)}`);
    for (const { node, rows } of read) {
      assert.match(node, /^Index(?: Only)? Scan$/);
      assert.ok(rows <= MOST_PER_STEP, `${rows} rows are read`);
    }
  });
}
