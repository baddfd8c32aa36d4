import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Random, randomInteger } from '#base/random.ts';
import { NodeLie } from '#networks/answer-fields.ts';
import { createFakeEvmNode, PAYER, transferLog } from '#test/fakes/evm-node.ts';
import { mutateAnswer } from '#test/forged/mutate-answer.ts';
import { pick, seededRandom } from '#test/support/seeded-random.ts';
import { coinMovements, readEvmBlock, readHeader, readLogs } from './read-block.ts';
import { readReceipts } from './read-receipts.ts';

const CONTRACT = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const OURS = '0x00000000000000000000000000000000000000ff';
const tokens = new Map([[CONTRACT, 'USDC']]);
const plain = { hasSystemReceipts: false };

function whole(units: bigint) {
  const node = createFakeEvmNode();
  const { hash, parentHash, height, seconds, transactions, receipts } = node.mine(
    { to: OURS, value: units },
    node.pay(OURS, units, CONTRACT),
    {
      to: CONTRACT,
      logs: [transferLog(CONTRACT, PAYER, OURS, units), transferLog(PAYER, PAYER, OURS, 1n)],
    },
  );
  const number = `0x${height.toString(16)}`;
  const timestamp = `0x${seconds.toString(16)}`;
  return { json: { number, hash, parentHash, timestamp, transactions }, receipts };
}

test('every amount of up to 256 bits comes through exactly, in coin and token', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 2n ** 256n - 1n), (units) => {
      const { json, receipts } = whole(units);
      const block = readEvmBlock(json, 1n);
      const read = [...readReceipts(receipts, block, { tokens, ...plain }).values()];
      assert.deepEqual(
        read.flatMap(({ movements }) =>
          movements.map((moved) => [moved.key.slice(66), moved.units]),
        ),
        [
          [':0', units],
          [':0', units],
        ],
      );
      const coins = coinMovements(block, () => true, 'ETH');
      assert.deepEqual(
        coins.map(({ to, units: moved }) => [to, moved]),
        [[OURS, units]],
      );
    }),
    { numRuns: 100 },
  );
});

test('whatever is changed in receipts, never more is read than was there, or all is refused', () => {
  const { json, receipts } = whole(7n);
  const block = readEvmBlock(json, 1n);
  let refused = 0;
  for (let seed = 0; seed < 2000; seed += 1) {
    const { value, what } = mutateAnswer(seededRandom(seed), receipts, [
      'omit',
      'duplicate',
      'reorder',
      'truncate',
      'replace',
    ]);
    try {
      const read = [...readReceipts(value, block, { tokens, ...plain }).values()];
      const units = read
        .flatMap(({ movements }) => movements)
        .reduce((sum, one) => sum + one.units, 0n);
      assert(units <= 14n, what);
    } catch (error) {
      if (!(error instanceof NodeLie)) throw error;
      refused += 1;
    }
  }
  assert(refused > 500, `${refused}`);
});

test('whatever a header, a block or a list of logs is, it is read or refused, never worse', () => {
  const anything = fc.anything({ maxDepth: 3 });
  fc.assert(
    fc.property(anything, (value) => {
      for (const act of [
        () => readHeader(value),
        () => readEvmBlock(value, 1n),
        () => readLogs(value, { height: 1n, hash: '0x', senders: new Map() }, tokens),
      ]) {
        try {
          act();
        } catch (error) {
          assert(error instanceof NodeLie, String(error));
        }
      }
    }),
    { numRuns: 500 },
  );
});

type Log = { readonly data: string };

/** Well-formed, and not what happened: one too few, another amount, or another order. */
function otherLogs(random: Random, logs: readonly Log[]): readonly Log[] {
  const at = randomInteger(random, logs.length);
  const data = `0x${'00'.repeat(31)}${10 + randomInteger(random, 80)}`;
  return pick(random, [
    logs.toSpliced(at, 1),
    logs.map((log, place) => (place === at ? { ...log, data } : log)),
    logs.toReversed(),
  ]);
}

test('whatever the index of logs told before, receipts are read as they are', () => {
  const { json, receipts } = whole(7n);
  const block = readEvmBlock(json, 1n);
  const logs = (receipts as { logs: unknown[] }[]).flatMap((receipt) => receipt.logs);
  const changes = ['omit', 'duplicate', 'reorder', 'replace'] as const;
  const refusalOr = <Result>(read: () => Result): Result | string => {
    try {
      return read();
    } catch (error) {
      if (error instanceof NodeLie) return error.message;
      throw error;
    }
  };
  let different = 0;
  for (let seed = 0; seed < 2000; seed += 1) {
    const random = seededRandom(seed);
    const told = seed % 2 === 0 ? logs : otherLogs(random, logs as Log[]);
    const known = refusalOr(() => readLogs(told, block, tokens));
    if (typeof known === 'string') continue;
    const { value, what } =
      seed % 3 === 0
        ? { value: receipts, what: 'nothing' }
        : mutateAnswer(random, receipts, changes);
    const movementsOf = (before: typeof known) =>
      refusalOr(() => {
        const read = readReceipts(value, block, { tokens, known: before, ...plain });
        return [...read.values()].map(({ transaction, movements }) => [transaction, movements]);
      });
    const untold = movementsOf([]);
    assert.deepEqual(movementsOf(known), untold, what);
    if (JSON.stringify(told) !== JSON.stringify(logs) && typeof untold !== 'string') different += 1;
  }
  assert(different > 50, `${different} times the index told something else`);
});

test('a log of another token under the same number is another transfer', () => {
  const { json, receipts } = whole(7n);
  const block = readEvmBlock(json, 1n);
  const both = new Map([...tokens, [PAYER, 'EURC']]);
  const logs = (receipts as { logs: { address: string }[] }[]).flatMap((receipt) => receipt.logs);
  const told = logs.map((log) => ({ ...log, address: log.address === PAYER ? CONTRACT : PAYER }));
  const known = readLogs(told, block, both);
  assert.equal(known.length, 3);
  const read = readReceipts(receipts, block, { tokens: both, known, ...plain });
  assert.deepEqual(
    [...read.values()].flatMap(({ movements }) => movements.map(({ assetId }) => assetId)),
    ['USDC', 'USDC', 'EURC'],
  );
});

test('the fee is what the sender paid, on a rollup with what its own chain costs', () => {
  const node = createFakeEvmNode();
  const { hash, height, receipts } = node.mine({
    to: OURS,
    receipt: { gasUsed: '0x5208', effectiveGasPrice: '0x3b9aca00', l1Fee: '0x64' },
  });
  const block = {
    height: BigInt(height),
    hash,
    parentHash: hash,
    minedAt: Temporal.Instant.from('2026-01-01T00:00Z'),
    transactions: [],
    senders: new Map(),
  };
  const [read] = readReceipts(receipts, block, { tokens, hasSystemReceipts: true }).values();
  assert.equal(read?.feeUnits(), 21_000n * 1_000_000_000n + 100n);
});
