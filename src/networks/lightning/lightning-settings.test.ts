import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { silentLog } from '#base/log.ts';
import { Refusal } from '#base/refusal.ts';
import type { Db } from '#db/db.ts';
import { readConfig } from '#server/config.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { openLightningNetworks } from './open-lightning-networks.ts';

const directory = mkdtempSync(join(tmpdir(), 'quittance-lightning-settings-'));
after(() => rmSync(directory, { recursive: true, force: true }));
const file = (name: string, content: string) => {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
};
const macaroon = file('macaroon', 'macaroon');

function read(given: Record<string, string>) {
  const environment = { DATA_DIR: directory, ...given };
  return readConfig({ environment, file: undefined, directory }).networks.lightning;
}

const lnd = {
  LIGHTNING_BACKEND: 'lnd',
  LIGHTNING_URL: 'https://node.example:8080',
  LIGHTNING_MACAROON_FILE: macaroon,
};
const electrum = {
  LIGHTNING_BACKEND: 'electrum',
  LIGHTNING_URL: 'http://user:password@127.0.0.1:7777',
};

test('without settings there is no node; each backend needs what it needs', () => {
  assert.deepEqual(read({}), []);
  assert.equal(read(lnd)[0]?.chainName, 'main');
  assert.equal(read({ ...electrum, LIGHTNING_CHAIN: 'regtest' })[0]?.chainName, 'regtest');
});

const refused: readonly [name: string, given: Record<string, string>, fault: RegExp][] = [
  ['an unknown backend', { ...lnd, LIGHTNING_BACKEND: 'eclair' }, /LIGHTNING_BACKEND/],
  ['a setting without a backend', { LIGHTNING_URL: 'https://x:1' }, /LIGHTNING_BACKEND: missing/],
  ['no address', { ...lnd, LIGHTNING_URL: '' }, /LIGHTNING_URL/],
  [
    'a secret in the clear over a network',
    { ...lnd, LIGHTNING_URL: 'http://node.example' },
    /must be https/,
  ],
  [
    'LND without a macaroon',
    { ...lnd, LIGHTNING_MACAROON_FILE: '' },
    /LIGHTNING_MACAROON_FILE: missing/,
  ],
  ['a rune for LND', { ...lnd, LIGHTNING_RUNE_FILE: macaroon }, /LIGHTNING_RUNE_FILE: not for lnd/],
  [
    'a password for LND',
    { ...lnd, LIGHTNING_URL: 'https://a:b@node.example' },
    /no user and password/,
  ],
  [
    'Electrum without a password',
    { ...electrum, LIGHTNING_URL: 'http://127.0.0.1:7777' },
    /rpcpassword/,
  ],
  [
    'a certificate without TLS',
    { ...electrum, LIGHTNING_TLS_CERT_FILE: macaroon },
    /needs an https/,
  ],
  ['an unknown chain', { ...lnd, LIGHTNING_CHAIN: 'simnet' }, /LIGHTNING_CHAIN/],
];

for (const [name, given, fault] of refused) {
  test(`${name} is refused, without telling a secret`, () => {
    assert.throws(
      () => read(given),
      (error: unknown) => {
        assert(error instanceof Refusal);
        assert.match(error.message, fault);
        assert.doesNotMatch(error.message, /password@|b@node/);
        return true;
      },
    );
  });
}

test('a file that is missing, empty or no certificate is told by its setting', () => {
  const parts = { db: {} as Db, clock: manualClock('2026-01-01T12:00:00Z'), log: silentLog };
  const open = (given: Record<string, string>) => openLightningNetworks(read(given), parts);
  assert.throws(
    () => open({ ...lnd, LIGHTNING_MACAROON_FILE: `${macaroon}.not` }),
    /MACAROON_FILE: cannot/,
  );
  const empty = file('empty', '');
  assert.throws(() => open({ ...lnd, LIGHTNING_MACAROON_FILE: empty }), /MACAROON_FILE: cannot/);
  const text = { ...lnd, LIGHTNING_TLS_CERT_FILE: macaroon };
  assert.throws(() => open(text), /LIGHTNING_TLS_CERT_FILE: is no certificate/);
  const [opened] = open(electrum);
  assert(opened !== undefined);
  assert.equal(opened.network.addressSource, 'Electrum at 127.0.0.1:7777');
  assert.equal(opened.isTestChain, false);
});
