// The library over a real service: QUITTANCE_URL, QUITTANCE_KEY and QUITTANCE_SECRET say which.
// Any runtime that has node:http runs it. Every endpoint is called; the last case says so.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type * as Library from '../src/index.ts';
import type { Case, Method } from './conformance.ts';
import { check } from './play-story.ts';

export type Access = { readonly url: string; readonly key: string; readonly secret: string };

type Suite = {
  readonly library: typeof Library;
  readonly client: Library.Quittance;
  readonly access: Access;
  /** `METHOD path`, with `{id}` where one stands. */
  readonly called: Set<string>;
};

const MISSING = 'aaaaaaaaaaaa';
const charge = (netAmount: string): Library.Charge => ({
  billingCurrency: 'EUR',
  lineItems: [{ description: 'Book', netAmount }],
});

export function liveCases(
  library: typeof Library,
  access: Access,
  methods: readonly Method[],
): Case[] {
  const called = new Set<string>();
  const client = new library.Quittance({
    ...{ key: access.key, secret: access.secret, baseUrl: access.url },
    transport: (url, init) => {
      const path = new URL(url).pathname.replace('/api/v1', '');
      called.add(`${init.method} ${path.replace(/\/[a-z0-9]{12}\//, '/{id}/')}`);
      return fetch(url, init);
    },
  });
  const suite = { library, client, access, called };
  const cases: Readonly<Record<string, (suite: Suite) => Promise<void>>> = {
    'the service and its catalogue': askCatalogue,
    'a clock that is two minutes off makes no difference': signWithWrongClock,
    'wrong credentials are an AuthenticationError': failToSignIn,
    'customers are made, changed, walked and deleted': keepCustomers,
    'one key makes one customer': repeatOnce,
    'every fault of a request is told': tellFaults,
    'a checkout is paid, waited for, and told by webhooks that verify': sell,
    'checkouts expire, are cancelled, and accepted underpaid': endCheckouts,
    'deposit addresses are paid': payDepositAddress,
    'money leaves after quotes, by digest alone': moveMoney,
    'refunds are made and cancelled': refund,
    'reports come as rows and as documents': report,
    'settings are read and changed': changeSettings,
    'a simulated payer pays by itself': payBySimulation,
    'simulated networks replace, reorganise and freeze': driveSandbox,
    'a call is ended by its signal': abortCall,
    'every endpoint was called': ({ called }) => allCalled(called, methods),
  };
  return Object.entries(cases).map(([name, run]) => ({
    name: `live: ${name}`,
    run: () => run(suite),
  }));
}

async function allCalled(called: ReadonlySet<string>, methods: readonly Method[]): Promise<void> {
  const missing = methods
    .map(({ method, path }) => `${method} ${path}`)
    .filter((route) => !called.has(route));
  check(missing, []);
}

/** The error that a promise is rejected with. */
async function refused(
  { library }: Suite,
  promise: PromiseLike<unknown>,
  ...codes: readonly string[]
): Promise<Library.QuittanceError> {
  const error = await promise.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (!(error instanceof library.QuittanceError)) throw new Error(`not refused: ${error}`);
  if (!codes.includes(error.code ?? '')) throw error;
  return error;
}

async function askCatalogue({ client }: Suite): Promise<void> {
  check(typeof (await client.service.time()), 'number');
  check((await client.service.authTest()).method, 'digest');
  check((await client.service.languages()).length > 5, true);
  check(((await client.service.openapi()) as { openapi: string }).openapi, '3.1.0');
  const networks = await client.catalogue.networks();
  check(
    networks.some(({ id }) => id === 'LITECOIN'),
    true,
  );
  check((await client.catalogue.assets()).length > 5, true);
  check((await client.catalogue.currencies()).length > 20, true);
  check((await client.catalogue.fiatCurrencies()).length > 20, true);
  check((await client.catalogue.blockchains()).length > 3, true);
  check((await client.catalogue.assetIssuers()).length > 0, true);
  const rate = await client.catalogue.exchangeRate({
    sourceAsset: 'LTC:NATIVE',
    targetAsset: 'EUR',
    sourceAmount: '0.1',
  });
  check(typeof rate.targetAmount, 'string');
}

async function signWithWrongClock({ library, access }: Suite): Promise<void> {
  const off = new library.Quittance({
    ...{ key: access.key, secret: access.secret, baseUrl: access.url },
    clock: { now: () => Date.now() / 1000 - 120, sleep: async () => {} },
  });
  check((await off.service.authTest()).authenticated, true);
}

async function failToSignIn(suite: Suite): Promise<void> {
  const { library, access } = suite;
  const stranger = new library.Quittance({ ...access, secret: 'wrong', baseUrl: access.url });
  const error = await refused(suite, stranger.service.authTest(), 'authentication_failed');
  check(error instanceof library.AuthenticationError, true);
}

async function keepCustomers(suite: Suite): Promise<void> {
  const { client } = suite;
  const ids: string[] = [];
  for (const name of ['ada', 'ben', 'cem']) {
    const meta = { exact: 9_007_199_254_740_993n, share: 0.5 };
    const { customerId } = await client.customers.create({ email: `${name}@shop.example`, meta });
    ids.push(customerId);
  }
  const [first = ''] = ids;
  check((await client.customers.update(first, { city: 'Bern' })).city, 'Bern');
  const found = await client.customers.get(first);
  check(found.meta, { exact: '9007199254740993', share: 0.5 });
  const walked: string[] = [];
  for await (const { id } of client.customers.list({ limit: 2 })) walked.push(id);
  check([...walked].sort(), [...ids].sort());
  check((await client.customers.list({ limit: 2 }).first()).items.length, 2);
  check((await client.customers.delete(first)).customerId, first);
  await refused(suite, client.customers.get(first), 'customer_missing');
}

async function repeatOnce(suite: Suite): Promise<void> {
  const { client } = suite;
  const options = { idempotencyKey: 'the same' };
  const body = { email: 'once@shop.example' };
  const made = await client.customers.create(body, options);
  check(await client.customers.create(body, options), made);
  const other = client.customers.create({ email: 'twice@shop.example' }, options);
  await refused(suite, other, 'idempotency_key_reused');
}

async function tellFaults(suite: Suite): Promise<void> {
  const { client, library } = suite;
  const wrong = {
    charge: { billingCurrency: 'EUR', lineItems: [{ description: '', netAmount: 'x' }] },
  };
  const error = await refused(suite, client.checkout.create(wrong), 'validation_failed');
  check(error instanceof library.InvalidRequestError && error.errors.length > 0, true);
  check(/^[a-z0-9]{12}$/.test(error.requestId ?? ''), true);
  check((await client.checkout.validateCharge(charge('12.50'))).total, '12.50');
  await refused(suite, client.checkout.get(MISSING), 'checkout_missing');
}

async function sell(suite: Suite): Promise<void> {
  const { client, library, access } = suite;
  const receiver = await receiveWebhooks();
  const { webhookEndpoint, secret } = await client.webhookEndpoints.create({ url: receiver.url });
  const request = { charge: charge('23'), settlementAsset: 'ORIGIN', meta: { order: '7' } };
  const { id, paymentMethods } = await client.checkout.create(request);
  check(
    paymentMethods.some(({ network }) => network === 'LITECOIN'),
    true,
  );
  const committed = await client.checkout.commit(id, { network: 'LITECOIN' });
  check(typeof committed.depositInstructions.address, 'string');
  const waiting = client.checkout.waitUntil(id, ['COMPLETED'], { timeoutSeconds: 60 });
  const paid = await client.sandbox.payAndConfirm(id);
  check([paid.state, (await waiting).state], ['COMPLETED', 'COMPLETED']);
  const listed = await client.checkout.list({ meta: { order: '7' } }).all();
  check(
    listed.map((one) => one.id),
    [id],
  );
  const told = await receiver.next((body) => body.includes('CHECKOUT_COMPLETED'));
  for (const right of [secret, access.secret, [MISSING, secret]]) {
    const event = await library.webhooks.verify(told.body, told.headers, right);
    check(
      [event.eventType, 'checkout' in event.data && event.data.checkout.id],
      ['CHECKOUT_COMPLETED', id],
    );
  }
  const forged = library.webhooks.verify(`${told.body} `, told.headers, secret);
  await refused(suite, forged, 'signature_mismatch');
  const [event] = await client.events.list({ type: 'CHECKOUT_COMPLETED' }).all(1);
  check((await client.events.redeliver(event?.id ?? '')).id, event?.id);
  check((await client.events.get(event?.id ?? '')).id, event?.id);
  check(typeof (await client.events.follow()).after, 'string');
  const [asked] = await client.requests.list().all(1);
  check((await client.requests.get(asked?.id ?? '')).id, asked?.id);
  const rotated = await client.webhookEndpoints.rotateSecret(webhookEndpoint.id);
  check(rotated.secret === secret, false);
  const pinned = await client.webhookEndpoints.update(webhookEndpoint.id, {
    apiVersion: library.API_VERSION,
  });
  check([pinned.id, pinned.apiVersion], [webhookEndpoint.id, library.API_VERSION]);
  await client.webhookEndpoints.delete(webhookEndpoint.id);
  const [gone] = await client.webhookEndpoints.list().all();
  check(typeof gone?.disabledTime, 'string');
  await receiver.close();
}

async function receiveWebhooks() {
  type Received = { readonly headers: IncomingHttpHeaders; readonly body: string };
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk as Uint8Array);
    const body = new TextDecoder().decode(
      Uint8Array.from(chunks.flatMap((chunk) => Array.from(chunk))),
    );
    received.push({ headers: request.headers, body });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    async next(isIt: (body: string) => boolean): Promise<Received> {
      for (let tries = 0; tries < 600; tries += 1) {
        const found = received.find(({ body }) => isIt(body));
        if (found !== undefined) return found;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error('no such webhook came');
    },
    close: () => new Promise<unknown>((resolve) => server.close(resolve)),
  };
}

async function endCheckouts(suite: Suite): Promise<void> {
  const { client, library } = suite;
  const hosted = await client.checkout.createHosted({ charge: charge('5') });
  check(new URL(hosted.url).pathname.includes('/checkout/'), true);
  check((await client.checkout.cancel(hosted.id)).state, 'CANCELLED');
  const open = await client.checkout.createHosted({ charge: charge('5') });
  await client.checkout.commit(open.id, { network: 'LITECOIN' });
  const never = client.checkout.waitUntil(open.id, 'COMPLETED', { timeoutSeconds: 1 });
  const error = await refused(suite, never, 'wait_timeout');
  check(error instanceof library.WaitTimeoutError, true);
  await client.sandbox.expire(open.id);
  await client.checkout.waitUntil(open.id, 'EXPIRED', { timeoutSeconds: 30 });
  const under = await client.checkout.create({ charge: charge('23') });
  const amount = '0.2';
  const seen = await client.sandbox.payAndConfirm(under.id, { network: 'LITECOIN', amount });
  check(seen.state, 'UNDERPAID');
  check((await client.checkout.acceptUnderpaid(under.id)).state, 'COMPLETED');
}

async function payDepositAddress({ client }: Suite): Promise<void> {
  const made = await client.depositAddresses.create({ network: 'LITECOIN', label: 'till' });
  check((await client.depositAddresses.get(made.id)).address, made.address);
  check(
    (await client.depositAddresses.list().all()).map(({ id }) => id),
    [made.id],
  );
  const payments = await client.sandbox.pay({ depositAddressId: made.id, amount: '1.5' });
  check(
    payments.map(({ amount }) => amount),
    ['1.5'],
  );
  await client.sandbox.mine({ network: 'LITECOIN', blocks: 10 });
  for (let tries = 0; tries < 200; tries += 1) {
    const [wallet] = await client.wallets.get('LTC');
    // 1.5 and what checkouts brought, as text.
    if (Number(wallet?.available) >= 1.5) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the deposit was not credited');
}

async function moveMoney(suite: Suite): Promise<void> {
  const { client } = suite;
  check((await client.wallets.list()).length > 0, true);
  const quote = { sourceAsset: 'LTC:NATIVE', targetAsset: 'BTC:NATIVE', sourceAmount: '0.1' };
  const swap = await client.swaps.create(quote);
  const done = await client.swaps.commit(swap.id);
  check([done.id, (await client.swaps.get(swap.id)).state], [swap.id, done.state]);
  const account = { address: 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0' };
  const { beneficiaryId } = await client.beneficiaries.create({
    ...{ label: 'cold', network: 'LITECOIN', account },
  });
  check((await client.beneficiaries.get(beneficiaryId)).label, 'cold');
  check((await client.beneficiaries.list().all()).length, 1);
  const wish = { network: 'LITECOIN', amount: '0.5', targetAccount: 'cold' };
  const transfer = await client.transfers.create(wish);
  check((await client.transfers.commit(transfer.id)).id, transfer.id);
  check((await client.transfers.get(transfer.id)).amount, '0.5');
  check((await client.transfers.list().all()).length, 1);
  await refused(suite, client.transfers.cancel(MISSING), 'transfer_missing');
  const rule = await client.settlementRules.create({
    ...{ asset: 'LTC:NATIVE', threshold: '100', keep: '1', convertTo: 'BTC:NATIVE' },
  });
  check((await client.settlementRules.pause(rule.id)).id, rule.id);
  check((await client.settlementRules.resume(rule.id)).id, rule.id);
  check((await client.settlementRules.get(rule.id)).settlementRule.id, rule.id);
  check((await client.settlementRules.list().all()).length, 1);
  await client.settlementRules.delete(rule.id);
  check(await client.approvals.list(), []);
  await refused(suite, client.approvals.approve('transfer:none'), 'approval_missing');
  await client.beneficiaries.delete(beneficiaryId);
}

async function refund(suite: Suite): Promise<void> {
  const { client } = suite;
  const { id } = await client.checkout.create({ charge: charge('23') });
  await client.sandbox.payAndConfirm(id, { network: 'LITECOIN' });
  const made = await client.refunds.create({ checkoutId: id, kind: 'full' });
  check((await client.refunds.get(made.id)).checkoutId, id);
  check((await client.refunds.list().all()).length, 1);
  check((await client.refunds.cancel(made.id)).id, made.id);
}

async function report({ client }: Suite): Promise<void> {
  const rows = await client.reports.ledger({ limit: 5 }).all(8);
  check(rows.length, 8);
  await client.reports.balances().all();
  await client.reports.settlements().all();
  await client.reports.fees().all();
  await client.reports.taxes().all();
  await client.reports.conversions({ currency: 'EUR' }).all();
  await client.reports.gains({ currency: 'EUR' }).all();
  const table = await client.reports.document('ledger', { format: 'csv', limit: 3 });
  check(table.contentType.startsWith('text/csv'), true);
  check([table.text.trim().split('\n').length, typeof table.nextCursor], [4, 'string']);
}

async function changeSettings(suite: Suite): Promise<void> {
  const { client } = suite;
  await client.accountSettings.get();
  const look = await client.accountSettings.getPageLook();
  // It is of test and live together, and a live key sets it.
  const { cornerRadius } = look;
  const kept = client.accountSettings.updatePageLook({ cornerRadius });
  await refused(suite, kept, 'validation_failed');
  const changed = await client.accountSettings.update({ riskTolerance: 'LOW' });
  check(changed.riskTolerance, 'LOW');
  const limits = await client.spendingLimits.get();
  const wish = { kind: 'transfer', measure: 'amount', amount: '1' } as never;
  const update = client.spendingLimits.update(wish);
  await Promise.allSettled([update]);
  check(Array.isArray(limits) || typeof limits === 'object', true);
  check(await client.suspense.list().all(), []);
}

async function driveSandbox(suite: Suite): Promise<void> {
  const { client } = suite;
  check(await replaceUnconfirmed(suite), 1);
  await client.sandbox.mine({ network: 'LITECOIN' });
  check((await client.sandbox.reorg('LITECOIN', { depth: 1 })).network, 'LITECOIN');
  check((await client.sandbox.freeze('LITECOIN', { seconds: 0 })).seconds, 0);
  const open = await client.checkout.createHosted({ charge: charge('5') });
  await client.checkout.commit(open.id, { network: 'LITECOIN' });
  const { minutes, checkouts = 0 } = await client.sandbox.advance(24 * 60);
  check([minutes, checkouts > 0], [24 * 60, true]);
  check((await client.checkout.waitUntil(open.id, 'EXPIRED')).state, 'EXPIRED');
}

/** Blocks come by themselves: one may come between the payment and its replacement. */
async function replaceUnconfirmed({ client, library }: Suite): Promise<number> {
  for (let tries = 0; ; tries += 1) {
    const { id } = await client.checkout.create({ charge: charge('9') });
    await client.checkout.commit(id, { network: 'LITECOIN' });
    await client.sandbox.pay({ checkoutId: id });
    // What nobody has seen yet cannot be replaced.
    await client.checkout.waitUntil(id, ['PENDING', 'COMPLETED'], { timeoutSeconds: 30 });
    try {
      return (await client.sandbox.replace(id)).length;
    } catch (error) {
      if (!(error instanceof library.ConflictError) || tries > 5) throw error;
    }
  }
}

/** The sandbox does the rest. */
async function payBySimulation({ client, library }: Suite): Promise<void> {
  const meta = library.simulatedPayer('underpaid', { order: '8' });
  const { id } = await client.checkout.create({ charge: charge('9'), meta });
  await client.checkout.commit(id, { network: 'LITECOIN' });
  const { meta: kept } = await client.checkout.waitUntil(id, 'UNDERPAID', { timeoutSeconds: 90 });
  check(kept, { order: '8', sandbox: 'underpaid' });
}

async function abortCall({ client }: Suite): Promise<void> {
  const { id } = await client.checkout.create({ charge: charge('9') });
  const signal = AbortSignal.timeout(300);
  const error = await client.checkout.waitUntil(id, 'COMPLETED', { signal }).then(
    () => undefined,
    (caught: unknown) => caught,
  );
  check((error as Error).name, 'TimeoutError');
}
