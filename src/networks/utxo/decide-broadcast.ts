// What Esplora servers make of a transaction that was sent to them (`POST /tx`). A server passes it
// to its node and answers with the id, or with a text that has the node's own error in it (rest.rs
// and daemon.rs of Blockstream/electrs). Guarantees: it counts as taken, or as refused, only when
// so many servers say so and none says the contrary; everything else is undecided, so that what was
// signed stays what is sent. Not guaranteed: that a server which took it passes it on.
import { NodeLie } from '#networks/answer-fields.ts';
import type { EsploraAnswer } from './esplora-client.ts';
import { RPC_ALREADY_IN_CHAIN } from './json-rpc.ts';

export type ServerSaid =
  | { readonly taken: string }
  /** It has it, in a block or waiting. */
  | { readonly known: true }
  | { readonly code: number; readonly refused: string };

export type Broadcast =
  | ServerSaid
  /** Why it is neither. */
  | { readonly undecided: string };

/**
 * Reasons of nodes that have the same transaction already (validation.cpp of Bitcoin Core, older
 * and newer).
 */
const KNOWN = /^(txn-already-in-mempool|txn-already-known|txn-same-nonwitness-data-in-mempool)/;
const RPC_ERROR = /^sendrawtransaction RPC error: (\{.*\})$/s;

/** Undefined: it did not ask its node, or does not say what that said. @throws NodeLie */
export function readBroadcast({ status, text }: EsploraAnswer): ServerSaid | undefined {
  const said = text.trim();
  if (status === 200) {
    if (/^[0-9a-f]{64}$/.test(said)) return { taken: said };
    throw new NodeLie('what was sent is taken without an id');
  }
  if (status !== 400) return undefined;
  const error = parseError(RPC_ERROR.exec(said)?.[1] ?? '');
  if (error === undefined) return undefined;
  const { code, message } = error;
  if (code === RPC_ALREADY_IN_CHAIN || KNOWN.test(message)) return { known: true };
  return { code, refused: message };
}

function parseError(json: string): { readonly code: number; readonly message: string } | undefined {
  try {
    const { code, message } = Object(JSON.parse(json));
    if (Number.isSafeInteger(code) && typeof message === 'string') return { code, message };
  } catch {
    // It is none.
  }
  return undefined;
}

/** Of the servers that answered; `needed` of them must say the same. */
export function decideBroadcast(answers: readonly ServerSaid[], needed: number): Broadcast {
  const ids = new Set(answers.flatMap((one) => ('taken' in one ? [one.taken] : [])));
  if (ids.size > 1) return { undecided: 'the servers name different transactions' };
  const refusals = answers.flatMap((one) => ('refused' in one ? [one] : []));
  const standing = answers.length - refusals.length;
  const [refusal] = refusals;
  const [taken] = ids;
  if (standing >= needed) return taken === undefined ? { known: true } : { taken };
  if (refusal === undefined) return { undecided: 'too few servers answer' };
  if (standing === 0 && refusals.length >= needed) return refusal;
  const others = standing > 0 ? 'has it' : 'does not answer';
  return { undecided: `one server refuses it (${refusal.refused}), another ${others}` };
}
