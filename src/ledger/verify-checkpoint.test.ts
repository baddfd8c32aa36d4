import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { type Db, sql } from '#db/db.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { accountsOf, type Entry } from './ledger-entry.ts';
import { ensureAccounts, postEntries } from './post-entry.ts';
import { sealEntries } from './seal-entries.ts';
import { openProof, type Proof, type ProofFrom } from './verify-checkpoint.ts';
import { verifyLedger } from './verify-ledger.ts';

const clock = manualClock('2026-11-21T10:00:00Z');
const merchantId = 'merchant0001';
const ASSET = 'LTC:NATIVE';
let database: TestDatabase;
let db: Db;
let directory: string;
let file: string;

before(async () => {
  database = await openTestDatabase({ unsafeFast: true });
  db = database.db;
  await db.single((tx) =>
    tx.query(sql`insert into merchant (id, name, sealed_data_key, created_at)
      values (${merchantId}, 'Shop', '', ${clock.now()})`),
  );
  directory = mkdtempSync(join(tmpdir(), 'quittance-verified-'));
  file = join(directory, 'ledger-verified');
  await postMore(40);
});
beforeEach(() => rmSync(file, { force: true }));
after(async () => {
  rmSync(directory, { recursive: true, force: true });
  await database.close();
});

let posted = 0;

async function postMore(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) {
    posted += 1;
    const entry: Entry = {
      causeKey: `test ${posted}`,
      kind: 'test',
      environment: 'test',
      merchantId,
      occurredAt: clock.now(),
      postings: [
        { account: { code: 'custody:LITECOIN' }, assetId: ASSET, units: 5n },
        { account: { merchantId, code: 'merchant:available' }, assetId: ASSET, units: -5n },
      ],
    };
    await ensureAccounts(db, accountsOf([entry]));
    await db.transact(async (tx) => postEntries(tx, [entry]));
    if (posted % 10 === 0) await sealEntries({ db, clock }, { limit: 10 });
  }
}

function open(from: ProofFrom, savedEveryMs = 0): Promise<Proof> {
  return openProof(db, { file, from, now: () => clock.now(), savedEveryMs });
}

/** As the command does it. */
async function prove(proof: Proof) {
  const steps: string[] = [];
  const found = await verifyLedger(db, (step) => void steps.push(step), proof);
  proof.end(found.ok);
  return { ...found, steps };
}

class Interrupted extends Error {}

/** The process ends at the first step that says this. */
async function interrupt(proof: Proof, at: RegExp): Promise<void> {
  const onProgress = (step: string) => {
    if (at.test(step)) throw new Interrupted();
  };
  await assert.rejects(verifyLedger(db, onProgress, proof), Interrupted);
}

test('a proof that was interrupted goes on where it was, and finds the same', async () => {
  const whole = await prove(await open('start'));
  rmSync(file);
  for (const at of [/^postings/, /^causes/, /^entries/]) {
    await interrupt(await open('start'), at);
    const rest = await open('rest');
    assert.ok(rest.begun !== undefined, String(at));
    const { steps, ...found } = await prove(rest);
    const { steps: all, ...expected } = whole;
    assert.deepEqual(found, expected);
    assert.ok(steps.length < all.length, `${steps.length} steps of ${all.length}`);
    // That one has ended: the next one looks at all.
    assert.equal((await open('rest')).begun, undefined);
  }
});

test('what came since is proved alone, and is added to what was proved', async () => {
  const before = await prove(await open('start'));
  await postMore(20);
  const last = await open('last');
  assert.equal(last.begun?.entry, before.head?.lastEntry);
  const { ok, entries, seals, accounts, steps } = await prove(last);
  assert.deepEqual([ok, entries - before.entries, seals - before.seals], [true, 20n, 2n]);
  assert.equal(accounts, before.accounts);
  assert.equal(steps.filter((step) => step.startsWith('entries')).length, 2);
});

async function tampered(act: () => Promise<void>): Promise<void> {
  const change = (units: bigint) =>
    db.transact(async (tx) => {
      await tx.query(sql`set local session_replication_role = replica`);
      await tx.query(sql`
        update ledger_posting set units = ${units} where units > 0
          and entry_id = (select min(id) from ledger_entry)`);
    });
  await change(6n);
  try {
    await act();
  } finally {
    await change(5n);
  }
}

test('a proof with a fault leaves nothing to go on from', async () => {
  await prove(await open('start'));
  await tampered(async () => {
    assert.equal((await prove(await open('start'))).ok, false);
    assert.equal(existsSync(file), false);
    // Nor does an interruption lose one that was found.
    await interrupt(await open('start'), /^entries/);
    const rest = await open('rest');
    assert.ok(rest.begun !== undefined);
    assert.equal((await prove(rest)).ok, false);
  });
  assert.equal((await prove(await open('rest'))).ok, true);
});

test('where the seals are not those that were proved it begins at the first entry', async () => {
  await prove(await open('start'));
  const changed = db.transact(async (tx) => {
    await tx.query(sql`set local session_replication_role = replica`);
    await tx.query(sql`update ledger_seal set hash = previous_hash`);
    const proof = await openProof(tx, { file, from: 'last', now: () => clock.now() });
    assert.equal(proof.begun, undefined);
    throw new Interrupted();
  });
  await assert.rejects(changed, Interrupted);
  assert.ok((await open('last')).begun !== undefined);
});

test('from an entry on: its seals and causes, and no balances', async () => {
  const { head } = await prove(await open('start'));
  assert.ok(head !== undefined);
  const { ok, accounts, entries, steps } = await prove(await open(head.lastEntry - 10n));
  assert.deepEqual([ok, accounts, entries], [true, undefined, 10n]);
  assert.ok(!steps.some((step) => step.startsWith('postings')));
  await tampered(async () => {
    assert.equal((await prove(await open(head.lastEntry - 10n))).ok, true);
    assert.equal((await prove(await open('start'))).ok, false);
  });
});
