// A year by chance as beancount and hledger read it: each takes every page of its journal as one file,
// finds the balances that the ledger has, and refuses a file with one digit changed.
// Run by npm run test:books, which names the programs.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { decodeCursor, type PagePlace } from '#db/page-cursor.ts';
import { writeBooks } from '#report/write-books.ts';
import { houseJournal, housePeriod } from '#report/write-house.ts';
import { beginYear, liveYear, yearAct } from '#test/support/random-year.ts';
import { openTestApi, type TestApi } from '#test/support/test-api.ts';

const START = Temporal.Instant.from('2026-01-01T00:00:00Z');
const PROGRAMS = {
  beancount: {
    command: process.env.QUITTANCE_TEST_BEAN_CHECK ?? '',
    words: (file: string) => [file],
  },
  hledger: {
    command: process.env.QUITTANCE_TEST_HLEDGER ?? '',
    words: (file: string) => ['-f', file, 'check'],
  },
} as const;

let api: TestApi;
let folder: string;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quittance-books-'));
  api = await openTestApi();
  const acts = fc.sample(yearAct, { numRuns: 250, seed: 11 });
  await liveYear(beginYear(api, api.merchantId, 0), acts, { start: START, gap: 30 });
});
after(async () => {
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});

async function journal(format: keyof typeof PROGRAMS, from: Temporal.Instant | undefined) {
  const texts: string[] = [];
  let cursor: PagePlace | undefined;
  do {
    const { merchantId } = api;
    const period = { merchantId, environment: 'test', from, to: undefined } as const;
    const asked = { ...period, format, assetId: undefined, limit: 20, cursor };
    const { text, nextCursor } = await writeBooks(api.db, asked, START.add({ hours: 365 * 24 }));
    texts.push(text);
    cursor = nextCursor === null ? undefined : decodeCursor(nextCursor);
  } while (cursor !== undefined);
  assert.ok(texts.length > 3, 'there are several pages');
  return texts.join('\n');
}

async function houseBooks(format: keyof typeof PROGRAMS, from: Temporal.Instant | undefined) {
  const period = await housePeriod(api.app, { environment: 'test', from, to: undefined });
  const texts = houseJournal(api.db, format, period, START.add({ hours: 365 * 24 }));
  return (await Array.fromAsync(texts)).join('');
}

const BOOKS = {
  'the year of a merchant': { write: journal, account: 'Assets:Quittance:Available' },
  'the year of the house': { write: houseBooks, account: 'Assets:Quittance:Hot:LITECOIN' },
} as const;

for (const format of ['beancount', 'hledger'] as const) {
  const { command, words } = PROGRAMS[format];
  const read = (text: string) => {
    const file = join(folder, `ledger.${format}`);
    writeFileSync(file, text);
    const { status, stdout, stderr } = spawnSync(command, words(file), { encoding: 'utf8' });
    return { status, said: `${stdout}${stderr}`.slice(0, 2000) };
  };
  for (const [name, { write, account }] of Object.entries(BOOKS)) {
    test(`${format} takes ${name}, whole or from a day on, and no other one`, async () => {
      for (const from of [undefined, START.add({ hours: 2000 })]) {
        const text = await write(format, from);
        assert.deepEqual(read(text), { status: 0, said: '' });
        const amount = new RegExp(`(${account} {2}-?\\d+\\.\\d*)(\\d)`);
        const wrong = text.replace(
          amount,
          (_, head, digit) => `${head}${(Number(digit) + 1) % 10}`,
        );
        assert.notEqual(wrong, text);
        assert.notEqual(read(wrong).status, 0, 'a digit was changed');
      }
    });
  }
}
