// Fills a database with as many paid checkouts as are asked for. Guarantees: a part is all there or
// nothing of it, and is never written twice, however often the program is killed and started again;
// what is there at the end is right: balances, digests of events, seals and sums of days included.

import { hash } from 'node:crypto';
import { systemClock } from '#base/clock.ts';
import { pageToken, pageTokenHash } from '#checkout/page-token.ts';
import { type Db, sql, type Tx } from '#db/db.ts';
import { rawStatement } from '#db/statement.ts';
import {
  DEPOSIT_INSTRUCTION,
  type DepositInstruction,
  signInstruction,
} from '#deposit/deposit-instruction.ts';
import { digestEvents } from '#event/prove-events.ts';
import type { Keyring } from '#installation/keyring.ts';
import { followLedgerDays } from '#ledger/ledger-day.ts';
import { findTopDigest, sealEntries } from '#ledger/seal-entries.ts';
import { followTakings } from '#takings/follow-takings.ts';
import type { BenchApp } from './bench-app.ts';
import type { BenchDatabase } from './bench-database.ts';
import { addressOf } from './bench-network.ts';
import { inParallel, timed } from './measure.ts';
import { COPIED_TABLES, copyStatements, keepTemplates } from './scale-copies.ts';
import { makeIndexes, run, stopIndexes, vacuumCopied } from './scale-server.ts';
import { makeTemplates, TEMPLATES } from './scale-templates.ts';

const PART = 5_000;
/** As the service does. */
const SEALED_AT_ONCE = 1_000;
/** It makes no difference to them how many are made at once. */
const DIGESTED_AT_ONCE = 5_000;
const YEAR_SECONDS = 365 * 86_400;
/** While one waits for the other processes, the processors have something to do. */
const COPIED_AT_ONCE = 3;
const SAID_EACH_MS = 10_000;
/** Parts of checkouts: they are still in the memory of PostgreSQL then. */
const VACUUMED_EACH = 20;
/** The first entry of each part of an account that has a balance; as the trigger spreads them. */
const BALANCE_PARTS = 32;

/** Of a copy: everything that follows from its number alone. */
export type Copy = {
  readonly number: number;
  readonly checkoutId: string;
  readonly address: string;
  readonly transaction: string;
};

export function copyNumber(number: number): Copy {
  const transaction = hash('sha256', `payment ${number} first`);
  return {
    ...{ number, checkoutId: idOf('checkout', number), transaction },
    address: addressOf(`copy ${number}`),
  };
}

function idOf(kind: string, number: number): string {
  return hash('md5', `${kind} ${number}`).slice(0, 12);
}

type Fill = {
  readonly app: BenchApp;
  readonly database: BenchDatabase;
  readonly checkouts: number;
  readonly say: (line: string) => void;
};

/** Goes on where the last run stopped. @throws Error when that one was for another number. */
export async function fillDatabase({ app, database, checkouts, say }: Fill): Promise<void> {
  const { db } = database;
  await db.query(sql`create schema if not exists bench_scale`);
  const known = await findPlan(db);
  if (known === undefined) {
    await makeTemplates(app, database);
    await makePlan(db, checkouts);
    await run(db, 'analyze');
  } else if (known.checkouts !== BigInt(checkouts)) {
    throw new Error(`the directory is filled with ${known.checkouts} checkouts, not ${checkouts}`);
  }
  const plan = await findPlan(db);
  if (plan === undefined) throw new Error('there is no plan');
  if (plan.isDone) return;
  await copyParts({ db, keyring: app.keyring, checkouts, say });
  const step = async (what: string, act: () => Promise<void>) => {
    const ms = await timed(act);
    say(`${what}: ${Math.round(ms / 1000)} s`);
  };
  await step('indexes', () => makeIndexes(db, say));
  await step('balances', () => writeBalances(db));
  await step('statistics', () => run(db, 'analyze'));
  await step('digests, seals and sums', () => prove(db, checkouts, say));
  await step('vacuum', () => run(db, 'vacuum analyze'));
  await run(db, 'checkpoint');
  await db.query(sql`update bench_scale.plan set is_done = true`);
}

type Plan = { readonly checkouts: bigint; readonly isDone: boolean };

async function findPlan(db: Db): Promise<Plan | undefined> {
  const [table] = await db.query<{ name: string | null }>(sql`
    select to_regclass('bench_scale.plan')::text as name`);
  if (table?.name === null || table === undefined) return undefined;
  const [plan] = await db.query<Plan>(sql`
    select checkouts, is_done as "isDone" from bench_scale.plan`);
  return plan;
}

/** The templates, and from which numbers on their copies are counted. */
async function makePlan(db: Db, checkouts: number): Promise<void> {
  await keepTemplates(db);
  await db.query(sql`
    create table bench_scale.sale as
    select k.id as checkout_id, i.address, null::text as token, i.asset_id, i.merchant_id,
      array(select transaction from receipt r where r.purpose_id = k.id order by r.id) as transactions
    from checkout k join deposit_instruction i on i.purpose_id = k.id`);
  await db.query(sql`create table bench_scale.part (number integer primary key)`);
  await db.query(
    rawStatement(`create table bench_scale.plan as
    select ${checkouts}::bigint as checkouts, false as is_done,
      2 as receipts, 2 as entries, 1 as events,
      (select max(id) + 1 from receipt) as first_receipt,
      (select max(id) + 1 from ledger_entry) as first_entry,
      (select max(number) + 1 from event) as first_event,
      (select max(id) + 1 from webhook_delivery) as first_delivery,
      (select max(next_index) from address_source) as first_index`),
  );
}

type Copying = Pick<Fill, 'checkouts' | 'say'> & { readonly db: Db; readonly keyring: Keyring };

async function copyParts({ db, keyring, checkouts, say }: Copying): Promise<void> {
  const templates = await listTemplates(db, keyring);
  const statements = await copyStatements(db, 'made');
  const [sample] = await DEPOSIT_INSTRUCTION.select(
    db,
    sql`where purpose_id = ${templates[0]?.checkoutId ?? ''} limit 1`,
  );
  if (sample === undefined) throw new Error('there is no instruction to copy');
  const written = await db.query<{ number: number }>(sql`select number from bench_scale.part`);
  const there = new Set(written.map(({ number }) => number));
  const parts = Array.from({ length: Math.ceil(checkouts / PART) }, (_, part) => part);
  const left = parts.filter((part) => !there.has(part));
  if (left.length > 0) await stopIndexes(db);
  let vacuuming: Promise<void> | undefined;
  const tell = teller('checkouts', checkouts, there.size * PART, say);
  await inParallel(COPIED_AT_ONCE, async (taken) => {
    const part = left[taken];
    if (part === undefined) return false;
    const numbers = { from: part * PART, to: Math.min(checkouts, (part + 1) * PART) };
    await db.transact(async (tx) => {
      tx.send(sql`set local session_replication_role = replica`);
      // By a hash: going through all rows of the templates for each copy takes a third of the time.
      tx.send(sql`set local enable_nestloop = off`);
      await writeMade(tx, keyring, { templates, sample, ...numbers, checkouts });
      for (const statement of statements) await tx.query(rawStatement(statement));
      await tx.query(sql`insert into bench_scale.part (number) values (${part})`);
    });
    tell(numbers.to - numbers.from);
    if (taken % VACUUMED_EACH === VACUUMED_EACH - 1) {
      await vacuuming;
      vacuuming = vacuumCopied(db, COPIED_TABLES);
    }
    return true;
  });
  await vacuuming;
  await vacuumCopied(db, COPIED_TABLES);
}

type Template = {
  readonly checkoutId: string;
  readonly assetId: string;
  readonly merchantId: string;
  readonly chain: string;
};

async function listTemplates(db: Db, keyring: Keyring): Promise<readonly Template[]> {
  const templates = await db.query<Template>(sql`
    select checkout_id as "checkoutId", asset_id as "assetId", merchant_id as "merchantId"
    from bench_scale.sale order by checkout_id`);
  for (const { checkoutId } of templates) {
    const token = pageToken(keyring, checkoutId);
    await db.query(sql`
      update bench_scale.sale set token = ${token} where checkout_id = ${checkoutId}`);
  }
  if (templates.length !== TEMPLATES) throw new Error(`${templates.length} templates were made`);
  return templates;
}

/** What a copy cannot compute in SQL: MACs of the key file, and names by a hash. */
async function writeMade(
  tx: Tx,
  keyring: Keyring,
  part: {
    readonly templates: readonly Template[];
    /** All of them have the same chain, merchant and source. */
    readonly sample: DepositInstruction;
    readonly from: number;
    readonly to: number;
    readonly checkouts: number;
  },
): Promise<void> {
  const { templates, sample, from, to, checkouts } = part;
  const copies = Array.from({ length: to - from }, (_, index) => copyNumber(from + index));
  const rows = copies.map(({ number, checkoutId, address, transaction }) => {
    const template = templates[number % templates.length];
    const id = idOf('instruction', number);
    const named = { id, purposeId: checkoutId, destination: address, address };
    const token = pageToken(keyring, checkoutId);
    return {
      ...{ number, checkoutId, address, transaction, token, instructionId: id },
      template: template?.checkoutId ?? '',
      second: hash('sha256', `payment ${number} second`),
      tokenHash: pageTokenHash(token),
      mac: signInstruction(keyring, { ...sample, ...named }).integrityMac,
    };
  });
  const step = YEAR_SECONDS / checkouts;
  const column = <Name extends keyof (typeof rows)[number]>(name: Name) =>
    rows.map((row) => row[name]);
  tx.send(sql`
    create temporary table made on commit drop as
    select m.number, m.checkout_id, m.template, m.instruction_id, m.address, m.token, m.token_hash,
      m.mac, array[m.first, m.second] as transactions,
      (m.number - ${checkouts}::int) * ${String(step)}::float8 * interval '1 second' as shift
    from unnest(${column('number')}::int[], ${column('checkoutId')}::text[],
      ${column('template')}::text[], ${column('instructionId')}::text[],
      ${column('address')}::text[], ${column('token')}::text[], ${column('tokenHash')}::bytea[],
      ${column('mac')}::bytea[], ${column('transaction')}::text[], ${column('second')}::text[])
      as m (number, checkout_id, template, instruction_id, address, token, token_hash, mac, first,
        second)`);
  await tx.query(sql`analyze made`);
}

/** What the triggers would have summed, and the counters behind what was written. */
async function writeBalances(db: Db): Promise<void> {
  await db.transact(async (tx) => {
    tx.send(sql`set local session_replication_role = replica`);
    tx.send(sql`set local statement_timeout = 0`);
    tx.send(sql`delete from ledger_balance_part`);
    tx.send(sql`
      insert into ledger_balance_part (account_id, part, units)
      select account_id, entry_id % ${BALANCE_PARTS}::int, sum(units) from ledger_posting
      group by 1, 2 order by 1, 2`);
    tx.send(sql`
      update address_source set next_index = (
        select coalesce(max(source_index) + 1, 0) from deposit_instruction i
        where i.source_id = address_source.id)`);
    for (const [table, column] of [
      ['receipt', 'id'],
      ['ledger_entry', 'id'],
      ['event', 'number'],
      ['webhook_delivery', 'id'],
    ] as const) {
      await tx.query(
        rawStatement(`select setval(pg_get_serial_sequence('${table}', '${column}'),
          (select max(${column}) from ${table}))`),
      );
    }
  });
}

/**
 * As the running service does it after each sale: digests, seals and sums of days, each of what lies
 * behind the other, at the same time. A seal covers as many events as entries, while there are any.
 */
async function prove(db: Db, checkouts: number, say: Fill['say']): Promise<void> {
  const app = { db, clock: systemClock };
  const digest = async () => {
    const tell = teller('events', checkouts, 0, say);
    for (let top = -1n, before = -2n; top !== before; ) {
      before = top;
      await digestEvents(app, { limit: DIGESTED_AT_ONCE });
      top = await findTopDigest(db);
      tell(DIGESTED_AT_ONCE);
    }
  };
  const seal = async () => {
    const tell = teller('entries', 2 * checkouts, 0, say);
    for (let isLast = false; ; ) {
      const { sealed } = await sealEntries(app, { limit: SEALED_AT_ONCE });
      tell(Math.min(sealed, SEALED_AT_ONCE));
      if (sealed > 0) continue;
      if (isLast) return;
      await digesting;
      isLast = true;
    }
  };
  const sum = async () => {
    while ((await followTakings(app)) === 'busy');
    while ((await followLedgerDays(app)) === 'busy');
  };
  const digesting = digest();
  await Promise.all([digesting, seal(), sum()]);
}

/** Says every ten seconds how many are done, how fast, and when the last one will be. */
function teller(what: string, total: number, before: number, say: Fill['say']) {
  const startMs = performance.now();
  let saidMs = startMs;
  let done = 0;
  return (count: number): void => {
    done += count;
    const nowMs = performance.now();
    const isLast = before + done >= total && before + done - count < total;
    if (nowMs - saidMs < SAID_EACH_MS && !isLast) return;
    saidMs = nowMs;
    const aSecond = done / ((nowMs - startMs) / 1000);
    const left = Math.max(0, total - before - done) / aSecond;
    const shown = (count: number) => Math.round(count).toLocaleString('en');
    say(
      `${shown(Math.min(total, before + done))} of ${shown(total)} ${what}, ` +
        `${shown(aSecond)} a second, ${shown(left)} s left`,
    );
  };
}
