// Each reason not to believe a Horizon, alone and by its sentence: the rest of what it says is honest.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, afterEach, before, describe, test } from 'node:test';
import {
  Asset,
  Memo,
  Networks,
  nativeToScVal,
  Operation,
  StrKey,
  xdr,
} from '@stellar/stellar-base';
import { Outage } from '#base/refusal.ts';
import { confirmIncomes } from '#networks/stellar/confirm-incomes.ts';
import { type Horizon, openHorizon } from '#networks/stellar/horizon.ts';
import { readAccount } from '#networks/stellar/read-account.ts';
import { readIncomes } from '#networks/stellar/read-incomes.ts';
import { STELLAR_CHAINS } from '#networks/stellar/stellar-chain.ts';
import { newestLedger, walkLedgers } from '#networks/stellar/walk-ledgers.ts';
import { fromTheFuture } from './stellar-future.ts';
import { type FakeHorizon, startFakeHorizon } from './stellar-horizon.ts';
import {
  assetOf,
  type FakeRecord,
  fakeStellar,
  NATIVE,
  type SendOptions,
  unitsText,
} from './stellar-ledger.ts';
import { seededKey } from './stellar-world.ts';

const WHAT = 'live:STELLAR';
const start = Temporal.Instant.from('2026-01-01T12:00:00Z');
const [shop, customer, bumper] = [seededKey(1), seededKey(2), seededKey(3)];
const account = shop.publicKey();
const { networkId } = STELLAR_CHAINS.main;
let seconds = 0;
const now = () => start.add({ seconds });
const stellar = fakeStellar(Networks.PUBLIC, now);
let fake: FakeHorizon;
let horizon: Horizon;
let recorded: { height: bigint; hash: string };
let tip: { height: bigint; hash: string };

before(async () => {
  stellar.addAccount(shop, 1_000_0000000n);
  stellar.addAccount(customer);
  stellar.addAccount(bumper);
  recorded = referenceOf(stellar.close());
  for (const units of [5n, 6n]) {
    seconds += 5;
    const paid = { destination: account, asset: assetOf(NATIVE), amount: unitsText(units) };
    stellar.send([Operation.payment(paid)], { from: customer, memo: Memo.text('7') });
    tip = referenceOf(stellar.close());
  }
  fake = await startFakeHorizon(stellar, now);
  fake.closesEveryMs = 1e9;
  horizon = openHorizon({ what: WHAT, url: fake.url });
});
after(() => fake?.close());
afterEach(() => {
  fake.tamper = (_, json) => json;
  fake.refuse = () => undefined;
});

function referenceOf({ sequence, hash }: { sequence: number; hash: string }) {
  return { height: BigInt(sequence), hash };
}

/** Changes the first record of a listing, or the whole list. */
function lie(listing: string, change: (records: FakeRecord[]) => FakeRecord[]): void {
  fake.tamper = ({ path }, json) => {
    const page = json as { _embedded?: { records: FakeRecord[] } };
    if (!path.endsWith(listing) || page._embedded === undefined) return json;
    return { ...page, _embedded: { records: change(page._embedded.records) } };
  };
}

const first =
  (facts: (record: FakeRecord) => FakeRecord) =>
  ([one, ...others]: FakeRecord[]): FakeRecord[] => [{ ...one, ...facts(one ?? {}) }, ...others];
const inTransaction = (facts: (joined: FakeRecord) => FakeRecord) =>
  first(({ transaction }) => {
    const joined = transaction as FakeRecord;
    return { transaction: { ...joined, ...facts(joined) } };
  });

/** The ledger with another header, which has the hash that it claims. */
function madeUp(record: FakeRecord, change: (header: xdr.LedgerHeader) => void): FakeRecord {
  const header = xdr.LedgerHeader.fromXDR(String(record.header_xdr), 'base64');
  change(header);
  const bytes = header.toXDR();
  return {
    ...record,
    hash: createHash('sha256').update(bytes).digest('hex'),
    prev_hash: header.previousLedgerHash().toString('hex'),
    sequence: header.ledgerSeq(),
    paging_token: `${BigInt(header.ledgerSeq()) << 32n}`,
    header_xdr: bytes.toString('base64'),
  };
}

function read() {
  const range = { recorded: recorded.height, tip: tip.height };
  const { height } = recorded;
  const source = { horizon, chain: WHAT, account, networkId };
  return readIncomes(source, { ...range, after: height, upTo: tip.height });
}

test('what is honest is read', async () => {
  const { incomes } = await read();
  assert.deepEqual(
    incomes.map(({ units, memo }) => [units, memo]),
    [
      [5n, '7'],
      [6n, '7'],
    ],
  );
  const walked = await walkLedgers(horizon, WHAT, recorded, now());
  assert.equal(walked.ledgers.length, 2);
});

for (const [name, edges, units, earlier] of [
  ['earlier', { recorded: 1n, tip: 2n }, 6n, [['XLM:NATIVE', 5n]]],
  ['later', { recorded: 0n, tip: 1n }, 5n, []],
] as const) {
  test(`what moved in ${name} ledgers is no income of these`, async () => {
    const { height } = recorded;
    const range = { recorded: height + edges.recorded, tip: height + edges.tip };
    const source = { horizon, chain: WHAT, account, networkId };
    const facts = await readIncomes(source, { ...range, after: height, upTo: tip.height });
    assert.deepEqual(
      facts.incomes.map((income) => income.units),
      [units],
    );
    // What the balance is compared with is all of it.
    assert.deepEqual([...facts.earlier], earlier);
    assert.equal(facts.movements.length, 2 - earlier.length);
  });
}

test('an account that never was has received nothing', async () => {
  fake.refuse = () => ({ status: 404, body: '{}' });
  assert.deepEqual((await read()).incomes, []);
});

/** The number within the transaction is in the twelve lowest bits (SEP-35, TOID). */
function numbered(id: unknown, number: bigint): FakeRecord {
  const made = `${(BigInt(String(id)) & ~0xfffn) + number}`;
  return { id: made, paging_token: made };
}

function resultOf(result: xdr.TransactionResultResult): string {
  const feeCharged = xdr.Int64.fromString('100');
  const ext = new xdr.TransactionResultExt(0);
  return new xdr.TransactionResult({ feeCharged, result, ext }).toXDR('base64');
}

function bumpResultOf(innerHash: string): string {
  const paid = xdr.OperationResultTr.payment(xdr.PaymentResult.paymentSuccess());
  const result = new xdr.InnerTransactionResult({
    feeCharged: xdr.Int64.fromString('0'),
    result: xdr.InnerTransactionResultResult.txSuccess([xdr.OperationResult.opInner(paid)]),
    ext: new xdr.InnerTransactionResultExt(0),
  });
  const transactionHash = Buffer.from(innerHash, 'hex');
  const pair = new xdr.InnerTransactionResultPair({ transactionHash, result });
  return resultOf(xdr.TransactionResultResult.txFeeBumpInnerSuccess(pair));
}

const twice = ([one, ...others]: FakeRecord[]) => [one ?? {}, one ?? {}, ...others];

for (const [name, listing, change, sentence] of [
  ['one payment twice', '/payments', twice, /a listing is out of order/],
  ['one effect twice', '/effects', twice, /a listing is out of order/],
  ['payments backwards', '/payments', (all: FakeRecord[]) => all.toReversed(), /is out of order/],
  ['a payment without a place', '/payments', first(() => ({ paging_token: 'x' })), /has no place/],
  [
    'payments that are missing among them',
    '/payments',
    (all: FakeRecord[]) => all.slice(1),
    /is missing among the payments/,
  ],
  [
    'a payment whose effect is missing',
    '/effects',
    (all: FakeRecord[]) => all.filter(({ type }) => type !== 'account_credited').concat([]),
    /the operation gave 5, its effects 0/,
  ],
  [
    'an effect of more than its payment gave',
    '/effects',
    first(() => ({ amount: '0.0000009' })),
    /the operation gave 5, its effects 9/,
  ],
  [
    'an effect of another account',
    '/effects',
    first(() => ({ account: customer.publicKey() })),
    /is of another account/,
  ],
  ['an effect in another place', '/effects', first(() => ({ id: '1-1' })), /is misplaced/],
  [
    'an effect that names no place within its operation',
    '/effects',
    first(({ paging_token }) => ({ paging_token: String(paging_token).split('-')[0] })),
    /an effect has no place/,
  ],
  ['a payment without a number', '/payments', first(({ id }) => numbered(id, 0n)), /has no number/],
  [
    'the second payment of a transaction that has one',
    '/payments',
    first(({ id }) => numbered(id, 2n)),
    /has no operation 1/,
  ],
  [
    'a payment that calls itself a contract',
    '/payments',
    first(() => ({ type: 'invoke_host_function' })),
    /is no invoke_host_function/,
  ],
  [
    'a transaction that failed by its own result',
    '/payments',
    inTransaction(() => ({ result_xdr: resultOf(xdr.TransactionResultResult.txFailed([])) })),
    /failed by its own result/,
  ],
  [
    'a transaction whose result is of no operation',
    '/payments',
    inTransaction(() => ({ result_xdr: resultOf(xdr.TransactionResultResult.txSuccess([])) })),
    /lacks a result/,
  ],
  [
    'a transaction of its own with the result of a fee bump',
    '/payments',
    inTransaction(({ hash }) => ({ result_xdr: bumpResultOf(String(hash)) })),
    /has the result of another transaction/,
  ],
  ['an effect without a type', '/effects', first(() => ({ type: 7 })), /has no type/],
  [
    'a payment that did not succeed',
    '/payments',
    first(() => ({ transaction_successful: false })),
    /did not succeed/,
  ],
  [
    'a payment with the hash of another transaction',
    '/payments',
    first(() => ({ transaction_hash: 'ab'.repeat(32) })),
    /comes with another transaction/,
  ],
  [
    'a payment with the place of another transaction',
    '/payments',
    inTransaction(({ paging_token }) => ({ paging_token: `${BigInt(`${paging_token}`) + 4096n}` })),
    /comes with another transaction/,
  ],
  [
    'a payment under another number',
    '/payments',
    first(({ id }) => ({ id: `${BigInt(String(id)) + 1n}` })),
    /is misplaced/,
  ],
  [
    'a payment that calls itself something else',
    '/payments',
    first(() => ({ type: 'manage_data' })),
    /is no manage_data/,
  ],
  [
    'a payment to another account than it says',
    '/payments',
    first(() => ({ to: customer.publicKey() })),
    /goes to another account than it says/,
  ],
  [
    'a payment of another amount than it says',
    '/payments',
    first(() => ({ amount: '0.0000009' })),
    /has another amount than it says/,
  ],
  [
    'a payment of another asset than it says',
    '/payments',
    first(() => ({ asset_type: 'credit_alphanum4', asset_code: 'XLM', asset_issuer: account })),
    /is of another asset than it says/,
  ],
  [
    'a transaction that did not succeed',
    '/payments',
    inTransaction(() => ({ successful: false })),
    /did not succeed/,
  ],
  [
    'a transaction of another ledger',
    '/payments',
    inTransaction(({ ledger }) => ({ ledger: Number(ledger) + 1 })),
    /is of another ledger/,
  ],
  [
    'a transaction with another envelope',
    '/payments',
    (all: FakeRecord[]) => {
      const [one, other] = all.map(({ transaction }) => transaction as FakeRecord);
      const swapped = { ...one, envelope_xdr: other?.envelope_xdr };
      return [{ ...all[0], transaction: swapped }, ...all.slice(1)];
    },
    /has another hash than its envelope/,
  ],
  [
    'a transaction without its envelope',
    '/payments',
    inTransaction(() => ({ envelope_xdr: 'AAAA' })),
    /has another hash than its envelope/,
  ],
  [
    'a transaction without its result',
    '/payments',
    inTransaction(() => ({ result_xdr: 'AAAA' })),
    /cannot be read/,
  ],
] as const) {
  test(`${name} is a lie`, async () => {
    lie(listing, change);
    await assert.rejects(read(), sentence);
  });
}

/** Alone in a ledger of its own, which is given. */
function sendAlone(operation: xdr.Operation, options: Partial<SendOptions> = {}): bigint {
  stellar.send([operation], { from: customer, memo: Memo.text('7'), ...options });
  return BigInt(stellar.close().sequence);
}

function readAt(ledger: bigint, receiver = account) {
  const range = { recorded: ledger - 1n, tip: ledger, after: ledger - 1n, upTo: ledger };
  return readIncomes({ horizon, chain: WHAT, account: receiver, networkId }, range);
}

async function unitsAt(ledger: bigint, receiver?: string): Promise<bigint[]> {
  return (await readAt(ledger, receiver)).incomes.map(({ units }) => units);
}

/** Horizon lists the operations of the ledger among the payments. */
function listAsPayments(ledger: bigint): void {
  const transactions = stellar.ledgers.find(({ sequence }) => BigInt(sequence) === ledger);
  for (const { operations } of transactions?.transactions ?? []) {
    for (const operation of operations) operation.isPayment = true;
  }
}

describe('an operation', () => {
  test('that made the account gave what the account began with', async () => {
    const made = seededKey(5).publicKey();
    const startingBalance = unitsText(8n);
    const ledger = sendAlone(Operation.createAccount({ destination: made, startingBalance }));
    assert.deepEqual(await unitsAt(ledger, made), [8n]);
  });

  for (const [held, given] of [
    [0n, []],
    [8n, [8n]],
  ] as const) {
    test(`that merged an account which held ${held} gave ${given.length} payments`, async () => {
      const merged = seededKey(6);
      stellar.addAccount(merged, held + 100n);
      const ledger = sendAlone(Operation.accountMerge({ destination: account }), { from: merged });
      assert.deepEqual(await unitsAt(ledger), given);
    });
  }

  test('that merged an account which held less than nothing is a lie', async () => {
    const merged = seededKey(6);
    stellar.addAccount(merged, 108n);
    const ledger = sendAlone(Operation.accountMerge({ destination: account }), { from: merged });
    const below = xdr.AccountMergeResult.accountMergeSuccess(xdr.Int64.fromString('-8'));
    const operation = xdr.OperationResult.opInner(xdr.OperationResultTr.accountMerge(below));
    const result_xdr = resultOf(xdr.TransactionResultResult.txSuccess([operation]));
    const shown = inTransaction(() => ({ result_xdr }));
    lie('/payments', shown);
    await assert.rejects(readAt(ledger), /an amount is below zero/);
  });

  test('that gave less than it was signed for is a lie', async () => {
    const path = { sendAsset: Asset.native(), sendAmount: '1', destAsset: Asset.native() };
    const signed = { ...path, destination: account, destMin: unitsText(9n) };
    const arrives = { arrives: 8n };
    const ledger = sendAlone(Operation.pathPaymentStrictSend(signed), arrives);
    await assert.rejects(readAt(ledger), /a path payment gave less than its least/);
    const enough = { ...signed, destMin: unitsText(8n) };
    assert.deepEqual(await unitsAt(sendAlone(Operation.pathPaymentStrictSend(enough), arrives)), [
      8n,
    ]);
  });

  test('of another type is passed over', async () => {
    const operation = Operation.manageData({ name: 'a name', value: 'a value' });
    const ledger = sendAlone(operation, { from: shop });
    listAsPayments(ledger);
    assert.deepEqual(await unitsAt(ledger), []);
  });
});

describe('an operation that nobody here can read yet', () => {
  const paid = { asset: Asset.native(), amount: unitsText(8n) };

  test('gave us what its effect says, and nobody in particular', async () => {
    const ledger = sendAlone(Operation.payment({ ...paid, destination: account }));
    lie('/payments', (all) => all.map(fromTheFuture));
    const { incomes } = await readAt(ledger);
    assert.deepEqual(
      incomes.map(({ units, memo }) => [units, memo]),
      [[8n, undefined]],
    );
  });

  test('gave us what an account held that was merged into ours', async () => {
    const merged = seededKey(70);
    stellar.addAccount(merged, 1_100n);
    const merge = Operation.accountMerge({ destination: account });
    const ledger = sendAlone(merge, { from: merged });
    lie('/payments', (all) => all.map(fromTheFuture));
    const { incomes } = await readAt(ledger);
    assert.deepEqual(
      incomes.map(({ units, memo, isOwn }) => [units, memo, isOwn]),
      [[1_000n, undefined, false]],
    );
  });

  test('gave us nothing when it made an account for somebody', async () => {
    const destination = seededKey(71).publicKey();
    const creation = Operation.createAccount({ destination, startingBalance: '1' });
    const ledger = sendAlone(creation, { from: shop });
    listAsPayments(ledger);
    lie('/payments', (all) => all.map(fromTheFuture));
    assert.deepEqual(await unitsAt(ledger), []);
  });

  test('may be of a kind that is not known here: its effects say what it gave', async () => {
    const ledger = sendAlone(Operation.payment({ ...paid, destination: account }));
    lie('/payments', (all) => all.map((one) => ({ ...fromTheFuture(one), type: 'gift' })));
    assert.deepEqual(await unitsAt(ledger), [8n]);
  });

  test('gave us nothing when it was a payment of ours', async () => {
    const destination = customer.publicKey();
    const ledger = sendAlone(Operation.payment({ ...paid, destination }), { from: shop });
    lie('/payments', (all) => all.map(fromTheFuture));
    assert.deepEqual(await unitsAt(ledger), []);
  });

  test('gave us nothing by itself when it was no payment', async () => {
    const operation = Operation.manageData({ name: 'a name', value: 'a value' });
    const ledger = sendAlone(operation, { from: shop });
    listAsPayments(ledger);
    lie('/payments', (all) => all.map(fromTheFuture));
    assert.deepEqual(await unitsAt(ledger), []);
  });

  /** What is signed, and then a signature so often. */
  function signedOften({ transaction, ...record }: FakeRecord, times: number): FakeRecord {
    const { envelope_xdr, signatures, ...facts } = transaction as FakeRecord;
    const envelope = Buffer.from(String(envelope_xdr), 'base64');
    const signature = envelope.subarray(-72);
    const count = Buffer.of(0, 0, 0, times);
    const parts = [envelope.subarray(0, -76), count, ...Array(times).fill(signature)];
    const bytes = Buffer.concat(parts);
    const shown = Array(times).fill((signatures as string[])[0]);
    const changed = { ...facts, signatures: shown, envelope_xdr: bytes.toString('base64') };
    return { ...record, transaction: changed };
  }

  test('has at most twenty signatures (Stellar-transaction.x)', async () => {
    const ledger = sendAlone(Operation.payment({ ...paid, destination: account }));
    const signed = (times: number) =>
      lie('/payments', (all) => all.map((record) => signedOften(fromTheFuture(record), times)));
    signed(20);
    assert.deepEqual(await unitsAt(ledger), [8n]);
    signed(21);
    await assert.rejects(readAt(ledger), /has another hash than its envelope/);
  });

  test('that shows no signatures is a lie', async () => {
    const ledger = sendAlone(Operation.payment({ ...paid, destination: account }));
    const unsigned = inTransaction(() => ({ signatures: undefined }));
    lie('/payments', (all) => unsigned(all.map(fromTheFuture)));
    await assert.rejects(readAt(ledger), /has another hash than its envelope/);
  });
});

describe('a contract', () => {
  const contract = Operation.invokeContractFunction({
    contract: StrKey.encodeContract(Buffer.alloc(32, 5)),
    function: 'pay',
    args: [nativeToScVal(7n, { type: 'u64' })],
  });
  const moved = {
    from: customer.publicKey(),
    to: account,
    assetId: NATIVE,
    units: 8n,
    muxedId: 7n,
  };
  const aside = { ...moved, from: account, to: customer.publicKey() };
  const callAlone = (contractMoves = [moved]) =>
    sendAlone(contract, { memo: Memo.none(), contractMoves });
  const changed = (change: (moves: FakeRecord[]) => unknown) =>
    first(({ asset_balance_changes }) => ({
      asset_balance_changes: change(asset_balance_changes as FakeRecord[]),
    }));

  test('gave what it moved to the account, and nothing of what it moved to others', async () => {
    const { incomes } = await readAt(callAlone([aside, moved]));
    assert.deepEqual(
      incomes.map(({ units, memo }) => [units, memo]),
      [[8n, '7']],
    );
  });

  for (const number of ['7.0', '-7', '', 'a text', '9223372036854775808', '9'.repeat(400), 7]) {
    const shown = JSON.stringify(number).slice(0, 24);
    test(`with ${shown} for a number gave it to nobody in particular`, async () => {
      const ledger = callAlone();
      const named = (move: FakeRecord) => ({ ...move, destination_muxed_id: number });
      lie(
        '/payments',
        changed((moves) => moves.map(named)),
      );
      const { incomes } = await readAt(ledger);
      assert.deepEqual(
        incomes.map(({ units, memo }) => [units, memo]),
        [[8n, undefined]],
      );
    });
  }

  test('that moved nothing at all gave nothing', async () => {
    assert.deepEqual(await unitsAt(callAlone([{ ...moved, units: 0n }])), []);
  });

  test('that says nothing of balances gave nothing', async () => {
    const ledger = callAlone([aside]);
    lie(
      '/payments',
      changed(() => undefined),
    );
    assert.deepEqual(await unitsAt(ledger), []);
  });

  for (const [name, change, sentence] of [
    ['whose changes are no list', () => ({}), /has malformed balance changes/],
    ['whose change is no object', () => ['8'], /a balance change is no object/],
    [
      'that took the money away and gave it nowhere',
      (moves: FakeRecord[]) => moves.map((move) => ({ ...move, type: 'burn' })),
      /the operation gave 0, its effects 8/,
    ],
  ] as const) {
    test(`${name} is a lie`, async () => {
      const ledger = callAlone();
      lie('/payments', changed(change));
      await assert.rejects(readAt(ledger), sentence);
    });
  }
});

describe('a fee bump', () => {
  let bumped: bigint;
  before(() => {
    const paid = { destination: account, asset: assetOf(NATIVE), amount: unitsText(9n) };
    const options = { from: customer, bumpedBy: bumper, memo: Memo.text('7') };
    stellar.send([Operation.payment(paid)], options);
    bumped = BigInt(stellar.close().sequence);
  });

  const readBumped = () => readAt(bumped);
  /** The result that Horizon shows, with another one inside it. */
  const inside = (change: (pair: xdr.InnerTransactionResultPair) => void) =>
    inTransaction(({ result_xdr }) => {
      const result = xdr.TransactionResult.fromXDR(String(result_xdr), 'base64');
      change(result.result().innerResultPair());
      return { result_xdr: result.toXDR('base64') };
    });

  test('is read', async () => {
    assert.deepEqual(
      (await readBumped()).incomes.map(({ units }) => units),
      [9n],
    );
  });

  for (const [name, change, sentence] of [
    [
      'with the result of another transaction',
      inside((pair) => pair.transactionHash(Buffer.alloc(32, 1))),
      /has the result of another transaction/,
    ],
    [
      'whose inner transaction failed',
      inside((pair) => pair.result().result(xdr.InnerTransactionResultResult.txFailed([]))),
      /failed by its own result/,
    ],
    [
      'with the result of what is inside it alone',
      inTransaction(() => ({ result_xdr: resultOf(xdr.TransactionResultResult.txSuccess([])) })),
      /lacks the result of its fee bump/,
    ],
  ] as const) {
    test(`${name} is a lie`, async () => {
      lie('/payments', change);
      await assert.rejects(readBumped(), sentence);
    });
  }
});

for (const [name, answer, sentence] of [
  ['Horizon does not know', undefined, /does not know operation/],
  ['is answered by another', { id: '1' }, /is of another operation/],
] as const) {
  test(`what came in by an operation that ${name} is not believed`, async () => {
    lie('/payments', (all) => all.slice(1));
    const listing = fake.tamper;
    fake.tamper = (request, json) =>
      request.path.startsWith('/operations')
        ? { ...(json as FakeRecord), ...answer }
        : listing(request, json);
    if (answer === undefined) {
      fake.refuse = ({ path }) => (path.startsWith('/operations') ? { status: 404 } : undefined);
    }
    await assert.rejects(read(), matching(sentence));
  });
}

for (const [name, change, sentence] of [
  [
    'with another hash than its header',
    first(() => ({ hash: 'ab'.repeat(32) })),
    /has another hash than its header/,
  ],
  [
    'with another number than its header',
    first(({ sequence }) => ({ sequence: Number(sequence) + 1 })),
    /is misplaced/,
  ],
  [
    'in the place of another than its header',
    first(({ sequence }) => {
      const other = Number(sequence) + 1;
      return { sequence: other, paging_token: `${BigInt(other) << 32n}` };
    }),
    /contradicts its header/,
  ],
  [
    'that leaves out others',
    ([one, two]: FakeRecord[]) => [
      one ?? {},
      madeUp({ ...two }, (header) => void header.ledgerSeq(header.ledgerSeq() + 5)),
    ],
    /does not follow/,
  ],
  [
    'after one that is not recorded',
    ([one, two]: FakeRecord[]) => [
      one ?? {},
      madeUp({ ...two }, (header) => void header.previousLedgerHash(Buffer.alloc(32, 1))),
    ],
    /does not follow/,
  ],
  [
    'with another time than its header',
    first(() => ({ closed_at: '2026-01-01T13:00:00Z' })),
    /contradicts its header/,
  ],
  [
    'with another parent than its header',
    first(() => ({ prev_hash: 'ab'.repeat(32) })),
    /contradicts its header/,
  ],
  [
    'that is missing',
    ([one, , ...others]: FakeRecord[]) => [one ?? {}, ...others],
    /does not follow/,
  ],
  [
    'that Horizon has reaped (it begins at its oldest without a word)',
    (all: FakeRecord[]) => all.slice(1),
    /Horizon no longer keeps ledger \d+: its oldest is \d+/,
  ],
  ['that Horizon has not', () => [], /Horizon is behind/],
] as const) {
  test(`a ledger ${name} is not walked over`, async () => {
    lie('/ledgers', change);
    await assert.rejects(walkLedgers(horizon, WHAT, recorded, now()), matching(sentence));
  });
}

test('the ledgers after the one that follows the oldest of a Horizon are walked', async () => {
  assert.equal(recorded.height, BigInt(stellar.ledgers[0]?.sequence ?? 0) + 1n);
  const { ledgers } = await walkLedgers(horizon, WHAT, recorded, now());
  assert(ledgers.some(({ hash }) => hash === tip.hash));
});

test('a history in which the recorded ledger has another hash is another one', async () => {
  const cursor = { ...recorded, hash: 'ab'.repeat(32) };
  const walking = walkLedgers(horizon, WHAT, cursor, now());
  await assert.rejects(walking, matching(/another history/));
});

test('a Horizon whose newest ledger is old stands still', async () => {
  const at = Temporal.Instant.from(String(stellar.ledgers.at(-1)?.record.closed_at));
  await newestLedger(horizon, WHAT, at.add({ seconds: 120 }));
  const late = at.add({ seconds: 121 });
  await assert.rejects(newestLedger(horizon, WHAT, late), matching(/stands still/));
  await assert.rejects(walkLedgers(horizon, WHAT, recorded, late), matching(/stands still/));
  lie('/ledgers', () => []);
  await assert.rejects(newestLedger(horizon, WHAT, at), matching(/Horizon has no ledgers/));
});

function recordOf(height: bigint): FakeRecord {
  return { ...stellar.ledgers.find(({ sequence }) => BigInt(sequence) === height)?.record };
}

async function confirm(others: readonly Horizon[]): Promise<void> {
  const { incomes } = await read();
  const range = { recorded: recorded.height, tip };
  await confirmIncomes({
    ...{ chain: WHAT, account, networkId, others, incomes, isOurs: () => true },
    ...range,
  });
}

test('a second Horizon that says the same confirms, and one that is away is no opinion', async () => {
  const away = openHorizon({ what: WHAT, url: 'http://127.0.0.1:9' });
  await confirm([horizon]);
  await confirm([away, horizon]);
  await assert.rejects(confirm([away]), matching(/no second Horizon can be asked/));
});

test('a second Horizon that differs is believed as little as the first', async () => {
  const honest = await startFakeHorizon(stellar, now);
  const second = openHorizon({ what: WHAT, url: honest.url });
  honest.closesEveryMs = 1e9;
  const tampers: readonly (readonly [string, (json: FakeRecord[]) => FakeRecord[], RegExp])[] = [
    ['/payments', (all) => all.slice(1), /says otherwise: only one of two has/],
    ['/ledgers', () => [], /has not seen ledger/],
    [
      '/ledgers',
      () => [{ _links: {}, ...recordOf(recorded.height) }],
      /says otherwise: ledger \d+ is another one/,
    ],
    [
      '/ledgers',
      ([one]) => [madeUp({ ...one }, (header) => void header.baseFee(101))],
      /says otherwise: ledger \d+ is another one/,
    ],
  ];
  try {
    for (const [listing, change, sentence] of tampers) {
      honest.tamper = ({ path }, json) => {
        const page = json as { _embedded?: { records: FakeRecord[] } };
        if (!path.endsWith(listing) || page._embedded === undefined) return json;
        return { ...page, _embedded: { records: change(page._embedded.records) } };
      };
      await assert.rejects(confirm([second]), matching(sentence));
    }
  } finally {
    await honest.close();
  }
});

const BALANCE = {
  asset_type: 'native',
  balance: '5.0000000',
  buying_liabilities: '0.0000000',
  selling_liabilities: '0.0000000',
};
const STATE = { account_id: account, balances: [BALANCE], signers: [], data: {} };

test('a share of a pool is no balance of an asset', () => {
  const share = { asset_type: 'liquidity_pool_shares', balance: '7.0000000' };
  const { balances } = readAccount({ ...STATE, balances: [share, BALANCE] }, account);
  assert.deepEqual([...balances.keys()], [NATIVE]);
});

for (const [name, state, sentence] of [
  ['of somebody else', { ...STATE, account_id: customer.publicKey() }, /of another account/],
  ['without balances', { ...STATE, balances: {} }, /the account has no balances/],
  ['with two balances of one asset', { ...STATE, balances: [BALANCE, BALANCE] }, /two balances of/],
  ['without lumens', { ...STATE, balances: [] }, /no balance of lumens/],
  ['without signers', { ...STATE, signers: undefined }, /the account has no signers/],
] as const) {
  test(`an account ${name} is a lie`, () => {
    assert.equal(readAccount(STATE, account).balances.size, 1);
    assert.throws(() => readAccount(state, account), sentence);
  });
}

/** Of a lie, or of the cause of an outage. */
function matching(sentence: RegExp) {
  return (error: unknown) =>
    error instanceof Error &&
    sentence.test(error instanceof Outage ? `${error.cause}` : error.message);
}
