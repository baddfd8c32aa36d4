import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bech32, bech32m } from '@scure/base';
import { p2pkh, p2sh, p2tr, p2wpkh, p2wsh } from '@scure/btc-signer/payment.js';
import * as fc from 'fast-check';
import { addressOfScript, canonicalAddress, outputScript } from './output-script.ts';
import {
  BITCOIN_MAIN,
  BITCOIN_TEST,
  LITECOIN_MAIN,
  LITECOIN_REGTEST,
  UTXO_CHAINS,
  type UtxoChain,
} from './utxo-chain.ts';

const HASH = '751e76e8199196d454941c45d1b3a323f1433bd6';
const PROGRAM = '1863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262';

/** Vectors of BIP-173 and BIP-350, and the same hash in base58. */
const VECTORS = [
  [BITCOIN_MAIN, 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', `0014${HASH}`],
  [
    BITCOIN_TEST,
    `tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7`,
    `0020${PROGRAM}`,
  ],
  [
    BITCOIN_MAIN,
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
    '512079be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
  ],
  [BITCOIN_MAIN, '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH', `76a914${HASH}88ac`],
  [
    BITCOIN_MAIN,
    '3JvL6Ymt8MVWiCNHC7oWU6nLeHNJKLZGLN',
    'a914bcfeb728b584253d5f3f70bcb780e9ef218a68f487',
  ],
] as const;

const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex');

test('the script of each kind of address, and its address again', () => {
  for (const [chain, address, script] of VECTORS) {
    assert.equal(hex(outputScript(address, chain)), script);
    const shown = address.startsWith('BC1') ? address.toLowerCase() : address;
    assert.equal(addressOfScript(Buffer.from(script, 'hex'), chain), shown);
  }
});

test('both spellings of an address of Litecoin that pays to a script', () => {
  const script = 'a914bcfeb728b584253d5f3f70bcb780e9ef218a68f487';
  const shown = addressOfScript(Buffer.from(script, 'hex'), LITECOIN_MAIN) ?? '';
  assert.match(shown, /^M/);
  assert.equal(hex(outputScript(shown, LITECOIN_MAIN)), script);
  assert.equal(hex(outputScript('3JvL6Ymt8MVWiCNHC7oWU6nLeHNJKLZGLN', LITECOIN_MAIN)), script);
});

test("another network's address has no script, nor what is none", () => {
  const hash = [0, ...bech32.toWords(Buffer.from(HASH, 'hex'))];
  for (const chain of UTXO_CHAINS) {
    const address = bech32.encode(chain.bech32Prefix, hash);
    for (const other of UTXO_CHAINS) {
      const isSame = other.bech32Prefix === chain.bech32Prefix;
      assert.equal(hex(outputScript(address, other)), isSame ? `0014${HASH}` : undefined);
    }
  }
  assert.equal(outputScript('1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH', LITECOIN_MAIN), undefined);
  for (const text of ['', 'ltcmweb1qq', 'rltc1', '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMI']) {
    assert.equal(outputScript(text, LITECOIN_REGTEST), undefined);
  }
});

test('scripts that no address of ours stands for have none', () => {
  for (const script of [
    '',
    '6a',
    '6a0548656c6c6f',
    '51',
    '5102abcd',
    `5220${PROGRAM}`,
    `0015${HASH}ff`,
  ]) {
    assert.equal(addressOfScript(Buffer.from(script, 'hex'), BITCOIN_MAIN), undefined, script);
  }
});

const key = Uint8Array.fromHex(
  '0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c',
);

/** By another library: one address of each kind. */
function addressesOf(chain: UtxoChain): string[] {
  const network = {
    bech32: chain.bech32Prefix,
    pubKeyHash: chain.publicKeyHashVersion,
    scriptHash: chain.scriptHashVersions[0],
    wif: 0,
  };
  const nested = p2sh(p2wpkh(key, network), network);
  const script = p2wsh(p2pkh(key, network), network);
  const payments = [p2pkh(key, network), nested, p2wpkh(key, network), script];
  const taproot = p2tr(key.subarray(1), undefined, network);
  return [...payments, taproot].map(({ address }) => address ?? '');
}

for (const chain of UTXO_CHAINS) {
  test(`every kind of address of ${chain.name} is known, in its own spelling only`, () => {
    for (const address of addressesOf(chain)) {
      assert.equal(canonicalAddress(address, chain), address);
      assert.equal(canonicalAddress(` ${address}`, chain), undefined);
      const isWitness = address.startsWith(chain.bech32Prefix);
      const upper = canonicalAddress(address.toUpperCase(), chain);
      assert.equal(upper, isWitness ? address : undefined);
    }
  });
}

test('an address of another coin is none of this one', () => {
  for (const address of addressesOf(BITCOIN_MAIN)) {
    const isScriptHash = address.startsWith('3');
    // Litecoin once wrote script hashes as Bitcoin does: the same script, shown as M... today.
    const expected = isScriptHash ? addressesOf(LITECOIN_MAIN)[1] : undefined;
    assert.equal(canonicalAddress(address, LITECOIN_MAIN), expected);
  }
  for (const address of addressesOf(LITECOIN_MAIN)) {
    assert.equal(canonicalAddress(address, BITCOIN_MAIN), undefined);
  }
});

test('one wrong character is noticed', () => {
  const characters = fc.constantFrom(...'023456789abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ');
  fc.assert(
    fc.property(
      fc.constantFrom(...addressesOf(LITECOIN_MAIN)),
      fc.nat(),
      characters,
      (address, position, character) => {
        const at = position % address.length;
        const changed = address.slice(0, at) + character + address.slice(at + 1);
        fc.pre(changed !== address);
        assert.equal(canonicalAddress(changed, LITECOIN_MAIN), undefined);
      },
    ),
  );
});

test('wrong checksums, unknown versions, odd lengths, MWEB and mixed case are no addresses', () => {
  const words = (version: number, length: number) => [
    version,
    ...bech32.toWords(new Uint8Array(length).fill(5)),
  ];
  const refused = [
    bech32m.encode('ltc', words(0, 20)),
    bech32.encode('ltc', words(1, 32)),
    bech32.encode('ltc', words(0, 21)),
    bech32m.encode('ltc', words(1, 20)),
    bech32m.encode('ltc', words(2, 32)),
    // The peg-in script of Litecoin.
    bech32m.encode('ltc', words(9, 32)),
    bech32.encode('ltcmweb', words(0, 20)),
    bech32.encode('ltc', []),
    'ltc1',
    '',
    'x'.repeat(10_000),
  ];
  for (const address of refused) {
    assert.equal(canonicalAddress(address, LITECOIN_MAIN), undefined, address.slice(0, 80));
  }
  const good = bech32.encode('ltc', words(0, 20));
  assert.equal(canonicalAddress(good, LITECOIN_MAIN), good);
  assert.equal(canonicalAddress(`L${good.slice(1)}`, LITECOIN_MAIN), undefined);
});
