// A Bitcoin regtest chain for Electrum wallets: the Electrum protocol 1.4 over TCP, blocks when a
// test asks for them, coins out of nothing. Transactions are taken as they come: no script and no
// amount is verified, and headers carry no proof of work, which Electrum does not ask of test chains.
// Source: electrumx protocol documentation 1.4; BIP-144 for transactions.

import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import { bech32, bech32m } from '@scure/base';
import { systemClock } from '#base/clock.ts';

export type ElectrumChain = {
  readonly port: number;
  height(): number;
  /** A transaction that pays so many satoshi to the address; mine it. Gives its id. */
  fund(address: string, satoshis: bigint): string;
  mine(count: number): void;
  /** Transactions that wait for a block. */
  waiting(): number;
  close(): Promise<void>;
};

type ChainTransaction = {
  readonly id: string;
  readonly raw: string;
  readonly outputs: readonly { readonly scripthash: string; readonly satoshis: bigint }[];
  readonly spends: readonly string[];
  height: number;
};
type Block = { readonly header: string; readonly hash: string; readonly ids: readonly string[] };
type Client = { readonly socket: Socket; readonly watched: Set<string>; headers: boolean };

const GENESIS =
  '0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e' +
  '67768f617fc81bc3888a51323a9fb8aa4b1e5e4adae5494dffff7f2002000000';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const hash256 = (bytes: Uint8Array) => sha256(sha256(bytes));
const reversed = (bytes: Uint8Array) => Buffer.from(bytes).reverse().toString('hex');
const inner = (id: string) => Buffer.from(id, 'hex').reverse();

export async function openElectrumChain(): Promise<ElectrumChain> {
  const transactions = new Map<string, ChainTransaction>();
  const spentBy = new Map<string, string>();
  const blocks: Block[] = [{ header: GENESIS, hash: hashOf(GENESIS), ids: [] }];
  const clients = new Set<Client>();

  function add(raw: string): ChainTransaction {
    const { id, outputs, spends } = readTransaction(Buffer.from(raw, 'hex'));
    const known = transactions.get(id);
    if (known !== undefined) return known;
    for (const outpoint of spends) {
      if (spentBy.has(outpoint)) throw new Error('txn-mempool-conflict');
    }
    for (const outpoint of spends) spentBy.set(outpoint, id);
    const transaction = { id, raw, outputs, spends, height: 0 };
    transactions.set(id, transaction);
    tellChanged(transaction);
    return transaction;
  }

  function scripthashesOf({ outputs, spends }: ChainTransaction): Set<string> {
    const spent = spends.flatMap((outpoint) => {
      const [id = '', position] = outpoint.split(':');
      return transactions.get(id)?.outputs[Number(position)]?.scripthash ?? [];
    });
    return new Set([...outputs.map(({ scripthash }) => scripthash), ...spent]);
  }

  function historyOf(scripthash: string) {
    return [...transactions.values()]
      .filter((transaction) => scripthashesOf(transaction).has(scripthash))
      .sort((one, other) => (one.height || 1e9) - (other.height || 1e9))
      .map(({ id, height }) => ({ tx_hash: id, height, ...(height === 0 ? { fee: 200 } : {}) }));
  }

  function statusOf(scripthash: string): string | null {
    const history = historyOf(scripthash);
    if (history.length === 0) return null;
    const text = history.map(({ tx_hash: id, height }) => `${id}:${height}:`).join('');
    return sha256(Buffer.from(text)).toString('hex');
  }

  function unspentOf(scripthash: string) {
    return [...transactions.values()].flatMap(({ id, outputs, height }) =>
      outputs.flatMap((output, tx_pos) =>
        output.scripthash === scripthash && !spentBy.has(`${id}:${tx_pos}`)
          ? [{ tx_hash: id, tx_pos, height, value: Number(output.satoshis) }]
          : [],
      ),
    );
  }

  function notify(client: Client, method: string, params: readonly unknown[]): void {
    client.socket.write(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`);
  }

  function tellChanged(transaction: ChainTransaction): void {
    for (const scripthash of scripthashesOf(transaction)) {
      for (const client of clients) {
        if (!client.watched.has(scripthash)) continue;
        notify(client, 'blockchain.scripthash.subscribe', [scripthash, statusOf(scripthash)]);
      }
    }
  }

  function mineOne(): void {
    const waiting = [...transactions.values()].filter(({ height }) => height === 0);
    const height = blocks.length;
    // As a coinbase would, so that no two blocks are the same.
    const coinbase = rawTransaction(`${String(height).padStart(8, '0')}`, '51', 5_000_000_000n);
    const { id, outputs, spends } = readTransaction(Buffer.from(coinbase, 'hex'));
    transactions.set(id, { id, raw: coinbase, outputs, spends, height });
    const ids = [id, ...waiting.map((one) => one.id)];
    const bytes = Buffer.alloc(80);
    bytes.writeUInt32LE(1, 0);
    inner(blocks.at(-1)?.hash ?? '').copy(bytes, 4);
    merkleBranch(ids, 0).root.copy(bytes, 36);
    // A wallet takes no payment on top of an old block.
    bytes.writeUInt32LE(Math.floor(systemClock.now().epochMilliseconds / 1000), 68);
    bytes.writeUInt32LE(0x207fffff, 72);
    const header = bytes.toString('hex');
    blocks.push({ header, hash: hashOf(header), ids });
    for (const one of waiting) one.height = height;
    for (const client of clients) {
      if (client.headers) notify(client, 'blockchain.headers.subscribe', [{ height, hex: header }]);
    }
    for (const one of waiting) tellChanged(one);
  }

  const tip = () => ({ height: blocks.length - 1, hex: blocks.at(-1)?.header });

  function answer(client: Client, method: string, params: readonly unknown[]): unknown {
    const [first, second] = params;
    switch (method) {
      case 'server.version':
        return ['quittance test chain', '1.4'];
      case 'blockchain.headers.subscribe':
        client.headers = true;
        return tip();
      case 'blockchain.block.header':
        return blocks[Number(first)]?.header;
      case 'blockchain.block.headers': {
        const chosen = blocks.slice(Number(first), Number(first) + Math.min(2016, Number(second)));
        const hex = chosen.map(({ header }) => header).join('');
        return { count: chosen.length, hex, max: 2016 };
      }
      case 'blockchain.scripthash.subscribe':
        client.watched.add(String(first));
        return statusOf(String(first));
      case 'blockchain.scripthash.get_history':
        return historyOf(String(first));
      case 'blockchain.scripthash.listunspent':
        return unspentOf(String(first));
      case 'blockchain.transaction.get':
        return find(String(first)).raw;
      case 'blockchain.transaction.broadcast':
        return add(String(first)).id;
      case 'blockchain.transaction.get_merkle': {
        const { height } = find(String(first));
        const ids = blocks[height]?.ids ?? [];
        const pos = ids.indexOf(String(first));
        return { block_height: height, pos, merkle: merkleBranch(ids, pos).branch };
      }
      case 'blockchain.transaction.id_from_pos':
        return blocks[Number(first)]?.ids[Number(second)];
      case 'blockchain.estimatefee':
        return 0.00005;
      case 'blockchain.relayfee':
        return 0.00001;
      case 'mempool.get_fee_histogram':
      case 'server.peers.subscribe':
        return [];
      case 'server.banner':
      case 'server.donation_address':
        return '';
      case 'server.ping':
        return null;
      default:
        throw new Error(`unknown method ${method}`);
    }
  }

  function find(id: string): ChainTransaction {
    const transaction = transactions.get(id);
    if (transaction === undefined) throw new Error('No such mempool or blockchain transaction');
    return transaction;
  }

  function handle(client: Client, line: string): void {
    let id: unknown;
    try {
      const call = JSON.parse(line);
      id = call.id;
      const { method, params = [] } = call;
      const result = answer(client, String(method), params);
      client.socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: result ?? null })}\n`);
    } catch (error) {
      const failure = { code: 1, message: error instanceof Error ? error.message : String(error) };
      client.socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: failure })}\n`);
    }
  }

  const server = createServer((socket) => {
    const client: Client = { socket, watched: new Set(), headers: false };
    clients.add(client);
    let rest = '';
    socket.on('data', (data) => {
      rest += data.toString('utf8');
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.trim() !== '') handle(client, line);
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => clients.delete(client));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');

  return {
    port: address.port,
    height: () => blocks.length - 1,
    fund: (to, satoshis) => {
      const seed = randomBytes(4).toString('hex');
      return add(rawTransaction(seed, scriptOf(to), satoshis)).id;
    },
    mine(count) {
      for (let made = 0; made < count; made += 1) mineOne();
    },
    waiting: () => [...transactions.values()].filter(({ height }) => height === 0).length,
    async close() {
      for (const { socket } of clients) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function hashOf(header: string): string {
  return reversed(hash256(Buffer.from(header, 'hex')));
}

/** Output script of a witness address (BIP-173, BIP-350), in hexadecimal. */
function scriptOf(address: string): string {
  const text = address as `${string}1${string}`;
  const { words } = bech32.decodeUnsafe(text) ?? bech32m.decode(text);
  const [version = 0, ...rest] = words;
  const program = Buffer.from(bech32.fromWords(rest));
  const opcode = version === 0 ? 0 : 0x50 + version;
  return Buffer.from([opcode, program.length, ...program]).toString('hex');
}

/** One input that spends nothing known, with `seed` in it, and one output. */
function rawTransaction(seed: string, script: string, satoshis: bigint): string {
  const value = Buffer.alloc(8);
  value.writeBigUInt64LE(satoshis);
  const length = (hex: string) => (hex.length / 2).toString(16).padStart(2, '0');
  const input = `${'00'.repeat(28)}${seed}ffffffff${length(seed)}${seed}ffffffff`;
  const output = `${value.toString('hex')}${length(script)}${script}`;
  return `0200000001${input}01${output}00000000`;
}

function readTransaction(raw: Buffer) {
  let at = 4;
  const take = (length: number) => {
    if (at + length > raw.length) throw new Error('TX decode failed');
    at += length;
    return raw.subarray(at - length, at);
  };
  const takeNumber = (): number => {
    const [first = 0] = take(1);
    if (first < 0xfd) return first;
    return first === 0xfd ? take(2).readUInt16LE() : take(4).readUInt32LE();
  };
  const hasWitness = raw[4] === 0 && raw[5] === 1;
  if (hasWitness) at += 2;
  const bodyAt = at;
  const spends = Array.from({ length: takeNumber() }, () => {
    const id = reversed(take(32));
    const position = take(4).readUInt32LE();
    take(takeNumber());
    take(4);
    return `${id}:${position}`;
  });
  const outputs = Array.from({ length: takeNumber() }, () => {
    const satoshis = take(8).readBigUInt64LE();
    return { satoshis, scripthash: reversed(sha256(take(takeNumber()))) };
  });
  const body = raw.subarray(bodyAt, at);
  const plain = Buffer.concat([raw.subarray(0, 4), body, raw.subarray(raw.length - 4)]);
  return { id: reversed(hash256(hasWitness ? plain : raw)), spends, outputs };
}

function merkleBranch(ids: readonly string[], position: number) {
  const branch: string[] = [];
  let level = ids.map(inner);
  for (let at = position; level.length > 1; at >>= 1) {
    const pair = (index: number) => level[index] ?? level.at(-1) ?? Buffer.alloc(32);
    branch.push(reversed(pair(at ^ 1)));
    level = Array.from({ length: Math.ceil(level.length / 2) }, (_, index) =>
      hash256(Buffer.concat([pair(2 * index), pair(2 * index + 1)])),
    );
  }
  return { branch, root: level[0] ?? Buffer.alloc(32) };
}
