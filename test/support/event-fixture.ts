// A merchant with events to tell, on a real database, and secrets to sign them with.
import { type Clock, systemClock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import { silentLog } from '#base/log.ts';
import type { Random } from '#base/random.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, sql } from '#db/db.ts';
import type { DeliveryApp } from '#event/deliver-events.ts';
import { type Delivery, listDeliveries } from '#event/delivery.ts';
import { enqueueEvent } from '#event/enqueue-event.ts';
import { deliverEvents } from '#test/support/deliver-events.ts';
import { SEND_LIMITS } from '#webhook/send-webhook.ts';
import { STRICT_TARGET_RULES } from '#webhook/target-guard.ts';
import { emptyTables } from './empty-tables.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';
import { seededRandom } from './seeded-random.ts';

const secret = `whsec_${new Uint8Array(32).fill(7).toBase64()}`;

export const fixtureSecrets: DeliveryApp['secrets'] = {
  webhookSecrets: async () => ({ current: secret }),
  endpointSecrets: async () => ({ current: secret }),
  apiSecret: async () => undefined,
};

export function deliveryApp(db: Db, clock: Clock = systemClock, seed = 1): DeliveryApp {
  return {
    db,
    clock,
    random: seededRandom(seed),
    log: silentLog,
    secrets: fixtureSecrets,
    targets: { ...STRICT_TARGET_RULES, loopbackForTest: true },
    resolve: async () => ['127.0.0.1'],
    limits: SEND_LIMITS,
  };
}

export async function newMerchant(db: Db, random: Random): Promise<Owner> {
  const merchantId = newId(random);
  await db.single((tx) =>
    tx.query(sql`insert into merchant (id, name, sealed_data_key, created_at)
      values (${merchantId}, 'Shop', ''::bytea, now())`),
  );
  return { merchantId, environment: 'test' };
}

export async function newEndpoint(
  db: Db,
  random: Random,
  owner: Owner,
  url: string,
  types: readonly string[] | null = null,
): Promise<string> {
  const id = newId(random);
  await db.single((tx) =>
    tx.query(sql`insert into webhook_endpoint
      (id, merchant_id, environment, url, event_types, sealed_secret, created_at)
      values (${id}, ${owner.merchantId}, ${owner.environment}, ${url}, ${types}, ''::bytea,
        now())`),
  );
  return id;
}

export type NewEvent = {
  readonly url?: string;
  readonly subjectId?: string;
  readonly sequence?: number;
  readonly type?: 'CHECKOUT_COMPLETED' | 'CHECKOUT_PENDING';
};

/** As documented, and about nothing. */
function checkoutOf(id: string, type: string): object {
  return {
    id,
    timestamp: '2026-03-01T00:00:00+00:00',
    state: type.replace('CHECKOUT_', ''),
    type: 'HOSTED',
    origin: 'API',
    settlementAssetId: null,
    settlementAmountRequired: null,
    settlementAmountReceived: '0',
    settlementAmountFeePaid: '0',
    sourceAssetId: null,
    sourceAmountRequired: null,
    sourceAmountReceived: '0',
    sourceNetwork: null,
    sourceNetworkName: null,
    depositAddress: null,
    blockchainTransactions: [],
    payload: {
      charge: {},
      settlementAsset: 'ORIGIN',
      webhook: null,
      links: { cancelUrl: null, returnUrl: null },
    },
    hostedCheckoutUrl: 'https://pay.example/en/checkout/token',
    total: '10',
    billingCurrency: 'EUR',
    stateHistory: [],
    flags: {},
    paymentMethods: [],
    depositInstructions: null,
    expirationTime: null,
    quoteExpirationTime: '2026-03-01T01:00:00+00:00',
    refunds: [],
  };
}

/** Each in a transaction of its own, as settling a checkout does. Returns the id. */
export async function tellEvent(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  random: Random,
  owner: Owner,
  { url, subjectId = newId(random), sequence = 1, type = 'CHECKOUT_COMPLETED' }: NewEvent,
): Promise<string> {
  const id = newId(random);
  const createdAt = clock.now();
  const data = JSON.stringify({ checkout: checkoutOf(subjectId, type) });
  await db.transact(async (tx) => {
    const causeKey = `test:${subjectId}:${sequence}`;
    const what = { id, type, subject: 'checkout', subjectId, sequence, causeKey, data } as const;
    enqueueEvent(tx, { ...owner, ...what, createdAt, webhookUrl: url });
  });
  return id;
}

export async function onlyDelivery(db: Db, owner: Owner, eventId: string): Promise<Delivery> {
  const [delivery, ...more] = await listDeliveries({ db }, { ...owner, eventId });
  if (delivery === undefined || more.length > 0) throw new Error('not exactly one delivery');
  return delivery;
}

/** Empties the queue; time stands still until the test moves it. */
export async function newDeliveryApp(
  db: Db,
  random: Random,
): Promise<{ app: DeliveryApp; clock: ManualClock; owner: Owner }> {
  await emptyTables(
    db,
    'webhook_attempt',
    'webhook_delivery',
    'webhook_lane',
    'webhook_endpoint',
    'event',
  );
  const clock = manualClock('2026-03-01T00:00:00Z');
  return { app: deliveryApp(db, clock), clock, owner: await newMerchant(db, random) };
}

/** Goes from one due delivery to the next until all are finished. */
export async function deliverUntilQuiet(app: DeliveryApp, clock: ManualClock): Promise<void> {
  for (let rounds = 0; rounds < 5_000; rounds += 1) {
    const { attempted } = await deliverEvents(app, { most: 50 });
    if (attempted > 0) continue;
    const [next] = await app.db.query<{ at: Temporal.Instant | null }>(sql`
      select min(greatest(next_attempt_at, held_until)) as at
      from webhook_delivery left join webhook_lane using (lane) where state = 'PENDING'`);
    if (next === undefined || next.at === null) return;
    const ms = clock.now().until(next.at).total('milliseconds');
    await clock.advance(Math.max(1, Math.ceil(ms)));
  }
  throw new Error('never quiet');
}

export async function statesOf(db: Db, merchantId: string): Promise<Record<string, number>> {
  const rows = await db.query<{ state: string; count: number }>(sql`
    select state, count(*)::integer as count from webhook_delivery
    where merchant_id = ${merchantId} group by state`);
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}
