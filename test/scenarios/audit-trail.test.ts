// Every act that changes something is in the audit trail with who did it, or stands here with the
// reason why not. What moves money is looked at where its story is told.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allowAddress } from '#access/allow-list.ts';
import { ROUTES } from '#api/routes.ts';
import { listActs } from '#audit/act.ts';
import { SOURCE } from '#test/support/list-code.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';

type Trail = Readonly<Record<string, { readonly noted: string } | { readonly not: string }>>;

const READS = { not: 'it only looks' };
const SIMULATED = { not: 'it moves simulated money alone' };
const ASKS_FOR_MONEY = { not: 'it asks for money that comes in; its row has the key' };
const QUOTE = { not: 'a quote moves nothing; its commit is noted' };

const COMMANDS: Trail = {
  'merchant create': { noted: 'merchant-create' },
  'merchant list': READS,
  'merchant set': { noted: 'merchant-set' },
  'merchant show': READS,
  'merchant settle-rule add': { noted: 'settlement-rule-create' },
  'merchant settle-rule list': READS,
  'merchant settle-rule pause': { noted: 'settlement-rule-pause' },
  'merchant settle-rule resume': { noted: 'settlement-rule-resume' },
  'merchant settle-rule delete': { noted: 'settlement-rule-delete' },
  'merchant page show': READS,
  'merchant page set': { noted: 'merchant-page-set' },
  'merchant page logo': { noted: 'merchant-page-logo' },
  'merchant page font-file': { noted: 'merchant-page-font' },
  'merchant page dark-logo': { noted: 'merchant-page-logo' },
  'merchant page unset': { noted: 'merchant-page-unset' },
  'merchant mail-words list': READS,
  'merchant mail-words set': { noted: 'merchant-set' },
  'merchant page-words list': READS,
  'merchant page-words set': { noted: 'merchant-page-set' },
  'merchant domain add': { noted: 'domain-add' },
  'merchant domain verify': { noted: 'domain-verify' },
  'merchant domain list': READS,
  'merchant domain remove': { noted: 'domain-remove' },
  'person invite': { noted: 'person-invite' },
  'person list': READS,
  'person end': { noted: 'person-end' },
  'key create': { noted: 'key-create' },
  'key list': READS,
  'key rotate': { noted: 'key-rotate' },
  'key revoke': { noted: 'key-revoke' },
  'key basic': { noted: 'key-basic' },
  'key prefer': { noted: 'key-prefer' },
  'key version': { noted: 'key-version' },
  'allow-list add': { noted: 'allow-list-add' },
  'allow-list remove': { noted: 'allow-list-remove' },
  'allow-list any': { noted: 'allow-list-any' },
  'allow-list list': READS,
  'audit list': READS,
  'audit verify': READS,
  'approval list': READS,
  'approval give': { noted: 'approve' },
  'limit set': { noted: 'limit-set' },
  'limit remove': { noted: 'limit-remove' },
  'limit list': READS,
  'checkout show': READS,
  'webhook version': { noted: 'webhook-endpoint-version' },
  'webhook secret': { noted: 'webhook-secret-rotate' },
  'bank import': { noted: 'bank-import' },
  'bank status': { noted: 'bank-status' },
  'bank files': READS,
  'language check': READS,
  'ledger verify': READS,
  'report export': READS,
  'report house': READS,
  'report table': READS,
  'parked list': READS,
  'parked retry': { noted: 'parked-retry' },
  'parked discard': { noted: 'parked-discard' },
  'alert list': READS,
  'alert test': { noted: 'alert-test' },
  'mail list': READS,
  'mail retry': { noted: 'mail-retry' },
  'mail test': { noted: 'mail-test' },
  'mail report': { noted: 'mail-report' },
  'mail stop': { noted: 'mail-stop' },
  'mail allow': { noted: 'mail-allow' },
  'mail stops': READS,
  'send list': READS,
  'send show': { noted: 'send-show' },
  'send draft': { noted: 'send-draft' },
  'send release': { noted: 'bank-release' },
  'send signed': { noted: 'send-signed' },
  'send bump': { noted: 'send-bump' },
  'send cancel': { noted: 'send-cancel' },
  'send landed': { noted: 'custody-settle' },
  'send left': READS,
  'send take-back': { noted: 'send-take-back' },
  'send confirm': { noted: 'send-confirm' },
  'custody list': READS,
  'custody explain': { noted: 'custody-explain' },
  'custody settle': { noted: 'custody-settle' },
  'custody gone': { noted: 'custody-gone' },
  'custody sweep': { noted: 'sweep-plan' },
  'custody consolidate': { noted: 'consolidate-draft' },
  'custody speed-up': { noted: 'speed-up-draft' },
  'custody replace': { noted: 'replace-draft' },
  'custody signed': { noted: 'move-signed' },
  'suspense list': READS,
  'suspense assign': { noted: 'suspense-assign' },
  'suspense return': { noted: 'suspense-return' },
  'suspense write-off': { noted: 'suspense-write-off' },
  'treasury position': READS,
  'treasury list': READS,
  'treasury show': READS,
  'treasury order': { noted: 'treasury-order' },
  'treasury place': { noted: 'treasury-place' },
  'treasury draft': { noted: 'treasury-draft' },
  'treasury fill': { noted: 'treasury-fill' },
  'treasury unfill': { noted: 'treasury-unfill' },
  'treasury cancel': { noted: 'treasury-cancel' },
  'treasury move': { noted: 'treasury-move' },
  'treasury arrived': { noted: 'treasury-arrived' },
  'treasury balance': READS,
  'treasury reconcile': READS,
  'treasury trades': READS,
  'treasury explain': { noted: 'treasury-explain' },
  'treasury deposit-address': READS,
  'treasury withdraw': { noted: 'treasury-withdraw' },
  'treasury policy list': READS,
  'treasury policy set': { noted: 'treasury-policy-set' },
  'treasury liquidity set': { noted: 'treasury-liquidity-set' },
  'treasury liquidity remove': { noted: 'treasury-liquidity-remove' },
  'treasury target set': { noted: 'treasury-target-set' },
  'treasury target remove': { noted: 'treasury-target-remove' },
  backup: { noted: 'backup' },
  'backup wal': { noted: 'backup' },
  'backup list': READS,
  'backup verify': READS,
  'backup key': { not: 'it makes a file, and opens no database' },
  restore: { noted: 'restored' },
  'sandbox pay': SIMULATED,
  'sandbox mine': SIMULATED,
  'sandbox replace': SIMULATED,
  'sandbox reorg': SIMULATED,
  'sandbox expire': SIMULATED,
  'sandbox freeze': SIMULATED,
  setup: { not: 'it writes a file of settings, beside a database that may not be there yet' },
  migrate: {
    not: 'it changes how data is kept, and no act: the trail itself may not be there yet',
  },
  distribute: { not: 'it says where tables are kept, and no act of money' },
  'chain release': { noted: 'chain-release' },
  'chain rewind': { noted: 'chain-rewind' },
  restored: { noted: 'restored' },
  doctor: READS,
  settings: READS,
};

/** Those with GET only look. */
const ENDPOINTS: Trail = {
  'POST /checkout': ASKS_FOR_MONEY,
  'POST /checkout/commit': ASKS_FOR_MONEY,
  'POST /checkout/hosted': ASKS_FOR_MONEY,
  'POST /checkout/validate-checkout-charge': READS,
  'POST /checkout/cancel': { not: 'no money was seen for it, and what still arrives is credited' },
  'POST /checkout/accept-underpaid': { noted: 'checkout-accept-underpaid' },
  'POST /deposit-address': ASKS_FOR_MONEY,
  'POST /events/{id}/redeliver': { not: 'what was told is told again; each delivery is kept' },
  'POST /webhook-endpoint': { noted: 'webhook-endpoint-create' },
  'POST /webhook-endpoint/rotate-secret': { noted: 'webhook-endpoint-rotate' },
  'PUT /webhook-endpoint': { noted: 'webhook-endpoint-version' },
  'DELETE /webhook-endpoint': { noted: 'webhook-endpoint-delete' },
  'PUT /account-settings': { noted: 'merchant-set' },
  'PUT /page-look': { noted: 'merchant-page-set' },
  'PUT /spending-limit': { noted: 'limit-set' },
  'POST /customer': { noted: 'customer-create' },
  'PUT /customer': { noted: 'customer-change' },
  'DELETE /customer': { noted: 'customer-erase' },
  'POST /swap': QUOTE,
  'POST /swap/commit': { noted: 'swap-commit' },
  'POST /beneficiary': { noted: 'beneficiary-create' },
  'DELETE /beneficiary': { noted: 'beneficiary-delete' },
  'POST /transfer': QUOTE,
  'POST /transfer/commit': { noted: 'transfer-commit' },
  'POST /transfer/cancel': { noted: 'transfer-cancel' },
  'POST /settlement-rule': { noted: 'settlement-rule-create' },
  'POST /settlement-rule/pause': { noted: 'settlement-rule-pause' },
  'POST /settlement-rule/resume': { noted: 'settlement-rule-resume' },
  'DELETE /settlement-rule': { noted: 'settlement-rule-delete' },
  'POST /approval': { noted: 'approve' },
  'POST /refund': { noted: 'refund-create' },
  'POST /refund/cancel': { noted: 'transfer-cancel' },
  'POST /sandbox/pay': SIMULATED,
  'POST /sandbox/mine': SIMULATED,
  'POST /sandbox/reorg': SIMULATED,
  'POST /sandbox/replace': SIMULATED,
  'POST /sandbox/advance': SIMULATED,
  'POST /sandbox/expire': SIMULATED,
  'POST /sandbox/freeze': SIMULATED,
};

const HELD = { gate: 'hold-to-send.ts: the transfer itself is approved' };
const SAID_TWICE = { gate: 'requireSecondPerson: another one approves what is said' };
const NOT_MONEY = { not: 'it moves no money; what may move later passes the gate then' };
const INSIDE = { not: 'the money stays here; whatever leaves later passes the gate then' };
const BACK = { not: 'it gives the money back; each way out from there passes the gate anew' };
const FILLED = { not: 'its order passed; what it brought is held against treasury balance' };

/** Above the limit of one person (`limit set two-people`): what is noted and how it is held. */
const GATES: Readonly<Record<string, { readonly gate: string } | { readonly not: string }>> = {
  'send-show': HELD,
  'send-draft': HELD,
  'send-signed': HELD,
  'bank-release': HELD,
  'transfer-commit': HELD,
  'refund-create': HELD,
  'suspense-return': HELD,
  'swap-commit': { gate: 'another key commits it than the one that asked' },
  'send-confirm': SAID_TWICE,
  'custody-explain': SAID_TWICE,
  'custody-settle': SAID_TWICE,
  'suspense-write-off': SAID_TWICE,
  'treasury-order': SAID_TWICE,
  'treasury-place': SAID_TWICE,
  'send-take-back': BACK,
  'treasury-draft': { not: 'its order passed; it pays nobody but us, within the slippage' },
  'treasury-move': SAID_TWICE,
  'treasury-explain': SAID_TWICE,
  'treasury-withdraw': SAID_TWICE,
  'treasury-fill': FILLED,
  'treasury-unfill': FILLED,
  'treasury-arrived': { not: 'its move passed; what is missing is held against treasury balance' },
  'treasury-cancel': INSIDE,
  'suspense-assign': INSIDE,
  'checkout-accept-underpaid': INSIDE,
  'bank-import': { not: 'what the bank says; what left by it is explained through the gate' },
  'bank-status': BACK,
  'send-cancel': BACK,
  'transfer-cancel': BACK,
  'send-bump': { not: 'a fee within the bounds; what it pays passed the gate' },
  'custody-gone': { not: 'what it carried waits again, approved as before' },
  'sweep-plan': { not: 'it goes to COLLECT_TO alone, which no command changes' },
  'consolidate-draft': { not: 'it pays nobody but us; a fee is all that leaves' },
  'speed-up-draft': { not: 'it pays nobody but us; a fee is all that leaves' },
  'replace-draft': { not: 'it pays nobody but us; a fee is all that leaves' },
  'move-signed': { not: 'it is what was drafted, which pays nobody but us' },
  'settlement-rule-create': { not: 'each transfer that it makes waits for a second person' },
  'settlement-rule-pause': NOT_MONEY,
  'settlement-rule-resume': NOT_MONEY,
  'settlement-rule-delete': NOT_MONEY,
  approve: { not: 'it is the second person' },
  'limit-set': { gate: 'change-limit.ts: another one approves that two-people is raised' },
  'limit-remove': { gate: 'change-limit.ts: another one approves that two-people is taken away' },
};

let server: ServerProcess;
let api: TestApi;
before(async () => {
  [server, api] = await Promise.all([openServerProcess(), openTestApi({ simulated: true })]);
  await server.start();
});
after(() => Promise.all([server?.close(), api?.close()]));

test('every verb of the command line is in the table', async () => {
  const { stdout } = await server.command('--help');
  const [, list = ''] = stdout.split('\n\n');
  const names = list.split('\n').map((line) => line.slice(2, 30).trimEnd());
  assert.deepEqual(names.sort(), Object.keys(COMMANDS).sort());
});

test('every route that changes something is in the table', () => {
  const names = ROUTES.filter(({ method }) => method !== 'GET').map(
    ({ method, path }) => `${method} ${path}`,
  );
  assert.deepEqual(names.sort(), Object.keys(ENDPOINTS).sort());
});

test('every verb of the tables is one that the product notes', () => {
  const source = SOURCE.filter(({ path }) => !path.endsWith('.test.ts')).map(({ text }) => text);
  const all = source.join('\n');
  const made = ['settlement-rule-', 'allow-list-', 'suspense-', 'swap-'];
  const verbs = [...Object.values(COMMANDS), ...Object.values(ENDPOINTS)].flatMap((one) =>
    'noted' in one ? one.noted : [],
  );
  const written = verbs.filter((verb) => !made.some((start) => verb.startsWith(start)));
  assert.deepEqual(
    written.filter((verb) => !all.includes(`'${verb}'`)),
    [],
  );
});

test('whatever is noted of money passes the gate of two people, or has its reason', () => {
  const settings =
    /^(?:alert|merchant|person|key|allow-list|webhook|domain|customer|beneficiary|treasury-(?:policy|target|liquidity)|parked|mail|chain|restored|backup)/;
  const verbs = [...Object.values(COMMANDS), ...Object.values(ENDPOINTS)].flatMap((one) =>
    'noted' in one && !settings.test(one.noted) ? one.noted : [],
  );
  assert.deepEqual([...new Set(verbs)].sort(), Object.keys(GATES).sort());
});

type Seen = {
  readonly verb: string;
  readonly actor: string;
  readonly subject: string;
  readonly details: Readonly<Record<string, string>>;
};

async function run(...words: string[]): Promise<Readonly<Record<string, unknown>>> {
  const { exitCode, json, stderr } = await server.command(...words, '--json');
  assert.equal(exitCode, 0, `${words.join(' ')}: ${stderr}`);
  return json;
}

const acts = async (...filter: string[]) =>
  (await run('audit', 'list', ...filter)).acts as readonly Seen[];

test('what an operator changes is noted with his name, and found by it', async () => {
  const by = ['--by', 'anna'];
  const live = ['--environment', 'live'];
  const second = String((await run('merchant', 'create', '--name', 'Shop', ...by)).id);
  const { merchants } = (await run('merchant', 'list')) as { merchants: { id: string }[] };
  const merchant = merchants.find(({ id }) => id !== second)?.id;
  const key = String((await run('key', 'create', ...live, '--label', 'till', ...by)).key);
  await run('key', 'rotate', key, ...by);
  await run('key', 'basic', key, 'on', '--by', 'bob');
  await run('key', 'revoke', key, ...by);
  const address = ['192.0.2.7', '--for', 'withdrawals', ...live];
  await run('allow-list', 'add', ...address, ...by);
  await run('allow-list', 'remove', ...address, ...by);
  await run('allow-list', 'any', ...live, ...by);
  await run('webhook', 'secret', ...live, ...by);
  await run('webhook', 'secret', ...live, '--rotate', ...by);
  await run('merchant', 'set', '--late-floor', '80', ...by);
  await run('merchant', 'page', 'set', '--shop-name', 'Books', ...by);
  await run('merchant', 'page', 'unset', 'shop-name', 'logo', ...by);
  await run('merchant', 'domain', 'add', 'pay.shop.example', ...by);
  await run('merchant', 'domain', 'remove', 'pay.shop.example', ...by);
  const swapped = ['LTC:NATIVE', ...live, '--above', '1', '--convert-to', 'EUR:FIAT'];
  const made = await run('merchant', 'settle-rule', 'add', ...swapped, ...by);
  const { id: rule } = made.settlementRule as { readonly id: string };
  for (const change of ['pause', 'resume', 'delete']) {
    await run('merchant', 'settle-rule', change, rule, ...live, ...by);
  }
  const said = [...by, '--reason', 'agreed'];
  await run('limit', 'set', 'day', '5', 'EUR', ...live, ...said);
  await run('limit', 'remove', 'day', 'EUR', ...live, ...said);
  await run('treasury', 'policy', 'set', '*', '*', '--mode', 'refuse', ...said);
  await run('treasury', 'target', 'set', 'LITECOIN', 'LTC:NATIVE', '--target', '1', ...said);
  await run('treasury', 'target', 'remove', 'LITECOIN', 'LTC:NATIVE', ...by);
  await run('restored', ...by);
  const seen = await acts('--by', 'anna');
  assert.deepEqual(
    seen.map(({ verb, subject }) => `${verb} ${subject}`),
    [
      `merchant-create merchant:${second}`,
      ...['create', 'rotate', 'revoke'].map((change) => `key-${change} key:${key}`),
      ...['add', 'remove', 'any'].map((change) => `allow-list-${change} merchant:${merchant}`),
      `webhook-secret-rotate merchant:${merchant}`,
      `merchant-set merchant:${merchant}`,
      ...['set', 'unset'].map((change) => `merchant-page-${change} merchant:${merchant}`),
      ...['add', 'remove'].map((change) => `domain-${change} domain:pay.shop.example`),
      ...['create', 'pause', 'resume', 'delete'].map(
        (change) => `settlement-rule-${change} settlement-rule:${rule}`,
      ),
      ...['set', 'remove'].map((change) => `limit-${change} limit:DAY:EUR`),
      'treasury-policy-set policy:* *',
      ...['set', 'remove'].map((change) => `treasury-target-${change} target:LITECOIN LTC:NATIVE`),
      'restored database:this',
    ],
  );
  const reasons = seen.flatMap(({ details }) => details.reason ?? []);
  assert.deepEqual([...new Set(reasons)], ['agreed']);
  const ofKey = await acts('--about', `key:${key}`);
  assert.deepEqual(
    ofKey.map(({ actor }) => actor),
    ['anna', 'anna', 'bob', 'anna'],
  );
  assert.equal((await acts('--about', 'key', '--since', '2020-01-01')).length, 4);
  assert.deepEqual(await acts('--since', '9999-01-01'), []);
  const wrong = await server.command('audit', 'list', '--since', 'yesterday', '--json');
  assert.equal((wrong.json.error as { code: string }).code, 'usage');
});

test('what is refused is not noted', async () => {
  const before = (await acts()).length;
  for (const words of [
    ['key', 'revoke', 'nokey'],
    ['merchant', 'domain', 'remove', 'other.example'],
    ['treasury', 'cancel', 'noorder', '--reason', 'none'],
  ]) {
    assert.equal((await server.command(...words)).exitCode, 1, words.join(' '));
  }
  assert.equal((await acts()).length, before);
});

test('what a key changes is noted with the key', async () => {
  const { app, call, merchantId, key, db } = api;
  const owner = { merchantId, environment: 'test' as const };
  await allowAddress(app, owner, { use: 'withdrawals', address: '127.0.0.1' });
  const made: Record<string, unknown> = {};
  const does = async (method: string, path: string, body: object) => {
    const headers = { 'idempotency-key': `${method} ${path}` };
    const { status, json, text } = await call(method, path, { body, headers });
    assert.equal(status, 200, text);
    Object.assign(made, json);
    return json;
  };
  await does('PUT', '/account-settings', { riskTolerance: 'HIGH' });
  await does('PUT', '/spending-limit', { kind: 'DAY', measure: 'EUR', amount: '100' });
  const { webhookEndpoint } = await does('POST', '/webhook-endpoint', {
    url: 'https://shop.example/hook',
  });
  const endpoint = { id: webhookEndpoint?.id };
  await does('POST', '/webhook-endpoint/rotate-secret', {
    webhookEndpointId: webhookEndpoint?.id,
  });
  await does('PUT', '/webhook-endpoint', {
    ...{ webhookEndpointId: webhookEndpoint?.id, apiVersion: '2026-11-24' },
  });
  await does('DELETE', '/webhook-endpoint', endpoint);
  const { customerId } = await does('POST', '/customer', { customer: { email: 'a@b.example' } });
  await does('PUT', '/customer', { customer: { id: customerId, city: 'Bonn' } });
  await does('DELETE', '/customer', { id: customerId });
  const { settlementRule } = await does('POST', '/settlement-rule', {
    ...{ asset: 'LTC:NATIVE', threshold: '1', convertTo: 'EUR:FIAT' },
  });
  const rule = { id: settlementRule?.id };
  await does('POST', '/settlement-rule/pause', { settlementRuleId: settlementRule?.id });
  await does('POST', '/settlement-rule/resume', { settlementRuleId: settlementRule?.id });
  await does('DELETE', '/settlement-rule', rule);
  const account = { address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' };
  const { beneficiaryId } = await does('POST', '/beneficiary', {
    beneficiary: { label: 'bank', network: 'ETHEREUM', account },
  });
  await does('DELETE', '/beneficiary', { id: beneficiaryId });
  const seen = await listActs(db, {}, 100);
  assert.deepEqual(
    seen.map(({ verb }) => verb),
    [
      ...['merchant-set', 'limit-set'],
      ...['create', 'rotate', 'version', 'delete'].map((change) => `webhook-endpoint-${change}`),
      ...['create', 'change', 'erase'].map((change) => `customer-${change}`),
      ...['create', 'pause', 'resume', 'delete'].map((change) => `settlement-rule-${change}`),
      ...['create', 'delete'].map((change) => `beneficiary-${change}`),
    ],
  );
  assert.deepEqual([...new Set(seen.map(({ actor }) => actor))], [`key ${key.key}`]);
  assert.equal(
    seen.every((one) => one.merchantId === merchantId),
    true,
  );
  assert.equal(JSON.stringify(seen.map(({ details }) => details)).includes('Bonn'), false);
  const from = seen.map(({ details }) => JSON.parse(details).sentFrom);
  assert.deepEqual([...new Set(from)], ['127.0.0.1'], 'and from where it was called');
});
