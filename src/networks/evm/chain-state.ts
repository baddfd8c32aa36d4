// Which chain a node is on and how far it is: asked before every step, so that a node which was
// changed meanwhile is noticed at once.

import type { Clock } from '#base/clock.ts';
import type { ChainId } from '#catalog/chain.ts';
import { isFields, NodeLie } from '#networks/answer-fields.ts';
import { type RpcAnswer, resultsOf } from '#networks/json-rpc.ts';
import { anotherChain, catchingUp, nodeOutage } from '#networks/node-outage.ts';
import type { EvmChain } from './evm-chain.ts';
import { askAll, type EvmRpc } from './json-rpc.ts';
import { type BlockHeader, readHeader } from './read-block.ts';
import { findQuantity, quantityText, requireQuantity } from './read-values.ts';

export type ChainState = {
  readonly genesisHash: string;
  readonly final: BlockHeader;
  readonly newest: BlockHeader;
};

export type StateRequest = {
  readonly chain: ChainId;
  readonly parameters: EvmChain;
  /** Undefined until a node of a chain of one's own has said it. */
  readonly genesisHash: string | undefined;
  readonly clock: Clock;
};

/**
 * A node that says how far it has synced needs time, any other one somebody who looks at it. Some
 * tell it in words of their own (Nitro: batches and messages): that is no number of blocks.
 */
async function notThere(
  { rpc, chain }: { readonly rpc: EvmRpc; readonly chain: ChainId },
  sentence: string,
  otherwise: string,
): Promise<Error> {
  const [answer] = await rpc.batch([{ method: 'eth_syncing', params: [] }]);
  const said = answer?.ok === true && isFields(answer.result) ? answer.result : {};
  const [at, of] = [findQuantity(said.currentBlock), findQuantity(said.highestBlock)];
  if (at === undefined || of === undefined) return nodeOutage(chain, `${sentence}: ${otherwise}`);
  return catchingUp(chain, `${sentence}: it is still syncing, at block ${at} of ${of}`);
}

/** @throws Refusal when the node is of another chain, Outage when it does not follow its own. */
export async function readChainState(
  rpc: EvmRpc,
  { chain, parameters, genesisHash, clock }: StateRequest,
): Promise<ChainState> {
  const answers = await rpc.batch([
    { method: 'eth_chainId', params: [] },
    { method: 'eth_getBlockByNumber', params: ['0x0', false] },
    { method: 'eth_getBlockByNumber', params: ['finalized', false] },
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
  ]);
  if (isUnknown(answers[2])) {
    throw await notThere(
      { rpc, chain },
      `${rpc.label} knows no final block`,
      'it is still syncing, or no consensus client drives it',
    );
  }
  const [id, genesis, final, newest] = resultsOf(answers);
  const chainId = requireQuantity(id, 'the number of the chain');
  const { hash } = readHeader(genesis, 'the first block');
  if (chainId !== parameters.chainId || (genesisHash !== undefined && hash !== genesisHash)) {
    throw anotherChain(
      `${chain} needs a node of ${parameters.name} (chain ${parameters.chainId}` +
        `${genesisHash === undefined ? '' : `, genesis block ${genesisHash}`}); ` +
        `${rpc.label} is on chain ${chainId} with genesis block ${hash}`,
    );
  }
  const state = {
    genesisHash: hash,
    final: readHeader(final, 'the final block'),
    newest: readHeader(newest, 'the newest block'),
  };
  if (state.newest.height < state.final.height) {
    throw new NodeLie('the newest block is below the final one');
  }
  const { staleAfterSeconds } = parameters;
  if (staleAfterSeconds !== undefined) {
    const ageSeconds = state.newest.minedAt.until(clock.now()).total('seconds');
    if (ageSeconds > staleAfterSeconds) {
      const age = `its last block is ${ageSeconds} s old`;
      throw await notThere({ rpc, chain }, `${rpc.label} is behind`, age);
    }
  }
  return state;
}

/** How nodes deny the tag `finalized`: with null, code -39001 (execution-apis), or in words. */
function isUnknown(answer: RpcAnswer | undefined): boolean {
  if (answer?.ok === true) return answer.result === null;
  const { code, said } = answer?.failure ?? { code: 0, said: '' };
  return code === -39_001 || /block (is )?(not found|unknown)|unknown block/i.test(said);
}

/** The header if it is said twice: what everything else will have to follow. @throws NodeLie */
export async function sameAgain(rpc: EvmRpc, header: BlockHeader): Promise<BlockHeader> {
  const params = [quantityText(header.height), false];
  const [again] = await askAll(rpc, [{ method: 'eth_getBlockByNumber', params }]);
  const second = readHeader(again, 'a final block');
  const isSame = second.hash === header.hash && second.parentHash === header.parentHash;
  if (!isSame || second.height !== header.height) throw new NodeLie('two answers differ');
  return header;
}
