import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { addressOfScript } from './output-script.ts';
import { type Branch, changeSource, ownScripts } from './own-scripts.ts';
import { parseAddressSource } from './parse-address-source.ts';
import { BITCOIN_MAIN, LITECOIN_REGTEST } from './utxo-chain.ts';

// The account keys of BIP-84 and BIP-86, from the same words; their master key is 73c5da0a.
const ACCOUNT_84 =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
const ACCOUNT_86 =
  'xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ';
const HARDENED = 0x80000000;

const ownScriptsOf = (text: string) =>
  ownScripts(parseAddressSource(text, BITCOIN_MAIN), BITCOIN_MAIN);

function addressAt(text: string, branch: Branch): string | undefined {
  return addressOfScript(ownScriptsOf(text)(branch, 0n).script, BITCOIN_MAIN);
}

test('receiving and change of the published vectors of BIP-84 and BIP-86', () => {
  const taproot = `tr([73c5da0a/86h/0h/0h]${ACCOUNT_86}/<0;1>/*)`;
  const expected = [
    [ACCOUNT_84, 'receiving', 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'],
    [ACCOUNT_84, 'change', 'bc1q8c6fshw2dlwun7ekn9qwf37cu2rn755upcp6el'],
    [taproot, 'receiving', 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr'],
    [taproot, 'change', 'bc1p3qkhfews2uk44qtvauqyr2ttdsw7svhkl9nkm9s9c3x4ax5h60wqwruhk7'],
  ] as const;
  for (const [text, branch, address] of expected) assert.equal(addressAt(text, branch), address);
});

test('the path begins at the master key that the origin names', () => {
  const scriptAt = ownScriptsOf(`wpkh([73c5da0a/84'/0'/0']${ACCOUNT_84}/0/*)`);
  const path = [84 + HARDENED, HARDENED, HARDENED];
  const fingerprint = 0x73c5da0a;
  assert.deepEqual(scriptAt('receiving', 7n).keyOrigin, { fingerprint, path: [...path, 0, 7] });
  assert.deepEqual(scriptAt('change', 7n).keyOrigin, { fingerprint, path: [...path, 1, 7] });
});

test('without an origin it begins at the extended key itself, as Bitcoin Core has it', () => {
  const root = HDKey.fromMasterSeed(new Uint8Array(32).fill(3));
  const account = root.derive("m/84'/0'/0'");
  const { keyOrigin, publicKey } = ownScriptsOf(account.publicExtendedKey)('change', 5n);
  assert.deepEqual(keyOrigin, { fingerprint: account.fingerprint, path: [1, 5] });
  assert.deepEqual(publicKey, account.deriveChild(1).deriveChild(5).publicKey);
});

test('change has a descriptor of its own, for whoever looks for what lies there', () => {
  const source = parseAddressSource(`wpkh([73c5da0a/84h/0h/0h]${ACCOUNT_84}/0/*)`, BITCOIN_MAIN);
  const change = changeSource(source, BITCOIN_MAIN);
  assert.match(change?.descriptorWithOrigin ?? '', /^wpkh\(\[73c5da0a\/84h.*\/1\/\*\)#/);
  assert.deepEqual(change?.path, [1]);
});

test('a descriptor without branches has none for change', () => {
  for (const path of ['/*', '/7/*', '/0/3/*']) {
    const source = parseAddressSource(`wpkh(${ACCOUNT_84}${path})`, BITCOIN_MAIN);
    assert.equal(changeSource(source, BITCOIN_MAIN), undefined);
    const scriptAt = ownScripts(source, BITCOIN_MAIN);
    assert.equal(scriptAt('receiving', 1n).script.length, 22);
    assert.throws(() => scriptAt('change', 1n), /no branch for change/);
  }
  const deep = parseAddressSource(`wpkh(${ACCOUNT_84}/5/0/*)`, BITCOIN_MAIN);
  assert.deepEqual(changeSource(deep, BITCOIN_MAIN)?.path, [5, 1]);
});

test('test chains of Litecoin have their own addresses and the same paths', () => {
  const versions = { public: 0x043587cf, private: 0x04358394 };
  const root = HDKey.fromMasterSeed(new Uint8Array(32).fill(4), versions);
  const tpub = root.derive("m/84'/1'/0'").publicExtendedKey;
  const source = parseAddressSource(tpub, LITECOIN_REGTEST);
  const { script } = ownScripts(source, LITECOIN_REGTEST)('change', 0n);
  assert.match(addressOfScript(script, LITECOIN_REGTEST) ?? '', /^rltc1q/);
});
