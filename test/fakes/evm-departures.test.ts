// What leaves our addresses on an EVM chain: each way out is told once, with what it cost, and the
// books are what the chain holds. What only looks like it is not told; what one endpoint alone says
// against a balance, or above the limit, is not believed.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { readPosition } from '#chain/chain-status.ts';
import { listUnsettledDepartures } from '#chain/departure.ts';
import { chainRewind } from '#cli/chain.ts';
import { explainDeparture } from '#custody/explain-departure.ts';
import { settleDepartures } from '#custody/settle-departures.ts';
import { sql } from '#db/db.ts';
import { transferGrounds } from '#suspense/return-suspense.ts';
import { type ForgedWorld, openForgedWorld } from '#test/forged/forged-world.ts';
import {
  createFakeEvmNode,
  type FakeEvmNode,
  type FakeJson,
  type FakeTransaction,
  PAYER,
  transferLog,
} from './evm-node.ts';
import { contractOf, deployTokens, ETH, openFakeEvm, USDC } from './evm-world.ts';

const STRANGER = '0x00000000000000000000000000000000000000ee';
const CHAIN = 'live:ETHEREUM';
const TOKEN = contractOf(USDC);
const ETHER = 10n ** 18n;
const DOLLAR = 10n ** 6n;
const FEE = 31_337n;

let node: FakeEvmNode;
let world: ForgedWorld;
/** Which endpoint is being asked. */
let asking = 0;

before(async () => {
  node = createFakeEvmNode();
  deployTokens(node);
  node.mineEmpty(3);
  const posts = [0, 1].map((endpoint) => (body: string) => {
    asking = endpoint;
    return node.post(body);
  });
  world = await openForgedWorld({ networks: (parts) => [openFakeEvm({ posts }, parts)] });
  await look();
});
afterEach(async () => {
  node.answer = (_method, _params, result) => result;
  await finish();
  await settle();
  await checkBooks();
});
after(() => world?.close());

async function look(): Promise<void> {
  assert.deepEqual((await world.observe()).map(String), []);
  await world.settle();
}

async function finish(): Promise<void> {
  node.mineEmpty(node.finalLag);
  await look();
}

async function settle(): Promise<void> {
  await settleDepartures({ ...world.app, ...transferGrounds(world.app) });
}

/** In lower case, as the chain names it. */
async function paidAddress(assetId: string, units: bigint): Promise<string> {
  const { instruction } = await world.createAndCommit('ETHEREUM', assetId, units);
  await look();
  node.mine(node.pay(instruction.address, units, assetId === ETH ? undefined : TOKEN));
  await finish();
  return instruction.address.toLowerCase();
}

function sendToken(from: string, to: string, units: bigint): FakeTransaction {
  const changes = [
    { address: from, contract: TOKEN, units: -units },
    { address: to, contract: TOKEN, units },
  ];
  return { from, to: TOKEN, logs: [transferLog(TOKEN, from, to, units)], changes, fee: FEE };
}

/** Not booked yet, each in short. */
async function told() {
  const departures = await listUnsettledDepartures(world.app.db, 100);
  return departures.map(({ transaction, feeAssetId, feeUnits, parts }) => ({
    transaction,
    fee: [feeAssetId, feeUnits],
    parts: parts.map(({ destination, assetId, units, purpose }) => {
      return [destination, assetId, units, purpose];
    }),
  }));
}

/** Everything that nobody ordered is in cold storage; then the ledger holds what the chain does. */
async function checkBooks(): Promise<void> {
  const { app } = world;
  const open = await app.db.query<{ departureId: bigint; number: number }>(sql`
    select departure_id as "departureId", number from departure_part where purpose is null`);
  for (const part of open) {
    const said = { purpose: 'OUTSIDE', actor: 'operator', reason: 'cold storage' } as const;
    await explainDeparture({ ...app, ...transferGrounds(app) }, { ...part, ...said });
  }
  const { cursor } = await readPosition(app.db, CHAIN);
  assert(cursor !== undefined);
  const held = await app.networks.get(CHAIN)?.holdings?.(0n, cursor);
  for (const assetId of [ETH, USDC]) {
    assert.equal(await world.custody('ETHEREUM', assetId), held?.units.get(assetId) ?? 0n, assetId);
  }
  assert.deepEqual(await world.brokenInvariants(), []);
}

const hashIn = ({ transactions }: { transactions: FakeJson[] }, at = 0) => transactions[at]?.hash;

test('coins and tokens that are sent, and a failure, are told with their fees', async () => {
  const coins = await paidAddress(ETH, ETHER);
  const tokens = await paidAddress(USDC, 9n * DOLLAR);
  node.mine({ from: coins, to: tokens, value: ETHER / 2n, fee: FEE });
  await finish();
  await settle();
  const sent = node.mine(
    { from: coins, to: STRANGER, value: ETHER / 10n, fee: FEE },
    { from: coins, to: STRANGER, value: ETHER / 10n, fee: FEE + 1n, status: 0 },
    sendToken(tokens, STRANGER, 4n * DOLLAR),
    // Another one fetches the rest by an allowance, and pays for it.
    { ...sendToken(tokens, STRANGER, 5n * DOLLAR), from: PAYER },
  );
  await look();
  assert.deepEqual(await told(), [], 'what is not final may still be undone');
  await finish();
  const [paid, failed, token, fetched] = sent.transactions.map(({ hash }) => hash);
  const found = await told();
  const inOrder = [paid, failed, token, fetched].map((hash) =>
    found.find(({ transaction }) => transaction === hash),
  );
  assert.equal(found.length, 4);
  assert.deepEqual(inOrder, [
    { transaction: paid, fee: [ETH, FEE], parts: [[STRANGER, ETH, ETHER / 10n, undefined]] },
    { transaction: failed, fee: [ETH, FEE + 1n], parts: [] },
    { transaction: token, fee: [ETH, FEE], parts: [[STRANGER, USDC, 4n * DOLLAR, undefined]] },
    { transaction: fetched, fee: [ETH, 0n], parts: [[STRANGER, USDC, 5n * DOLLAR, undefined]] },
  ]);
});

test('what a rollup charges for its own chain is part of the fee', async () => {
  const coins = await paidAddress(ETH, ETHER);
  const receipt = { gasUsed: '0x5', effectiveGasPrice: '0x7', l1Fee: '0x100' };
  const sent = node.mine({ from: coins, to: STRANGER, value: 1n, fee: 35n + 256n, receipt });
  await finish();
  const parts = [[STRANGER, ETH, 1n, undefined]];
  assert.deepEqual(await told(), [{ transaction: hashIn(sent), fee: [ETH, 291n], parts }]);
});

test('a move to an address of ours is known as ours, also where nobody ever paid', async () => {
  const from = await paidAddress(USDC, 6n * DOLLAR);
  const { instruction } = await world.createAndCommit('ETHEREUM', USDC, DOLLAR);
  const unpaid = instruction.address.toLowerCase();
  await look();
  const suspended = await world.suspended();
  const moved = node.mine({ ...sendToken(from, unpaid, 6n * DOLLAR), from: PAYER });
  await finish();
  const parts = [[unpaid, USDC, 6n * DOLLAR, 'OWN']];
  assert.deepEqual(await told(), [{ transaction: hashIn(moved), fee: [ETH, 0n], parts }]);
  assert.equal(await world.suspended(), suspended, 'it is nobody’s income');
});

test('what only looks like leaving is not told', async () => {
  const from = await paidAddress(USDC, 3n * DOLLAR);
  const alike = `0x${'cc'.repeat(20)}`;
  node.mine(
    // Anybody may move nothing out of any address, to one that looks like a known receiver.
    { to: TOKEN, logs: [transferLog(TOKEN, from, STRANGER, 0n)] },
    { to: alike, logs: [transferLog(alike, from, STRANGER, 3n * DOLLAR)] },
    { to: TOKEN, logs: [{ ...transferLog(TOKEN, from, STRANGER, DOLLAR), removed: true }] },
    { to: from, value: 0n, fee: FEE },
  );
  await finish();
  assert.deepEqual(await told(), []);
});

test('a sending whose block is undone and that is mined again is booked once', async () => {
  const from = await paidAddress(ETH, ETHER);
  const height = node.blocks.length - 1;
  const sent: FakeTransaction = { from, to: STRANGER, value: ETHER / 4n, fee: FEE };
  const hash = String(hashIn(node.mine(sent)));
  node.mineEmpty(4);
  await look();
  await settle();
  const custody = await world.custody('ETHEREUM', ETH);

  node.reorg(5);
  node.mineEmpty(2);
  node.mine({ ...sent, hash });
  node.mineEmpty(6);
  const [failure] = await world.observe();
  assert.match(String(failure?.message), /is another one now.*chain rewind ETHEREUM --to HEIGHT/);
  const context = {
    openApp: async () => world.app,
    openDatabase: async () => ({ description: 'a database' }) as never,
    environment: {},
    onProgress: () => undefined,
    directory: '.',
    terminal: undefined,
  };
  const input = { positionals: ['ETHEREUM'], values: { to: String(height) } };
  await chainRewind.run(context, input);
  const statusOf = async () => {
    const [row] = await world.app.db.query<{ status: string; height: bigint | null }>(sql`
      select status, block_height as height from departure where transaction = ${hash}`);
    return [row?.status, row?.height];
  };
  assert.deepEqual(await statusOf(), ['SEEN', null]);
  await finish();
  await settle();
  assert.deepEqual(await statusOf(), ['INCLUDED', BigInt(height) + 3n]);
  assert.equal(await world.custody('ETHEREUM', ETH), custody);
});

/** The first endpoint says something else of a transaction in whole blocks. */
function lie(change: FakeJson): void {
  node.answer = (method, params, result) => {
    if (asking !== 0 || method !== 'eth_getBlockByNumber' || params[1] !== true) return result;
    const block = result as { transactions: FakeJson[] } | null;
    if (block === null) return result;
    const transactions = block.transactions.map((one) =>
      one.to === STRANGER ? { ...one, ...change } : one,
    );
    return { ...block, transactions };
  };
}

for (const [what, value, said] of [
  ['more than the balance says, whatever the sum', 1_000n, 2_000n],
  ['less than the balance says, whatever the sum', 2_000n, 1_000n],
  ['nothing, whatever the balance says', 2_000n, 0n],
] as const) {
  test(`one endpoint alone is not believed that there left ${what}`, async () => {
    const from = await paidAddress(ETH, ETHER);
    const credited = await world.credited();
    const suspended = await world.suspended();
    const sent = node.mine({ from, to: STRANGER, value, fee: FEE });
    lie({ value: `0x${said.toString(16)}` });
    node.mineEmpty(node.finalLag);
    const failures = await world.observe();
    await world.settle();
    assert.deepEqual([await world.credited(), await world.suspended()], [credited, suspended]);
    const wrong = (await told()).flatMap(({ parts }) => parts).filter((one) => one[2] !== value);
    assert.deepEqual(wrong, [], String(failures));
    node.answer = (_method, _params, result) => result;
    await finish();
    const parts = [[STRANGER, ETH, value, undefined]];
    assert.deepEqual(await told(), [{ transaction: hashIn(sent), fee: [ETH, FEE], parts }]);
  });
}

test('above the limit another endpoint has to name the same receiver', async () => {
  const from = await paidAddress(ETH, 4n * ETHER);
  const sent = node.mine({ from, to: STRANGER, value: 3n * ETHER, fee: FEE });
  lie({ to: `0x${'dd'.repeat(20)}` });
  node.mineEmpty(node.finalLag);
  const failures = await world.observe();
  const others = (await told()).flatMap(({ parts }) => parts).filter(([to]) => to !== STRANGER);
  assert.deepEqual(others, [], String(failures));
  node.answer = (_method, _params, result) => result;
  await finish();
  const parts = [[STRANGER, ETH, 3n * ETHER, undefined]];
  assert.deepEqual(await told(), [{ transaction: hashIn(sent), fee: [ETH, FEE], parts }]);
});

test('a fee that a balance contradicts is not taken from one endpoint alone', async () => {
  const from = await paidAddress(ETH, ETHER);
  const sent = node.mine({ from, to: STRANGER, value: 5n, fee: FEE });
  node.answer = (method, _params, result) => {
    if (asking !== 0 || method !== 'eth_getBlockReceipts') return result;
    return (result as FakeJson[] | null)?.map((one) => ({ ...one, effectiveGasPrice: '0x9' }));
  };
  node.mineEmpty(node.finalLag);
  const failures = await world.observe();
  const wrong = (await told()).filter(({ fee }) => fee[1] !== FEE);
  assert.deepEqual(wrong, [], String(failures));
  node.answer = (_method, _params, result) => result;
  await finish();
  const parts = [[STRANGER, ETH, 5n, undefined]];
  assert.deepEqual(await told(), [{ transaction: hashIn(sent), fee: [ETH, FEE], parts }]);
});
