// Answers per second beside those of the same HTTP server with a constant in place of our work.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from './bench.ts';
import { createSample } from './figure-create.ts';
import { askOnce, createBody, driveServer, signedRequest } from './http-client.ts';
import { compare, type Figure } from './measure.ts';
import { startProgram } from './server-process.ts';

export async function measureRead(bench: Bench): Promise<Figure[]> {
  const { port } = await bench.server();
  const { ours } = await bench.httpDatabase();
  const create = signedRequest(ours, 'POST', '/checkout/hosted', { body: createBody(-2) });
  const id = await createSample(port, create);
  const body = JSON.stringify({ checkoutId: id, network: 'LITECOIN' });
  await askOnce(port, signedRequest(ours, 'POST', '/checkout/commit', { body }));
  return [
    await readPath(bench, port, () =>
      signedRequest(ours, 'GET', '/checkout', { query: `?id=${id}` }),
    ),
    await readPath(bench, port, () => signedRequest(ours, 'GET', '/networks')),
  ];
}

async function readPath(bench: Bench, port: number, request: () => string): Promise<Figure> {
  const path = /^GET \/api\/v1(\/\w+)/.exec(request())?.[1] ?? '';
  const answer = await askOnce(port, request());
  if (answer.status !== 200) throw new Error(`GET ${path} answered ${answer.status}`);
  const file = join(bench.directory, 'constant');
  writeFileSync(file, answer.body);
  const program = join(import.meta.dirname, 'constant-server.ts');
  const constant = await startProgram((free) => [program, String(free), file]);
  const drive = (server: number) =>
    driveServer({ port: server, seconds: bench.seconds, nextRequest: request });
  const figure = { name: `GET ${path}`, against: 'constant answer' };
  try {
    return await compare(
      figure,
      () => drive(port),
      () => drive(constant.port),
      bench.say,
    );
  } finally {
    await constant.close();
  }
}
