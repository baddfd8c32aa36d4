import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check } from '@scure/base';
import { HDKey } from '@scure/bip32';
import * as fc from 'fast-check';
import { Refusal } from '#base/refusal.ts';
import { addressDeriver } from './derive-address.ts';
import { descriptorChecksum, parseAddressSource } from './parse-address-source.ts';
import {
  BITCOIN_MAIN,
  BITCOIN_REGTEST,
  BITCOIN_TEST,
  LITECOIN_MAIN,
  LITECOIN_REGTEST,
  type UtxoChain,
} from './utxo-chain.ts';

// Test vectors of BIP-84, account 0.
const zpub =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
const vectors = [
  'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  'bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g',
];
const base58check = createBase58check(sha256);

/** The same key under other version bytes. */
function withVersion(key: string, version: number): string {
  const bytes = base58check.decode(key).slice();
  new DataView(bytes.buffer).setUint32(0, version);
  return base58check.encode(bytes);
}

function firstAddress(text: string, chain: UtxoChain): string {
  return addressDeriver(parseAddressSource(text, chain), chain)(0n);
}

const refusal = (code: string, pattern: RegExp, secret?: string) => (error: unknown) =>
  error instanceof Refusal &&
  error.code === code &&
  pattern.test(error.message) &&
  (secret === undefined || !error.message.includes(secret));
const isInvalid = (pattern: RegExp) => refusal('address_source_invalid', pattern);

const xpub = withVersion(zpub, 0x0488b21e);
const tpub = withVersion(zpub, 0x043587cf);

test('the published vectors of BIP-84 are derived', () => {
  const derive = addressDeriver(parseAddressSource(zpub, BITCOIN_MAIN), BITCOIN_MAIN);
  assert.deepEqual([derive(0n), derive(1n)], vectors);
  const [change] = ['bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el'];
  assert.equal(firstAddress(`wpkh(${xpub}/1/*)`, BITCOIN_MAIN), change);
});

test('of a descriptor with both branches, as wallets export it, the receiving one counts', () => {
  const both = `wpkh([73c5da0a/84h/0h/0h]${xpub}/<0;1>/*)`;
  for (const text of [both, `${both}#${descriptorChecksum(both)}`]) {
    const source = parseAddressSource(text, BITCOIN_MAIN);
    assert.equal(addressDeriver(source, BITCOIN_MAIN)(0n), vectors[0]);
    // Another spelling of the same source: it goes on counting where that is.
    assert.equal(source.descriptor, parseAddressSource(zpub, BITCOIN_MAIN).descriptor);
  }
  assert.throws(
    () => parseAddressSource(`wpkh(${xpub}/<0;1>/<2;3>/*)`, BITCOIN_MAIN),
    isInvalid(/several branches/),
  );
});

test('the published vectors of BIP-86 are derived', () => {
  const account =
    'xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ';
  const source = parseAddressSource(`tr([73c5da0a/86h/0h/0h]${account}/0/*)`, BITCOIN_MAIN);
  const derive = addressDeriver(source, BITCOIN_MAIN);
  assert.deepEqual(
    [derive(0n), derive(1n)],
    [
      'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
      'bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh',
    ],
  );
  const change = 'bc1p3qkhfews2uk44qtvauqyr2ttdsw7svhkl9nkm9s9c3x4ax5h60wqwruhk7';
  assert.equal(firstAddress(`tr(${account}/1/*)`, BITCOIN_MAIN), change);
  assert.match(source.descriptor, /^tr\(xpub\w+\/0\/\*\)#[a-z0-9]{8}$/);
  assert.equal(parseAddressSource(source.descriptor, BITCOIN_MAIN).script, 'tr');
});

test('every spelling of one key is one source', () => {
  const origin = '[73c5da0a/84h/0h/0h]';
  const spellings = [
    zpub,
    xpub,
    ` ${xpub}\n`,
    `wpkh(${xpub}/0/*)`,
    `wpkh(${zpub}/0/*)`,
    `wpkh(${origin}${xpub}/0/*)`,
    `wpkh([73C5DA0A/84'/0'/0']${xpub}/0/*)`,
  ];
  const sources = spellings.map((spelling) => parseAddressSource(spelling, BITCOIN_MAIN));
  const [{ descriptor }] = sources as [(typeof sources)[number]];
  for (const source of sources) assert.equal(source.descriptor, descriptor);
  assert.match(descriptor, /^wpkh\(xpub\w+\/0\/\*\)#[a-z0-9]{8}$/);
  assert.equal(parseAddressSource(descriptor, BITCOIN_MAIN).descriptor, descriptor);
  const exported = sources.at(-1)?.descriptorWithOrigin ?? '';
  assert(exported.startsWith(`wpkh(${origin}xpub`));
  assert.equal(parseAddressSource(exported, BITCOIN_MAIN).descriptorWithOrigin, exported);
});

test('Litecoin accepts its own prefixes for the same key', () => {
  const addresses = [xpub, zpub, withVersion(zpub, 0x019da462)].map((key) =>
    firstAddress(key, LITECOIN_MAIN),
  );
  assert.equal(new Set(addresses).size, 1);
  assert.match(addresses[0] ?? '', /^ltc1q/);
  assert.match(firstAddress(tpub, LITECOIN_REGTEST), /^rltc1q/);
  assert.match(firstAddress(withVersion(zpub, 0x0436f6e1), LITECOIN_REGTEST), /^rltc1q/);
  assert.match(firstAddress(tpub, BITCOIN_REGTEST), /^bcrt1q/);
  assert.match(firstAddress(withVersion(zpub, 0x045f1cf6), BITCOIN_TEST), /^tb1q/);
});

test('a private key is refused loudly, in every spelling, and is not repeated', () => {
  const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(1)).derive("m/84'/0'/0'");
  const xprv = account.privateExtendedKey;
  const isLoud = refusal('private_key_refused', /PRIVATE/, xprv.slice(10, 40));
  const versions = [0x0488ade4, 0x04b2430c, 0x04358394, 0x045f18bc, 0x019d9cfe, 0x0436ef7d];
  for (const version of [...versions, 0x0488b21e]) {
    const key = withVersion(xprv, version);
    for (const text of [key, `wpkh(${key}/0/*)`, `wpkh([73c5da0a/84h/0h/0h]${key}/0/*)`]) {
      for (const chain of [BITCOIN_MAIN, BITCOIN_TEST, LITECOIN_MAIN]) {
        assert.throws(() => parseAddressSource(text, chain), isLoud, text.slice(0, 8));
      }
    }
  }
  assert.throws(() => parseAddressSource(`${xprv.slice(0, -1)}x`, BITCOIN_MAIN), isLoud);
});

for (const [name, text, chain, pattern] of [
  ['another network', tpub, BITCOIN_MAIN, /not one of Bitcoin: .*test chain.*_CHAIN/],
  ['another network', xpub, LITECOIN_REGTEST, /not one of Litecoin regtest: .*m\/84h\/1h\/0h/],
  ['another coin by its prefix', withVersion(zpub, 0x019da462), BITCOIN_MAIN, /not one of/],
  ['another coin by its origin', `wpkh([73c5da0a/84h/0h/0h]${xpub}/0/*)`, LITECOIN_MAIN, /coin/],
  ['a legacy account', `wpkh([73c5da0a/44h/0h/0h]${xpub}/0/*)`, BITCOIN_MAIN, /other scripts/],
  ['another depth than its origin', `wpkh([73c5da0a/84h]${xpub}/0/*)`, BITCOIN_MAIN, /1 steps/],
  ['a malformed origin', `wpkh([73c5da0/84h/0h/0h]${xpub}/0/*)`, BITCOIN_MAIN, /origin/],
  ['nested segwit', withVersion(zpub, 0x049d7cb2), BITCOIN_MAIN, /ypub/],
  ['a damaged key', zpub.replace('Q2A', 'Q3A'), BITCOIN_MAIN, /damaged/],
  ['no key', 'hello', BITCOIN_MAIN, /neither/],
  ['an address', vectors[0] ?? '', BITCOIN_MAIN, /neither/],
  ['nothing', '', BITCOIN_MAIN, /neither/],
  ['taproot on Litecoin', `tr(${xpub}/0/*)`, LITECOIN_MAIN, /no taproot descriptors/],
  ['taproot with scripts', `tr(${xpub}/0/*,pk(${xpub}))`, BITCOIN_MAIN, /only one key/],
  ['taproot of a native segwit key', `tr(${zpub}/0/*)`, BITCOIN_MAIN, /native segwit/],
  ['taproot of another account', `tr([73c5da0a/84h/0h/0h]${xpub}/0/*)`, BITCOIN_MAIN, /86h/],
  ['segwit of a taproot account', `wpkh([73c5da0a/86h/0h/0h]${xpub}/0/*)`, BITCOIN_MAIN, /84h/],
  ['a legacy script', `pkh(${xpub}/0/*)`, BITCOIN_MAIN, /only wpkh.* and tr/],
  ['a nested script', `sh(wpkh(${xpub}/0/*))`, BITCOIN_MAIN, /only wpkh.* and tr/],
  ['one fixed key', `wpkh(${xpub}/0/5)`, BITCOIN_MAIN, /end in/],
  ['no path', `wpkh(${xpub})`, BITCOIN_MAIN, /end in/],
  ['hardened children', `wpkh(${xpub}/0h/*)`, BITCOIN_MAIN, /hardened/],
  ['hardened addresses', `wpkh(${xpub}/0/*h)`, BITCOIN_MAIN, /end in/],
  ['a step too large', `wpkh(${xpub}/2147483648/*)`, BITCOIN_MAIN, /no number/],
  ['a wrong checksum', `wpkh(${xpub}/0/*)#qqqqqqqq`, BITCOIN_MAIN, /checksum/],
  ['an empty checksum', `wpkh(${xpub}/0/*)#`, BITCOIN_MAIN, /checksum/],
] as const) {
  test(`a source with ${name} is refused`, () => {
    assert.throws(() => parseAddressSource(text, chain), isInvalid(pattern));
  });
}

test('an extended key that is no account is refused unless a descriptor says its path', () => {
  const root = HDKey.fromMasterSeed(new Uint8Array(32).fill(1));
  const deep = root.derive("m/84'/0'/0'/0").publicExtendedKey;
  assert.throws(() => parseAddressSource(deep, BITCOIN_MAIN), isInvalid(/depth 4/));
  const account = root.derive("m/84'/0'/0'").publicExtendedKey;
  assert.equal(firstAddress(`wpkh(${deep}/*)`, BITCOIN_MAIN), firstAddress(account, BITCOIN_MAIN));
});

test('an index that BIP-32 does not have is a bug of the caller', () => {
  const derive = addressDeriver(parseAddressSource(zpub, BITCOIN_MAIN), BITCOIN_MAIN);
  assert.throws(() => derive(-1n));
  assert.throws(() => derive(2n ** 31n));
  assert.match(derive(2n ** 31n - 1n), /^bc1q/);
});

test('both derivations agree for any seed and index', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      fc.bigInt({ min: 0n, max: 2n ** 31n - 1n }),
      (seed, index) => {
        const taproot = HDKey.fromMasterSeed(seed).derive("m/86'/0'/0'").publicExtendedKey;
        const source = parseAddressSource(`tr(${taproot}/0/*)`, BITCOIN_MAIN);
        assert.match(addressDeriver(source, BITCOIN_MAIN)(index), /^bc1p[a-z0-9]{58}$/);
        const account = HDKey.fromMasterSeed(seed).derive("m/84'/2'/0'").publicExtendedKey;
        const derive = addressDeriver(parseAddressSource(account, LITECOIN_MAIN), LITECOIN_MAIN);
        assert.match(derive(index), /^ltc1q[a-z0-9]{38}$/);
      },
    ),
    { numRuns: 20 },
  );
});

test('the checksum of descriptors is that of BIP-380', () => {
  assert.equal(descriptorChecksum('raw(deadbeef)'), '89f8spxm');
  assert.notEqual(descriptorChecksum('raw(deedbeef)'), '89f8spxm');
  assert.equal(descriptorChecksum('raw(Ü)'), undefined);
});
