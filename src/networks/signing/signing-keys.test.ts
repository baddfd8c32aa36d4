import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { WIF } from '@scure/btc-signer/payment.js';
import { Keypair } from '@stellar/stellar-base';
import fc from 'fast-check';
import { deriveAddress, deriveKeypair, generateSeed } from 'ripple-keypairs';
import { hdKeyToAccount, privateKeyToAccount, HDKey as ViemKey } from 'viem/accounts';
import { Refusal } from '#base/refusal.ts';
import { addressDeriver } from '#networks/utxo/derive-address.ts';
import { changeSource } from '#networks/utxo/own-scripts.ts';
import { BITCOIN_REGTEST } from '#networks/utxo/utxo-chain.ts';
import type { ReceivingAccount } from '#people/account-fields.ts';
import type { NewKey, OpenKey } from '#signer/open-key.ts';
import { psbtSigner } from '#test/support/psbt-signer.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { KEY_FAMILIES } from './signing-keys.ts';

const SEED = Buffer.alloc(32, 5);
const random = seededRandom(1);

function open(key: Partial<NewKey>) {
  const whole = { name: 'one', environment: 'live', network: 'BITCOIN', chain: 'main' } as const;
  return KEY_FAMILIES.openKey(KEY_FAMILIES.keyToKeep({ ...whole, ...key }, random));
}

const shown = (key: Partial<NewKey>) => open(key).shown;

test('a seed, its master key and the key of its account are one key, with the words of BIP-84', () => {
  const signer = psbtSigner(BITCOIN_REGTEST, 'wpkh', SEED);
  const account = signer.root.derive("m/84'/1'/0'").privateExtendedKey;
  const chain = 'regtest';
  const bySeed = shown({ chain, secret: SEED.toString('hex') });
  assert.equal(bySeed.descriptor, signer.source.descriptorWithOrigin);
  assert.deepEqual(shown({ chain, secret: signer.root.privateExtendedKey }), bySeed);
  const origin = /\[(.*)\]/.exec(signer.descriptor)?.[1]?.replaceAll("'", 'h');
  assert.deepEqual(shown({ chain, secret: account, origin }), bySeed);
  assert.equal(shown({ chain, secret: account }).descriptor, signer.source.descriptor);
});

test('taproot has its own account and address (the first of BIP-86)', () => {
  // The seed of "abandon abandon ... about" (BIP-39), as BIP-86 gives its keys.
  const secret =
    'xprv9s21ZrQH143K3GJpoapnV8SFfukcVBSfeCficPSGfubmSFDxo1kuHnLisriDvSnRRuL2Qrg5ggqHKNVpxR86QEC8w35uxmGoggxtQTPvfUu';
  assert.equal(
    shown({ script: 'tr', secret }).address,
    'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
  );
  assert.equal(shown({ secret }).address, 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu');
});

test('a key in WIF has one address', () => {
  const secret = WIF({ bech32: 'bc', pubKeyHash: 0, scriptHash: 5, wif: 0x80 }).encode(SEED);
  const key = shown({ secret });
  assert.match(key.address, /^bc1q/);
  assert.equal(key.descriptor, undefined);
  assert.throws(() => shown({ secret, chain: 'regtest' }), /no key of BITCOIN \(regtest\)/);
});

test('keys of EVM chains are those of viem', () => {
  const secret = `0x${'3d'.repeat(32)}` as const;
  const key = { network: 'ETHEREUM', secret };
  assert.equal(shown(key).address, privateKeyToAccount(secret).address);
  const master = HDKey.fromMasterSeed(SEED);
  const expected = hdKeyToAccount(ViemKey.fromMasterSeed(SEED)).address;
  assert.equal(shown({ ...key, secret: master.privateExtendedKey }).address, expected);
  const account = master.derive("m/44'/60'/0'");
  const found = shown({ ...key, secret: account.privateExtendedKey });
  assert.equal(found.address, expected);
  assert.equal(found.descriptor, `evm(${account.publicExtendedKey}/0/*)`);
});

test('an address of ours is known by its number below the key, and no other is', () => {
  const { source } = psbtSigner(BITCOIN_REGTEST, 'wpkh', SEED);
  const master = ViemKey.fromMasterSeed(SEED);
  const evmAt = (addressIndex: number) => hdKeyToAccount(master, { addressIndex }).address;
  const utxoAt = addressDeriver(source, BITCOIN_REGTEST);
  const changeAt = addressDeriver(changeSource(source, BITCOIN_REGTEST) ?? source, BITCOIN_REGTEST);
  const evm = open({ network: 'ETHEREUM', secret: master.privateExtendedKey ?? '' });
  const utxo = open({ chain: 'regtest', secret: SEED.toString('hex') });
  const table: readonly (readonly [OpenKey, string, bigint | undefined, boolean])[] = [
    [evm, evmAt(7), 7n, true],
    [evm, evmAt(7).toLowerCase(), 7n, true],
    [evm, evmAt(7), 8n, false],
    [evm, evmAt(7), undefined, false],
    [evm, evmAt(1_000_000), 1_000_000n, true],
    // Ours, and nobody would ever look for it there.
    [evm, evmAt(1_000_001), 1_000_001n, false],
    [evm, '', 0n, false],
    [utxo, utxoAt(7n), 7n, true],
    [utxo, changeAt(7n), 7n, true],
    [utxo, utxoAt(7n).toUpperCase(), 7n, true],
    [utxo, utxoAt(7n), 8n, false],
    [utxo, utxoAt(7n), undefined, false],
    [utxo, utxoAt(1_000_001n), 1_000_001n, false],
    [utxo, evmAt(7), 7n, false],
  ];
  for (const [key, address, index, isOwn] of table) {
    const payment = { assetId: 'any', units: 1n, account: { address }, index };
    assert.equal(key.owns(payment), isOwn, `${address} ${index}`);
  }
});

test('a key of one account owns that account, whatever number is named', () => {
  const wif = WIF({ bech32: 'bc', pubKeyHash: 0, scriptHash: 5, wif: 0x80 }).encode(SEED);
  const account = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 6)).publicKey();
  const pair = Keypair.fromRawEd25519Seed(SEED);
  const keys = [
    open({ secret: wif }),
    open({ network: 'ETHEREUM', secret: '3d'.repeat(32) }),
    open({ network: 'STELLAR', secret: pair.secret() }),
    open({ network: 'STELLAR', secret: pair.secret(), account }),
    open({ network: 'XRP_LEDGER', secret: 'sEdTM1uX8pu2do5XvTnutH6HsouMaM2' }),
  ];
  for (const key of keys) {
    for (const other of keys) {
      const { address } = other.shown;
      const isNamed = ['STELLAR', 'XRP_LEDGER'].includes(key.shown.network);
      const paid: ReceivingAccount = isNamed ? { account: address } : { address };
      const payment = { assetId: 'any', units: 1n, account: paid, index: 5n };
      assert.equal(key.owns(payment), key === other, `${key.shown.address} ${address}`);
    }
  }
});

test('keys of Stellar are those of stellar-base', () => {
  const pair = Keypair.fromRawEd25519Seed(SEED);
  const key = { network: 'STELLAR', secret: pair.secret() };
  assert.equal(shown(key).address, pair.publicKey());
  const account = Keypair.fromRawEd25519Seed(Buffer.alloc(32, 6)).publicKey();
  assert.equal(shown({ ...key, account }).address, account);
});

test('keys of the XRP Ledger are those of ripple-keypairs, both kinds', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 16, maxLength: 16 }),
      fc.constantFrom('ed25519' as const, 'ecdsa-secp256k1' as const),
      (entropy, algorithm) => {
        const secret = generateSeed({ entropy, algorithm });
        const pair = deriveKeypair(secret);
        const address = deriveAddress(pair.publicKey);
        assert.equal(shown({ network: 'XRP_LEDGER', secret }).address, address);
        assert.equal(shown({ network: 'XRP_LEDGER', secret: pair.privateKey }).address, address);
      },
    ),
    { numRuns: 30 },
  );
});

test('what is made is a key, and never the same one', () => {
  for (const network of ['BITCOIN', 'LITECOIN', 'ETHEREUM', 'BASE', 'STELLAR', 'XRP_LEDGER']) {
    assert.notEqual(shown({ network }).address, shown({ network }).address, network);
  }
});

test('what is no key of the network is refused, and the refusal does not repeat it', () => {
  const xpub = HDKey.fromMasterSeed(SEED).derive("m/84'/0'/0'").publicExtendedKey;
  const tooDeep = HDKey.fromMasterSeed(SEED).derive("m/84'/0'/0'/0").privateExtendedKey;
  const testKey = psbtSigner(BITCOIN_REGTEST).root.privateExtendedKey;
  const cases: readonly (readonly [network: string, secret: string])[] = [
    ['BITCOIN', xpub],
    ['BITCOIN', tooDeep],
    ['BITCOIN', testKey],
    ['BITCOIN', Keypair.random().secret()],
    ['ETHEREUM', '3d'.repeat(31)],
    ['ETHEREUM', '00'.repeat(32)],
    ['ETHEREUM', 'ff'.repeat(32)],
    ['ETHEREUM', xpub],
    ['STELLAR', Keypair.random().publicKey()],
    ['STELLAR', Keypair.random().secret().slice(0, -1)],
    ['XRP_LEDGER', 'sEdTM1uX8pu2do5XvTnutH6HsouMaM3'],
    ['XRP_LEDGER', 'snoPBrXtMeMyMHUVTgbuqAfg1SUTc'],
    ['XRP_LEDGER', '00'.repeat(33)],
    ['STELLAR', ''],
  ];
  for (const [network, secret] of cases) {
    assert.throws(
      () => shown({ network, secret }),
      (error) =>
        error instanceof Refusal &&
        (secret === '' || !`${error.stack} ${error.cause}`.includes(secret)),
      `${network} ${secret}`,
    );
  }
});

test('names, networks and chains that are none are refused by name', () => {
  assert.throws(() => shown({ name: 'Hot Wallet' }), /--name/);
  assert.throws(() => shown({ network: 'SEPA' }), /--network: the signer has no keys of SEPA/);
  assert.throws(() => shown({ chain: 'moon' }), /--chain: one of main, test, testnet4/);
  assert.throws(() => shown({ origin: 'xyz' }), /--origin/);
});
