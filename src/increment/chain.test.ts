import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BackupPlace } from '#backup/backup-place.ts';
import { fileOf, findGap, findNewestChain, type Link } from './chain.ts';

const sha = (number: number) => `${number}`.padStart(64, '0');

function link(number: number, changes: Partial<Link> = {}): Link {
  return {
    ...{ format: 1, chain: 'quittance-wal-20261128T120000Z', number },
    ...{ createdAt: '2026-11-28T12:00:00Z', postgres: 18, systemId: '7', timeline: 1 },
    installationId: 'here',
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

/** Files by name, and which of them were read. */
function placeOf(links: readonly Link[], without: readonly string[] = []) {
  const files = new Map<string, string>();
  for (const one of links) {
    files.set(fileOf(one, '.age'), 'sealed');
    files.set(fileOf(one, '.json'), JSON.stringify(one));
  }
  for (const file of without) files.delete(file);
  const read: string[] = [];
  const place: BackupPlace = {
    name: 'here',
    list: async () => [...files.keys()],
    async read(file) {
      read.push(file);
      return (async function* only() {
        yield Buffer.from(files.get(file) ?? '');
      })();
    },
    write: () => assert.fail('nothing is written'),
    remove: () => assert.fail('nothing is removed'),
  };
  return { place, read };
}

test('of the newest chain two files are read, however many there are', async () => {
  const older = { chain: 'quittance-wal-20261121T120000Z' };
  const links = Array.from({ length: 600 }, (_, number) => link(number));
  const { place, read } = placeOf([...links.map((one) => ({ ...one, ...older })), ...links]);
  const found = await findNewestChain(place);
  assert.deepEqual([found?.base.number, found?.last.number, found?.gap], [0, 599, undefined]);
  assert.deepEqual(read, [fileOf(link(0), '.json'), fileOf(link(599), '.json')]);
});

test('its gaps are known by name; an end that is not whole is not there', async () => {
  const links = [link(0), link(1), link(2), link(3)];
  const gapOf = async (...without: string[]) => {
    const found = await findNewestChain(placeOf(links, without).place);
    return [found?.last.number, found?.gap];
  };
  assert.deepEqual(await gapOf(), [3, undefined]);
  assert.deepEqual(await gapOf(fileOf(link(2), '.age')), [3, 'increment 2 is missing']);
  assert.deepEqual(await gapOf(fileOf(link(0), '.json')), [3, 'increment 0 is missing']);
  assert.deepEqual(await gapOf(fileOf(link(3), '.json')), [2, undefined]);
  assert.deepEqual(await gapOf(fileOf(link(3), '.age')), [2, undefined]);
  const files = await findNewestChain(placeOf([link(0)]).place);
  assert.equal(files?.gap, undefined, 'its next link is the one it needs');
  const moved = await findNewestChain(placeOf([link(0), link(1, { timeline: 2 })]).place);
  assert.match(moved?.gap ?? '', /increment 1 is of another server/);
  assert.equal(await findNewestChain(placeOf([]).place), undefined);
});
