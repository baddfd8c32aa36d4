// Answers per second beside those of the same HTTP server with a constant in place of our work.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bench } from './bench.ts';
import { createSample } from './figure-create.ts';
import { askOnce, createBody, driveServer, signedRequest } from './http-client.ts';
import { compare, type Figure } from './measure.ts';
import { settleDown } from './seed.ts';
import { START_FLAGS, startProgram } from './server-process.ts';

/** Asked for in turn, as shops poll for their open orders. */
const CHECKOUTS = 100;

export async function measureRead(bench: Bench): Promise<Figure[]> {
  const { port } = await bench.server();
  const { db, ours } = await bench.httpDatabase();
  const ids: string[] = [];
  while (ids.length < CHECKOUTS) {
    const create = signedRequest(ours, 'POST', '/checkout/hosted', {
      body: createBody(-2 - ids.length, port),
    });
    const id = await createSample(port, create);
    const body = JSON.stringify({ checkoutId: id, network: 'LITECOIN' });
    await askOnce(port, signedRequest(ours, 'POST', '/checkout/commit', { body }));
    ids.push(id);
  }
  let asked = 0;
  // What other figures wrote is not cleaned up beside this one.
  await settleDown(db);
  return [
    await readPath(bench, port, 0.6, () =>
      signedRequest(ours, 'GET', '/checkout', { query: `?id=${ids[asked++ % CHECKOUTS]}` }),
    ),
    await readPath(bench, port, 0.75, () => signedRequest(ours, 'GET', '/networks')),
  ];
}

async function readPath(
  bench: Bench,
  port: number,
  atLeast: number,
  request: () => string,
): Promise<Figure> {
  const path = /^GET \/api\/v1(\/\w+)/.exec(request())?.[1] ?? '';
  const answer = await askOnce(port, request());
  if (answer.status !== 200) throw new Error(`GET ${path} answered ${answer.status}`);
  const file = join(bench.directory, 'constant');
  writeFileSync(file, answer.body);
  const program = join(import.meta.dirname, 'constant-server.ts');
  const constant = await startProgram((free) => [...START_FLAGS, program, String(free), file]);
  const drive = (server: number) =>
    driveServer({ port: server, seconds: bench.seconds, nextRequest: request });
  const figure = {
    name: `GET ${path}`,
    against: 'constant answer',
    aim: { atLeast },
  } as const;
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
