// The programs of released versions over the schema of this one, and the way there and back under
// load. Run by `npm run test:upgrades`, which brings the programs.
import assert from 'node:assert/strict';
import { env } from 'node:process';
import { test } from 'node:test';
import { openReadyProxy } from '#test/support/ready-proxy.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { startLoad } from '#test/support/steady-load.ts';
import { goOn, restoreRelease } from './kept-release.ts';
import { listReleases } from './list-releases.ts';

/** Where the program of a version lies. */
const PROGRAMS = JSON.parse(env.QUITTANCE_TEST_PROGRAMS ?? '{}') as Record<string, string>;
const SETTINGS = { DRAIN_SECONDS: '5', RATE_LIMIT_PER_KEY: '0', RATE_LIMIT_PER_IP: '0' };
const BETWEEN = 20;

async function withServers(
  programs: readonly (string | undefined)[],
  act: (servers: readonly ServerProcess[]) => Promise<void>,
): Promise<void> {
  const servers: ServerProcess[] = [];
  try {
    for (const program of programs) {
      const [first] = servers;
      const shared = first && { DATABASE_URL: first.databaseUrl, KEY_FILE: first.keyFile };
      const settings = { ...SETTINGS, ...shared };
      servers.push(
        await openServerProcess(program === undefined ? { settings } : { settings, program }),
      );
    }
    await act(servers);
  } finally {
    for (const server of servers) await server.close();
  }
}

for (const release of listReleases()) {
  const { version } = release.facts;
  const program = PROGRAMS[version];
  assert.ok(program !== undefined, `there is no program of ${version}`);

  test(`the program of ${version} goes on over the schema of this one`, async () => {
    await withServers([program], async ([old]) => {
      assert.ok(old !== undefined);
      // This program brings the data of that one to its own schema.
      await restoreRelease(old, release);
      await old.start();
      await goOn(old, release);
    });
  });

  test(`from ${version} to this one and back: no request fails`, async () => {
    await withServers([program, undefined], async ([old, fresh]) => {
      assert.ok(old !== undefined && fresh !== undefined);
      await restoreRelease(old, release, 'its program');
      await old.start();
      const proxy = await openReadyProxy([old.origin, fresh.origin]);
      const load = startLoad(proxy.origin, release.facts.key);
      try {
        await load.pass(BETWEEN);
        // Up: the new program brings the schema along while the old one serves.
        await fresh.start();
        await proxy.waitUntilReady(fresh.origin);
        await load.pass(BETWEEN);
        assert.equal(await old.stop(), 0);
        await load.pass(BETWEEN);
        // And back.
        await old.start();
        await proxy.waitUntilReady(old.origin);
        assert.equal(await fresh.stop(), 0);
        await load.pass(BETWEEN);
      } finally {
        await load.end();
        await proxy.close();
      }
      const { failures } = await load.end();
      assert.deepEqual(failures, []);
      assert.deepEqual([...old.errors(), ...fresh.errors()], []);
      await goOn(old, release);
    });
  });
}
