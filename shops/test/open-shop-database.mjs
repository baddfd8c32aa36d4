// An empty PostgreSQL for a shop program: the server that comes with the service, which listens on
// a socket of the file system, and a port before it, since not every program knows such sockets.
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { silentLog } from '../../src/base/log.ts';
import { startEmbeddedDatabase } from '../../src/postgres/embedded-database.ts';

/** `url`: as shop programs want it; `connection`: the same, in parts. */
export async function openShopDatabase(folder) {
  const directory = path.join(folder, 'data');
  fs.rmSync(directory, { recursive: true, force: true });
  const server = await startEmbeddedDatabase({ directory, log: silentLog, unsafeFast: true });
  const { host, port, user, password } = server.connection;
  const client = new pg.Client({ ...server.connection, ssl: false });
  await client.connect();
  await client.query('create database shop');
  await client.end();
  const place = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  const door = net.createServer((socket) => {
    const inside = net.connect(place);
    for (const [one, other] of [
      [socket, inside],
      [inside, socket],
    ]) {
      one.pipe(other);
      one.on('error', () => other.destroy());
    }
  });
  await new Promise((resolve) => door.listen(0, '127.0.0.1', resolve));
  const connection = {
    host: '127.0.0.1',
    port: door.address().port,
    user,
    password,
    database: 'shop',
  };
  return {
    connection,
    url: `postgres://${user}:${password}@127.0.0.1:${connection.port}/shop`,
    close: async () => {
      door.close();
      await server.close();
    },
  };
}
