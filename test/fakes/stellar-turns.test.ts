// The account on Stellar has one next sequence number: what pays a transfer and what sells at the
// market for ourselves never have the same, in whatever order they are drafted.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { Refusal } from '#base/refusal.ts';
import { sql } from '#db/db.ts';
import { sendSigned } from '#sending/send-signed.ts';
import { cancelSending } from '#transfer/send-by-hand.ts';
import { openPayouts, type Payouts } from './stellar-payouts.ts';
import { seededKey, USDC } from './stellar-world.ts';

const receiver = seededKey(40);
const account = { account: receiver.publicKey() };

let world: Payouts;
beforeEach(async () => {
  world = await openPayouts();
  world.stellar.addAccount(receiver);
  world.stellar.addLine(receiver.publicKey(), USDC);
});
afterEach(() => world?.close());

const codeOf = (act: Promise<unknown>) =>
  act.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof Refusal) return `${error.code} ${error.details.join()}`;
      throw error;
    },
  );

const textOf = ({ drafted }: { drafted: { text: string } }) => drafted.text;

test('while a conversion may land, no transfer is drafted, and none that comes back signed is taken', async () => {
  const { id } = await world.payOut(10_000_000n, account);
  const before = await world.draft(id);
  await cancelled(id);
  const second = await world.payOut(20_000_000n, account);
  const order = await world.order(1_000_000_000n);
  const conversion = await world.convert(order);
  assert.match(await codeOf(world.draft(second.id)), /draft_refused .*market.*sequence number/);
  // Of a transfer that was given up, and is signed all the same.
  const returned = Buffer.from(world.sign(textOf(before)));
  assert.match(await codeOf(sendSigned(world.sendApp, id, returned)), /transfer_not_to_send/);
  world.submit(conversion.drafted.text);
  await world.see();
  const after = await world.draft(second.id);
  world.submit(textOf(after));
  await world.see();
  assert.deepEqual(await statesOf(second.id), ['COMPLETED']);
});

test('while a transfer that was drafted may land, no conversion is drafted', async () => {
  const { id } = await world.payOut(10_000_000n, account);
  const order = await world.order(1_000_000_000n);
  const transfer = await world.draft(id);
  assert.match(await codeOf(world.convert(order)), new RegExp(`draft_open .*${id}`));
  world.submit(textOf(transfer));
  await world.see();
  const conversion = await world.convert(order);
  world.submit(conversion.drafted.text);
  await world.see();
  assert.deepEqual(await statesOf(id), ['COMPLETED']);
});

test('what was drafted for a transfer and ended holds up no conversion', async () => {
  const { id } = await world.payOut(10_000_000n, account);
  await world.draft(id);
  await world.clock.advance(2 * 3_600_000);
  await world.see();
  assert.equal(await codeOf(world.convert(await world.order(1_000_000_000n))), 'done');
});

test('what was signed for a transfer holds up a conversion until it has landed', async () => {
  const { id } = await world.payOut(10_000_000n, account);
  const order = await world.order(1_000_000_000n);
  const signed = world.sign(textOf(await world.draft(id)));
  for (const one of [world.horizon]) one.refuse = ({ path }) => lost(path);
  await sendSigned(world.sendApp, id, Buffer.from(signed)).catch(() => undefined);
  world.horizon.refuse = () => undefined;
  assert.match(await codeOf(world.convert(order)), /draft_open/);
  await sendSigned(world.sendApp, id, undefined);
  await world.see();
  assert.equal(await codeOf(world.convert(order)), 'done');
});

test('of a transfer and a conversion that are drafted at once one is', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id } = await world.payOut(10_000_000n, account);
    const order = await world.order(1_000_000_000n);
    const ends = await Promise.all([codeOf(world.draft(id)), codeOf(world.convert(order))]);
    assert.equal(ends.filter((end) => end === 'done').length, 1, ends.join());
    await cancelled(id);
    await world.clock.advance(2 * 3_600_000);
    await world.see();
  }
});

/** Nothing that is posted is answered. */
function lost(path: string) {
  return path === '/transactions' ? { status: 503 } : undefined;
}

async function cancelled(id: string): Promise<void> {
  const said = { actor: 'anna', reason: 'not sent', isNotSent: true };
  await cancelSending(world.sendApp, id, said);
}

async function statesOf(id: string): Promise<string[]> {
  const rows = await world.app.db.query<{ state: string }>(
    sql`select state from transfer where id = ${id}`,
  );
  return rows.map(({ state }) => state);
}
