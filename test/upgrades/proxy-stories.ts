// Two processes restarted one after the other under load, behind the proxies that operators have, with
// the settings of docs/operate/upgrade.md. Run by `npm run test:upgrades`, which says which are here.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '#test/support/free-port.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, waitUntil } from '#test/support/shop.ts';
import { type SteadyLoad, startLoad } from '#test/support/steady-load.ts';

const BOOK = readFileSync(join(import.meta.dirname, '../../docs/operate/upgrade.md'), 'utf8');
const BLOCKS = [...BOOK.matchAll(/^```\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
const SETTINGS = { DRAIN_SECONDS: '5', RATE_LIMIT_PER_KEY: '0', RATE_LIMIT_PER_IP: '0' };
const ROUNDS = 3;
const BETWEEN = 60;
const SEEN_WITHIN_MS = 2_000;

type Proxy = {
  readonly name: string;
  readonly program: string | undefined;
  readonly begins: RegExp;
  /** Where it listens, in the place of what the book says. */
  listenAt(block: string, port: number): string;
  words(file: string): readonly string[];
};

const PROXIES: readonly Proxy[] = [
  {
    name: 'HAProxy',
    program: env.QUITTANCE_TEST_HAPROXY,
    begins: /^defaults\n/,
    listenAt: (block, port) => block.replace('127.0.0.1:8000', `127.0.0.1:${port}`),
    words: (file) => ['-db', '-f', file],
  },
  {
    name: 'Caddy',
    program: env.QUITTANCE_TEST_CADDY,
    begins: /^pay\.shop\.example \{\n/,
    listenAt: (block, port) =>
      `{\n  admin off\n  auto_https off\n}\n${block.replace('pay.shop.example', `http://127.0.0.1:${port}`)}`,
    words: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
  },
];

async function openTwo(): Promise<readonly [ServerProcess, ServerProcess]> {
  const first = await openServerProcess({ settings: SETTINGS });
  await first.start();
  const shared = { DATABASE_URL: first.databaseUrl, KEY_FILE: first.keyFile };
  const second = await openServerProcess({ settings: { ...SETTINGS, ...shared } });
  await second.start();
  return [first, second];
}

/** As the book has it: one after the other, with time for the proxy to see that the first is there. */
async function restartAll(servers: readonly ServerProcess[], load: SteadyLoad): Promise<void> {
  await load.pass(BETWEEN);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const server of servers) {
      assert.equal(await server.stop(), 0);
      await load.pass(BETWEEN);
      const before = asked(server);
      await server.start();
      await pause(SEEN_WITHIN_MS);
      await load.pass(BETWEEN);
      assert.ok(asked(server) > before, 'the proxy sends requests there again');
    }
  }
}

/** Its log has a line for some of them. */
function asked(server: ServerProcess): number {
  return server.output().split('"route":"/api/v1/checkout"').length;
}

for (const { name, program, begins, listenAt, words } of PROXIES) {
  if (program === undefined) continue;
  test(`behind ${name} no request fails while one process after the other is restarted`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'quittance-proxy-'));
    const servers = await openTwo();
    const shop = await openShop(servers[0], 'test');
    const port = await findFreePort();
    const block = BLOCKS.find((one) => begins.test(one));
    assert.ok(block !== undefined, `the book has settings for ${name}`);
    const [one, other] = servers.map(({ origin }) => new URL(origin).host);
    const file = join(folder, 'settings');
    const here = block.replace('127.0.0.1:8080', `${one}`).replace('127.0.0.1:8081', `${other}`);
    writeFileSync(file, listenAt(here, port));
    const proxy = spawn(program, words(file), {
      stdio: 'ignore',
      env: { ...env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    });
    const origin = `http://127.0.0.1:${port}`;
    try {
      await waitUntil(`${name} to serve`, () =>
        fetch(`${origin}/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
      const load = startLoad(origin, shop.key);
      await restartAll(servers, load).finally(load.end);
      assert.deepEqual((await load.end()).failures, []);
      await shop.checkBooks();
    } finally {
      const ended = once(proxy, 'exit');
      proxy.kill('SIGTERM');
      await ended;
      await shop.close();
      for (const server of servers) await server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
