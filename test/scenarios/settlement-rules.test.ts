// A week of a shop that settles by itself, seen through HTTP: a daily transfer that keeps a reserve,
// a weekly conversion that is sent on, and a threshold. Then what it says when it cannot.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allowAddress } from '#access/allow-list.ts';
import { revokeApiKey } from '#access/api-key.ts';
import { sql } from '#db/db.ts';
import { verifyLedger } from '#ledger/verify-ledger.ts';
import { refundsOf } from '#refund/refunds-of.ts';
import { verifyReasons } from '#report/verify-reasons.ts';
import { runSettlementRules } from '#settlement-rule/run-settlement-rules.ts';
import { returnsOf } from '#suspense/return-suspense.ts';
import { findEventFault } from '#test/support/check-event.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { fundMerchant } from '#test/support/fund-merchant.ts';
import { settleSandbox } from '#test/support/settle-sandbox.ts';
import { type CallOptions, openTestApi, type TestApi } from '#test/support/test-api.ts';
import { runTransfers } from '#transfer/run-transfers.ts';

const LTC = 'LTC:NATIVE';
const BTC = 'BTC:NATIVE';
const EUR = 'EUR:FIAT';
const PAYER = 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0';

let api: TestApi;
before(async () => {
  api = await openTestApi({ simulated: true });
  const owner = { merchantId: api.merchantId, environment: 'test' } as const;
  await allowAddress(api.app, owner, { use: 'withdrawals', address: '127.0.0.1' });
  await settleSandbox(api.app);
});
after(() => api.close());

async function call(method: string, path: string, options: CallOptions = {}) {
  await api.clock.advance(1000);
  const called = await api.call(method, path, options);
  assert.equal(called.status, 200, called.text);
  return called.json;
}
const post = (path: string, body: object) => call('POST', path, { body });

type Run = Readonly<Record<'dueTime' | 'state' | 'amount' | 'code' | 'transferId', string | null>>;

async function runsOf(id: string): Promise<Run[]> {
  return (await call('GET', '/settlement-rule', { query: `?id=${id}` })).runs as unknown as Run[];
}

async function makeRule(body: object): Promise<string> {
  return String((await post('/settlement-rule', body)).settlementRule?.id);
}

let funded = 0;
async function fund(assetId: string, units: bigint): Promise<void> {
  funded += 1;
  const { merchantId, clock } = api;
  const cause = `week-${funded}`;
  await fundMerchant(api.db, { merchantId, cause, assetId, units, occurredAt: clock.now() });
}

async function available(): Promise<Record<string, string>> {
  const { wallets } = (await call('GET', '/wallets')) as unknown as {
    wallets: { assetId: string; available: string }[];
  };
  return Object.fromEntries(wallets.map((one) => [one.assetId, one.available]));
}

const HOURS_AT_ONCE = 4;

/** What the loops of a server do in that time, looking every four hours. */
async function pass(hours: number): Promise<void> {
  const sending = { ...api.app, refunds: refundsOf(api.app), returns: returnsOf(api.app) };
  for (let passed = 0; passed < hours; passed += HOURS_AT_ONCE) {
    await api.clock.advance(HOURS_AT_ONCE * 3_600_000);
    await look();
    await runTransfers(sending);
    await api.app.sandbox?.mine(undefined, { network: 'LITECOIN', blocks: 2 });
  }
  for (let step = 0; step < 3; step += 1) {
    await api.clock.advance(10_000);
    await runTransfers(sending);
  }
}

/** At the one chain that money is sent on, and then at the rules. */
async function look(): Promise<void> {
  const networks = new Map([...api.app.networks].filter(([chain]) => chain === 'test:LITECOIN'));
  await settleSandbox({ ...api.app, networks });
  await runSettlementRules(api.app);
}

async function eventsOf(id: string): Promise<{ type: string; body: string }[]> {
  return api.db.query(sql`select type, body from event where subject_id = ${id} order by sequence`);
}

async function assertSound(): Promise<void> {
  assert.deepEqual(await checkInvariants(api.db, { now: api.clock.now() }), []);
  assert.deepEqual((await verifyLedger(api.db)).faults, []);
}

async function until(text: string): Promise<void> {
  const ms = Temporal.Instant.from(text).epochMilliseconds - api.clock.now().epochMilliseconds;
  await api.clock.advance(ms);
  await look();
}

let savings: string;

test('a week is settled with nobody at the keyboard, to the unit', async () => {
  const account = { address: PAYER };
  savings = String(
    (
      await post('/beneficiary', {
        beneficiary: { label: 'Savings', network: 'LITECOIN', account },
      })
    ).beneficiaryId,
  );
  // 2026-11-21 is a Saturday; in Berlin it is an hour later than in UTC.
  await until('2026-11-21T12:00:00Z');
  const daily = await makeRule({
    ...{ asset: LTC, keep: '0.5', network: 'LITECOIN', targetAccount: 'Savings' },
    schedule: { every: 'DAY', hour: 8, zone: 'Europe/Berlin' },
  });
  const weekly = await makeRule({
    ...{ asset: EUR, convertTo: LTC, network: 'LITECOIN', targetAccount: savings },
    schedule: { every: 'WEEK', day: '1', hour: '9', zone: 'UTC' },
  });
  const threshold = await makeRule({
    asset: BTC,
    threshold: '0.02',
    keep: '0.005',
    convertTo: EUR,
  });
  for (let day = 0; day < 7; day += 1) {
    await fund(LTC, 100_000_000n);
    await fund(BTC, 1_000_000n);
    await pass(24);
  }
  const days = (await runsOf(daily)).reverse();
  assert.deepEqual(
    days.map(({ dueTime, state, amount }) => [dueTime, state, amount]),
    [
      ['2026-11-22T07:00:00+00:00', 'DONE', '0.5'],
      ...[23, 24, 25, 26, 27, 28].map((day) => [`2026-11-${day}T07:00:00+00:00`, 'DONE', '1']),
    ],
  );
  // Every other day two payments of a hundredth are above what stays by the threshold.
  const above = (await runsOf(threshold)).reverse();
  assert.deepEqual(
    above.map(({ state, amount }) => [state, amount]),
    [
      ['DONE', '0.015'],
      ['DONE', '0.02'],
      ['DONE', '0.02'],
    ].slice(0, above.length),
  );
  assert.equal(above.length, 3);
  const [week] = await runsOf(weekly);
  assert.deepEqual([week?.dueTime, week?.state], ['2026-11-23T09:00:00+00:00', 'DONE']);
  for (const { transferId } of week === undefined ? days : [...days, week]) {
    const { transfer } = await call('GET', '/transfer', { query: `?id=${transferId}` });
    assert.equal(transfer?.state, 'COMPLETED');
    assert.equal(transfer?.beneficiaryId, savings);
  }
  const { transfers } = await call('GET', '/transfers');
  assert.equal((transfers as unknown as object[]).length, 8);
  const left = await available();
  assert.deepEqual([left[LTC], left[BTC]], ['0.5', '0.015']);
  await assertSound();
});

test('what cannot be done says why, once, is tried again, and is done once it can be', async () => {
  const rule = await makeRule({
    asset: LTC,
    threshold: '2',
    network: 'LITECOIN',
    targetAccount: savings,
  });
  await fund(LTC, 200_000_000n);
  await api.db.single((tx) =>
    tx.query(sql`update beneficiary set label = 'Other' where id = ${savings}`),
  );
  await pass(1);
  // A row that was changed in the database is not sent to.
  assert.deepEqual(
    (await runsOf(rule)).map(({ code }) => code),
    ['settlement_failed'],
  );
  await api.db.single((tx) =>
    tx.query(sql`update beneficiary set label = 'Savings' where id = ${savings}`),
  );
  await api.db.single((tx) =>
    tx.query(sql`update chain_cursor set brake = 'slow blocks' where chain = 'test:LITECOIN'`),
  );
  for (let look = 0; look < 3; look += 1) {
    await api.clock.advance(1_200_000);
    await runSettlementRules(api.app);
  }
  assert.deepEqual(
    (await runsOf(rule)).map(({ code }) => code),
    ['brake_on'],
  );
  // Nothing looks at the chain any more.
  await api.db.single((tx) =>
    tx.query(sql`update chain_cursor set brake = null where chain = 'test:LITECOIN'`),
  );
  await api.clock.advance(1_200_000);
  await runSettlementRules(api.app);
  const [behind] = await runsOf(rule);
  assert.deepEqual([behind?.state, behind?.code], ['SKIPPED', 'network_behind']);
  await pass(1);
  const [done, ...others] = await runsOf(rule);
  assert.deepEqual([done?.state, done?.code, others], ['DONE', null, []]);
  const told = await eventsOf(rule);
  assert.deepEqual(
    told.map(({ body }) => JSON.parse(body).data.run.code),
    ['settlement_failed', 'brake_on', 'network_behind'],
  );
  for (const { body } of told) assert.equal(findEventFault(body), undefined);
  await assertSound();
  const faults = await verifyReasons(api.db);
  assert.deepEqual(
    faults.filter((fault) => /^(?:W3|S3)/.test(fault)),
    [],
  );
});

test('a rule that is paused does nothing, one that goes on begins with its next hour', async () => {
  const hour = { every: 'MONTH', day: 31, hour: 0, zone: 'Pacific/Auckland' };
  const rule = await makeRule({ asset: LTC, schedule: hour, convertTo: BTC });
  const shown = (await call('GET', '/settlement-rules')).settlementRules as unknown as object[];
  assert.equal(shown.length, 5);
  await post('/settlement-rule/pause', { settlementRuleId: rule });
  await fund(LTC, 100_000_000n);
  await pass(24 * 2);
  assert.deepEqual(await runsOf(rule), []);
  const { settlementRule } = await post('/settlement-rule/resume', { settlementRuleId: rule });
  assert.equal(settlementRule?.nextTime, '2026-12-30T11:00:00+00:00');
  await call('DELETE', '/settlement-rule', { body: { id: rule } });
  const gone = await api.call('GET', '/settlement-rule', { query: `?id=${rule}` });
  assert.equal(gone.headers.get('x-error-code'), 'settlement_rule_missing');
});

test('a balance too low at its hour is skipped until the next one', async () => {
  const schedule = { every: 'DAY', hour: 0, zone: 'UTC' };
  const rule = await makeRule({ asset: 'XRP:NATIVE', schedule, convertTo: BTC });
  const { settlementRule } = await call('GET', '/settlement-rule', { query: `?id=${rule}` });
  await until(String(settlementRule?.nextTime));
  await fund('XRP:NATIVE', 5_000_000n);
  await pass(20);
  const codes = async () => (await runsOf(rule)).map(({ code }) => code);
  assert.deepEqual(await codes(), ['balance_below_threshold']);
  await pass(4);
  assert.deepEqual(await codes(), [null, 'balance_below_threshold']);
});

test('a key that is revoked moves nothing through its rules', async () => {
  const rule = await makeRule({ asset: LTC, threshold: '0.1', convertTo: BTC });
  await revokeApiKey(api.app, api.key.key);
  await pass(1);
  const [run] = await api.db.query(sql`
    select state, code from settlement_run where rule_id = ${rule}`);
  assert.deepEqual(run, { state: 'SKIPPED', code: 'key_revoked' });
});

test('a rule that was changed in the database is not followed', async () => {
  const changed = await api.db.single((tx) =>
    tx.query(sql`
      update settlement_rule set keep_units = 0, due_at = ${api.clock.now()}, next_at = ${api.clock.now()}
      where keep_units > 0 and asset_id = ${LTC} returning id`),
  );
  assert.equal(changed.length, 1);
  const before = await api.db.query(sql`select id from transfer`);
  await fund(LTC, 900_000_000n);
  await pass(48);
  assert.equal((await api.db.query(sql`select id from transfer`)).length, before.length);
});
