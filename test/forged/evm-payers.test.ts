// Whatever anybody can put into a transaction, a log or a contract: nothing of it stops the network,
// delays the payments beside it, or is credited beyond what arrived. A node that contradicts itself is
// another matter (evm-mutations.test.ts): here the node is honest, and its users are not.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import {
  createFakeEvmNode,
  type FakeEvmNode,
  type FakeLog,
  FakeRefusal,
  type FakeTransaction,
  hashOf,
  PAYER,
  topicOf,
  transferLog,
} from '#test/fakes/evm-node.ts';
import { contractOf, deployTokens, openFakeEvm } from '#test/fakes/evm-world.ts';
import { byLength } from '#test/support/run-length.ts';
import { type ForgedWorld, openForgedWorld } from './forged-world.ts';

const NOBODY = '0x0000000000000000000000000000000000000000';
const FEES = '0x0000000000000000000000000000000000001010';
const STRANGER = '0x00000000000000000000000000000000000000ee';
const units = 5_000_000n;
const coins = 10n ** 17n;
const RUNS = byLength({ short: 4, long: 60 });

/** To whom: of those asked for now, the one for the coin and the one for the token; an earlier one. */
type Target = 'coin' | 'token' | 'earlier' | 'stranger';
/** What somebody did, without saying where. */
type Deed = (target: string, token: string) => FakeTransaction;
type Odd = { readonly target: Target; readonly deed: Deed };

const hex = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((bytes) => `0x${bytes.toHex()}`);
const data = fc.oneof(
  fc.constant('0x'),
  fc.integer({ min: 0, max: 200 }).chain(hex),
  fc.constant(`0x${'ff'.repeat(32)}`),
  fc.constant(`0x${'00'.repeat(32)}`),
);
const claimed = fc.oneof(
  fc.constantFrom(0n, 1n, units, 2n ** 63n, 2n ** 64n, 2n ** 128n, 2n ** 256n - 1n),
  fc.bigInt(0n, 2n ** 256n - 1n),
);
/** Nobody has more coins, or tokens. */
const coinUnits = fc.oneof(fc.constantFrom(0n, 1n, coins), fc.bigInt(0n, 2n ** 90n));
const tokenUnits = fc.oneof(fc.constantFrom(0n, 1n, units), fc.bigInt(0n, 2n ** 60n));
const status = fc.constantFrom(0, 1);
const feeLog: FakeLog = {
  address: FEES,
  topics: [hashOf('LogFeeTransfer'), topicOf(FEES), topicOf(PAYER)],
  data: `0x${'00'.repeat(160)}`,
};

/** Events of any contract: the real token, a look-alike, the contract of fees, the target itself. */
const anyLog = fc
  .record({
    contract: fc.constantFrom('token', 'stranger', 'fees', 'target'),
    first: fc.constantFrom('Transfer', 'other'),
    count: fc.integer({ min: 0, max: 4 }),
    topic: fc.oneof(hex(32), fc.constant('target')),
    data,
    removed: fc.constantFrom(undefined, false),
  })
  .map(({ contract, first, count, topic, data: text, removed }) => (to: string, token: string) => {
    const address = { token, stranger: STRANGER, fees: FEES, target: to.toLowerCase() }[contract];
    const [transfer = ''] = transferLog(token, PAYER, to, 1n).topics;
    const second = topic === 'target' ? topicOf(to) : topic;
    const topics = [
      first === 'Transfer' ? transfer : hashOf(first),
      topicOf(PAYER),
      second,
      second,
    ];
    const log: FakeLog = { address: address ?? '', topics: topics.slice(0, count), data: text };
    return removed === undefined ? log : { ...log, removed };
  });

const deeds: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ value: coinUnits, status, input: data, type: hex(1) }).map(
    ({ value, status: outcome, input, type }): Deed =>
      (to) => ({ to, value, status: outcome, json: { input, type }, receipt: { type } }),
  ),
  // A contract is made with coins, or at the cost of the target.
  fc.record({ value: coinUnits, contractAddress: hex(20) }).map(
    ({ value, contractAddress }): Deed =>
      () => ({ to: null, value, receipt: { contractAddress } }),
  ),
  // Any events in any number, from a call that went well.
  fc.array(anyLog, { maxLength: 6 }).map(
    (logs): Deed =>
      (to, token) => ({ to: token, logs: logs.map((log) => log(to, token)) }),
  ),
  // A transfer of the real token of which another amount arrives: a fee, a bonus, nothing.
  fc.record({ says: claimed, moves: tokenUnits }).map(
    ({ says, moves }): Deed =>
      (to, token) => ({
        to: token,
        logs: [transferLog(token, PAYER, to, says)],
        changes: [{ address: to, contract: token, units: moves < says ? moves : says }],
      }),
  ),
  // The same transfer in many pieces.
  fc.record({ pieces: fc.integer({ min: 1, max: 40 }), each: tokenUnits }).map(
    ({ pieces, each }): Deed =>
      (to, token) => ({
        to: STRANGER,
        logs: Array.from({ length: pieces }, () => transferLog(token, PAYER, to, each)),
        changes: [{ address: to, contract: token, units: BigInt(pieces) * each }],
      }),
  ),
  // A look-alike names any amount.
  claimed.map(
    (says): Deed =>
      (to) => ({ to: STRANGER, logs: [transferLog(STRANGER, PAYER, to, says)] }),
  ),
  // Out of a contract that ends, or from inside any call: no event, only the balance.
  coinUnits.map(
    (value): Deed =>
      (to) => ({ to: STRANGER, changes: [{ address: to, units: value }] }),
  ),
  // Tokens of which a claim is made on behalf of the target, of nothing.
  fc.constant<Deed>((to, token) => ({ to: token, logs: [transferLog(token, to, STRANGER, 0n)] })),
);

const polygonDeeds: fc.Arbitrary<Deed> = fc.oneof(
  // What failed costs a fee all the same, and bor tells of it.
  coinUnits.map(
    (value): Deed =>
      (to) => ({ to, value, status: 0, systemLogs: [feeLog] }),
  ),
  // A state sync, which anybody can bring about from the other chain.
  fc.record({ each: tokenUnits, logs: fc.array(anyLog, { maxLength: 3 }) }).map(
    ({ each, logs }): Deed =>
      (to, token) => ({
        from: NOBODY,
        to: NOBODY,
        logs: [...logs.map((log) => log(to, token)), transferLog(token, NOBODY, to, each)],
        changes: [{ address: to, contract: token, units: each }],
      }),
  ),
);

const target = fc.constantFrom<Target>('coin', 'token', 'earlier', 'stranger');
const oddOf = (deed: fc.Arbitrary<Deed>) => fc.record({ target, deed });
const scheduleOf = (deed: fc.Arbitrary<Deed>) =>
  fc.record({
    before: fc.array(oddOf(deed), { maxLength: 4 }),
    after: fc.array(oddOf(deed), { maxLength: 4 }),
    isOneBlock: fc.boolean(),
    isSeenFirst: fc.boolean(),
  });

const CASES = [
  {
    network: 'ETHEREUM',
    coin: 'ETH:NATIVE',
    token: 'USDC:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    schedules: scheduleOf(deeds),
  },
  {
    network: 'POLYGON',
    coin: 'POL:NATIVE',
    token: 'USDC:0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    schedules: scheduleOf(fc.oneof(deeds, polygonDeeds)),
  },
] as const;

for (const { network, coin, token, schedules } of CASES) {
  const contract = contractOf(token);
  let node: FakeEvmNode;
  let world: ForgedWorld;
  /** Every address that was handed out. */
  const handedOut = new Set<string>();

  before(async () => {
    node = createFakeEvmNode();
    deployTokens(node, network);
    node.mineEmpty(3);
    const options = { network, posts: [node.post] };
    world = await openForgedWorld({ networks: (parts) => [openFakeEvm(options, parts)] });
    assert.deepEqual(await world.observe(), []);
  });
  after(() => world?.close());

  /** What the chain shows at the addresses that we handed out. */
  function held(): { coins: bigint; tokens: bigint } {
    const balances = node.blocks.at(-1)?.balances ?? new Map<string, bigint>();
    let [heldCoins, heldTokens] = [0n, 0n];
    for (const address of handedOut) {
      heldCoins += balances.get(address) ?? 0n;
      heldTokens += balances.get(`${contract}/${address}`) ?? 0n;
    }
    return { coins: heldCoins, tokens: heldTokens };
  }

  test(`${network}: nothing a payer can send stops, delays or fakes anything`, async () => {
    await fc.assert(
      fc.asyncProperty(
        schedules,
        async ({ before: first, after: last, isOneBlock, isSeenFirst }) => {
          const asked = {
            coin: await world.createAndCommit(network, coin, coins),
            token: await world.createAndCommit(network, token, units),
          };
          // One of the newest 60: older ones are looked at in turns (inspect-addresses.ts).
          const earlier = [...handedOut].at(-1) ?? STRANGER;
          const addresses: Record<Target, string> = {
            coin: asked.coin.instruction.address.toLowerCase(),
            token: asked.token.instruction.address.toLowerCase(),
            earlier,
            stranger: STRANGER,
          };
          handedOut.add(addresses.coin).add(addresses.token);
          assert.deepEqual(await world.observe(), []);
          const made = (list: readonly Odd[]) =>
            list.map(({ target: whom, deed }) => deed(addresses[whom], contract));
          const honest = [
            node.pay(addresses.coin, coins),
            node.pay(addresses.token, units, contract),
          ];
          const all = [...made(first), ...honest, ...made(last)];
          if (isOneBlock) node.mine(...all);
          else for (const one of all) node.mine(one);
          // Before it is final it is looked at as well.
          if (isSeenFirst) assert.deepEqual(await world.observe(), []);
          node.mineEmpty(3);
          assert.deepEqual(await world.observe(), []);
          await world.settle();
          for (const { checkoutId } of [asked.coin, asked.token]) {
            assert.equal((await world.read(checkoutId)).state, 'COMPLETED');
          }
          assert.deepEqual(
            {
              coins: await world.custody(network, coin),
              tokens: await world.custody(network, token),
            },
            held(),
            'in the books is what the chain shows',
          );
        },
      ),
      { numRuns: RUNS },
    );
    assert.deepEqual(await world.brokenInvariants(), []);
  });

  for (const [name, answer] of [
    ['fails', () => assert.fail(new FakeRefusal(3, 'execution reverted: paused'))],
    ['says nothing', () => '0x'],
    ['says too much', () => `0x${'00'.repeat(64)}`],
    ['says yes to everything', () => `0x${'ff'.repeat(32)}`],
  ] as const) {
    test(`${network}: a token whose contract ${name} stops payments in it, and no others`, async () => {
      const broken = await world.createAndCommit(network, token, units);
      const whole = await world.createAndCommit(network, coin, coins);
      const address = broken.instruction.address.toLowerCase();
      assert.deepEqual(await world.observe(), []);
      const before = await world.custody(network, token);
      node.answer = (method, [call], result) => {
        const { to = '', data: asked = '' } = (call ?? {}) as { to?: string; data?: string };
        const isBalance = method === 'eth_call' && asked.startsWith('0x70a08231');
        return isBalance && to === contract ? answer() : result;
      };
      node.mine(
        { to: contract, logs: [transferLog(contract, PAYER, address, units)] },
        node.pay(whole.instruction.address, coins),
      );
      node.mineEmpty(3);
      assert.deepEqual(await world.observe(), []);
      await world.settle();
      node.answer = (_method, _params, result) => result;
      assert.equal((await world.read(whole.checkoutId)).state, 'COMPLETED');
      handedOut.add(whole.instruction.address.toLowerCase());
      assert.equal(await world.custody(network, token), before, 'nothing of it is in the books');
      assert.deepEqual(await world.observe(), []);
      assert.deepEqual(await world.brokenInvariants(), []);
    });
  }
}
