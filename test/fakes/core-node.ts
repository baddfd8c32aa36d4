// A node that answers as Bitcoin or Litecoin Core would, over real HTTP on loopback, and can be
// told to lie. Blocks it makes are consistent (Merkle root, header hash), so that a test changes
// exactly one thing.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bech32, bech32m } from '@scure/base';
import { amountFromText } from '#money/asset-amount.ts';
import { LITECOIN_REGTEST } from '#networks/utxo/utxo-chain.ts';

export type FakeJson = { [key: string]: unknown };
export type FakeOutput = {
  /** In whole coins, or in units; below zero as the node would read it (64 bits, signed). */
  value: string | bigint;
  /** Segwit; nothing or another one is data. */
  address?: string;
  /** Instead of that of the address, in hexadecimal. */
  script?: string;
};
export type FakeTransaction = {
  /** What is spent; with `script` (in hexadecimal) and `sequence` where they matter. */
  inputs?: readonly FakeJson[];
  outputs: readonly FakeOutput[];
  /** 8: a HogEx in a block, a transaction with MWEB data in the mempool; 1: with a witness. */
  flag?: number;
  /** Between the outputs and the lock time, in hexadecimal. */
  behind?: string;
  /** Both of 32 bits. */
  version?: number;
  lockTime?: number;
};
export type FakeBlock = FakeJson & { hash: string; height: number; tx: FakeJson[] };

export type Misbehaviour = {
  /** Answers this status with this body to everything. */
  readonly status?: number;
  readonly body?: string;
  /** Promises more bytes than it sends, then hangs up. */
  readonly cutOff?: boolean;
  readonly never?: boolean;
};

export type FakeCoreNode = {
  readonly url: string;
  readonly blocks: FakeBlock[];
  readonly mempool: Map<string, FakeJson>;
  /** Merged into getblockchaininfo. */
  info: FakeJson;
  mempoolInfo: FakeJson;
  genesisHash: string;
  misbehaviour: Misbehaviour;
  /** What is sent instead of an honest answer. */
  damage: ((text: string) => { status: number; text: string }) | undefined;
  /** Replaces the result of one method; undefined leaves it. */
  answer: (method: string, params: readonly unknown[]) => unknown;
  readonly asked: string[];
  /** Adds a block with a coinbase and these transactions. */
  mine(...transactions: FakeTransaction[]): FakeBlock;
  addUnconfirmed(transaction: FakeTransaction): string;
  /** Drops every kept connection, as a node does that was idle for long. */
  hangUp(): void;
  close(): Promise<void>;
};

export async function startFakeCoreNode(): Promise<FakeCoreNode> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => reply(fake, Buffer.concat(parts).toString(), response));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const fake: FakeCoreNode = {
    url: `http://user:password@127.0.0.1:${port}/`,
    blocks: [],
    mempool: new Map(),
    info: {},
    mempoolInfo: {},
    genesisHash: LITECOIN_REGTEST.genesisHash,
    misbehaviour: {},
    damage: undefined,
    answer: () => undefined,
    asked: [],
    mine(...transactions) {
      const height = fake.blocks.length + 1;
      const block = fakeBlock(height, fake.blocks.at(-1)?.hash ?? fake.genesisHash, transactions);
      for (const { txid } of block.tx) fake.mempool.delete(String(txid));
      fake.blocks.push(block);
      return block;
    },
    addUnconfirmed(transaction) {
      const json = fakeTransaction(transaction);
      fake.mempool.set(String(json.txid), json);
      return String(json.txid);
    },
    hangUp: () => server.closeAllConnections(),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return fake;
}

/** The same inputs and outputs have the same id: it is the hash of the raw transaction. */
export function fakeTransaction(transaction: FakeTransaction): FakeJson {
  const { inputs, outputs, flag, behind } = transaction;
  const version = uint32(transaction.version ?? 2);
  const lockTime = uint32(transaction.lockTime ?? 0);
  const vin = inputs ?? [{ txid: randomHash(), vout: 0 }];
  const inner = [
    compactSize(vin.length),
    ...vin.map(rawInput),
    compactSize(outputs.length),
    ...outputs.map(rawOutput),
  ].join('');
  const txid = doubleHash(Buffer.from(`${version}${inner}${lockTime}`, 'hex'))
    .reverse()
    .toString('hex');
  if (flag === undefined) return { txid, hex: `${version}${inner}${behind ?? ''}${lockTime}` };
  const marked = `00${flag.toString(16).padStart(2, '0')}`;
  return { txid, hex: `${version}${marked}${inner}${behind ?? '00'}${lockTime}` };
}

function uint32(value: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes.toString('hex');
}

/** As in a transaction, in hexadecimal. */
export function compactSize(count: number): string {
  const bytes = Buffer.alloc(count < 0xfd ? 1 : 3);
  if (count < 0xfd) bytes.writeUInt8(count);
  else bytes.writeUInt16LE(count, bytes.writeUInt8(0xfd));
  return bytes.toString('hex');
}

function rawInput({ txid, vout, coinbase, script, sequence }: FakeJson): string {
  const index = coinbase === undefined ? Number(vout) : 0xffffffff;
  const spent = coinbase === undefined ? reversed(String(txid)) : Buffer.alloc(32);
  // What makes two coinbases differ.
  const own = coinbase === undefined ? String(script ?? '') : randomHash().slice(0, 16);
  return [
    `${spent.toString('hex')}${uint32(index)}`,
    `${compactSize(own.length / 2)}${own}`,
    uint32(Number(sequence ?? 1)),
  ].join('');
}

function rawOutput({ value, address, script }: FakeOutput): string {
  const amount = Buffer.alloc(8);
  const units = typeof value === 'bigint' ? value : amountFromText(value, 8);
  if (units === undefined) throw new Error(`${value} is no amount`);
  amount.writeBigUInt64LE(BigInt.asUintN(64, units));
  const program = script ?? (address === undefined ? '6a' : rawScript(address));
  return `${amount.toString('hex')}${compactSize(program.length / 2)}${program}`;
}

/** Of a segwit address. */
export function rawScript(address: string): string {
  for (const [code, version] of [
    [bech32, 0],
    [bech32m, 1],
  ] as const) {
    const decoded = code.decodeUnsafe(address);
    if (decoded === undefined || decoded.words[0] !== version) continue;
    const bytes = code.fromWords(decoded.words.slice(1));
    const opcode = version === 0 ? '00' : '51';
    return `${opcode}${bytes.length.toString(16)}${Buffer.from(bytes).toString('hex')}`;
  }
  return '6a';
}

export function fakeBlock(
  height: number,
  parentHash: string,
  transactions: readonly FakeTransaction[],
): FakeBlock {
  const coinbase = fakeTransaction({ inputs: [{ coinbase: '51' }], outputs: [{ value: '50.0' }] });
  return sealBlock({
    height,
    version: 0x20000000,
    previousblockhash: parentHash,
    time: 1_800_000_000 + height,
    nonce: height,
    bits: '207fffff',
    tx: [coinbase, ...transactions.map(fakeTransaction)],
  });
}

/** Gives the block the Merkle root and the hash that belong to what it holds. */
export function sealBlock(block: FakeJson & { tx: FakeJson[]; height: number }): FakeBlock {
  let level = block.tx.map(({ txid }) => reversed(String(txid)));
  while (level.length > 1) {
    level = Array.from({ length: Math.ceil(level.length / 2) }, (_, pair) => {
      const left = level[pair * 2] as Buffer;
      return doubleHash(Buffer.concat([left, level[pair * 2 + 1] ?? left]));
    });
  }
  const merkleroot = Buffer.from(level[0] as Buffer)
    .reverse()
    .toString('hex');
  const sealed = { ...block, merkleroot };
  return { ...sealed, hash: doubleHash(headerOf(sealed)).reverse().toString('hex') };
}

function headerOf(block: FakeJson): Buffer {
  const header = Buffer.alloc(80);
  header.writeInt32LE(Number(block.version), 0);
  reversed(String(block.previousblockhash)).copy(header, 4);
  reversed(String(block.merkleroot)).copy(header, 36);
  header.writeUInt32LE(Number(block.time), 68);
  header.writeUInt32LE(Number.parseInt(String(block.bits), 16), 72);
  header.writeUInt32LE(Number(block.nonce), 76);
  return header;
}

/** As `getblock` gives it with verbosity 0. */
export function rawBlock(block: FakeJson & { tx: FakeJson[] }): string {
  const transactions = block.tx.map(({ hex }) => hex).join('');
  return `${headerOf(block).toString('hex')}${compactSize(block.tx.length)}${transactions}`;
}

function reply(fake: FakeCoreNode, body: string, response: ServerResponse): void {
  const { never, status, body: wrong, cutOff } = fake.misbehaviour;
  if (never) return;
  const json: unknown = JSON.parse(body);
  const list = Array.isArray(json) ? json : [json];
  const answers = list.map((question) => answerOne(fake, question));
  const honest = JSON.stringify(Array.isArray(json) ? answers : answers[0]);
  const failed = !Array.isArray(json) && answers[0]?.error !== null;
  const damaged = fake.damage?.(honest);
  const text = wrong ?? damaged?.text ?? honest;
  response.writeHead(status ?? damaged?.status ?? (failed ? 500 : 200), {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text) + (cutOff ? 100 : 0),
  });
  if (cutOff) response.write(text, () => response.destroy());
  else response.end(text);
}

type Question = { id: unknown; method: string; params: readonly unknown[] };
class Refused extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

function answerOne(fake: FakeCoreNode, { id, method, params }: Question): FakeJson {
  fake.asked.push(method);
  try {
    const result = fake.answer(method, params) ?? usual(fake, method, params);
    return { result, error: null, id };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { result: null, error: { code: error.code, message: error.message }, id };
  }
}

export function refused(code: number, message: string): Error {
  return new Refused(code, message);
}

function usual(fake: FakeCoreNode, method: string, params: readonly unknown[]): unknown {
  const { blocks, mempool } = fake;
  const best = blocks.at(-1)?.hash ?? fake.genesisHash;
  const [first] = params;
  switch (method) {
    case 'getblockhash':
      if (first === 0) return fake.genesisHash;
      return found(blocks[Number(first) - 1]?.hash, -8, 'Block height out of range');
    case 'getblock':
      return rawBlock(
        found(
          blocks.find(({ hash }) => hash === first),
          -5,
          'Block not found',
        ),
      );
    case 'getbestblockhash':
      return best;
    case 'getblockchaininfo':
      return {
        chain: 'regtest',
        blocks: blocks.length,
        headers: blocks.length,
        bestblockhash: best,
        initialblockdownload: false,
        pruned: false,
        ...fake.info,
      };
    case 'getnetworkinfo':
      return { version: 210201, subversion: '/Fake:0.21/' };
    case 'getmempoolinfo':
      return { loaded: true, size: mempool.size, bytes: 0, usage: 0, ...fake.mempoolInfo };
    case 'getrawmempool':
      return [...mempool.keys()];
    case 'getrawtransaction':
      return found(mempool.get(String(first))?.hex, -5, 'No such mempool transaction');
    default:
      throw new Refused(-32601, 'Method not found');
  }
}

function found<Value>(value: Value | undefined, code: number, message: string): Value {
  if (value === undefined) throw new Refused(code, message);
  return value;
}

function randomHash(): string {
  return randomBytes(32).toString('hex');
}

function reversed(hash: string): Buffer {
  return Buffer.from(hash, 'hex').reverse();
}

function doubleHash(bytes: Buffer): Buffer {
  const once = createHash('sha256').update(bytes).digest();
  return createHash('sha256').update(once).digest();
}
