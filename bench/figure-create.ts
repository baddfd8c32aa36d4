// Checkouts created per second, over HTTP with digest authentication, and by the act alone.

import { findApiKey } from '#access/caller.ts';
import { parseCheckoutRequest } from '#charge/checkout-request.ts';
import { createCheckout } from '#checkout/create-checkout.ts';
import { parseExactJson } from '#money/exact-json.ts';
import type { Bench } from './bench.ts';
import type { BenchApp } from './bench-app.ts';
import { askOnce, createBody, driveServer, signedRequest } from './http-client.ts';
import { compare, type Figure, inParallel } from './measure.ts';
import { CLIENTS } from './pgbench.ts';
import { checkoutVariables, settleDown } from './seed.ts';

const AIM = { atLeast: 0.85 };
/**
 * Signed before the clock starts, as many as no machine of today answers: signing is work of the
 * shop, and what is written by hand signs nothing.
 */
const SIGNED_A_SECOND = 8_000;
/** A signature is good for half a minute. */
const SIGNED_MOST = 50_000;
let orders = 0;

export async function measureCreate(bench: Bench): Promise<Figure[]> {
  const { port } = await bench.server();
  const { db, connection, ours, theirs } = await bench.httpDatabase();
  const post = () => {
    orders += 1;
    return signedRequest(ours, 'POST', '/checkout/hosted', { body: createBody(orders, port) });
  };
  const sample = await createSample(port, post());
  const variables = {
    ...(await checkoutVariables(db, sample)),
    key: theirs.key,
    merchant: theirs.merchantId,
  };
  const { seconds } = bench;
  const byHand = async () => {
    await settleDown(db);
    return bench.pgbench({ script: 'create.sql', connection, variables, length: { seconds } });
  };
  const overHttp = async () => {
    await settleDown(db);
    const ready = Array.from({ length: Math.min(seconds * SIGNED_A_SECOND, SIGNED_MOST) }, post);
    return driveServer({ port, seconds, nextRequest: () => ready.pop() ?? post() });
  };
  const figure = { name: 'create (HTTP)', against: 'pgbench', aim: AIM };
  const app = await bench.app();
  const act = { name: 'create (act alone)', against: 'pgbench' };
  return [
    await compare(figure, overHttp, byHand, bench.say),
    await compare(act, () => createInProcess(bench, app), byHand, bench.say),
  ];
}

/** Its id. */
export async function createSample(port: number, request: string): Promise<string> {
  const { status, body } = await askOnce(port, request);
  const id = /"id":"([a-z0-9]{12})"/.exec(body)?.[1];
  if (status !== 200 || id === undefined) throw new Error(`POST answered ${status} ${body}`);
  return id;
}

/** What a request does but for HTTP and the signature: key, JSON, checks, quotes, insert. */
async function createInProcess(bench: Bench, app: BenchApp): Promise<number> {
  const { ours } = await bench.actsDatabase();
  await settleDown(app.db);
  const startMs = performance.now();
  const endMs = startMs + bench.seconds * 1000;
  let made = 0;
  await inParallel(CLIENTS, async () => {
    if (performance.now() >= endMs) return false;
    orders += 1;
    await createOne(app, ours.key, createBody(orders));
    made += 1;
    return true;
  });
  return made / ((performance.now() - startMs) / 1000);
}

export async function createOne(app: BenchApp, key: string, body: string): Promise<string> {
  const record = await findApiKey(app, key);
  const parsed = parseExactJson(body);
  if (record === undefined || !parsed.ok) throw new Error('the request of the bench is refused');
  const caller = { ...record.caller, method: 'digest' as const };
  const request = parseCheckoutRequest(parsed.value);
  const { id } = await createCheckout(app, caller, request, { type: 'HOSTED', origin: 'API' });
  return id;
}
