import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HDKey } from '@scure/bip32';
import fc from 'fast-check';
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts';
import { bytesToHex, getAddress, isAddress } from 'viem/utils';
import { Refusal } from '#base/refusal.ts';
import { canonicalEvmAddress, hasEvmChecksum, openEvmAccount } from './derive-address.ts';

/** Seed of test vector 1 of BIP-32. */
const seed = Uint8Array.fromHex('000102030405060708090a0b0c0d0e0f');
const root = HDKey.fromMasterSeed(seed);
const account = root.derive("m/44'/60'/0'");

const developmentMnemonic = 'test test test test test test test test test test test junk';
const developmentAccount = mnemonicToAccount(developmentMnemonic, {
  path: "m/44'/60'/0'",
}).getHdKey().publicExtendedKey;

test("an account gives the addresses that its private key gives at m/44'/60'/0'/0/i", () => {
  const { addressAt } = openEvmAccount(account.publicExtendedKey);
  fc.assert(
    fc.property(fc.nat(2 ** 31 - 1), (index) => {
      const { privateKey } = root.derive(`m/44'/60'/0'/0/${index}`);
      assert(privateKey !== null);
      const { address } = privateKeyToAccount(bytesToHex(privateKey));
      assert.equal(addressAt(BigInt(index)), address);
    }),
    { numRuns: 30 },
  );
});

test('the first addresses of the well-known development mnemonic are those every tool shows', () => {
  // "test test … junk" as anvil, Hardhat and Foundry publish it; its account key alone, no secret.
  const known = [
    '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  ];
  const { addressAt } = openEvmAccount(developmentAccount);
  assert.deepEqual(
    known.map((_, index) => addressAt(BigInt(index))),
    known,
  );
});

test('the key of the branch gives the same addresses as the key of the account', () => {
  const branch = account.deriveChild(0).publicExtendedKey;
  const [one, other] = [openEvmAccount(account.publicExtendedKey), openEvmAccount(branch)];
  for (const index of [0n, 1n, 99n]) assert.equal(one.addressAt(index), other.addressAt(index));
});

for (const [name, key] of [
  ['a private key', root.derive("m/44'/60'/0'").privateExtendedKey],
  ['a private key with a typing error', `${account.privateExtendedKey.slice(0, -1)}1`],
] as const) {
  test(`${name} is refused and not repeated`, () => {
    assert.throws(
      () => openEvmAccount(key),
      (error) =>
        error instanceof Refusal &&
        error.code === 'private_key_refused' &&
        !error.message.includes(key.slice(5, 30)),
    );
  });
}

for (const [name, key] of [
  ['of a master', root.publicExtendedKey],
  ['of another depth', root.derive("m/44'/60'").publicExtendedKey],
  ['that is damaged', `${account.publicExtendedKey.slice(0, -1)}1`],
  ['that is none', 'hello'],
  ['that is empty', ''],
  [
    'of Bitcoin (zpub)',
    HDKey.fromMasterSeed(seed, { public: 0x04b24746, private: 0x04b2430c }).derive("m/84'/0'/0'")
      .publicExtendedKey,
  ],
] as const) {
  test(`a key ${name} is refused`, () => {
    assert.throws(() => openEvmAccount(key), { name: 'Refusal', code: 'address_source_invalid' });
  });
}

test('an address is canonical in lower case; a wrong checksum is none (EIP-55)', () => {
  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  assert.equal(canonicalEvmAddress(address), address.toLowerCase());
  assert.equal(canonicalEvmAddress(address.toLowerCase()), address.toLowerCase());
  assert.equal(canonicalEvmAddress(address.replace('5aA', '5Aa')), undefined);
  assert.equal(canonicalEvmAddress(address.slice(0, -1)), undefined);
  assert.equal(canonicalEvmAddress(`${address}00`), undefined);
  assert.equal(canonicalEvmAddress('ltc1qtjqpgwuzta4zpq5f30dzdugyu0s4ug73ndvxv2'), undefined);
});

test('what is an address, and what is its checksum, viem says too', () => {
  const bytes = fc.uint8Array({ minLength: 19, maxLength: 21 });
  const spelled = bytes.chain((value) => {
    const lower = bytesToHex(value);
    const right = value.length === 20 ? getAddress(lower) : lower;
    const changed = fc.nat(39).map((at) => {
      const digit = right.charAt(at + 2);
      const other = digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase();
      return right.slice(0, at + 2) + other + right.slice(at + 3);
    });
    const others = [
      lower,
      right,
      right.toUpperCase(),
      `0x${lower.slice(2).toUpperCase()}`,
      ` ${right}`,
    ];
    return fc.oneof(fc.constantFrom(...others), changed);
  });
  fc.assert(
    fc.property(spelled, (text) => {
      const isOne = isAddress(text, { strict: text !== text.toLowerCase() });
      assert.equal(canonicalEvmAddress(text), isOne ? text.toLowerCase() : undefined, text);
      assert.equal(hasEvmChecksum(text), isAddress(text) && getAddress(text) === text, text);
    }),
    { numRuns: 500 },
  );
  assert(!hasEvmChecksum(`0x${'0'.repeat(39)}\n`) && !hasEvmChecksum(''));
});
