// What Horizon finds for an exchange, read from an answer as its own client is tested with
// (clients/horizonclient/paths_request_test.go of stellar/go: names, forms, three paths), and what is
// no answer to what was asked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NodeLie } from '#networks/answer-fields.ts';
import type { Query } from '#networks/http-client.ts';
import type { Horizon } from './horizon.ts';
import { quoteExchange } from './quote-exchange.ts';

const ISSUER = 'GDSBCQO34HWPGUGQSP3QBFEXVTSR2PW46UIGTHVWGWJGQKH3AFNHXHXN';
const USD = `USD:${ISSUER}`;
const EUR = `EUR:${ISSUER}`;
const ASKED = { giveAssetId: USD, giveUnits: 200_000_000n, getAssetId: EUR };

const asset = (code: string, prefix = '') => ({
  [`${prefix}asset_code`]: code,
  [`${prefix}asset_issuer`]: ISSUER,
  [`${prefix}asset_type`]: 'credit_alphanum4',
});

const found = (amount: string, ...codes: readonly string[]) => ({
  ...asset('EUR', 'destination_'),
  destination_amount: amount,
  path: codes.map((code) => asset(code)),
  source_amount: '20.0000000',
  ...asset('USD', 'source_'),
});

const asked: { path: string; query: Query | undefined }[] = [];
function horizon(json: unknown): Horizon {
  return {
    host: 'horizon.test',
    async get(path, query) {
      asked.push({ path, query });
      return { json, latestLedger: 7n };
    },
    submit: () => assert.fail(),
    listen: () => assert.fail(),
    close: () => undefined,
  };
}
const page = (...records: readonly unknown[]) => horizon({ _embedded: { records } });

test('the best path is taken, and of two alike the shorter', async () => {
  const all = page(
    found('20.0000000', '21', '22'),
    found('20.0000001', '1', '2'),
    found('9.0000000'),
  );
  assert.deepEqual(await quoteExchange(all, ASKED), {
    getUnits: 200_000_001n,
    path: [`1:${ISSUER}`, `2:${ISSUER}`],
  });
  const alike = page(found('20.0000000', '21'), found('20.0000000'));
  assert.deepEqual(await quoteExchange(alike, ASKED), { getUnits: 200_000_000n, path: [] });
  assert.deepEqual(asked.at(-1), {
    path: '/paths/strict-send',
    query: { ...asset('USD', 'source_'), source_amount: '20', destination_assets: EUR },
  });
});

test('lumens have no issuer, whichever side they are on', async () => {
  const native = { ...found('3.0000000'), path: [{ asset_type: 'native' }] };
  const paid = await quoteExchange(page(native), ASKED);
  assert.deepEqual(paid?.path, ['XLM:NATIVE']);
  assert.equal(await quoteExchange(page(), { ...ASKED, giveAssetId: 'XLM:NATIVE' }), undefined);
  assert.equal(asked.at(-1)?.query?.source_asset_type, 'native');
  await quoteExchange(page(), { ...ASKED, getAssetId: 'XLM:NATIVE' });
  assert.equal(asked.at(-1)?.query?.destination_assets, 'native');
});

test('where nobody trades the two there is no quote, and without paths a person is told', async () => {
  assert.equal(await quoteExchange(page(), ASKED), undefined);
  await assert.rejects(quoteExchange(horizon(undefined), ASKED), /horizon.test finds no paths/);
});

for (const [what, record] of [
  ['of another amount', { ...found('9.0000000'), source_amount: '21.0000000' }],
  ['of another asset that is sold', { ...found('9.0000000'), ...asset('GBP', 'source_') }],
  ['of another asset that is bought', { ...found('9.0000000'), ...asset('GBP', 'destination_') }],
  ['with an amount that is none', found('9')],
  ['below zero', found('-9.0000000')],
  ['without a path', { ...found('9.0000000'), path: undefined }],
  ['with a path that is too long', found('9.0000000', '1', '2', '3', '4', '5', '6')],
  ['with a path over nothing', { ...found('9.0000000'), path: [null] }],
  ['that is no record', 7],
] as const) {
  test(`an answer ${what} is none`, async () => {
    await assert.rejects(quoteExchange(page(record), ASKED), NodeLie);
  });
}
