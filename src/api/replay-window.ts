// Replays of the class `create` (api-contract.md 3): two honest identical carts in one second have
// the same signature, so repeats are allowed: 20 uses while the timestamp is young enough to be
// accepted. Guarantees: bounded memory. Not guaranteed: a count across processes (each counts for
// itself, so n processes allow n times as many), nor one over more than `entriesMax` live
// signatures, where the oldest is forgotten. Both are harmless here: a replay can only make an
// unpaid checkout. Money-moving routes do not rest on this: their signatures are single-use in a
// table.
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';

const usesMax = 20;
/** From 5 s before the server's time to 30 s after the client's, and one to spare. */
const windowMs = 36_000;
const entriesMax = 50_000;

export type ReplayWindow = {
  /** @throws Refusal when this signature of this key was accepted too often. */
  accept(apiKey: string, mac: string): void;
};

export function createReplayWindow(clock: Clock): ReplayWindow {
  // In order of first use: the oldest leave first.
  const uses = new Map<string, { count: number; readonly endsAtMs: number }>();

  function forgetOld(nowMs: number): void {
    for (const [id, { endsAtMs }] of uses) {
      if (endsAtMs > nowMs && uses.size < entriesMax) break;
      uses.delete(id);
    }
  }

  return {
    accept(apiKey, mac) {
      const nowMs = clock.monotonicMs();
      forgetOld(nowMs);
      const id = `${apiKey}/${mac}`;
      const use = uses.get(id);
      if (use === undefined) {
        uses.set(id, { count: 1, endsAtMs: nowMs + windowMs });
        return;
      }
      use.count += 1;
      if (use.count > usesMax) {
        const message = 'this signature was used too often: sign the request again';
        throw new Refusal('too-many', 'signature_repeated', message, { retryAfterSeconds: 1 });
      }
    },
  };
}
