// Webhooks of one shop whose receiver takes half a second for each: deliveries in a second, against
// the same with two places, which is what a shop that nothing is known of gets.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import { systemRandom } from '#base/random.ts';
import { sql } from '#db/db.ts';
import { NEW_LANE_MOST } from '#event/deliver-events.ts';
import { startDelivery } from '#event/start-delivery.ts';
import { STRICT_TARGET_RULES } from '#webhook/target-guard.ts';
import type { Bench } from './bench.ts';
import { type BenchDatabase, log } from './bench-database.ts';
import { compare, type Figure } from './measure.ts';

const ANSWER_MS = 500;
/** Of ours, for a second of the run; enough that nobody waits for work. */
const A_SECOND = 60;
const AIM = { atLeast: 8 };
const SECRET = `whsec_${new Uint8Array(32).fill(7).toBase64()}`;

type Receiver = { readonly port: number; answered(): number; close(): void };

export async function measureDeliver(bench: Bench): Promise<Figure[]> {
  const database = await bench.openDatabase('bench_deliver');
  const receiver = await openSlowReceiver();
  // A host of its own for each run: what the last one learned says nothing of it.
  let run = 0;
  const deliverFor = (laneMost?: number) => async () => {
    run += 1;
    const url = `http://run${run}.test:${receiver.port}/`;
    return deliveriesASecond(bench, database, receiver, { url, laneMost });
  };
  try {
    const named = {
      name: 'deliver (one shop, answers after 500 ms)',
      against: `${NEW_LANE_MOST} at a time`,
      aim: AIM,
    };
    return [await compare(named, deliverFor(), deliverFor(NEW_LANE_MOST), bench.say)];
  } finally {
    receiver.close();
  }
}

async function deliveriesASecond(
  { seconds }: Bench,
  database: BenchDatabase,
  receiver: Receiver,
  { url, laneMost }: { readonly url: string; readonly laneMost: number | undefined },
): Promise<number> {
  await queue(database, url, (seconds + 2) * A_SECOND);
  const loop = startDelivery(
    {
      ...{ db: database.db, clock: systemClock, random: systemRandom, log },
      secrets: {
        webhookSecrets: async () => ({ current: SECRET }),
        endpointSecrets: async () => ({ current: SECRET }),
        apiSecret: async () => undefined,
      },
      targets: { ...STRICT_TARGET_RULES, loopbackForTest: true },
      resolve: async () => ['127.0.0.1'],
    },
    laneMost === undefined ? {} : { laneMost },
  );
  try {
    // Until the lane is as wide as it becomes.
    await systemClock.sleep(2_000);
    const [before, startMs] = [receiver.answered(), performance.now()];
    await systemClock.sleep(seconds * 1_000);
    return (receiver.answered() - before) / ((performance.now() - startMs) / 1_000);
  } finally {
    await loop.stop();
    await database.db.single((tx) =>
      tx.query(sql`update webhook_delivery set state = 'PARKED', finished_at = now()
        where state = 'PENDING'`),
    );
  }
}

/** Of as many checkouts. */
async function queue({ db, ours }: BenchDatabase, url: string, count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => newId(systemRandom));
  const lane = `${ours.merchantId} test ${new URL(url).origin}`;
  await db.transact(async (tx) => {
    await tx.query(sql`
      insert into event (id, merchant_id, environment, type, subject, subject_id, sequence,
        cause_key, body, created_at)
      select id, ${ours.merchantId}, 'test', 'CHECKOUT_COMPLETED', 'checkout', id, 1,
        'bench:' || id, '{}', now()
      from unnest(${ids}::text[]) as told (id)`);
    await tx.query(sql`
      insert into webhook_delivery (event_id, merchant_id, environment, url, lane, state,
        next_attempt_at, created_at)
      select id, ${ours.merchantId}, 'test', ${url}, ${lane}, 'PENDING', now(), now()
      from unnest(${ids}::text[]) as told (id)`);
  });
}

async function openSlowReceiver(): Promise<Receiver> {
  let answered = 0;
  const server: Server = createServer((request, response) => {
    request.resume();
    setTimeout(() => {
      answered += 1;
      response.end('OK');
    }, ANSWER_MS);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    answered: () => answered,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
