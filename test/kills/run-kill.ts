// One run: an order or two, a process that is killed at a place, and when blocks come. What has to be
// true in the end is asked in judge-run.ts.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, randomInteger } from '#base/random.ts';
import { pick, seededRandom } from '#test/support/seeded-random.ts';
import type { KindsFailpoint } from './failpoints.ts';
import { judge, judgeUnended } from './judge-run.ts';
import type { KillWorld } from './kill-world.ts';
import type { OrderKind } from './order-kinds.ts';
import { type Booked, InVain, type Order, prepareOrder, until, WITHIN_MS } from './orders.ts';
import type { Failpoint } from './trap.ts';

/** Killed at these, in this order; the last may not have been reached any more. */
export type Ran = { readonly killedAt: readonly Failpoint[]; readonly kinds: readonly OrderKind[] };

const POLL_MS = 40;
/** An order may wait for what another one of ours leaves. */
const BLOCK_WITHIN_MS = 60_000;

type Drawn = {
  readonly seed: number;
  readonly run: number;
  /** All of the network. */
  readonly failpoints: readonly KindsFailpoint[];
  /** Those that the first death is drawn from. */
  readonly firstOf: readonly KindsFailpoint[];
  readonly kinds: readonly OrderKind[];
};

/** @throws Wrong, or when a failpoint is never reached. */
export async function runKill(world: KillWorld, drawn: Drawn): Promise<Ran> {
  const { seed, run, failpoints } = drawn;
  const random = seededRandom(BigInt(seed) * 1_000_000n + BigInt(run));
  const first = failpointOf(drawn);
  // What is killed again while it recovers.
  const second = randomInteger(random, 3) === 0 ? pick(random, failpoints) : undefined;
  const kinds = drawKinds(random, drawn, first);
  const blocks = pick(random, world.chain.isSeenWaiting ? BLOCKS : BLOCKS_UNSEEN);
  const orders: Order[] = [];
  for (const [at, kind] of kinds.entries()) {
    orders.push(await prepareOrder(world, kind, { key: `run-${seed}-${run}-${at}`, random }));
  }
  world.beginRun();
  const deaths = startKilling(world, second === undefined ? [first] : [first, second]);
  try {
    await Promise.all(orders.map((order) => order.place()));
    await landAll(world, orders, blocks);
    await until(`${first.name} to be reached`, async () => deaths.killedAt.length > 0);
    await deaths.end();
    await judge(world, orders);
  } catch (cause) {
    const names = deaths.killedAt.map(({ name }) => name).join(', then ');
    const story = `${kinds.join(' and ')}, blocks ${blocks}, killed at: ${names}`;
    throw await judgeUnended(world, orders, { story, cause });
  }
  return { killedAt: deaths.killedAt, kinds };
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
function failpointOf({ seed, run, firstOf }: Drawn): KindsFailpoint {
  const deck = [...firstOf];
  const random = seededRandom(BigInt(seed) * 1_000n + BigInt(Math.floor(run / deck.length)));
  for (let at = deck.length - 1; at > 0; at -= 1) {
    const other = randomInteger(random, at + 1);
    [deck[at], deck[other]] = [deck[other] as KindsFailpoint, deck[at] as KindsFailpoint];
  }
  return deck[run % deck.length] as KindsFailpoint;
}

/** A settlement empties the balance: whatever takes of that, or adds to it, is not drawn with it. */
function mayBeTogether(one: OrderKind, other: OrderKind): boolean {
  if (one === 'settlement') return other === 'return';
  if (other === 'settlement') return one === 'return';
  // Two sweeps would want the same coins.
  return one !== 'sweep' || other !== 'sweep';
}

/** The first comes by where it is killed: all kinds that do take turns there. */
function drawKinds(random: Random, { run, firstOf, kinds }: Drawn, first: KindsFailpoint) {
  const turn = Math.floor(run / firstOf.length) + firstOf.indexOf(first);
  const one = first.kinds[turn % first.kinds.length] as OrderKind;
  if (randomInteger(random, 3) !== 0) return [one];
  const others = kinds.filter((other) => mayBeTogether(one, other));
  return [one, pick(random, others)];
}

/**
 * When blocks come: as soon as something waits for one; once the service has shown all that waits; or
 * once it was sent after the last death, so that whatever is signed anew is there too.
 */
const BLOCKS_UNSEEN = ['at once', 'late'] as const;
const BLOCKS = [...BLOCKS_UNSEEN, 'when seen'] as const;
type Blocks = (typeof BLOCKS)[number];
/** What waits is sent again and again: then each of them has been. */
const LATE_SENDS = 2;

async function landAll(world: KillWorld, orders: readonly Order[], blocks: Blocks): Promise<void> {
  const { chain } = world;
  const endsAtMs = performance.now() + WITHIN_MS;
  const lateAtMs = performance.now() + BLOCK_WITHIN_MS;
  for (;;) {
    const booked = await Promise.all(orders.map((order) => order.booked()));
    if (booked.every((one) => one?.isPaid === true)) return;
    if (performance.now() > endsAtMs) throw new InVain('it does not end');
    const isDue = isTime(world, booked, blocks) || performance.now() > lateAtMs;
    if (isDue && (await chain.isWaiting())) await chain.bury();
    await sleep(POLL_MS);
  }
}

function isTime(
  world: KillWorld,
  booked: readonly (Booked | undefined)[],
  blocks: Blocks,
): boolean {
  if (blocks === 'at once') return true;
  const isSeen = booked.every((one) => one?.isSeen === true);
  return isSeen || (blocks === 'late' && world.sent() >= LATE_SENDS * booked.length);
}
