import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { departuresOf } from './departures-of.ts';
import type { ValueMovement } from './read-block.ts';
import type { OwnFee } from './read-blocks.ts';

const [OURS, MINE, STRANGER, OTHER] = ['a1', 'a2', 'b1', 'b2'].map(
  (end) => `0x${end.padStart(40, '0')}`,
) as [string, string, string, string];
const own = { isOurs: (address: string) => [OURS, MINE].includes(address), coinAssetId: 'ETH' };

const moved = (from: string, to: string, units: bigint, key = 't1:value'): ValueMovement => {
  const [transaction = '', place] = key.split(':');
  return { key, transaction, assetId: place === 'value' ? 'ETH' : 'USDC', from, to, units };
};
const fee = (units: bigint, transaction = 't1', address = OURS, nonce?: bigint): OwnFee => {
  return { address, transaction, nonce, units };
};
const part = ({ key, to, assetId, units }: ValueMovement) => {
  return { creditKey: key, destination: to, assetId, units };
};

for (const [what, movements, fees, wanted] of [
  ['what comes is none', [moved(STRANGER, OURS, 5n)], [], []],
  [
    'coins sent cost their fee',
    [moved(OURS, STRANGER, 5n)],
    [fee(2n)],
    [{ transaction: 't1', parts: [part(moved(OURS, STRANGER, 5n))], units: 2n }],
  ],
  [
    'one that failed has its fee and no parts',
    [],
    [fee(3n)],
    [{ transaction: 't1', parts: [], units: 3n }],
  ],
  [
    'a token that somebody else fetches costs us nothing more',
    [moved(OURS, OTHER, 7n, 't1:0')],
    [],
    [{ transaction: 't1', parts: [part(moved(OURS, OTHER, 7n, 't1:0'))], units: 0n }],
  ],
  [
    'what goes to ourselves is a part as well',
    [moved(OURS, MINE, 5n), moved(STRANGER, MINE, 1n, 't2:value')],
    [fee(2n)],
    [{ transaction: 't1', parts: [part(moved(OURS, MINE, 5n))], units: 2n }],
  ],
  [
    'each receiver of a batch is a part of the same',
    [moved(OURS, STRANGER, 1n, 't1:0'), moved(MINE, OTHER, 2n, 't1:4')],
    [fee(9n, 't1', MINE)],
    [
      {
        transaction: 't1',
        parts: [part(moved(OURS, STRANGER, 1n, 't1:0')), part(moved(MINE, OTHER, 2n, 't1:4'))],
        units: 9n,
      },
    ],
  ],
] as const) {
  test(what, () => {
    const found = departuresOf({ movements, fees, executed: [] }, own);
    assert.deepEqual(
      found,
      wanted.map(({ units, ...one }) => ({ ...one, spends: [], fee: { assetId: 'ETH', units } })),
    );
  });
}

test('nothing that leaves is lost or told twice, whatever is in the block', () => {
  const address = fc.constantFrom(OURS, MINE, STRANGER, OTHER);
  const hash = fc.constantFrom('t1', 't2', 't3');
  const movement = fc
    .tuple(address, address, fc.bigInt(1n, 2n ** 256n - 1n), hash, fc.nat(9))
    .map(([from, to, units, transaction, place]) =>
      moved(from, to, units, `${transaction}:${place || 'value'}`),
    );
  const unique = { selector: ({ key }: ValueMovement) => key };
  const fees = fc
    .uniqueArray(fc.tuple(hash, fc.bigInt(0n, 2n ** 80n)), { selector: ([one]) => one })
    .map((list) => list.map(([transaction, units]) => fee(units, transaction)));
  fc.assert(
    fc.property(fc.uniqueArray(movement, unique), fees, (movements, paid) => {
      const found = departuresOf({ movements, fees: paid, executed: [] }, own);
      const told = found.flatMap(({ parts }) => parts.map(({ creditKey }) => creditKey));
      const leaving = movements.filter(({ from }) => own.isOurs(from)).map(({ key }) => key);
      assert.deepEqual(told.sort(), leaving.sort());
      const transactions = found.map(({ transaction }) => transaction);
      assert.equal(new Set(transactions).size, transactions.length);
      for (const { transaction, fee: told } of found) {
        const own = paid.find((one) => one.transaction === transaction);
        assert.equal(told.units, own?.units ?? 0n);
      }
      assert(paid.every((one) => transactions.includes(one.transaction)));
    }),
  );
});

test('what the Safe carried out names what its owners signed, also when it moved nothing', () => {
  const executed = [
    { transaction: 't1', digest: '0xaa', movements: [] },
    { transaction: 't2', digest: '0xbb', movements: [] },
  ];
  const movements = [moved(OURS, STRANGER, 5n, 't1:safe')];
  const found = departuresOf({ movements, fees: [fee(3n, 't2')], executed }, own);
  assert.deepEqual(
    found.map(({ transaction, spends, parts, fee: paid }) => {
      return [transaction, spends, parts.length, paid.units];
    }),
    [
      ['t1', ['0xaa'], 1, 0n],
      ['t2', ['0xbb'], 0, 3n],
    ],
  );
});

test('what ours sent spends its nonce, as what is drafted says; what nobody signed spends none', () => {
  const fees = [fee(3n, 't1', OURS, 7n), fee(1n, 't2', MINE, 0n), fee(1n, 't3')];
  const executed = [{ transaction: 't2', digest: '0xbb', movements: [] }];
  assert.deepEqual(
    departuresOf({ movements: [], fees, executed }, own).map(({ spends }) => spends),
    [[`${OURS}/7`], [`${MINE}/0`, '0xbb'], []],
  );
});
