// One run: an order or two, a process that is killed at a place, and what has to be true in the end.
// What was paid is asked of the node itself, what was signed of the signer's own log.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#base/clock.ts';
import { type Random, randomInteger } from '#base/random.ts';
import { sql } from '#db/db.ts';
import { custodyBalance } from '#ledger/balance.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { pick, seededRandom } from '#test/support/seeded-random.ts';
import { FAILPOINTS } from './failpoints.ts';
import type { KillWorld } from './kill-world.ts';
import type { Failpoint } from './trap.ts';

type Order = { readonly checkoutId: string; readonly receiver: string; readonly amount: string };

/** Killed at these, in this order; the last may not have been reached any more. */
export type Ran = { readonly killedAt: readonly Failpoint[] };

const WITHIN_MS = 90_000;
const POLL_MS = 25;
const AMOUNTS = ['0.01', '0.013', '0.02'];

/** @throws when a failpoint is never reached, or something is not as it has to be. */
export async function runKill(
  world: KillWorld,
  { seed, run }: { readonly seed: number; readonly run: number },
): Promise<Ran> {
  const random = seededRandom(BigInt(seed) * 1_000_000n + BigInt(run));
  const orders = await drawOrders(world, random, run);
  const first = failpointOf(seed, run);
  // What is killed again while it recovers.
  const second = randomInteger(random, 3) === 0 ? pick(random, FAILPOINTS) : undefined;
  const isSeenFirst = world.chain.isSeenWaiting && randomInteger(random, 2) === 0;
  const killedAt: Failpoint[] = [];
  const killing = (async () => {
    for (const failpoint of [first, ...(second === undefined ? [] : [second])]) {
      await world.trap.set(failpoint);
      killedAt.push(failpoint);
      await world.startAgain(failpoint);
    }
  })();
  const asked = orders.map((order, at) => ask(world, order, `run-${seed}-${run}-${at}`));
  const ended = (async () => {
    const refundIds = await Promise.all(asked);
    await landAll(world, refundIds, isSeenFirst);
    return refundIds;
  })();
  // Whatever goes wrong while it is started again is what went wrong.
  const refundIds = await Promise.race([ended, killing.then(() => ended)]);
  const isPending = world.trap.takeAway();
  if (!isPending) await killing;
  assert(killedAt.length > 0, `${first.name}: was never reached`);
  await checkEnd(world, orders, refundIds);
  return { killedAt };
}

/** Every one as often as every other: a deck that is shuffled anew when it is used up. */
function failpointOf(seed: number, run: number): Failpoint {
  const deck = [...FAILPOINTS];
  const random = seededRandom(BigInt(seed) * 1_000n + BigInt(Math.floor(run / deck.length)));
  for (let at = deck.length - 1; at > 0; at -= 1) {
    const other = randomInteger(random, at + 1);
    [deck[at], deck[other]] = [deck[other] as Failpoint, deck[at] as Failpoint];
  }
  return deck[run % deck.length] as Failpoint;
}

async function drawOrders(world: KillWorld, random: Random, run: number): Promise<Order[]> {
  const { checkoutIds, chain } = world;
  const count = randomInteger(random, 3) === 0 ? 2 : 1;
  const orders: Order[] = [];
  for (let at = 0; at < count; at += 1) {
    const checkoutId = checkoutIds[(run + at) % checkoutIds.length] ?? '';
    orders.push({ checkoutId, receiver: await chain.newReceiver(), amount: pick(random, AMOUNTS) });
  }
  return orders;
}

/** As a merchant does whose request was not answered: the same once more, under the same key. */
async function ask(
  { shop }: KillWorld,
  { checkoutId, receiver: address, amount }: Order,
  idempotencyKey: string,
): Promise<string> {
  const body = { checkoutId, kind: 'amount', amount, address };
  const endsAtMs = performance.now() + WITHIN_MS;
  for (;;) {
    const answer = await shop.client
      .call('POST', '/refund', { body, idempotencyKey })
      .catch(() => undefined);
    if (answer?.status === 200) return (answer.json as { refund: { id: string } }).refund.id;
    const isAgain = answer === undefined || answer.status === 409 || answer.status >= 500;
    assert(isAgain && performance.now() < endsAtMs, `the refund was not taken: ${answer?.text}`);
    await sleep(POLL_MS);
  }
}

type State = { readonly id: string; readonly state: string; readonly transferState: string };

async function statesOf({ server }: KillWorld, refundIds: readonly string[]): Promise<State[]> {
  return server.db.query<State>(sql`
    select r.id, r.state, t.state as "transferState" from refund r
      join transfer t on t.id = r.transfer_id
    where r.id = any(${refundIds}::text[])`);
}

/** Blocks come as soon as something waits for one, or once the service has seen all of it. */
async function landAll(
  world: KillWorld,
  refundIds: readonly string[],
  isSeenFirst: boolean,
): Promise<void> {
  const endsAtMs = performance.now() + WITHIN_MS;
  for (;;) {
    const states = await statesOf(world, refundIds);
    if (states.every(({ state }) => state === 'COMPLETED')) return;
    assert(performance.now() < endsAtMs, `it does not end: ${await told(world, refundIds)}`);
    const isSeen = states.every(({ transferState }) => transferState !== 'TO_SEND');
    const isDue = !isSeenFirst || isSeen;
    if (isDue && (await world.chain.isWaiting())) await world.chain.bury();
    await sleep(POLL_MS);
  }
}

async function checkEnd(
  world: KillWorld,
  orders: readonly Order[],
  refundIds: readonly string[],
): Promise<void> {
  const { chain, server, signer } = world;
  for (const { receiver, amount } of orders) {
    const received = await chain.received(receiver);
    const wanted = { units: chain.unitsOf(amount), times: 1 };
    assert.deepEqual(received, wanted, `${receiver} was paid once, ${amount}`);
  }
  const states = await statesOf(world, refundIds);
  assert.deepEqual(
    states.map((one) => [one.state, one.transferState]),
    orders.map(() => ['COMPLETED', 'COMPLETED']),
  );
  await checkAttempts(world, refundIds);
  checkSignerLog(readFileSync(signer.log, 'utf8'));
  const held = await chain.heldUnits(server);
  await until(`custody to be the ${held} units on the chain`, async () => {
    return (await custodyBalance(server.db, chain.chain, chain.assetId)) === held;
  });
  const reserved = await world.shop.balance(chain.assetId, 'merchant:reserved');
  assert.equal(reserved, 0n, 'nothing stays reserved');
  const verified = await server.command('ledger', 'verify', '--json');
  assert.equal(verified.json.ok, true, `${verified.stdout}${verified.stderr}`);
}

/** Every invariant of the whole database, and nothing was logged that a person would be woken by. */
export async function checkWhole({ server }: KillWorld): Promise<void> {
  // What becomes due while it is being looked at is due.
  const now = systemClock.now().add({ seconds: 1 });
  assert.deepEqual(await checkInvariants(server.db, { now }), []);
  assert.deepEqual(
    server.errors().filter(({ message }) => message !== SHORT_MEANWHILE),
    [],
  );
}

/** Said by a start between the block that holds a payment and its booking. */
const SHORT_MEANWHILE = 'the chain shows less than the ledger holds in custody';

/** What was signed is stored, is one, and is what the chain shows to have paid. */
async function checkAttempts({ server }: KillWorld, refundIds: readonly string[]): Promise<void> {
  const rows = await server.db.query<{ paid: string; signed: string[]; departures: number }>(sql`
    select t.transaction as paid,
      (select coalesce(array_agg(distinct a.transaction), '{}') from attempt a
        where a.transfer_ids @> array[t.id] and a.signed_at is not null) as signed,
      (select count(*)::int from departure_part p where p.transfer_id = t.id) as departures
    from transfer t join refund r on r.transfer_id = t.id where r.id = any(${refundIds}::text[])`);
  for (const { paid, signed, departures } of rows) {
    assert.deepEqual(signed, [paid], 'one transaction is stored as signed, and that one paid');
    assert.equal(departures, 1, 'one departure carries it');
  }
}

/** Each order is signed once, whatever was asked again. */
function checkSignerLog(log: string): void {
  const orders = log
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { entry: { kind: string; order: { id: string } } }).entry)
    .filter(({ kind }) => kind === 'signed')
    .map(({ order }) => order.id);
  const twice = orders.filter((id, at) => orders.indexOf(id) !== at);
  assert.deepEqual(twice, [], 'signed twice');
}

async function until(wanted: string, isReached: () => Promise<boolean>): Promise<void> {
  const endsAtMs = performance.now() + WITHIN_MS;
  while (!(await isReached())) {
    assert(performance.now() < endsAtMs, `waited in vain for ${wanted}`);
    await sleep(POLL_MS);
  }
}

/** For whoever looks into a run that does not end. */
async function told({ server }: KillWorld, refundIds: readonly string[]): Promise<string> {
  const rows = await server.db.query<{ row: string }>(sql`
    select row_to_json(t)::text as row from transfer t join refund r on r.transfer_id = t.id
      where r.id = any(${refundIds}::text[])
    union all select row_to_json(a)::text from attempt a order by 1 desc limit 10`);
  const chains = await server.db.query<{ row: string }>(
    sql`select row_to_json(c)::text as row from chain_cursor c`,
  );
  return [...rows, ...chains].map(({ row }) => row.slice(0, 600)).join('\n');
}
