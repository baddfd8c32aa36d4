// A merchant sets Medusa up over its Admin API, customers buy over its Store API, and somebody
// tries what he should not get away with.
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { Quittance } from '../../../clients/typescript/src/index.ts';
import { jsonCaller, until } from '../../test/run-shop.mjs';
import { completedEvent, sendWebhook } from '../../test/signed-webhook.mjs';

const provider = 'pp_quittance_crypto';
const prices = [
  { currency_code: 'eur', country: 'de', amount: 19.9, total: '39.8' },
  { currency_code: 'jpy', country: 'jp', amount: 1990, total: '3980' },
  { currency_code: 'bhd', country: 'bh', amount: 1.234, total: '2.468' },
];

export async function playMedusa({ origin, admin, env }) {
  const quittance = new Quittance({
    baseUrl: env.QUITTANCE_URL,
    key: env.QUITTANCE_KEY,
    secret: env.QUITTANCE_SECRET,
  });
  const ask = jsonCaller(origin);
  const { token } = await ask('POST', '/auth/user/emailpass', admin);
  const asAdmin = jsonCaller(origin, { authorization: `Bearer ${token}` });
  const shop = await openShop(asAdmin);
  const asCustomer = jsonCaller(origin, { 'x-publishable-api-key': shop.key });
  const hook = `${origin}/hooks/payment/quittance_crypto`;
  const secret = env.QUITTANCE_WEBHOOK_SECRET;
  const world = { shop, asAdmin, asCustomer, quittance, hook, secret };
  for (const story of [
    askExactAmounts,
    buyByWebhook,
    buyByReturn,
    captureOnce,
    believeNothingForged,
    keepCartsApart,
    changeTheCart,
    refundInParts,
  ]) {
    await story(world);
    console.log(`ok  ${story.name}`);
  }
}

async function openShop(asAdmin) {
  const { sales_channel: channel } = await asAdmin('POST', '/admin/sales-channels', {
    name: 'Web',
  });
  const { api_key: key } = await asAdmin('POST', '/admin/api-keys', {
    title: 'Web',
    type: 'publishable',
  });
  await asAdmin('POST', `/admin/api-keys/${key.id}/sales-channels`, { add: [channel.id] });
  const regions = {};
  for (const { currency_code, country } of prices) {
    const { region } = await asAdmin('POST', '/admin/regions', {
      name: currency_code,
      currency_code,
      countries: [country],
      payment_providers: [provider],
    });
    regions[currency_code] = region.id;
  }
  const { product } = await asAdmin('POST', '/admin/products', {
    title: 'A good book',
    status: 'published',
    options: [{ title: 'Cover', values: ['Paper'] }],
    variants: [
      {
        title: 'Paper',
        options: { Cover: 'Paper' },
        manage_inventory: false,
        prices: prices.map(({ currency_code, amount }) => ({ currency_code, amount })),
      },
    ],
    sales_channels: [{ id: channel.id }],
  });
  const { id: variant } = product.variants[0];
  return { key: key.token, channel: channel.id, regions, variant };
}

/** With no, two and three digits after the point, what Medusa says is what is charged. */
async function askExactAmounts(world) {
  for (const { currency_code, total } of prices) {
    const { session, checkout } = await begin(world, { currency: currency_code });
    assert.equal(session.data.total, total);
    assert.equal(checkout.total, total);
    assert.equal(checkout.billingCurrency, currency_code.toUpperCase());
  }
}

async function buyByWebhook(world) {
  const sale = await begin(world);
  await assert.rejects(complete(world, sale), /not authorized/);
  await pay(world, sale);
  await checkOrder(world, sale);
}

async function buyByReturn(world) {
  const sale = await begin(world);
  await pay(world, sale);
  const { type } = await complete(world, sale);
  assert.equal(type, 'order');
  await checkOrder(world, sale);
}

/** Four webhooks and two returns at the same moment. */
async function captureOnce(world) {
  const sale = await begin(world);
  const event = completedEvent(await pay(world, sale));
  const send = () => sendWebhook(world.hook, event, world.secret);
  await Promise.all([
    ...[send(), send(), send(), send()],
    ...[1, 2].map(() => complete(world, sale).catch(() => undefined)),
  ]);
  await wait(5_000);
  await checkOrder(world, sale);
}

async function believeNothingForged(world) {
  const sale = await begin(world);
  const event = completedEvent({ ...sale.checkout, state: 'COMPLETED' });
  const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const timestamp = Math.floor(Date.now() / 1000) - 3600;
  await sendWebhook(world.hook, event, other);
  await sendWebhook(world.hook, event, world.secret, { timestamp });
  await sendWebhook(world.hook, event, world.secret, { sentBody: `${JSON.stringify(event)} ` });
  await fetch(world.hook, { method: 'POST', body: JSON.stringify(event) });
  // Even who has the secret: the service is asked.
  await sendWebhook(world.hook, event, world.secret);
  await wait(5_000);
  assert.deepEqual(await ordersOf(world, sale), []);
}

/** A checkout that is paid, and names the session of another cart, pays that cart as little. */
async function keepCartsApart(world) {
  const sale = await begin(world);
  const meta = { session_id: sale.session.id };
  for (const [billingCurrency, netAmount] of [
    ['EUR', '39.80'],
    ['EUR', '0.40'],
    ['TRY', '39.80'],
  ]) {
    const { id } = await world.quittance.checkout.create({
      charge: { billingCurrency, lineItems: [{ description: 'Less', netAmount }] },
      meta,
    });
    const paid = await world.quittance.sandbox.payAndConfirm(id, { network: 'LITECOIN' });
    await sendWebhook(world.hook, completedEvent(paid), world.secret);
  }
  await wait(5_000);
  await assert.rejects(complete(world, sale), /not authorized/);
  assert.deepEqual(await ordersOf(world, sale), []);
}

/**
 * Another total is another checkout. Of a cart that money was seen for, nothing changes any more.
 */
async function changeTheCart(world) {
  const sale = await begin(world);
  await addItem(world, sale.cart, 1);
  const before = await world.quittance.checkout.get(sale.checkout.id);
  assert.equal(before.state, 'CANCELLED');
  const next = await openSession(world, sale.cart);
  assert.equal(next.checkout.total, '59.7');
  await pay(world, next);
  await checkOrder(world, next);
  const begun = await begin(world);
  const part = { network: 'LITECOIN', amount: '0.01' };
  const { state } = await world.quittance.sandbox.payAndConfirm(begun.checkout.id, part);
  assert.equal(state, 'UNDERPAID');
  await assert.rejects(addItem(world, begun.cart, 1), /Could not delete all payment sessions/);
  const { cart } = await world.asCustomer('GET', `/store/carts/${begun.cart.id}`);
  assert.equal(String(cart.total), begun.checkout.total);
}

async function refundInParts(world) {
  const sale = await begin(world);
  await pay(world, sale);
  const { id } = await checkOrder(world, sale);
  const payment = await paymentOf(world, id);
  const refund = (amount) =>
    world.asAdmin('POST', `/admin/payments/${payment.id}/refund`, { amount });
  await refund(9.95);
  await refund(29.85);
  await assert.rejects(refund(0.01), /is left/);
  await assert.rejects(refund(1), /refund more than/);
  const checkout = await world.quittance.checkout.get(sale.checkout.id);
  const shares = checkout.refunds.map(({ amount, state }) => `${amount} ${state}`);
  assert.equal(shares.length, 2, shares.join());
  for (const made of checkout.refunds) assert.equal(made.state, 'AWAITING_ADDRESS');
  const [last, first] = checkout.refunds.map(({ amount }) => Number(amount)).sort((a, b) => b - a);
  assert.ok(Math.abs(last / first - 3) < 1e-6, shares.join());
  assert.ok(last + first <= Number(checkout.sourceAmountReceived));
  const { data } = await paymentOf(world, id);
  assert.equal(data.refunds.length, 2);
  assert.match(data.refunds[0].claimUrl, /^http/);
}

async function begin(world, { currency = 'eur' } = {}) {
  const { shop, asCustomer } = world;
  const { cart } = await asCustomer('POST', '/store/carts', {
    region_id: shop.regions[currency],
    sales_channel_id: shop.channel,
    email: 'buyer@shop.example',
    items: [{ variant_id: shop.variant, quantity: 2 }],
  });
  return await openSession(world, cart);
}

async function addItem({ shop, asCustomer }, cart, quantity) {
  const item = { variant_id: shop.variant, quantity };
  await asCustomer('POST', `/store/carts/${cart.id}/line-items`, item);
}

async function openSession({ asCustomer, quittance }, cart) {
  const { payment_collection: collection } = await asCustomer(
    'POST',
    '/store/payment-collections',
    { cart_id: cart.id },
  );
  const { payment_collection: opened } = await asCustomer(
    'POST',
    `/store/payment-collections/${collection.id}/payment-sessions`,
    { provider_id: provider },
  );
  const session = opened.payment_sessions.find(({ provider_id }) => provider_id === provider);
  const checkout = await quittance.checkout.get(session.data.checkoutId);
  assert.equal(checkout.hostedCheckoutUrl, session.data.url);
  assert.equal(checkout.meta.session_id, session.id);
  return { cart, session, checkout };
}

/** What the storefront does when the customer comes back. */
function complete({ asCustomer }, { cart }) {
  return asCustomer('POST', `/store/carts/${cart.id}/complete`, {});
}

async function pay({ quittance }, { checkout }) {
  const paid = await quittance.sandbox.payAndConfirm(checkout.id, { network: 'LITECOIN' });
  return paid.state === 'COMPLETED' ? paid : await quittance.checkout.waitUntil(checkout.id);
}

/** One order, captured once, for the whole total. */
async function checkOrder(world, sale) {
  const isThere = async () => {
    const [order] = await ordersOf(world, sale);
    return order?.payment_status === 'captured' ? order : undefined;
  };
  const order = await until('the order is captured', isThere);
  assert.equal((await ordersOf(world, sale)).length, 1);
  const { captures, amount } = await paymentOf(world, order.id);
  assert.equal(captures.length, 1);
  assert.equal(captures[0].amount, amount);
  assert.equal(amount, order.total);
  assert.equal(String(amount), sale.checkout.total);
  return order;
}

async function ordersOf({ asAdmin }, { session }) {
  const fields = 'id,total,payment_status,payment_collections.payment_sessions.id';
  const { orders } = await asAdmin('GET', `/admin/orders?limit=100&fields=${fields}`);
  return orders.filter(({ payment_collections: collections }) =>
    collections.some(({ payment_sessions: sessions }) =>
      sessions?.some(({ id }) => id === session.id),
    ),
  );
}

async function paymentOf({ asAdmin }, orderId) {
  const fields = 'payment_collections.payments.*,payment_collections.payments.captures.*';
  const { order } = await asAdmin('GET', `/admin/orders/${orderId}?fields=${fields}`);
  const [payment] = order.payment_collections.flatMap(({ payments }) => payments);
  return payment;
}
