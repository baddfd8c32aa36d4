// Routes that are paid for by HTTP 402, against a service of two maps: what is asked for, what one
// signature pays for, and how many checkouts those who never pay can have.
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { paidExpress, paidFetch, X402, type X402Options } from '../src/x402/index.ts';

const PRICE = { amount: '0.25', currency: 'USDC' };
const ROUTE = 'https://shop.example/weather?day=monday';
type Told = Readonly<Record<string, unknown>>;
type Required = { readonly error: string; readonly accepts: readonly Told[] };

const encodeJson = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64');
const decodeJson = (text: string): unknown => JSON.parse(Buffer.from(text, 'base64').toString());

let metas: Map<string, unknown>;
let settled: unknown[];
let outcome: Told;
let state: string;

beforeEach(() => {
  metas = new Map();
  settled = [];
  outcome = { success: true, transaction: '0xabc', network: 'eip155:1', payer: '0xdef' };
  state = 'AWAITING_PAYMENT';
});

/** Answers as the service does, without chain and money. */
function answer(path: string, id: string, body: Told): Told | undefined {
  if (path === '/api/v1/time') return { time: 0 };
  if (path === '/x402/settle') {
    settled.push(body.paymentRequirements);
    return outcome;
  }
  if (path === '/api/v1/checkout' && id === '') {
    const made = `checkout${1000 + metas.size}`;
    metas.set(made, body.meta);
    return { id: made };
  }
  if (path === '/api/v1/checkout/commit') return {};
  if (!metas.has(id)) return undefined;
  if (path === '/api/v1/checkout') return { checkout: { id, state, meta: metas.get(id) } };
  return { accepts: [acceptsOf(id)] };
}

function acceptsOf(checkoutId: string): Told {
  const chosen = { scheme: 'exact', network: 'eip155:1', asset: '0xa', amount: '250000' };
  return { ...chosen, payTo: `0x${checkoutId}`, maxTimeoutSeconds: 3_600, extra: { checkoutId } };
}

async function transport(asked: string, init: RequestInit): Promise<Response> {
  const { pathname, searchParams } = new URL(asked);
  const body = typeof init.body === 'string' ? (JSON.parse(init.body) as Told) : {};
  const id = searchParams.get('id') ?? pathname.match(/^\/x402\/requirements\/(.+)$/)?.[1] ?? '';
  const told = answer(pathname, id, body);
  return Response.json(told ?? { errors: ['missing'] }, { status: told === undefined ? 404 : 200 });
}

let seconds = 0;
function openX402(more: Partial<X402Options> = {}): X402 {
  const clock = { now: () => seconds, sleep: () => Promise.resolve() };
  const key = { key: 'abcdefghijkl', secret: 'a-secret', baseUrl: 'https://pay.example' };
  return new X402({ ...key, network: 'ETHEREUM', asset: 'USDC:0xa', transport, clock, ...more });
}

const served = (_: Request, { checkoutId }: { readonly checkoutId: string }) =>
  Response.json({ checkoutId });

function routeOf(price = PRICE, x402 = openX402()) {
  const handler = paidFetch(x402, price, served);
  return (url = ROUTE, signature?: string, init: RequestInit = {}) => {
    const headers: HeadersInit = signature === undefined ? {} : { 'payment-signature': signature };
    return handler(new Request(url, { ...init, headers }));
  };
}

/** As an agent does: what was asked for comes back as `accepted`. */
async function signatureFor(response: Response): Promise<string> {
  const { accepts } = (await response.json()) as Required;
  return encodeJson({ x402Version: 2, accepted: accepts[0], payload: { signature: '0x' } });
}

test('a request that is not paid for is told what it costs, in the header and in the body', async () => {
  const response = await routeOf()();
  assert.equal(response.status, 402);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const body = await response.json();
  assert.deepEqual(body, {
    x402Version: 2,
    error: 'payment required',
    resource: { url: ROUTE },
    accepts: [acceptsOf('checkout1000')],
  });
  assert.deepEqual(decodeJson(response.headers.get('payment-required') ?? ''), body);
});

test('what is signed is settled by what the service asks for, and then it is served', async () => {
  const route = routeOf();
  const signature = await signatureFor(await route());
  const response = await route(ROUTE, signature);
  assert.deepEqual(await response.json(), { checkoutId: 'checkout1000' });
  assert.equal(response.headers.get('cache-control'), 'private');
  assert.deepEqual(decodeJson(response.headers.get('payment-response') ?? ''), outcome);
  assert.deepEqual(settled, [acceptsOf('checkout1000')]);
  state = 'COMPLETED';
  assert.equal((await route(ROUTE, signature)).status, 200, 'who lost the answer asks again');
});

test('it pays for no other address, method, body, price or shop, and is not settled there', async () => {
  const route = routeOf();
  const signature = await signatureFor(
    await route(ROUTE, undefined, { method: 'POST', body: 'a' }),
  );
  const post = { method: 'POST', body: 'a' };
  const refused = [
    await route('https://shop.example/weather?day=tuesday', signature, post),
    await route(ROUTE, signature),
    await route(ROUTE, signature, { ...post, body: 'b' }),
    await routeOf({ ...PRICE, amount: '0.26' })(ROUTE, signature, post),
    await routeOf(PRICE, openX402({ secret: 'another' }))(ROUTE, signature, post),
  ];
  for (const response of refused) {
    assert.equal(response.status, 402);
    const { error, accepts } = (await response.json()) as Required;
    assert.equal(error, 'this was signed for another resource');
    assert.notEqual(accepts[0]?.payTo, '0xcheckout1000');
  }
  assert.deepEqual(settled, []);
  assert.equal((await route(ROUTE, signature, post)).status, 200);
});

test('what is no payment is asked for one, and nothing is settled', async () => {
  const strange = [
    '%',
    'aGVsbG8=',
    encodeJson({ x402Version: 1, accepted: acceptsOf('checkout1000') }),
    encodeJson({ x402Version: 2, accepted: { extra: { checkoutId: '../../api/v1' } } }),
    encodeJson({ x402Version: 2, accepted: acceptsOf('nothing00000') }),
  ];
  for (const signature of strange) assert.equal((await routeOf()(ROUTE, signature)).status, 402);
  assert.deepEqual(settled, []);
});

test('a payment that fails can be signed again for the same checkout, as long as it is open', async () => {
  const route = routeOf();
  const signature = await signatureFor(await route());
  outcome = { success: false, errorReason: 'insufficient_funds', transaction: '', network: '' };
  const response = await route(ROUTE, signature);
  assert.equal(response.status, 402);
  assert.deepEqual(decodeJson(response.headers.get('payment-response') ?? ''), outcome);
  const { error, accepts } = (await response.json()) as Required;
  assert.equal(error, 'insufficient_funds');
  assert.deepEqual(accepts, [acceptsOf('checkout1000')]);
  state = 'CANCELLED';
  const later = (await (await route(ROUTE, signature)).json()) as Required;
  assert.deepEqual(later.accepts, [acceptsOf('checkout1001')]);
});

test('a payment that waits for its block is served to whoever sends it again', async () => {
  const route = routeOf();
  const signature = await signatureFor(await route());
  outcome = { ...outcome, success: false, errorReason: 'settlement_pending' };
  const response = await route(ROUTE, signature);
  assert.equal(response.status, 503);
  assert.equal(response.headers.get('retry-after'), '5');
  outcome = { ...outcome, success: true };
  assert.equal((await route(ROUTE, signature)).status, 200);
});

test('those who never pay get so many checkouts in a minute and no more', async () => {
  const route = routeOf(PRICE, openX402({ checkoutsPerMinute: 2 }));
  const statuses = async () => [await route(), await route(), await route()].map((r) => r.status);
  assert.deepEqual(await statuses(), [402, 402, 503]);
  assert.equal(metas.size, 2);
  seconds += 30;
  assert.deepEqual(await statuses(), [402, 503, 503]);
});

test('a service that does not answer is no payment, and no reason to pay again', async () => {
  const away = openX402({ transport: () => Promise.reject(new Error('away')) });
  assert.equal((await routeOf(PRICE, away)()).status, 503);
});

test('Express is answered the same, and finds the payment beside the answer', async () => {
  const middleware = paidExpress(openX402(), PRICE);
  const ask = async (signature?: string) => {
    const said = { status: 200, headers: new Headers(), body: {}, isNext: false };
    const response = {
      locals: {} as Record<string, unknown>,
      status: (code: number) => {
        said.status = code;
        return response;
      },
      set: (name: string, value: string) => said.headers.set(name, value),
      json: (body: object) => Object.assign(said, { body }),
    };
    const request = {
      ...{ method: 'POST', protocol: 'https', originalUrl: '/weather', body: { day: 1 } },
      get: (name: string) => (name === 'host' ? 'shop.example' : signature),
    };
    await middleware(request, response, () => {
      said.isNext = true;
    });
    return { ...said, payment: response.locals.payment as { readonly checkoutId: string } };
  };
  const unpaid = await ask();
  assert.deepEqual([unpaid.status, unpaid.isNext], [402, false]);
  const { accepts } = unpaid.body as Required;
  const paid = await ask(encodeJson({ x402Version: 2, accepted: accepts[0], payload: {} }));
  assert.deepEqual([paid.status, paid.isNext], [200, true]);
  assert.equal(paid.payment.checkoutId, 'checkout1000');
  assert.ok(paid.headers.has('payment-response'));
});
