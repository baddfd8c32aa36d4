// The node of a profile started by exactly the command line of compose.yaml, on the network of
// compose.yaml, and the settings that containers.md tells for it: `doctor` and the service see that
// node. Run by `npm run test:compose -- --nodes`, in a network of its own that leads nowhere.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { after, before, test } from 'node:test';
import { findLitecoind } from '#test/nodes/litecoin-node.ts';
import { ROOT } from '#test/support/read-source.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { waitUntil } from '#test/support/shop.ts';

const DESCRIPTOR =
  'wpkh([d34db33f/84h/2h/0h]xpub6CUGRUonZSQ4TWtTMmzXdrXDtypWKiKrhko4egpiMZbpiaQL2jkwSB1icqYh2cfDfVxdx4df189oLKnC5fSwqPfgyP3hooxujYzAu3fDVmz/0/*)';
const home = mkdtempSync(join(tmpdir(), 'quittance-node-'));
const cookie = join(home, '.litecoin', '.cookie');
let node: ChildProcess | undefined;
let said = '';
let shop: ServerProcess | undefined;

/** The words of a service of compose.yaml, in its order. */
function commandOf(service: string): string[] {
  const compose = readFileSync(join(ROOT, 'compose.yaml'), 'utf8');
  const pattern = new RegExp(`^ {2}${service}:\\n([\\s\\S]*?)^ {2}\\w+:$`, 'm');
  const [, block = ''] = pattern.exec(compose) ?? [];
  const [, lines = ''] = /^ {4}command:\n((?: {6}.*\n)+)/m.exec(block) ?? [];
  return [...lines.matchAll(/^ {6}- (\S+)$/gm)].map(([, word = '']) => word);
}

before(async () => {
  const words = commandOf('litecoind');
  assert.ok(words.length > 6, 'compose.yaml has a command for it');
  node = spawn(await findLitecoind(), words, {
    env: { HOME: home, PATH: env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [node.stdout, node.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(-4_000);
    });
  }
  await waitUntil('the node to write its cookie', () => {
    assert.equal(node?.exitCode, null, said);
    return statSync(cookie, { throwIfNoEntry: false }) !== undefined;
  });
});
after(async () => {
  await shop?.close();
  if (node?.exitCode === null) {
    const ended = once(node, 'exit');
    node.kill('SIGTERM');
    await ended;
  }
  rmSync(home, { recursive: true, force: true });
});

test('its cookie may be read by the service, which is another user', () => {
  assert.notEqual(statSync(cookie).mode & 0o004, 0);
  assert.notEqual(statSync(join(home, '.litecoin')).mode & 0o001, 0);
});

test('doctor and the service reach it by the name and the port that the book tells', async () => {
  const book = readFileSync(join(ROOT, 'docs/operate/containers.md'), 'utf8');
  assert.match(book, /`--profile litecoin` .* the same with `LITECOIN_` and `litecoind:9332`/);
  shop = await openServerProcess({
    settings: {
      ...{ LITECOIN_RPC_URL: 'http://litecoind:9332', LITECOIN_DESCRIPTOR: DESCRIPTOR },
      // The volume of the node is mounted at /nodes/litecoin there.
      ...{ LITECOIN_RPC_COOKIE_FILE: cookie, LITECOIN_ZMQ_URL: 'tcp://litecoind:28332' },
    },
  });
  await shop.start();
  const server = shop;
  type Finding = { readonly what: string; readonly ok: boolean; readonly detail: string };
  let found: Finding | undefined;
  await waitUntil('doctor to tell of the node', async () => {
    const { json } = await server.command('doctor', '--json');
    found = (json.findings as Finding[]).find(({ what }) => what === 'live:LITECOIN');
    return found !== undefined && !/not watched yet/.test(found.detail);
  });
  // A node of the main chain that has read nothing yet says so, and nothing is offered there.
  assert.match(
    found?.detail ?? '',
    /the node is still downloading the chain: it has 0 of 0 blocks/,
  );
  const chain = (await server.health()).body.chains.find((one) => one.chain === 'live:LITECOIN');
  assert.match(chain?.error ?? '', /still downloading the chain/);
});
