// An account has a limited number of webhook endpoints, whoever makes them at the same time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Refusal } from '#base/refusal.ts';
import { sql } from '#db/db.ts';
import {
  createWebhookEndpoint,
  listWebhookEndpoints,
  WEBHOOK_ENDPOINTS_MOST,
} from '#event/webhook-endpoint.ts';
import { openTestApp } from '#test/support/test-app.ts';

const AT_ONCE = 6;

test('endpoints made at once are never more than an account may have', async () => {
  const { app, caller, close } = await openTestApp({ connections: 10 });
  try {
    const make = () =>
      createWebhookEndpoint(app, caller, { url: 'https://shop.example', eventTypes: undefined });
    for (let made = 0; made < WEBHOOK_ENDPOINTS_MOST - 1; made += 1) await make();
    // Whoever holds the account lets all of them come as far as they can alone.
    const making = await app.db.transact(async (tx) => {
      await tx.query(sql`select from merchant where id = ${caller.merchantId} for update`);
      const started = Promise.allSettled(Array.from({ length: AT_ONCE }, make));
      for (let waiting = 0n; waiting < AT_ONCE; await wait(10)) {
        const [row] = await app.db.query<{ waiting: bigint }>(sql`
          select count(*) as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`);
        waiting = row?.waiting ?? 0n;
      }
      return { started };
    });
    const outcomes = await making.started;
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    for (const { reason } of refused) {
      assert.ok(reason instanceof Refusal && reason.code === 'webhook_endpoints_too_many');
    }
    assert.equal(refused.length, AT_ONCE - 1);
    const page = { cursor: undefined, limit: WEBHOOK_ENDPOINTS_MOST + AT_ONCE };
    const { endpoints } = await listWebhookEndpoints(app, caller, page);
    assert.equal(endpoints.length, WEBHOOK_ENDPOINTS_MOST);
  } finally {
    await close();
  }
});
