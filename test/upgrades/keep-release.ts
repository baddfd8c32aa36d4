// Takes the data of this version for the upgrade tests of later ones. Run by
// `scripts/keep-release-data.mjs`: the program that made them is the one of the commit before them.
import assert from 'node:assert/strict';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { VERSION } from '#server/config.ts';
import { openServerProcess } from '#test/support/server-process.ts';
import { openShop } from '#test/support/shop.ts';
import { makeBusy } from './busy-installation.ts';
import { FACTS_FILE, IDENTITY_FILE, KEY_FILE, type KeptFacts, RELEASES } from './list-releases.ts';

test('the data of this version are kept', async () => {
  const folder = join(RELEASES, VERSION);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const server = await openServerProcess();
  try {
    await server.start();
    const shop = await openShop(server, 'test');
    const busy = await makeBusy(server, shop).finally(shop.close);
    await server.stop();
    const identity = join(folder, IDENTITY_FILE);
    const made = await server.command('backup', 'key', identity, '--json');
    assert.equal(made.exitCode, 0, made.stderr);
    const sealed = ['--recipients', String(made.json.recipient), '--json'];
    const backup = await server.command('backup', '--to', folder, ...sealed);
    assert.equal(backup.exitCode, 0, backup.stderr);
    await copyFile(server.keyFile, join(folder, KEY_FILE));
    const migration = String(backup.json.migration);
    const facts: KeptFacts = { version: VERSION, migration, ...busy };
    await writeFile(join(folder, FACTS_FILE), `${JSON.stringify(facts, undefined, 2)}\n`);
  } finally {
    await server.close();
  }
});
