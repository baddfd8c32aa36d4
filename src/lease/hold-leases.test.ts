import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { silentLog } from '#base/log.ts';
import { type Db, sql } from '#db/db.ts';
import { nameProcess } from '#runtime/process-lock.ts';
import { emptyTables } from '#test/support/empty-tables.ts';
import { type ManualClock, manualClock } from '#test/support/manual-clock.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { holdLeases, type Leases } from './hold-leases.ts';

let database: TestDatabase;
let db: Db;
before(async () => {
  database = await openTestDatabase({ unsafeFast: true });
  db = database.db;
});
after(() => database.close());

const NAME = 'watch test:BITCOIN';
/** Of another machine: nobody knows whether it has ended. */
const ELSEWHERE = 'elsewhere 1 1';

type One = { readonly leases: Leases; readonly clock: ManualClock; isLeading(): boolean };

/** As a process does it, which looks when the test says so. */
async function openOne(holder: string, names: readonly string[] = [NAME]): Promise<One> {
  const clock = manualClock('2026-03-01T00:00:00Z');
  // Its first look is its own; then it sleeps, whatever the time is.
  const asleep = { ...clock, sleep: (_ms: number, signal?: AbortSignal) => untilAborted(signal) };
  const leases = holdLeases({ db, clock: asleep, log: silentLog }, holder, names);
  while (leases.health().steps === 0) await turn();
  return { leases, clock, isLeading: () => leases.leadership(NAME).leadOf() !== undefined };
}

function untilAborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

async function withNone(act: () => Promise<void>): Promise<void> {
  await emptyTables(db, 'lease');
  await act();
}

/** What the time does, at once. */
function endLease(): Promise<unknown> {
  return db.single((tx) => tx.query(sql`update lease set lease_until = now()`));
}

async function epochOf(): Promise<bigint | undefined> {
  const [row] = await db.query<{ epoch: bigint }>(
    sql`select epoch from lease where name = ${NAME}`,
  );
  return row?.epoch;
}

test('one of two leads, however often both look; the other follows when the lease has ended', () =>
  withNone(async () => {
    const one = await openOne(`${ELSEWHERE} a`);
    const other = await openOne(`${ELSEWHERE} b`);
    for (let looks = 0; looks < 5; looks += 1) {
      await Promise.all([one.leases.look(), other.leases.look()]);
      assert.deepEqual([one.isLeading(), other.isLeading()], [true, false]);
    }
    assert.equal(await epochOf(), 1n);
    await endLease();
    await other.leases.look();
    assert.equal(other.isLeading(), true);
    assert.equal(await epochOf(), 2n);
    await one.leases.look();
    assert.equal(one.isLeading(), false);
    await Promise.all([one.leases.stop(), other.leases.stop()]);
  }));

test('whoever was frozen learns where it writes that it leads no more, also when it leads again', () =>
  withNone(async () => {
    const one = await openOne(`${ELSEWHERE} a`);
    const slept = one.leases.leadership(NAME).leadOf();
    assert.ok(slept !== undefined && (await slept.isHeldIn(db)));
    await endLease();
    const other = await openOne(`${ELSEWHERE} b`);
    assert.equal(other.isLeading(), true);
    // It has not looked since, and would still say so.
    assert.equal(one.isLeading(), true);
    assert.equal(await slept.isHeldIn(db), false);
    await endLease();
    await one.leases.look();
    const again = one.leases.leadership(NAME).leadOf();
    assert.ok(again !== undefined && (await again.isHeldIn(db)));
    assert.equal(await slept.isHeldIn(db), false, 'what was begun before is not written');
    await Promise.all([one.leases.stop(), other.leases.stop()]);
  }));

test('a process that cannot renew stops by its own clock, before its lease ends', () =>
  withNone(async () => {
    const one = await openOne(`${ELSEWHERE} a`);
    const { handOverMs } = one.leases;
    assert.ok(handOverMs < 5_000, `${handOverMs} ms without a leader`);
    await one.clock.advance(handOverMs);
    assert.equal(one.isLeading(), false);
    await one.leases.look();
    assert.equal(one.isLeading(), true);
    assert.equal(await epochOf(), 1n, 'nobody else led');
    await one.leases.stop();
  }));

test('of a process of this machine that has ended nobody waits for the end of the lease', () =>
  withNone(async () => {
    const [machine, , ...rest] = nameProcess().split(' ');
    const { pid } = spawnSync(process.execPath, ['--version']);
    const dead = await openOne([machine, pid, ...rest].join(' '));
    const other = await openOne(nameProcess());
    assert.equal(other.isLeading(), true);
    assert.equal(await epochOf(), 2n);
    await Promise.all([dead.leases.stop(), other.leases.stop()]);
  }));

test('who stops gives back what it holds, and nothing that another one holds by now', () =>
  withNone(async () => {
    const one = await openOne(`${ELSEWHERE} a`);
    const other = await openOne(`${ELSEWHERE} b`);
    await one.leases.stop();
    await other.leases.look();
    assert.equal(other.isLeading(), true);
    const third = await openOne(`${ELSEWHERE} c`);
    await third.leases.stop();
    await third.leases.look();
    assert.equal(third.isLeading(), false);
    await other.leases.stop();
  }));

test('a leader for whom it does not go well makes room where another one waits', () =>
  withNone(async () => {
    const one = await openOne(`${ELSEWHERE} a`);
    await one.leases.leadership(NAME).giveUp();
    assert.equal(one.isLeading(), true, 'nobody else is there');
    const other = await openOne(`${ELSEWHERE} b`);
    await one.leases.look();
    await one.leases.leadership(NAME).giveUp();
    assert.equal(one.isLeading(), false);
    await one.leases.look();
    assert.equal(one.isLeading(), false, 'it leaves it to the others for a while');
    await other.leases.look();
    assert.equal(other.isLeading(), true);
    await Promise.all([one.leases.stop(), other.leases.stop()]);
  }));

test('several leases are held one by one', () =>
  withNone(async () => {
    const more = 'watch test:LITECOIN';
    const one = await openOne(`${ELSEWHERE} a`);
    const both = await openOne(`${ELSEWHERE} b`, [more, NAME]);
    assert.ok(both.leases.leadership(more).leadOf() !== undefined);
    assert.equal(both.isLeading(), false);
    await Promise.all([one.leases.stop(), both.leases.stop()]);
  }));
