import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findGap, type Link } from './chain.ts';

const sha = (number: number) => `${number}`.padStart(64, '0');

function link(number: number, changes: Partial<Link> = {}): Link {
  return {
    ...{ format: 1, chain: 'quittance-wal-20261128T120000Z', number },
    ...{ createdAt: '2026-11-28T12:00:00Z', postgres: 18, systemId: '7', timeline: 1 },
    ...{ segmentBytes: 16_777_216, database: 'quittance', role: 'quittance' },
    from: `${number === 0 ? 100 : 100 * number}`,
    to: `${number === 0 ? 100 : 100 * (number + 1)}`,
    consistentAt: number === 0 ? '150' : null,
    previous: number === 0 ? null : sha(number - 1),
    ...{ bytes: 1, sha256: sha(number) },
    ...changes,
  };
}

test('links from the first on, each where the one before ended, are whole', () => {
  assert.equal(findGap([link(0), link(1)]), undefined);
  assert.equal(findGap([link(0), link(1), link(2), link(3)]), undefined);
});

test('what is missing, exchanged or of another server is said with its number', () => {
  const said: readonly (readonly [Link[], RegExp])[] = [
    [[], /^increment 0, which all others rest on, is missing$/],
    [[link(1), link(2)], /^increment 0, which all others rest on, is missing$/],
    [[link(0)], /with which its files are of one moment/],
    [[link(0), link(1, { to: '149' })], /with which its files are of one moment/],
    [[link(0), link(1), link(3)], /^increment 2 is missing, and number 3 needs it; before it/],
    [[link(0), link(1), link(2, { previous: sha(9) })], /^increment 2 does not follow number 1/],
    [[link(0), link(1), link(2, { from: '201' })], /^increment 2 does not follow number 1/],
    [[link(0), link(1), link(2, { timeline: 2 })], /^increment 2 is of another server/],
    [[link(0), link(1), link(2, { systemId: '8' })], /^increment 2 is of another server/],
  ];
  for (const [links, sentence] of said) assert.match(findGap(links) ?? 'whole', sentence);
});
