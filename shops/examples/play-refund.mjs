// For shops that refund as well: `POST /orders/{number}/refund` with the token of the shop.
import assert from 'node:assert/strict';
import { buy, pay, playShop, stateOf, until, worldOf } from './play-shop.mjs';

/** What the shop is given as SHOP_ADMIN_TOKEN. */
export const adminToken = 'a-token-for-tests';
const payerAddress = 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0';

export async function playShopAndRefund(shop, env) {
  await playShop(shop, env);
  await refundOnce(worldOf(shop, env));
  console.log(`    ${refundOnce.name}`);
}

async function refundOnce(world) {
  const sale = await buy(world);
  assert.equal((await refund(world, sale, adminToken)).status, 409, 'what is not paid');
  await pay(world, sale);
  await until(async () => (await stateOf(world, sale)) === 'paid');
  assert.equal((await refund(world, sale, 'another-token-tests')).status, 403);
  assert.equal((await refund(world, sale, '')).status, 403);
  const statuses = await Promise.all([1, 2, 3].map(() => refund(world, sale, adminToken)));
  assert.ok(statuses.some(({ status }) => status === 200));
  const { refunds } = await world.quittance.checkout.get(sale.checkout.id);
  assert.equal(refunds.length, 1);
  assert.equal(await stateOf(world, sale), 'refunding');
  await claim(await world.quittance.refunds.get(refunds[0].id));
  await until(async () => {
    await world.quittance.sandbox.mine({ network: 'LITECOIN', blocks: 12 });
    return (await stateOf(world, sale)) === 'refunded';
  });
}

function refund({ shop }, { order }, token) {
  const headers = { authorization: `Bearer ${token}` };
  return fetch(`${shop.url}/orders/${order}/refund`, { method: 'POST', headers });
}

/** The payer says where to, on the page of the service. */
async function claim({ claimUrl }) {
  const { origin } = new URL(claimUrl);
  const body = new URLSearchParams({ step: 'send', address: payerAddress });
  const answer = await fetch(claimUrl, { method: 'POST', headers: { origin }, body });
  assert.ok(answer.ok, `claim: ${answer.status}`);
}
