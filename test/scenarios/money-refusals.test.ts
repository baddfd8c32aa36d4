// What the document says that an operation which moves money, or says where it may go, can refuse:
// each of it is provoked here over the API, and nothing beside it is listed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allowAddress } from '#access/allow-list.ts';
import { createApiKey, type NewApiKey } from '#access/api-key.ts';
import { errorsOf } from '#api/endpoint-errors.ts';
import { ROUTES } from '#api/routes.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import type { ChainId } from '#catalog/chain.ts';
import { sql } from '#db/db.ts';
import { parseDecimal } from '#money/decimal.ts';
import { refundsOf } from '#refund/refunds-of.ts';
import { returnsOf } from '#suspense/return-suspense.ts';
import { settleSandbox } from '#test/support/settle-sandbox.ts';
import { type CallOptions, openTestApi, type TestApi } from '#test/support/test-api.ts';
import { isByHand, type TransferExecutor } from '#transfer/executor.ts';
import { quoteTransfer } from '#transfer/quote-transfer.ts';
import { runTransfers } from '#transfer/run-transfers.ts';

const MISSING = 'aaaaaaaaaaaa';
const PAYER = 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0';
const LITECOIN = 'test:LITECOIN' as ChainId;
const charge = { billingCurrency: 'EUR', lineItems: [{ description: 'Book', netAmount: '10.00' }] };
const toSavings = { network: 'LITECOIN', amount: '0.01', targetAccount: 'Savings' };

let api: TestApi;
let other: NewApiKey;
before(async () => {
  api = await openTestApi({ simulated: true });
  other = await api.otherMerchant();
  const [row] = await api.db.query<{ id: string }>(
    sql`select merchant_id as id from api_key where key = ${other.key}`,
  );
  for (const [merchantId, environment] of [
    [api.merchantId, 'test'],
    [api.merchantId, 'live'],
    [String(row?.id), 'test'],
  ] as const) {
    const use = 'withdrawals';
    await allowAddress(api.app, { merchantId, environment }, { use, address: '127.0.0.1' });
  }
  await settleSandbox(api.app);
});
after(() => api.close());

/** `createTransfer 400 amount_invalid`: what was seen. */
const seen = new Set<string>();

async function call(method: string, path: string, body: object | '', options: CallOptions = {}) {
  // Each signature is a new one.
  await api.clock.advance(1000);
  return api.call(method, path, { body, ...options });
}

async function done(path: string, body: object, options?: CallOptions) {
  const { status, text, json } = await call('POST', path, body, options);
  assert.equal(status, 200, `${path}: ${text}`);
  return json;
}

async function refuse(
  code: string,
  place: string,
  body: object | '',
  options: CallOptions = {},
): Promise<void> {
  const [method = '', path = ''] = place.split(' ');
  const { status, headers, text } = await call(method, path, body, options);
  assert.equal(headers.get('x-error-code'), code, `${place}: ${text}`);
  const found = ROUTES.find((one) => one.method === method && one.path === path);
  seen.add(`${found?.operationId} ${status} ${code}`);
}

/** What the operation can refuse, apart from what the like of it do, whoever asks for whatever. */
function listed(operationId: string): string[] {
  const namesOf = (id: string) => {
    const endpoint = ROUTES.find((one) => one.operationId === id);
    assert.ok(endpoint !== undefined, id);
    return errorsOf(endpoint).map(({ status, code }) => `${status} ${code}`);
  };
  const plain = ['createBeneficiary', 'getAccountSettings', 'updateAccountSettings'];
  const common = new Set(plain.flatMap(namesOf));
  common.delete('409 label_taken');
  return namesOf(operationId)
    .filter((name) => !common.has(name))
    .map((name) => `${operationId} ${name}`);
}

function assertExact(...operationIds: readonly string[]): void {
  const ofThese = [...seen].filter((one) => operationIds.includes(one.split(' ')[0] ?? ''));
  assert.deepEqual(ofThese.sort(), operationIds.flatMap(listed).sort());
}

/** While nobody sends on the chain, or whoever does is another one. */
async function withExecutor(
  change: Partial<TransferExecutor> | undefined,
  act: () => Promise<void>,
): Promise<void> {
  const { executors } = api.app;
  const whole = executors.get(LITECOIN);
  assert.ok(whole !== undefined && !isByHand(whole));
  if (change === undefined) executors.delete(LITECOIN);
  else executors.set(LITECOIN, { ...whole, ...change });
  await act();
  executors.set(LITECOIN, whole);
}

/** While no asset has a price. */
async function withoutPrices(act: () => Promise<void>): Promise<void> {
  const { rates } = api.app;
  Object.assign(api.app, { rates: { ...rates, price: () => undefined } });
  await act();
  Object.assign(api.app, { rates });
}

/** While the merchant may send no more than this in a day. */
async function withLimit(measure: string, amount: string, act: () => Promise<void>) {
  const limit = { kind: 'DAY', measure, amount };
  assert.equal((await call('PUT', '/spending-limit', limit)).status, 200);
  await act();
  await api.db.single((tx) => tx.query(sql`delete from spending_limit`));
}

const feeUnknown: Partial<TransferExecutor> = {
  networkFeeUnits() {
    throw new Refusal('unavailable', 'network_fee_unknown', 'no node says what it takes');
  },
};

async function quoted(amount = '0.01'): Promise<{ readonly transferId: string }> {
  const { transfer } = await done('/transfer', { ...toSavings, amount });
  return { transferId: String(transfer?.id) };
}

async function paid(more: object = {}, options: CallOptions = {}, blocks = 4): Promise<string> {
  const { id } = await done('/checkout', { charge }, options);
  await done('/sandbox/pay', { checkoutId: id, network: 'LITECOIN', ...more }, options);
  await done('/sandbox/mine', { network: 'LITECOIN', blocks }, options);
  await settleSandbox(api.app);
  return String(id);
}

async function change(statement: ReturnType<typeof sql>): Promise<void> {
  await api.db.single((tx) => tx.query(statement));
}

test('beneficiaries refuse what the document says, and nothing else', async () => {
  const beneficiary = { label: 'Savings', network: 'LITECOIN', account: { address: PAYER } };
  await done('/beneficiary', { beneficiary });
  await refuse('label_taken', 'POST /beneficiary', { beneficiary });
  await refuse('beneficiary_missing', 'DELETE /beneficiary', { id: MISSING });
  assertExact('createBeneficiary', 'deleteBeneficiary');
});

test('a quote of a transfer is refused as the document says, and not otherwise', async () => {
  const quote = (code: string, body: object, options?: CallOptions) =>
    refuse(code, 'POST /transfer', { ...toSavings, ...body }, options);
  await quote('beneficiary_missing', { targetAccount: 'nobody' });
  await quote('beneficiary_elsewhere', { network: 'BITCOIN' });
  await quote('asset_unknown', { asset: 'BTC:NATIVE' });
  await quote('amount_invalid', { amount: '0.000000001' });
  await quote('amount_too_small', { amount: '0.000005' });
  await withExecutor(undefined, () => quote('executor_missing', {}));
  await withExecutor(feeUnknown, () => quote('network_fee_unknown', {}));
  const account = { iban: 'DE89370400440532013000', holder: 'Ada Lovelace' };
  const options = { key: api.liveKey };
  const bank = { label: 'Bank', network: 'SEPA', account };
  await done('/beneficiary', { beneficiary: bank }, options);
  await quote('beneficiary_too_new', { network: 'SEPA', targetAccount: 'Bank' }, options);
  const { id: checkoutId } = await done('/checkout', { charge });
  const { depositInstructions } = await done('/checkout/commit', {
    ...{ checkoutId, network: 'LIGHTNING' },
  });
  const invoice = String(depositInstructions?.address);
  const lightning = { label: 'Invoice', network: 'LIGHTNING', account: { invoice } };
  await done('/beneficiary', { beneficiary: lightning });
  await api.clock.advance(86_400_000);
  await quote('invoice_expired', { network: 'LIGHTNING', targetAccount: 'Invoice' });
  assertExact('createTransfer');
});

test('a transfer is sent and taken back, or refused, as the document says', async () => {
  const commit = (code: string, quote: object) => refuse(code, 'POST /transfer/commit', quote);
  await commit('transfer_missing', { transferId: MISSING });
  await commit('balance_too_low', await quoted('1000'));
  const old = await quoted();
  await api.clock.advance(600_000);
  await commit('transfer_expired', old);
  const asked = { ...toSavings, asset: undefined, amount: parseDecimal('0.01') };
  const { merchantId } = api;
  const somebody = {
    merchantId,
    environment: 'test',
    apiKey: undefined,
    maker: 'staff s',
  } as const;
  const { id } = await quoteTransfer(api.app, somebody, asked);
  await commit('quote_of_another', { transferId: id });
  const unsent = await quoted();
  await withExecutor(undefined, () => commit('executor_missing', unsent));
  await withLimit('LTC:NATIVE', '0.001', async () => commit('spending_limit', await quoted()));
  await withLimit('EUR', '1', async () => {
    const unvalued = await quoted();
    await withoutPrices(() => commit('rate_missing', unvalued));
  });
  const { beneficiaryId } = await done('/beneficiary', {
    beneficiary: { label: 'Gone', network: 'LITECOIN', account: { address: PAYER } },
  });
  const { transfer } = await done('/transfer', { ...toSavings, targetAccount: 'Gone' });
  await call('DELETE', '/beneficiary', { id: beneficiaryId });
  await commit('beneficiary_deleted', { transferId: transfer?.id });
  const cancel = (code: string, of: object) => refuse(code, 'POST /transfer/cancel', of);
  await cancel('transfer_missing', { transferId: MISSING });
  await cancel('transfer_not_to_send', old);
  await paid();
  const signed = await quoted('0.001');
  await done('/transfer/commit', signed);
  const submit = () => Promise.reject(new Outage('node'));
  await withExecutor({ submit }, async () => {
    await runTransfers({ ...api.app, refunds: refundsOf(api.app), returns: returnsOf(api.app) });
    await cancel('transfer_signed', signed);
  });
  const shown = await quoted();
  await change(sql`update transfer set state = 'TO_SEND', by_hand = true, shown_at = created_at
    where id = ${shown.transferId}`);
  await cancel('transfer_shown', shown);
  await change(sql`update transfer set shown_at = null, units = units + 1,
    target_units = target_units + 1 where id = ${shown.transferId}`);
  await cancel('transfer_changed', shown);
  assertExact('commitTransfer', 'cancelTransfer');
});

test('a refund is refused, or not taken back, as the document says', async () => {
  const refund = (code: string, body: object, options?: CallOptions) =>
    refuse(code, 'POST /refund', { kind: 'full', address: PAYER, ...body }, options);
  await refund('checkout_missing', { checkoutId: MISSING });
  const { id } = await done('/checkout', { charge });
  await refund('checkout_not_paid', { checkoutId: id });
  // What the network takes comes on top of all that this merchant has.
  const all = await paid({}, { key: other });
  await refund('balance_too_low', { checkoutId: all }, { key: other });
  const checkoutId = await paid();
  await refund('address_invalid', { checkoutId, address: 'nowhere' });
  await refund('nothing_to_refund', { checkoutId, kind: 'excess' });
  await refund('amount_invalid', { checkoutId, kind: 'amount', amount: '0.000000001' });
  await refund('refund_exceeds_payment', { checkoutId, kind: 'amount', amount: '1' });
  await withExecutor(undefined, () => refund('executor_missing', { checkoutId }));
  await withExecutor(feeUnknown, () => refund('network_fee_unknown', { checkoutId }));
  await withLimit('LTC:NATIVE', '0.001', () => refund('spending_limit', { checkoutId }));
  await withLimit('EUR', '1', () => withoutPrices(() => refund('rate_missing', { checkoutId })));
  const little = await paid({ amount: '0.000001' });
  await refund('refund_only_full', { checkoutId: little, kind: 'excess' });
  await refund('amount_too_small', { checkoutId: little });
  const lost = await paid({}, {}, 3);
  await done('/sandbox/reorg', { network: 'LITECOIN', depth: 3 });
  await settleSandbox(api.app);
  await refund('payment_uncertain', { checkoutId: lost });
  const cancel = (code: string, refundId: unknown) =>
    refuse(code, 'POST /refund/cancel', { refundId });
  await cancel('refund_missing', MISSING);
  const part = { checkoutId, kind: 'amount', amount: '0.001', address: PAYER };
  const made = (await done('/refund', part)).refund?.id;
  const transferOf = sql`(select transfer_id from refund where id = ${String(made)})`;
  const submit = () => Promise.reject(new Outage('node'));
  await withExecutor({ submit }, async () => {
    await runTransfers({ ...api.app, refunds: refundsOf(api.app), returns: returnsOf(api.app) });
    await cancel('transfer_signed', made);
  });
  await change(sql`update transfer set state = 'TO_SEND', by_hand = true, shown_at = created_at
    where id = ${transferOf}`);
  await cancel('transfer_shown', made);
  await change(sql`update transfer set shown_at = null, transaction = null, units = units + 1,
    target_units = target_units + 1 where id = ${transferOf}`);
  await cancel('transfer_changed', made);
  await change(sql`update transfer set state = 'SUBMITTED' where id = ${transferOf}`);
  await cancel('transfer_not_to_send', made);
  assertExact('createRefund', 'cancelRefund');
});

test('a swap is refused as the document says', async () => {
  const swap = { sourceAsset: 'XLM:NATIVE', targetAsset: 'XRP:NATIVE', sourceAmount: '1' };
  const live = { key: api.liveKey };
  const quote = (code: string, body: object = {}, options?: CallOptions) =>
    refuse(code, 'POST /swap', { ...swap, ...body }, options);
  const commit = (code: string, swapId: unknown, options?: CallOptions) =>
    refuse(code, 'POST /swap/commit', { swapId }, options);
  const quotedSwap = async (options?: CallOptions) => (await done('/swap', swap, options)).swap?.id;
  await quote('amount_too_small', {
    ...{ sourceAsset: 'LTC:NATIVE', targetAsset: 'BTC:NATIVE', sourceAmount: '0.00000001' },
  });
  await quote('exchange_missing', {}, live);
  Object.assign(api.app, { exposureLimitUsd: parseDecimal('1000') });
  await quote('rate_missing', {}, live);
  Object.assign(api.app, { hasPriceSources: false });
  await quote('prices_not_configured', {}, live);
  Object.assign(api.app, { hasPriceSources: true });
  for (const code of ['XLM', 'XRP']) {
    const price = { id: 1n, code, usdPrice: parseDecimal('2'), observedAt: api.clock.now() };
    api.app.rates.remember([{ environment: 'live', ...price }]);
  }
  const open = await quotedSwap(live);
  Object.assign(api.app, { exposureLimitUsd: parseDecimal('1') });
  await quote('conversion_not_covered', {}, live);
  await commit('conversion_not_covered', open, live);
  Object.assign(api.app, { exposureLimitUsd: undefined });
  await commit('exchange_missing', open, live);
  await commit('swap_missing', MISSING);
  await commit('balance_too_low', await quotedSwap());
  const old = await quotedSwap();
  await api.clock.advance(60_000);
  await commit('swap_expired', old);
  await withLimit('XLM:NATIVE', '0.5', async () => commit('spending_limit', await quotedSwap()));
  const both = { kind: 'TWO_PEOPLE', measure: 'XLM:NATIVE', amount: '0.1' };
  assert.equal((await call('PUT', '/spending-limit', both)).status, 200);
  await commit('second_person', await quotedSwap());
  await change(sql`delete from spending_limit`);
  assertExact('createSwap', 'commitSwap');
});

test('a lowered limit of a day says what is left, if it can be valued', async () => {
  const limits = async (method: string, path: string, body?: object) => {
    const answer = await call(method, path, body ?? '');
    assert.equal(answer.status, 200, answer.text);
    return answer.json.spendingLimits as unknown as { left: string | null }[];
  };
  const lowered = (measure: string, amount: string) =>
    limits('PUT', '/spending-limit', { kind: 'DAY', measure, amount });
  await paid();
  await done('/transfer/commit', await quoted('0.01'));
  const inAsset = await lowered('LTC:NATIVE', '5');
  assert.match(String(inAsset[0]?.left), /^4\.9\d*$/);
  const both = await lowered('EUR', '1000');
  assert.deepEqual(both, await limits('GET', '/spending-limits'));
  await withoutPrices(async () => {
    const unvalued = await lowered('EUR', '900');
    assert.deepEqual(
      unvalued.map(({ left }) => left),
      [null, inAsset[0]?.left],
    );
    await refuse('rate_missing', 'GET /spending-limits', '');
  });
  await change(sql`delete from spending_limit`);
});

test('limits, and the word of a second person, are refused as the document says', async () => {
  const limit = { kind: 'TWO_PEOPLE', measure: 'LTC:NATIVE', amount: '0.001' };
  assert.equal((await call('PUT', '/spending-limit', limit)).status, 200);
  await refuse('limit_not_lower', 'PUT /spending-limit', { ...limit, amount: '0.002' });
  const { merchantId } = api;
  const key = await createApiKey(api.app, { merchantId, environment: 'test' });
  await refuse('approval_missing', 'POST /approval', { subject: `transfer:${MISSING}` }, { key });
  await paid();
  const { transferId } = await quoted('0.002');
  await done('/transfer/commit', { transferId });
  await runTransfers({ ...api.app, refunds: refundsOf(api.app), returns: returnsOf(api.app) });
  await refuse('second_person', 'POST /approval', { subject: `transfer:${transferId}` });
  assertExact('lowerSpendingLimit', 'listSpendingLimits', 'createApproval');
});
