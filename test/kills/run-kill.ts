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

const WITHIN_MS = 300_000;
const POLL_MS = 25;
const AMOUNTS = ['0.01', '0.013', '0.02'];

type Drawn = {
  readonly seed: number;
  readonly run: number;
  /** Those that the first death is drawn from. */
  readonly failpoints: readonly Failpoint[];
};

/** @throws when a failpoint is never reached, or something is not as it has to be. */
export async function runKill(world: KillWorld, drawn: Drawn): Promise<Ran> {
  const { seed, run } = drawn;
  const random = seededRandom(BigInt(seed) * 1_000_000n + BigInt(run));
  const orders = await drawOrders(world, random, run);
  const first = failpointOf(drawn);
  // What is killed again while it recovers.
  const second = randomInteger(random, 3) === 0 ? pick(random, FAILPOINTS) : undefined;
  const isSeenFirst = world.chain.isSeenWaiting && randomInteger(random, 2) === 0;
  const deaths = startKilling(world, second === undefined ? [first] : [first, second]);
  try {
    const asked = orders.map((order, at) => ask(world, order, `run-${seed}-${run}-${at}`));
    const refundIds = await Promise.all(asked);
    await landAll(world, refundIds, isSeenFirst);
    await until(`${first.name} to be reached`, async () => deaths.killedAt.length > 0);
    await deaths.end();
    await checkEnd(world, orders, refundIds);
  } catch (cause) {
    const names = deaths.killedAt.map(({ name }) => name).join(', then ');
    throw new Error(`${orders.length} orders, killed at: ${names}`, { cause });
  }
  return { killedAt: deaths.killedAt };
}

type Deaths = {
  readonly killedAt: readonly Failpoint[];
  /** No more of them; whoever was killed is there again. */
  end(): Promise<void>;
};

function startKilling(world: KillWorld, failpoints: readonly Failpoint[]): Deaths {
  const killedAt: Failpoint[] = [];
  let isOver = false;
  const killing = (async () => {
    for (const failpoint of failpoints) {
      if (isOver || !(await world.trap.set(failpoint))) return;
      killedAt.push(failpoint);
      await world.startAgain(failpoint);
    }
  })();
  // Told by `end`, or by an order that does not end.
  killing.catch(() => undefined);
  return {
    killedAt,
    end() {
      isOver = true;
      world.trap.takeAway();
      return killing;
    },
  };
}

/** Every one as often as every other: a deck that is shuffled anew when it is used up. */
function failpointOf({ seed, run, failpoints }: Drawn): Failpoint {
  const deck = [...failpoints];
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
  const { chain, server } = world;
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
  await checkSignerLog(world, refundIds);
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
  // That loop gives up a question after seconds, which a busy machine may take.
  assert.deepEqual(
    server.errors().filter(({ loop }) => loop !== 'listen key_change'),
    [],
  );
}

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
async function checkSignerLog(
  { server, signer }: KillWorld,
  refundIds: readonly string[],
): Promise<void> {
  const signed = readFileSync(signer.log, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { entry: { kind: string; order: { id: string } } }).entry)
    .filter(({ kind }) => kind === 'signed')
    .map(({ order }) => order.id);
  const transfers = await server.db.query<{ id: string }>(
    sql`select transfer_id as id from refund where id = any(${refundIds}::text[])`,
  );
  for (const { id } of transfers) {
    assert.equal(signed.filter((one) => one === id).length, 1, `lines of ${id} in the log`);
  }
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
    select row_to_json(shown)::text as row from (
      select t.id, t.state, t.transaction, t.held_up, t.committed_at, t.asked_at, t.shown_at,
        t.next_step_at, t.step_error, t.parked_reason, a.id as attempt, a.spends, a.drafted_at,
        a.answered_at, a.signed_at, a.over_at, a.transaction as signed
      from refund r join transfer t on t.id = r.transfer_id
        left join attempt a on a.transfer_ids @> array[t.id]
      where r.id = any(${refundIds}::text[]) order by t.id, a.id) shown`);
  return rows.map(({ row }) => row).join('\n');
}
