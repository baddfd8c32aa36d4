// The sales that are copied: each made, committed, paid in two parts, credited with a conversion and
// told through the product itself, so that a copy has the rows, the sizes and the texts of real ones.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '#base/clock.ts';
import { systemRandom } from '#base/random.ts';
import { recordObservation } from '#chain/record-observation.ts';
import { commitCheckout } from '#checkout/commit-checkout.ts';
import { settleDueCheckouts } from '#checkout-settlement/settle-checkout.ts';
import { type Db, sql } from '#db/db.ts';
import type { Arrival, BlockReference } from '#deposit/network.ts';
import { startDelivery } from '#event/start-delivery.ts';
import { STRICT_TARGET_RULES } from '#webhook/target-guard.ts';
import type { BenchApp } from './bench-app.ts';
import { type BenchDatabase, log } from './bench-database.ts';
import { CHAIN, firstObservation, nextBlock, payment } from './bench-network.ts';
import { createOne } from './figure-create.ts';
import { createBody } from './http-client.ts';

/** Of different amounts: a search for one of them finds a tenth of the shop. */
export const TEMPLATES = 10;
/** Far above the blocks of the copies. */
const FIRST_HEIGHT = 90_000_000n;
const SECRET = `whsec_${new Uint8Array(32).fill(7).toBase64()}`;
const TOLD_WITHIN_MS = 30_000;

export async function makeTemplates(app: BenchApp, { ours }: BenchDatabase): Promise<void> {
  const receiver = await openReceiver();
  const cursor = await startHighChain(app);
  try {
    const sold = [];
    for (let number = 1; number <= TEMPLATES; number += 1) {
      sold.push(await sell(app, ours.key, number, receiver.port));
    }
    await payInParts(app, cursor, sold);
    await tell(app.db);
  } finally {
    receiver.close();
  }
}

type Sold = { readonly address: string; readonly units: bigint; readonly number: number };

/** Settled in another asset than it is paid in: an entry has five postings. */
export function scaleBody(number: number, port: number): string {
  const body = JSON.parse(createBody(number, port));
  body.settlementAsset = 'EUR:FIAT';
  body.charge.lineItems[0].quantity = number;
  return JSON.stringify(body);
}

async function sell(app: BenchApp, key: string, number: number, port: number): Promise<Sold> {
  const checkoutId = await createOne(app, key, scaleBody(number, port));
  const request = { checkoutId, owner: 'page' as const, network: 'LITECOIN' };
  const { instruction, arrivingUnits: units } = await commitCheckout(app, request);
  return { address: instruction.address, units, number };
}

async function startHighChain(app: BenchApp): Promise<BlockReference> {
  const nothing = { cursor: undefined, recent: [], unconfirmed: [] };
  const first = firstObservation();
  const high = { ...first, tip: { ...first.tip, height: FIRST_HEIGHT } };
  const outcome = await recordObservation(app, CHAIN, high, nothing);
  if (outcome.kind === 'stale') throw new Error('the chain is watched already');
  return outcome.cursor;
}

/** Both parts of a sale come with the same block, and each is credited by itself. */
export function partsOf({ address, units }: Pick<Sold, 'address' | 'units'>): Arrival[] {
  const first = units / 2n;
  return [
    payment(address, first, `${address} first`),
    payment(address, units - first, `${address} second`),
  ];
}

async function payInParts(
  app: BenchApp,
  cursor: BlockReference,
  sold: readonly Sold[],
): Promise<void> {
  const position = { cursor, recent: [cursor], unconfirmed: [] };
  const observation = nextBlock(cursor, sold.flatMap(partsOf));
  const outcome = await recordObservation(app, CHAIN, observation, position);
  if (outcome.kind === 'stale') throw new Error('a second watcher moved the cursor');
  while ((await settleDueCheckouts(app, { atOnce: 1 })) === 'busy');
}

/** Until every event of them was taken by the receiver. */
async function tell(db: Db): Promise<void> {
  const loop = startDelivery({
    ...{ db, clock: systemClock, random: systemRandom, log },
    secrets: {
      webhookSecrets: async () => ({ current: SECRET }),
      endpointSecrets: async () => ({ current: SECRET }),
      apiSecret: async () => undefined,
    },
    targets: { ...STRICT_TARGET_RULES, loopbackForTest: true },
  });
  try {
    const endMs = performance.now() + TOLD_WITHIN_MS;
    for (;;) {
      const [row] = await db.query<{ waiting: bigint }>(sql`
        select count(*) as waiting from webhook_delivery where state <> 'DELIVERED'`);
      if (row?.waiting === 0n) return;
      if (performance.now() > endMs) throw new Error(`${row?.waiting} webhooks were not taken`);
      await systemClock.sleep(100);
    }
  } finally {
    await loop.stop();
  }
}

async function openReceiver(): Promise<{ readonly port: number; close(): void }> {
  const server = createServer((request, response) => {
    request.resume();
    response.end('OK');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
