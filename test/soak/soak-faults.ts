// What goes wrong in a soak, drawn from its seed: in each round every kind once, in an order of its own,
// at a part of its own, for a time of its own. Each is over before the next one begins.
import { setTimeout as pause } from 'node:timers/promises';
import { type Random, randomInteger } from '#base/random.ts';
import { pick } from '#test/support/seeded-random.ts';
import type { Mood, SoakReceivers } from './soak-receivers.ts';
import type { Part, SoakService } from './soak-service.ts';

export const FAULTS = ['killed', 'frozen', 'node', 'receiver', 'disk', 'database'] as const;
export type Fault = (typeof FAULTS)[number];

type Range = readonly [leastMs: number, mostMs: number];

export type FaultTimes = {
  /** Between the end of one and the next. */
  readonly pauseMs: Range;
  readonly lastsMs: Range;
};

export type FaultWorld = {
  readonly service: SoakService;
  readonly receivers: SoakReceivers;
  readonly random: Random;
  /** A node of a simulated chain is silent for so many seconds. */
  freezeNode(network: string, seconds: number): Promise<void>;
  readonly say: (line: string) => void;
};

const NETWORKS = ['LITECOIN', 'BITCOIN', 'ETHEREUM', 'STELLAR'];
const MOODS: readonly Mood[] = ['slow', 'refusing', 'silent', 'cutting'];

/** Until `signal` is aborted, and at least one round; gives how often each happened. */
export async function runFaults(
  world: FaultWorld,
  { pauseMs, lastsMs }: FaultTimes,
  signal: AbortSignal,
): Promise<ReadonlyMap<Fault, number>> {
  const { random } = world;
  const happened = new Map<Fault, number>(FAULTS.map((fault) => [fault, 0]));
  const possible = FAULTS.filter((fault) => fault !== 'disk' || world.service.disk.fill);
  for (let round = 1; round === 1 || !signal.aborted; round += 1) {
    for (const fault of shuffled(random, possible)) {
      const forMs = between(random, lastsMs);
      await pause(between(random, pauseMs));
      if (round > 1 && signal.aborted) break;
      await ACTS[fault](world, forMs);
      happened.set(fault, (happened.get(fault) ?? 0) + 1);
    }
  }
  return happened;
}

const ACTS: Readonly<Record<Fault, (world: FaultWorld, forMs: number) => Promise<void>>> = {
  async killed({ service, random, say }, forMs) {
    const part = choose(
      random,
      service.parts.filter(({ isSteady }) => !isSteady),
    );
    say(`${part.name} is killed, and started after ${seconds(forMs)}`);
    part.isAway = true;
    await part.server.kill9();
    await pause(forMs);
    await service.startAgain(part);
  },
  async frozen({ service, random, say }, forMs) {
    const part = choose(random, service.parts);
    say(`${part.name} is frozen for ${seconds(forMs)}`);
    part.server.freeze();
    await pause(forMs);
    part.server.wake();
  },
  async node({ random, freezeNode, say }, forMs) {
    const network = choose(random, NETWORKS);
    say(`the node of ${network} is silent for ${seconds(forMs)}`);
    await freezeNode(network, Math.ceil(forMs / 1_000));
    await pause(forMs);
  },
  async receiver({ receivers, random, say }, forMs) {
    const index = randomInteger(random, receivers.urls.length);
    const mood = choose(random, MOODS);
    say(`receiver ${index + 1} is ${mood} for ${seconds(forMs)}`);
    receivers.behave(index, mood);
    await pause(forMs);
    receivers.behave(index, 'well');
  },
  async disk({ service, say }, forMs) {
    say(`the disk is full for ${seconds(forMs)}`);
    service.disk.fill?.();
    await pause(forMs);
    service.disk.empty();
  },
  async database({ service, say }) {
    say('the database is killed, and starts again');
    service.killDatabase();
  },
};

function choose<Item>(random: Random, list: readonly Item[]): Item {
  return pick(random, list);
}

function between(random: Random, [leastMs, mostMs]: Range): number {
  return leastMs + randomInteger(random, mostMs - leastMs + 1);
}

function shuffled<Item>(random: Random, list: readonly Item[]): Item[] {
  const left = [...list];
  return list.map(() => left.splice(randomInteger(random, left.length), 1)[0] as Item);
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** Processes that nobody killed and that are not there: a fault of theirs. */
export function listEnded(parts: readonly Part[]): string[] {
  return parts
    .filter(({ isAway, server }) => !isAway && !server.isRunning())
    .map(({ name }) => name);
}
