// Time from a block that a real Litecoin Core accepted, and tells of, to the signed webhook at the
// shop: the whole way through observe, settle and deliver, one payment a block.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createApiKey } from '#access/api-key.ts';
import { systemClock } from '#base/clock.ts';
import { systemRandom } from '#base/random.ts';
import { type LitecoinNode, newTestAccount, startLitecoinNode } from '#test/nodes/litecoin-node.ts';
import { loopbackShopCertificate } from '#test/support/self-signed.ts';
import { ok, openWebhookReceiver } from '#test/support/webhook-receiver.ts';
import type { Bench } from './bench.ts';
import { askOnce, signedRequest } from './http-client.ts';
import { type Figure, figureOf } from './measure.ts';

const PAYMENTS = 30;
const WARM_UPS = 3;
const AIM_MS = 250;
const LATEST_MS = 20_000;
const AMOUNT = '0.01';

export async function measureNotify(bench: Bench): Promise<Figure[]> {
  let node: LitecoinNode;
  try {
    node = await startLitecoinNode();
  } catch (error) {
    bench.say(`notify: left out: ${error instanceof Error ? error.message : String(error)}`);
    return [];
  }
  const toldAtMs = new Map<string, number>();
  const receiver = await openWebhookReceiver(
    (...request) => {
      const { eventType, data } = JSON.parse(request[1].body);
      toldAtMs.set(`${eventType} ${data.checkout.id}`, performance.now());
      return ok(...request);
    },
    { isSecure: true },
  );
  try {
    return await measure(bench, node, receiver.origin, toldAtMs);
  } finally {
    await receiver.close();
    await node.stop();
  }
}

async function measure(
  bench: Bench,
  node: LitecoinNode,
  shopOrigin: string,
  toldAtMs: ReadonlyMap<string, number>,
): Promise<Figure[]> {
  const database = await bench.openDatabase('bench_notify');
  const { merchantId } = database.ours;
  const app = { ...database, keyring: bench.keyring, clock: systemClock, random: systemRandom };
  const key = await createApiKey(app, { merchantId, environment: 'live' });
  const server = await bench.startServer(database, await settingsFor(bench, node));
  const ask = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const request = signedRequest({ ...key, merchantId }, 'POST', path, {
      body: JSON.stringify(body),
    });
    const answer = await askOnce(server.port, request);
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status} ${answer.body}`);
    return JSON.parse(answer.body);
  };
  const times: number[] = [];
  try {
    bench.say(`notify: ${PAYMENTS} payments, a block each`);
    for (let round = -WARM_UPS; round < PAYMENTS; round += 1) {
      const lineItems = [{ description: `Order ${round}`, netAmount: AMOUNT }];
      const webhook = `${shopOrigin}/hooks`;
      const charge = { billingCurrency: 'LTC', lineItems };
      const { id } = await ask('/checkout', { charge, webhook });
      const { depositInstructions } = await ask('/checkout/commit', {
        checkoutId: id,
        network: 'LITECOIN',
      });
      await node.send((depositInstructions as { address: string }).address, AMOUNT);
      await toldOf(toldAtMs, `CHECKOUT_PENDING ${id}`);
      await node.mine(1);
      const acceptedAtMs = performance.now();
      const completedAtMs = await toldOf(toldAtMs, `CHECKOUT_COMPLETED ${id}`);
      if (round >= 0) times.push(Math.max(0, completedAtMs - acceptedAtMs));
    }
  } finally {
    await server.close();
  }
  times.sort((one, other) => one - other);
  const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? 0;
  const named = { against: `${AIM_MS} ms`, unit: 'ms' } as const;
  return [
    figureOf({ ...named, name: 'notify (block to webhook), p50' }, at(0.5), AIM_MS),
    figureOf(
      { ...named, name: 'notify (block to webhook), p95', aim: { atMost: 1 } },
      at(0.95),
      AIM_MS,
    ),
  ];
}

async function settingsFor(bench: Bench, node: LitecoinNode): Promise<Record<string, string>> {
  const trusted = join(bench.directory, 'shop.pem');
  await writeFile(trusted, loopbackShopCertificate);
  return {
    LITECOIN_RPC_URL: node.rpcOptions.url,
    LITECOIN_CHAIN: 'regtest',
    LITECOIN_DESCRIPTOR: newTestAccount().descriptor,
    LITECOIN_CONFIRMATIONS: '1/1/1',
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
    NODE_EXTRA_CA_CERTS: trusted,
  };
}

async function toldOf(toldAtMs: ReadonlyMap<string, number>, event: string): Promise<number> {
  const endMs = performance.now() + LATEST_MS;
  for (;;) {
    const atMs = toldAtMs.get(event);
    if (atMs !== undefined) return atMs;
    if (performance.now() > endMs) throw new Error(`no webhook ${event}`);
    await wait(2);
  }
}
