import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bech32 } from '@scure/base';
import fc from 'fast-check';
import { decode } from 'light-bolt11-decoder';
import { readInvoice } from '#networks/read-invoice.ts';
import { encodeInvoice, type Invoice } from './bolt11.ts';

const nodeKey = new Uint8Array(32).fill(7);
const invoice: Invoice = {
  prefix: 'tbs',
  units: 69_999n,
  createdAt: Temporal.Instant.from('2026-01-01T00:00:00Z'),
  expirySeconds: 3600,
  paymentHash: new Uint8Array(32).fill(1),
  paymentSecret: new Uint8Array(32).fill(2),
  description: 'Checkout at Grüße & Co.',
};

function sectionsOf(text: string): Map<string, unknown> {
  return new Map(
    decode(text).sections.map((section) => [
      section.name,
      'value' in section ? section.value : undefined,
    ]),
  );
}

test('an invoice says hash, secret, amount, description and expiry', () => {
  const sections = sectionsOf(encodeInvoice(invoice, nodeKey));
  assert.equal(sections.get('amount'), '69999000');
  assert.equal(sections.get('timestamp'), 1_767_225_600);
  assert.equal(sections.get('payment_hash'), '01'.repeat(32));
  assert.equal(sections.get('payment_secret'), '02'.repeat(32));
  assert.equal(sections.get('description'), invoice.description);
  assert.equal(sections.get('expiry'), 3600);
});

test('the hash of a description takes the place of the description', () => {
  const descriptionHash = 'ab'.repeat(32);
  const text = encodeInvoice({ ...invoice, descriptionHash }, nodeKey);
  const sections = sectionsOf(text);
  assert.equal(sections.get('description_hash'), descriptionHash);
  assert.equal(sections.has('description'), false);
  assert.equal(readInvoice(text)?.descriptionHash, descriptionHash);
  assert.equal(readInvoice(encodeInvoice(invoice, nodeKey))?.descriptionHash, undefined);
});

test('every amount is read back exactly', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 2_100_000_000_000_000n }), (units) => {
      const sections = sectionsOf(encodeInvoice({ ...invoice, units }, nodeKey));
      assert.equal(sections.get('amount'), String(units * 1000n));
    }),
    { numRuns: 50 },
  );
});

test('the shortest multiplier is used', () => {
  const prefixes = [
    [100_000_000n, 'lntbs11'],
    [2_500_000n, 'lntbs25m1'],
    [1_200n, 'lntbs12u1'],
    [1n, 'lntbs10n1'],
  ] as const;
  for (const [units, start] of prefixes) {
    assert.ok(encodeInvoice({ ...invoice, units }, nodeKey).startsWith(start));
  }
});

test('the signature is that of the node over the invoice', () => {
  const text = encodeInvoice(invoice, nodeKey);
  const { prefix, words } = bech32.decode(text as `${string}1${string}`, false);
  const bits = words
    .slice(0, -104)
    .map((word) => word.toString(2).padStart(5, '0'))
    .join('');
  const bytes = (bits.match(/.{1,8}/g) ?? []).map((byte) =>
    Number.parseInt(byte.padEnd(8, '0'), 2),
  );
  const message = sha256(Uint8Array.of(...Buffer.from(prefix), ...bytes));
  const signature = bech32.fromWords(words.slice(-104));
  const recovered = Uint8Array.of(signature[64] ?? 0, ...signature.subarray(0, 64));
  assert.deepEqual(
    secp256k1.recoverPublicKey(recovered, message, { prehash: false }),
    secp256k1.getPublicKey(nodeKey),
  );
});

test('the same invoice is written for the same input', () => {
  assert.equal(encodeInvoice(invoice, nodeKey), encodeInvoice({ ...invoice }, nodeKey));
});

/** The same invoice with another amount in its prefix, signed anew. */
function withAmount(amount: string): string {
  const { words } = bech32.decode(encodeInvoice(invoice, nodeKey) as `${string}1${string}`, false);
  const signed = words.slice(0, -104);
  const prefix = `lntbs${amount}`;
  const bits = signed.map((word) => word.toString(2).padStart(5, '0')).join('');
  const bytes = Array.from({ length: Math.ceil(bits.length / 8) }, (_, at) =>
    Number.parseInt(bits.slice(at * 8, at * 8 + 8).padEnd(8, '0'), 2),
  );
  const message = sha256(Uint8Array.of(...new TextEncoder().encode(prefix), ...bytes));
  const [recovery = 0, ...compact] = secp256k1.sign(message, nodeKey, {
    prehash: false,
    format: 'recovered',
  });
  const signature = bech32.toWords(Uint8Array.of(...compact, recovery));
  return bech32.encode(prefix, [...signed, ...signature], false);
}

test('tenths of a millisatoshi are no invoice: with the multiplier p the last digit is 0 (BOLT 11)', () => {
  assert.equal(readInvoice(withAmount('2500u'))?.millisatoshis, 250_000_000n);
  assert.equal(readInvoice(withAmount('9678785340p'))?.millisatoshis, 967_878_534n);
  for (const digit of '123456789') {
    assert.equal(readInvoice(withAmount(`967878534${digit}p`)), undefined, digit);
  }
});
