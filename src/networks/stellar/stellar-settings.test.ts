import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Keypair } from '@stellar/stellar-base';
import { silentLog } from '#base/log.ts';
import { Refusal } from '#base/refusal.ts';
import type { Db } from '#db/db.ts';
import { openNetworks } from '#networks/families.ts';
import { readConfig } from '#server/config.ts';
import { manualClock } from '#test/support/manual-clock.ts';

const key = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 1));
const whole = {
  STELLAR_HORIZON_URLS: 'https://horizon.one.example, https://horizon.two.example/key',
  STELLAR_ACCOUNT: key.publicKey(),
};

function read(environment: Record<string, string>) {
  return readConfig({ environment, file: undefined, directory: '/nowhere' }).networks.stellar;
}

test('two Horizons and an account are all that Stellar needs', () => {
  assert.deepEqual(read(whole), {
    horizonUrls: ['https://horizon.one.example', 'https://horizon.two.example/key'],
    account: key.publicKey(),
    chainName: 'main',
    uri: undefined,
  });
  assert.equal(read({}), undefined);
});

test('what a receiver cannot take is left to be claimed only where the operator says so', () => {
  assert.equal(read({ ...whole, STELLAR_CLAIMABLE_DAYS: '30' })?.claimableDays, undefined);
  const on = { ...whole, STELLAR_CLAIMABLE_BALANCES: 'on' };
  assert.equal(read(on)?.claimableDays, 90);
  assert.equal(read({ ...on, STELLAR_CLAIMABLE_DAYS: '30' })?.claimableDays, 30);
});

for (const [name, settings, pattern] of [
  ['no account', { STELLAR_ACCOUNT: '' }, /STELLAR_ACCOUNT: missing/],
  ['a secret key', { STELLAR_ACCOUNT: key.secret() }, /STELLAR_ACCOUNT: this is a SECRET key/],
  ['an account with a slip', { STELLAR_ACCOUNT: `${key.publicKey().slice(0, -1)}A` }, /public key/],
  ['another chain', { STELLAR_CHAIN: 'future' }, /STELLAR_CHAIN: must be one of main, test/],
  ['an address that is none', { STELLAR_HORIZON_URLS: 'horizon' }, /STELLAR_HORIZON_URLS: must be/],
  ['a key and no domain', { STELLAR_URI_SIGNING_SECRET: key.secret() }, /ORIGIN_DOMAIN: must be/],
  ['a domain and no key', { STELLAR_URI_ORIGIN_DOMAIN: 'shop.example' }, /SECRET: must be/],
  ['a word that is none', { STELLAR_CLAIMABLE_BALANCES: 'yes' }, /must be one of off, on/],
  ['days that are too few', { STELLAR_CLAIMABLE_DAYS: '6' }, /STELLAR_CLAIMABLE_DAYS/],
  ['an unknown name', { STELLAR_HORIZON: 'x' }, /STELLAR_HORIZON: unknown setting/],
] as const) {
  test(`a start with ${name} is refused, and no key is repeated`, () => {
    assert.throws(
      () => read({ ...whole, ...settings }),
      (error) =>
        error instanceof Refusal &&
        pattern.test(error.message) &&
        !error.message.includes(key.secret()),
    );
  });
}

const issuer = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 2)).publicKey();
const other = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 4)).publicKey();
const anchors = {
  STELLAR_ANCHORS: `BITCOIN=BTC:${issuer}@anchor.example, BITCOIN=BTC:${other}@two.example`,
  STELLAR_ANCHOR_SECRET: Keypair.fromRawEd25519Seed(Buffer.alloc(32, 3)).secret(),
};

test('networks are reached through anchors, with a key of its own to log in', () => {
  const network = 'BITCOIN';
  assert.deepEqual(read({ ...whole, ...anchors })?.anchors, [
    { network, assetId: `BTC:${issuer}`, domain: 'anchor.example' },
    { network, assetId: `BTC:${other}`, domain: 'two.example' },
  ]);
});

for (const [name, value, pattern] of [
  ['no network', `BTC:${issuer}@anchor.example`, /must be like/],
  ['a network whose addresses are not proven', `PIX=BRL:${issuer}@anchor.example`, /must be like/],
  ['an asset of another network', `BITCOIN=ETH:${issuer}@anchor.example`, /must be like/],
  ['an issuer with a slip', `BITCOIN=BTC:${issuer.slice(0, -1)}A@anchor.example`, /issuer or/],
  ['an address of a machine', `BITCOIN=BTC:${issuer}@127.0.0.1`, /the issuer or the domain/],
  ['a path', `BITCOIN=BTC:${issuer}@anchor.example/x`, /the issuer or the domain/],
  ['no domain', `BITCOIN=BTC:${issuer}`, /must be like/],
  ['a network without addresses', `LIGHTNING=BTC:${issuer}@anchor.example`, /must be like/],
  [
    'an asset that is paid on Stellar itself',
    'ETHEREUM=USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN@anchor.example',
    /is paid on Stellar itself/,
  ],
  [
    'an asset named twice',
    `BITCOIN=BTC:${issuer}@one.example,BITCOIN=BTC:${issuer}@two.example`,
    /named twice/,
  ],
] as const) {
  test(`an anchor with ${name} is refused`, () => {
    assert.throws(() => read({ ...whole, ...anchors, STELLAR_ANCHORS: value }), pattern);
  });
}

test('every network whose addresses prove themselves can be reached, by coin or by token', () => {
  const STELLAR_ANCHORS = [
    `LITECOIN=LTC:${issuer}@one.example`,
    `ETHEREUM=ETH:${issuer}@one.example`,
    `ETHEREUM=USDT:${issuer}@one.example`,
    `XRP_LEDGER=XRP:${issuer}@one.example`,
    `POLYGON=POL:${issuer}@one.example`,
    `BASE=USDC:${issuer}@one.example`,
    `ARBITRUM=ETH:${other}@one.example`,
    `OPTIMISM=USDC:${other}@one.example`,
  ];
  const settings = read({ ...whole, ...anchors, STELLAR_ANCHORS: STELLAR_ANCHORS.join(', ') });
  assert.equal(settings?.anchors?.length, STELLAR_ANCHORS.length);
});

test('what anchors may keep is five percent, and what they are told nothing, unless it is set', () => {
  const initial = read({ ...whole, ...anchors });
  assert.deepEqual([initial?.anchorFeePercentMost, initial?.anchorCustomer], [5, {}]);
  const customer = { 'organization.name': 'A shop, "the" shop', first_name: 'Ada' };
  const set = read({
    ...whole,
    ...anchors,
    STELLAR_ANCHOR_FEE_PERCENT_MOST: '0',
    STELLAR_ANCHOR_CUSTOMER: JSON.stringify(customer),
  });
  assert.deepEqual([set?.anchorFeePercentMost, set?.anchorCustomer], [0, customer]);
});

for (const [name, value, pattern] of [
  ['no JSON', 'A shop', /must be a JSON object of texts/],
  ['a list', '["A shop"]', /must be a JSON object of texts/],
  ['an unknown field', '{"organisation.name":"A shop"}', /organisation.name is no field of SEP-9/],
  ['an image', '{"photo_id_front":"AAAA"}', /photo_id_front is no field of SEP-9 that is text/],
  ['a number', '{"tax_id":1}', /tax_id must be a text/],
  ['nothing', '{"tax_id":""}', /tax_id must be a text/],
] as const) {
  test(`anchors told ${name} are refused`, () => {
    const settings = { ...whole, ...anchors, STELLAR_ANCHOR_CUSTOMER: value };
    assert.throws(() => read(settings), pattern);
  });
}

test('an anchor without a key to log in is refused', () => {
  const { STELLAR_ANCHORS } = anchors;
  assert.throws(() => read({ ...whole, STELLAR_ANCHORS }), /STELLAR_ANCHOR_SECRET: must be/);
});

test('a network with a node of its own is not reached through an anchor as well', () => {
  const environment = {
    ...whole,
    ...anchors,
    BITCOIN_RPC_URL: 'http://user:password@127.0.0.1:1',
    BITCOIN_DESCRIPTOR:
      'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
  };
  const { networks } = readConfig({ environment, file: undefined, directory: '/nowhere' });
  // Nothing is asked of the database while networks are opened.
  const db = undefined as unknown as Db;
  const parts = { db, clock: manualClock('2026-01-01T12:00:00Z'), log: silentLog };
  assert.throws(() => openNetworks(networks, parts), /STELLAR_ANCHORS: BITCOIN has a node/);
});
