// Upgrades both ways. The data of each released version are brought here and go on; and this program
// serves, and starts again, over the schema of a later one that has only added to it. That the
// programs of released versions do the same over this schema: `npm run test:upgrades`.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#db/db.ts';
import { rawStatement } from '#db/statement.ts';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop } from '#test/support/shop.ts';
import { startLoad } from '#test/support/steady-load.ts';
import { goOn, restoreRelease, sell } from '#test/upgrades/kept-release.ts';
import { listReleases } from '#test/upgrades/list-releases.ts';

const RELEASES = listReleases();

async function withServer(act: (server: ServerProcess) => Promise<void>): Promise<void> {
  const server = await openServerProcess({ settings: { RATE_LIMIT_PER_KEY: '0' } });
  try {
    await act(server);
  } finally {
    await server.close();
  }
}

test('there are data of a release', () => assert.ok(RELEASES.length > 0));

for (const release of RELEASES) {
  test(`the data of ${release.facts.version} are all here, and go on`, async () => {
    await withServer(async (server) => {
      await restoreRelease(server, release);
      await server.start();
      await goOn(server, release);
    });
  });
}

/** Every table has one more column, and there is one more table: what expands, at its worst. */
async function expandAll({ db }: ServerProcess): Promise<void> {
  const tables = await db.query<{ name: string }>(sql`
    select relname::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      and not relispartition order by 1`);
  for (const { name } of tables) {
    const statement = `alter table "${name}" add column of_a_later_release text default 'x'`;
    await db.single((tx) => tx.query(rawStatement(statement)));
  }
  await db.transact(async (tx) => {
    tx.send(sql`create table of_a_later_release (id text primary key)`);
    tx.send(sql`insert into schema_migration (number, name, checksum)
      select max(number) + 1, '9999-of-a-later-release', 'abc' from schema_migration`);
  });
}

test('a program goes on over the schema of a later one, and starts again over it', async () => {
  await withServer(async (server) => {
    await server.start();
    const shop = await openShop(server, 'test');
    try {
      const load = startLoad(server.origin, shop.key);
      let ended: Awaited<ReturnType<typeof load.end>>;
      try {
        await load.pass(10);
        await expandAll(server);
        await load.pass(30);
      } finally {
        // Nothing would end the process of this test while it goes on.
        ended = await load.end();
      }
      const { failures, committed } = ended;
      assert.deepEqual(failures, []);

      assert.equal(await server.stop(), 0);
      await server.start();
      assert.equal((await server.health()).body.status, 'ok');
      await sell(shop, committed.at(-1) ?? '');
      const { checkoutId } = await shop.open({ currency: 'EUR', amount: '23' }, 'LITECOIN');
      await sell(shop, checkoutId);
      await shop.checkBooks();
    } finally {
      await shop.close();
    }
  });
});
