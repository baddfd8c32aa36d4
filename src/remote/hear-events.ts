// Events of the account while they happen. Guarantees: each is given once and in order, however
// often the connection breaks meanwhile; what a key is refused for ends it.

import type { Clock } from '#base/clock.ts';
import { type Random, randomInteger } from '#base/random.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import type { InstallationClient } from './remote-client.ts';

export type HeardEvent = {
  readonly id: string;
  readonly eventType: string;
  /** The text of the webhook. */
  readonly body: string;
};

type HearRequest = {
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** Id of the event that was had last, or `start`; undefined: from now on. */
  readonly after: string | undefined;
  /** It listens now: what happens from here on is heard. */
  readonly onReady: (after: string) => void;
  readonly onLost: (why: string) => void;
  readonly onFound: () => void;
};

const WAIT_SECONDS = 25;
/** An answer without news that comes at once must not be asked for again at once. */
const LEAST_MS = 1_000;
const BACKOFF_FIRST_MS = 500;
const BACKOFF_MOST_MS = 15_000;

/** @throws Refusal when the key may not, or the event to go on after is not there. */
export async function* hearEvents(
  client: InstallationClient,
  request: HearRequest,
): AsyncGenerator<HeardEvent> {
  const { clock, signal } = request;
  let { after } = request;
  let isReady = false;
  let failures = 0;
  while (!signal.aborted) {
    const startedMs = clock.monotonicMs();
    // Not held while the connection is lost: that it is back is to be said at once.
    const waits = isReady && failures === 0;
    const answer = await askOnce(client, after, waits, signal);
    if (signal.aborted) return;
    if (answer instanceof Error) {
      if (failures === 0) request.onLost(answer.message);
      failures += 1;
      await pause(request, backoffMs(request.random, failures, answer));
      continue;
    }
    if (failures > 0) request.onFound();
    failures = 0;
    if (!isReady) request.onReady(answer.after);
    isReady = true;
    yield* answer.events;
    after = answer.after;
    const isEarly = clock.monotonicMs() - startedMs < LEAST_MS;
    if (answer.events.length === 0 && request.after !== undefined && isEarly) {
      await pause(request, LEAST_MS);
    }
  }
}

type Heard = { readonly events: readonly HeardEvent[]; readonly after: string };

/** The error where a later attempt may succeed. @throws Refusal */
async function askOnce(
  client: InstallationClient,
  after: string | undefined,
  waits: boolean,
  signal: AbortSignal,
): Promise<Heard | Outage | Refusal> {
  try {
    const query = { after, wait: waits ? String(WAIT_SECONDS) : undefined };
    const { json } = await client.get('/events/follow', query, signal);
    return json as unknown as Heard;
  } catch (error) {
    if (error instanceof Outage) return error;
    if (error instanceof Refusal && error.kind === 'too-many') return error;
    throw error;
  }
}

function backoffMs(random: Random, failures: number, error: Outage | Refusal): number {
  const asked = (error.retryAfterSeconds ?? 0) * 1000;
  const most = Math.min(BACKOFF_MOST_MS, BACKOFF_FIRST_MS * 2 ** Math.min(failures - 1, 10));
  const drawn = most / 2 + randomInteger(random, most / 2);
  return error instanceof Refusal ? Math.max(asked, drawn) : drawn;
}

async function pause({ clock, signal }: HearRequest, ms: number): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
