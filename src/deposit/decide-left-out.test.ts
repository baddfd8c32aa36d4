import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideLeftOut, GAP_LEFT, type SourceFacts } from './decide-left-out.ts';

const nothing: SourceFacts = {
  next: undefined,
  kept: undefined,
  used: undefined,
  isDerived: true,
  jump: 0n,
  isAsked: false,
};
const jump = 5_000n;

for (const [name, facts, expected] of [
  ['a new source of a new account begins at its first address', {}, undefined],
  ['a database that is as its record says goes on', { next: 27n, kept: 27n }, undefined],
  ['a record that another process was ahead of is no restore', { next: 40n, kept: 27n }, undefined],
  [
    'a database behind its record was restored: exactly what it does not know is left out',
    { next: 20n, kept: 30n },
    { from: 20n, to: 30n, reason: 'restored' },
  ],
  [
    'without a record nobody knows how far: a gap that wallets still look across',
    { next: 20n },
    { from: 20n, to: 20n + GAP_LEFT, reason: 'no record' },
  ],
  [
    'without a record the gap lies behind what the chain shows',
    { next: 20n, used: 33n },
    { from: 20n, to: 34n + GAP_LEFT, reason: 'no record' },
  ],
  [
    'a new database on an account that was paid before begins behind it',
    { used: 8n },
    { from: 0n, to: 9n + GAP_LEFT, reason: 'older database' },
  ],
  [
    'a new database beside the record of an older one begins where that ended',
    { kept: 30n },
    { from: 0n, to: 30n, reason: 'older database' },
  ],
  ['a new database goes on where the chain was asked and showed nothing', { kept: 0n }, undefined],
  [
    'a database of another machine beside a record of nothing is without a record',
    { next: 20n, kept: 0n, used: 33n },
    { from: 20n, to: 34n + GAP_LEFT, reason: 'no record' },
  ],
  [
    'asked for, a gap is left behind all that is known',
    { next: 20n, kept: 30n, used: 24n, isAsked: true },
    { from: 20n, to: 30n + GAP_LEFT, reason: 'asked for' },
  ],
  ['a new source of numbers begins anywhere', { isDerived: false, kept: 7n, jump }, undefined],
  [
    'numbers of a restored database go on far behind its record, where no other machine has been',
    { isDerived: false, next: 20n, kept: 30n, jump },
    { from: 20n, to: 5_030n, reason: 'restored' },
  ],
  [
    'numbers without a record go on anywhere',
    { isDerived: false, next: 20n, jump },
    { from: 20n, to: 5_020n, reason: 'no record' },
  ],
] as const) {
  test(name, () => {
    assert.deepEqual(decideLeftOut({ ...nothing, ...facts }), expected);
  });
}
