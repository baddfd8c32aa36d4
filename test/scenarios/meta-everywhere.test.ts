// service.md: `meta` is echoed in webhook payloads and API responses that reference the checkout.
// First every documented answer and event, then what they hold.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allowAddress } from '#access/allow-list.ts';
import { inlineReferences } from '#api/inline-references.ts';
import { openApiDocument } from '#api/openapi-document.ts';
import { ROUTES } from '#api/routes.ts';
import { chainOf } from '#catalog/chain.ts';
import { sql } from '#db/db.ts';
import { parseExactJson, stringifyExact } from '#money/exact-json.ts';
import { paySandbox } from '#networks/sandbox/pay-sandbox.ts';
import { refundsOf } from '#refund/refunds-of.ts';
import { settleSuspense } from '#settle/settle-suspense.ts';
import { actOnSuspense } from '#suspense/act-on-suspense.ts';
import { returnsOf } from '#suspense/return-suspense.ts';
import { fundMerchant } from '#test/support/fund-merchant.ts';
import { settleSandbox } from '#test/support/settle-sandbox.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';
import { runTransfers } from '#transfer/run-transfers.ts';

const ISSUER = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const PAYER = 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0';
/** A number that no float holds keeps its digits. */
const META = '{"order":1000000000000000000000001,"rate":1.50,"note":"Grüße"}';
const charge = { billingCurrency: 'EUR', lineItems: [{ description: 'Book', netAmount: '23' }] };

let api: TestApi;
before(async () => {
  api = await openTestApi({ simulated: true });
  const owner = { merchantId: api.merchantId, environment: 'test' } as const;
  await allowAddress(api.app, owner, { use: 'withdrawals', address: '127.0.0.1' });
  const funds = { merchantId: api.merchantId, occurredAt: api.clock.now() };
  await fundMerchant(api.db, { ...funds, assetId: 'LTC:NATIVE', units: 10n ** 9n, cause: 'LTC' });
  await settleSandbox(api.app);
});
after(() => api.close());

type Node = { readonly [name: string]: unknown };
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Every object in the tree that names a checkout, with where it stands. */
function* namingCheckout(value: unknown, at: string): Generator<[at: string, node: Node]> {
  if (!isNode(value)) return;
  for (const [name, child] of Object.entries(value)) {
    // What a checkout was created with is shown as it came.
    if (name === 'payload' || name === 'meta') continue;
    const isCheckout = name === 'checkout' || (at.endsWith('/checkouts') && /^\d+$/.test(name));
    // Its refunds name it too, and stand within it.
    if (isNode(child) && isCheckout) yield [`${at}/${name}`, child];
    else yield* namingCheckout(child, `${at}/${name}`);
  }
  if (value.checkoutId !== undefined && value.checkoutId !== null) yield [at, value];
}

/** Every object of a schema that may name a checkout. */
function* namingSchemas(value: unknown, at: string): Generator<[at: string, properties: Node]> {
  if (!isNode(value)) return;
  for (const [name, child] of Object.entries(value)) {
    const isInside = name === 'refunds' && at.includes('/checkout');
    if (!isInside) yield* namingSchemas(child, `${at}/${name}`);
  }
  const { properties } = value;
  if (!isNode(properties)) return;
  if (properties.checkoutId !== undefined) yield [at, properties];
  const { checkout } = properties;
  if (isNode(checkout) && isNode(checkout.properties))
    yield [`${at}/checkout`, checkout.properties];
}

test('every documented answer and event that names a checkout has its meta', () => {
  const { paths, webhooks } = inlineReferences(openApiDocument(ROUTES, 'http://pay.example'));
  const answers = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, one]) => [`${method} ${path}`, one.responses[200]]),
  );
  const all = Object.fromEntries([...answers, ...Object.entries(webhooks)]);
  const found = [...namingSchemas(all, '')];
  assert.ok(found.length > 20, `only ${found.length} were found`);
  const without = found.filter(([, properties]) => properties.meta === undefined);
  assert.deepEqual(
    without.map(([at]) => at),
    [],
  );
});

/** Calls, and looks at every object of the answer that names a checkout. */
async function call(method: string, path: string, body?: object | string, query = '') {
  // A signature that moves money is good for one call.
  await api.clock.advance(1_000);
  const called = await api.call(method, path, { ...(body === undefined ? {} : { body }), query });
  assert.equal(called.status, 200, `${method} ${path}: ${called.text}`);
  const exact = parseExactJson(called.text);
  assert.ok(exact.ok);
  let count = 0;
  for (const [at, node] of namingCheckout(exact.value, `${method} ${path}`)) {
    // A report is a table of texts.
    const meta = typeof node.meta === 'string' ? node.meta : stringifyExact(node.meta);
    assert.equal(meta, META, at);
    count += 1;
  }
  assert.ok(count > 0, `${method} ${path} names no checkout: ${called.text}`);
  return called.json;
}

async function create(path = '/checkout'): Promise<string> {
  const body = `{"charge":${JSON.stringify(charge)},"meta":${META}}`;
  const made = await api.call('POST', path, { body });
  assert.equal(made.status, 200, made.text);
  assert.ok(made.text.includes(META), made.text);
  return String(made.json.id);
}

async function pay(checkoutId: string, more: object): Promise<void> {
  const paid = await api.call('POST', '/sandbox/pay', { body: { checkoutId, ...more } });
  assert.equal(paid.status, 200, paid.text);
  await mine();
}

async function mine(): Promise<void> {
  for (const network of ['LITECOIN', 'STELLAR']) {
    await api.call('POST', '/sandbox/mine', { body: { network, blocks: 4 } });
  }
  await settleSandbox(api.app);
}

test('what came of checkouts echoes their meta digit for digit, in answers and events', async () => {
  await refundOfLostPayment(await create());
  const paid = await create('/checkout/hosted');
  await call('POST', '/checkout/commit', { checkoutId: paid, network: 'LITECOIN' });
  await pay(paid, { network: 'LITECOIN' });
  const cancelled = await create();
  await call('POST', '/checkout/cancel', { checkoutId: cancelled });
  const expired = await create();
  await call('POST', '/sandbox/expire', { checkoutId: expired });
  const accepted = await create();
  await pay(accepted, { network: 'LITECOIN', amount: '0.1' });
  await call('POST', '/checkout/accept-underpaid', { checkoutId: accepted });
  const refund = { checkoutId: paid, kind: 'amount', amount: '0.01' };
  const made = await call('POST', '/refund', { ...refund, address: PAYER });
  await resolveMisdirected(await create());
  const app = { ...api.app, refunds: refundsOf(api.app), returns: returnsOf(api.app) };
  for (let step = 0; step < 6; step += 1) {
    await runTransfers(app);
    await mine();
    await api.clock.advance(3_000);
  }
  await call('GET', '/refund', undefined, `?id=${made.refund?.id}`);
  await call('GET', '/refunds');
  await call('GET', '/suspense');
  await call('GET', '/checkouts');
  await call('GET', '/checkout', undefined, `?id=${paid}`);
  await call('GET', '/reports/taxes');
  const { events } = await call('GET', '/events', undefined, '?limit=250');
  const types = new Set((events as unknown as { eventType: string }[]).map((one) => one.eventType));
  for (const type of ['REFUND_COMPLETED', 'REFUND_FAILED', 'SUSPENSE_RESOLVED']) {
    assert.ok(types.has(type), `no ${type} was told: ${[...types]}`);
  }
  const settled = await api.call('GET', '/reports/settlements');
  assert.ok(settled.text.includes(JSON.stringify(META)), settled.text);
});

/** The chain takes back the payment before the refund is sent. */
async function refundOfLostPayment(checkoutId: string): Promise<void> {
  await pay(checkoutId, { network: 'LITECOIN' });
  await call('POST', '/refund', { checkoutId, kind: 'full', address: PAYER });
  const reorganised = { network: 'LITECOIN', depth: 4 };
  await api.call('POST', '/sandbox/reorg', { body: reorganised });
  await settleSandbox(api.app);
}

/** Paid in another asset than asked for; the operator gives it to the merchant. */
async function resolveMisdirected(checkoutId: string): Promise<void> {
  const way = { checkoutId, network: 'STELLAR', asset: 'XLM:NATIVE' };
  await call('POST', '/checkout/commit', way);
  const [asked] = await api.db.query<{ destination: string }>(
    sql`select destination from deposit_instruction where purpose_id = ${checkoutId}`,
  );
  const chain = chainOf('test', 'STELLAR');
  const output = { destination: asked?.destination ?? '', assetId: `USDC:${ISSUER}` };
  await paySandbox(api.app, { chain, outputs: [{ ...output, units: 50_000_000n }] });
  await mine();
  while ((await settleSuspense(api.app, chain)) > 0);
  const [held] = await api.db.query<{ id: bigint }>(sql`select id from suspense`);
  assert.ok(held !== undefined, 'what came in the wrong asset is in suspense');
  const { merchantId } = api;
  const who = { actor: 'ann', reason: 'the customer wrote to us' };
  await actOnSuspense(api.app, { id: held.id, kind: 'ASSIGN', merchantId, ...who });
}
