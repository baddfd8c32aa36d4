// What an accountant sees of a shop: balances, and what was sent out.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';
import { fundMerchant } from '#test/support/fund-merchant.ts';
import { addBeneficiary } from '#test/support/outgoing-money.ts';
import { commitTransfer } from '#transfer/commit-transfer.ts';
import { quoteTransfer } from '#transfer/quote-transfer.ts';

let world: DashboardWorld;
let shop: string;
before(async () => {
  world = await openDashboardWorld();
  shop = world.shop;
  await world.observe('LITECOIN');
});
after(() => world.close());

test('an accountant sees what there is, what it is worth, and what was sent out', async () => {
  const { app, caller } = world;
  const accountant = await world.comeAs('ACCOUNTANT', 'abby');
  const empty = await accountant.get(`${shop}/money`);
  assert.match(empty.markup, /Nothing has been credited yet/);
  assert.match(empty.markup, /Nothing has been sent out yet/);
  const { merchantId } = caller;
  const occurredAt = world.clock.now();
  const money = { merchantId, cause: 'a', assetId: 'LTC:NATIVE', units: 250_000_000n, occurredAt };
  await fundMerchant(app.db, money);
  await fundMerchant(app.db, {
    ...money,
    cause: 'b',
    units: 50_000_000n,
    code: 'merchant:pending',
  });
  const targetAccount = await addBeneficiary(world, 'Cold <wallet>');
  const amount = { coefficient: 1n, scale: 0 };
  const asked = { network: 'LITECOIN', asset: undefined, amount, targetAccount };
  const { id } = await quoteTransfer(app, caller, asked);
  await commitTransfer(app, caller, id);
  const { markup } = await accountant.get(`${shop}/money`);
  assert.match(markup, /<strong>1\.5\u00a0LTC<\/strong>/);
  assert.match(markup, /Not final yet: 0\.5\u00a0LTC/);
  assert.match(markup, /Worth about: \$/);
  assert.match(markup, new RegExp(`${id}</code> Litecoin`));
  assert.match(markup, /data-transfer-state="RESERVED">reserved/);
});
