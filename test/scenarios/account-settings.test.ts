// What an account says of payment is set by a program and from the command line as in the browser:
// with the same checks, and the same in the trail.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allowAddress } from '#access/allow-list.ts';
import { listActs } from '#audit/act.ts';
import { type CommandContext, parseInput } from '#cli/command.ts';
import { merchantSet, merchantShow } from '#cli/merchant-settings.ts';
import { readPaidTerms, readPaymentWishes } from '#merchant/merchant.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';

let api: TestApi;
before(async () => {
  api = await openTestApi({ simulated: true });
  const owner = { merchantId: api.merchantId, environment: 'test' } as const;
  await allowAddress(api.app, owner, { use: 'withdrawals', address: '127.0.0.1' });
});
after(() => api.close());

const put = (body: object, key = api.key) => api.call('PUT', '/account-settings', { body, key });
const LITECOIN = 'LITECOIN LTC:NATIVE';
const BITCOIN = 'BITCOIN BTC:NATIVE';

function command(verb: typeof merchantSet, ...args: string[]) {
  // The commands ask for no other part of it.
  const context = { openApp: async () => api.app } as unknown as CommandContext;
  return verb.run(context, parseInput(verb, args));
}

const lastAct = async () => (await listActs(api.db, { verb: 'merchant-set' }, 100)).at(-1);

test('a program sets what customers see, what is credited and how deep a payment has to be', async () => {
  const asked = {
    settlementAsset: 'XLM:NATIVE',
    methodOrder: [LITECOIN, BITCOIN],
    methodsOff: [BITCOIN],
    methodsRecommended: [LITECOIN],
    confirmations: { BITCOIN: [3, 4, 9] },
  };
  const { status, json, text } = await put(asked);
  assert.equal(status, 200, text);
  const shown = json.accountSettings as unknown as Record<string, unknown>;
  const { settlementAsset, methodOrder, methodsOff, methodsRecommended, confirmations } = shown;
  const set = { settlementAsset, methodOrder, methodsOff, methodsRecommended, confirmations };
  assert.deepEqual(set, asked);
  const owner = { merchantId: api.merchantId, environment: 'test' } as const;
  assert.deepEqual({ ...(await readPaymentWishes(api.db, owner)) }, asked);
  const act = await lastAct();
  assert.equal(act?.environment, 'test');
  assert.deepEqual(JSON.parse(act?.details ?? ''), {
    settlementAsset: 'XLM:NATIVE',
    methodOrder: `${LITECOIN}, ${BITCOIN}`,
    methodsOff: BITCOIN,
    methodsRecommended: LITECOIN,
    confirmations: '{"BITCOIN":[3,4,9]}',
    sentFrom: '127.0.0.1',
  });
  await put({
    confirmations: {},
    methodsOff: [],
    methodsRecommended: [],
    methodOrder: [],
    settlementAsset: 'ORIGIN',
  });
  assert.deepEqual((await readPaymentWishes(api.db, owner)).confirmations, {});
});

test('what a form would refuse is refused with the name of the field, and nothing is changed', async () => {
  const owner = { merchantId: api.merchantId, environment: 'test' } as const;
  const before = await readPaymentWishes(api.db, owner);
  const everything = (await api.call('GET', '/assets')).json.assets as unknown as { id: string }[];
  assert.ok(everything.length > 0);
  const acts = (await listActs(api.db, { verb: 'merchant-set' }, 100)).length;
  for (const [body, said] of [
    [{ settlementAsset: 'NONE:SUCH' }, /settlementAsset: ORIGIN, or an asset/],
    [{ methodOrder: ['BITCOIN'] }, /methodOrder: BITCOIN is no way to pay/],
    [{ methodOrder: [LITECOIN, LITECOIN] }, /methodOrder: .* stands twice/],
    [{ methodsOff: ['MOON BTC:NATIVE'] }, /methodsOff: MOON BTC:NATIVE is no way to pay/],
    [{ methodsRecommended: ['LITECOIN'] }, /methodsRecommended: LITECOIN is no way to pay/],
    [{ confirmations: { BITCOIN: [3, 2, 9] } }, /confirmations: of BITCOIN/],
    [{ confirmations: { STELLAR: [1, 2, 3] } }, /confirmations: of BITCOIN/],
    [{ confirmations: { BITCOIN: [0, 2, 3] } }, /confirmations/],
    [{ confirmations: { BITCOIN: [1, 2] } }, /confirmations/],
    [{ lateDays: 3 }, /lateDays: is of test and live together/],
    [{}, /another setting is required/],
  ] as const) {
    const { status, text } = await put(body);
    assert.equal(status, 400, JSON.stringify(body));
    assert.match(text, said);
  }
  assert.deepEqual(await readPaymentWishes(api.db, owner), before);
  assert.equal((await listActs(api.db, { verb: 'merchant-set' }, 100)).length, acts);
});

test('a live key sets what is of both environments, within the bounds of the form', async () => {
  const live = { merchantId: api.merchantId, environment: 'live' } as const;
  await allowAddress(api.app, live, { use: 'withdrawals', address: '127.0.0.1' });
  const set = await put(
    { lateFloorPercent: 75.5, lateDays: '14', underpaidPercent: '1' },
    api.liveKey,
  );
  assert.equal(set.status, 200, set.text);
  const { lateFloorPercent, lateDays, underpaidPercent } = set.json.accountSettings as never;
  assert.deepEqual([lateFloorPercent, lateDays, underpaidPercent], ['75.5', 14, '1']);
  for (const body of [{ lateFloorPercent: 49 }, { underpaidPercent: '2.1' }, { lateDays: 36501 }]) {
    assert.equal((await put(body, api.liveKey)).status, 400, JSON.stringify(body));
  }
  const terms = await readPaidTerms(api.db, api.merchantId);
  assert.equal(terms.lateFloorPartsPerMillion, 755_000);
});

test('a live key says which languages the pages are offered in, and which is for all others', async () => {
  const key = api.liveKey;
  const page = { pageLanguages: ['fr', 'de', 'de'], defaultPageLanguage: 'fr' };
  const { status, json, text } = await put(page, key);
  assert.equal(status, 200, text);
  const { pageLanguages, defaultPageLanguage } = json.accountSettings as unknown as typeof page;
  assert.deepEqual([pageLanguages, defaultPageLanguage], [['de', 'fr'], 'fr']);
  const test = await api.call('GET', '/account-settings');
  assert.deepEqual(test.json.accountSettings?.pageLanguages, ['de', 'fr'], 'of test as of live');
  const { details } = (await lastAct()) ?? {};
  assert.deepEqual(JSON.parse(details ?? ''), {
    ...{ languages: 'fr,de,de', defaultLanguage: 'fr', sentFrom: '127.0.0.1' },
  });
  for (const [body, said, by] of [
    [{ pageLanguages: ['de'] }, /defaultPageLanguage: must be one of those that are offered/, key],
    [{ defaultPageLanguage: 'it' }, /defaultPageLanguage: must be one of those/, key],
    [{ pageLanguages: [] }, /pageLanguages/, key],
    [{ pageLanguages: ['xx'] }, /pageLanguages/, key],
    [{ pageLanguages: ['de'] }, /is of test and live together/, api.key],
  ] as const) {
    const refused = await put(body, by);
    assert.equal(refused.status, 400, refused.text);
    assert.match(refused.text, said);
  }
  const all = ['en', 'de', 'pt', 'es', 'it', 'tr', 'pl', 'fr'];
  const back = await put({ pageLanguages: all, defaultPageLanguage: 'en' }, key);
  assert.deepEqual(back.json.accountSettings?.pageLanguages, all);
});

test('a live key names the sites that may show pages in a frame, which the trail notes', async () => {
  const key = api.liveKey;
  const asked = ['https://Shop.example/', 'https://shop.example', 'http://localhost:3000'];
  const origins = ['https://shop.example', 'http://localhost:3000'];
  const { status, json, text } = await put({ embedOrigins: asked }, key);
  assert.equal(status, 200, text);
  assert.deepEqual((json.accountSettings as { embedOrigins?: unknown }).embedOrigins, origins);
  const { details } = (await lastAct()) ?? {};
  assert.equal(JSON.parse(details ?? '').embedOrigins, origins.join(','));
  for (const [origin, by] of [
    ['https://*.shop.example', key],
    ['https://shop.example/cart', key],
    ['http://shop.example', key],
    ['https://a.example; script-src *', key],
    ['https://shop.example', api.key],
  ] as const) {
    const refused = await put({ embedOrigins: [origin] }, by);
    assert.equal(refused.status, 400, refused.text);
    assert.match(refused.text, /embedOrigins/);
  }
  const none = await put({ embedOrigins: [] }, key);
  assert.deepEqual((none.json.accountSettings as { embedOrigins?: unknown }).embedOrigins, []);
});

test('the command line sets and shows the same, with the same sentences', async () => {
  const by = ['--by', 'anna'];
  const where = ['--environment', 'test'];
  const ways = [
    '--ways',
    `${LITECOIN}, ${BITCOIN}`,
    '--ways-off',
    BITCOIN,
    '--ways-recommended',
    LITECOIN,
  ];
  const deep = ['--confirmations', 'BITCOIN=3/4/9', '--settlement', 'XLM:NATIVE'];
  const { json, text } = await command(merchantSet, ...where, ...ways, ...deep, ...by);
  assert.match(text, /is credited in XLM:NATIVE/);
  assert.deepEqual(json.confirmations, { BITCOIN: [3, 4, 9] });
  const act = await lastAct();
  assert.equal(act?.actor, 'anna');
  assert.equal(JSON.parse(act?.details ?? '').methodsOff, BITCOIN);
  await command(merchantSet, '--underpaid', '0.5', '--late-days', '7', ...by);
  const shown = await command(merchantShow, ...where);
  assert.match(shown.text, /ways-recommended +LITECOIN LTC:NATIVE\n/);
  assert.match(shown.text, /underpaid +0\.5\n/);
  assert.match(shown.text, /confirmations +BITCOIN=3\/4\/9/);
  assert.match(shown.text, new RegExp(`ways +${LITECOIN}, ${BITCOIN}\n`));
  for (const [args, said] of [
    [['--ways', LITECOIN], /--environment/],
    [['--settlement', 'NONE:SUCH', ...where], /settlementAsset: ORIGIN/],
    [['--confirmations', 'BITCOIN=1', ...where], /--confirmations: must be like/],
    [['--confirmations', 'BITCOIN=9/4/3', ...where], /confirmations: of BITCOIN/],
    [['--underpaid', '3'], /--underpaid: must be a percentage from 0 to 2/],
    [[...where], /is missing/],
  ] as const) {
    await assert.rejects(command(merchantSet, ...args, ...by), said);
  }
  await command(
    merchantSet,
    ...where,
    '--ways',
    '',
    '--ways-off',
    '',
    '--confirmations',
    '',
    ...by,
  );
  assert.match((await command(merchantShow, ...where)).text, /ways-off +-\n/);
});
