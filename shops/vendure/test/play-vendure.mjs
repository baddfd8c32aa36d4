// A merchant sets Vendure up over its Admin API, customers buy over its Shop API, and somebody
// tries what he should not get away with.
import assert from 'node:assert/strict';
import { Quittance } from '../../../clients/typescript/src/index.ts';
import { until } from '../../test/run-shop.mjs';
import { completedEvent, sendWebhook } from '../../test/signed-webhook.mjs';
import { caller, FAULT, logIn, openShop, prices } from './ask-vendure.mjs';

const payerAddress = 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0';

export async function playVendure({ origin, env }) {
  const quittance = new Quittance({
    baseUrl: env.QUITTANCE_URL,
    key: env.QUITTANCE_KEY,
    secret: env.QUITTANCE_SECRET,
  });
  const asAdmin = await logIn(origin, env);
  const variant = await openShop(asAdmin);
  const hook = `${origin}/quittance/webhook`;
  const secret = env.QUITTANCE_WEBHOOK_SECRET;
  const world = { origin, asAdmin, variant, quittance, hook, secret };
  for (const story of [
    askExactAmounts,
    buyByWebhook,
    buyByReturn,
    settleOnce,
    believeNothingForged,
    keepOrdersApart,
    changeTheOrder,
    refundInParts,
  ]) {
    await story(world);
    console.log(`ok  ${story.name}`);
  }
}

/** With currencies of no, two and three digits, what Vendure says is what is charged. */
async function askExactAmounts(world) {
  for (const { currencyCode, total } of prices) {
    const { checkout } = await begin(world, { currency: currencyCode });
    assert.equal(checkout.total, total);
    assert.equal(checkout.billingCurrency, currencyCode);
  }
}

async function buyByWebhook(world) {
  const sale = await begin(world);
  assert.equal((await orderOf(world, sale)).state, 'ArrangingPayment');
  await pay(world, sale);
  await checkOrder(world, sale);
}

async function buyByReturn(world) {
  const sale = await begin(world);
  const early = await comeBack(world, sale);
  assert.equal(early.status, 303);
  assert.equal((await orderOf(world, sale)).state, 'ArrangingPayment');
  await pay(world, sale);
  const { status, headers } = await comeBack(world, sale);
  assert.equal(status, 303);
  assert.ok(headers.get('location').endsWith(`order=${sale.code}`));
  assert.equal((await orderOf(world, sale)).state, 'PaymentSettled');
  await checkOrder(world, sale);
}

/** Four webhooks and two returns at the same moment. */
async function settleOnce(world) {
  const sale = await begin(world);
  const event = completedEvent(await pay(world, sale));
  const send = () => sendWebhook(world.hook, event, world.secret);
  const back = () => comeBack(world, sale);
  const answers = await Promise.all([send(), back(), send(), send(), back(), send()]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [204, 303, 204, 204, 303, 204],
  );
  assert.equal((await send()).status, 204);
  await checkOrder(world, sale);
}

async function believeNothingForged(world) {
  const sale = await begin(world);
  const event = completedEvent({ ...sale.checkout, state: 'COMPLETED' });
  const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const timestamp = Math.floor(Date.now() / 1000) - 3600;
  const sentBody = `${JSON.stringify(event)} `;
  for (const answer of [
    await sendWebhook(world.hook, event, other),
    await sendWebhook(world.hook, event, world.secret, { timestamp }),
    await sendWebhook(world.hook, event, world.secret, { sentBody }),
    await fetch(world.hook, { method: 'POST', body: JSON.stringify(event) }),
  ]) {
    assert.equal(answer.status, 400);
  }
  // Even who has the secret: the service is asked.
  assert.equal((await sendWebhook(world.hook, event, world.secret)).status, 204);
  assert.equal((await orderOf(world, sale)).state, 'ArrangingPayment');
  assert.equal((await orderOf(world, sale)).payments.length, 0);
}

/**
 * Neither a checkout of another order, nor one that only names this order, nor a customer's own
 * word.
 */
async function keepOrdersApart(world) {
  const [mine, other] = [await begin(world), await begin(world)];
  const paid = await pay(world, other);
  await checkOrder(world, other);
  await sendWebhook(
    world.hook,
    completedEvent({ ...paid, meta: mine.checkout.meta }),
    world.secret,
  );
  for (const [billingCurrency, netAmount] of [
    ['EUR', '39.80'],
    ['EUR', '0.40'],
    ['TRY', '39.80'],
  ]) {
    const { id } = await world.quittance.checkout.create({
      charge: { billingCurrency, lineItems: [{ description: 'Less', netAmount }] },
      meta: mine.checkout.meta,
    });
    const less = await world.quittance.sandbox.payAndConfirm(id, { network: 'LITECOIN' });
    await sendWebhook(world.hook, completedEvent(less), world.secret);
    assert.equal((await comeBack(world, { checkout: less })).status, 404);
  }
  for (const metadata of [{ checkoutId: paid.id }, { claim: paid.id }, {}]) {
    await assert.rejects(
      mine.asCustomer(
        `mutation ($input: PaymentInput!) {
          addPaymentToOrder(input: $input) { ... on Order { id } ${FAULT} }
        }`,
        { input: { method: 'crypto', metadata } },
      ),
      /PAYMENT_DECLINED_ERROR/,
    );
  }
  const { state } = await orderOf(world, mine);
  assert.equal(state, 'ArrangingPayment');
}

/** Another total is another checkout; the same total is the same one. */
async function changeTheOrder(world) {
  const sale = await begin(world);
  const again = await openCheckout(world, sale);
  assert.equal(again.checkout.id, sale.checkout.id);
  await transition(sale, 'AddingItems');
  await addItem(world, sale, 1);
  await transition(sale, 'ArrangingPayment');
  const next = await openCheckout(world, sale);
  assert.equal(next.checkout.total, '59.7');
  const before = await world.quittance.checkout.get(sale.checkout.id);
  assert.equal(before.state, 'CANCELLED');
  await pay(world, next);
  await checkOrder(world, next);
}

async function refundInParts(world) {
  const sale = await begin(world);
  await pay(world, sale);
  const { id, payments } = await checkOrder(world, sale);
  const refund = (amount) =>
    world.asAdmin(
      `mutation ($input: RefundOrderInput!) {
        refundOrder(input: $input) {
          ... on Refund { id state total transactionId metadata } ${FAULT}
        }
      }`,
      {
        input: {
          lines: [],
          shipping: 0,
          adjustment: 0,
          amount,
          paymentId: payments[0].id,
          reason: 'back',
        },
      },
    );
  const quarter = await refund(995);
  assert.equal(quarter.state, 'Pending');
  assert.match(quarter.metadata.claimUrl, /^http/);
  const rest = await refund(2985);
  assert.ok(Math.abs(Number(rest.metadata.amount) / Number(quarter.metadata.amount) - 3) < 1e-6);
  await assert.rejects(refund(1), /REFUND_AMOUNT_ERROR/);
  const { refunds } = await world.quittance.checkout.get(sale.checkout.id);
  assert.equal(refunds.length, 2);
  await claimRefund(world, quarter);
  const isSettled = async () =>
    (await refundsOf(world, id)).find(({ state }) => state === 'Settled') ?? undefined;
  const settled = await until('the refund that was claimed is settled', isSettled);
  assert.equal(settled.total, 995);
  assert.equal((await refundsOf(world, id)).filter(({ state }) => state === 'Pending').length, 1);
}

async function begin(world, { currency = 'EUR' } = {}) {
  const ask = caller(world.origin, 'shop-api');
  const asCustomer = (query, variables) => ask(query, variables, { currency });
  const sale = { asCustomer };
  await addItem(world, sale, 2);
  const customer = { firstName: 'A', lastName: 'Buyer', emailAddress: 'buyer@shop.example' };
  await asCustomer(
    `mutation ($input: CreateCustomerInput!) {
      setCustomerForOrder(input: $input) { ... on Order { id } ${FAULT} }
    }`,
    { input: customer },
  );
  const address = { streetLine1: 'A street 1', countryCode: 'DE' };
  await asCustomer(
    `mutation ($input: CreateAddressInput!) {
      setOrderShippingAddress(input: $input) { ... on Order { id } ${FAULT} }
    }`,
    { input: address },
  );
  const [method] = await asCustomer('{ eligibleShippingMethods { id } }');
  await asCustomer(
    `mutation ($id: [ID!]!) {
      setOrderShippingMethod(shippingMethodId: $id) { ... on Order { id } ${FAULT} }
    }`,
    { id: [method.id] },
  );
  await transition(sale, 'ArrangingPayment');
  return await openCheckout(world, sale);
}

async function addItem({ variant }, { asCustomer }, quantity) {
  await asCustomer(
    `mutation ($id: ID!, $quantity: Int!) {
      addItemToOrder(productVariantId: $id, quantity: $quantity) { ... on Order { id } ${FAULT} }
    }`,
    { id: variant, quantity },
  );
}

async function transition({ asCustomer }, state) {
  await asCustomer(
    `mutation ($state: String!) {
      transitionOrderToState(state: $state) { ... on Order { id } ${FAULT} }
    }`,
    { state },
  );
}

async function openCheckout({ quittance }, { asCustomer }) {
  const { checkoutId, url } = await asCustomer(
    'mutation { createQuittanceCheckout { checkoutId url total currency } }',
  );
  const checkout = await quittance.checkout.get(checkoutId);
  assert.equal(checkout.hostedCheckoutUrl, url);
  return { asCustomer, checkout, code: checkout.meta.order };
}

async function pay({ quittance }, { checkout }) {
  const paid = await quittance.sandbox.payAndConfirm(checkout.id, { network: 'LITECOIN' });
  return paid.state === 'COMPLETED' ? paid : await quittance.checkout.waitUntil(checkout.id);
}

function comeBack({ origin }, { checkout }) {
  const url = `${origin}/quittance/return?checkoutId=${checkout.id}`;
  return fetch(url, { redirect: 'manual' });
}

async function orderOf({ asAdmin }, { code }) {
  const { items } = await asAdmin(
    `query ($options: OrderListOptions!) {
      orders(options: $options) {
        items { id state totalWithTax payments { id state amount transactionId } }
      }
    }`,
    { options: { filter: { code: { eq: code } } } },
  );
  assert.equal(items.length, 1);
  return items[0];
}

/** Settled by one payment, of this checkout, for the whole total. */
async function checkOrder(world, sale) {
  const isSettled = async () => {
    const order = await orderOf(world, sale);
    return order.state === 'PaymentSettled' ? order : undefined;
  };
  const order = await until('the order is settled', isSettled);
  const payments = order.payments.filter(({ state }) => state === 'Settled');
  assert.equal(payments.length, 1);
  assert.equal(payments[0].amount, order.totalWithTax);
  assert.equal(payments[0].transactionId, sale.checkout.id);
  return { ...order, payments };
}

async function refundsOf({ asAdmin }, id) {
  const order = await asAdmin(
    'query ($id: ID!) { order(id: $id) { payments { refunds { id state total } } } }',
    { id },
  );
  return order.payments.flatMap(({ refunds }) => refunds);
}

/** The payer says where to, on the page of the service, and the network confirms it. */
async function claimRefund({ quittance }, { metadata, transactionId }) {
  const form = new URLSearchParams({ step: 'send', address: payerAddress });
  const { origin } = new URL(metadata.claimUrl);
  const headers = { origin, 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await fetch(metadata.claimUrl, { method: 'POST', headers, body: form });
  assert.ok(answer.ok, `claim: ${answer.status}`);
  const isOver = async () => {
    await quittance.sandbox.mine({ network: 'LITECOIN', blocks: 12 });
    const { state } = await quittance.refunds.get(transactionId);
    return state === 'COMPLETED';
  };
  await until('the refund is final', isOver);
}
