// How much can be received in one payment, from what each channel can receive. Answers from memory
// while that is fresh, and tells for a while that the node did not answer: offers wait for a node
// once in a while, shortly, and never one after the other.

import type { Clock } from '#base/clock.ts';
import { nodeOutage } from '#networks/node-outage.ts';

const FRESH_MS = 5_000;
/** Older than fresh: told once more while the node is asked again. */
const USABLE_MS = 60_000;
/** A customer waits for it. */
const PATIENCE_MS = 2_000;

type ReceivableOptions = {
  readonly what: string;
  readonly clock: Clock;
  /** Satoshi that each usable channel can receive. */
  readonly list: () => Promise<readonly bigint[]>;
};

/** @throws Outage when nothing usable is remembered and the node does not answer soon. */
export function receivableMost({ what, clock, list }: ReceivableOptions): () => Promise<bigint> {
  let known: { readonly units: bigint; readonly atMs: number } | undefined;
  let failed: { readonly error: unknown; readonly atMs: number } | undefined;
  let asking: Promise<bigint> | undefined;

  async function ask(): Promise<bigint> {
    const units = usableOf(await list());
    known = { units, atMs: clock.monotonicMs() };
    failed = undefined;
    return units;
  }

  /** Those who come while it is asked wait for the same answer. */
  function askOnce(): Promise<bigint> {
    asking ??= withinPatience(ask)
      .catch((error: unknown) => {
        failed = { error, atMs: clock.monotonicMs() };
        throw error;
      })
      .finally(() => {
        asking = undefined;
      });
    return asking;
  }

  async function withinPatience(act: () => Promise<bigint>): Promise<bigint> {
    const ended = new AbortController();
    const late = clock.sleep(PATIENCE_MS, ended.signal).then(() => {
      throw nodeOutage(what, `the node does not tell its channels within ${PATIENCE_MS} ms`);
    });
    late.catch(() => undefined);
    try {
      return await Promise.race([act(), late]);
    } finally {
      ended.abort();
    }
  }

  return async () => {
    const ageOf = (one: { readonly atMs: number } | undefined) =>
      one === undefined ? Number.POSITIVE_INFINITY : clock.monotonicMs() - one.atMs;
    if (known !== undefined && ageOf(known) <= USABLE_MS) {
      if (ageOf(known) > FRESH_MS && ageOf(failed) > FRESH_MS) askOnce().catch(() => undefined);
      return known.units;
    }
    if (failed !== undefined && ageOf(failed) <= FRESH_MS) throw failed.error;
    return askOnce();
  };
}

/**
 * The largest channel, or half of all together: a payer who splits a payment cannot know what each
 * channel can take, so not all of it can be counted on (Electrum estimates the same way).
 */
export function usableOf(channels: readonly bigint[]): bigint {
  const largest = channels.reduce((most, units) => (units > most ? units : most), 0n);
  const half = channels.reduce((sum, units) => sum + units, 0n) / 2n;
  return largest > half ? largest : half;
}
