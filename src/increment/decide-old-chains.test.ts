// Which chains of increments go after a new one was begun.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Link } from './chain.ts';
import { decideOldChains } from './decide-old-chains.ts';

const nameOf = (day: number) => `quittance-wal-202611${`${day}`.padStart(2, '0')}T120000Z`;

/** Whole: the files and a link of the log; else the files alone. */
function chain(day: number, isWhole: boolean, installationId = 'here'): readonly [string, Link[]] {
  const shared = {
    ...{ format: 1 as const, chain: nameOf(day), createdAt: '', postgres: 18, systemId: '7' },
    installationId,
    ...{ timeline: 1, segmentBytes: 16, database: 'd', role: 'r', bytes: 1 },
  };
  const base = { ...shared, number: 0, from: '0', to: '0', consistentAt: '5', previous: null };
  const log = { ...shared, number: 1, from: '0', to: '9', consistentAt: null };
  const links = [
    { ...base, sha256: 'a' },
    ...(isWhole ? [{ ...log, previous: 'a', sha256: 'b' }] : []),
  ];
  return [nameOf(day), links];
}

const gone = (chains: readonly (readonly [string, Link[]])[], keep: number) =>
  decideOldChains(new Map(chains), { keep, installationId: 'here' }).names;

test('the newest whole ones stay, older ones go', () => {
  const chains = [chain(1, true), chain(2, true), chain(3, true)];
  assert.deepEqual(gone(chains, 2), [nameOf(1)]);
  assert.deepEqual(gone(chains, 1), [nameOf(1), nameOf(2)]);
  assert.deepEqual(gone(chains, 5), []);
});

test('broken ones take the place of no whole one, and go with those that they are older than', () => {
  const chains = [chain(1, true), chain(2, false), chain(3, false), chain(4, true)];
  assert.deepEqual(gone(chains, 2), [], 'one whole one before the newest is to stay');
  assert.deepEqual(gone([...chains, chain(5, true)], 2), [nameOf(1), nameOf(2), nameOf(3)]);
  assert.deepEqual(gone([chain(1, true), chain(2, false)], 2), []);
});

test('of what goes every file goes, and of others none', () => {
  const { isOld } = decideOldChains(new Map([chain(3, true), chain(4, true)]), {
    ...{ keep: 1, installationId: 'here' },
  });
  const [old, newest, begun] = [nameOf(3), nameOf(4), nameOf(2)];
  for (const file of [`${old}.00000.age`, `${old}.00001.json`, `${old}.00000.facts.age`]) {
    assert.equal(isOld(file), true, file);
  }
  // A process that was killed left it: nothing says what it is.
  for (const file of [`${begun}.00000.facts.age`, `${begun}.00000.age.part`]) {
    assert.equal(isOld(file), true, file);
  }
  for (const file of [`${newest}.00000.age`, `${nameOf(5)}.00000.facts.age`, 'notes.txt']) {
    assert.equal(isOld(file), false, file);
  }
  assert.equal(isOld('quittance-20261101T120000Z.age'), false, 'a backup of all rows');
});

test('chains of another installation stay, and keep none of ours from going', () => {
  const [other, others] = [chain(1, true, 'there'), chain(5, true, 'there')];
  const chains = [other, chain(2, true), chain(3, true), chain(4, true), others];
  assert.deepEqual(gone(chains, 2), [nameOf(2)]);
  const { isOld } = decideOldChains(new Map(chains), { keep: 2, installationId: 'here' });
  assert.deepEqual(
    [1, 2, 3, 5].map((day) => isOld(`${nameOf(day)}.00000.age`)),
    [false, true, false, false],
  );
});
