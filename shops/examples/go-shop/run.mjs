import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { adminToken, playShopAndRefund } from '../play-refund.mjs';
import { buy, stateOf, until, worldOf } from '../play-shop.mjs';
import { lacking, run } from '../prepare.mjs';

export default {
  missing: () => lacking('go', ['version']),
  prepare({ folder, root }) {
    const shown = path.join(root, 'clients', 'snippets', 'go', 'quittance.go');
    fs.copyFileSync(shown, path.join(folder, 'genuine.go'));
    run('go', ['build', '-o', 'shop', '.'], folder);
  },
  start: () => ({ program: './shop', words: [], env: { SHOP_ADMIN_TOKEN: adminToken } }),
  play: async (shop, env) => {
    await playShopAndRefund(shop, env);
    await payRest(worldOf(shop, env));
    console.log(`    ${payRest.name}`);
  },
};

/** Too little is not paid; the buyer is led to the rest, and the rest completes the order. */
async function payRest(world) {
  const { shop, quittance } = world;
  const sale = await buy(world);
  const { id } = sale.checkout;
  const payment = { checkoutId: id, network: 'LITECOIN' };
  const confirm = () => quittance.sandbox.mine({ network: 'LITECOIN', blocks: 12 });
  await quittance.sandbox.pay({ ...payment, amount: '0.01' });
  await confirm();
  await until(async () => (await stateOf(world, sale)) === 'underpaid');
  const page = await (await fetch(`${shop.url}/thanks?order=${sale.order}`)).text();
  assert.match(page, /Something is missing: <a href="http[^"]+">pay the rest/);
  await quittance.sandbox.pay(payment);
  await confirm();
  await until(async () => (await stateOf(world, sale)) === 'paid');
  assert.equal(shop.said().split(`ship order ${sale.order}`).length, 2);
}
