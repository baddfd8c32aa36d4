import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bech32, bech32m } from '@scure/base';
import * as fc from 'fast-check';
import { addressReader } from './witness-address.ts';

test('addresses are those of BIP-173 and BIP-350, for any program and prefix', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('bc', 'tb', 'bcrt', 'ltc', 'tltc', 'rltc'),
      fc.uint8Array({ minLength: 20, maxLength: 20 }),
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      (prefix, hash, key) => {
        const read = addressReader(prefix);
        const keyHash = bech32.encode(prefix, [0, ...bech32.toWords(hash)]);
        assert.equal(read(Uint8Array.of(0, 20, ...hash)), keyHash);
        const taproot = bech32m.encode(prefix, [1, ...bech32m.toWords(key)]);
        assert.equal(read(Uint8Array.of(0x51, 32, ...key)), taproot);
      },
    ),
  );
});

test('every other script has no address for us', () => {
  const read = addressReader('bc');
  const bytes = (length: number) => new Uint8Array(length).fill(7);
  for (const script of [
    [],
    [0],
    [0, 20],
    [0, 20, ...bytes(19)],
    [0, 20, ...bytes(21)],
    [0, 32, ...bytes(32)],
    [0x51, 20, ...bytes(20)],
    [0x51, 2, 0x4e, 0x73],
    [0x52, 32, ...bytes(32)],
    [0x76, 0xa9, 20, ...bytes(20), 0x88, 0xac],
    [0xa9, 20, ...bytes(20), 0x87],
    [0x6a, 20, ...bytes(20)],
  ]) {
    assert.equal(read(Uint8Array.from(script)), undefined, String(script));
  }
});
