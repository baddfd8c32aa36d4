import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '#base/refusal.ts';
import type { KnownEntry, NewEntry, OpenEntry } from './bank-log.ts';
import { bookedUnits, decideEntries, type EntryDecision } from './decide-entries.ts';
import type { Debit } from './read-departures.ts';
import type { BankEntry, BankTransaction } from './read-entry.ts';
import type { BankStatement } from './read-statement.ts';

const DAY = Temporal.PlainDate.from('2026-02-03');

function transaction(changes: Partial<BankTransaction> = {}): BankTransaction {
  return {
    units: 500n,
    reference: 'RF18',
    endToEndId: 'E-1',
    servicerReference: undefined,
    isReturn: false,
    ...changes,
  };
}

/** A credit of 5 EUR with the bank's reference and its details. */
function entry(changes: Partial<BankEntry> = {}): BankEntry {
  const { units = 500n } = changes;
  return {
    units,
    currency: 'EUR',
    side: 'CRDT',
    isReversal: false,
    status: 'BOOK',
    bookedOn: DAY,
    servicerReference: 'B-1',
    hasDetails: true,
    unusual: undefined,
    transactions: [transaction({ units })],
    ...changes,
  };
}

function debit(changes: Partial<Debit> = {}): Debit {
  return {
    kind: 'PAYMENT',
    entry: 0,
    position: 0,
    account: 'DE1',
    currency: 'EUR',
    units: 500n,
    chargeUnits: 0n,
    endToEndId: 'OUT-1',
    transferId: 'transfer1',
    entryReference: 'B-1',
    bookedOn: DAY,
    valueOn: DAY,
    counterparty: { account: 'DE2', name: 'Ada' },
    text: '',
    reason: undefined,
    unusual: undefined,
    ...changes,
  };
}

function statement(
  entries: readonly BankEntry[],
  changes: Partial<BankStatement> = {},
): BankStatement {
  return {
    kind: 'STATEMENT',
    id: 'S-1',
    sequence: 1n,
    account: 'DE1',
    currency: 'EUR',
    balances: undefined,
    entries,
    departures: [],
    ...changes,
  };
}

type Log = {
  height?: bigint;
  known?: readonly KnownEntry[];
  credits?: readonly OpenEntry[];
  reversals?: readonly OpenEntry[];
};

function decide(of: BankStatement, log: Log = {}): EntryDecision {
  return decideEntries(of, { height: 10n, known: [], credits: [], reversals: [], ...log });
}

/** The rows of each statement, after all that came before it. */
function inTurn(...statements: readonly BankStatement[]): (readonly NewEntry[])[] {
  const log: NewEntry[] = [];
  return statements.map((one) => {
    const { rows } = decide(one, { height: BigInt(log.length), known: [...log] });
    log.push(...rows);
    return rows;
  });
}

const countsIn = (...statements: readonly BankStatement[]) =>
  inTurn(...statements).map((rows) => rows.length);
const keysOf = (rows: readonly NewEntry[]) => rows.map(({ creditKey }) => creditKey);

test('a booking is a row with all that names it, after those of the log', () => {
  const { rows, ...counts } = decide(statement([entry(), entry({ servicerReference: 'B-2' })]));
  const [first, second] = rows;
  const { details, ...row } = first ?? {};
  assert.match(String(details), /^[0-9a-f]{64}$/);
  assert.deepEqual(row, {
    height: 11n,
    kind: 'CREDIT',
    currency: 'EUR',
    units: 500n,
    reference: 'RF18',
    endToEndId: 'E-1',
    remark: undefined,
    receiver: undefined,
    transferId: undefined,
    chargeUnits: 0n,
    creditKey: 'DE1 EUR CRDT B-1 1',
    transaction: 'B-1',
    entryKey: 'DE1 EUR CRDT B-1',
    entryReference: 'B-1',
    entryUnits: 500n,
    fingerprint: 'DE1 EUR CRDT 2026-02-03 500',
  });
  assert.deepEqual([second?.height, second?.transaction], [12n, 'B-2']);
  const none = { knownCount: 0, pendingCount: 0, heldCount: 0, foreignCount: 0 };
  assert.deepEqual(counts, { undone: [], ...none });
});

test('what is not booked yet and what is no money of ours are counted, and no rows', () => {
  const pending = decide(statement([entry({ status: 'PDNG' }), entry()]));
  assert.deepEqual([pending.rows.length, pending.pendingCount], [1, 1]);
  const foreign = decide(statement([entry({ currency: 'XTS' }), entry()]));
  assert.deepEqual([foreign.rows.length, foreign.foreignCount], [1, 1]);
  assert.deepEqual(keysOf(foreign.rows), ['DE1 EUR CRDT B-1 1']);
});

test('each transaction of a batch is a row, and one of nothing is none', () => {
  const transactions = [
    transaction({ units: 200n, servicerReference: 'T-1' }),
    transaction({ units: 0n }),
    transaction({ units: 300n, reference: undefined }),
  ];
  const { rows } = decide(statement([entry({ transactions })]));
  assert.deepEqual(
    rows.map((row) => [row.height, row.units, row.transaction, row.creditKey, row.reference]),
    [
      [11n, 200n, 'T-1', 'DE1 EUR CRDT B-1 1', 'RF18'],
      [12n, 300n, 'B-1', 'DE1 EUR CRDT B-1 3', undefined],
    ],
  );
});

test('a transaction is named by the bank, else by the booking, else by its payer, else by us', () => {
  const bare = { servicerReference: undefined };
  const nameOf = (one: BankEntry) => decide(statement([one])).rows[0]?.transaction;
  const named = [transaction({ servicerReference: 'T-1' })];
  assert.equal(nameOf(entry({ transactions: named })), 'T-1');
  assert.equal(nameOf(entry()), 'B-1');
  assert.equal(nameOf(entry(bare)), 'E-1');
  const nobody = entry({ ...bare, transactions: [transaction({ endToEndId: undefined })] });
  const [row] = decide(statement([nobody])).rows;
  assert.equal(row?.transaction, row?.creditKey);
  assert.match(String(row?.creditKey), /^DE1 EUR CRDT 2026-02-03 500 #[0-9a-f]{16}\.1 1$/);
});

test('the same booking is taken once: by the reference of the bank', () => {
  const once = statement([entry()]);
  assert.deepEqual(countsIn(once, once, statement([entry(), entry()])), [1, 0, 0]);
  assert.equal(decide(once, { known: decide(once).rows }).knownCount, 1);
  const [[row] = []] = inTurn(once);
  const other = (changes: Partial<BankEntry>) =>
    decide(statement([entry(changes)]), { known: [row!] });
  assert.equal(other({ servicerReference: 'B-2' }).rows.length, 1);
  assert.equal(other({ side: 'DBIT', isReversal: true }).rows.length, 1);
  assert.equal(other({ bookedOn: undefined }).rows.length, 0);
  assert.equal(decide(statement([entry()], { account: 'DE9' }), { known: [row!] }).rows.length, 1);
  const twice = decide(statement([entry(), entry()]));
  assert.deepEqual([twice.rows.length, twice.knownCount], [1, 1]);
});

test('a reference of the bank that means another amount now refuses the whole statement', () => {
  const [known = []] = inTurn(statement([entry()]));
  const act = () => decide(statement([entry({ units: 501n })]), { known });
  assert.throws(act, (error) => {
    assert(error instanceof Refusal);
    assert.deepEqual([error.kind, error.code], ['conflict', 'bank_entry']);
    assert.match(error.message, /reference B-1 was another amount before/);
    return true;
  });
});

const bare = (changes: Partial<BankEntry> = {}) =>
  entry({ servicerReference: undefined, ...changes });

test('without a reference a booking is the same as often as one statement has it', () => {
  const one = statement([bare()]);
  const two = statement([bare(), bare()]);
  assert.deepEqual(countsIn(one, one), [1, 0]);
  assert.deepEqual(countsIn(one, two, two), [1, 1, 0]);
  assert.deepEqual(countsIn(two, one), [2, 0]);
  const three = inTurn(statement([bare(), bare(), bare()])).flat();
  assert.deepEqual(
    three.map(({ entryKey }) => entryKey.slice(-2)),
    ['.1', '.2', '.3'],
  );
  assert.deepEqual(
    keysOf(inTurn(two)[0] ?? []).map((key) => key.slice(-4)),
    ['.1 1', '.2 1'],
  );
  for (const other of [
    bare({ units: 501n }),
    bare({ bookedOn: DAY.add({ days: 1 }) }),
    bare({ bookedOn: undefined }),
    bare({ transactions: [transaction({ reference: 'RF19' })] }),
    bare({ transactions: [transaction({ endToEndId: 'E-2' })] }),
    bare({ transactions: [transaction({ units: 200n }), transaction({ units: 300n })] }),
  ]) {
    assert.deepEqual(countsIn(one, statement([other])).slice(0, 1), [1]);
    assert(inTurn(one, statement([other]))[1]?.length !== 0);
  }
});

test('the order of transactions in a batch says nothing, nor does free text', () => {
  const [a, b] = [transaction({ units: 200n }), transaction({ units: 300n })];
  const batch = (transactions: readonly BankTransaction[]) => statement([bare({ transactions })]);
  assert.deepEqual(countsIn(batch([a, b]), batch([b, a])), [2, 0]);
  const told = bare({ transactions: [transaction({ servicerReference: 'later' })] });
  assert.deepEqual(countsIn(statement([bare()]), statement([told])), [1, 0]);
});

test('where only one of the two has a reference, or details, they are the same booking', () => {
  const named = statement([entry()]);
  const sum = statement([bare({ hasDetails: false, transactions: [transaction()] })]);
  assert.deepEqual(countsIn(named, statement([bare()])), [1, 0]);
  assert.deepEqual(countsIn(statement([bare()]), named), [1, 0]);
  assert.deepEqual(countsIn(sum, statement([bare()])), [1, 0]);
  assert.deepEqual(countsIn(statement([bare()]), sum), [1, 0]);
  assert.deepEqual(countsIn(named, statement([entry({ servicerReference: 'B-2' })])), [1, 1]);
  assert.match(inTurn(sum)[0]?.[0]?.entryKey ?? '', / #\.1$/);
});

test('one with the same details is preferred to one that is known by its sum only', () => {
  const sum = bare({ hasDetails: false, transactions: [transaction()] });
  const other = bare({ transactions: [transaction({ reference: 'RF99' })] });
  // The sum could be either; the one with details takes its own, and leaves the sum for the other.
  const log = inTurn(statement([sum, bare()])).flat();
  assert.deepEqual(decide(statement([bare(), other]), { known: log }).rows.length, 0);
  assert.deepEqual(decide(statement([other, bare()]), { known: log }).rows.length, 0);
});

test('a statement that does not add up holds back what has no reference of the bank', () => {
  const with_ = (closingUnits: bigint, entries: readonly BankEntry[]) =>
    statement(entries, {
      balances: { openingUnits: 1_000n, closingUnits, closingOn: DAY } as never,
    });
  const both = [bare(), entry({ units: 700n })];
  assert.deepEqual(decide(with_(2_200n, both)).rows.length, 2);
  const held = decide(with_(2_201n, both));
  assert.deepEqual([held.heldCount, keysOf(held.rows)], [1, ['DE1 EUR CRDT B-1 1']]);
  // What is known is no news in either case.
  const known = decide(with_(2_200n, both)).rows;
  assert.deepEqual(decide(with_(2_201n, both), { known }).heldCount, 0);
});

test('what is booked: credits less debits, in the currency of the statement', () => {
  const entries = [
    entry(),
    entry({ side: 'DBIT', units: 120n }),
    entry({ status: 'PDNG', units: 9n }),
    entry({ currency: 'USD', units: 8n }),
  ];
  assert.equal(bookedUnits(statement(entries)), 380n);
  assert.equal(bookedUnits(statement([])), 0n);
});

test('a debit is what was read of it: payments, and charges as one amount', () => {
  const booked = entry({ side: 'DBIT', transactions: [transaction()] });
  const departures = [
    debit({ units: 480n, chargeUnits: 20n }),
    debit({ kind: 'CHARGE', position: 1, units: 3n, chargeUnits: 2n, unusual: 'two at once' }),
    debit({ entry: 1, units: 1n }),
  ];
  const { rows } = decide(statement([booked], { departures }));
  const [payment, charge, ...more] = rows;
  assert.deepEqual(more, []);
  const { details: _, entryKey, fingerprint, ...paid } = payment ?? {};
  assert.equal(entryKey, 'DE1 EUR DBIT B-1 500');
  assert.equal(fingerprint, 'DE1 EUR DBIT 2026-02-03 500');
  assert.deepEqual(paid, {
    height: 11n,
    kind: 'PAYMENT',
    currency: 'EUR',
    units: 480n,
    chargeUnits: 20n,
    transferId: 'transfer1',
    receiver: 'DE2',
    reference: undefined,
    endToEndId: 'OUT-1',
    remark: undefined,
    creditKey: 'DE1 EUR DBIT B-1 500 1',
    transaction: 'B-1',
    entryReference: 'B-1',
    entryUnits: 500n,
  });
  assert.deepEqual(
    [charge?.kind, charge?.units, charge?.chargeUnits, charge?.transferId, charge?.receiver],
    ['CHARGE', 5n, 0n, undefined, undefined],
  );
  assert.deepEqual([charge?.remark, charge?.creditKey], ['two at once', 'DE1 EUR DBIT B-1 500 2']);
});

test('a payment of ours is named by the bank, else by its payer, else by us', () => {
  const booked = entry({ side: 'DBIT', servicerReference: undefined });
  const nameOf = (changes: Partial<Debit>) =>
    decide(statement([booked], { departures: [debit(changes)] })).rows[0];
  assert.equal(nameOf({})?.transaction, 'B-1');
  assert.equal(nameOf({ entryReference: undefined })?.transaction, 'OUT-1');
  const nobody = nameOf({ entryReference: undefined, endToEndId: undefined });
  assert.equal(nobody?.transaction, nobody?.creditKey);
});

test('a payment and its charge may have one reference of the bank', () => {
  const paid = entry({ side: 'DBIT', units: 500n });
  const charged = entry({ side: 'DBIT', units: 2n });
  const departures = [debit(), debit({ entry: 1, kind: 'CHARGE', units: 2n })];
  const { rows } = decide(statement([paid, charged], { departures }));
  assert.deepEqual(keysOf(rows), ['DE1 EUR DBIT B-1 500 1', 'DE1 EUR DBIT B-1 2 1']);
});

test('what came back of a payment of ours is no customer’s, and says which and why', () => {
  const back = (changes: Partial<Debit>, of: Partial<BankEntry> = {}) => {
    const returned = entry({ transactions: [transaction({ isReturn: true })], ...of });
    const departures = [debit({ kind: 'RETURN', ...changes })];
    const [row] = decide(statement([returned], { departures })).rows;
    return [row?.kind, row?.reference, row?.remark];
  };
  const because = { code: 'AC04', text: 'closed' };
  assert.deepEqual(back({ reason: because }), [
    'CREDIT',
    undefined,
    'transfer transfer1 came back: AC04 closed account number: closed',
  ]);
  assert.deepEqual(back({ transferId: undefined, reason: { code: undefined, text: '' } }), [
    'CREDIT',
    undefined,
    'a payment of ours came back',
  ]);
  assert.deepEqual(back({ transferId: undefined, reason: { code: undefined, text: 'gone' } }), [
    'CREDIT',
    undefined,
    'a payment of ours came back: gone',
  ]);
  const undone = { isReversal: true, transactions: [transaction()] };
  assert.deepEqual(back({}, undone), ['CREDIT', undefined, 'transfer transfer1 came back']);
  assert.deepEqual(back({ position: 1 }, { unusual: 'as a whole' }), [
    'CREDIT',
    undefined,
    'as a whole',
  ]);
  const plain = decide(statement([entry()], { departures: [debit({ kind: 'RETURN' })] })).rows[0];
  assert.deepEqual([plain?.reference, plain?.remark], ['RF18', undefined]);
});

test('a debit that takes a credit back is a reversal, with the reference of the credit', () => {
  for (const takesBack of [
    { isReversal: true },
    { transactions: [transaction({ isReturn: true })] },
    { transactions: [transaction({ units: 0n }), transaction({ isReturn: true })] },
  ]) {
    const of = statement([entry({ side: 'DBIT', ...takesBack })], { departures: [debit()] });
    const [row, ...more] = decide(of).rows;
    assert.deepEqual(more, []);
    assert.deepEqual(
      [row?.kind, row?.reference, row?.remark, row?.entryKey],
      ['REVERSAL', 'RF18', undefined, 'DE1 EUR DBIT B-1'],
    );
  }
});

function open(height: bigint, changes: Partial<OpenEntry> = {}): OpenEntry {
  const names = { transaction: `T-${height}`, reference: undefined, endToEndId: undefined };
  return { height, units: 500n, currency: 'EUR', ...names, ...changes };
}

const joined = (credits: readonly OpenEntry[], reversals: readonly OpenEntry[]) =>
  decide(statement([]), { credits, reversals }).undone.map(
    ({ credit, reversal }) => `${credit} by ${reversal}`,
  );

test('a reversal takes back the one credit that it names: by the bank, the payer, or us', () => {
  const same = [{ transaction: 'T' }, { endToEndId: 'E' }, { reference: 'RF18' }];
  for (const name of same) {
    assert.deepEqual(joined([open(1n), open(2n, name)], [open(9n, name)]), ['2 by 9']);
    assert.deepEqual(joined([open(1n, name), open(2n, name)], [open(9n, name)]), []);
    for (const other of [{ units: 501n }, { currency: 'USD' }]) {
      assert.deepEqual(joined([open(2n, { ...name, ...other })], [open(9n, name)]), []);
    }
  }
  assert.deepEqual(joined([open(1n), open(2n)], [open(9n)]), []);
  // What neither of the two has names nothing.
  assert.deepEqual(joined([open(1n)], [open(9n)]), []);
  // What names exactly one is followed, before what names two.
  const both = [open(1n, { transaction: 'T', reference: 'RF18' }), open(2n, { reference: 'RF18' })];
  assert.deepEqual(joined(both, [open(9n, { transaction: 'T', reference: 'RF18' })]), ['1 by 9']);
  const twice = [
    open(1n, { transaction: 'T', endToEndId: 'E' }),
    open(2n, { transaction: 'T', endToEndId: 'F' }),
  ];
  assert.deepEqual(joined(twice, [open(9n, { transaction: 'T', endToEndId: 'F' })]), ['2 by 9']);
});

test('each credit is taken back once, and a reversal that came first waits for its credit', () => {
  const name = { transaction: 'T' };
  assert.deepEqual(joined([open(1n, name)], [open(8n, name), open(9n, name)]), ['1 by 8']);
  const late = decide(statement([entry()]), { reversals: [open(3n, { transaction: 'B-1' })] });
  assert.deepEqual(late.undone, [{ credit: 11n, reversal: 3n }]);
  const both = statement([
    entry(),
    entry({ side: 'DBIT', isReversal: true, servicerReference: 'B-2' }),
    entry({ side: 'DBIT', servicerReference: 'B-1' }),
  ]);
  const paid = { ...both, departures: [debit({ entry: 2 })] };
  assert.deepEqual(decide(paid).undone, [{ credit: 11n, reversal: 12n }]);
});
