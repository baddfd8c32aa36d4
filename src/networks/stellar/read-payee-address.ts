// Where an anchor wants to be paid: SEP-6, `instructions`, with the fields of SEP-9, or `how` of
// anchors that are older. An address is one of the network by its checksum, or none.

import { ExactNumber } from '#money/exact-json.ts';
import { isFields } from '#networks/answer-fields.ts';
import type { AnchorFields } from './read-anchor-answer.ts';

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
  const one = isFields(instructions) ? instructions[`organization.${name}`] : undefined;
  return isFields(one) ? one.value : undefined;
}
