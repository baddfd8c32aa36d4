// The receipts of whole blocks, from nodes that give them, in whatever words they say that they do
// not. What is not given is missing from what is read: a receipt of concern is then asked for by
// its transaction.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ChainId } from '#catalog/chain.ts';
import { NodeLie, type RpcFailure } from '#networks/answer-fields.ts';
import type { RpcAnswer, RpcCall } from '#networks/json-rpc.ts';
import { nodeOutage } from '#networks/node-outage.ts';
import { type EvmRpc, kindOfRefusal } from './json-rpc.ts';
import type { EvmBlock, FoundLog, TokenContracts } from './read-block.ts';
import { type EvmReceipt, readReceipts } from './read-receipts.ts';

export type ReceiptSource = {
  readonly rpc: EvmRpc;
  readonly chain: ChainId;
  readonly tokens: TokenContracts;
  readonly hasSystemReceipts: boolean;
  /** Whose calls and events are read as well. */
  readonly safe?: string | undefined;
  /** Told of each answer how long it is. */
  readonly onBytes?: (bytes: number) => void;
};

export type FoundLogs = ReadonlyMap<EvmBlock, readonly FoundLog[]>;

/** What was refused lately: for so many questions to come it is not asked again. */
const refusing = new WeakMap<EvmRpc, { rests: number; left: number }>();
const RESTS = { first: 1, most: 64, withoutMethod: 10_000 };

/** Whether the node is worth asking for receipts of whole blocks. */
export function givesBlockReceipts(rpc: EvmRpc): boolean {
  return (refusing.get(rpc)?.left ?? 0) === 0;
}

export function receiptsCall(hash: string): RpcCall {
  return { method: 'eth_getBlockReceipts', params: [hash] };
}

type ReceiptsOptions = {
  readonly finding: Promise<FoundLogs>;
  /** Already on their way. */
  readonly asked: Promise<readonly RpcAnswer[]> | undefined;
};

/** None of blocks whose node does not give them whole. @throws NodeLie, Outage */
export async function readBlockReceipts(
  source: ReceiptSource,
  blocks: readonly EvmBlock[],
  { finding, asked }: ReceiptsOptions,
): Promise<ReadonlyMap<EvmBlock, ReadonlyMap<string, EvmReceipt>>> {
  const { rpc, chain, onBytes } = source;
  const read = new Map<EvmBlock, ReadonlyMap<string, EvmReceipt>>();
  const full = blocks.filter(({ transactions }) => transactions.length > 0);
  if (full.length === 0) return read;
  if (asked === undefined && !givesBlockReceipts(rpc)) {
    noteRest(rpc);
    return read;
  }
  const calls = full.map(({ hash }) => receiptsCall(hash));
  const answers = await (asked ?? rpc.batch(calls, onBytes));
  // Whoever looks up what the logs hold is answered first: that leads to a question to somebody
  // else, who works while we read. An answer that came meanwhile is heard in the second turn.
  await nextTurn();
  await nextTurn();
  // The index is the smaller answer: what it has told is not read a second time.
  const found = await finding;
  let refusal: RpcFailure | undefined;
  full.forEach((block, at) => {
    const answer = answers[at];
    if (answer === undefined) throw new NodeLie('an answer is missing');
    if (!answer.ok) {
      refusal = answer.failure;
      return;
    }
    if (answer.result === null) {
      throw nodeOutage(chain, `no receipts of block ${block.height} yet`);
    }
    const known = found.get(block) ?? [];
    read.set(block, readReceipts(answer.result, block, { ...source, known }));
  });
  if (refusal === undefined) refusing.delete(rpc);
  else noteRefusal(rpc, refusal);
  return read;
}

function noteRest(rpc: EvmRpc): void {
  const known = refusing.get(rpc);
  if (known !== undefined) known.left -= 1;
}

/** Providers that do not offer it at all say so in many ways; a mishap may be over soon. */
function noteRefusal(rpc: EvmRpc, refusal: RpcFailure): void {
  const before = refusing.get(rpc)?.rests ?? RESTS.first / 2;
  const isMissing = kindOfRefusal(refusal) === 'method';
  const next = isMissing ? RESTS.withoutMethod : Math.min(RESTS.most, before * 2);
  refusing.set(rpc, { rests: next, left: next });
}
