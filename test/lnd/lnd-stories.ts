// The main job over two real LND nodes with a channel on btcd, through the HTTP API only, with a
// macaroon that can do no more than it has to. Run by `npm run test:lnd`.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { decode } from 'light-bolt11-decoder';
import { systemClock } from '#base/clock.ts';
import { custodyBalance } from '#ledger/account.ts';
import { openHttpClient } from '#networks/http-client.ts';
import { NODE_LIMITS } from '#networks/lightning/lightning-backend.ts';
import { lndBackend } from '#networks/lightning/lnd-backend.ts';
import { lndPayments } from '#networks/lightning/lnd-payments.ts';
import { readInvoice } from '#networks/read-invoice.ts';
import { openDatabaseProxy } from '#test/kills/database-proxy.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop } from '#test/support/shop.ts';
import { createLndTrap, killWhilePaying } from './lnd-kills.ts';
import { type BtcdNode, type LndNode, startBtcd, startLnd, waitUntil } from './lnd-node.ts';

const BTC = 'BTC:NATIVE';
const closers: (() => Promise<unknown>)[] = [];
let btcd: BtcdNode;
let payer: LndNode;
let payee: LndNode;
let server: ServerProcess;
let shop: Shop;
let databaseUrl: string;
let macaroonFile: string;
let payMacaroonFile: string;
const trap = createLndTrap(
  () => server,
  () => payee,
);

before(async () => {
  btcd = await startBtcd();
  closers.push(() => btcd.stop());
  await btcd.start();
  await btcd.mine(1);
  [payer, payee] = await Promise.all([startLnd(btcd), startLnd(btcd)]);
  closers.push(
    () => payer.stop(),
    () => payee.stop(),
  );
  await openChannel();
  const directory = await mkdtemp(join(tmpdir(), 'quittance-macaroon-'));
  closers.push(() => rm(directory, { recursive: true, force: true }));
  macaroonFile = join(directory, 'quittance.macaroon');
  await writeFile(macaroonFile, await bakeMacaroon());
  payMacaroonFile = join(directory, 'pay.macaroon');
  await writeFile(payMacaroonFile, await bakeMacaroon(PAY_PERMISSIONS));
  server = await openServerProcess({ settings: settingsFor(payee) });
  closers.push(() => server.close());
  const proxy = await openDatabaseProxy(server.databaseUrl, trap);
  closers.push(() => proxy.close());
  databaseUrl = proxy.url;
  await startServer();
  shop = await openShop(server, 'live');
  closers.push(() => shop.close());
});
after(async () => {
  for (const close of closers.toReversed()) await close().catch(() => undefined);
});

async function startServer(): Promise<void> {
  await server.start({ DATABASE_URL: databaseUrl });
}

function settingsFor(node: LndNode): Record<string, string> {
  return {
    LIGHTNING_BACKEND: 'lnd',
    LIGHTNING_URL: node.url,
    LIGHTNING_CHAIN: 'regtest',
    LIGHTNING_MACAROON_FILE: macaroonFile,
    LIGHTNING_TLS_CERT_FILE: node.certificateFile,
    LIGHTNING_PAY: 'on',
    LIGHTNING_PAY_MOST: '100000',
    LIGHTNING_PAY_DAY_MOST: '10000000',
    LIGHTNING_PAY_MACAROON_FILE: payMacaroonFile,
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
  };
}

/** As docs/operate/connect-lightning.md says. */
const PERMISSIONS = [
  { entity: 'info', action: 'read' },
  { entity: 'invoices', action: 'read' },
  { entity: 'invoices', action: 'write' },
  { entity: 'offchain', action: 'read' },
];
const PAY_PERMISSIONS = [
  { entity: 'info', action: 'read' },
  { entity: 'offchain', action: 'read' },
  { entity: 'offchain', action: 'write' },
];

async function bakeMacaroon(permissions = PERMISSIONS): Promise<Buffer> {
  const { macaroon } = await payee.rest('POST', '/v1/macaroon', { permissions });
  return Buffer.from(String(macaroon), 'hex');
}

/** The customer mines; 0.1 bitcoin from their side, a third of it the shop's at once. */
async function openChannel(): Promise<void> {
  const { address } = await payer.rest('GET', '/v1/newaddress?type=TAPROOT_PUBKEY');
  await btcd.kill9();
  await payer.kill9();
  await payee.kill9();
  await btcd.start([`--miningaddr=${String(address)}`]);
  // LND begins once the chain has a block of today; btcd takes witnesses from block 432 on.
  await btcd.mine(450);
  await payer.start();
  await payee.start();
  await Promise.all([payer.waitUntilActive(), payee.waitUntilActive()]);
  await waitUntil('the customer to have money', async () => {
    const { confirmed_balance: balance } = await payer.rest('GET', '/v1/balance/blockchain');
    assert.ok(Number(balance) > 0);
    const { synced_to_chain: isSynced } = await payer.rest('GET', '/v1/getinfo');
    assert.equal(isSynced, true);
  });
  const addr = { pubkey: payee.nodeId, host: payee.peerAddress };
  await payer.rest('POST', '/v1/peers', { addr, perm: true });
  await waitUntil('the nodes to be connected', async () => {
    const { peers } = await payer.rest('GET', '/v1/peers');
    assert.equal((peers as unknown[]).length, 1);
  });
  await payer.rest('POST', '/v1/channels', {
    node_pubkey: Buffer.from(payee.nodeId, 'hex').toString('base64'),
    local_funding_amount: '10000000',
    push_sat: '3000000',
  });
  await waitUntil('the channel to be open', async () => {
    await btcd.mine(1);
    const { channels } = await payee.rest('GET', '/v1/channels?active_only=true');
    const pending = await payer.rest('GET', '/v1/channels/pending');
    assert.equal((channels as unknown[]).length, 1, JSON.stringify(pending));
  });
  await waitForChannel();
}

async function waitForChannel(): Promise<void> {
  await waitUntil('the channel to be active', async () => {
    for (const node of [payer, payee]) {
      const { channels } = await node.rest('GET', '/v1/channels?active_only=true');
      assert.equal((channels as unknown[]).length, 1);
    }
  });
}

async function pay(invoice: string): Promise<void> {
  const sent = { payment_request: invoice, timeout_seconds: 30, fee_limit_sat: '100' };
  const { result, error } = await payer.rest('POST', '/v2/router/send', sent);
  assert.equal(
    (result as { status?: string } | undefined)?.status,
    'SUCCEEDED',
    JSON.stringify(error),
  );
}

function secretOf(invoice: string): string {
  const section = decode(invoice).sections.find(({ name }) => name === 'payment_secret');
  assert(section !== undefined && 'value' in section);
  return Buffer.from(String(section.value), 'hex').toString('base64');
}

/** One HTLC of a payment in parts. Resolves when it is settled or failed. */
async function sendPart(invoice: string, partMsat: bigint, totalMsat: bigint): Promise<string> {
  const { route } = await payer.rest('POST', '/v2/router/route', {
    amt_msat: String(partMsat),
    hop_pubkeys: [Buffer.from(payee.nodeId, 'hex').toString('base64')],
    final_cltv_delta: 80,
  });
  const { hops, ...rest } = route as { hops: Record<string, unknown>[] };
  const parts = hops.map((hop) => ({
    ...hop,
    mpp_record: { payment_addr: secretOf(invoice), total_amt_msat: String(totalMsat) },
  }));
  const paymentHash = readInvoice(invoice)?.paymentHash ?? '';
  const sent = await payer.rest('POST', '/v2/router/route/send', {
    payment_hash: Buffer.from(paymentHash, 'hex').toString('base64'),
    route: { ...rest, hops: parts },
  });
  return String(sent.status);
}

async function invoiceAt(node: LndNode, invoice: string) {
  const hash = readInvoice(invoice)?.paymentHash;
  return node.rest('GET', `/v1/invoice/${hash}`);
}

function backendOf(certificateOf: LndNode) {
  const macaroon = new Uint8Array(readFileSync(macaroonFile));
  const headers = { 'grpc-metadata-macaroon': macaroon.toHex() };
  const certificate = readFileSync(certificateOf.certificateFile, 'utf8');
  const what = 'live:LIGHTNING';
  const http = openHttpClient({ ...NODE_LIMITS, what, url: payee.url, headers, certificate });
  return lndBackend({ http, macaroon, clock: systemClock });
}

const open = (amount: string) => shop.open({ currency: 'BTC', amount }, 'LIGHTNING');

async function checkBooks(): Promise<void> {
  const { invoices } = await payee.rest('GET', '/v1/invoices?num_max_invoices=1000');
  const ours = (invoices as Record<string, string>[]).filter(({ memo }) => memo !== 'other');
  const received = ours.reduce(
    (sum, { amt_paid_msat: amount }) => sum + BigInt(amount ?? 0) / 1000n,
    0n,
  );
  const { payments } = await payee.rest('GET', '/v1/payments?max_payments=1000');
  const sent = (payments as Record<string, string>[]).reduce(
    (sum, { value_sat: value, fee_msat: fee }) =>
      sum + BigInt(value ?? 0) + (BigInt(fee ?? 0) + 999n) / 1000n,
    0n,
  );
  await waitUntil('custody to be what LND received, less what it sent', async () => {
    assert.equal(await custodyBalance(server.db, 'live:LIGHTNING', BTC), received - sent);
  });
  await shop.checkBooks();
}

function story(name: string, act: () => Promise<void>): void {
  test(name, async () => {
    await act();
    await checkBooks();
  });
}

story('a checkout is paid by its invoice within a second', async () => {
  const earned = await shop.balance(BTC);
  const { checkoutId: id, depositInstructions } = await open('0.0012');
  await pay(depositInstructions.address);
  const beganMs = performance.now();
  const completed = await shop.client.waitForState(id, 'COMPLETED');
  console.log(`completed ${Math.round(performance.now() - beganMs)} ms after the payer knew`);
  assert.deepEqual(completed.flags, {});
  assert.equal(await shop.balance(BTC), earned + 120_000n);
  await shop.waitForEvent(id, 'CHECKOUT_COMPLETED');
});

story('an HTLC that is held pays nothing; with the rest it settles', async () => {
  const earned = await shop.balance(BTC);
  const { checkoutId: id, depositInstructions } = await open('0.0002');
  const invoice = depositInstructions.address;
  const first = sendPart(invoice, 8_000_000n, 20_000_000n);
  await waitUntil('the part to be held', async () => {
    const { htlcs } = await invoiceAt(payee, invoice);
    const states = (htlcs as { state: string }[]).map(({ state }) => state);
    assert.deepEqual(states, ['ACCEPTED']);
  });
  await sleep(6000);
  assert.equal((await shop.client.findCheckout(id)).state, 'AWAITING_PAYMENT');
  assert.equal(await shop.balance(BTC), earned);
  const second = await sendPart(invoice, 12_000_000n, 20_000_000n);
  assert.deepEqual([await first, second], ['SUCCEEDED', 'SUCCEEDED']);
  await shop.client.waitForState(id, 'COMPLETED');
  assert.equal(await shop.balance(BTC), earned + 20_000n);
});

story('an HTLC that is held and cancelled pays nothing', async () => {
  const earned = await shop.balance(BTC);
  const { checkoutId: id, depositInstructions } = await open('0.0002');
  const invoice = depositInstructions.address;
  const part = sendPart(invoice, 8_000_000n, 20_000_000n);
  await waitUntil('the part to be held', async () => {
    assert.equal(((await invoiceAt(payee, invoice)).htlcs as unknown[]).length, 1);
  });
  const payment_hash = Buffer.from(readInvoice(invoice)?.paymentHash ?? '', 'hex');
  await payee.rest('POST', '/v2/invoices/cancel', {
    payment_hash: payment_hash.toString('base64'),
  });
  assert.equal(await part, 'FAILED');
  assert.equal((await invoiceAt(payee, invoice)).state, 'CANCELED');
  await sleep(6000);
  assert.equal((await shop.client.findCheckout(id)).state, 'AWAITING_PAYMENT');
  assert.equal(await shop.balance(BTC), earned);
});

story('more than was asked is credited as what arrived, rounded down', async () => {
  const earned = await shop.balance(BTC);
  const { checkoutId: id, depositInstructions } = await open('0.0001');
  const much = 15_000_999n;
  assert.equal(await sendPart(depositInstructions.address, much, much), 'SUCCEEDED');
  const completed = await shop.client.waitForState(id, 'COMPLETED');
  assert.ok('overpaid' in completed.flags);
  assert.equal(await shop.balance(BTC), earned + 15_000n);
});

story('less than was asked is refused by the node, and nothing is credited', async () => {
  const { checkoutId: id, depositInstructions } = await open('0.0001');
  assert.equal(await sendPart(depositInstructions.address, 9_000_000n, 9_000_000n), 'FAILED');
  assert.equal((await shop.client.findCheckout(id)).state, 'AWAITING_PAYMENT');
});

story('a payment while the server is down is credited when it is back', async () => {
  const earned = await shop.balance(BTC);
  const { checkoutId: id, depositInstructions } = await open('0.0004');
  await server.kill9();
  await pay(depositInstructions.address);
  await startServer();
  await shop.client.waitForState(id, 'COMPLETED');
  assert.equal(await shop.balance(BTC), earned + 40_000n);
});

story('the node is killed and started again: nothing is lost', async () => {
  const earned = await shop.balance(BTC);
  const [one, two] = [await open('0.0003'), await open('0.0003')];
  await pay(one.depositInstructions.address);
  await payee.kill9();
  await payee.start();
  await payee.waitUntilActive();
  await waitForChannel();
  await pay(two.depositInstructions.address);
  for (const { checkoutId } of [one, two]) await shop.client.waitForState(checkoutId, 'COMPLETED');
  assert.equal(await shop.balance(BTC), earned + 60_000n);
});

const PAYMENTS = Number(process.env.QUITTANCE_TEST_PAYMENTS ?? '12');

story(`${PAYMENTS} refunds, each with a death: each is paid once`, async () => {
  const here = ['127.0.0.1', '--for', 'withdrawals', '--environment', 'live'];
  await server.command('allow-list', 'add', ...here);
  const { checkoutId, depositInstructions } = await open('0.02');
  await pay(depositInstructions.address);
  await shop.client.waitForState(checkoutId, 'COMPLETED');
  const world = { server, shop, trap, payer, payee, startServer, waitForChannel };
  await killWhilePaying(world, { checkoutId, payments: PAYMENTS });
});

test('what LND says of a payment it never heard of, and of one that is in flight', async () => {
  const macaroon = readFileSync(payMacaroonFile).toString('hex');
  const http = openHttpClient({
    ...NODE_LIMITS,
    what: 'live:LIGHTNING',
    url: payee.url,
    headers: { 'grpc-metadata-macaroon': macaroon },
    certificate: readFileSync(payee.certificateFile, 'utf8'),
  });
  const payments = lndPayments({ http });
  const unknown = { paymentHash: '00'.repeat(32), units: 1n };
  assert.deepEqual(await payments.findPayment(unknown), { kind: 'none', reason: undefined });
  const preimage = Buffer.alloc(32, 7);
  const hash = createHash('sha256').update(preimage).digest();
  const given = { hash: hash.toString('base64'), value: '1000', memo: 'held' };
  const { payment_request: invoice } = await payer.rest('POST', '/v2/invoices/hodl', given);
  const wanted = { paymentHash: hash.toString('hex'), units: 1000n };
  const order = { ...wanted, invoice: String(invoice), feeUnitsMost: 20n, description: undefined };
  await payments.pay(order);
  await waitUntil('the HTLC to be accepted', async () => {
    assert.equal((await invoiceAt(payer, String(invoice))).state, 'ACCEPTED');
  });
  assert.deepEqual(await payments.findPayment(wanted), { kind: 'under-way' });
  // Again, while it is in flight: nothing more is sent.
  await payments.pay(order);
  await payer.rest('POST', '/v2/invoices/cancel', { payment_hash: given.hash });
  await waitUntil('it to be given up', async () => {
    assert.equal((await payments.findPayment(wanted)).kind, 'none');
  });
  payments.close();
});

test('a hold invoice is open while accepted, settled when settled, closed when cancelled', async () => {
  const backend = backendOf(payee);
  const preimage = Buffer.alloc(32, 9);
  for (const ending of ['settle', 'cancel'] as const) {
    preimage[0] = ending === 'settle' ? 1 : 2;
    const hash = createHash('sha256').update(preimage).digest();
    const given = { hash: hash.toString('base64'), value: '1000', memo: 'other' };
    const { payment_request: invoice } = await payee.rest('POST', '/v2/invoices/hodl', given);
    const paid = pay(String(invoice)).catch((error: unknown) => error);
    const stateOf = async () => (await backend.findInvoice(hash.toString('hex')))?.state;
    await waitUntil('the HTLC to be accepted', async () => {
      assert.equal((await invoiceAt(payee, String(invoice))).state, 'ACCEPTED');
    });
    assert.deepEqual(await stateOf(), { kind: 'open' });
    if (ending === 'settle') {
      await payee.rest('POST', '/v2/invoices/settle', { preimage: preimage.toString('base64') });
    } else await payee.rest('POST', '/v2/invoices/cancel', { payment_hash: given.hash });
    await paid;
    const state = await stateOf();
    assert.equal(state?.kind, ending === 'settle' ? 'settled' : 'closed');
    if (state?.kind === 'settled') assert.equal(state.receivedMillisatoshis, 1_000_000n);
  }
  backend.close();
});

test('asked twice for the same instruction LND gives the same invoice', async () => {
  const backend = backendOf(payee);
  const asked = { instructionId: 'twice0000001', millisatoshis: 5000n, expirySeconds: 60n };
  const request = { ...asked, description: 'other' };
  assert.equal(await backend.makeInvoice(request), await backend.makeInvoice(request));
  assert.equal(await backend.findInvoice('00'.repeat(32)), undefined);
  backend.close();
});

test('a server with another certificate is not spoken to', async () => {
  const backend = backendOf(payer);
  await assert.rejects(backend.describe(), /does not answer/);
  backend.close();
});

test('the macaroon can do no more than it has to', async () => {
  const backend = backendOf(payee);
  assert.deepEqual((await backend.describe()).chainName, 'regtest');
  const [units = 0n] = await backend.listReceivableUnits();
  assert.ok(units > 0n && units < 7_000_000n);
  backend.close();
  const http = openHttpClient({
    ...NODE_LIMITS,
    what: 'live:LIGHTNING',
    url: payee.url,
    headers: { 'grpc-metadata-macaroon': readFileSync(macaroonFile).toString('hex') },
    certificate: readFileSync(payee.certificateFile, 'utf8'),
  });
  const body = JSON.stringify({ payment_request: 'lnbcrt1', timeout_seconds: 5 });
  const answer = await http.ask({ path: '/v2/router/send', body });
  assert.match(answer.body.toString(), /permission denied/);
  http.close();
});

test('no secret of the node is in the log', () => {
  assert.ok(!server.output().includes(readFileSync(macaroonFile).toString('hex')));
});
