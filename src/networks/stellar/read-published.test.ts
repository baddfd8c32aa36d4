// Answers as the real Horizon published them (stellar/stellar-docs, openapi/components/examples), and
// anything else: what cannot be read is a lie, never a crash and never a guess.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { type Fields, NodeLie } from '#networks/answer-fields.ts';
import { requireUnits } from './horizon-fields.ts';
import { readAccount } from './read-account.ts';
import { readEffect } from './read-effect.ts';
import { readLedger } from './read-ledger.ts';
import { readOperation } from './read-operation.ts';
import { readTransaction } from './read-transaction.ts';
import { STELLAR_CHAINS } from './stellar-chain.ts';

const { networkId } = STELLAR_CHAINS.main;

/** responses/Ledgers/RetrieveALedger.yml */
const ledger: Fields = {
  id: 'e1218a337cecda05526fba902c61d3d7130baa58d8db41f544bf563f779b6329',
  paging_token: '116595189421703168',
  hash: 'e1218a337cecda05526fba902c61d3d7130baa58d8db41f544bf563f779b6329',
  prev_hash: '9eac16fecd885147067b58b7684f60d216f931b813f651265bbc97de4cea313d',
  sequence: 27146933,
  closed_at: '2019-12-06T22:39:32Z',
  header_xdr:
    'AAAADJ6sFv7NiFFHBntYt2hPYNIW+TG4E/ZRJlu8l95M6jE9bsvzId+Gtul2mNMW4UZQ+KqSb/nbN8F1CTxAfQsyUy8AAAAA' +
    'XerYpAAAAAAAAAAAXQNpS8daKGZUeY5quYUcIiJZBMB7LiLsZJsEx9qw79fx99Bu/lk+sIePNUNcuOC2euthzfhLuWJ1nZBu' +
    'oQFDjgGeOrUOoh6z7HlbYQAAEG/dvCadAAABFgAAAAAIOwAqAAAAZABMS0AAAAPooSNtHXJNJKKWlBtgkAM1LBxzlzYjIlS0' +
    'xwpjP+uCi76fQj59wgTy0+xtx7O1qTb+W6zcI2zWZnrUU/8v8RZHFBfoo20QYKh95+wWr348yZAexZpdrjhyCxbChxlVTZOX' +
    '6nZfIgcYBMnZRkOTCLdPO76yeqpDhqu9KrPe3YPTO3wAAAAA',
};

/** responses/Transactions/RetrieveATransaction.yml */
const transaction: Fields = {
  paging_token: '120103542047408128',
  successful: true,
  hash: '5ebd5c0af4385500b53dd63b0ef5f6e8feef1a7e1c86989be3cdcce825f3c0cc',
  ledger: 27963785,
  envelope_xdr:
    'AAAAANHSK4drAnSmBn7NS8EoQ49NCS7awBfYfrYk9OX9a/35AAAAZADnFxwAAALHAAAAAAAAAAAAAAABAAAAAQAAAADR0iuH' +
    'awJ0pgZ+zUvBKEOPTQku2sAX2H62JPTl/Wv9+QAAAAEAAAAA+qpaPAsU/CGcSeS4KnvqE9y+Bcjhyr1l6jiwixRsvu8AAAAB' +
    'TkdOVAAAAAAs4YIuYne69wMuNtfiZ64gb7E3qnTR7A4yD4jZDSS8AQAAAdGpSiAAAAAAAAAAAAH9a/35AAAAQM5LSBiFRQKt' +
    'FYRPpNabwVuvIhZSVRDaajf0KzYaqJmgaXAlFaTOYyYc11YuxUM1Fzl1VT4UEbI22BvO/8HzUgQ=',
  result_xdr: 'AAAAAAAAAGQAAAAAAAAAAQAAAAAAAAABAAAAAAAAAAA=',
};

const account = 'GCNL55IJTH2HX26HLNIGYD2JIQLTBAQL3SVPNZA6PXK7NAVHU423WOTE';

test('a published ledger has the hash of its header', () => {
  assert.deepEqual(readLedger(ledger), {
    height: 27146933n,
    hash: ledger.hash,
    parentHash: ledger.prev_hash,
    minedAt: Temporal.Instant.from('2019-12-06T22:39:32Z'),
  });
});

test('a published transaction has the hash of its envelope on the public network', () => {
  const read = readTransaction(transaction, 27963785n, networkId);
  assert.equal(read.hash, transaction.hash);
  assert.deepEqual(read.memo, { kind: 'none' });
  assert.deepEqual(read.deliveryAt(0), {
    destination: 'GD5KUWR4BMKPYIM4JHSLQKT35IJ5ZPQFZDQ4VPLF5I4LBCYUNS7O7UZQ',
    muxedId: undefined,
    source: 'GDI5EK4HNMBHJJQGP3GUXQJIIOHU2CJO3LABPWD6WYSPJZP5NP67TMNN',
    assetId: 'NGNT:GAWODAROMJ33V5YDFY3NPYTHVYQG7MJXVJ2ND3AOGIHYRWINES6ACCPD',
    units: 2_000_000_000_000n,
  });
});

test('under the passphrase of another network it has another hash', () => {
  const other = STELLAR_CHAINS.test.networkId;
  assert.throws(() => readTransaction(transaction, 27963785n, other), NodeLie);
});

test('published effects say what moved', () => {
  const credited = {
    id: '0110694007436259330-0000000002',
    paging_token: '110694007436259330-2',
    account,
    type: 'account_credited',
    asset_type: 'native',
    amount: '355.2904739',
  };
  assert.deepEqual(readEffect(credited, account), {
    operationId: 110694007436259330n,
    ledger: 25772957n,
    order: 2n,
    kind: 'credit',
    changes: [{ assetId: 'XLM:NATIVE', units: 3_552_904_739n }],
  });
  const traded = {
    id: '0119399833130811394-0000000001',
    paging_token: '119399833130811394-1',
    account,
    type: 'trade',
    sold_amount: '539.0320108',
    sold_asset_type: 'native',
    bought_amount: '32.8490620',
    bought_asset_type: 'credit_alphanum4',
    bought_asset_code: 'USD',
    bought_asset_issuer: 'GDUKMGUGDZQK6YHYA5Z6AY2G4XDSZPSZ3SW5UN3ARVMO6QSRDWP5YLEX',
  };
  assert.deepEqual(
    readEffect(traded, account).changes.map(({ units }) => units),
    [-5_390_320_108n, 328_490_620n],
  );
});

test('any one character that differs in a ledger or an envelope is noticed', () => {
  const places = fc.nat({ max: 10_000 });
  fc.assert(
    fc.property(
      places,
      fc.constantFrom('header_xdr', 'hash', 'prev_hash', 'closed_at'),
      (at, name) => {
        assert.throws(() => readLedger({ ...ledger, [name]: changeAt(ledger[name], at) }), NodeLie);
      },
    ),
  );
  const unsigned = 260;
  fc.assert(
    fc.property(places, (at) => {
      // What follows are the signatures, which are in no hash.
      const changed = changeAt(transaction.envelope_xdr, at % unsigned);
      const lie = { ...transaction, envelope_xdr: changed };
      assert.throws(() => readTransaction(lie, 27963785n, networkId), NodeLie);
    }),
  );
});

test('whatever comes, readers read it or call it a lie', () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  const fields = fc.dictionary(
    fc.constantFrom(
      'id',
      'paging_token',
      'type',
      'amount',
      'transaction',
      'account_id',
      'balances',
    ),
    json,
  );
  fc.assert(
    fc.property(fields, (record) => {
      for (const read of [
        () => readLedger(record),
        () => readEffect(record, account),
        () => readAccount(record, account),
        () => readOperation(record, account, networkId),
        () => readTransaction(record, 1n, networkId),
      ]) {
        assert.throws(read, NodeLie);
      }
    }),
  );
});

test('amounts are exact to the last of their seven digits', () => {
  const units = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
  fc.assert(
    fc.property(units, (given) => {
      const digits = given.toString().padStart(8, '0');
      const text = `${digits.slice(0, -7)}.${digits.slice(-7)}`;
      assert.equal(requireUnits({ amount: text }, 'amount'), given);
    }),
  );
  for (const amount of ['1', '1.0', '-1.0000000', '01.0000000', '1e7', '1.00000000', '', 1, null]) {
    assert.throws(() => requireUnits({ amount }, 'amount'), NodeLie, String(amount));
  }
  const tooMuch = '922337203685.4775808';
  assert.throws(() => requireUnits({ amount: tooMuch }, 'amount'), NodeLie);
});

function changeAt(value: unknown, at: number): string {
  const text = String(value);
  const index = at % text.length;
  const other = text[index] === 'B' ? 'C' : 'B';
  return text.slice(0, index) + other + text.slice(index + 1);
}
