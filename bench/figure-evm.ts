// What full blocks of Ethereum cost, of 300 transactions and 900 logs with 20 payments to us, against
// fetching and parsing them and doing nothing with them: one of a real node (anvil), and of a server
// that has every answer ready, so that nothing but the reader is measured, an epoch of 32, for so
// many become final at once, and one alone; the same with 1,000,000 addresses against 1,000; and how
// much of catching up blocks in which nothing is ours is waiting for a real node.

import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#base/clock.ts';
import { getAsset } from '#catalog/asset.ts';
import { readPosition } from '#chain/chain-status.ts';
import { recordObservation } from '#chain/record-observation.ts';
import { type Db, sql } from '#db/db.ts';
import type { Network, Position } from '#deposit/network.ts';
import { openEvmAccount } from '#networks/evm/derive-address.ts';
import { evmChain } from '#networks/evm/evm-chain.ts';
import { evmNetwork } from '#networks/evm/evm-network.ts';
import { httpPost, openEvmRpc, type PostText } from '#networks/evm/json-rpc.ts';
import { TRANSFER_TOPIC } from '#networks/evm/read-block.ts';
import type { RpcCall } from '#networks/json-rpc.ts';
import { createFakeEvmNode, type FakeJson, type FakeTransaction } from '#test/fakes/evm-node.ts';
import { contractOf, deployTokens, TEST_ACCOUNT, USDC } from '#test/fakes/evm-world.ts';
import { type AnvilNode, startAnvil } from '#test/nodes/anvil-node.ts';
import type { Bench } from './bench.ts';
import { openBenchApp } from './bench-app.ts';
import { type BenchDatabase, log } from './bench-database.ts';
import { cannedKey, serveCannedRpc } from './canned-rpc.ts';
import { type Aim, type Figure, figureOf, median, timed } from './measure.ts';

const TRANSACTIONS = 300;
const LOGS_EACH = 3;
const OURS = 20;
const FEW = 1_000;
const MANY = 1_000_000;
const RUNS = 15;
const WARM_UPS = 5;
const STRANGERS_BLOCKS = 10_000;
const SAY_EVERY = 2_500;
const CHAIN = 'live:ETHEREUM';

export async function measureEvm(bench: Bench): Promise<Figure[]> {
  const few = await openWatched(bench, 'bench_evm_few', FEW);
  const many = await openWatched(bench, 'bench_evm_many', MANY);
  const measure = (what: string, open: () => Promise<FullBlocks>, aim: Aim | undefined) =>
    measureFull(bench, { what, open, aim, few, many });
  return [
    ...(await measure('a full block of anvil', openAnvilBlock, { atMost: 1.5 })),
    ...(await measure('32 full blocks, ready', () => openFullBlocks(32), { atMost: 1.5 })),
    ...(await measure('a full block, ready', () => openFullBlocks(1), undefined)),
    await measureCatchUp(bench),
  ];
}

type FullBlocks = {
  readonly url: string;
  readonly count: number;
  /** Before the first of them. */
  readonly position: Position;
  /** What whoever wants them has to ask, in this order. */
  readonly bodies: readonly string[];
  close(): Promise<void>;
};

type FullMeasure = {
  readonly what: string;
  readonly open: () => Promise<FullBlocks>;
  /** Of the time against fetching and parsing. */
  readonly aim: Aim | undefined;
  readonly few: BenchDatabase;
  readonly many: BenchDatabase;
};

/** One step over them. */
async function measureFull(
  bench: Bench,
  { what, open, aim, few, many }: FullMeasure,
): Promise<Figure[]> {
  bench.say(`evm: ${what}`);
  const node = await open();
  const { count } = node;
  const times: { few: number[]; many: number[]; parsed: number[] } = {
    few: [],
    many: [],
    parsed: [],
  };
  try {
    const post = httpPost(CHAIN, 'endpoint', new URL(node.url));
    const [small, large] = [networkOver(few.db, post.post), networkOver(many.db, post.post)];
    await small.checkIdentity();
    await large.checkIdentity();
    for (let run = 1 - WARM_UPS; run <= RUNS; run += 1) {
      const parsedMs = await timed(async () => {
        for (const body of node.bodies) JSON.parse((await post.post(body)).text);
      });
      const fewMs = await observedIn(few, small, node.position, count);
      const manyMs = await observedIn(many, large, node.position, count);
      if (run < 1) continue;
      times.parsed.push(parsedMs);
      times.few.push(fewMs);
      times.many.push(manyMs);
    }
    post.close();
  } finally {
    await node.close();
  }
  const unit = 'ms' as const;
  const name = `EVM (${what}, ${MANY.toLocaleString('en')} addresses)`;
  const against = `${FEW.toLocaleString('en')} addresses`;
  return [
    figureOf(
      { name, against: 'fetched and parsed', unit, aim },
      median(times.many),
      median(times.parsed),
    ),
    figureOf({ name, against, unit, aim: { atMost: 1.2 } }, median(times.many), median(times.few)),
  ];
}

function networkOver(db: Db, post: PostText): Network {
  return evmNetwork({
    chain: CHAIN,
    parameters: evmChain('ETHEREUM', 'dev'),
    rpcs: [openEvmRpc({ what: CHAIN, label: 'endpoint', post })],
    account: openEvmAccount(TEST_ACCOUNT),
    limits: { tokens: 10n ** 9n, coins: 10n ** 9n },
    siblings: [],
    db,
    clock: systemClock,
    log,
  });
}

/**
 * Until all arrivals are told, in as many steps as the blocks are too large for one; ends when the
 * balances are written down as well, which nobody waits for, and forgets them, so that each run looks
 * at the blocks for the first time.
 */
async function observedIn(
  { db }: BenchDatabase,
  network: Network,
  position: Position,
  count: number,
): Promise<number> {
  const ms = await timed(async () => {
    let at = position;
    let found = 0;
    for (;;) {
      const { blocks, complete } = await network.observe(at);
      found += blocks.flatMap(({ arrivals }) => arrivals).length;
      const last = blocks.at(-1);
      if (last !== undefined) {
        const cursor = { height: last.height, hash: last.hash };
        at = { ...at, cursor, recent: [...at.recent, cursor] };
      }
      if (!complete) continue;
      if (found !== OURS * count) throw new Error(`${found} arrivals, not ${OURS * count}`);
      return;
    }
  });
  const forget = () =>
    db.query(sql`delete from evm_balance where height > ${position.cursor?.height} returning 1`);
  while ((await forget()).length === 0) await sleep(1);
  return ms;
}

const addressOf = (number: number): string =>
  `0x${'a'.repeat(30)}${number.toString(16).padStart(10, '0')}`;

async function openWatched(bench: Bench, name: string, size: number): Promise<BenchDatabase> {
  const database = await bench.openDatabase(name);
  bench.say(`evm: making ${size.toLocaleString('en')} watched addresses`);
  await database.db.transact(async (tx) => {
    tx.send(sql`set local session_replication_role = replica`);
    await tx.query(sql`
      insert into deposit_instruction (id, chain, merchant_id, purpose, purpose_id, asset_id,
        destination, address, integrity_mac, created_at)
      select substr(md5('i' || n), 1, 12), ${CHAIN}, ${database.ours.merchantId}, 'checkout',
        substr(md5('c' || n), 1, 12), ${USDC}, made.address, made.address,
        sha256(convert_to(n::text, 'UTF8')), now()
      from generate_series(1, ${size}::int) n cross join lateral (
        select '0x' || repeat('a', 30) || lpad(to_hex(n), 10, '0') as address) made`);
  });
  await database.db.query(sql`vacuum analyze deposit_instruction`);
  return database;
}

/** Each transaction sends a token to three: most are strangers. */
async function openAnvilBlock(): Promise<FullBlocks> {
  const node = await startAnvil();
  const token = await node.deploy('Token', getAsset(USDC).decimals, contractOf(USDC));
  await node.call(token, 'mint', [node.payer, 10n ** 15n]);
  await node.rpc('evm_setBlockGasLimit', '0xffffffffff');
  await node.mine(1);
  const parent = await node.height();
  for (let number = 0; number < TRANSACTIONS; number += 1) {
    const isOurs = number % (TRANSACTIONS / OURS) === 0;
    const receivers = Array.from({ length: LOGS_EACH }, (_, at) =>
      addressOf(isOurs && at === 0 ? 1 + number : 50_000_000 + number * LOGS_EACH + at),
    );
    const units = receivers.map(() => 1_000n + BigInt(number));
    await node.call(token, 'transferMany', [receivers, units]);
  }
  // A block is final when two more lie on it.
  await node.mine(3);
  const hashOf = async (height: number): Promise<string> => {
    const block = await node.rpc('eth_getBlockByNumber', `0x${height.toString(16)}`, false);
    return (block as { hash: string }).hash;
  };
  const hash = await hashOf(parent + 1);
  const cursor = { height: BigInt(parent), hash: await hashOf(parent) };
  return {
    url: node.url,
    count: 1,
    position: { cursor, recent: [cursor], unconfirmed: [] },
    bodies: questionsFor([{ height: parent + 1, hash }], [contractOf(USDC)]).map(bodyOf),
    close: () => node.stop(),
  };
}

/** What whoever wants the last final blocks has to ask, in this order. */
function questionsFor(
  blocks: readonly { readonly height: number; readonly hash: string }[],
  tokens: readonly string[],
): RpcCall[][] {
  const tags = ['0x0', 'finalized', 'latest'];
  const filterOf = (blockHash: string) => {
    return { blockHash, address: tokens, topics: [TRANSFER_TOPIC] };
  };
  return [
    [
      { method: 'eth_chainId', params: [] },
      ...tags.map((tag) => ({ method: 'eth_getBlockByNumber', params: [tag, false] })),
    ],
    blocks.map(({ height }) => ({
      method: 'eth_getBlockByNumber',
      params: [`0x${height.toString(16)}`, true],
    })),
    blocks.map(({ hash }) => ({ method: 'eth_getLogs', params: [filterOf(hash)] })),
    blocks.map(({ hash }) => ({ method: 'eth_getBlockReceipts', params: [hash] })),
  ];
}

/** As a node shows them: signatures, input and blooms are most of it. */
async function openFullBlocks(count: number): Promise<FullBlocks> {
  const fake = createFakeEvmNode();
  deployTokens(fake);
  fake.finalLag = 0;
  fake.mine();
  const parent = fake.blocks.at(-1)!;
  const token = contractOf(USDC);
  const transactionOf = (number: number): FakeTransaction => {
    const isOurs = number % (TRANSACTIONS / OURS) === 0;
    const to = isOurs ? addressOf(1 + number) : addressOf(50_000_000 + number);
    const paid = fake.pay(to, 1_000n + BigInt(number), token);
    // Most logs of a block are of contracts that nobody here knows.
    const rest = Array.from({ length: LOGS_EACH - 1 }, (_unused, at) => {
      const stranger = addressOf(60_000_000 + number * 10 + at);
      return fake.pay(stranger, 7n, stranger).logs ?? [];
    });
    return {
      ...paid,
      logs: [...(paid.logs ?? []), ...rest.flat()],
      json: {
        input: `0x${'12'.repeat(200)}`,
        r: `0x${'34'.repeat(32)}`,
        s: `0x${'56'.repeat(32)}`,
        nonce: '0x7',
        gas: '0x5208',
        maxFeePerGas: '0x3b9aca00',
        maxPriorityFeePerGas: '0x3b9aca00',
        accessList: [],
        type: '0x2',
        chainId: '0x1',
      },
      receipt: { logsBloom: `0x${'00'.repeat(256)}`, cumulativeGasUsed: '0x5208', type: '0x2' },
    };
  };
  const blocks = Array.from({ length: count }, () =>
    fake.mine(...Array.from({ length: TRANSACTIONS }, (_, number) => transactionOf(number))),
  );
  const asked: Record<string, string> = {};
  const ask = async ({ method, params }: RpcCall) => {
    const { text } = await fake.post(JSON.stringify({ jsonrpc: '2.0', id: 0, method, params }));
    asked[cannedKey(method, params)] = JSON.stringify((JSON.parse(text) as FakeJson).result);
  };
  const questions = questionsFor(blocks, [...fake.tokens.keys()]);
  for (const call of questions.flat()) await ask(call);
  for (const contract of fake.tokens.keys()) {
    await ask({ method: 'eth_getCode', params: [contract, 'latest'] });
    const decimals = { to: contract, data: '0x313ce567' };
    await ask({ method: 'eth_call', params: [decimals, 'latest'] });
  }
  for (const { height } of [parent, ...blocks]) {
    for (let at = 0; at < TRANSACTIONS; at += TRANSACTIONS / OURS) {
      const data = `0x70a08231${addressOf(1 + at)
        .slice(2)
        .padStart(64, '0')}`;
      const params = [{ to: token, data }, `0x${height.toString(16)}`];
      await ask({ method: 'eth_call', params });
    }
  }
  const fallback = { web3_clientVersion: '"bench"', eth_getBalance: '"0x0"' };
  const served = await serveCannedRpc(asked, fallback);
  const cursor = { height: BigInt(parent.height), hash: parent.hash };
  return {
    ...served,
    count,
    position: { cursor, recent: [cursor], unconfirmed: [] },
    bodies: questions.map(bodyOf),
  };
}

function bodyOf(calls: readonly RpcCall[]): string {
  const questions = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }));
  return JSON.stringify(questions.length === 1 ? questions[0] : questions);
}

/** Share of the time in which an answer of the node is awaited. */
async function measureCatchUp(bench: Bench): Promise<Figure> {
  const database = await bench.openDatabase('bench_evm_strangers');
  const app = await openBenchApp(database, bench.keyring);
  const node = await startAnvil({ keepsStates: false });
  try {
    let waitedMs = 0;
    const { post, close } = httpPost(CHAIN, 'endpoint', new URL(node.url));
    const network = networkOver(database.db, async (body) => {
      const startMs = performance.now();
      try {
        return await post(body);
      } finally {
        waitedMs += performance.now() - startMs;
      }
    });
    await node.deploy('Token', getAsset(USDC).decimals, contractOf(USDC));
    await network.checkIdentity();
    const step = async () => {
      const position = await readPosition(database.db, CHAIN);
      const observation = await network.observe(position);
      await recordObservation(app, CHAIN, observation, position);
      return observation.complete;
    };
    await step();
    await mineStrangers(bench, node);
    waitedMs = 0;
    const startMs = performance.now();
    while (!(await step()));
    const allMs = performance.now() - startMs;
    close();
    const blocks = `${STRANGERS_BLOCKS.toLocaleString('en')} blocks of strangers`;
    bench.say(`evm: ${blocks} in ${allMs.toFixed(0)} ms`);
    const name = `EVM (waiting for the node, ${blocks})`;
    const named = { name, against: 'all the time', unit: 'ms' as const, aim: { atLeast: 0.7 } };
    return figureOf(named, waitedMs, allMs);
  } finally {
    await node.stop();
  }
}

/** None is ours, and none is empty: coins in every other one, a token that we watch in the others. */
async function mineStrangers(bench: Bench, node: AnvilNode): Promise<void> {
  const token = contractOf(USDC);
  await node.call(token, 'mint', [node.payer, 10n ** 15n]);
  await node.rpc('evm_setAutomine', true);
  for (let mined = 0; mined < STRANGERS_BLOCKS; mined += 1) {
    if (mined % SAY_EVERY === 0) bench.say(`evm: ${mined} of ${STRANGERS_BLOCKS} blocks are made`);
    const stranger = addressOf(60_000_000 + mined);
    if (mined % 2 === 0) await node.send({ to: stranger, value: 1n });
    else await node.call(token, 'transfer', [stranger, 1n]);
  }
}
