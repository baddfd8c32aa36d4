// Answers that are asked for by many and change slowly: looked up once, for everybody, in a bounded
// time.
import type { Clock } from '#base/clock.ts';

/** One look in so many milliseconds, whoever asks. */
export function keepFresh<Value>(
  clock: Clock,
  ms: number,
  look: () => Promise<Value>,
): () => Promise<Value> {
  let kept: Promise<Value> | undefined;
  let madeAtMs = 0;
  return () => {
    if (kept === undefined || clock.monotonicMs() - madeAtMs >= ms) {
      madeAtMs = clock.monotonicMs();
      kept = look();
    }
    return kept;
  };
}

/** @throws Error when it takes longer than whoever asks would wait. */
export async function inTime<Value>(
  clock: Clock,
  ms: number,
  answer: Promise<Value>,
): Promise<Value> {
  const answered = new AbortController();
  const late = clock.sleep(ms, answered.signal).then(() => {
    throw new Error('no answer in time');
  });
  // It is given up when the answer comes first.
  late.catch(() => undefined);
  try {
    return await Promise.race([answer, late]);
  } finally {
    answered.abort();
  }
}
