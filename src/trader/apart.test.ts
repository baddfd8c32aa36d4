// Keys of exchanges, and the library that uses them, never meet the service in one process: what the
// one program loads, file by file, and what the other one does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTest, SOURCE } from '#test/support/list-code.ts';
import { loadedBy } from '#test/support/loaded-by.ts';

const SERVICE = ['src/main.ts', 'src/cli/main.ts', 'src/server/start.ts'];
/** What the service may know of the trader: how to ask it. */
const CLIENT = ['src/trader/client.ts', 'src/trader/protocol.ts'];

test('the service loads nothing of the trader but how to ask it, and nothing of ccxt', () => {
  for (const program of SERVICE) {
    const loaded = loadedBy(program);
    assert(loaded.length > 300, `${program} was followed`);
    const ofTrader = loaded.filter((path) => path.startsWith('src/trader/'));
    assert.deepEqual(
      ofTrader.filter((path) => !CLIENT.includes(path)),
      [],
      program,
    );
    assert.equal(loaded.includes('ccxt'), false, program);
  }
});

test('ccxt is named by one file, which the trader alone loads', () => {
  const naming = SOURCE.filter((file) => !isTest(file) && /['"`]ccxt['"`/]/.test(file.text));
  assert.deepEqual(
    naming.map(({ path }) => path),
    ['src/trader/open-exchange.ts'],
  );
});

test('the trader loads no database and none of the service', () => {
  const loaded = loadedBy('src/cli/trade-main.ts');
  assert(loaded.includes('src/trader/open-exchange.ts'), 'the program was followed');
  const folders = new Set(loaded.map((path) => /^src\/([\w-]+)\//.exec(path)?.[1] ?? ''));
  for (const folder of [
    'db',
    'postgres',
    'server',
    'api',
    'pages',
    'ledger',
    'treasury',
    'signer',
  ]) {
    assert.equal(folders.has(folder), false, folder);
  }
  for (const name of ['pg', 'hono', '@hono/node-server']) {
    assert.equal(loaded.includes(name), false, name);
  }
});
