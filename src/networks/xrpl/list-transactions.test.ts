// Each check of a listing alone: the rest of the answer is as it should be, and the sentence is of that check.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Outage } from '#base/refusal.ts';
import { fakeXrpl, type Json, seededXrplKey } from '#test/fakes/xrpl-ledger.ts';
import { shown } from '#test/fakes/xrpl-server.ts';
import { type ListedRange, listChanges, listSigned } from './list-transactions.ts';
import { accountRootIndex, classicAccountId } from './xrpl-address.ts';

const now = Temporal.Instant.from('2026-01-01T12:00:00Z');
const [shop, customer] = [seededXrplKey(1), seededXrplKey(2)];
const account = shop.address;
const xrpl = fakeXrpl(() => now);
xrpl.addAccount(shop);
xrpl.addAccount(customer);
xrpl.close();
const from = BigInt(xrpl.ledgers.length + 100_000_000);
for (const drops of [5n, 6n, 7n]) {
  xrpl.pay({ from: customer, to: account, drops, tag: drops });
  xrpl.close();
}
const upTo = from + 2n;
const accountId = classicAccountId(account);
assert(accountId !== undefined);

function records(isBinary: boolean): Json[] {
  return xrpl.ledgers
    .filter(({ index }) => BigInt(index) >= from)
    .flatMap((ledger) => ledger.transactions.map((one) => shown(ledger, one, isBinary)));
}

/** As a server would, changed; `absent` is its answer for an account that never was. */
function rangeOf(change: (answer: Json, question: Json) => Json | undefined): ListedRange {
  return {
    account,
    rootIndex: accountRootIndex(accountId ?? Buffer.alloc(0)),
    what: 'live:XRP_LEDGER',
    from,
    upTo,
    server: {
      host: 'server.example',
      onLedger: () => undefined,
      close: () => undefined,
      async ask(_, question = {}) {
        const { ledger_index_min, ledger_index_max, binary } = question;
        const answer = {
          account,
          ledger_index_min,
          ledger_index_max,
          transactions: records(binary === true),
        };
        return change(answer, question);
      },
    },
  };
}

const listOf = ({ transactions }: Json): Json[] => transactions as Json[];
const first = (answer: Json, change: (record: Json) => Json): Json => {
  const [one, ...others] = listOf(answer);
  return { ...answer, transactions: [change(one ?? {}), ...others] };
};

test('an honest listing is read, in order, in both forms', async () => {
  const range = rangeOf((answer) => answer);
  const changes = await listChanges(range);
  assert.deepEqual(
    changes.map(({ ledger }) => ledger),
    [from, from + 1n, upTo],
  );
  const signed = await listSigned(range);
  assert.deepEqual([...signed.keys()].sort(), changes.map(({ hash }) => hash).sort());
});

test('transactions of one ledger come in the order they have in it', async () => {
  const busy = fakeXrpl(() => now);
  busy.addAccount(shop);
  busy.addAccount(customer);
  for (const drops of [5n, 6n]) busy.pay({ from: customer, to: account, drops });
  const ledger = busy.close();
  const transactions = ledger.transactions.map((one) => shown(ledger, one, false)).toReversed();
  const range = rangeOf((answer) => ({ ...answer, transactions }));
  const index = BigInt(ledger.index);
  const changes = await listChanges({ ...range, from: index, upTo: index });
  assert.deepEqual(
    changes.map(({ order }) => order),
    [0, 1],
  );
});

test('of an account that never was nothing is listed', async () => {
  assert.deepEqual(await listChanges(rangeOf(() => undefined)), []);
});

type Lie = readonly [name: string, change: (answer: Json) => Json, sentence: RegExp];

const RANGE_LIES: readonly Lie[] = [
  [
    'of another account',
    (answer) => ({ ...answer, account: customer.address }),
    /a listing is of another account/,
  ],
  [
    'from a later ledger than was asked for',
    (answer) => ({ ...answer, ledger_index_min: Number(from) + 1 }),
    /does not cover what was asked for/,
  ],
  [
    'from an earlier ledger than was asked for',
    (answer) => ({ ...answer, ledger_index_min: Number(from) - 1 }),
    /does not cover what was asked for/,
  ],
  [
    'up to an earlier ledger than was asked for',
    (answer) => ({ ...answer, ledger_index_max: Number(upTo) - 1 }),
    /does not cover what was asked for/,
  ],
  [
    'up to a later ledger than was asked for',
    (answer) => ({ ...answer, ledger_index_max: Number(upTo) + 1 }),
    /does not cover what was asked for/,
  ],
  ['without a range', ({ ledger_index_min: _, ...answer }) => answer, /ledger_index_min is no/],
  ['that is no list', (answer) => ({ ...answer, transactions: {} }), /transactions is no list/],
  [
    'with something else in it',
    (answer) => ({ ...answer, transactions: [...listOf(answer), 'x'] }),
    /a transaction is no object/,
  ],
  [
    'of a ledger before the range',
    (answer) => first(answer, (one) => ({ ...one, ledger_index: Number(from) - 1 })),
    /was not asked for/,
  ],
  [
    'of a ledger after the range',
    (answer) => first(answer, (one) => ({ ...one, ledger_index: Number(upTo) + 1 })),
    /was not asked for/,
  ],
  [
    'with a transaction that is not validated',
    (answer) => first(answer, (one) => ({ ...one, validated: false })),
    /a transaction is not validated/,
  ],
  [
    'with a marker that is a number',
    (answer) => ({ ...answer, marker: 7 }),
    /a marker is malformed/,
  ],
  [
    'with a marker without end',
    (answer) => ({ ...answer, marker: 'x'.repeat(2_000) }),
    /a marker is malformed/,
  ],
];

for (const [name, change, sentence] of RANGE_LIES) {
  for (const [form, list] of [
    ['JSON', listChanges],
    ['hex', listSigned],
  ] as const) {
    test(`a listing in ${form} ${name} is a lie`, async () => {
      await assert.rejects(list(rangeOf(change)), sentence);
    });
  }
}

const CHANGE_LIES: readonly Lie[] = [
  [
    'lists one transaction twice',
    (answer) => ({ ...answer, transactions: [...listOf(answer), ...listOf(answer).slice(0, 1)] }),
    /a transaction is listed twice/,
  ],
  [
    'lists one transaction in two ledgers',
    (answer) => {
      const [one] = listOf(answer);
      const moved = { ...one, ledger_index: Number(upTo) };
      return { ...answer, transactions: [...listOf(answer), moved] };
    },
    /a transaction is listed twice/,
  ],
];

for (const [name, change, sentence] of CHANGE_LIES) {
  test(`a server that ${name} lies`, async () => {
    await assert.rejects(listChanges(rangeOf(change)), sentence);
  });
}

test('the same transaction on two pages is listed twice', async () => {
  const range = rangeOf((answer, question) =>
    question.marker === undefined ? { ...answer, marker: 'next' } : answer,
  );
  await assert.rejects(listChanges(range), /a transaction is listed twice/);
});

test('a marker goes back as it came, and the pages make one listing', async () => {
  const markers: unknown[] = [];
  const range = rangeOf((answer, { marker }) => {
    markers.push(marker);
    const page = marker === undefined ? 0 : Number((marker as Json).page);
    const transactions = listOf(answer).slice(page, page + 1);
    return { ...answer, transactions, ...(page < 2 ? { marker: { page: page + 1 } } : {}) };
  });
  assert.equal((await listChanges(range)).length, 3);
  assert.deepEqual(markers, [undefined, { page: 1 }, { page: 2 }]);
});

test('pages that never end are an outage', async () => {
  const range = rangeOf((answer) => ({ ...answer, transactions: [], marker: 'next' }));
  await assert.rejects(listChanges(range), (error) => {
    return error instanceof Outage && /more than 100000 transactions/.test(String(error));
  });
});

const HEX_LIES: readonly Lie[] = [
  [
    'no hex',
    (answer) => first(answer, (one) => ({ ...one, tx_blob: `${String(one.tx_blob)}zz` })),
    /tx_blob is not in hex/,
  ],
  [
    'nothing',
    (answer) => first(answer, (one) => ({ ...one, tx_blob: '' })),
    /tx_blob is not in hex/,
  ],
  [
    'metadata that is no hex',
    (answer) => first(answer, (one) => ({ ...one, meta_blob: `${String(one.meta_blob)}0` })),
    /meta_blob is not in hex/,
  ],
  [
    'a transaction of nobody',
    (answer) => first(answer, (one) => ({ ...one, tx_blob: one.meta_blob })),
    /a transaction is from nobody/,
  ],
];

for (const [name, change, sentence] of HEX_LIES) {
  test(`a listing of what was signed with ${name} is a lie`, async () => {
    await assert.rejects(listSigned(rangeOf(change)), sentence);
  });
}

test('a transaction is known by the hash of what was signed, not by what it is called', async () => {
  const range = rangeOf((answer) => first(answer, (one) => ({ ...one, hash: 'AB'.repeat(32) })));
  assert(!(await listSigned(range)).has('AB'.repeat(32)));
});
