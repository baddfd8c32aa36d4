// An Ethereum node in this process, which can be told to lie. What it says by itself is consistent
// (hashes, positions, balances of every block), so that a test changes exactly one thing. Speaks
// through the same JSON text as a real one.
import { createHash } from 'node:crypto';
import type { PostText } from '#networks/evm/json-rpc.ts';
import { EMPTY_ROOT, TRANSFER_TOPIC } from '#networks/evm/read-block.ts';

export type FakeJson = { [key: string]: unknown };

export type FakeLog = {
  address: string;
  topics: string[];
  data: string;
  removed?: boolean;
};

export type FakeTransaction = {
  from?: string;
  /** null creates a contract. */
  to?: string | null;
  value?: bigint;
  /** 1 is success. */
  status?: number;
  logs?: FakeLog[];
  /** What the chain itself writes down, whatever came of it. */
  systemLogs?: FakeLog[];
  /** Balances that change: of the coin, or of the token with that contract. */
  changes?: { address: string; contract?: string; units: bigint }[];
  fee?: bigint;
  hash?: string;
  /** Laid over what the node says of the transaction and of its receipt. */
  json?: FakeJson;
  receipt?: FakeJson;
};

export type FakeBlock = {
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly seconds: number;
  readonly transactions: FakeJson[];
  readonly receipts: FakeJson[];
  /** `address` or `contract/address`, in lower case. */
  readonly balances: ReadonlyMap<string, bigint>;
};

export type FakeToken = { decimals?: string; code?: string };

export type FakeEvmNode = {
  readonly post: PostText;
  readonly blocks: FakeBlock[];
  readonly tokens: Map<string, FakeToken>;
  chainId: bigint;
  /** Blocks by which `finalized` is behind. */
  finalLag: number;
  version: string;
  /** Last word on what is answered. */
  answer: (method: string, params: readonly unknown[], result: unknown) => unknown;
  /** Changes the text of an answer as it leaves. */
  send: (text: string) => { status: number; text: string };
  readonly asked: string[];
  mine(...transactions: FakeTransaction[]): FakeBlock;
  mineEmpty(count: number): void;
  /** Away with the last blocks; what is mined next is another branch. */
  reorg(depth: number): void;
  /** An honest payment in the coin or in a token. */
  pay(to: string, units: bigint, contract?: string): FakeTransaction;
};

export const PAYER = '0x00000000000000000000000000000000000000a1';

/** An error as a node answers it, thrown out of `answer`. */
export class FakeRefusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export function createFakeEvmNode(options: { chainId?: bigint; name?: string } = {}): FakeEvmNode {
  const { name = 'chain' } = options;
  let branch = 0;
  let count = 0;
  const fake: FakeEvmNode = {
    async post(body) {
      const question: unknown = JSON.parse(body);
      const list = (Array.isArray(question) ? question : [question]) as Question[];
      const answers = list.map((one) => answerOne(fake, one));
      return fake.send(JSON.stringify(Array.isArray(question) ? answers : answers[0]));
    },
    blocks: [genesis(name)],
    tokens: new Map(),
    chainId: options.chainId ?? 31_337n,
    finalLag: 2,
    version: 'fake/1.0',
    answer: (_method, _params, result) => result,
    send: (text) => ({ status: 200, text }),
    asked: [],
    mine(...transactions) {
      const block = blockOn(fake, transactions, `${name}/${branch}`, () => {
        count += 1;
        return hashOf(`${name}/transaction/${count}`);
      });
      fake.blocks.push(block);
      return block;
    },
    mineEmpty(number) {
      for (let made = 0; made < number; made += 1) fake.mine();
    },
    reorg(depth) {
      branch += 1;
      fake.blocks.splice(-depth, depth);
    },
    pay: (to, units, contract) => {
      if (contract === undefined) return { to, value: units };
      const changes = [{ address: to, contract, units }];
      return { to: contract, logs: [transferLog(contract, PAYER, to, units)], changes };
    },
  };
  return fake;
}

export function transferLog(contract: string, from: string, to: string, units: bigint): FakeLog {
  return {
    address: contract.toLowerCase(),
    topics: [TRANSFER_TOPIC, topicOf(from), topicOf(to)],
    data: `0x${units.toString(16).padStart(64, '0')}`,
  };
}

export function topicOf(address: string): string {
  return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
}

export function hashOf(text: string): string {
  return `0x${createHash('sha256').update(text).digest('hex')}`;
}

function genesis(name: string): FakeBlock {
  return {
    height: 0,
    hash: hashOf(`${name}/genesis`),
    parentHash: `0x${'0'.repeat(64)}`,
    seconds: 1_767_268_800,
    transactions: [],
    receipts: [],
    balances: new Map(),
  };
}

function blockOn(
  fake: FakeEvmNode,
  made: readonly FakeTransaction[],
  branch: string,
  nextHash: () => string,
): FakeBlock {
  const parent = fake.blocks.at(-1)!;
  const height = parent.height + 1;
  const hash = hashOf(`${branch}/${height}/${parent.hash}`);
  const balances = new Map(parent.balances);
  const add = (address: string, units: bigint, contract?: string) => {
    const key = (contract === undefined ? address : `${contract}/${address}`).toLowerCase();
    const after = (balances.get(key) ?? 0n) + units;
    balances.set(key, after < 0n ? 0n : after);
  };
  const where = { blockHash: hash, blockNumber: hex(height) };
  let logIndex = 0;
  const receipts: FakeJson[] = [];
  const transactions = made.map((one, index): FakeJson => {
    const { from = PAYER, to = null, value = 0n, status = 1, fee = 0n, changes = [] } = one;
    const transaction = one.hash ?? nextHash();
    if (status === 1) {
      if (value > 0n && to !== null) {
        add(to, value);
        add(from, -value);
      }
      for (const { address, units, contract } of changes) add(address, units, contract);
    }
    add(from, -fee);
    receipts.push({
      transactionHash: transaction,
      transactionIndex: hex(index),
      ...where,
      from,
      to,
      status: hex(status),
      gasUsed: hex(fee > 0n ? 1n : 0n),
      effectiveGasPrice: hex(fee),
      logs: [...(status === 1 ? (one.logs ?? []) : []), ...(one.systemLogs ?? [])].map((log) => ({
        ...log,
        removed: log.removed ?? false,
        ...where,
        transactionHash: transaction,
        logIndex: hex(logIndex++),
      })),
      ...one.receipt,
    });
    return { hash: transaction, ...where, from, to, value: hex(value), ...one.json };
  });
  const seconds = parent.seconds + 12;
  return { height, hash, parentHash: parent.hash, seconds, transactions, receipts, balances };
}

type Question = { id: unknown; method: string; params: readonly unknown[] };

function answerOne(fake: FakeEvmNode, { id, method, params }: Question): FakeJson {
  fake.asked.push(method);
  try {
    const result = fake.answer(method, params, usual(fake, method, params));
    return { jsonrpc: '2.0', id, result: result ?? null };
  } catch (error) {
    if (!(error instanceof FakeRefusal)) throw error;
    return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } };
  }
}

function usual(fake: FakeEvmNode, method: string, params: readonly unknown[]): unknown {
  const [first, second] = params;
  switch (method) {
    case 'eth_chainId':
      return hex(fake.chainId);
    case 'eth_syncing':
      return false;
    case 'web3_clientVersion':
      return fake.version;
    case 'eth_blockNumber':
      return hex(fake.blocks.length - 1);
    case 'eth_getBlockByNumber':
      return shown(blockAt(fake, first), second === true);
    case 'eth_getBlockReceipts':
      return fake.blocks.find(({ hash }) => hash === first)?.receipts;
    case 'eth_getTransactionReceipt':
      return fake.blocks
        .flatMap(({ receipts }) => receipts)
        .findLast(({ transactionHash }) => transactionHash === first);
    case 'eth_getLogs':
      return logsOf(fake, first as { blockHash: string; address: string[]; topics: string[] });
    case 'eth_getBalance':
      return hex(balanceAt(fake, String(first), second));
    case 'eth_getCode':
      return fake.tokens.get(String(first).toLowerCase())?.code ?? '0x';
    case 'eth_call':
      return call(fake, first as { to: string; data: string }, second);
    default:
      throw new FakeRefusal(-32601, 'the method does not exist');
  }
}

function blockAt(fake: FakeEvmNode, tag: unknown): FakeBlock | undefined {
  if (tag === 'latest') return fake.blocks.at(-1);
  if (tag === 'finalized') return fake.blocks.at(-1 - fake.finalLag) ?? fake.blocks[0];
  return fake.blocks[Number(tag)];
}

function shown(block: FakeBlock | undefined, isWhole: boolean): unknown {
  if (block === undefined) return null;
  const { height, hash, parentHash, seconds, transactions } = block;
  return {
    number: hex(height),
    hash,
    parentHash,
    transactionsRoot: transactions.length === 0 ? EMPTY_ROOT : hashOf(`transactions of ${hash}`),
    timestamp: hex(seconds),
    transactions: isWhole ? transactions : transactions.map((one) => one.hash),
  };
}

function logsOf(
  fake: FakeEvmNode,
  { blockHash, address, topics }: { blockHash: string; address: string[]; topics: string[] },
): unknown {
  const block = fake.blocks.find(({ hash }) => hash === blockHash);
  if (block === undefined) throw new FakeRefusal(-32000, 'unknown block');
  const logs = block.receipts.flatMap((receipt) => receipt.logs as FakeJson[]);
  return logs.filter(
    (log) =>
      address.includes(String(log.address).toLowerCase()) &&
      (log.topics as string[])[0] === topics[0],
  );
}

function balanceAt(fake: FakeEvmNode, key: string, tag: unknown): bigint {
  const block = blockAt(fake, tag);
  if (block === undefined) throw new FakeRefusal(-32000, 'missing trie node');
  return block.balances.get(key.toLowerCase()) ?? 0n;
}

function call(
  fake: FakeEvmNode,
  { to, data }: { to: string; data: string },
  tag: unknown,
): unknown {
  const token = fake.tokens.get(to.toLowerCase());
  if (token === undefined) return '0x';
  if (data === '0x313ce567') {
    if (token.decimals === 'reverts') throw new FakeRefusal(3, 'execution reverted');
    return token.decimals;
  }
  const units = balanceAt(fake, `${to}/0x${data.slice(-40)}`, tag);
  return `0x${units.toString(16).padStart(64, '0')}`;
}

function hex(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}
