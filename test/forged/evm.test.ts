// Deposits that are none, as an Ethereum node or a token could show them: nothing is credited. Each
// world also sees honest payments, which are credited, so that these tests can fail.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readPosition } from '#chain/chain-status.ts';
import { sql } from '#db/db.ts';
import {
  createFakeEvmNode,
  type FakeEvmNode,
  type FakeJson,
  FakeRefusal,
  type FakeTransaction,
  hashOf,
  PAYER,
  topicOf,
  transferLog,
} from '#test/fakes/evm-node.ts';
import { contractOf, DAI, deployTokens, ETH, openFakeEvm, USDC } from '#test/fakes/evm-world.ts';
import { type ForgedWorld, openForgedWorld } from './forged-world.ts';

const STRANGER = '0x00000000000000000000000000000000000000ee';
const token = contractOf(USDC);
const units = 5_000_000n;
const ether = 10n ** 17n;

let node: FakeEvmNode;
let world: ForgedWorld;

before(async () => {
  node = createFakeEvmNode();
  deployTokens(node);
  node.mineEmpty(3);
  const posts = [(body: string) => node.post(body)];
  world = await openForgedWorld({ networks: (parts) => [openFakeEvm({ posts }, parts)] });
  assert.deepEqual(await world.observe(), []);
});
after(() => world?.close());

type Asked = { readonly address: string; readonly assetId: string; readonly units: bigint };

type Fixture = {
  readonly name: string;
  /** The incident or the rule it comes from. */
  readonly source: string;
  readonly assetId?: string;
  readonly transactions?: (asked: Asked) => FakeTransaction[];
  /** What the node says instead; undone afterwards. */
  readonly lie?: (asked: Asked) => void;
  /** An answer that contradicts itself fails the step instead of being read. */
  readonly fails?: boolean;
};

/** A transfer event of the pinned token, with one thing wrong. */
function event(asked: Asked, change: FakeJson, moved = 0n): FakeTransaction {
  const log = { ...transferLog(token, PAYER, asked.address, asked.units), ...change };
  const changes = moved === 0n ? [] : [{ address: asked.address, contract: token, units: moved }];
  return { to: token, logs: [log], changes };
}

function answerInstead(
  method: string,
  change: (result: unknown, params: readonly unknown[]) => unknown,
) {
  node.answer = (asked, params, result) => (asked === method ? change(result, params) : result);
}

const weird = 'weird-erc20';

const FIXTURES: readonly Fixture[] = [
  // Tokens that are not the token.
  {
    name: 'a transfer event of a contract that calls itself USDC',
    source: 'A4: look-alike contracts',
    transactions: ({ address, units: asked }) => [
      { to: STRANGER, logs: [transferLog(STRANGER, PAYER, address, asked)] },
    ],
  },
  {
    name: 'a look-alike whose address begins and ends like the real one',
    source: 'A4: address poisoning',
    transactions: ({ address, units: asked }) => {
      const alike = `${token.slice(0, 8)}${'0'.repeat(28)}${token.slice(36)}`;
      return [{ to: alike, logs: [transferLog(alike, PAYER, address, asked)] }];
    },
  },
  {
    name: 'the right token of a sibling chain at its address there',
    source: 'catalog: USDC has another contract on Base',
    transactions: ({ address, units: asked }) => {
      const onBase = '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
      return [{ to: onBase, logs: [transferLog(onBase, PAYER, address, asked)] }];
    },
  },
  // Events that are no transfers.
  ...[
    { name: 'four topics (an NFT)', topics: 4, source: 'EIP-721: Transfer has the same topic' },
    { name: 'two topics', topics: 2, source: 'A4: exactly three topics' },
    { name: 'one topic', topics: 1, source: 'A4: exactly three topics' },
  ].map(
    ({ name, topics, source }): Fixture => ({
      name: `a Transfer event with ${name}`,
      source,
      transactions: (asked) => {
        const all = transferLog(token, PAYER, asked.address, asked.units).topics;
        return [event(asked, { topics: [...all, topicOf(PAYER)].slice(0, topics) })];
      },
    }),
  ),
  {
    name: 'an event with another topic',
    source: 'A4: topic0',
    transactions: (asked) => [
      event(asked, {
        topics: [hashOf('Approval'), topicOf(PAYER), topicOf(asked.address)],
      }),
    ],
  },
  {
    name: 'an anonymous event without topics',
    source: 'Solidity: anonymous events',
    transactions: (asked) => [event(asked, { topics: [] })],
  },
  {
    name: 'a receiver with dirty upper bytes',
    source: 'Solidity ABI: addresses are padded with zeros',
    transactions: (asked) => [
      event(asked, {
        topics: [
          transferLog(token, PAYER, asked.address, 1n).topics[0],
          topicOf(PAYER),
          topicOf(asked.address).replace('0x00', '0x01'),
        ],
      }),
    ],
  },
  {
    name: 'data of 31 bytes',
    source: 'A4: 32 bytes of data',
    transactions: (asked) => [event(asked, { data: `0x${'0'.repeat(56)}4c4b40` })],
  },
  {
    name: 'data of 33 bytes',
    source: 'A4: 32 bytes of data',
    transactions: (asked) => [event(asked, { data: `0x${'0'.repeat(60)}4c4b40` })],
  },
  {
    name: 'data of 64 bytes',
    source: 'A4: 32 bytes of data',
    transactions: (asked) => [
      event(asked, { data: `${transferLog(token, PAYER, PAYER, units).data}${'0'.repeat(64)}` }),
    ],
  },
  {
    name: 'no data at all',
    source: 'A4: 32 bytes of data',
    transactions: (asked) => [event(asked, { data: '0x' })],
  },
  {
    name: 'an amount of zero',
    source: 'A21: zero-value transfers',
    transactions: (asked) => [event(asked, { data: `0x${'0'.repeat(64)}` })],
  },
  {
    name: 'an amount of zero ether',
    source: 'A21: zero-value transfers',
    assetId: ETH,
    transactions: ({ address }) => [{ to: address, value: 0n }],
  },
  {
    name: 'a log that was removed',
    source: 'execution-apis: removed logs',
    transactions: (asked) => [event(asked, { removed: true }, asked.units)],
  },
  // What the balance says.
  {
    name: 'an event that moved nothing',
    source: 'A3: receipt says success, nothing moved (SlowMist)',
    transactions: (asked) => [event(asked, {})],
  },
  {
    name: 'a hundred events that moved nothing',
    source: 'A3: the balance covers each unit once',
    transactions: (asked) => [
      {
        to: token,
        logs: Array.from({ length: 100 }, () =>
          transferLog(token, PAYER, asked.address, asked.units),
        ),
      },
    ],
  },
  {
    name: 'a token that is taken back in the same block',
    source: `${weird}: rebasing and clawback`,
    transactions: (asked) => [
      event(asked, {}, asked.units),
      { to: token, changes: [{ address: asked.address, contract: token, units: -asked.units }] },
    ],
  },
  {
    name: 'a balance that grows without any event',
    source: `${weird}: rebasing tokens`,
    transactions: ({ address, units: asked }) => [
      { to: token, changes: [{ address, contract: token, units: asked }] },
    ],
  },
  {
    name: 'an amount of 2^256 - 1',
    source: `${weird}: transfers of the greatest number`,
    transactions: (asked) => [event(asked, { data: `0x${'f'.repeat(64)}` })],
  },
  {
    name: 'the owner of the token sends from our address to our address',
    source: `${weird}: self transfers`,
    transactions: ({ address, units: asked }) => [
      { to: token, logs: [transferLog(token, address, address, asked)] },
    ],
  },
  // Transactions that failed, or were no payment.
  {
    name: 'a failed transaction with value',
    source: 'A2: reverted transactions (Coinbase 2018)',
    assetId: ETH,
    transactions: ({ address, units: asked }) => [{ to: address, value: asked, status: 0 }],
  },
  {
    name: 'value inside a call that was reverted',
    source: 'A2: reverted frames (Kraken, CertiK 2024)',
    assetId: ETH,
    // Only a trace would show it; the balance does not.
    transactions: ({ units: asked }) => [{ to: STRANGER, value: asked }],
  },
  {
    name: 'a failed token transfer',
    source: 'A3: status',
    transactions: (asked) => [{ ...event(asked, {}), status: 0 }],
  },
  {
    name: 'a contract created with value',
    source: 'EIP-161: a creation has no receiver',
    assetId: ETH,
    transactions: ({ units: asked }) => [{ to: null, value: asked }],
  },
  {
    name: 'our address is the spender, not the receiver',
    source: 'ERC-20: Approval and Transfer',
    transactions: ({ address, units: asked }) => [
      { to: token, logs: [transferLog(token, address, STRANGER, asked)] },
    ],
  },
  {
    name: 'our address in the data of a call',
    source: 'ERC-20: transfer that returned false',
    transactions: ({ address }) => [
      { to: token, value: 0n, json: { input: `0xa9059cbb${topicOf(address).slice(2)}` } },
    ],
  },
  // A node that lies in one place.
  ...failing([
    [
      'a receipt of another block',
      'eth_getBlockReceipts',
      'the hash of the block is compared',
      (one) => ({ ...one, blockHash: hashOf('other') }),
    ],
    [
      'a receipt of another height',
      'eth_getBlockReceipts',
      'the height of the block is compared',
      (one) => ({ ...one, blockNumber: '0x1' }),
    ],
    [
      'a receipt of an unknown transaction',
      'eth_getBlockReceipts',
      'every receipt is of the block',
      (one) => ({ ...one, transactionHash: hashOf('other') }),
    ],
    [
      'a receipt with another sender',
      'eth_getBlockReceipts',
      'the sender is compared',
      (one) => ({ ...one, from: STRANGER }),
    ],
    [
      'a receipt with status 2',
      'eth_getBlockReceipts',
      'EIP-658: 0 or 1',
      (one) => ({ ...one, status: '0x2' }),
    ],
    ['a receipt without status', 'eth_getBlockReceipts', 'EIP-658', ({ status: _, ...one }) => one],
    [
      'a failed receipt with logs',
      'eth_getBlockReceipts',
      'EIP-658: a failure has no logs',
      (one) => ({
        ...one,
        status: '0x0',
        logs: [
          {
            ...transferLog(token, PAYER, STRANGER, 1n),
            transactionHash: one.transactionHash,
            blockHash: one.blockHash,
            blockNumber: one.blockNumber,
            logIndex: '0x0',
          },
        ],
      }),
    ],
  ]),
  {
    name: 'a receipt that is left out',
    source: 'A19: a provider that leaves out',
    lie: () => answerInstead('eth_getBlockReceipts', (result) => (result as FakeJson[]).slice(1)),
    fails: true,
  },
  {
    name: 'no receipts for a block of transactions',
    source: 'I1: an index that lags',
    lie: () => answerInstead('eth_getBlockReceipts', () => null),
    fails: true,
  },
  {
    name: 'a log in the index that no receipt has',
    source: 'I1: index and receipts disagree',
    lie: ({ address, units: asked }) =>
      answerInstead('eth_getLogs', (result, [filter]) => {
        const { blockHash } = filter as { blockHash: string };
        const block = node.blocks.find(({ hash }) => hash === blockHash)!;
        const [first] = block.transactions;
        if (first === undefined) return result;
        const log = {
          ...transferLog(token, PAYER, address, asked),
          ...{ transactionHash: first.hash, blockHash, blockNumber: first.blockNumber },
          ...{ logIndex: '0x7', removed: false },
        };
        return [...(result as FakeJson[]), log];
      }),
    fails: true,
  },
  {
    name: 'a log with a gap in the numbers before it',
    source: 'execution-apis: logs are numbered within the block',
    transactions: (asked) => [event(asked, {})],
    lie: () =>
      answerInstead('eth_getBlockReceipts', (result) =>
        (result as FakeJson[]).map((one) => ({
          ...one,
          logs: (one.logs as FakeJson[]).map((log) => ({ ...log, logIndex: '0x5' })),
        })),
      ),
    fails: true,
  },
  {
    name: 'a node that says another chain id',
    source: 'A18: a node on another chain',
    lie: () => answerInstead('eth_chainId', () => '0x1'),
    fails: true,
  },
  {
    name: 'a node with another genesis block',
    source: 'A18: a fork with the same id',
    lie: () =>
      answerInstead('eth_getBlockByNumber', (result, [tag]) =>
        tag === '0x0' ? { ...(result as FakeJson), hash: hashOf('fork') } : result,
      ),
    fails: true,
  },
  {
    name: 'a block that does not follow the one before it',
    source: 'contiguous by parent hash',
    lie: () =>
      answerInstead('eth_getBlockByNumber', (result, [, whole]) =>
        whole === true ? { ...(result as FakeJson), parentHash: hashOf('orphan') } : result,
      ),
    fails: true,
  },
  {
    name: 'a block whose transactions are of another block',
    source: 'the block of each transaction is compared',
    lie: () =>
      answerInstead('eth_getBlockByNumber', (result, [, whole]) => {
        const { transactions, ...block } = result as { transactions: FakeJson[] };
        const moved = () => transactions.map((one) => ({ ...one, blockHash: hashOf('other') }));
        return whole === true ? { ...block, transactions: moved() } : result;
      }),
    fails: true,
  },
  {
    name: 'a payment added to a block, without receipt',
    source: 'A19: a provider that makes things up',
    assetId: ETH,
    lie: ({ address, units: asked }) =>
      answerInstead('eth_getBlockByNumber', (result, [, whole]) => {
        const { transactions, ...block } = result as { transactions: FakeJson[] };
        const [first] = transactions;
        if (whole !== true || first === undefined) return result;
        const hash = hashOf('made up');
        const added = { ...first, hash, to: address, value: `0x${asked.toString(16)}` };
        return { ...block, transactions: [...transactions, added] };
      }),
    fails: true,
  },
  {
    name: 'a value that is no number',
    source: 'execution-apis: quantities are 0x and hexadecimal digits',
    lie: () =>
      answerInstead('eth_getBlockByNumber', (result, [, whole]) => {
        const { transactions, ...block } = result as { transactions: FakeJson[] };
        const changed = () => transactions.map((one) => ({ ...one, value: '1e18' }));
        return whole === true ? { ...block, transactions: changed() } : result;
      }),
    fails: true,
  },
  {
    name: 'a final block above the newest one',
    source: 'B4: finality as the chain has it',
    lie: () =>
      answerInstead('eth_getBlockByNumber', (result, [tag]) =>
        tag === 'latest' ? { ...(result as FakeJson), number: '0x1' } : result,
      ),
    fails: true,
  },
  {
    name: 'a final block below what was final before',
    source: 'B4: `safe` and `finalized` that rewind',
    lie: () =>
      answerInstead('eth_getBlockByNumber', (result, [tag]) => {
        const { hash, parentHash } = node.blocks[1]!;
        const first = { ...(result as FakeJson), number: '0x1', hash, parentHash };
        return tag === 'finalized' ? first : result;
      }),
    fails: true,
  },
  {
    name: 'a final block of another height than asked',
    source: 'the height is compared',
    lie: () =>
      answerInstead('eth_getBlockByNumber', (result, [, whole]) =>
        whole === true ? { ...(result as FakeJson), number: '0x1' } : result,
      ),
    fails: true,
  },
  {
    name: 'a transaction twice in a block',
    source: 'CVE-2012-2459, its like here',
    lie: () =>
      answerInstead('eth_getBlockByNumber', (result, [, whole]) => {
        const { transactions, ...block } = result as { transactions: FakeJson[] };
        return whole === true
          ? { ...block, transactions: [...transactions, ...transactions] }
          : result;
      }),
    fails: true,
  },
  {
    name: 'a balance that is no number',
    source: 'fail closed on a damaged answer',
    assetId: ETH,
    lie: () => answerInstead('eth_getBalance', () => 'plenty'),
    fails: true,
  },
  {
    name: 'a balance that is another one when asked again',
    source: 'A19: what is surprising is asked twice',
    assetId: ETH,
    lie: () => {
      let times = 0n;
      answerInstead('eth_getBalance', () => `0x${(ether + times++).toString(16)}`);
    },
    fails: true,
  },
];

type Failing = readonly [string, string, string, (receipt: FakeJson) => FakeJson];

function failing(list: readonly Failing[]): Fixture[] {
  return list.map(([name, method, source, change]) => ({
    name,
    source,
    fails: true,
    lie: () => answerInstead(method, (result) => (result as FakeJson[]).map(change)),
  }));
}

const none = { to: STRANGER, value: 1n };

for (const { name, source, assetId = USDC, transactions, lie, fails = false } of FIXTURES) {
  test(`${name} credits nothing (${source})`, async () => {
    const asked = assetId === ETH ? ether : units;
    const { checkoutId, instruction } = await world.createAndCommit('ETHEREUM', assetId, asked);
    const facts = { address: instruction.address, assetId, units: asked };
    await world.observe();
    const credited = await world.credited();
    node.mine(...(transactions?.(facts) ?? [none]));
    node.mineEmpty(3);
    lie?.(facts);
    const failures = await world.observe();
    node.answer = (_method, _params, result) => result;
    assert.equal(failures.length > 0, fails, failures.map(({ message }) => message).join());
    // Nor when the node tells the truth again.
    assert.deepEqual(await world.observe(), []);
    await world.settle();
    assert.equal(await world.credited(), credited);
    assert.equal((await world.read(checkoutId)).state, 'AWAITING_PAYMENT');
  });
}

test('there are at least 45 of them', () => assert(FIXTURES.length >= 45, `${FIXTURES.length}`));

test('an honest payment in the coin and one in a token are credited', async () => {
  const credited = await world.credited();
  const coin = await world.createAndCommit('ETHEREUM', ETH, ether);
  const usdc = await world.createAndCommit('ETHEREUM', USDC, units);
  const dai = await world.createAndCommit('ETHEREUM', DAI, ether);
  await world.observe();
  node.mine(
    node.pay(coin.instruction.address, ether),
    node.pay(usdc.instruction.address, units, token),
    node.pay(dai.instruction.address, ether, contractOf(DAI)),
  );
  node.mineEmpty(2);
  assert.deepEqual(await world.observe(), []);
  await world.settle();
  for (const { checkoutId } of [coin, usdc, dai]) {
    assert.equal((await world.read(checkoutId)).state, 'COMPLETED');
  }
  assert.equal(await world.credited(), credited + 2n * ether + units);
  assert.deepEqual(await world.brokenInvariants(), []);
});

test('what the node shows at our addresses is what the custody accounts say', async () => {
  const network = world.app.networks.get('live:ETHEREUM');
  const { cursor } = await readPosition(world.app.db, 'live:ETHEREUM');
  assert(cursor !== undefined);
  const held = await network?.holdings?.(0n, cursor);
  for (const assetId of [ETH, USDC, DAI]) {
    assert.equal(held?.units.get(assetId), await world.custody('ETHEREUM', assetId), assetId);
  }
});

test(`of a token that keeps a fee only what arrived is credited (${weird}: fee on transfer)`, async () => {
  const credited = await world.credited();
  const { checkoutId, instruction } = await world.createAndCommit('ETHEREUM', USDC, units);
  await world.observe();
  node.mine(event({ address: instruction.address, assetId: USDC, units }, {}, units - 50_000n));
  await world.observe();
  node.mineEmpty(3);
  assert.deepEqual(await world.observe(), []);
  await world.settle();
  assert.equal((await world.read(checkoutId)).state, 'UNDERPAID');
  assert.equal(await world.credited(), credited + units - 50_000n);
});

test(`a fake event beside an honest payment adds nothing to it (A3)`, async () => {
  const credited = await world.credited();
  const { checkoutId, instruction } = await world.createAndCommit('ETHEREUM', USDC, units);
  await world.observe();
  node.mine(
    event({ address: instruction.address, assetId: USDC, units }, {}),
    node.pay(instruction.address, units, token),
  );
  node.mineEmpty(3);
  await world.observe();
  await world.settle();
  const { state, flags } = await world.read(checkoutId);
  assert.deepEqual([state, flags], ['COMPLETED', {}]);
  assert.equal(await world.credited(), credited + units);
});

test(`a transaction that is mined again at another place credits once (B5)`, async () => {
  const credited = await world.credited();
  const { checkoutId, instruction } = await world.createAndCommit('ETHEREUM', USDC, units);
  await world.observe();
  const paid = { ...node.pay(instruction.address, units, token), hash: hashOf('mined twice') };
  const other = node.pay(STRANGER, 1n, token);
  node.mine(paid, other);
  await world.observe();
  await world.settle();
  assert.equal((await world.read(checkoutId)).state, 'PENDING');
  node.reorg(1);
  node.mine(other, other, paid);
  await world.observe();
  node.mineEmpty(3);
  assert.deepEqual(await world.observe(), []);
  await world.settle();
  assert.equal((await world.read(checkoutId)).state, 'COMPLETED');
  assert.equal(await world.credited(), credited + units);
});

test('a payment in a block that is not final is shown and credits nothing (B4)', async () => {
  const credited = await world.credited();
  const { checkoutId, instruction } = await world.createAndCommit('ETHEREUM', ETH, ether);
  await world.observe();
  node.mine(node.pay(instruction.address, ether));
  node.mineEmpty(1);
  await world.observe();
  await world.settle();
  assert.equal((await world.read(checkoutId)).state, 'PENDING');
  assert.equal(await world.credited(), credited);
  node.reorg(2);
  node.mineEmpty(4);
  await world.observe();
  await world.settle();
  assert.equal((await world.read(checkoutId)).state, 'AWAITING_PAYMENT');
  assert.equal(await world.credited(), credited);
});

test('value that came inside a call is credited by the balance, once', async () => {
  const credited = await world.credited();
  const { checkoutId, instruction } = await world.createAndCommit('ETHEREUM', ETH, ether);
  await world.observe();
  node.mine({ to: STRANGER, changes: [{ address: instruction.address, units: ether }] });
  node.mineEmpty(3);
  assert.deepEqual(await world.observe(), []);
  node.mineEmpty(3);
  await world.observe();
  await world.settle();
  assert.equal((await world.read(checkoutId)).state, 'COMPLETED');
  assert.equal(await world.credited(), credited + ether);
});

test('what our signer sends away, with its fee, disturbs no later credit', async () => {
  const credited = await world.credited();
  const { instruction } = await world.createAndCommit('ETHEREUM', ETH, ether);
  const { address } = instruction;
  await world.observe();
  node.mine(node.pay(address, ether));
  node.mine({ from: address, to: STRANGER, value: ether - 21_000n, fee: 21_000n });
  node.mineEmpty(3);
  await world.observe();
  node.mine(node.pay(address, ether));
  node.mineEmpty(3);
  await world.observe();
  await world.settle();
  assert.equal(await world.credited(), credited + 2n * ether);
});

test('a final block that is another one now stops the network and takes nothing back (B7)', async () => {
  const credited = await world.credited();
  const before = [...node.blocks];
  node.reorg(6);
  node.mineEmpty(9);
  const [failure] = await world.observe();
  assert.match(String(failure?.message), /final block \d+ is another one now/);
  await world.settle();
  assert.equal(await world.credited(), credited);
  node.blocks.splice(0, node.blocks.length, ...before);
  assert.deepEqual(await world.observe(), []);
});

test('a node without eth_getBlockReceipts is asked for single receipts', async () => {
  const credited = await world.credited();
  const other = createFakeEvmNode();
  deployTokens(other);
  other.blocks.splice(0, 1, ...node.blocks);
  other.answer = (method, _params, result) => {
    if (method === 'eth_getBlockReceipts') throw new FakeRefusal(-32601, 'no such method');
    return result;
  };
  const first = node;
  node = other;
  const { checkoutId, instruction } = await world.createAndCommit('ETHEREUM', USDC, units);
  node.mine(node.pay(instruction.address, units, token));
  node.mineEmpty(3);
  assert.deepEqual(await world.observe(), []);
  await world.settle();
  assert.equal((await world.read(checkoutId)).state, 'COMPLETED');
  assert.equal(await world.credited(), credited + units);
  first.blocks.splice(0, first.blocks.length, ...node.blocks);
  node = first;
});

test('payments of several blocks, from single receipts, are each seen and credited in their own', async () => {
  const credited = await world.credited();
  node.answer = (method, _params, result) => {
    if (method === 'eth_getBlockReceipts') throw new FakeRefusal(-32601, 'no such method');
    return result;
  };
  const paid: { transaction: string; height: bigint; units: bigint }[] = [];
  const checkoutIds: string[] = [];
  for (const more of [1n, 2n, 3n]) {
    const { checkoutId, instruction } = await world.createAndCommit('ETHEREUM', USDC, units + more);
    checkoutIds.push(checkoutId);
    const { height, transactions } = node.mine(node.pay(instruction.address, units + more, token));
    const transaction = String(transactions[0]?.hash);
    paid.push({ transaction, height: BigInt(height), units: units + more });
  }
  const recorded = () =>
    world.app.db.query<{ units: bigint }>(sql`
      select transaction, block_height as height, units from receipt
      where transaction = any(${paid.map(({ transaction }) => transaction)}::text[])
      order by units`);
  assert.deepEqual(await world.observe(), []);
  const seen = (await recorded()).map((one) => one.units);
  assert.deepEqual(seen, [units + 1n, units + 2n, units + 3n]);
  node.mineEmpty(5);
  assert.deepEqual(await world.observe(), []);
  assert.deepEqual(await recorded(), paid);
  await world.settle();
  for (const id of checkoutIds) assert.equal((await world.read(id)).state, 'COMPLETED');
  assert.equal(await world.credited(), credited + 3n * units + 6n);
  node.answer = (_method, _params, result) => result;
});

test('coins from inside a call reach each of many addresses handed out since the last look', async () => {
  const credited = await world.credited();
  const made: { checkoutId: string; address: string }[] = [];
  for (let count = 0; count < 130; count += 1) {
    const { checkoutId, instruction } = await world.createAndCommit('ETHEREUM', ETH, ether);
    made.push({ checkoutId, address: instruction.address });
  }
  node.mineEmpty(1);
  assert.deepEqual(await world.observe(), []);
  const changes = made.map(({ address }) => ({ address, units: ether }));
  node.mine({ to: STRANGER, changes });
  for (let round = 0; round < 8; round += 1) {
    node.mineEmpty(3);
    assert.deepEqual(await world.observe(), []);
  }
  await world.settle();
  for (const { checkoutId } of made) {
    assert.equal((await world.read(checkoutId)).state, 'COMPLETED');
  }
  assert.equal(await world.credited(), credited + ether * BigInt(made.length));
});

test('coins from inside a call that came while nobody watched are credited, however far behind', async () => {
  const credited = await world.credited();
  const { checkoutId, instruction } = await world.createAndCommit('ETHEREUM', ETH, ether);
  node.mineEmpty(200);
  node.mine({ to: STRANGER, changes: [{ address: instruction.address, units: ether }] });
  node.mineEmpty(900);
  assert.deepEqual(await world.observe(), []);
  await world.settle();
  assert.equal((await world.read(checkoutId)).state, 'COMPLETED');
  assert.equal(await world.credited(), credited + ether);
});
