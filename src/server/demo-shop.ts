// The shops at /demo, and the SQL of their table. Each visitor who orders has one: a test account
// whose key nobody knows. There are so many of them, for accounts are never deleted: when all are
// taken, the one that was unused for longest is handed on.
//
// Guarantees: a visitor orders as no other visitor's merchant; no more accounts than SHOPS_MAX are
// made, except for those whose making a crash interrupted; a shop in use within a day stays.

import { apiSecretForWebhook, createApiKey } from '#access/api-key.ts';
import { findApiKey } from '#access/caller.ts';
import { assert } from '#base/assert.ts';
import { Refusal } from '#base/refusal.ts';
import { createCheckout } from '#checkout/create-checkout.ts';
import { sql, type Tx } from '#db/db.ts';
import { defineTable, moment, nullable, text } from '#db/table.ts';
import type { DemoPort } from '#pages/page-app.ts';
import type { App } from './app.ts';
import { openAccount } from './first-run.ts';

const DEMO_SHOP = defineTable('demo_shop', {
  visitor: text(),
  /** Null until the account is made. */
  key: nullable(text()),
  takenAt: moment,
  usedAt: moment,
});
const WITH_KEY = DEMO_SHOP.only('key');

const MERCHANT_NAME = 'Demo visitor';
const UNUSED_HOURS = 24;
/** Taken by new visitors, over all servers. */
export const SHOPS_AN_HOUR = 40;
/** More than new visitors take until an unused shop is free again. */
export const SHOPS_MAX = 1_000;
const RETRY_AFTER_SECONDS = 600;
const SHOPS_LOCK = 7_305_060n;

export function demoShop(app: App): DemoPort {
  return {
    async useShop(visitor) {
      const rows = await app.db.single((tx) =>
        tx.query(sql`
          update demo_shop set used_at = ${app.clock.now()}
          where visitor = ${visitor} and key is not null returning visitor`),
      );
      return rows.length > 0;
    },
    async openShop(visitor) {
      const known = await app.db.transact((tx) => takeShop(tx, visitor, app.clock.now()));
      if (known !== null) return;
      const { id: merchantId } = await openAccount(app, MERCHANT_NAME);
      const { key } = await createApiKey(app, { merchantId, environment: 'test' });
      await app.db.single((tx) =>
        tx.query(sql`update demo_shop set key = ${key} where visitor = ${visitor}`),
      );
    },
    async createDemoCheckout(visitor, request) {
      const key = await findKey(app, visitor);
      const record = key === undefined ? undefined : await findApiKey(app, key);
      assert(record !== undefined, 'who orders has a shop');
      // Its script and its pages are of one origin.
      const caller = { ...record.caller, method: 'digest', pageOrigin: undefined } as const;
      return createCheckout(app, caller, request, { type: 'HOSTED', origin: 'API' });
    },
    async readApiSecret(visitor) {
      const key = await findKey(app, visitor);
      return key === undefined ? undefined : apiSecretForWebhook(app, key, app.clock.now());
    },
  };
}

async function findKey({ db }: App, visitor: string): Promise<string | undefined> {
  const shop = await WITH_KEY.find(db, sql`where visitor = ${visitor}`);
  return shop?.key ?? undefined;
}

/**
 * A place for a new visitor: a further one, or that of another who is gone, with its key.
 * @throws Refusal too-many `rate_limited`.
 */
async function takeShop(tx: Tx, visitor: string, now: Temporal.Instant): Promise<string | null> {
  await tx.query(sql`select pg_advisory_xact_lock(${SHOPS_LOCK})`);
  const [shops] = await tx.query<{ readonly all: number; readonly lately: number }>(sql`
    select count(*)::int as "all",
      (count(*) filter (where taken_at > ${now.subtract({ hours: 1 })}))::int as "lately"
    from demo_shop`);
  const { all, lately } = shops ?? { all: 0, lately: 0 };
  if (lately >= SHOPS_AN_HOUR) throw tooMany();
  if (all < SHOPS_MAX) {
    tx.send(DEMO_SHOP.insert([{ visitor, key: null, takenAt: now, usedAt: now }]));
    return null;
  }
  const [old] = await tx.query<{ readonly key: string | null }>(sql`
    update demo_shop set visitor = ${visitor}, taken_at = ${now}, used_at = ${now}
    where visitor = (
      select visitor from demo_shop where used_at < ${now.subtract({ hours: UNUSED_HOURS })}
      order by used_at limit 1)
    returning key`);
  if (old === undefined) throw tooMany();
  return old.key;
}

function tooMany(): Refusal {
  const message = 'the demo has too many new visitors right now; try again in a while';
  return new Refusal('too-many', 'rate_limited', message, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
