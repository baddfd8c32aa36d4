// Esplora servers in the place of a node: answers the questions that utxo-network.ts asks of one.
// Guarantees: the tip is the highest block on which two servers agree, and a block is at a height
// only when both say so; while they disagree the tip does not rise, so that nothing becomes final,
// and beyond a few blocks everything fails as an Outage. What a block holds needs no second
// opinion: its hash commits to it (read-block.ts). Whole blocks are read instead of addresses asked
// for, so that no server learns what we look for, none can leave a payment out, and matching costs
// what a block holds, not what we watch.
// Not guaranteed: that two servers are not run by one liar. One server alone is as good as its
// word: then utxo-network.ts lets only small payments become final.

import type { BlockReference } from '#deposit/network.ts';
import { amountToText } from '#money/asset-amount.ts';
import { type ExactJson, ExactNumber, isJsonObject, parseExactJson } from '#money/exact-json.ts';
import { NodeLie, RpcFailure, requireHash } from '#networks/answer-fields.ts';
import type { RpcAnswer } from '#networks/json-rpc.ts';
import { nodeOutage } from '#networks/node-outage.ts';
import { type AgreeingServers, agreed, Disagreement } from './agreed-answer.ts';
import type { EsploraClient } from './esplora-client.ts';
import { readWaitingEntry, sendToServers } from './esplora-mempool.ts';
import { type CoreRpc, RPC_METHOD_MISSING, RPC_NOT_FOUND, RPC_OUT_OF_RANGE } from './json-rpc.ts';
import type { UtxoChain } from './utxo-chain.ts';

/** Servers that follow the same chain differ by a block or two for a minute. */
const MOST_BLOCKS_APART = 3n;
const SOURCES_THAT_AGREE = 2;
/** A block has at most 4 MB; Litecoin's MWEB part comes on top. */
const MOST_BLOCK_BYTES = 16 * 1024 * 1024;

type EsploraOptions = {
  readonly what: string;
  readonly clients: readonly EsploraClient[];
  readonly chain: Pick<UtxoChain, 'nodeChain' | 'genesisHash' | 'decimals'>;
};

type Sources = EsploraOptions &
  AgreeingServers & {
    isGenesisKnown: boolean;
    /** Which server is asked first for the next block or transaction. */
    firstForBytes: number;
    lastBytes: number;
  };

export function esploraSources(options: EsploraOptions): CoreRpc {
  const sources: Sources = {
    ...options,
    needed: Math.min(SOURCES_THAT_AGREE, options.clients.length),
    isGenesisKnown: false,
    firstForBytes: 0,
    lastBytes: 0,
  };
  return {
    call: (method, params = []) => call(sources, method, params),
    async batch(calls) {
      const answers: RpcAnswer[] = [];
      for (const { method, params } of calls) {
        try {
          answers.push({ ok: true, result: await call(sources, method, params) });
        } catch (error) {
          if (!(error instanceof RpcFailure)) throw error;
          answers.push({ ok: false, failure: error });
        }
      }
      return answers;
    },
    lastAnswerBytes: () => sources.lastBytes,
    close() {
      for (const client of options.clients) client.close();
    },
  };
}

async function call(
  sources: Sources,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  switch (method) {
    case 'getblockhash':
      return params[0] === 0 ? genesis(sources) : hashAt(sources, BigInt(String(params[0])));
    case 'getblockchaininfo': {
      const tip = await findTip(sources);
      const blocks = Number(tip.height);
      const { nodeChain } = sources.chain;
      return {
        chain: nodeChain,
        blocks,
        headers: blocks,
        bestblockhash: tip.hash,
        initialblockdownload: false,
      };
    }
    case 'getblock':
      return rawBlock(sources, requireHash(params[0], 'a block hash'));
    case 'getnetworkinfo':
      return { subversion: sources.clients.map(({ host }) => host).join(', ') };
    case 'estimatesmartfee':
      return { feerate: await feeRate(sources, Number(params[0])) };
    case 'getrawtransaction':
      return rawTransaction(sources, requireHash(params[0], 'a transaction id'));
    case 'getmempoolentry':
      return readWaitingEntry(sources, requireHash(params[0], 'a transaction id'));
    case 'sendrawtransaction':
      return sendToServers(sources, String(params[0]));
    default:
      throw new RpcFailure(method, RPC_METHOD_MISSING, 'not asked of Esplora');
  }
}

async function hashAt(sources: Sources, height: bigint): Promise<string> {
  const hash = await agreed(sources, `block ${height}`, (client) => readHash(client, height));
  if (hash === 'none') throw new RpcFailure('getblockhash', RPC_OUT_OF_RANGE, 'no such block');
  return hash;
}

/** The highest common block, looked for from the second highest tip downwards. */
async function findTip(sources: Sources): Promise<BlockReference> {
  const heights = await Promise.allSettled(sources.clients.map(readTipHeight));
  const known = heights.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  known.sort((a, b) => (a < b ? 1 : -1));
  const highest = known[sources.needed - 1];
  if (highest === undefined) throw heights.find((one) => one.status === 'rejected')?.reason;
  const lowest = highest > MOST_BLOCKS_APART ? highest - MOST_BLOCKS_APART : 0n;
  for (let height = highest; ; height -= 1n) {
    try {
      return { height, hash: await hashAt(sources, height) };
    } catch (error) {
      if (!(error instanceof Disagreement) || height === lowest) throw error;
    }
  }
}

async function genesis(sources: Sources): Promise<string> {
  const { genesisHash } = sources.chain;
  if (sources.isGenesisKnown) return genesisHash;
  const hash = await hashAt(sources, 0n);
  sources.isGenesisKnown = hash === genesisHash;
  return hash;
}

/** Any server may give the block, because its reader compares it with its hash. */
async function rawBlock(sources: Sources, hash: string): Promise<string> {
  const bytes = await fromAny(sources, `/block/${hash}/raw`, MOST_BLOCK_BYTES);
  if (bytes === undefined) throw nodeOutage(sources.what, `no server has block ${hash}`);
  sources.lastBytes = bytes.length;
  return bytes.toString('hex');
}

/** Its reader compares it with its id. */
async function rawTransaction(sources: Sources, transaction: string): Promise<string> {
  const bytes = await fromAny(sources, `/tx/${transaction}/hex`);
  if (bytes !== undefined) return bytes.toString().trim();
  throw new RpcFailure('getrawtransaction', RPC_NOT_FOUND, 'no server has it');
}

/** What proves itself, of the first server that gives it; undefined where all say it is none. */
async function fromAny(
  sources: Sources,
  path: string,
  mostBytes?: number,
): Promise<Buffer | undefined> {
  const { clients } = sources;
  // A server that gives what is damaged is not asked first the next time.
  const first = sources.firstForBytes;
  sources.firstForBytes = (first + 1) % clients.length;
  const failures: unknown[] = [];
  for (const client of [...clients.slice(first), ...clients.slice(0, first)]) {
    try {
      const bytes = await client.get(path, mostBytes);
      if (bytes !== undefined) return bytes;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return undefined;
}

/** In coins for 1,000 virtual bytes; of several servers the median, the lower one of two. */
async function feeRate({ clients, chain }: Sources, blocks: number): Promise<string | undefined> {
  const asked = await Promise.allSettled(clients.map((client) => readFeeRate(client, blocks)));
  const given = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  if (given.length === 0) throw asked.find((one) => one.status === 'rejected')?.reason;
  const known = given
    .filter((rate) => rate !== undefined)
    .sort((one, other) => (one < other ? -1 : 1));
  const rate = known[(known.length - 1) >> 1];
  return rate === undefined ? undefined : amountToText(rate, chain.decimals);
}

async function readHash(client: EsploraClient, height: bigint): Promise<string> {
  const bytes = await client.get(`/block-height/${height}`, 1000);
  return bytes === undefined ? 'none' : requireHash(bytes.toString().trim(), 'a block hash');
}

async function readTipHeight(client: EsploraClient): Promise<bigint> {
  const text = (await client.get('/blocks/tip/height', 1000))?.toString().trim() ?? '';
  if (!/^\d{1,9}$/.test(text)) throw new NodeLie(`${client.host} has no height`);
  return BigInt(text);
}

/** `/fee-estimates`: units for a virtual byte by blocks. In units for 1,000, rounded up. */
async function readFeeRate(client: EsploraClient, blocks: number): Promise<bigint | undefined> {
  const text = (await client.get('/fee-estimates'))?.toString() ?? '';
  const read = parseExactJson(text);
  if (!read.ok || !isJsonObject(read.value)) throw new NodeLie(`${client.host} has no fee rates`);
  const rate = read.value[String(blocks)];
  if (rate === undefined) return undefined;
  const [, whole, digits = ''] = /^(\d{1,12})(?:\.(\d{1,30}))?$/.exec(numberText(rate)) ?? [];
  if (whole === undefined) throw new NodeLie(`${client.host} has a fee rate that is none`);
  const thousandths = BigInt(`${whole}${digits.padEnd(3, '0').slice(0, 3)}`);
  return /[1-9]/.test(digits.slice(3)) ? thousandths + 1n : thousandths;
}

function numberText(value: ExactJson): string {
  return value instanceof ExactNumber ? value.text : '';
}
