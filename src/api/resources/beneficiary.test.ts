import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { allowAddress } from '#access/allow-list.ts';
import type { NewApiKey } from '#access/api-key.ts';
import { sql } from '#db/db.ts';
import { encodeInvoice } from '#networks/sandbox/bolt11.ts';
import { witnessKeyHashAddress } from '#networks/utxo/output-script.ts';
import { LITECOIN_REGTEST } from '#networks/utxo/utxo-chain.ts';
import { type CallOptions, openTestApi, type TestApi } from '#test/support/test-api.ts';

let api: TestApi;
before(async () => {
  api = await openTestApi();
  for (const environment of ['test', 'live'] as const) {
    await allowAddress(
      api,
      { merchantId: api.merchantId, environment },
      {
        use: 'withdrawals',
        address: '127.0.0.1',
      },
    );
  }
});
after(() => api.close());

const IBAN = 'DE89370400440532013000';
const SEPA = { iban: IBAN, holder: 'Ada Lovelace' };
const now = '2026-11-21T10:00:00Z';

let labels = 0;
function freshLabel(): string {
  labels += 1;
  return `label ${labels}`;
}

async function post(beneficiary: object, options: CallOptions = {}) {
  return api.call('POST', '/beneficiary', { ...options, body: { beneficiary } });
}

async function create(beneficiary: object, key: NewApiKey = api.key): Promise<string> {
  const created = await post({ label: freshLabel(), ...beneficiary }, { key });
  assert.equal(created.status, 200, created.text);
  const id = String(created.json.beneficiaryId);
  assert.match(id, /^[a-z0-9]{12}$/);
  assert.deepEqual(created.json, { beneficiaryId: id });
  return id;
}

const show = (id: string, key: NewApiKey = api.key) =>
  api.call('GET', '/beneficiary', { key, query: `?id=${id}` });

function invoiceFor(prefix: string, expiresAt: string): string {
  return encodeInvoice(
    {
      ...{ prefix, units: 1000n, expirySeconds: 3600, description: 'Invoice' },
      createdAt: Temporal.Instant.from(expiresAt).subtract({ hours: 1 }),
      ...{ paymentHash: new Uint8Array(32), paymentSecret: new Uint8Array(32) },
    },
    new Uint8Array(32).fill(7),
  );
}

const GIVEN_AND_SHOWN: readonly (readonly [network: string, given: object, shown?: object])[] = [
  ['BITCOIN', { address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080' }],
  ['LITECOIN', { address: witnessKeyHashAddress(new Uint8Array(20), LITECOIN_REGTEST) }],
  ['ETHEREUM', { address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' }],
  ['POLYGON', { address: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359' }],
  ['LIGHTNING', { lightningAddress: 'Ada@Example.com' }, { lightningAddress: 'ada@example.com' }],
  ['LIGHTNING', { invoice: invoiceFor('tbs', '2026-11-21T10:30:00Z'), lightningAddress: null }],
  ['STELLAR', { account: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN' }],
  [
    'STELLAR',
    {
      account: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
      ...{ memo: '12', memoType: 'id' },
    },
  ],
  ['XRP_LEDGER', { account: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', destinationTag: 0 }],
  [
    'XRP_LEDGER',
    { account: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', destinationTag: '4294967295' },
    { account: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', destinationTag: 4294967295 },
  ],
  ['SEPA', { iban: 'de89 3704 0044 0532 0130 00', holder: ' Ada ' }, { iban: IBAN, holder: 'Ada' }],
  ['SEPA', { iban: IBAN, bic: 'DEUTDEFF', holder: 'Ada' }],
  [
    'SWIFT',
    { accountNumber: '12-345 678', bic: 'chasus33', holder: 'Ada', address: '1 Main St' },
    { accountNumber: '12345678', bic: 'CHASUS33', holder: 'Ada', address: '1 Main St' },
  ],
  ['SWIFT', { iban: IBAN, bic: 'DEUTDEFF', holder: 'Ada', address: 'Ring 1, Berlin' }],
  [
    'PIX',
    { pixKey: '529.982.247-25', taxId: '529.982.247-25' },
    { pixKey: '52998224725', taxId: '52998224725' },
  ],
  [
    'PIX',
    { pixKey: '+5511987654321', taxId: '00.000.000/0001-91' },
    { pixKey: '+5511987654321', taxId: '00000000000191' },
  ],
];

test('every network has its account, shown in one spelling', async () => {
  for (const [network, given, shown = given] of GIVEN_AND_SHOWN) {
    const label = freshLabel();
    const id = await create({ label, network, account: given });
    const account = Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== null));
    const timestamp = '2026-11-21T10:00:00+00:00';
    assert.deepEqual((await show(id)).json, {
      beneficiary: { id, label, network, account, timestamp, usableTime: timestamp },
    });
  }
});

test('a live beneficiary can be used after 24 hours', async () => {
  const id = await create({ network: 'SEPA', account: SEPA }, api.liveKey);
  const { json } = await show(id, api.liveKey);
  assert.equal(json.beneficiary?.timestamp, '2026-11-21T10:00:00+00:00');
  assert.equal(json.beneficiary?.usableTime, '2026-11-22T10:00:00+00:00');
  const [row] = await api.db.query<{ usable_at: Temporal.Instant }>(
    sql`select usable_at from beneficiary where id = ${id}`,
  );
  assert.equal(String(row?.usable_at), '2026-11-22T10:00:00Z');
});

test('an invoice must live longer than the cool-down', async () => {
  for (const [key, prefix, expiresAt, usableAt] of [
    [api.key, 'tbs', '2026-11-21T09:59:59Z', now],
    [api.liveKey, 'bc', '2026-11-22T09:00:00Z', '2026-11-22T10:00:00Z'],
  ] as const) {
    const account = { invoice: invoiceFor(prefix, expiresAt) };
    const refused = await post({ label: freshLabel(), network: 'LIGHTNING', account }, { key });
    const fault = `expires before the beneficiary can be used (${usableAt})`;
    assert.deepEqual(refused.json, {
      errors: [`Invalid request. beneficiary.account.invoice: ${fault}`],
    });
  }
});

const REFUSED: readonly (readonly [network: string, account: unknown, faults: string[]])[] = [
  ['BITCOIN', undefined, [': is required']],
  ['BITCOIN', [], [': must be an object']],
  ['BITCOIN', {}, ['.address: is required']],
  ['BITCOIN', { address: 5 }, ['.address: must be text']],
  [
    'BITCOIN',
    { address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt081' },
    ['.address: must be an address of Bitcoin with a right checksum'],
  ],
  [
    'ETHEREUM',
    { address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', adress: '' },
    [
      '.address: must be an address with the capital letters of its checksum (EIP-55)',
      '.adress: is unknown, address is probably meant',
    ],
  ],
  ['LIGHTNING', {}, ['.invoice: is required, or lightningAddress, or lnurl']],
  [
    'LIGHTNING',
    { invoice: 'lnbc1', lightningAddress: 'ada' },
    [
      '.invoice: must be an invoice of Lightning (BOLT 11) with a right checksum and signature',
      '.lightningAddress: must be a Lightning address (name@domain)',
      '.lightningAddress: cannot stand beside invoice',
    ],
  ],
  [
    'STELLAR',
    { account: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVM', memo: '1' },
    [
      '.account: must be an account of Stellar (G...) with a right checksum',
      '.memoType: is required with memo',
    ],
  ],
  [
    'STELLAR',
    {
      account: 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN',
      ...{ memo: 'order', memoType: 'id' },
    },
    ['.memo: must be a whole number below 2^64'],
  ],
  [
    'XRP_LEDGER',
    { account: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTi', destinationTag: 4294967296 },
    [
      '.account: must be an account of the XRP Ledger (r...) with a right checksum',
      '.destinationTag: must be a whole number from 0 to 4294967295',
    ],
  ],
  [
    'SEPA',
    { iban: 'DE89370400440532013001', bic: 'DEUT', holder: ' ' },
    [
      '.iban: must be an IBAN as its country has them, with right check digits',
      '.bic: must be a BIC (8 or 11 letters and digits)',
      '.holder: must not be empty',
    ],
  ],
  [
    'SEPA',
    { iban: 'BR1800360305000010009795493C1', holder: 'Ada' },
    ['.iban: must be an IBAN of a SEPA country'],
  ],
  [
    'SWIFT',
    { iban: IBAN, accountNumber: '1', holder: 'Ada' },
    ['.bic: is required', '.address: is required', '.accountNumber: cannot stand beside iban'],
  ],
  [
    'PIX',
    { pixKey: '52998224726', taxId: '52998224726' },
    [
      '.pixKey: must be a CPF, CNPJ, e-mail address, telephone (+55...) or random key',
      '.taxId: must be a CPF or CNPJ with right check digits',
    ],
  ],
  ['PIX', { pixKey: '52998224725', taxId: '11144477735' }, ['.taxId: differs from pixKey']],
];

test('what is wrong with an account is named with its path, all of it at once', async () => {
  for (const [network, account, faults] of REFUSED) {
    const refused = await post({ label: freshLabel(), network, account });
    const [first, ...others] = faults.map((fault) => `beneficiary.account${fault}`);
    const errors = [`Invalid request. ${first}`, ...others];
    assert.deepEqual([refused.status, refused.json], [400, { errors }], network);
    assert.equal(refused.headers.get('x-error-code'), 'validation_failed');
  }
});

test('label and network are checked beside the account', async () => {
  const network = 'must be a network id of GET /networks that takes transfers';
  for (const [body, errors] of [
    [{}, ['Invalid request. beneficiary: is required']],
    [
      { beneficiary: { label: ' ', network: 'SEPA', account: { ...SEPA, iban: 'x' } } },
      [
        'Invalid request. beneficiary.label: must not be empty',
        'beneficiary.account.iban: must be an IBAN as its country has them, with right check digits',
      ],
    ],
    [
      { beneficiary: {} },
      [
        'Invalid request. beneficiary.label: is required',
        'beneficiary.network: is required',
        'beneficiary.account: is required',
      ],
    ],
    [
      { beneficiary: { label: 'é'.repeat(201), network: 'DOGE', account: SEPA } },
      [
        'Invalid request. beneficiary.label: must have at most 200 characters',
        `beneficiary.network: ${network}`,
      ],
    ],
  ] as const) {
    const refused = await api.call('POST', '/beneficiary', { body });
    assert.deepEqual([refused.status, refused.json], [400, { errors }]);
  }
});

test('a label is taken until its beneficiary is deleted', async () => {
  const label = freshLabel();
  const id = await create({ label, network: 'SEPA', account: SEPA });
  const again = {
    label: ` ${label} `,
    network: 'PIX',
    account: { pixKey: 'a@b.br', taxId: '52998224725' },
  };
  const refused = await post(again);
  assert.deepEqual(
    [refused.status, refused.json],
    [409, { errors: ['Conflict. beneficiary.label: another beneficiary has this label'] }],
  );
  assert.equal(refused.headers.get('x-error-code'), 'label_taken');
  await create({ label, network: 'SEPA', account: SEPA }, api.liveKey);
  const deleted = await api.call('DELETE', '/beneficiary', { body: { id } });
  assert.deepEqual([deleted.status, deleted.json], [200, { beneficiaryId: id }]);
  assert.equal((await show(id)).status, 404);
  const other = await create({ ...again, label });
  const nested = await api.call('DELETE', '/beneficiary', { body: { beneficiary: { id: other } } });
  assert.deepEqual(nested.json, { beneficiaryId: other });
  const gone = await api.call('DELETE', '/beneficiary', { body: { id: other } });
  assert.deepEqual([gone.status, gone.json], [404, { errors: ['Not found. no such beneficiary'] }]);
});

test('two at once with one label make one', async () => {
  const label = freshLabel();
  const answers = await Promise.all(
    ['Ada', 'Bob', 'Eve'].map((holder) =>
      post({ label, network: 'SEPA', account: { ...SEPA, holder } }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409]);
});

test('a beneficiary of another merchant, or of the other environment, does not exist', async () => {
  const id = await create({ network: 'SEPA', account: SEPA });
  const other = await api.otherMerchant();
  for (const key of [other, api.liveKey]) {
    const shown = await show(id, key);
    assert.deepEqual(
      [shown.status, shown.json],
      [404, { errors: ['Not found. no such beneficiary'] }],
    );
    assert.equal(shown.headers.get('x-error-code'), 'beneficiary_missing');
  }
  const deleted = await api.call('DELETE', '/beneficiary', { key: api.liveKey, body: { id } });
  assert.equal(deleted.status, 404);
  const listed = await api.call('GET', '/beneficiaries', { key: other });
  assert.deepEqual(listed.json, { beneficiaries: [], nextCursor: null });
  assert.equal((await show(id)).status, 200);
});

test('a list shows the newest first, page by page', async () => {
  const seen: string[] = [];
  const created: string[] = [];
  for (let index = 0; index < 3; index += 1) {
    await api.clock.advance(1000);
    created.unshift(await create({ network: 'SEPA', account: SEPA }));
  }
  let query = '?limit=2';
  for (let page = 0; page < 2; page += 1) {
    const { json } = await api.call('GET', '/beneficiaries', { query });
    const beneficiaries = json.beneficiaries as unknown as { id: string }[];
    seen.push(...beneficiaries.map(({ id }) => id));
    query = `?limit=2&cursor=${json.nextCursor}`;
  }
  assert.deepEqual(seen.slice(0, 3), created);
  assert.equal(new Set(seen).size, 4);
});

test('a signature makes one beneficiary', async () => {
  const beneficiary = { label: freshLabel(), network: 'SEPA', account: SEPA };
  const first = await post(beneficiary);
  assert.equal(first.status, 200);
  const repeated = await post(beneficiary);
  assert.equal(repeated.status, 409);
  assert.notEqual(repeated.headers.get('x-error-code'), 'label_taken');
});

test('a beneficiary is made from an allow-listed address only, and never with X-Basic', async () => {
  const beneficiary = { label: freshLabel(), network: 'SEPA', account: SEPA };
  const closed = await post(beneficiary, { key: await api.otherMerchant() });
  assert.equal(closed.status, 403);
  assert.equal(closed.headers.get('x-error-code'), 'allow_list_empty');
  assert.equal((await post(beneficiary, { auth: 'basic' })).status, 403);
  assert.equal((await post(beneficiary, { auth: 'none' })).status, 401);
});
