// How long a shop waits for a new checkout when 200 a second are asked for, whether or not those
// before it were answered. The time begins when a request is due, so that one that could not be
// sent in time waits as well.

import { setTimeout as wait } from 'node:timers/promises';
import type { Bench } from './bench.ts';
import { createSample } from './figure-create.ts';
import { type Connection, createBody, openConnection, signedRequest } from './http-client.ts';
import { type Figure, figureOf, median, percentile, shown } from './measure.ts';

const PER_SECOND = 200;
/** The first is a warm-up. */
const RUNS = 4;
const AIM_MS = 150;

export async function measurePace(bench: Bench): Promise<Figure[]> {
  const { port } = await bench.server();
  const { ours } = await bench.httpDatabase();
  let orders = 1_000_000_000;
  const nextRequest = () => {
    orders += 1;
    return signedRequest(ours, 'POST', '/checkout/hosted', { body: createBody(orders, port) });
  };
  await createSample(port, nextRequest());
  const p50s: number[] = [];
  const p99s: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const times = await askAtPace(port, bench.seconds * PER_SECOND, nextRequest);
    const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
    bench.say(`pace, run ${run}: ${times.length} answers, p50 ${shown(p50)}, p99 ${shown(p99)} ms`);
    if (run > 0) p50s.push(p50);
    if (run > 0) p99s.push(p99);
  }
  const figure = { against: `${AIM_MS} ms`, unit: 'ms' } as const;
  const name = `create, ${PER_SECOND} a second`;
  return [
    figureOf({ ...figure, name: `${name}, p50` }, median(p50s), AIM_MS),
    figureOf({ ...figure, name: `${name}, p99`, aim: { atMost: 1 } }, median(p99s), AIM_MS),
  ];
}

/** Milliseconds from when each was due to its answer. */
async function askAtPace(
  port: number,
  count: number,
  nextRequest: () => string,
): Promise<readonly number[]> {
  const opened: Connection[] = [];
  const free: Connection[] = [];
  const ask = async (dueMs: number) => {
    const connection = free.pop() ?? (await openConnection(port));
    if (!opened.includes(connection)) opened.push(connection);
    const answer = await connection.ask(nextRequest());
    if (answer.toString('latin1', 9, 12) !== '200') throw new Error(`answered ${answer}`);
    free.push(connection);
    return performance.now() - dueMs;
  };
  const asked: Promise<number>[] = [];
  const startMs = performance.now();
  try {
    while (asked.length < count) {
      const dueMs = startMs + (asked.length * 1000) / PER_SECOND;
      const early = dueMs - performance.now();
      if (early > 0) await wait(early);
      asked.push(ask(dueMs));
    }
    return await Promise.all(asked);
  } finally {
    for (const connection of opened) connection.close();
  }
}
