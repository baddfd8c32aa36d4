import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allowAddress } from '#access/allow-list.ts';
import {
  allowBasic,
  apiSecretForWebhook,
  basicValue,
  createApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '#access/api-key.ts';
import { findApiKey, findApiKeyByBasic } from '#access/caller.ts';
import { newApiSecret, newId } from '#base/id.ts';
import { systemRandom } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { type Db, sql } from '#db/db.ts';
import { rawStatement } from '#db/statement.ts';
import { openInstallation } from '#installation/installation.ts';
import { type Keyring, keyringOf } from '#installation/keyring.ts';
import { type ManualClock, manualClock } from '#test/support/manual-clock.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { LATEST_VERSION } from '#versions/api-version.ts';
import { createMerchant } from './create-merchant.ts';
import { changeMerchant, findFirstMerchant, listMerchants } from './merchant.ts';
import { rotateWebhookSecret, webhookSecrets } from './merchant-secret.ts';

const start = Temporal.Instant.from('2026-11-21T10:00:00Z');
const keyring = keyringOf(new Uint8Array(32).fill(1), systemRandom);
const random = systemRandom;
const test_ = { environment: 'test' } as const;
/** Every secret that the tests were ever given. */
const secrets: string[] = [];
let database: TestDatabase;
let app: { db: Db; keyring: Keyring; clock: ManualClock; random: typeof systemRandom };

before(async () => {
  database = await openTestDatabase();
  app = { db: database.db, keyring, clock: manualClock(start), random };
});
after(() => database.close());

async function newKey(environment: 'test' | 'live' = 'test') {
  const merchant = await createMerchant(app, { name: 'Shop' });
  const made = await createApiKey(app, { merchantId: merchant.id, environment, label: 'till' });
  secrets.push(made.secret, basicValue(made.key, made.secret));
  return { ...made, merchantId: merchant.id };
}

const hasCode = (code: string) => (error: unknown) => {
  assert.ok(error instanceof Refusal, String(error));
  assert.equal(error.code, code);
  return true;
};

test('the database is opened again with its own key file only', async () => {
  const { db, clock } = app;
  const opened = await Promise.all([
    openInstallation(db, keyring, clock, random),
    openInstallation(db, keyring, clock, random),
  ]);
  assert.deepEqual(opened[0], opened[1]);
  assert.match(opened[0].id, /^[a-z0-9]{12}$/);
  const other = keyringOf(new Uint8Array(32).fill(2), systemRandom);
  const refused = openInstallation(db, other, clock, random);
  await assert.rejects(refused, hasCode('key_file_mismatch'));
});

test('there is no first merchant, then the oldest is the first, and lists go on in pages', async () => {
  assert.equal(await findFirstMerchant(app.db), undefined);
  const made = [];
  for (const name of ['One', 'Two', 'Three']) {
    await app.clock.advance(1000);
    made.push(await createMerchant(app, { name }));
  }
  assert.equal((await findFirstMerchant(app.db))?.id, made[0]?.id);
  const first = await listMerchants(app.db, { limit: 2 });
  const rest = await listMerchants(app.db, { limit: 2, after: first[1] });
  assert.deepEqual(
    [...first, ...rest].map(({ name }) => name),
    ['One', 'Two', 'Three'],
  );
});

test('a merchant has a name of 1 to 200 characters', async () => {
  for (const name of ['', 'x'.repeat(201), 'a\u0000b', '\ud800']) {
    await assert.rejects(createMerchant(app, { name }), hasCode('merchant_name'));
  }
  await createMerchant(app, { name: '🙂'.repeat(200) });
});

test('a key has 12 characters, a secret 29, and both are found as they were given', async () => {
  const { key, secret, merchantId } = await newKey();
  assert.match(key, /^[a-z0-9]{12}$/);
  assert.match(secret, /^[a-z0-9]{4}(-[a-z0-9]{4}){5}$/);
  assert.equal(secret.length, 29);
  const record = await findApiKey(app, key);
  assert.deepEqual(record?.secrets, [secret]);
  assert.deepEqual(record?.caller, {
    merchantId,
    environment: 'test',
    apiKey: key,
    merchantName: 'Shop',
    shopName: 'Shop',
    sellerInfo: undefined,
    asking: undefined,
    displayBuyerInfo: false,
    displaySellerInfo: false,
    pageOrigin: undefined,
    feePartsPerMillion: 0,
    underpaidTolerancePartsPerMillion: 0,
    lateFloorPartsPerMillion: 900_000,
    lateDays: 36_500,
    riskTolerance: 'MEDIUM',
    settlementAsset: 'ORIGIN',
    methodOrder: [],
    methodsOff: [],
    scopes: undefined,
    apiVersion: LATEST_VERSION,
  });
  assert.deepEqual(record?.allowed, { calls: undefined, withdrawals: [] });
  assert.deepEqual(await findApiKeyByBasic(app, basicValue(key, secret)), record);
  assert.deepEqual(await findApiKeyByBasic(app, basicValue(key, secret).toUpperCase()), record);
});

test('what is no key finds nothing', async () => {
  for (const text of [
    '',
    'unknown00000',
    "' or 1=1 --x",
    'a'.repeat(10_000),
    'ABCDEFGHIJKL',
    '\u0000',
  ]) {
    assert.equal(await findApiKey(app, text), undefined);
    assert.equal(await findApiKeyByBasic(app, text), undefined);
  }
  assert.equal(await findApiKeyByBasic(app, '0'.repeat(64)), undefined);
});

test('X-Basic is on for test keys, off for live keys until it is switched on', async () => {
  const { key: testKey } = await newKey('test');
  const { key: liveKey } = await newKey('live');
  assert.equal((await findApiKey(app, testKey))?.basicAllowed, true);
  assert.equal((await findApiKey(app, liveKey))?.basicAllowed, false);
  await allowBasic(app, liveKey, true);
  assert.equal((await findApiKey(app, liveKey))?.basicAllowed, true);
  await assert.rejects(allowBasic(app, 'unknown00000', true), hasCode('api_key_unknown'));
});

test('a revoked key is refused from the next request on, its last secret still signs webhooks', async () => {
  const { key, secret, merchantId } = await newKey();
  await findApiKey(app, key);
  await revokeApiKey(app, key);
  assert.equal(await findApiKey(app, key), undefined);
  assert.equal(await findApiKeyByBasic(app, basicValue(key, secret)), undefined);
  await assert.rejects(rotateApiKey(app, { key, overlapHours: 1 }), hasCode('api_key_unknown'));
  assert.equal(await apiSecretForWebhook(app, key, app.clock.now()), secret);
  const [listed] = await listApiKeys(app.db, merchantId);
  assert.equal(String(listed?.revokedAt), String(app.clock.now()));
  assert.equal(listed?.label, 'till');
});

test('during a rotation two secrets are valid, after it one, and never three', async () => {
  const { key, secret: first } = await newKey();
  const { secret: second } = await rotateApiKey(app, { key, overlapHours: 24 });
  secrets.push(second, basicValue(key, second));
  const valid = async () => (await findApiKey(app, key))?.secrets;
  assert.deepEqual(await valid(), [second, first]);
  assert.equal(await apiSecretForWebhook(app, key, app.clock.now()), second);
  assert.ok(await findApiKeyByBasic(app, basicValue(key, first)));

  await app.clock.advance(1000);
  const { secret: third } = await rotateApiKey(app, { key, overlapHours: 2 });
  secrets.push(third, basicValue(key, third));
  assert.deepEqual(await valid(), [third, second]);
  assert.equal(await findApiKeyByBasic(app, basicValue(key, first)), undefined);

  await app.clock.advance(2 * 3_600_000 - 1);
  assert.deepEqual(await valid(), [third, second]);
  await app.clock.advance(1);
  assert.deepEqual(await valid(), [third]);
  assert.equal(await findApiKeyByBasic(app, basicValue(key, second)), undefined);
});

test('without overlap the old secret ends at once', async () => {
  const { key } = await newKey();
  const { secret } = await rotateApiKey(app, { key, overlapHours: 0 });
  assert.deepEqual((await findApiKey(app, key))?.secrets, [secret]);
});

test('rotations at the same time leave one current secret and at most two valid ones', async () => {
  const { key } = await newKey();
  const made = await Promise.all(
    Array.from({ length: 8 }, () => rotateApiKey(app, { key, overlapHours: 1 })),
  );
  const valid = (await findApiKey(app, key))?.secrets ?? [];
  assert.equal(valid.length, 2);
  for (const secret of valid) assert.ok(made.some((each) => each.secret === secret));
});

test('an overlap is 0 to 24 whole hours', async () => {
  const { key } = await newKey();
  for (const overlapHours of [-1, 25, 0.5, Number.NaN]) {
    await assert.rejects(rotateApiKey(app, { key, overlapHours }), hasCode('rotation_overlap'));
  }
});

test('a secret moved to the row of another key does not open', async () => {
  const [mine, other] = [await newKey(), await newKey()];
  await app.db.single((tx) =>
    tx.query(sql`update api_key_secret set sealed_secret =
      (select sealed_secret from api_key_secret where key = ${other.key}) where key = ${mine.key}`),
  );
  await assert.rejects(findApiKey(app, mine.key), { name: 'UnsealFailure' });
});

test('webhook secrets differ between test and live, and both of a rotation are valid for its time', async () => {
  const { id } = await createMerchant(app, { name: 'Hooks' });
  const now = app.clock.now();
  const live = await webhookSecrets(app, id, 'live', now);
  const { current: first, previous } = await webhookSecrets(app, id, 'test', now);
  assert.match(first, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.equal(previous, undefined);
  assert.notEqual(first, live.current);
  const owner = { merchantId: id, environment: 'test' } as const;
  const second = await rotateWebhookSecret(app, { ...owner, overlapHours: 3 });
  assert.notEqual(second, first);
  const during = await webhookSecrets(app, id, 'test', now.add({ hours: 2 }));
  assert.deepEqual(during, { current: second, previous: first });
  const later = await webhookSecrets(app, id, 'test', now.add({ hours: 3 }));
  assert.deepEqual(later, { current: second, previous: undefined });
  assert.deepEqual(await webhookSecrets(app, id, 'live', now), live);
  await assert.rejects(
    webhookSecrets(app, 'unknown00000', 'test', now),
    hasCode('merchant_unknown'),
  );
  secrets.push(first, second, live.current);
});

test('settings and allow-list reach the next request', async () => {
  const { key, merchantId } = await newKey();
  await changeMerchant(app, merchantId, { shopName: 'The Shop', feePartsPerMillion: 10_000 });
  await changeMerchant(app, merchantId, { sellerInfo: 'a@example.com' });
  const addresses = ['192.0.2.9/24', '2001:db8::1', '192.0.2.1/24'];
  for (const address of addresses) {
    await allowAddress(app, { merchantId, ...test_ }, { use: 'calls', address });
  }
  const record = await findApiKey(app, key);
  assert.equal(record?.caller.shopName, 'The Shop');
  assert.equal(record?.caller.merchantName, 'Shop');
  assert.equal(record?.caller.sellerInfo, 'a@example.com');
  assert.equal(record?.caller.feePartsPerMillion, 10_000);
  assert.deepEqual(record?.allowed, {
    calls: ['2001:db8::1/128', '192.0.2.0/24'],
    withdrawals: [],
  });
  await changeMerchant(app, merchantId, { shopName: null });
  assert.equal((await findApiKey(app, key))?.caller.shopName, 'Shop');
  const listed = { use: 'calls', address: 'x' } as const;
  const wrong = allowAddress(app, { merchantId, ...test_ }, listed);
  await assert.rejects(wrong, { code: 'allowed_addresses' });
});

test('100,000 ids and as many secrets are all different', () => {
  const drawn = seededRandom(1);
  assert.equal(new Set(Array.from({ length: 100_000 }, () => newId(drawn))).size, 100_000);
  assert.equal(new Set(Array.from({ length: 100_000 }, () => newApiSecret(drawn))).size, 100_000);
});

test('no row of any table holds a secret or the value of X-Basic', async () => {
  const tables = await app.db.query<{ name: string }>(sql`
    select quote_ident(table_name) as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`);
  let dump = '';
  for (const { name } of tables) {
    const rows = await app.db.query<{ text: string }>(
      rawStatement(`select t::text as text from ${name} t`),
    );
    dump += rows.map(({ text }) => text).join('\n');
  }
  assert.ok(secrets.length > 20);
  const keys = await app.db.query<{ key: string }>(sql`select key from api_key`);
  assert.ok(keys.length > 0 && keys.every(({ key }) => dump.includes(key)));
  for (const secret of secrets) {
    // Text, text in a bytea, and a value that is hexadecimal digits already.
    for (const form of [secret, Buffer.from(secret).toString('hex'), secret.replaceAll('-', '')]) {
      assert.ok(!dump.includes(form));
    }
    assert.ok(!dump.includes(Buffer.from(secret).toString('base64').slice(0, 30)));
  }
});
