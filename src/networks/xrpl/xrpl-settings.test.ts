import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateSeed } from 'ripple-keypairs';
import { Refusal } from '#base/refusal.ts';
import { readConfig } from '#server/config.ts';

const seed = generateSeed({ entropy: new Uint8Array(16).fill(1), algorithm: 'ed25519' });
const whole = {
  XRP_LEDGER_URLS: 'wss://xrpl.one.example, wss://xrpl.two.example/key',
  XRP_LEDGER_ACCOUNT: 'rrrrrrrrrrrrrrrrrrrrrhoLvTp',
};

function read(environment: Record<string, string>) {
  return readConfig({ environment, file: undefined, directory: '/nowhere' }).networks.xrpl;
}

test('servers and an account are all that the XRP Ledger needs', () => {
  assert.deepEqual(read(whole), {
    urls: ['wss://xrpl.one.example', 'wss://xrpl.two.example/key'],
    account: 'rrrrrrrrrrrrrrrrrrrrrhoLvTp',
    chainName: 'main',
  });
  assert.equal(read({}), undefined);
});

for (const [name, settings, pattern] of [
  ['no account', { XRP_LEDGER_ACCOUNT: '' }, /XRP_LEDGER_ACCOUNT: missing/],
  ['no servers', { XRP_LEDGER_URLS: '' }, /XRP_LEDGER_URLS: missing/],
  ['a secret seed', { XRP_LEDGER_ACCOUNT: seed }, /XRP_LEDGER_ACCOUNT: this is a SECRET seed/],
  ['a slip', { XRP_LEDGER_ACCOUNT: 'rrrrrrrrrrrrrrrrrrrrrhoLvTq' }, /must be a classic address/],
  ['an HTTP address', { XRP_LEDGER_URLS: 'https://xrpl.example' }, /must be ws or wss addresses/],
  ['another chain', { XRP_LEDGER_CHAIN: 'dev' }, /XRP_LEDGER_CHAIN: must be one of main, test/],
  ['an unknown name', { XRP_LEDGER_URL: 'x' }, /XRP_LEDGER_URL: unknown setting/],
] as const) {
  test(`a start with ${name} is refused, and no secret is repeated`, () => {
    assert.throws(
      () => read({ ...whole, ...settings }),
      (error) =>
        error instanceof Refusal && pattern.test(error.message) && !error.message.includes(seed),
    );
  });
}
