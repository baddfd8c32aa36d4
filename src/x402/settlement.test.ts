import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import {
  dropSettlement,
  findSettlement,
  insertSettlement,
  isTaken,
  noteFailed,
  noteSettled,
  noteSettlementSigned,
} from './settlement.ts';

let database: TestDatabase;
before(async () => {
  database = await openTestDatabase({ unsafeFast: true });
});
after(() => database.close());

const MADE = {
  id: 'live:BASE USDC payer nonce',
  checkoutId: 'c1',
  chain: 'live:BASE',
  sender: 'account',
  sequence: 7n,
  draft: '{}',
  question: '{}',
  signedTransaction: undefined,
  transaction: undefined,
  settledBy: undefined,
  failedAt: undefined,
  createdAt: Temporal.Instant.from('2026-11-24T12:00:00Z'),
} as const;
const SIGNED = { signedTransaction: '0x02', transaction: '0xaa' };

test('what was signed is sent only while its row stands: a refusal in between gave its number away', async () => {
  const { db } = database;
  assert.equal(await insertSettlement(db, MADE), true);
  await dropSettlement(db, MADE.id);
  assert.equal(await noteSettlementSigned(db, MADE.id, SIGNED), false);
  assert.equal(await insertSettlement(db, { ...MADE, id: 'another', checkoutId: 'c2' }), true);
});

test('what failed keeps its number, and its checkout is free for another payment', async () => {
  const { db } = database;
  const first = { ...MADE, id: 'first', checkoutId: 'c9', sequence: 20n };
  const second = { ...first, id: 'second', sequence: 21n };
  assert.equal(await insertSettlement(db, first), true);
  assert.equal(await insertSettlement(db, second), false, 'it may still be carried out');
  await noteFailed(db, 'first', MADE.createdAt);
  assert.equal(await isTaken(db, 'c9'), false);
  assert.equal(await insertSettlement(db, { ...second, sequence: 20n }), false);
  assert.equal(await insertSettlement(db, second), true);
  assert.equal(await isTaken(db, 'c9'), true);
});

test('what has paid is not failed by somebody whose look is older: its checkout stays taken', async () => {
  const { db } = database;
  const paid = { ...MADE, id: 'paid', checkoutId: 'c10', sequence: 30n };
  assert.equal(await insertSettlement(db, paid), true);
  await noteSettled(db, 'paid', '0xbb');
  await noteFailed(db, 'paid', MADE.createdAt);
  assert.equal(await isTaken(db, 'c10'), true);
});

test('what was signed is not dropped', async () => {
  const { db } = database;
  const again = { ...MADE, checkoutId: 'c3', sequence: 8n };
  assert.equal(await insertSettlement(db, again), true);
  assert.equal(await noteSettlementSigned(db, again.id, SIGNED), true);
  await dropSettlement(db, again.id);
  assert.equal((await findSettlement(db, again.id))?.transaction, '0xaa');
});
