// What every example that runs a shop has to pass, played over a fresh service: a purchase, and
// what somebody tries who wants the book without paying.
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { Quittance } from '../../clients/typescript/src/index.ts';
import { completedEvent, sendWebhook } from '../test/signed-webhook.mjs';

const patienceSeconds = 60;

/** `shop`: `url`, where it listens, and `said()`, what it printed. `env`: as of withLiveService. */
export async function playShop(shop, env) {
  const world = worldOf(shop, env);
  for (const story of [payOnce, refuseForged, refuseOthers, ignoreWhatIsLess]) {
    await story(world);
    console.log(`    ${story.name}`);
  }
}

export function worldOf(shop, env) {
  const quittance = new Quittance({
    baseUrl: env.QUITTANCE_URL,
    key: env.QUITTANCE_KEY,
    secret: env.QUITTANCE_SECRET,
  });
  return { shop, quittance, secret: env.QUITTANCE_WEBHOOK_SECRET };
}

/** Two webhooks, a replay and the customer at once: one shipment. */
async function payOnce(world) {
  const sale = await buy(world);
  assert.equal(await stateOf(world, sale), 'open');
  await comeBack(world, sale);
  assert.equal(await stateOf(world, sale), 'open', 'a customer who comes back has not paid');
  const paid = await pay(world, sale);
  const event = completedEvent(paid);
  const answers = await Promise.all([
    send(world, event),
    send(world, event),
    send(world, completedEvent(paid)),
    comeBack(world, sale),
    comeBack(world, sale),
  ]);
  for (const { status } of answers) assert.ok(status < 300, `answered ${status}`);
  await until(async () => (await stateOf(world, sale)) === 'paid');
  await until(async () => await isDelivered(world, sale));
  assert.equal(shipments(world, sale), 1);
  assert.match(await (await comeBack(world, sale)).text(), /thank you/i);
}

/** Another secret, another body, an old time, no signature: nothing is believed. */
async function refuseForged(world) {
  const sale = await buy(world);
  const event = completedEvent({ ...sale.checkout, state: 'COMPLETED' });
  const other = { ...world, secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` };
  const tooOld = Math.floor(Date.now() / 1000) - 3600;
  const forged = [
    send(other, event),
    send(world, event, { sentBody: `${JSON.stringify(event)} ` }),
    send(world, event, { timestamp: tooOld }),
    fetch(`${world.shop.url}${world.shop.hook}`, { method: 'POST', body: JSON.stringify(event) }),
  ];
  for (const { status } of await Promise.all(forged)) {
    assert.ok(status >= 400 && status < 500, `a forged webhook was answered ${status}`);
  }
  // Whoever has the secret can sign anything. The shop asks the service before it ships.
  await send(world, event);
  assert.equal(await stateOf(world, sale), 'open');
  assert.equal(shipments(world, sale), 0);
}

/** A checkout that is paid pays no other order. */
async function refuseOthers(world) {
  const [mine, other] = [await buy(world), await buy(world)];
  const paid = await pay(world, other);
  await until(async () => (await stateOf(world, other)) === 'paid');
  await send(world, completedEvent({ ...paid, meta: mine.checkout.meta }));
  await comeBack(world, mine, paid.id);
  assert.equal(await stateOf(world, mine), 'open', 'the checkout of another order paid it');
  assert.equal(shipments(world, mine), 0);
}

/** One of a smaller amount or in another currency that names the order does not pay it. */
async function ignoreWhatIsLess(world) {
  const sale = await buy(world);
  for (const [billingCurrency, netAmount] of [
    ['EUR', '5.00'],
    ['TRY', '19.90'],
  ]) {
    const { id } = await world.quittance.checkout.create({
      charge: { billingCurrency, lineItems: [{ description: 'Less', netAmount }] },
      meta: sale.checkout.meta,
    });
    const paid = await world.quittance.sandbox.payAndConfirm(id, { network: 'LITECOIN' });
    assert.equal(paid.state, 'COMPLETED');
    await send(world, completedEvent(paid));
    await comeBack(world, sale, id);
  }
  assert.equal(await stateOf(world, sale), 'open');
}

export async function buy({ shop, quittance }) {
  const answer = await fetch(`${shop.url}${shop.buy}`, { method: 'POST', redirect: 'manual' });
  assert.ok([302, 303, 307].includes(answer.status), `POST ${shop.buy}: ${answer.status}`);
  const url = answer.headers.get('location');
  const { items } = await quittance.checkout.list({ limit: 20 }).first();
  const checkout = items.find(({ hostedCheckoutUrl }) => hostedCheckoutUrl === url);
  assert.ok(checkout !== undefined, `redirected to ${url}, which is no hosted checkout`);
  return { checkout, order: String(checkout.meta.order) };
}

export async function pay({ quittance }, { checkout }) {
  const paid = await quittance.sandbox.payAndConfirm(checkout.id, { network: 'LITECOIN' });
  return paid.state === 'COMPLETED' ? paid : await quittance.checkout.waitUntil(checkout.id);
}

function comeBack({ shop }, { checkout }, checkoutId = checkout.id) {
  const url = new URL(checkout.payload.links.returnUrl);
  assert.equal(url.origin, shop.url);
  url.searchParams.set('checkoutId', checkoutId);
  return fetch(url);
}

export async function stateOf({ shop }, { order }) {
  const answer = await fetch(`${shop.url}/orders/${order}`);
  assert.equal(answer.status, 200, `GET /orders/${order}`);
  return (await answer.json()).state;
}

function shipments({ shop }, { order }) {
  return shop
    .said()
    .split('\n')
    .filter((line) => line.includes(`ship order ${order}`)).length;
}

/** The webhook of the service itself has been answered. */
async function isDelivered({ quittance }, { checkout }) {
  const { items } = await quittance.events.list({ type: 'CHECKOUT_COMPLETED', limit: 20 }).first();
  const event = items.find(({ data }) => data.checkout?.id === checkout.id);
  return event?.deliveries.some(({ state }) => state === 'DELIVERED') === true;
}

/** As the service sends it, signed with the secret of `world`. */
function send({ shop, secret }, event, options) {
  return sendWebhook(`${shop.url}${shop.hook}`, event, secret, options);
}

export async function until(isSo) {
  const endsAt = Date.now() + patienceSeconds * 1000;
  while (!(await isSo())) {
    if (Date.now() > endsAt) throw new Error(`not within ${patienceSeconds} s: ${isSo}`);
    await wait(200);
  }
}
