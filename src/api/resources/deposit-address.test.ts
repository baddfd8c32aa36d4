import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';

let api: TestApi;
before(async () => {
  api = await openTestApi({ simulated: true });
});
after(() => api.close());

type Shown = { readonly id: string; readonly address: string; readonly memo: string | null };

async function open(body: object): Promise<Shown> {
  const made = await api.call('POST', '/deposit-address', { body });
  assert.equal(made.status, 200, made.text);
  return made.json.depositAddress as unknown as Shown;
}

test('a deposit address answers where to pay, and what was given with it', async () => {
  const body =
    '{"network":"BITCOIN","asset":null,"label":"Customer 7","webhook":"https://shop.example/hook",' +
    '"meta":{"customer":7.50}}';
  const made = await api.call('POST', '/deposit-address', { body });
  const { id, address } = made.json.depositAddress as unknown as Shown;
  assert.match(id, /^[a-z0-9]{12}$/);
  assert.match(address, /^tb1q[a-z0-9]{38}$/);
  assert.equal(
    made.text,
    `{"depositAddress":{"id":"${id}","network":"BITCOIN","assetId":"BTC:NATIVE",` +
      `"address":"${address}","memo":null,"memoType":null,"paymentUri":"bitcoin:${address}",` +
      '"label":"Customer 7","webhook":"https://shop.example/hook",' +
      '"timestamp":"2026-11-21T10:00:00+00:00","meta":{"customer":7.50}}}',
  );
  const shown = await api.call('GET', '/deposit-address', { query: `?id=${id}` });
  assert.equal(shown.text, made.text);
});

test('every address is a new one; memos where the network needs them', async () => {
  const first = await open({ network: 'STELLAR', asset: 'XLM:NATIVE' });
  const second = await open({ network: 'STELLAR', asset: 'XLM:NATIVE' });
  assert.equal(first.address, second.address);
  assert.match(String(first.memo), /^\d+$/);
  assert.notEqual(first.memo, second.memo);
  const { json } = await api.call('GET', '/deposit-address', { query: `?id=${second.id}` });
  assert.deepEqual(json.depositAddress, {
    id: second.id,
    network: 'STELLAR',
    assetId: 'XLM:NATIVE',
    address: second.address,
    memo: second.memo,
    memoType: 'text',
    paymentUri:
      `web+stellar:pay?destination=${second.address}&memo=${second.memo}&memo_type=MEMO_TEXT` +
      '&network_passphrase=Test%20SDF%20Network%20%3B%20September%202015',
    label: null,
    webhook: null,
    timestamp: '2026-11-21T10:00:00+00:00',
  });
  const ether = await open({ network: 'ETHEREUM' });
  assert.match(ether.address, /^0x[0-9a-fA-F]{40}$/);
});

test('the list is newest first, in pages', async () => {
  const key = await api.otherMerchant();
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) {
    const made = await api.call('POST', '/deposit-address', { key, body: { network: 'LITECOIN' } });
    ids.unshift(String(made.json.depositAddress?.id));
    await api.clock.advance(1000);
  }
  const page = async (query: string) => {
    const { status, text, json } = await api.call('GET', '/deposit-addresses', { key, query });
    assert.equal(status, 200, text);
    const shown = json.depositAddresses as unknown as Shown[];
    return { ids: shown.map(({ id }) => id), next: json.nextCursor as unknown as string | null };
  };
  assert.deepEqual(await page(''), { ids, next: null });
  const first = await page('?limit=2');
  assert.deepEqual(first.ids, ids.slice(0, 2));
  assert.deepEqual(await page(`?limit=2&cursor=${first.next}`), { ids: ids.slice(2), next: null });
});

test('what cannot be is refused with the reason', async () => {
  const { id } = await open({ network: 'BITCOIN' });
  const cases: [body: object, status: number, code: string, errors: string[]][] = [
    [{}, 400, 'validation_failed', ['Invalid request. network: is required']],
    [
      { network: 5, label: 'x'.repeat(201), webhook: 'ftp://x', meta: [1] },
      400,
      'validation_failed',
      [
        'Invalid request. network: must be text',
        'label: must have at most 200 characters',
        'webhook: must be an http or https URL',
        'meta: must be an object',
      ],
    ],
    [
      { network: 'NOWHERE' },
      400,
      'network_unknown',
      [
        'Invalid request. network: is not a network id of GET /networks; accepted are: ' +
          'BITCOIN, LITECOIN, ETHEREUM, STELLAR, LIGHTNING, XRP_LEDGER, BASE, POLYGON, ARBITRUM, ' +
          'OPTIMISM, SEPA, SWIFT, PIX',
      ],
    ],
    [
      { network: 'BITCOIN', asset: 'LTC:NATIVE' },
      400,
      'asset_not_receivable',
      ['Invalid request. asset: not received on BITCOIN; these are: BTC:NATIVE'],
    ],
  ];
  for (const [body, status, code, errors] of cases) {
    const refused = await api.call('POST', '/deposit-address', { body });
    assert.equal(refused.status, status, refused.text);
    assert.equal(refused.headers.get('x-error-code'), code);
    assert.deepEqual(refused.json, { errors });
  }
  const live = await api.call('POST', '/deposit-address', {
    key: api.liveKey,
    body: { network: 'BITCOIN' },
  });
  assert.equal(live.status, 503);
  assert.match(
    live.text,
    /not connected here in the live environment: its operator sets what begins with BITCOIN_ /,
  );
  for (const query of [`?id=${id.toUpperCase()}`, '?id=aaaaaaaaaaaa', '?id=']) {
    const missing = await api.call('GET', '/deposit-address', { query });
    assert.deepEqual([missing.status, missing.json], [404, missing.json]);
    assert.deepEqual(missing.json, { errors: ['Not found. no such deposit address'] });
  }
});

test('an address of another merchant, or of the other environment, does not exist', async () => {
  const { id } = await open({ network: 'BITCOIN' });
  for (const key of [await api.otherMerchant(), api.liveKey]) {
    const query = `?id=${id}`;
    assert.equal((await api.call('GET', '/deposit-address', { key, query })).status, 404);
    const { json } = await api.call('GET', '/deposit-addresses', { key });
    assert.deepEqual(json, { depositAddresses: [], nextCursor: null });
  }
});

test('a test address is paid on the simulated network', async () => {
  const { id } = await open({ network: 'LITECOIN' });
  const pay = (body: object, key = api.key) => api.call('POST', '/sandbox/pay', { key, body });
  const paid = await pay({ depositAddressId: id, amount: '0.25', parts: 2 });
  assert.equal(paid.status, 200, paid.text);
  const payments = paid.json.payments as unknown as { amount: string }[];
  assert.deepEqual(
    payments.map(({ amount }) => amount),
    ['0.125', '0.125'],
  );
  assert.equal((await pay({ depositAddressId: id })).status, 400);
  assert.equal((await pay({ depositAddressId: id, amount: 1, asset: 'BTC:NATIVE' })).status, 400);
  const foreign = await pay({ depositAddressId: id, amount: 1 }, await api.otherMerchant());
  assert.equal(foreign.status, 404);
});
