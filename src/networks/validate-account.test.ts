import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { base58xrp, bech32 } from '@scure/base';
import { Keypair } from '@stellar/stellar-base';
import fc from 'fast-check';
import { getAddress } from 'viem/utils';
import type { ChainId } from '#catalog/chain.ts';
import { accountValidator } from './families.ts';
import { encodeInvoice } from './sandbox/bolt11.ts';
import { witnessKeyHashAddress } from './utxo/output-script.ts';
import {
  BITCOIN_MAIN,
  LITECOIN_MAIN,
  LITECOIN_REGTEST,
  type UtxoChain,
} from './utxo/utxo-chain.ts';

const validator = accountValidator(new Map());
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const BECH32 = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const HEX = '0123456789abcdef';

/** Accepted as it is, refused with one character of its body replaced by another. */
function proves(
  made: fc.Arbitrary<string>,
  alphabet: string,
  accepts: (text: string) => boolean,
  bodyStart: number,
): void {
  fc.assert(
    fc.property(made, fc.nat(), fc.nat(), (text, place, shift) => {
      assert.ok(accepts(text), text);
      const at = bodyStart + (place % (text.length - bodyStart));
      const index = alphabet.indexOf(text.charAt(at));
      const other = alphabet.charAt(
        (index + 1 + (shift % (alphabet.length - 1))) % alphabet.length,
      );
      if (other === text.charAt(at)) return;
      const slip = text.slice(0, at) + other + text.slice(at + 1);
      assert.ok(!accepts(slip), slip);
    }),
    { numRuns: 300, seed: 1 },
  );
}

const isAddress = (chain: ChainId) => (text: string) => validator.address(chain, text) === text;

describe('an address is accepted, and refused with one character changed:', () => {
  const witness = (chain: UtxoChain) => bytes(20).map((hash) => witnessKeyHashAddress(hash, chain));
  const xrpl = bytes(20).map((hash) => {
    const versioned = Uint8Array.of(0, ...hash);
    return base58xrp.encode(
      Uint8Array.of(...versioned, ...sha256(sha256(versioned)).subarray(0, 4)),
    );
  });
  test('Bitcoin', () => proves(witness(BITCOIN_MAIN), BECH32, isAddress('live:BITCOIN'), 3));
  test('Litecoin', () => proves(witness(LITECOIN_MAIN), BECH32, isAddress('live:LITECOIN'), 4));
  test('Litecoin, a test chain', () =>
    proves(witness(LITECOIN_REGTEST), BECH32, isAddress('test:LITECOIN'), 5));
  test('Stellar', () => {
    const made = bytes(32).map((seed) => Keypair.fromRawEd25519Seed(Buffer.from(seed)).publicKey());
    proves(made, BASE32, isAddress('live:STELLAR'), 1);
  });
  test('XRP Ledger', () => proves(xrpl, BASE58, isAddress('live:XRP_LEDGER'), 1));
  test('Ethereum, capital letters included', () => {
    const made = bytes(20).map((hash) => getAddress(`0x${hash.toHex()}`));
    proves(made, HEX, isAddress('live:ETHEREUM'), 2);
    fc.assert(
      fc.property(made, (address) => {
        const lower = address.toLowerCase();
        assert.equal(isAddress('live:BASE')(lower), lower === address);
        assert.equal(isAddress('live:BASE')(`0x${address.slice(2).toUpperCase()}`), false);
      }),
      { numRuns: 50, seed: 1 },
    );
  });
});

test('an address of another chain, or of the other environment, is none', () => {
  const bitcoin = witnessKeyHashAddress(new Uint8Array(20), BITCOIN_MAIN);
  for (const chain of ['test:BITCOIN', 'live:LITECOIN', 'live:ETHEREUM', 'live:STELLAR'] as const) {
    assert.equal(validator.address(chain, bitcoin), undefined);
  }
  assert.equal(validator.address('live:BITCOIN', bitcoin.toUpperCase()), bitcoin);
  for (const chain of ['live:LIGHTNING', 'live:SEPA'] as const) {
    assert.equal(validator.address(chain, bitcoin), undefined);
  }
  assert.equal(
    validator.address('live:XRP_LEDGER', 'rrrrrrrrrrrrrrrrrrrrrhoLvTp'),
    'rrrrrrrrrrrrrrrrrrrrrhoLvTp',
  );
});

describe('an invoice', () => {
  const nodeKey = new Uint8Array(32).fill(7);
  const createdAt = Temporal.Instant.from('2026-11-21T10:00:00Z');
  const invoiceOf = (prefix: string, paymentHash: Uint8Array, units = 69_999n) =>
    encodeInvoice(
      {
        ...{ prefix, units, createdAt, expirySeconds: 7200, paymentHash },
        ...{ paymentSecret: new Uint8Array(32).fill(2), description: 'Grüße' },
      },
      nodeKey,
    );

  test('says when it expires, in either case', () => {
    const invoice = invoiceOf('bc', new Uint8Array(32));
    const read = { invoice, expiresAt: createdAt.add({ hours: 2 }) };
    for (const text of [invoice, invoice.toUpperCase()]) {
      const found = validator.invoice('live:LIGHTNING', text);
      assert.deepEqual(
        [found?.invoice, String(found?.expiresAt)],
        [invoice, String(read.expiresAt)],
      );
    }
  });

  test('belongs to one environment', () => {
    for (const [prefix, chain] of [
      ['bc', 'live:LIGHTNING'],
      ['tbs', 'test:LIGHTNING'],
      ['tb', 'test:LIGHTNING'],
      ['bcrt', 'test:LIGHTNING'],
    ] as const) {
      const invoice = invoiceOf(prefix, new Uint8Array(32));
      const other = chain === 'live:LIGHTNING' ? 'test:LIGHTNING' : 'live:LIGHTNING';
      assert.equal(validator.invoice(chain, invoice)?.invoice, invoice);
      assert.equal(validator.invoice(other, invoice), undefined);
    }
  });

  test('is refused with one character changed, or without its end', () => {
    const isInvoice = (text: string) => validator.invoice('test:LIGHTNING', text) !== undefined;
    const start = 'lntbs699990n1'.length;
    proves(
      bytes(32).map((hash) => invoiceOf('tbs', hash)),
      BECH32,
      isInvoice,
      start,
    );
    const invoice = invoiceOf('tbs', new Uint8Array(32));
    for (let end = 0; end < invoice.length; end += 1) assert.ok(!isInvoice(invoice.slice(0, end)));
  });

  test('of the specification is accepted (BOLT 11, examples)', () => {
    const donation =
      'lnbc1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdpl2pkx2ctnv5sxxmmwwd5kgetjypeh2ursdae8g6twvus8g6rfwvs8qun0dfjkxaq9qrsgq357wnc5r2ueh7ck6q93dj32dlqnls087fxdwk8qakdyafkq3yap9us6v52vjjsrvywa6rt52cm9r9zqt8r2t7mlcwspyetp5h2tztugp9lfyql';
    assert.equal(
      String(validator.invoice('live:LIGHTNING', donation)?.expiresAt),
      '2017-06-01T11:57:38Z',
    );
  });

  test('with a right checksum but no signature of the node it names is refused', () => {
    const { prefix, words } = bech32.decode(
      invoiceOf('tbs', new Uint8Array(32)) as `${string}1${string}`,
      false,
    );
    const isInvoice = (changed: number[]) =>
      validator.invoice('test:LIGHTNING', bech32.encode(prefix, changed, false)) !== undefined;
    assert.ok(isInvoice(words));
    const [head, tail] = [words.slice(0, -104), words.slice(-104)];
    assert.ok(!isInvoice([...head, ...tail.map(() => 31)]));
    // A field n (19) that names another node: 33 bytes in 53 words.
    const other = secp256k1.getPublicKey(new Uint8Array(32).fill(9));
    const named = [19, 1, 21, ...bech32.toWords(other)];
    assert.ok(!isInvoice([...head, ...named, ...tail]));
  });
});
