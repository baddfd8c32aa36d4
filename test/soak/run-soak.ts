// One soak: the service in its separate roles sells for a while at half of what it can, while things go
// wrong, and afterwards nothing is lost and nothing has grown.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { counted } from '#base/text.ts';
import { type MerchantKey, openMerchantClient } from '#test/support/merchant-client.ts';
import { readExposition } from '#test/support/read-exposition.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { countLost, countOpen, type Found } from './count-lost.ts';
import {
  ALLOWED_DESCRIPTORS,
  decideFlat,
  descriptorsAtFirst,
  type Sample,
  type Verdict,
} from './decide-flat.ts';
import { type Fault, type FaultTimes, listEnded, runFaults } from './soak-faults.ts';
import { openSoakLoad, type SoakLoad } from './soak-load.ts';
import { openSoakReceivers, type SoakReceivers } from './soak-receivers.ts';
import {
  countDescriptors,
  openSoakService,
  type Part,
  type ServiceOptions,
  type SoakService,
} from './soak-service.ts';

export type SoakOptions = ServiceOptions & {
  readonly seconds: number;
  readonly seed: number;
  /** How long the capacity is measured. */
  readonly measureSeconds: number;
  readonly faultTimes: FaultTimes;
  readonly sampleMs: number;
  readonly say: (line: string) => void;
};

export type SoakReport = {
  readonly seed: number;
  /** Sales in a second: as many as it could, and as many as it was given. */
  readonly capacity: number;
  readonly load: number;
  readonly sales: number;
  readonly repeated: number;
  readonly longestSilenceMs: number;
  readonly latencyMs: { readonly p50: number; readonly p99: number };
  readonly happened: Readonly<Record<string, number>>;
  readonly found: Found;
  readonly processes: Readonly<Record<string, Verdict>>;
  readonly samples: Readonly<Record<string, readonly Sample[]>>;
  readonly faults: readonly string[];
};

const WORKERS = 8;
const SHARE = 0.5;
const RECEIVERS = 3;
const TOLD_EVERY_SECONDS = 60;
const DRAINED_WITHIN_MS = 900_000;
const LOOK_MS = 200;
const SETTLE_MS = 3_000;
/** Longer than any connection is kept that nothing goes over. */
const REST_MS = 150_000;

export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const { say } = options;
  const receivers = await openSoakReceivers(RECEIVERS);
  let service: SoakService | undefined;
  try {
    say(`starting ${counted(2 * options.roles.length, 'process', 'processes')}`);
    service = await openSoakService(options);
    return await soak(options, service, receivers);
  } finally {
    await service?.close();
    await receivers.close();
  }
}

async function soak(
  options: SoakOptions,
  service: SoakService,
  receivers: SoakReceivers,
): Promise<SoakReport> {
  const { seconds, seed, say } = options;
  const key = await makeKey(service);
  const random = seededRandom(seed);
  const origins = service.parts
    .filter(({ role }) => role.includes('serve'))
    .map(({ server }) => server.origin);
  const load = openSoakLoad({
    origins,
    key,
    webhooks: receivers.urls,
    random: seededRandom(-seed),
  });
  const measured = await load.measure(options.measureSeconds * 1_000, WORKERS);
  const capacity = measured / options.measureSeconds;
  const perSecond = Math.max(1, capacity * SHARE);
  say(`seed ${seed}: ${capacity.toFixed(1)} sales a second at most, ${perSecond.toFixed(1)} now`);
  load.longestSilenceMs();
  load.sell(perSecond);
  const end = new AbortController();
  const watching = watchParts(service.parts, options, load, end.signal);
  const client = openMerchantClient(origins[0] ?? '', key);
  const freezeNode = async (network: string, forSeconds: number) => {
    // The process that is asked may be away: then this node stays as it is.
    await client
      .call('POST', '/sandbox/freeze', { body: { network, seconds: forSeconds } })
      .catch(() => undefined);
  };
  const failing = runFaults(
    { service, receivers, random, freezeNode, say },
    options.faultTimes,
    end.signal,
  );
  const endsAtMs = performance.now() + seconds * 1_000;
  /** Nothing that comes after it says anything. */
  const refuseEnded = () => {
    const [ended] = listEnded(service.parts);
    if (ended === undefined) return;
    for (const one of [failing, watching]) one.catch(() => undefined);
    end.abort();
    load.giveUp();
    throw new Error(`${ended} ended by itself`);
  };
  while (performance.now() < endsAtMs && !load.isBroken()) {
    await pause(LOOK_MS);
    refuseEnded();
  }
  end.abort();
  const happened = await failing;
  refuseEnded();
  await load.stop();
  const samples = await watching;
  const longestSilenceMs = load.longestSilenceMs();
  const openFaults = await drain(service, load, say);
  const found = await countLost(service.db, load.sold, receivers);
  const verified = await verifyLedger(service);
  const processes = verdictsOf(samples, await countAtRest(service.parts, samples));
  return {
    seed,
    capacity,
    load: perSecond,
    sales: load.sales(),
    repeated: load.repeated(),
    longestSilenceMs,
    latencyMs: { p50: quantile(load.latencies, 0.5), p99: quantile(load.latencies, 0.99) },
    happened: Object.fromEntries(happened satisfies ReadonlyMap<Fault, number>),
    found,
    processes,
    samples,
    faults: [
      ...openFaults,
      ...found.faults,
      ...verified,
      ...Object.values(processes).flatMap(({ faults }) => faults),
    ],
  };
}

async function makeKey({ parts }: SoakService): Promise<MerchantKey> {
  const made = await parts[0]?.server.command('key', 'create', '--environment', 'test', '--json');
  assert.ok(made !== undefined);
  assert.equal(made.exitCode, 0, made.stderr);
  return made.json as MerchantKey;
}

/** Of the processes that nobody kills. */
type Samples = Readonly<Record<string, readonly Sample[]>>;

/** Until it is over, with a line each minute. */
async function watchParts(
  parts: readonly Part[],
  { sampleMs, say }: SoakOptions,
  load: SoakLoad,
  signal: AbortSignal,
): Promise<Samples> {
  const steady = parts.filter(({ isSteady }) => isSteady);
  const samples = new Map(steady.map(({ name }) => [name, [] as Sample[]]));
  const startedMs = performance.now();
  let toldSeconds = 0;
  while (!signal.aborted) {
    const atSeconds = (performance.now() - startedMs) / 1_000;
    await Promise.all(
      steady.map(async (part) => {
        const sample = await lookAt(part, atSeconds);
        if (sample !== undefined) samples.get(part.name)?.push(sample);
      }),
    );
    if (atSeconds - toldSeconds >= TOLD_EVERY_SECONDS) {
      toldSeconds = atSeconds;
      const memory = steady.map(({ name }) => {
        const last = samples.get(name)?.at(-1);
        return `${name} ${Math.round((last?.residentBytes ?? 0) / 1_048_576)} MB`;
      });
      say(`${Math.round(atSeconds)} s: ${load.sales()} sales, ${memory.join(', ')}`);
    }
    await pause(sampleMs, undefined, { signal }).catch(() => undefined);
  }
  return Object.fromEntries(samples);
}

/** Undefined while it is frozen. */
async function lookAt(part: Part, atSeconds: number): Promise<Sample | undefined> {
  try {
    const answer = await fetch(part.metrics, { signal: AbortSignal.timeout(2_000) });
    const families = readExposition(await answer.text());
    const read = (name: string) => families.get(name)?.samples[0]?.value;
    const resident = read('process_resident_memory_bytes');
    const heap = read('nodejs_heap_size_used_bytes');
    if (resident === undefined || heap === undefined) return undefined;
    const descriptors = countDescriptors(part.server.pid());
    return { atSeconds, residentBytes: resident, heapBytes: heap, descriptors };
  } catch {
    return undefined;
  }
}

/** What was acknowledged last is decided and told of; what is not after a while is a fault. */
async function drain(
  { db }: SoakService,
  { sold }: SoakLoad,
  say: (line: string) => void,
): Promise<string[]> {
  const startedMs = performance.now();
  for (;;) {
    const open = await countOpen(db, sold).catch(() => undefined);
    const tookMs = performance.now() - startedMs;
    if (open === 0) {
      say(`all of it was done ${(tookMs / 1_000).toFixed(1)} s after the last sale`);
      await pause(SETTLE_MS);
      return [];
    }
    if (tookMs > DRAINED_WITHIN_MS) return [`${open} payments and webhooks are open still`];
    await pause(500);
  }
}

async function verifyLedger({ parts }: SoakService): Promise<string[]> {
  const verified = await parts[0]?.server.command('ledger', 'verify', '--json');
  const faults = verified?.json.faults;
  return verified?.exitCode === 0 ? [] : [`the ledger is wrong: ${JSON.stringify(faults)}`];
}

/** The fewest that each holds within a while of quiet, in which connections that were kept end. */
async function countAtRest(
  parts: readonly Part[],
  samples: Samples,
): Promise<Readonly<Record<string, number | undefined>>> {
  const endsAtMs = performance.now() + REST_MS;
  const fewest = new Map<string, number>();
  const isOver = ([name, of]: readonly [string, readonly Sample[]]) =>
    (fewest.get(name) ?? 0) - (descriptorsAtFirst(of) ?? 0) > ALLOWED_DESCRIPTORS;
  do {
    for (const { name, server, isSteady } of parts) {
      const count = isSteady ? countDescriptors(server.pid()) : undefined;
      if (count !== undefined) fewest.set(name, Math.min(count, fewest.get(name) ?? count));
    }
    await pause(LOOK_MS);
  } while (Object.entries(samples).some(isOver) && performance.now() < endsAtMs);
  return Object.fromEntries(fewest);
}

function verdictsOf(
  samples: Samples,
  atRest: Readonly<Record<string, number | undefined>>,
): Readonly<Record<string, Verdict>> {
  const verdicts = Object.entries(samples).flatMap(([name, of]) => {
    const verdict = decideFlat(name, of, atRest[name]);
    return verdict === undefined ? [] : [[name, verdict] as const];
  });
  return Object.fromEntries(verdicts);
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
