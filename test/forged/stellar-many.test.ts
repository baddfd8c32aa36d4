// More than is read at once: whoever sends very many small payments, while nobody looks or in one
// ledger, delays nothing for ever. The part that is read is made small instead of the listing long.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Memo, Operation } from '@stellar/stellar-base';
import { assetOf, unitsText } from '#test/fakes/stellar-ledger.ts';
import { openStellarWorld, type StellarWorld, XLM } from '#test/fakes/stellar-world.ts';

const UNITS = 25_000_0000n;
const PART = 10;

let world: StellarWorld;

before(async () => {
  world = await openStellarWorld({ partRecords: PART, withSecond: true });
  assert.deepEqual(await world.observe(), []);
});
after(() => world?.close());

function sendMany(count: number, memo = Memo.none()): void {
  const { stellar, account, customer } = world;
  const payment = { destination: account, asset: assetOf(XLM), amount: unitsText(1n) };
  for (let sent = 0; sent < count; sent += 1) {
    stellar.send([Operation.payment(payment)], { from: customer, memo });
  }
}

/** Of a customer who pays among them. */
async function payAmong(ledgers: number, each: number): Promise<string> {
  const { checkoutId, instruction } = await world.createAndCommit('STELLAR', XLM, UNITS);
  for (let closed = 0; closed < ledgers; closed += 1) {
    sendMany(each);
    if (closed === ledgers >> 1) {
      world.pay({ units: UNITS, memo: Memo.text(String(instruction.memo)) });
    }
    world.stellar.close();
  }
  return checkoutId;
}

async function assertPaid(checkoutId: string, dust: bigint): Promise<void> {
  const suspended = await world.suspended();
  assert.deepEqual(await world.observe(), []);
  await world.settle();
  assert.equal((await world.read(checkoutId)).state, 'COMPLETED');
  assert.equal((await world.suspended()) - suspended, dust);
  assert.deepEqual(await world.brokenInvariants(), []);
}

test('many ledgers of more than a part are read one part after another', async () => {
  await assertPaid(await payAmong(12, 7), 84n);
});

test('a ledger of several parts is read whole', async () => {
  await assertPaid(await payAmong(2, 35), 70n);
});

test('what came while nobody looked is compared with the balance, however much it was', async () => {
  const checkoutId = await payAmong(20, 9);
  const held = world.stellar.accounts.get(world.account)?.lines.get(XLM);
  assert(held !== undefined);
  held.units += 1n;
  const failures = await world.observe();
  assert.match(failures.map(String).join(), /the account holds/);
  held.units -= 1n;
  await world.settle();
  assert.deepEqual(await world.observe(), []);
  await world.settle();
  assert.equal((await world.read(checkoutId)).state, 'COMPLETED');
  assert.deepEqual(await world.brokenInvariants(), []);
});
