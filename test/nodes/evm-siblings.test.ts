// Two real EVM nodes, one of them as Base: what is paid on the other chain than asked is held, and the
// merchant is told.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#db/db.ts';
import { waitUntil } from '#test/support/shop.ts';
import { type AnvilNode, startAnvil } from './anvil-node.ts';
import { type EvmShop, newExtendedPublicKey, openEvmShop, USDC, unitsOf } from './evm-shop.ts';

const USDC_BASE = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
let base: AnvilNode;
let shop: EvmShop;

before(async () => {
  base = await startAnvil({ chainId: 84_531 });
  await base.deploy('Token', 6, USDC_BASE);
  await base.call(USDC_BASE, 'mint', [base.payer, 10n ** 18n]);
  await base.mine(3);
  const settings = {
    BASE_RPC_URLS: base.url,
    BASE_CHAIN: 'dev',
    BASE_CHAIN_ID: '84531',
    BASE_XPUB: newExtendedPublicKey(),
  };
  shop = await openEvmShop({ settings });
  await shop.untilOffered(['ETHEREUM', 'BASE']);
});
after(async () => {
  await shop?.close();
  await base?.stop();
});

test('a payment on Base of what was to be paid on Ethereum is held and told', async () => {
  const committed = await shop.open('5', USDC);
  const id = committed.checkoutId;
  const { address } = committed.depositInstructions;
  const tx = await base.call(USDC_BASE, 'transfer', [address, unitsOf('5', USDC)]);
  await base.mine(1);
  const flag = { network: 'BASE', amount: '5', assetCode: 'USDC', tx };
  const misdirected = [{ reason: 'WRONG_NETWORK' as const, ...flag }];
  const told = await shop.client.waitFor(id, ({ flags }) => Object.keys(flags).length > 0);
  assert.deepEqual(
    [told.state, told.flags],
    ['AWAITING_PAYMENT', { wrongNetwork: flag, misdirected }],
  );
  await base.mine(3);
  await waitUntil('the money to lie in suspense', async () => {
    const rows = await shop.server.db.query(
      sql`select 1 from ledger_balance where code = 'suspense:BASE' and balance_units = -5000000`,
    );
    return rows.length === 1;
  });

  await shop.pay(committed, '5', USDC);
  await shop.include();
  await shop.finish();
  const completed = await shop.client.waitForState(id, 'COMPLETED');
  assert.deepEqual(completed.flags, { wrongNetwork: flag, misdirected });
  assert.equal(await shop.balance(USDC), unitsOf('5', USDC));
});
