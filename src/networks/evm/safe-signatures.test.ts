import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { Refusal } from '#base/refusal.ts';
import { joinSignatures, readOwnerSignatures } from './safe-signatures.ts';
import { safeTransactionHash, safeTypedData } from './safe-transaction.ts';

const keys = ['1a', '2b', '3c', '4d'].map((byte) =>
  privateKeyToAccount(`0x${byte.repeat(32)}` as Hex),
);
const [first, second, third, stranger] = keys as [K, K, K, K];
type K = (typeof keys)[number];
const addressOf = ({ address }: K) => address.toLowerCase();
const owners = [first, second, third].map(addressOf);

const call = { to: `0x${'ab'.repeat(20)}`, value: 5n, data: '0x' };
const turn = { safe: `0x${'cd'.repeat(20)}`, chainId: 1n, nonce: 3n };
const hash = safeTransactionHash(call, turn);
type TypedData = Parameters<K['signTypedData']>[0];
const typed = safeTypedData(call, turn) as unknown as TypedData;

const typedBy = (key: K) => key.signTypedData(typed);
const spokenBy = (key: K) => key.signMessage({ message: { raw: hash as Hex } });

/** The same with another last byte. */
function withV(signature: string, more: number): string {
  const v = Number.parseInt(signature.slice(-2), 16) + more;
  return `${signature.slice(0, -2)}${v.toString(16).padStart(2, '0')}`;
}

function refusal(text: string, known: readonly string[] = []): string {
  try {
    readOwnerSignatures(text, hash, { owners, known });
  } catch (error) {
    assert(error instanceof Refusal, String(error));
    assert.equal(error.code, 'signed_transaction_invalid');
    return error.details.join('; ');
  }
  return 'taken';
}

test('every way in which wallets sign it is known, and given to the contract as it reads it', async () => {
  const [typedOne, spoken] = [await typedBy(first), await spokenBy(first)];
  for (const [text, wanted] of [
    [typedOne, typedOne],
    [`  ${typedOne.toUpperCase().replace('0X', '')}\n`, typedOne],
    [withV(typedOne, -27), typedOne],
    [spoken, withV(spoken, 4)],
    [withV(spoken, 4), withV(spoken, 4)],
    [withV(spoken, -27), withV(spoken, 4)],
  ] as const) {
    assert.deepEqual(readOwnerSignatures(text, hash, { owners }), [
      { owner: addressOf(first), signature: wanted },
    ]);
  }
});

test('several are read from lines or from one text, and joined by owner', async () => {
  const signed = [await typedBy(third), await spokenBy(first), await typedBy(second)];
  const lines = readOwnerSignatures(signed.join('\n'), hash, { owners });
  const joined = `0x${signed.map((one) => one.slice(2)).join('')}`;
  assert.deepEqual(readOwnerSignatures(joined, hash, { owners }), lines);
  const sorted = [...lines].sort((one, other) => (one.owner < other.owner ? -1 : 1));
  const wanted = sorted.map(({ signature }) => signature.slice(2)).join('');
  assert.equal(joinSignatures(lines).toString('hex'), wanted);
});

test('whoever is no owner, signs twice or signs something else is refused with a sentence', async () => {
  const good = await typedBy(first);
  const other = safeTypedData(call, { ...turn, nonce: 4n }) as unknown as TypedData;
  const elsewhere = await first.signTypedData(other);
  const prevalidated = `0x${addressOf(first).slice(2).padStart(64, '0')}${'0'.repeat(64)}01`;
  const byContract = `0x${addressOf(first).slice(2).padStart(64, '0')}${'0'.repeat(62)}4100`;
  for (const [text, sentence, known] of [
    [await typedBy(stranger), new RegExp(`by ${addressOf(stranger)}, who is no owner`)],
    [elsewhere, /over something else/],
    [`${good}\n${good}`, /has signed it already/],
    [good, /has signed it already/, [addressOf(first)]],
    [`${good} ${await spokenBy(first)}`, /has signed it already/],
    [prevalidated, /over something else, or by/],
    [byContract, /over something else, or by/],
    [withV(good, 60), /no signature by a key/],
    [good.slice(0, -2), /0x and 130 digits each/],
    ['', /0x and 130 digits each/],
    ['hello', /0x and 130 digits each/],
    [`${good}\nhello`, /0x and 130 digits each/],
    ['1'.repeat(20_000), /0x and 130 digits each/],
  ] as const) {
    assert.match(refusal(text, known), sentence, text);
  }
});

test('no change of a signature makes it one of an owner', async () => {
  const good = await typedBy(first);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 511 }), (bit) => {
      const bytes = Buffer.from(good.slice(2), 'hex');
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      assert.notEqual(refusal(`0x${bytes.toString('hex')}`), 'taken');
    }),
    { numRuns: 60 },
  );
});
