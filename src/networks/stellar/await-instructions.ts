// Where to pay, of an anchor that says it later than it takes the deposit (SEP-6, `instructions`:
// "the wallet should query the /transaction endpoint"; SDF's Anchor Platform always does).
// Guarantees: the transfer is asked about until it says it, at growing distances and for a bounded
// time; what the anchor wants to know meanwhile it is told once for each state. Whoever asks for
// the same deposit again goes on with the same transfer.

import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import { isFields } from './horizon-fields.ts';
import type { AnchorFields } from './read-anchor-answer.ts';

export type TransferRecord = AnchorFields & { readonly status: string };

export type InstructionSteps = {
  readonly domain: string;
  readonly clock: Pick<Clock, 'sleep' | 'monotonicMs'>;
  /** @throws Outage when the anchor does not answer about it. */
  readonly transfer: () => Promise<TransferRecord>;
  /** Tells what the anchor wants to know. @throws Outage when it does not want us. */
  readonly tell: () => Promise<void>;
};

/** Less than what clients and proxies wait for an answer of ours. */
const WAIT_MS_MOST = 15_000;
const FIRST_WAIT_MS = 500;
const WAIT_MS_GROWTH = 1.5;
const RETRY_SECONDS = 5;

/** SEP-6, Transaction History: states before the one in which the customer may pay. */
const MAY_STILL_SAY = new Set(['incomplete', 'pending_anchor', 'pending_customer_info_update']);
/** The anchor wants to know more before the transfer goes on. */
const WANTS_TO_KNOW = new Set(['incomplete', 'pending_customer_info_update']);

export function wantsToKnow({ status }: TransferRecord): boolean {
  return WANTS_TO_KNOW.has(status);
}

/** Empty ones are none yet. */
export function hasInstructions({ instructions }: AnchorFields): boolean {
  return isFields(instructions) && Object.keys(instructions).length > 0;
}

/**
 * The transfer as it is when it says where to pay, or when it never will.
 * @throws Refusal `payee_pending` when it does not say so in time.
 */
export async function awaitInstructions(steps: InstructionSteps): Promise<TransferRecord> {
  const { clock, domain } = steps;
  const endMs = clock.monotonicMs() + WAIT_MS_MOST;
  const toldIn = new Set<string>();
  let waitMs = FIRST_WAIT_MS;
  for (;;) {
    const record = await steps.transfer();
    if (hasInstructions(record) || !MAY_STILL_SAY.has(record.status)) return record;
    if (wantsToKnow(record) && !toldIn.has(record.status)) {
      toldIn.add(record.status);
      await steps.tell();
      continue;
    }
    if (clock.monotonicMs() + waitMs > endMs) throw pending(domain, record.status);
    await clock.sleep(waitMs);
    waitMs = Math.ceil(waitMs * WAIT_MS_GROWTH);
  }
}

function pending(domain: string, status: string): Refusal {
  const sentence =
    `network: the anchor ${domain} has not said yet where to pay (its transfer is ${status}); ` +
    'ask again in a moment, it goes on with the same transfer';
  return new Refusal('unavailable', 'payee_pending', sentence, {
    retryAfterSeconds: RETRY_SECONDS,
  });
}
