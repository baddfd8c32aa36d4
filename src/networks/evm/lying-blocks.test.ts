// Each reason not to believe a block, its receipts or its logs, alone and by its sentence: the rest
// of what the node says is honest.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NodeLie } from '#networks/answer-fields.ts';
import { createFakeEvmNode, PAYER, transferLog } from '#test/fakes/evm-node.ts';
import { EMPTY_ROOT, readEvmBlock, readHeader, readLogs, requireEmptyRoot } from './read-block.ts';
import { readReceipts } from './read-receipts.ts';

type Row = Record<string, unknown>;

const CONTRACT = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const OURS = '0x00000000000000000000000000000000000000ff';
const OTHER = `0x${'ab'.repeat(32)}`;
const tokens = new Map([[CONTRACT, 'USDC']]);

const node = createFakeEvmNode();
const mined = node.mine(node.pay(OURS, 7n, CONTRACT), {
  to: CONTRACT,
  logs: [transferLog(CONTRACT, PAYER, OURS, 7n), transferLog(CONTRACT, PAYER, OURS, 8n)],
});
const honest: Row = {
  number: `0x${mined.height.toString(16)}`,
  hash: mined.hash,
  parentHash: mined.parentHash,
  timestamp: `0x${mined.seconds.toString(16)}`,
  transactions: mined.transactions,
};
const height = BigInt(mined.height);
const receipts = mined.receipts as Row[];
const transactions = mined.transactions as Row[];
const logs = receipts.flatMap((receipt) => receipt.logs as Row[]);

const first = (rows: readonly Row[], change: Row): Row[] => [
  { ...rows[0], ...change },
  ...rows.slice(1),
];
const block = () => readEvmBlock(honest, height);
const blockOf = (change: Row) => () => readEvmBlock({ ...honest, ...change }, height);
const ofTransaction = (change: Row) => blockOf({ transactions: first(transactions, change) });
const emptied = (transactionsRoot: unknown) => () => {
  const shown = { ...honest, transactions: [], transactionsRoot };
  return requireEmptyRoot(readEvmBlock(shown, height), shown);
};
const receiptsOf = (given: unknown, hasSystemReceipts = false) => {
  const read = readReceipts(given, block(), { tokens, hasSystemReceipts });
  return [...read.values()].flatMap(({ movements }) => movements.map(({ units }) => units));
};
const ofReceipt = (change: Row) => () => receiptsOf(first(receipts, change));
const ofLog = (change: Row) => ofReceipt({ logs: first(receipts[0]?.logs as Row[], change) });

test('an honest one is believed', () => {
  assert.equal(block().transactions.length, 2);
  assert.deepEqual(receiptsOf(receipts), [7n, 7n, 8n]);
  assert.deepEqual(
    readLogs(logs, block(), tokens).map(({ units }) => units),
    [7n, 7n, 8n],
  );
});

for (const [name, act, sentence] of [
  ['a block of another height', blockOf({ number: '0x7' }), /block 7 was given, not/],
  ['a block of no height', blockOf({ number: `0x8${'0'.repeat(15)}` }), /height .* not possible/],
  ['a block of no time', () => readHeader({ ...honest, timestamp: '0x3afff44180' }), /the time of/],
  ['a block that lost its transactions', emptied(OTHER), /its root says that it has some/],
  ['a transaction twice', blockOf({ transactions: [...transactions, transactions[0]] }), /twice/],
  ['a transaction of another block', ofTransaction({ blockHash: OTHER }), /is of another block/],
  ['two receipts of one', () => receiptsOf([...receipts, receipts[0]]), /there are two receipts/],
  ['a missing receipt', () => receiptsOf(receipts.slice(1)), /the receipt of \w+ is missing/],
  ['a receipt of another block', ofReceipt({ blockHash: OTHER }), /receipt .* another block/],
  ['a receipt of another height', ofReceipt({ blockNumber: '0x7' }), /receipt .* another block/],
  ['a receipt of another receiver', ofReceipt({ to: OURS }), /has another receiver/],
  ['a receipt without a receiver', ofReceipt({ to: null }), /has another receiver/],
  ['a receiver that is no address', ofReceipt({ to: '0x' }), /a receiver is/],
  ['a receipt of another sender', ofReceipt({ from: OURS }), /has another sender/],
  ['a failure that moved a token', ofReceipt({ status: '0x0' }), /failed and moved a token/],
  ['a status that is none', ofReceipt({ status: '0x2' }), /the status of \w+ is 2/],
  ['a log of another transaction', ofLog({ transactionHash: OTHER }), /log of another transaction/],
  ['a log of another block', ofLog({ blockHash: OTHER }), /a log of \w+ is of another block/],
  ['a log without a number', ofLog({ logIndex: 0 }), /has no possible number/],
  ['a log whose number is a list', ofLog({ logIndex: ['0x0'] }), /has no possible number/],
  ['a log whose number is too large', ofLog({ logIndex: '0x1000000' }), /has no possible number/],
  ['a log of no contract', ofLog({ address: '0x' }), /the contract of a log is no address/],
  ['a log without a contract', ofLog({ address: null }), /the contract of a log is no address/],
  ['a log without data', ofLog({ data: null }), /a log has no data/],
  ['two logs of one number', ofLog({ logIndex: '0x1' }), /not numbered without a gap/],
  [
    'a receipt of a transaction that the block does not hold',
    () => receiptsOf([...receipts, { ...receipts[0], transactionHash: OTHER, logs: [] }]),
    /has receipts of transactions it does not hold/,
  ],
  [
    'a log that was left out',
    () => receiptsOf([{ ...receipts[0], logs: [] }, ...receipts.slice(1)]),
    /not numbered without a gap/,
  ],
] as const) {
  test(`${name} is a lie`, () => {
    assert.throws(act, (error) => error instanceof NodeLie && sentence.test(error.message));
  });
}

test('an empty block is believed by the root of nothing, and without a root', () => {
  emptied(EMPTY_ROOT)();
  emptied(undefined)();
});

test('a node that names no receiver in its receipts is believed all the same', () => {
  assert.deepEqual(ofReceipt({ to: undefined })(), [7n, 7n, 8n]);
});

const topics = logs.flatMap((log) => log.topics as string[]).slice(0, 3);
const inReceipt = (change: Row) => ofLog(change)();
const inIndex = (change: Row) =>
  readLogs(first(logs, change), block(), tokens).map(({ units }) => units);

for (const [name, change] of [
  ['was removed', { removed: true }],
  ['has four topics', { topics: [...topics, OTHER] }],
  ['goes to more than an address', { topics: [...topics.slice(0, 2), OTHER] }],
  ['comes from no address', { topics: topics.toSpliced(1, 1, OTHER) }],
  ['has 33 bytes of data', { data: `0x${'00'.repeat(32)}07` }],
  ['moves nothing', { data: `0x${'00'.repeat(32)}` }],
] as const) {
  test(`a log that ${name} moves nothing`, () => {
    assert.deepEqual(inReceipt(change), [7n, 8n]);
    assert.deepEqual(inIndex(change), [7n, 8n]);
  });
}

for (const [name, change] of [
  ['is another event', { topics: [OTHER, ...topics.slice(1)] }],
  ['is of another contract', { address: PAYER }],
] as const) {
  test(`a log that ${name} moves nothing, and is a lie where only transfers were asked for`, () => {
    assert.deepEqual(inReceipt(change), [7n, 8n]);
    assert.throws(
      () => inIndex(change),
      (error) => error instanceof NodeLie && /was found that nobody asked for/.test(error.message),
    );
  });
}

test('a chain whose blocks have receipts of the system may have more of them', () => {
  const system = { ...receipts[0], transactionHash: OTHER, logs: [] };
  assert.deepEqual(receiptsOf([...receipts, system], true), [7n, 7n, 8n]);
});
