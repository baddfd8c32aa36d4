// A program for the tests of the embedded database: opens the one in the given directory, says so in
// one JSON line, commits rows one by one and names each, and closes when its input ends.
import { argv, exit, stdin, stdout } from 'node:process';
import { silentLog } from '#base/log.ts';
import { openDb, sql } from '#db/db.ts';
import { startEmbeddedDatabase } from '#postgres/embedded-database.ts';

const [, , directory = '', rows = '0'] = argv;
const startedAt = performance.now();
const server = await startEmbeddedDatabase({ directory, log: silentLog });
const milliseconds = Math.round(performance.now() - startedAt);
const db = openDb({ ...server.connection, log: silentLog, poolSize: 2 });
await db.single(async (tx) =>
  tx.send(sql`create table if not exists kept (id bigint primary key)`),
);
say({ ready: true, adopted: server.adopted, milliseconds });
stdin.once('end', async () => {
  await db.close();
  await server.close();
  exit(0);
});
stdin.resume();
const [last] = await db.query<{ max: bigint | null }>(sql`select max(id) from kept`);
for (let id = (last?.max ?? 0n) + 1n, count = 0; count < Number(rows); id += 1n, count += 1) {
  await db.single(async (tx) => tx.send(sql`insert into kept values (${id})`));
  say({ kept: Number(id) });
}

function say(line: object): void {
  stdout.write(`${JSON.stringify(line)}\n`);
}
