// A Bitcoin-like chain watched through one's own node. Guarantees: no fact is given from a node of
// another chain, from one still synchronising, or from an answer that is damaged or contradicts
// itself: such a step fails as an Outage and moves nothing. Amounts are exact. Every output of a
// block with an address is given, asked for or not; what is left out is listed in
// read-transaction.ts. Hints (long poll, `hint`) only wake; `observe` is the truth.
// Not guaranteed: that the node's chain is the one most of the world follows.

import { setImmediate as yieldTurn } from 'node:timers/promises';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { ChainId } from '#catalog/chain.ts';
import type { DraftedPsbt, NodeWallet } from '#deposit/money-out.ts';
import type {
  Block,
  BlockReference,
  DestinationRequest,
  Network,
  Observation,
  Position,
  Spend,
} from '#deposit/network.ts';
import { isFields, RpcFailure, requireFields, requireHash } from '#networks/answer-fields.ts';
import { askForPerson, takeTurns } from '#networks/ask-nodes.ts';
import { resultsOf } from '#networks/json-rpc.ts';
import { anotherChain, catchingUp, nodeOutage } from '#networks/node-outage.ts';
import { walkBlocks } from '#networks/walk-blocks.ts';
import { createWake } from '#runtime/loop.ts';
import { competingTips } from './competing-tips.ts';
import { consolidateCoins } from './consolidate-coins.ts';
import { type DraftParts, draftPsbt } from './draft-psbt.ts';
import type { EsploraClient } from './esplora-client.ts';
import { holdLarge } from './hold-large.ts';
import {
  type CallOptions,
  type CoreRpc,
  RPC_METHOD_MISSING,
  RPC_OUT_OF_RANGE,
  requireBytes,
  requireCount,
} from './json-rpc.ts';
import { readBlock } from './read-block.ts';
import type { FeeRateLimits } from './read-fee-rate.ts';
import type { RawChain } from './read-transaction.ts';
import { replaceMove } from './replace-move.ts';
import { findUsedIndex, scanHoldings } from './scan-holdings.ts';
import { utxoFees } from './sending-fees.ts';
import { speedUpArrival } from './speed-up-arrival.ts';
import { nodeAdvice, type UtxoChain } from './utxo-chain.ts';
import { type ChangeWatch, type UtxoPayee, utxoPayee } from './utxo-payee.ts';
import { utxoSender } from './utxo-sender.ts';
import { watchAddresses } from './watch-addresses.ts';
import { type MempoolLimits, type MempoolWatch, watchMempool } from './watch-mempool.ts';
import { addressReader } from './witness-address.ts';
import { listenForHints, type ZmqHints, zmqFault } from './zmq-hints.ts';

type UtxoNetworkOptions = {
  readonly chain: ChainId;
  readonly parameters: UtxoChain;
  readonly rpc: CoreRpc;
  /** Extended public key of an account, or a descriptor over one (parse-address-source.ts). */
  readonly descriptor: string;
  readonly clock: Clock;
  readonly log: Log;
  /** How often the mempool is looked at while waiting. */
  readonly mempoolPollMs?: number;
  readonly mempoolLimits?: MempoolLimits;
  /** Servers in the place of a node; `rpc` asks them (esplora-sources.ts). */
  readonly esplora?: readonly EsploraClient[] | undefined;
  /** Where the node publishes that something happened. */
  readonly zmqUrl?: string | undefined;
  /** Where one server is asked alone: payments above it need a week's blocks. */
  readonly singleSourceUnits?: bigint | undefined;
  readonly rates?: FeeRateLimits;
  /** The node's own, where it signs what is sent. */
  readonly wallet?: { readonly wallet: NodeWallet; close(): void } | undefined;
};

export type UtxoNetwork = Network &
  UtxoPayee & {
    /** Somebody (blocknotify, ZMQ) says that the chain moved: ends the wait, or the next one. */
    hint(): void;
  };

type NodeState = { readonly tip: BlockReference; readonly lowestHeight: bigint };

/** Bytes of the blocks of one step, estimated from the largest block read lately. */
const BYTES_PER_STEP = 32 * 1024 * 1024;
const BLOCKS_PER_STEP_MOST = 100;
const BLOCK_BYTES_AT_FIRST = 4 * 1024 * 1024;
/** Behind by less is a block under way. */
const BLOCKS_BEHIND_MOST = 6n;
const MEMPOOL_POLL_MS = 1000;

type Watch = UtxoNetworkOptions & {
  readonly rawChain: RawChain & UtxoChain;
  readonly changeAmong: ChangeWatch;
  readonly mempool: MempoolWatch;
  readonly hints: ReturnType<typeof createWake>;
  nodeVersion: string | undefined;
  nodeVersionNumber: number | undefined;
  zmqHints: ZmqHints | undefined;
  hintFault: string | undefined;
  lastTip: BlockReference | undefined;
  brake: { readonly tipHash: string; readonly causes: Observation['brake'] } | undefined;
  canWaitForBlock: boolean;
  /** Bytes of the largest block that was read lately. */
  blockBytes: number;
};

/** @throws Refusal when the descriptor is not one of this chain, or is a private key. */
export function utxoNetwork(options: UtxoNetworkOptions): UtxoNetwork {
  const { chain, parameters, rpc, clock, esplora, mempoolLimits: limits } = options;
  const log = options.log.with({ chain });
  const payee = utxoPayee(chain, parameters, options.descriptor);
  const rawChain = { ...parameters, readAddress: addressReader(parameters.bech32Prefix) };
  const addresses = esplora && watchAddresses({ clients: esplora, chain: rawChain, clock });
  const asked = takeTurns({ nodes: [rpc], chain, clock });
  const watch: Watch = {
    ...options,
    log,
    rawChain,
    changeAmong: payee.changeAmong,
    mempool: addresses ?? watchMempool({ rpc, chain: rawChain, clock, log, limits }),
    hints: createWake(),
    nodeVersion: undefined,
    nodeVersionNumber: undefined,
    zmqHints: undefined,
    hintFault: undefined,
    lastTip: undefined,
    brake: undefined,
    canWaitForBlock: true,
    blockBytes: BLOCK_BYTES_AT_FIRST,
  };
  const drafting =
    <Order>(made: (parts: DraftParts, order: Order) => Promise<DraftedPsbt>) =>
    (order: Order) =>
      askForPerson(asked, async () => made(await draftParts(watch, payee), order));

  return {
    ...payee,
    identity: parameters.genesisHash,
    receivableAssets: () => [parameters.assetId],
    openDestination(request: DestinationRequest) {
      const destination = payee.openDestination(request);
      addresses?.add(destination.address);
      return destination;
    },
    checkIdentity: () => asked.ask(() => checkIdentity(watch)),
    observe: (position) => asked.ask(() => observe(watch, position)),
    blockReferenceAt: (height) => asked.ask(() => blockReferenceAt(watch, height)),
    hint: () => watch.hints.wake(),
    waitForHint: (ms, signal) => waitForHint(watch, ms, signal),
    health: () => ({
      chain,
      description: `${parameters.name} ${addresses === undefined ? 'node' : 'by Esplora'}`,
      nodeVersion: watch.nodeVersion,
      ...asked.health(),
      advice: nodeAdvice(parameters.assetId, watch.nodeVersionNumber).concat(watch.hintFault ?? []),
    }),
    draft: drafting(draftPsbt),
    consolidate: drafting(consolidateCoins),
    speedUp: drafting(speedUpArrival),
    replaceMove: drafting(replaceMove),
    sendingFees: utxoFees({ ...watch, ...payee, asked, checkNode: () => readState(watch) }),
    sender: utxoSender(parameters, asked),
    // Somebody else's server is not asked about all our addresses.
    ...(addresses === undefined && {
      holdings: (issued, cursor) =>
        asked.ask(() => scanHoldings(rpc, payee.descriptors, { issued, cursor }, parameters)),
      usedIndex: (from) => asked.ask(() => findUsedIndex(rpc, { payee, rawChain, log }, from)),
    }),
    ...(options.wallet !== undefined && { wallet: options.wallet.wallet }),
    async close() {
      watch.zmqHints?.close();
      options.wallet?.close();
      rpc.close();
    },
  };
}

async function draftParts(watch: Watch, { source }: UtxoPayee): Promise<DraftParts> {
  const { rpc, rawChain: chain, rates } = watch;
  const { tip } = await readState(watch);
  return { rpc, source, chain, tipHeight: tip.height, rates };
}

/** @throws Refusal when the node is of another chain, Outage when it is not ready. */
async function readState(watch: Watch): Promise<NodeState> {
  const { chain, parameters, rpc } = watch;
  const answers = await rpc.batch([
    { method: 'getblockhash', params: [0] },
    { method: 'getblockchaininfo', params: [] },
  ]);
  const [genesis, answer] = resultsOf(answers);
  const info = requireFields(answer, 'the description of the chain');
  if (genesis !== parameters.genesisHash || info.chain !== parameters.nodeChain) {
    throw anotherChain(
      `${chain} needs a node of ${parameters.name} (genesis block ${parameters.genesisHash}); ` +
        `the node is on ${String(info.chain)} with genesis block ${String(genesis)}`,
    );
  }
  const height = BigInt(requireCount(info.blocks, 'the height of the chain'));
  const headers = BigInt(requireCount(info.headers, 'the number of headers'));
  const hash = requireHash(info.bestblockhash, 'the best block');
  if (parameters.followsPeers) {
    const progress = `it has ${height} of ${headers} blocks`;
    if (info.initialblockdownload !== false) {
      throw catchingUp(chain, `the node is still downloading the chain: ${progress}`);
    }
    if (headers > height + BLOCKS_BEHIND_MOST) {
      throw catchingUp(chain, `the node is behind: ${progress}`);
    }
  }
  const isPruned = info.pruned === true && info.pruneheight !== undefined;
  const lowest = isPruned ? requireCount(info.pruneheight, 'the lowest block kept') : 0;
  return { tip: { height, hash }, lowestHeight: BigInt(lowest) };
}

function pruned(chain: ChainId, height: bigint, lowestHeight: bigint): Error {
  return nodeOutage(
    chain,
    `the node is pruned: block ${height} is needed and it keeps those from ${lowestHeight}; ` +
      'connect one that has it, or let this one download the chain again',
  );
}

async function lookAtZmq(watch: Watch): Promise<void> {
  const { zmqUrl, log } = watch;
  const fault = zmqUrl === undefined ? undefined : await zmqFault(zmqUrl);
  if (fault !== undefined && fault !== watch.hintFault)
    log.warn('no hints by ZMQ', { reason: fault });
  watch.hintFault = fault;
}

/** Undefined above the node's tip. */
async function hashAt({ rpc }: Watch, height: bigint): Promise<string | undefined> {
  try {
    return requireHash(await rpc.call('getblockhash', [Number(height)]), 'a block hash');
  } catch (error) {
    if (error instanceof RpcFailure && error.code === RPC_OUT_OF_RANGE) return undefined;
    throw error;
  }
}

async function blockReferenceAt(watch: Watch, height: bigint): Promise<BlockReference | undefined> {
  const { lowestHeight } = await readState(watch);
  if (height + 1n < lowestHeight) throw pruned(watch.chain, height + 1n, lowestHeight);
  const hash = await hashAt(watch, height);
  return hash === undefined ? undefined : { height, hash };
}

async function readBlockAt(
  watch: Watch,
  height: bigint,
  lowestHeight: bigint,
  spends: Map<string, readonly Spend[]>,
): Promise<Block | undefined> {
  const { rpc, rawChain, singleSourceUnits } = watch;
  if (height < lowestHeight) throw pruned(watch.chain, height, lowestHeight);
  const hash = await hashAt(watch, height);
  if (hash === undefined) return undefined;
  // Raw: a tenth of the work for the node, and the hash commits to every byte that is used.
  const answer = await rpc.call('getblock', [hash, 0]);
  // The estimate grows at once and shrinks slowly, so that large blocks do not surprise the next
  // step.
  watch.blockBytes = Math.max(rpc.lastAnswerBytes(), Math.floor(watch.blockBytes * 0.9));
  // A full block takes 30 ms to read: not in the turn that received it.
  await yieldTurn();
  const bytes = requireBytes(answer, `block ${hash}`);
  const read = readBlock(bytes, { height, hash }, rawChain);
  const { block } = read;
  spends.set(hash, read.spends);
  return singleSourceUnits === undefined ? block : holdLarge(block, singleSourceUnits);
}

/** Asked once for each tip: the node goes through all it knows to answer. */
async function readBrake(
  watch: Watch,
  { hash, height }: BlockReference,
): Promise<Observation['brake']> {
  const { rpc, parameters, brake } = watch;
  // On a chain of one's own branches come as somebody makes them.
  if (!parameters.followsPeers) return undefined;
  if (brake?.tipHash === hash) return brake.causes;
  let causes: Observation['brake'];
  try {
    causes = competingTips(await rpc.call('getchaintips'), height);
  } catch (error) {
    // Esplora has no such question; there nothing rises that two servers do not agree on.
    if (!(error instanceof RpcFailure) || error.code !== RPC_METHOD_MISSING) throw error;
  }
  watch.brake = { tipHash: hash, causes };
  return causes;
}

async function observe(watch: Watch, position: Position): Promise<Observation> {
  const { chain, parameters, mempool } = watch;
  const { tip, lowestHeight } = await readState(watch);
  const spendsByBlock = new Map<string, readonly Spend[]>();
  const mostBlocks = Math.floor(BYTES_PER_STEP / Math.max(watch.blockBytes, 1));
  const walk = await walkBlocks({
    what: chain,
    position,
    tip: async () => tip,
    hashAt: (height) => hashAt(watch, height),
    blockAt: (height) => readBlockAt(watch, height, lowestHeight, spendsByBlock),
    mostBlocks: Math.max(1, Math.min(BLOCKS_PER_STEP_MOST, mostBlocks)),
  });
  watch.lastTip = walk.tip;
  const spends = walk.blocks.flatMap(({ hash }) => spendsByBlock.get(hash) ?? []);
  const step = {
    identity: parameters.genesisHash,
    ...walk,
    spends,
    brake: await readBrake(watch, walk.tip),
  };
  const mined = walk.blocks.flatMap(({ arrivals }) => arrivals);
  const none = { unconfirmed: [], gone: [], change: watch.changeAmong(mined) };
  if (!walk.complete) return { ...step, ...none };
  const picture = await mempool.look(walk.tip.hash, position.unconfirmed);
  // The tip moved in the meantime: what was walked stands, the mempool belongs to another block.
  if (picture === undefined) return { ...step, ...none, complete: false };
  const { listed } = picture;
  const minedIds = new Set(mined.map(({ transaction }) => transaction));
  return {
    ...step,
    unconfirmed: picture.unconfirmed,
    change: watch.changeAmong([...mined, ...picture.unconfirmed]),
    spends: [...spends, ...picture.spends],
    gone:
      listed === undefined
        ? []
        : position.unconfirmed.filter((txid) => !listed.has(txid) && !minedIds.has(txid)),
  };
}

/**
 * True when something may have happened. The long poll misses no block: it names the next height.
 */
async function waitForBlock(watch: Watch, ms: number, signal: AbortSignal): Promise<boolean> {
  const { rpc, hints, clock, lastTip } = watch;
  if (!watch.canWaitForBlock || lastTip === undefined) {
    await hints.wait(ms, signal, clock);
    return false;
  }
  const { hash, height } = lastTip;
  const ended = new AbortController();
  const abort = () => ended.abort();
  signal.addEventListener('abort', abort, { once: true });
  const callOptions: CallOptions = { timeoutMs: ms + 10_000, signal: ended.signal };
  const block = rpc
    .call('waitforblockheight', [Number(height + 1n), ms], callOptions)
    .then((answer) => !isFields(answer) || answer.hash !== hash);
  // Ends only by a hint or with the race.
  const hinted = hints.wait(ms + 10_000, ended.signal, clock).then(() => true);
  try {
    return await Promise.race([block, hinted]);
  } catch (error) {
    if (!(error instanceof RpcFailure) || error.code !== RPC_METHOD_MISSING) throw error;
    watch.canWaitForBlock = false;
    await hints.wait(ms, signal, clock);
    return false;
  } finally {
    ended.abort();
    signal.removeEventListener('abort', abort);
  }
}

async function waitForHint(watch: Watch, ms: number, signal: AbortSignal): Promise<void> {
  const { zmqUrl, clock, log, hints, mempool, mempoolPollMs = MEMPOOL_POLL_MS } = watch;
  // Only a process that watches listens. A command looks once.
  if (zmqUrl !== undefined && watch.zmqHints === undefined) {
    const onHint = () => hints.wake();
    watch.zmqHints = listenForHints({ url: zmqUrl, clock, log, onHint });
  }
  // Waiting means that the result of the last step was recorded (watch-network.ts).
  mempool.acknowledge();
  if (mempool.hasBacklog()) return;
  for (let left = Math.ceil(ms); left > 0 && !signal.aborted; left -= mempoolPollMs) {
    const slice = Math.min(left, mempoolPollMs);
    try {
      if (await waitForBlock(watch, slice, signal)) return;
      if (watch.lastTip !== undefined && (await mempool.hasChanged())) return;
    } catch {
      // A missing hint is no failure: the next step reports what is wrong.
      await hints.wait(left, signal, clock);
      return;
    }
  }
}

async function checkIdentity(watch: Watch): Promise<void> {
  await readState(watch);
  const answer = await watch.rpc.call('getnetworkinfo');
  const info = requireFields(answer, 'the description of the node');
  watch.nodeVersion = String(info.subversion ?? info.version);
  watch.nodeVersionNumber = typeof info.version === 'number' ? info.version : undefined;
  await lookAtZmq(watch);
}
