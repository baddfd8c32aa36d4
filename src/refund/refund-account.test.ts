import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { Refusal } from '#base/refusal.ts';
import { pixKeyIn } from '#networks/bank/payment-codes.ts';
import { OTHER_IBAN, OUR_IBAN } from '#test/fakes/bank-statement.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import {
  type RefundDetails,
  readPixAccount,
  readSepaAccount,
  readSwiftAccount,
  refundAccount,
} from './refund-account.ts';

const now = Temporal.Instant.from('2026-01-01T00:00:00Z');
/** `ln<units>` ends in an hour, `old<units>` in a minute. */
const accounts = {
  address: (_: string, text: string) => text,
  invoice(_: string, text: string) {
    const [, kind, units] = /^(ln|old)(\d*)$/.exec(text) ?? [];
    if (kind === undefined) return undefined;
    const expiresAt = now.add({ minutes: kind === 'ln' ? 60 : 1 });
    return { invoice: text, expiresAt, units: units === '' ? undefined : BigInt(units ?? 0) };
  },
  lnurl: (text: string) => (text === 'lnurl1' ? text : undefined),
};
const clock = manualClock(String(now));
const IBAN = 'DE89370400440532013000';
const account = (network: string, details: RefundDetails, address = 'ours') =>
  refundAccount(
    { accounts, clock },
    { network, environment: 'live', address, units: 700n, ...details },
  );

for (const [network, details, expected] of [
  ['STELLAR', {}, { account: 'ours' }],
  ['STELLAR', { memo: '' }, { account: 'ours' }],
  ['STELLAR', { memo: 'a' }, { account: 'ours', memo: 'a', memoType: 'text' }],
  ['STELLAR', { memo: '7', memoType: 'id' }, { account: 'ours', memo: '7', memoType: 'id' }],
  ['XRP_LEDGER', { memo: '7', memoType: 'text' }, { account: 'ours', destinationTag: '7' }],
  ['XRP_LEDGER', { destinationTag: '0' }, { account: 'ours', destinationTag: '0' }],
  ['XRP_LEDGER', { memo: '7', destinationTag: '7' }, { account: 'ours', destinationTag: '7' }],
  ['LITECOIN', { memo: '', memoType: 'text' }, { address: 'ours' }],
] as const) {
  test(`on ${network} ${JSON.stringify(details)} is part of the receiver`, () => {
    assert.deepEqual(account(network, details), expected);
  });
}

for (const [address, expected] of [
  ['ana@example.com', { lightningAddress: 'ana@example.com' }],
  ['lightning:ana@example.com', { lightningAddress: 'ana@example.com' }],
  ['LIGHTNING:lnurl1', { lnurl: 'lnurl1' }],
  [' lightning:ln700', { invoice: 'ln700' }],
  ['ln699', 'the invoice is for 699 sat: make one for exactly 700 sat'],
  ['ln', 'the invoice is for no whole amount: make one for exactly 700 sat'],
  ['old700', 'the invoice ends too soon: make one that lasts an hour or longer'],
  ['ana', /is neither a lightning address/],
] as const) {
  test(`on LIGHTNING ${address} is ${typeof expected === 'object' && !(expected instanceof RegExp) ? 'taken' : 'refused'}`, () => {
    if (typeof expected === 'string' || expected instanceof RegExp) {
      const sentence = expected instanceof RegExp ? expected : new RegExp(`: ${expected}$`);
      assert.throws(() => account('LIGHTNING', {}, address), sentence);
    } else assert.deepEqual(account('LIGHTNING', {}, address), expected);
  });
}

test('a bank is told whose account it is, where that was said', () => {
  assert.deepEqual(account('SEPA', {}, IBAN), { iban: IBAN });
  assert.deepEqual(account('SEPA', { holder: ' Ana ' }, IBAN), { iban: IBAN, holder: 'Ana' });
});

for (const [network, details, sentence] of [
  ['STELLAR', { memo: 'x', memoType: 'id' }, 'memo: must be a whole number below 2^64'],
  ['STELLAR', { destinationTag: '7' }, 'destinationTag: there is none on Stellar'],
  ['STELLAR', { holder: 'Ana' }, 'holder: there is none on Stellar'],
  ['XRP_LEDGER', { memo: 'x' }, 'memo: a destination tag is a whole number from 0 to 4294967295'],
  ['XRP_LEDGER', { memo: '7', destinationTag: '8' }, 'memo: differs from destinationTag'],
  ['LITECOIN', { memo: '7' }, 'memo: there is none on Litecoin'],
  ['LIGHTNING', { memo: '7' }, 'memo: there is none on Lightning'],
  ['SEPA', { destinationTag: '7' }, 'destinationTag: there is none on SEPA'],
  ['SEPA', { holder: 'a'.repeat(141) }, 'holder: has more than 140 letters'],
] as const) {
  test(`on ${network} ${JSON.stringify(details).slice(0, 60)} is refused`, () => {
    const address = network === 'SEPA' ? IBAN : 'ours';
    assert.throws(
      () => account(network, details, address),
      (error) => error instanceof Refusal && error.details[0] === sentence,
    );
  });
}

/** The example of the manual of the Banco Central for a static code. */
const STATIC_CODE =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D';
const KEY = '123e4567-e12b-12d1-a456-426655440000';

describe('where a refund by bank goes', () => {
  test('SEPA: an IBAN of a SEPA country, in any spelling', () => {
    assert.deepEqual(readSepaAccount('fr14 2004 1010 0505 0001 3M02 606'), {
      account: { iban: OTHER_IBAN },
    });
    for (const text of ['', OTHER_IBAN.replace('FR14', 'FR15'), 'BR1800360305000010009795493C1']) {
      assert.ok('fault' in readSepaAccount(text), text);
    }
  });

  test('Pix: a key, or a code to copy that holds one', () => {
    for (const text of [KEY, STATIC_CODE, ` ${STATIC_CODE}\n`]) {
      assert.deepEqual(readPixAccount(text, pixKeyIn), { account: { pixKey: KEY } });
    }
    const wrong = STATIC_CODE.replace('1D3D', '1D3E');
    for (const text of ['', 'ann', wrong, STATIC_CODE.replace('a456', 'a457')]) {
      assert.ok('fault' in readPixAccount(text, pixKeyIn), text);
    }
  });

  test('Pix: a code with one sign changed is no code', () => {
    const position = fc.integer({ min: 0, max: STATIC_CODE.length - 1 });
    fc.assert(
      fc.property(position, fc.constantFrom(...'0123456789AZaz'), (at, sign) => {
        const changed = STATIC_CODE.slice(0, at) + sign + STATIC_CODE.slice(at + 1);
        // Hexadecimal digits of the check may be small letters.
        fc.pre(changed.toUpperCase() !== STATIC_CODE.toUpperCase());
        assert.equal(pixKeyIn(changed), undefined);
      }),
    );
  });

  test('SWIFT: account, BIC, holder and address in one line', () => {
    const rest = 'chasus33 ; Ann Example;1 Main Street, Springfield, US';
    const more = {
      bic: 'CHASUS33',
      holder: 'Ann Example',
      address: '1 Main Street, Springfield, US',
    };
    assert.deepEqual(readSwiftAccount(`1234 5678; ${rest}`), {
      account: { accountNumber: '12345678', ...more },
    });
    assert.deepEqual(readSwiftAccount(`${OUR_IBAN}; ${rest}`), {
      account: { iban: OUR_IBAN, ...more },
    });
  });

  const table: readonly (readonly [string, RegExp])[] = [
    ['12345678', /four parts/],
    ['12345678; CHASUS33; Ann', /four parts/],
    ['12345678; CHASUS33; Ann; Street; Town', /four parts/],
    ['12345678; CHASUS3; Ann; Street, Town, US', /not a BIC/],
    [`${OUR_IBAN.replace('DE89', 'DE88')}; CHASUS33; Ann; Street, Town, US`, /check digits/],
    ['12/34; CHASUS33; Ann; Street, Town, US', /1 to 34 letters/],
  ];
  for (const [text, expected] of table) {
    test(`SWIFT: ${text} is refused`, () => {
      const read = readSwiftAccount(text);
      assert.match('fault' in read ? read.fault : '', expected);
    });
  }
});
