// The same HTTP server as ours, answering one constant: what is left is what we do for an answer.
// Parameters: port, file with the body.

import { readFileSync } from 'node:fs';
import process from 'node:process';
import { Hono } from 'hono';
import { startServer } from '#api/http/server.ts';
import { systemRandom } from '#base/random.ts';
import { log } from './bench-database.ts';

const [port = '', file = ''] = process.argv.slice(2);
const body = readFileSync(file, 'utf8');
const app = new Hono();
app.get('*', () => {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  return new Response(body, { headers });
});
await startServer({
  fetch: (request) => app.fetch(request),
  port: Number(port),
  host: '127.0.0.1',
  random: systemRandom,
  log,
});
process.on('SIGTERM', () => process.exit(0));
