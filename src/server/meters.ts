// What this process counts of itself. Guarantees: no name or address of anybody is a label; what is
// one is from a list of the program, so that the number of rows does not grow with the shop.

import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import process from 'node:process';
import type { Answered } from '#api/http/server.ts';
import { type Db, findPoolState } from '#db/db.ts';
import { type Counter, createRegistry, type Registry } from '#metrics/metric.ts';
import type { Loop } from '#runtime/loop.ts';

export type Meters = {
  readonly registry: Registry;
  noteAnswer(answered: Answered): void;
  /** Told of by merchants' events: `type` and `environment`. */
  readonly events: Counter;
  /** `outcome`: delivered, retry, parked, disabled. */
  readonly deliveries: Counter;
  /** `outcome`: sent, later, parked. */
  readonly mails: Counter;
};

const LATENCY_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
export const HTTP_METHODS: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);
/** Addresses that are none of ours are somebody's guesses. */
const NO_ROUTE = 'other';

export function createMeters(): Meters {
  const registry = createRegistry();
  const requests = registry.counter({
    name: 'quittance_http_requests_total',
    help: 'Requests answered, by route template, method and status.',
    labels: ['route', 'method', 'status'],
  });
  const latency = registry.histogram({
    name: 'quittance_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer, without streams.',
    labels: ['route', 'status'],
    buckets: LATENCY_SECONDS,
  });
  const metersOf = (route: string, method: string, status: number) => ({
    count: requests.under({ route, method, status: String(status) }),
    observe: latency.under({ route, status: `${Math.trunc(status / 100)}xx` }),
  });
  /** By route, then by method and status: there are as many as the program has. */
  const known = new Map<string, Map<string, Map<number, ReturnType<typeof metersOf>>>>();
  return {
    registry,
    noteAnswer({ method: named, route = NO_ROUTE, status, milliseconds, isStream }) {
      const method = HTTP_METHODS.has(named) ? named : 'other';
      const { count, observe } = known
        .getOrInsertComputed(route, () => new Map())
        .getOrInsertComputed(method, () => new Map())
        .getOrInsertComputed(status, () => metersOf(route, method, status));
      count();
      if (!isStream) observe(milliseconds / 1_000);
    },
    events: registry.counter({
      name: 'quittance_events_total',
      help: 'What happened to checkouts, deposits, refunds, swaps and transfers, by type, since this process started.',
      labels: ['type', 'environment'],
    }),
    deliveries: registry.counter({
      name: 'quittance_webhook_attempts_total',
      help: 'Attempts of this process to deliver a webhook, by what became of the delivery.',
      labels: ['outcome'],
    }),
    mails: registry.counter({
      name: 'quittance_mail_attempts_total',
      help: 'Attempts of this process to send a mail, by what became of it.',
      labels: ['outcome'],
    }),
  };
}

const NANOSECONDS = 1e9;
const QUANTILES = [50, 90, 99] as const;

type ProcessParts = {
  readonly db: Db;
  readonly config: { readonly databasePoolSize: number };
  readonly meters: Meters;
};

/** What only a process itself knows; read when somebody asks. Begins to watch its event loop. */
export function watchProcess(
  { db, config, meters }: ProcessParts,
  running: readonly Loop[],
): () => void {
  const { registry } = meters;
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let usedBefore = performance.eventLoopUtilization();
  const loopDelays = QUANTILES.map((quantile) => ({
    quantile,
    gauge: registry.gauge({
      name: `nodejs_eventloop_lag_p${quantile}_seconds`,
      help: `How late the event loop was since the last look, in ${quantile} of 100 cases at the most.`,
    }),
  }));
  const busy = registry.gauge({
    name: 'nodejs_eventloop_utilization_ratio',
    help: 'Share of the time since the last look in which the event loop was busy.',
  });
  const memory = processGauges(registry);
  const pool = registry.gauge({
    name: 'quittance_database_connections',
    help: 'Connections of this process to the database.',
    labels: ['state'],
  });
  const waiting = registry.gauge({
    name: 'quittance_database_waiting_acts',
    help: 'Acts of this process that wait for a connection.',
  });
  const failures = registry.gauge({
    name: 'quittance_job_consecutive_failures',
    help: 'How often a background job failed in a row; 0 while it works.',
    labels: ['job'],
  });
  const steps = registry.counter({
    name: 'quittance_job_steps_total',
    help: 'Steps of a background job that have ended, well or not.',
    labels: ['job'],
  });
  return () => {
    for (const { quantile, gauge } of loopDelays) {
      gauge.set(delay.count === 0 ? 0 : delay.percentile(quantile) / NANOSECONDS);
    }
    delay.reset();
    const used = performance.eventLoopUtilization();
    busy.set(performance.eventLoopUtilization(used, usedBefore).utilization);
    usedBefore = used;
    memory();
    const state = findPoolState(db);
    if (state !== undefined) {
      pool.set(state.open - state.idle, { state: 'busy' });
      pool.set(state.idle, { state: 'idle' });
      pool.set(config.databasePoolSize, { state: 'allowed' });
      waiting.set(state.waiting);
    }
    for (const part of running) {
      const health = part.health();
      failures.set(health.consecutiveFailures, { job: health.name });
      steps.set(health.steps, { job: health.name });
    }
  };
}

/** Under the names that every dashboard for Prometheus knows. */
function processGauges(registry: Registry): () => void {
  const gauge = (name: string, help: string) => registry.gauge({ name, help });
  const resident = gauge('process_resident_memory_bytes', 'Memory of the process.');
  const heapUsed = gauge('nodejs_heap_size_used_bytes', 'Heap in use.');
  const heapTotal = gauge('nodejs_heap_size_total_bytes', 'Heap taken from the system.');
  const external = gauge('nodejs_external_memory_bytes', 'Memory beside the heap.');
  const cpu = registry.counter({
    name: 'process_cpu_seconds_total',
    help: 'Time of processors used by the process.',
  });
  const started = gauge('process_start_time_seconds', 'When the process started, since 1970.');
  started.set(Math.round(performance.timeOrigin) / 1_000);
  return () => {
    const { rss, heapUsed: used, heapTotal: total, external: beside } = process.memoryUsage();
    resident.set(rss);
    heapUsed.set(used);
    heapTotal.set(total);
    external.set(beside);
    const { user, system } = process.cpuUsage();
    cpu.set((user + system) / 1e6);
  };
}
