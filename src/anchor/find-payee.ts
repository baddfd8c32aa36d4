// Where an anchor wants to be paid. Older anchors say it when they take the deposit (SEP-6, `how`),
// others in `instructions` with the fields of SEP-9, at once or later ("the wallet should query the
// /transaction endpoint"; SDF's Anchor Platform always does). Guarantees: an address is one of the
// network by its checksum, or none; the transfer is asked about until it says where to pay, at
// growing distances and for a bounded time; what the anchor wants to know meanwhile it is told once
// for each state. Whoever asks for the same deposit again goes on with the same transfer.

import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import { ExactNumber, isJsonObject } from '#money/exact-json.ts';
import type { AnchorFields } from './anchor-http.ts';

export type PayeeAddress = {
  readonly address: string;
  readonly destinationTag: bigint | undefined;
};

export type PayeeReading =
  | ({ readonly kind: 'found' } & PayeeAddress)
  | { readonly kind: 'none'; readonly reason: string };

export type PayeeNetwork = {
  /** Payers on it can be told a number beside the address (XRP Ledger). */
  readonly hasTags: boolean;
  /** The address in its one spelling; undefined when it is none of the network. */
  readonly addressOf: (text: string) => string | undefined;
};

const TAG_MOST = 2n ** 32n - 1n;

export function readPayeeAddress(answer: AnchorFields, network: PayeeNetwork): PayeeReading {
  const given = instruction(answer, 'crypto_address') ?? answer.how;
  const address = typeof given === 'string' ? network.addressOf(given.trim()) : undefined;
  if (address === undefined) {
    return { kind: 'none', reason: 'the anchor gave no address of the network' };
  }
  const memo =
    instruction(answer, 'external_transfer_memo') ?? instruction(answer, 'crypto_memo') ?? null;
  if (memo === null) return { kind: 'found', address, destinationTag: undefined };
  if (!network.hasTags) {
    return { kind: 'none', reason: 'the anchor asks for a memo, which this network has not' };
  }
  const text = memo instanceof ExactNumber ? memo.text : memo;
  const tag = typeof text === 'string' && /^\d{1,10}$/.test(text) ? BigInt(text) : undefined;
  if (tag === undefined || tag > TAG_MOST) {
    return { kind: 'none', reason: 'the anchor asks for a memo that is no destination tag' };
  }
  return { kind: 'found', address, destinationTag: tag };
}

/** SEP-9: the account is the anchor's, an organisation's. */
function instruction(answer: AnchorFields, name: string): unknown {
  const { instructions } = answer;
  const one = isJsonObject(instructions) ? instructions[`organization.${name}`] : undefined;
  return isJsonObject(one) ? one.value : undefined;
}

export type TransferRecord = AnchorFields & { readonly status: string };

type InstructionSteps = {
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
  return isJsonObject(instructions) && Object.keys(instructions).length > 0;
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
