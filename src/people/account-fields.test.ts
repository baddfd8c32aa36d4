import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { chainOf } from '#catalog/chain.ts';
import { listNetworks } from '#catalog/network.ts';
import { parseExactJson } from '#money/exact-json.ts';
import { accountValidator } from '#networks/families.ts';
import { ACCOUNT_FIELDS, readReceivingAccount } from './account-fields.ts';

const accounts = accountValidator(new Map());
const usableAt = Temporal.Instant.from('2026-11-21T10:00:00Z');
const networks = listNetworks().map(({ id }) => id);

function read(network: string, value: unknown) {
  const faults: string[] = [];
  const parsed = parseExactJson(JSON.stringify(value));
  assert.ok(parsed.ok);
  const context = { chain: chainOf('live', network), accounts, usableAt };
  return { account: readReceivingAccount(context, parsed.value, faults), faults };
}

const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
const ether = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const stellar = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';
const WHOLE: readonly (readonly [
  network: string,
  account: { readonly [field: string]: unknown },
])[] = [
  ['BITCOIN', { address: bitcoin.toUpperCase() }],
  ['LITECOIN', { address: '3CDJNfdWX8m2NwuGUV3nhXHXEeLygMXoAj' }],
  ['ETHEREUM', { address: ether }],
  ['LIGHTNING', { lightningAddress: 'ADA@example.com' }],
  ['STELLAR', { account: stellar, memo: 'order', memoType: 'text' }],
  ['XRP_LEDGER', { account: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', destinationTag: 7 }],
  ['SEPA', { iban: 'de89 3704 0044 0532 0130 00', bic: 'deutdeff', holder: 'Ada' }],
  ['SWIFT', { accountNumber: '12 34', bic: 'CHASUS33', holder: 'Ada', address: '1 Main St' }],
  ['PIX', { pixKey: '529.982.247-25', taxId: '529.982.247-25' }],
];

test('an account read again is the same account', () => {
  for (const [network, given] of WHOLE) {
    const { account, faults } = read(network, given);
    assert.deepEqual(faults, [], network);
    assert.deepEqual(Object.keys(account ?? {}).toSorted(), Object.keys(given).toSorted());
    assert.deepEqual(read(network, account), { account, faults: [] });
  }
});

test('what is not a field of the network is left out, and null is nothing', () => {
  const { account } = read('BITCOIN', { address: bitcoin, iban: 'x', holder: 5, memo: null });
  assert.deepEqual(account, { address: bitcoin });
  const bare = read('STELLAR', { account: stellar, memo: null, memoType: null });
  assert.deepEqual(bare, { account: { account: stellar }, faults: [] });
});

test('a field that is missing is named', () => {
  for (const [network, given] of WHOLE) {
    for (const field of Object.keys(given)) {
      const { [field]: _, ...rest } = given;
      const { account, faults } = read(network, rest);
      const isOptional =
        ['destinationTag'].includes(field) || (network === 'SEPA' && field === 'bic');
      assert.equal(account !== undefined, isOptional, `${network} ${field}`);
      if (!isOptional) assert.equal(faults.length, 1, `${network} ${field}: ${faults}`);
    }
  }
});

test('whatever is sent is either an account or has faults, each with its path', () => {
  const field = fc.constantFrom(...Object.keys(ACCOUNT_FIELDS));
  const known = WHOLE.flatMap(([, account]) => Object.values(account));
  const value = fc.oneof(fc.constantFrom(...known), fc.string(), fc.jsonValue({ maxDepth: 1 }));
  const account = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.dictionary(field, value));
  fc.assert(
    fc.property(fc.constantFrom(...networks), account, (network, given) => {
      fc.pre(parseExactJson(JSON.stringify(given)).ok);
      const { account: found, faults } = read(network, given);
      assert.equal(found === undefined, faults.length > 0);
      for (const fault of faults) assert.match(fault, /^beneficiary\.account(?:[.[].*)?: \S/su);
      for (const text of Object.values(found ?? {})) assert.equal(typeof text, 'string');
    }),
    { numRuns: 2000 },
  );
});
