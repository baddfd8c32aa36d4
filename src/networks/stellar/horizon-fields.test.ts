// The forms of what Horizon answers, each alone and by its sentence.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { NodeLie, requireHash } from '#networks/answer-fields.ts';
import type { Horizon } from './horizon.ts';
import {
  integerFrom,
  requireAssetId,
  requireRecords,
  requireSequence,
  requireTime,
  requireUnits,
} from './horizon-fields.ts';
import { listPart } from './list-pages.ts';
import { readLedger } from './read-ledger.ts';

const ISSUER = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const USDC = { asset_type: 'credit_alphanum4', asset_code: 'USDC', asset_issuer: ISSUER };

test('what has the form is read', () => {
  assert.equal(requireHash('ab'.repeat(32), 'hash'), 'ab'.repeat(32));
  assert.equal(integerFrom('9223372036854775807', 'id'), 2n ** 63n - 1n);
  assert.equal(requireUnits({ amount: '922337203685.4775807' }, 'amount'), 2n ** 63n - 1n);
  const at = '2026-01-01T12:00:00Z';
  assert.equal(requireTime({ at }, 'at').toString(), at);
  assert.equal(requireAssetId(USDC), `USDC:${ISSUER}`);
  assert.equal(requireAssetId({ asset_type: 'native' }), 'XLM:NATIVE');
  assert.equal(requireSequence({ ledger: 2 ** 32 - 1 }, 'ledger'), 2n ** 32n - 1n);
  assert.deepEqual(requireRecords({ _embedded: { records: [{ id: '1' }] } }, 1), [{ id: '1' }]);
});

for (const [name, act, sentence] of [
  ['a hash in capitals', () => requireHash('AB'.repeat(32), 'hash'), /hash is no hash/],
  ['a short hash', () => requireHash('ab', 'hash'), /hash is no hash/],
  ['an id of 64 bits', () => integerFrom('9223372036854775808', 'id'), /id is too large/],
  ['an id with a sign', () => integerFrom('-1', 'id'), /id is no number/],
  [
    'an amount of 64 bits',
    () => requireUnits({ amount: '922337203685.4775808' }, 'amount'),
    /amount is too large/,
  ],
  ['an amount with six digits', () => requireUnits({ amount: '1.000000' }, 'amount'), /no amount/],
  [
    'a time with an offset',
    () => requireTime({ at: '2026-01-01T12:00:00+01:00' }, 'at'),
    /no time/,
  ],
  ['a day that is none', () => requireTime({ at: '2026-02-30T12:00:00Z' }, 'at'), /at is no time/],
  [
    'a share of a pool',
    () => requireAssetId({ asset_type: 'liquidity_pool_shares' }),
    /is no asset/,
  ],
  ['a code with a sign', () => requireAssetId({ ...USDC, asset_code: 'US-D' }), /code/],
  ['a code without letters', () => requireAssetId({ ...USDC, asset_code: '' }), /code/],
  ['an issuer in small letters', () => requireAssetId({ ...USDC, asset_issuer: 'g' }), /an issuer/],
  [
    'a short code where only long ones are',
    () => requireAssetId({ ...USDC, asset_type: 'credit_alphanum12' }),
    /an asset code is malformed/,
  ],
  [
    'a long code where only short ones are',
    () => requireAssetId({ ...USDC, asset_code: 'USDCO' }),
    /an asset code is malformed/,
  ],
  ...[0, -1, 5.5, 2 ** 32, '5', null].map(
    (ledger) =>
      [
        `a ledger ${JSON.stringify(ledger)}`,
        () => requireSequence({ ledger }, 'ledger'),
        /ledger is no ledger/,
      ] as const,
  ),
  ['a page without records', () => requireRecords({ _embedded: {} }, 1), /a page has no records/],
  [
    'a page of more than was asked for',
    () => requireRecords({ _embedded: { records: [{}, {}] } }, 1),
    /a page has no records/,
  ],
  ['a page that is a list', () => requireRecords([], 1), /a page is no object/],
] as const) {
  test(`${name} is none`, () => {
    assert.throws(act, sentence);
  });
}

test('a header that nobody can read is a lie, whatever its hash', () => {
  const header = Buffer.from('nothing');
  const record = {
    sequence: 5,
    hash: createHash('sha256').update(header).digest('hex'),
    prev_hash: 'ab'.repeat(32),
    closed_at: '2026-01-01T12:00:00Z',
    paging_token: `${5n << 32n}`,
    header_xdr: header.toString('base64'),
  };
  assert.throws(() => readLedger(record), /the header of ledger 5 cannot be read/);
});

test('a listing without end is an outage', async () => {
  let page = 1n << 40n;
  const records = () => {
    page += 200n;
    return Array.from({ length: 200 }, (_, index) => ({ paging_token: `${page + BigInt(index)}` }));
  };
  const horizon: Horizon = {
    host: 'horizon.example',
    get: async () => ({ json: { _embedded: { records: records() } }, latestLedger: undefined }),
    submit: async () => undefined,
    listen: async () => undefined,
    close: () => undefined,
  };
  const listing = { horizon, path: '/', after: 1n, upTo: undefined };
  const listed = listPart({ ...listing, read: () => ({ ledger: 2n }) });
  await assert.rejects(listed, (error) => {
    return error instanceof NodeLie && /a ledger has no end/.test(String(error));
  });
});
