// What leads from where the account was agreed on to where it is: the end, and the ledgers on the way.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeXrpl, type Json, seededXrplKey } from '#test/fakes/xrpl-ledger.ts';
import { shown } from '#test/fakes/xrpl-server.ts';
import { type IncomeQuestion, proveIncomes } from './prove-incomes.ts';
import { type AccountPoint, NO_ACCOUNT_ROOT } from './read-account-root.ts';
import { accountRootIndex, classicAccountId } from './xrpl-address.ts';

const now = Temporal.Instant.from('2026-01-01T12:00:00Z');
const [shop, customer] = [seededXrplKey(1), seededXrplKey(2)];
const account = shop.address;
const accountId = classicAccountId(account) ?? Buffer.alloc(0);
const xrpl = fakeXrpl(() => now);
xrpl.addAccount(shop, 1_000n);
xrpl.addAccount(customer);
const first = xrpl.close();
for (const tag of [7, 8]) {
  xrpl.pay({ from: customer, to: account, drops: 500n, tag });
  xrpl.close();
}

function pointAt(index: number): AccountPoint {
  const root = xrpl.ledgers.find((ledger) => ledger.index === index)?.roots.get(account);
  assert(root?.last !== undefined);
  const { hash, ledger } = root.last;
  return { drops: root.balance, last: { transaction: hash, ledger: BigInt(ledger) } };
}

function questionOf(change: (record: Json) => Json = (record) => record): IncomeQuestion {
  const ledgers = xrpl.ledgers.filter(({ index }) => index > first.index);
  return {
    account,
    accountId,
    rootIndex: accountRootIndex(accountId),
    what: 'live:XRP_LEDGER',
    start: { ledger: BigInt(first.index), held: pointAt(first.index) },
    recorded: BigInt(first.index),
    findRecorded: async () => new Set(),
    headers: ledgers.map(({ index, hash, header }) => ({
      height: BigInt(index),
      hash,
      parentHash: String(header.parent_hash),
      minedAt: now,
    })),
    state: Promise.resolve({ ...NO_ACCOUNT_ROOT, exists: true, point: pointAt(first.index + 2) }),
    server: {
      host: 'server.example',
      onLedger: () => undefined,
      close: () => undefined,
      async ask(_, { ledger_index_min, ledger_index_max, binary } = {}) {
        const transactions = ledgers
          .filter(({ index }) => index >= Number(ledger_index_min))
          .flatMap((ledger) =>
            ledger.transactions.map((one) => change(shown(ledger, one, binary === true))),
          );
        return { account, ledger_index_min, ledger_index_max, transactions };
      },
    },
  };
}

test('what came in leads to what is held', async () => {
  const { incomes } = await proveIncomes(questionOf());
  assert.deepEqual(
    incomes.map(({ drops, tag }) => [drops, tag]),
    [
      [500n, 7n],
      [500n, 8n],
    ],
  );
});

for (const [name, change] of [
  ['holds a drop less', ({ drops, last }: AccountPoint) => ({ drops: drops - 1n, last })],
  ['holds a drop more', ({ drops, last }: AccountPoint) => ({ drops: drops + 1n, last })],
  [
    'was changed last by something else',
    ({ drops }: AccountPoint) => ({ drops, last: pointAt(first.index + 1).last }),
  ],
  ['is gone', ({ drops }: AccountPoint) => ({ drops, last: undefined })],
] as const) {
  test(`an account that ${name} at the tip is not what its history says`, async () => {
    const point = change(pointAt(first.index + 2));
    const state = Promise.resolve({ ...NO_ACCOUNT_ROOT, exists: true, point });
    await assert.rejects(proveIncomes({ ...questionOf(), state }), /its history says 2000/);
  });
}

test('a transaction in a ledger of another hash is of a fork', async () => {
  const question = questionOf((record) =>
    'ledger_hash' in record ? { ...record, ledger_hash: 'BB'.repeat(32) } : record,
  );
  await assert.rejects(proveIncomes(question), /is of a fork/);
});

test('what was recorded already is not given again', async () => {
  const [known] = xrpl.ledgers.at(-2)?.transactions ?? [];
  const question = { ...questionOf(), recorded: BigInt(first.index) + 1n };
  const findRecorded = async () => new Set([known?.hash ?? '']);
  const { incomes } = await proveIncomes({ ...question, findRecorded });
  assert.deepEqual(
    incomes.map(({ tag }) => tag),
    [8n],
  );
});
