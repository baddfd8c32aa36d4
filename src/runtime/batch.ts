// Joins calls that arrive while an earlier batch is under way into the next one: under load one
// round trip serves many callers, without load nobody waits.
//
// Guarantees: a call is served by a batch that began after the call was made, never by one already
// under way, so that what it reads is never older than the call; each call gets its own outcome.
// Not guaranteed: an order among the calls of a batch.

import { assert } from '#base/assert.ts';
import { Outage } from '#base/refusal.ts';

type BatchOptions<Input, Output> = {
  /** Inputs of one batch at most. */
  readonly most: number;
  /** Batches under way at one time, at most: a further one takes its share of who is there. */
  readonly atOnce: number;
  /**
   * One output for each input, in order. When it rejects with anything but an Outage, every call
   * of the batch is run alone.
   */
  readonly run: (inputs: readonly Input[]) => Promise<readonly Output[]>;
};

type Waiting<Input, Output> = {
  readonly input: Input;
  readonly resolve: (output: Output) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * A small batch beside another costs a whole round trip and a whole commit for a few callers, who
 * keep coming in groups that small. So it waits until it is worth it, or this long: what is under
 * way may stand in a queue for a lock that it alone needs.
 */
const PATIENCE_MS = 50;
const LATELY_MS = 50;

export function createBatch<Input, Output>(
  options: BatchOptions<Input, Output>,
): (input: Input) => Promise<Output> {
  const { most, atOnce, run } = options;
  const waiting: Waiting<Input, Output>[] = [];
  const crowdOf = openCrowd();
  let underWay = 0;
  /** Inputs of what is under way. */
  let taken = 0;
  let begunMs = 0;
  let isPlanned = false;
  let patience: NodeJS.Timeout | undefined;

  /** Equal shares keep all batches under way, whatever they wait for: a disk, or a processor. */
  function isWorthIt(): boolean {
    if (underWay === 0) return true;
    const share = Math.min(most, crowdOf(waiting.length + taken) / atOnce);
    return waiting.length >= share || performance.now() - begunMs >= PATIENCE_MS;
  }

  /** What arrives in the same turn goes together, from whatever sockets it came. */
  function plan(): void {
    if (isPlanned || underWay >= atOnce || waiting.length === 0) return;
    if (isWorthIt()) {
      isPlanned = true;
      setImmediate(() => {
        isPlanned = false;
        if (underWay < atOnce && waiting.length > 0) start();
      });
    } else if (patience === undefined) {
      patience = setTimeout(() => {
        patience = undefined;
        plan();
      }, PATIENCE_MS).unref();
    }
  }

  async function start(): Promise<void> {
    const batch = waiting.splice(0, most);
    underWay += 1;
    taken += batch.length;
    begunMs = performance.now();
    const served = serve(run, batch);
    plan();
    const tell = await served;
    underWay -= 1;
    taken -= batch.length;
    if (waiting.length === 0 || !isWorthIt()) {
      tell();
      return plan();
    }
    // What waited is on its way before the callers go on: they write their answers all in one go,
    // and whoever is asked would have nothing to do for as long.
    start();
    setImmediate(tell);
  }

  return (input) => {
    const { promise, resolve, reject } = Promise.withResolvers<Output>();
    waiting.push({ input, resolve, reject });
    plan();
    return promise;
  };
}

/** Of those who are there, the most at one time lately: as many will come again. */
function openCrowd(): (present: number) => number {
  let most = 0;
  let seenMs = 0;
  return (present) => {
    const nowMs = performance.now();
    if (present >= most || nowMs - seenMs > LATELY_MS) {
      most = present;
      seenMs = nowMs;
    }
    return most;
  };
}

/** Gives what tells the callers; it never rejects. */
async function serve<Input, Output>(
  run: BatchOptions<Input, Output>['run'],
  batch: readonly Waiting<Input, Output>[],
): Promise<() => void> {
  try {
    const outputs = await run(batch.map(({ input }) => input));
    assert(outputs.length === batch.length, 'a batch gives one output for each input');
    return () => {
      for (const [index, { resolve }] of batch.entries()) resolve(outputs[index] as Output);
    };
  } catch (error) {
    // One bad input must not fail its neighbours. After an outage nobody knows what was done, and
    // doing it again is for the callers to decide.
    if (error instanceof Outage || batch.length === 1) {
      return () => {
        for (const { reject } of batch) reject(error);
      };
    }
    for (const call of batch) (await serve(run, [call]))();
    return () => undefined;
  }
}
