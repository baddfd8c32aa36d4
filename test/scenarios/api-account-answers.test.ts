// Everything beside catalogues and checkouts, every answer as a whole: customers, deposits, swaps,
// beneficiaries, transfers, refunds, reports, events, receivers and the sandbox, in
// api-account-answers.golden.json.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { allowAddress } from '#access/allow-list.ts';
import { sql } from '#db/db.ts';
import { refundsOf } from '#refund/refunds-of.ts';
import { createRequestLog } from '#request-log/keep-requests.ts';
import { runSettlementRules } from '#settlement-rule/run-settlement-rules.ts';
import { checkApproval } from '#spending/approval.ts';
import { returnsOf } from '#suspense/return-suspense.ts';
import { fundMerchant } from '#test/support/fund-merchant.ts';
import { type GoldenAnswers, goldenAnswers } from '#test/support/golden-answers.ts';
import { settleSandbox } from '#test/support/settle-sandbox.ts';
import {
  type Called,
  type CallOptions,
  openTestApi,
  type TestApi,
} from '#test/support/test-api.ts';
import { runTransfers } from '#transfer/run-transfers.ts';

let api: TestApi;
let golden: GoldenAnswers;
before(async () => {
  api = await openTestApi({ simulated: true });
  golden = goldenAnswers(join(import.meta.dirname, 'api-account-answers.golden.json'), api);
  const owner = { merchantId: api.merchantId, environment: 'test' } as const;
  await allowAddress(api.app, owner, {
    use: 'withdrawals',
    address: '127.0.0.1',
  });
  const funds = { merchantId: api.merchantId, occurredAt: api.clock.now() };
  const bitcoin = { assetId: 'BTC:NATIVE', units: 100_000_000n, cause: 'BTC' };
  await fundMerchant(api.db, { ...funds, ...bitcoin });
  await settleSandbox(api.app);
});
after(() => api.close());

const PAYER = 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0';
const charge = {
  billingCurrency: 'EUR',
  lineItems: [{ description: 'Book', netAmount: '10.00' }],
  taxItems: [{ name: 'VAT', percent: '0.07' }],
};

async function record(name: string, method: string, path: string, options?: CallOptions) {
  // A signature that moves money is good for one call.
  await api.clock.advance(1000);
  return golden.record(name, method, path, options);
}

const post = (name: string, path: string, body: object) => record(name, 'POST', path, { body });
const get = (name: string, path: string, query = '') => record(name, 'GET', path, { query });
const idIn = ({ json }: Called, name: string): string => String(json[name]?.id);

async function recordCustomers(): Promise<void> {
  const customer = {
    email: 'ada@shop.example',
    firstname: 'Ada',
    lastname: 'Lovelace',
    company: null,
    adr1: 'Main Street 1',
    zip: '12345',
    city: 'London',
    countrycode: 'GB',
    meta: { tier: 1.5 },
  };
  const made = await post('a customer', '/customer', { customer });
  const id = String(made.json.customerId);
  await get('the customer', '/customer', `?id=${id}`);
  await record('the customer changes', 'PUT', '/customer', {
    body: { customer: { id, company: 'Engines', adr1: null } },
  });
  await get('all customers', '/customers', '?limit=1');
  await record('the customer goes', 'DELETE', '/customer', { body: { id } });
}

async function recordDeposits(): Promise<void> {
  const body = {
    ...{ network: 'STELLAR', asset: 'XLM:NATIVE', label: 'till 1' },
    ...{ webhook: 'https://shop.example/deposits', meta: { till: 1 } },
  };
  const made = await post('a deposit address', '/deposit-address', body);
  const depositAddressId = idIn(made, 'depositAddress');
  await get('the deposit address', '/deposit-address', `?id=${depositAddressId}`);
  await get('all deposit addresses', '/deposit-addresses');
  const payment = { depositAddressId, amount: '5' };
  await post('it is paid on the simulated network', '/sandbox/pay', payment);
  await post('blocks are made there', '/sandbox/mine', { network: 'STELLAR', blocks: 2 });
  await settleSandbox(api.app);
  await get('the deposit was told', '/events', '?type=DEPOSIT_COMPLETED');
  await get('wallets with the deposit', '/wallets');
  await get('one wallet', '/wallet', '?assetCode=XLM');
}

async function recordSwaps(): Promise<void> {
  const quote = { sourceAsset: 'BTC:NATIVE', targetAsset: 'LTC:NATIVE', sourceAmount: '0.01' };
  const quoted = await post('a swap', '/swap', quote);
  const swapId = idIn(quoted, 'swap');
  await get('the swap', '/swap', `?id=${swapId}`);
  await post('the swap is carried out', '/swap/commit', { swapId });
  await post('a swap named by what comes out', '/swap', {
    ...{ sourceAsset: 'BTC', targetAsset: 'LTC', targetAmount: '2' },
  });
}

async function recordTransfers(): Promise<void> {
  const account = { address: PAYER };
  const beneficiary = { label: 'Savings', network: 'LITECOIN', account };
  const made = await post('a beneficiary', '/beneficiary', { beneficiary });
  const id = String(made.json.beneficiaryId);
  await get('the beneficiary', '/beneficiary', `?id=${id}`);
  await get('all beneficiaries', '/beneficiaries');
  const transfer = { network: 'LITECOIN', asset: null, amount: '0.25', targetAccount: 'Savings' };
  const quoted = await post('a transfer to a label', '/transfer', transfer);
  const transferId = idIn(quoted, 'transfer');
  await post('the transfer is committed', '/transfer/commit', { transferId });
  await sendAll();
  await get('the transfer has arrived', '/transfer', `?id=${transferId}`);
  await get('all transfers', '/transfers');
  const second = await post('a transfer to an id', '/transfer', { ...transfer, targetAccount: id });
  const waiting = { transferId: idIn(second, 'transfer') };
  await api.call('POST', '/transfer/commit', { body: waiting });
  await api.app.db.single((tx) =>
    tx.query(sql`update transfer set state = 'TO_SEND', by_hand = true
      where id = ${waiting.transferId}`),
  );
  await post('a transfer that waits for a person is taken back', '/transfer/cancel', waiting);
  await record('the beneficiary goes', 'DELETE', '/beneficiary', { body: { id } });
}

async function recordSettlementRules(): Promise<void> {
  const account = { address: PAYER };
  const beneficiary = { label: 'Bank', network: 'LITECOIN', account };
  await api.call('POST', '/beneficiary', { body: { beneficiary } });
  const targetAccount = 'Bank';
  const made = await post('a settlement rule', '/settlement-rule', {
    ...{ asset: 'LTC:NATIVE', threshold: '100', keep: 1, network: 'LITECOIN', targetAccount },
    schedule: { every: 'WEEK', day: 1, hour: '8', zone: 'Europe/Berlin' },
  });
  const id = idIn(made, 'settlementRule');
  await post('a settlement rule by conversion', '/settlement-rule', {
    ...{ asset: 'LTC:NATIVE', threshold: '0.01', convertTo: 'BTC:NATIVE' },
  });
  await runSettlementRules(api.app);
  await post('the settlement rule is paused', '/settlement-rule/pause', { settlementRuleId: id });
  await post('the settlement rule goes on', '/settlement-rule/resume', { settlementRuleId: id });
  const { json } = await get('all settlement rules', '/settlement-rules');
  for (const rule of json.settlementRules as unknown as readonly { id: string }[]) {
    await get(
      `what the rule ${rule.id === id ? 'of Mondays' : 'above'} did`,
      '/settlement-rule',
      `?id=${rule.id}`,
    );
    await record('a settlement rule goes', 'DELETE', '/settlement-rule', { body: { id: rule.id } });
  }
}

async function recordRefunds(): Promise<void> {
  const checkoutId = await payCheckout();
  const part = { checkoutId, kind: 'amount', amount: '0.01', address: PAYER };
  const made = await post('a refund of an amount', '/refund', part);
  const open = await post('a refund that the payer claims', '/refund', {
    checkoutId,
    kind: 'full',
  });
  await sendAll();
  await get('the refund has arrived', '/refund', `?id=${idIn(made, 'refund')}`);
  await get('all refunds', '/refunds');
  await post('a refund is taken back', '/refund/cancel', { refundId: idIn(open, 'refund') });
  await get('nothing is in suspense', '/suspense');
  await get('the refunded checkout', '/checkout', `?id=${checkoutId}`);
  await get('the checkouts of a customer of mine', '/checkouts', '?meta.order=7&state=COMPLETED');
}

async function payCheckout(): Promise<string> {
  const created = await post('a checkout', '/checkout', { charge, meta: { order: 7 } });
  const checkoutId = String(created.json.id);
  await post('the checkout is paid', '/sandbox/pay', { checkoutId, network: 'LITECOIN' });
  await post('blocks are made', '/sandbox/mine', { network: 'LITECOIN', blocks: 4 });
  await settleSandbox(api.app);
  return checkoutId;
}

async function sendAll(): Promise<void> {
  const app = { ...api.app, refunds: refundsOf(api.app), returns: returnsOf(api.app) };
  for (let step = 0; step < 6; step += 1) {
    await runTransfers(app);
    await api.app.sandbox?.mine(undefined, { network: 'LITECOIN', blocks: 1 });
    await api.clock.advance(3_000);
  }
  await settleSandbox(api.app);
}

async function recordActs(): Promise<void> {
  const create = async () =>
    String((await post('another checkout', '/checkout', { charge })).json.id);
  const cancelled = await create();
  await post('a checkout is cancelled', '/checkout/cancel', { checkoutId: cancelled });
  const checkoutId = await create();
  const some = { checkoutId, network: 'LITECOIN', amount: '0.05' };
  await post('a part is paid', '/sandbox/pay', some);
  await settleSandbox(api.app);
  await get('it is seen', '/checkout', `?id=${checkoutId}`);
  await post('it is replaced', '/sandbox/replace', { checkoutId });
  await post('a part is paid again', '/sandbox/pay', some);
  await post('blocks are made', '/sandbox/mine', { network: 'LITECOIN', blocks: 4 });
  await settleSandbox(api.app);
  await get('it is underpaid', '/checkout', `?id=${checkoutId}`);
  await post('what arrived is accepted', '/checkout/accept-underpaid', { checkoutId });
  const last = await create();
  await post('a window ends', '/sandbox/expire', { checkoutId: last });
  await post('blocks are undone', '/sandbox/reorg', { network: 'STELLAR', depth: 1 });
  await post('an hour passes', '/sandbox/advance', { minutes: 60 });
  await post('a node is silent', '/sandbox/freeze', { network: 'STELLAR', seconds: 1 });
}

async function recordEvents(): Promise<void> {
  const url = 'https://shop.example/all';
  const body = { url, eventTypes: ['CHECKOUT_CANCELLED'] };
  const made = await post('a receiver of the account', '/webhook-endpoint', body);
  const id = idIn(made, 'webhookEndpoint');
  await post('its secret changes', '/webhook-endpoint/rotate-secret', {
    webhookEndpointId: id,
    overlapHours: 1,
  });
  await record('it is told in another version', 'PUT', '/webhook-endpoint', {
    body: { webhookEndpointId: id, apiVersion: '2026-11-25' },
  });
  await get('all receivers', '/webhook-endpoints');
  const checkout = await post('a checkout with a webhook', '/checkout', { charge, webhook: url });
  await post('it is cancelled', '/checkout/cancel', { checkoutId: checkout.json.id });
  const listed = await get('the newest event', '/events', '?limit=1');
  await api.db.single((tx) =>
    tx.query(sql`update webhook_delivery set state = 'PARKED', finished_at = created_at`),
  );
  const [event] = listed.json.events as unknown as { id: string }[];
  await get('that event alone', '/event', `?id=${event?.id}`);
  await get('where a program that follows events begins', '/events/follow');
  await get('the first event that is kept', '/events/follow', '?after=start&limit=1');
  await post('an event is sent again', `/events/${event?.id}/redeliver`, {});
  await record('the receiver goes', 'DELETE', '/webhook-endpoint', { body: { id } });
}

async function recordRequests(): Promise<void> {
  const log = createRequestLog(api.app);
  const id = 'request00001';
  log.note({
    ...{ id, owner: { merchantId: api.merchantId, environment: 'test' }, apiKey: api.key.key },
    ...{ scope: 'checkout', method: 'POST', path: '/api/v1/checkout', query: '', status: 400 },
    ...{ errorCode: 'validation_failed', durationMs: 3, address: '203.0.113.7' },
    requestHeaders: new Headers({ 'user-agent': 'Shop/1' }),
    requestBody: new TextEncoder().encode('{"charge":{}}'),
    answerHeaders: { 'x-request-id': id },
    answerBody: '{"errors":["Invalid request."]}',
  });
  await log.write();
  await get('requests in the log', '/requests', '?status=4xx&path=/api/v1/checkout');
  await get('one of them whole', '/request', `?id=${id}`);
}

async function recordSettings(): Promise<void> {
  await get('settings of the account', '/account-settings');
  const body = { riskTolerance: 'LOW' };
  await record('a setting changes', 'PUT', '/account-settings', { body });
  const limit = { kind: 'DAY', measure: 'EUR', amount: '1000' };
  await record('a limit is lowered', 'PUT', '/spending-limit', { body: limit });
  await get('limits of what is sent out', '/spending-limits');
  await get('nothing waits for a second approver', '/approvals');
  const both = { kind: 'TWO_PEOPLE', measure: 'LTC:NATIVE', amount: '0.5' };
  await record('a limit of one person is set', 'PUT', '/spending-limit', { body: both });
  const { merchantId } = api;
  const subject = 'transfer:aaaaaaaaaaaa';
  await api.app.db.transact((tx) =>
    checkApproval(api.app, tx, {
      ...{ subject, environment: 'test', merchantId, maker: 'key bbbbbbbbbbbb' },
      about: `TRANSFER 1 LTC on LITECOIN to ${PAYER}`,
      digest: new Uint8Array(32),
      amount: { assetId: 'LTC:NATIVE', units: 100_000_000n },
    }),
  );
  await get('a transfer waits for a second approver', '/approvals');
  await post('a second approver agrees', '/approval', { subject });
}

async function recordReports(): Promise<void> {
  for (const name of ['balances', 'ledger', 'settlements', 'fees', 'taxes']) {
    await get(`the report ${name}`, `/reports/${name}`, '?from=2026-11-21&limit=3');
  }
}

test('every answer of the account is what it was', async () => {
  await recordCustomers();
  await recordDeposits();
  await recordSwaps();
  await recordTransfers();
  await recordRefunds();
  await recordActs();
  await recordEvents();
  await recordRequests();
  await recordReports();
  await post('a Lightning address', '/deposit-address', { network: 'LIGHTNING' });
  await recordSettings();
  await recordSettlementRules();
  for (const name of ['conversions', 'gains']) {
    await get(`the report ${name}`, `/reports/${name}`, '?currency=EUR&from=2026-11-21&limit=3');
  }
  const mails = { customerMails: ['PAID', 'REFUND_CLAIM'] };
  await record('mails to customers are switched on', 'PUT', '/account-settings', { body: mails });
  const look = { font: 'serif', colors: ['light-text=#222222'], blocks: ['order', 'pay', 'note'] };
  const words = [{ place: 'TERMS', language: 'en', words: 'Returns within 30 days.' }];
  const body = { ...look, words, primaryColor: '#7a1fa2' };
  await record('the look of the pages', 'PUT', '/page-look', { body, key: api.liveKey });
  await get('the pages as they look', '/page-look');
  await golden.compare();
  assert.ok(golden.seen.every(({ status }) => status === 200));
});
