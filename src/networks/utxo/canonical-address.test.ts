import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bech32, bech32m } from '@scure/base';
import { p2pkh, p2sh, p2tr, p2wpkh, p2wsh } from '@scure/btc-signer/payment.js';
import * as fc from 'fast-check';
import { canonicalAddress } from './canonical-address.ts';
import { BITCOIN_MAIN, LITECOIN_MAIN, UTXO_CHAINS, type UtxoChain } from './utxo-chain.ts';

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
