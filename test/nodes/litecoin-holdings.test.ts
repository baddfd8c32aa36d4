// What the chain holds against what the ledger says, as an operator asks for it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type LitecoinShop, openLitecoinShop } from './litecoin-shop.ts';

let shop: LitecoinShop;

before(async () => {
  shop = await openLitecoinShop();
});
after(() => shop?.close());

type Doctor = {
  readonly chains: readonly {
    readonly chain: string;
    readonly holdings: readonly Readonly<
      Record<'held' | 'custody' | 'underWay' | 'missing', string>
    >[];
  }[];
};

async function holdings() {
  const { json } = await shop.server.command('doctor', '--holdings', '--json');
  const { chains } = json as unknown as Doctor;
  return chains
    .find(({ chain }) => chain === 'live:LITECOIN')
    ?.holdings.map(({ held, custody, underWay, missing }) => [held, custody, underWay, missing]);
}

test('doctor --holdings compares the chain with the ledger, to the last unit', async () => {
  const { node } = shop;
  assert.deepEqual(await holdings(), [['0', '0', '0', '0']]);
  const first = await shop.open('0.12345678');
  const second = await shop.open('1');
  const unpaid = await shop.open('2');
  await node.send(first.depositInstructions.address, '0.12345678');
  await node.send(second.depositInstructions.address, '0.4');
  await node.mine(2);
  await shop.client.waitForState(first.checkoutId, 'COMPLETED');
  await shop.client.waitForState(second.checkoutId, 'UNDERPAID');
  assert.deepEqual(await holdings(), [['0.52345678', '0.52345678', '0', '0']]);
  // In a block, and not deep enough for the ledger.
  await node.send(unpaid.depositInstructions.address, '2');
  await node.mine(1);
  await shop.waitForTip();
  assert.deepEqual(await holdings(), [['2.52345678', '0.52345678', '2', '0']]);
});
