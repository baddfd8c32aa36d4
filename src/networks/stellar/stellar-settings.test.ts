import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Keypair } from '@stellar/stellar-base';
import { Refusal } from '#base/refusal.ts';
import { readConfig } from '#config.ts';

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

for (const [name, settings, pattern] of [
  ['no account', { STELLAR_ACCOUNT: '' }, /STELLAR_ACCOUNT: missing/],
  ['a secret key', { STELLAR_ACCOUNT: key.secret() }, /STELLAR_ACCOUNT: this is a SECRET key/],
  ['an account with a slip', { STELLAR_ACCOUNT: `${key.publicKey().slice(0, -1)}A` }, /public key/],
  ['another chain', { STELLAR_CHAIN: 'future' }, /STELLAR_CHAIN: must be one of main, test/],
  ['an address that is none', { STELLAR_HORIZON_URLS: 'horizon' }, /STELLAR_HORIZON_URLS: must be/],
  ['a key and no domain', { STELLAR_URI_SIGNING_SECRET: key.secret() }, /ORIGIN_DOMAIN: must be/],
  ['a domain and no key', { STELLAR_URI_ORIGIN_DOMAIN: 'shop.example' }, /SECRET: must be/],
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
