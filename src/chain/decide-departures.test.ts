import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Arrival, Block, Observation, Spend } from '#deposit/network.ts';
import { decideDepartures, type NewDeparture, type OwnOutput } from './decide-departures.ts';

const BTC = 'BTC:NATIVE';
const OURS = 'ours:0';
const own = (units: bigint): OwnOutput => ({ assetId: BTC, units });

function arrival(transaction: string, vout: number, destination: string, units: bigint): Arrival {
  const creditKey = `${transaction}:${vout}`;
  return { creditKey, transaction, destination, assetId: BTC, units, spends: [], ours: false };
}

function observe(
  spends: readonly Spend[],
  arrivals: readonly Arrival[],
  more: Partial<Block> = {},
): Observation {
  const block: Block = {
    height: 5n,
    hash: 'h5',
    parentHash: 'h4',
    minedAt: Temporal.Instant.fromEpochMilliseconds(0),
    arrivals,
    ...more,
  };
  return {
    identity: 'chain',
    tip: block,
    rollbackTo: undefined,
    blocks: [block],
    unconfirmed: [],
    gone: [],
    spends,
    complete: true,
  };
}

function decide(
  observation: Observation,
  outputs: Record<string, bigint>,
  ours: string[] = [],
): NewDeparture[] {
  const ownOutputs = new Map(Object.entries(outputs).map(([key, units]) => [key, own(units)]));
  return decideDepartures({ observation, ownOutputs, isOwn: (one) => ours.includes(one) });
}

test('what spends an output of ours is a departure: receiver, change and fee', () => {
  const spends = [{ transaction: 't', spends: [OURS], height: 5n }];
  const paid = [arrival('t', 0, 'payee', 700n), arrival('t', 1, 'change', 290n)];
  const [found, ...more] = decide(observe(spends, paid), { [OURS]: 1_000n }, ['change']);
  assert.deepEqual(more, []);
  assert.deepEqual(found?.fee, { assetId: BTC, units: 10n });
  assert.deepEqual(found?.block, { height: 5n, hash: 'h5' });
  assert.deepEqual(
    found?.parts.map(({ destination, units, isOwn }) => [destination, units, isOwn]),
    [
      ['payee', 700n, false],
      ['change', 290n, true],
    ],
  );
});

test('what spends nothing of ours is none', () => {
  const spends = [{ transaction: 't', spends: ['theirs:0'], height: 5n }];
  assert.deepEqual(decide(observe(spends, [arrival('t', 0, 'x', 1n)]), { [OURS]: 1_000n }), []);
});

test('an output to a script that we never hand out counts as well', () => {
  const creditKey = 't:0';
  const others = [{ creditKey, destination: 'script:76a9', assetId: BTC, units: 900n }];
  const spends = [{ transaction: 't', spends: [OURS], height: 5n, others }];
  const [found] = decide(observe(spends, []), { [OURS]: 1_000n });
  assert.equal(found?.fee.units, 100n);
  assert.equal(found?.parts[0]?.destination, 'script:76a9');
});

test('where others pay in the same transaction nobody can say what the fee of ours is', () => {
  const spends = [{ transaction: 't', spends: [OURS, 'theirs:0'], height: 5n }];
  const [found] = decide(observe(spends, [arrival('t', 0, 'x', 1_500n)]), { [OURS]: 1_000n });
  assert.equal(found?.fee.units, undefined);
  assert.deepEqual(found?.spends, [OURS]);
});

test('where others pay less than all of it is spent, the fee of ours is not told either', () => {
  const spends = [{ transaction: 't', spends: [OURS, 'theirs:0'], height: 5n }];
  const [found] = decide(observe(spends, [arrival('t', 0, 'x', 500n)]), { [OURS]: 1_000n });
  assert.equal(found?.fee.units, undefined);
});

test('a transaction that pays no fee has one of zero', () => {
  const spends = [{ transaction: 't', spends: [OURS], height: 5n }];
  const [found] = decide(observe(spends, [arrival('t', 0, 'x', 1_000n)]), { [OURS]: 1_000n });
  assert.equal(found?.fee.units, 0n);
});

test('before it is in a block it has none', () => {
  const spends = [{ transaction: 't', spends: [OURS] }];
  const [found] = decide(observe(spends, []), { [OURS]: 1_000n });
  assert.deepEqual([found?.transaction, found?.block], ['t', undefined]);
});

test('what we paid somebody is theirs: who spends it next is not us', () => {
  const spends = [
    { transaction: 't', spends: [OURS], height: 5n },
    { transaction: 'u', spends: ['t:0'], height: 5n },
  ];
  const paid = [arrival('t', 0, 'payee', 990n), arrival('u', 0, 'elsewhere', 980n)];
  const found = decide(observe(spends, paid), { [OURS]: 1_000n }, ['change']);
  assert.deepEqual(
    found.map(({ transaction }) => transaction),
    ['t'],
  );
});

test('change that is spent again in the next transaction is a departure too', () => {
  const spends = [
    { transaction: 't', spends: [OURS], height: 5n },
    { transaction: 'u', spends: ['t:0'], height: 5n },
  ];
  const paid = [arrival('t', 0, 'change', 990n), arrival('u', 0, 'payee', 980n)];
  const found = decide(observe(spends, paid), { [OURS]: 1_000n }, ['change']);
  assert.deepEqual(
    found.map(({ transaction, fee }) => [transaction, fee.units]),
    [
      ['t', 10n],
      ['u', 10n],
    ],
  );
});

test('a coin that comes and is spent within one look is ours all the same', () => {
  const spends = [
    { transaction: 't1', spends: ['theirs:0'], height: 5n },
    { transaction: 't2', spends: ['t1:0', OURS], height: 5n },
  ];
  const paid = [arrival('t1', 0, 'ours', 800n), arrival('t2', 0, 'cold', 1_790n)];
  const [found, ...more] = decide(observe(spends, paid), { [OURS]: 1_000n }, ['ours']);
  assert.deepEqual(more, []);
  assert.deepEqual(found?.spends, ['t1:0', OURS]);
  assert.deepEqual(found?.fee, { assetId: BTC, units: 10n });
});

test('a network that names senders tells its departures itself', () => {
  const fee = { assetId: 'ETH:NATIVE', units: 21n };
  const parts = [{ creditKey: 'e/0', destination: '0xpayee', assetId: 'ETH:NATIVE', units: 5n }];
  const departures = [{ transaction: 'e', parts, fee }];
  const [found] = decide(observe([], [], { departures }), {});
  assert.deepEqual([found?.transaction, found?.fee, found?.spends], ['e', fee, []]);
  assert.deepEqual(found?.block, { height: 5n, hash: 'h5' });
  assert.equal(found?.parts[0]?.isOwn, false);
});

test('nothing is made or lost: what was spent is what was paid and the fee', () => {
  const amount = fc.bigInt(1n, 10n ** 15n);
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1 }), fc.array(amount), (inputs, outputs) => {
      const keys = inputs.map((_, index) => `ours:${index}`);
      const owned = Object.fromEntries(inputs.map((units, index) => [`ours:${index}`, units]));
      const paid = outputs.map((units, index) => arrival('t', index, `to-${index}`, units));
      const spends = [{ transaction: 't', spends: keys, height: 5n }];
      const [found] = decide(observe(spends, paid), owned);
      const sum = (list: readonly bigint[]) => list.reduce((total, one) => total + one, 0n);
      const left = sum(inputs) - sum(outputs);
      assert.equal(found?.fee.units, left < 0n ? undefined : left);
    }),
  );
});
