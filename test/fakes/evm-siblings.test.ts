// An address exists on every EVM chain. Two chains never hand out the same one, and a payment on the
// other chain than asked is noticed, held, and told; it is nobody's credit.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listMisdirected } from '#chain/strangers.ts';
import { type ForgedWorld, openForgedWorld } from '#test/forged/forged-world.ts';
import { createFakeEvmNode } from './evm-node.ts';
import { contractOf, deployTokens, ETH, openFakeEvm, USDC } from './evm-world.ts';

const USDC_BASE = 'USDC:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const units = 5_000_000n;
const ethereum = createFakeEvmNode({ name: 'ethereum' });
const base = createFakeEvmNode({ name: 'base' });
let world: ForgedWorld;

before(async () => {
  deployTokens(ethereum, 'ETHEREUM');
  deployTokens(base, 'BASE');
  for (const node of [ethereum, base]) node.mineEmpty(3);
  world = await openForgedWorld({
    networks: (parts) => [
      openFakeEvm({ network: 'ETHEREUM', posts: [ethereum.post] }, parts),
      openFakeEvm({ network: 'BASE', posts: [base.post] }, parts),
    ],
  });
  assert.deepEqual(await world.observe(), []);
});
after(() => world?.close());

test('no address is handed out on two chains', async () => {
  const addresses: string[] = [];
  for (let count = 0; count < 4; count += 1) {
    const one = await world.createAndCommit('ETHEREUM', USDC, units);
    const other = await world.createAndCommit('BASE', USDC_BASE, units);
    addresses.push(one.instruction.address, other.instruction.address);
  }
  assert.equal(new Set(addresses).size, 8);
});

test('the right token on a sibling chain is held, and told to merchant and customer', async () => {
  const { checkoutId, instruction } = await world.createAndCommit('ETHEREUM', USDC, units);
  await world.observe();
  const credited = await world.credited();
  const paid = base.mine(base.pay(instruction.address, units, contractOf(USDC_BASE)));
  await world.observe();
  await world.settle();
  const seen = await world.read(checkoutId);
  const flag = { network: 'BASE', amount: '5', assetCode: 'USDC', tx: paid.transactions[0]?.hash };
  const misdirected = [{ reason: 'WRONG_NETWORK' as const, ...flag }];
  assert.deepEqual(
    [seen.state, seen.flags],
    ['AWAITING_PAYMENT', { wrongNetwork: flag, misdirected }],
  );

  base.mineEmpty(3);
  await world.observe();
  await world.settle();
  assert.equal(await world.credited(), credited);
  assert.equal(await world.suspended(USDC_BASE), units);
  assert.equal(await world.custody('BASE', USDC_BASE), units);
  const [found] = await listMisdirected(world.app.db, 'checkout', [checkoutId]);
  assert.deepEqual(
    [found?.instructionId, found?.receipt.chain, found?.receipt.status, found?.receipt.units],
    [instruction.id, 'live:BASE', 'FINAL', units],
  );

  // Paid where it was asked, it completes all the same.
  ethereum.mine(ethereum.pay(instruction.address, units, contractOf(USDC)));
  ethereum.mineEmpty(3);
  await world.observe();
  await world.settle();
  const { state, flags } = await world.read(checkoutId);
  assert.deepEqual([state, flags], ['COMPLETED', { wrongNetwork: flag, misdirected }]);
  assert.equal(await world.credited(), credited + units);
  assert.deepEqual(await world.brokenInvariants(), []);
});

test('the coin of a sibling chain is held too', async () => {
  const held = await world.suspended(ETH);
  const { checkoutId, instruction } = await world.createAndCommit('BASE', ETH, 10n ** 17n);
  await world.observe();
  ethereum.mine(ethereum.pay(instruction.address, 10n ** 17n));
  ethereum.mineEmpty(3);
  await world.observe();
  await world.settle();
  const { state, flags } = await world.read(checkoutId);
  assert.deepEqual([state, flags.wrongNetwork?.network], ['AWAITING_PAYMENT', 'ETHEREUM']);
  assert.equal(await world.suspended(ETH), held + 10n ** 17n);
});

test('a payment to nobody of ours is on no chain of interest', async () => {
  const held = await world.suspended();
  base.mine(base.pay('0x00000000000000000000000000000000000000ee', 10n ** 17n));
  base.mineEmpty(3);
  await world.observe();
  await world.settle();
  assert.equal(await world.suspended(), held);
});
