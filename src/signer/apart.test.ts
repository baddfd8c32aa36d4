// Keys and the web never meet in one process: what the one program loads, file by file, and
// what the other one does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadedBy } from '#test/support/loaded-by.ts';

const SERVICE = ['src/main.ts', 'src/cli/main.ts', 'src/server/start.ts'];
const SIGNER = 'src/cli/sign-main.ts';
/** What the service may know of the signer: how to ask it. */
const CLIENT = ['src/signer/client.ts', 'src/signer/protocol.ts', 'src/signer/sign-order.ts'];

test('the service loads nothing of the signer but how to ask it', () => {
  for (const program of SERVICE) {
    const loaded = loadedBy(program);
    assert(loaded.length > 300, `${program} was followed`);
    const others = loaded.filter(
      (path) => /^src\/(?:signer|networks\/signing)\//.test(path) && !CLIENT.includes(path),
    );
    assert.deepEqual(others, [], program);
  }
});

test('how to ask the signer leads to no key', () => {
  const own = loadedBy('src/signer/client.ts').filter((path) => path.startsWith('src/signer/'));
  assert.deepEqual(own, CLIENT);
});

test('the signer loads no database, no web server, nobody who asks a node', () => {
  const loaded = loadedBy(SIGNER);
  assert(loaded.includes('src/signer/key-file.ts'), 'the program was followed');
  assert(loaded.includes('src/networks/signing/utxo-key.ts'), 'to the end');
  const folders = new Set(loaded.map((path) => /^src\/([\w-]+)\//.exec(path)?.[1] ?? ''));
  for (const folder of [
    'db',
    'postgres',
    'server',
    'api',
    'pages',
    'checkout',
    'ledger',
    'event',
  ]) {
    assert.equal(folders.has(folder), false, folder);
  }
  for (const name of ['pg', 'hono', '@hono/node-server', 'node:http', 'node:https', 'undici']) {
    assert.equal(loaded.includes(name), false, name);
  }
});
