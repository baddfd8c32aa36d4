// The last one of a payment link is opened once, whoever asks for it at the same time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Refusal } from '#base/refusal.ts';
import { tallyLinks } from '#checkout/list-checkouts.ts';
import { sql } from '#db/db.ts';
import { parseDecimal } from '#money/decimal.ts';
import { openLinkCheckout } from '#payment-link/open-link-checkout.ts';
import { createPaymentLink } from '#payment-link/payment-link.ts';
import { openTestApp } from '#test/support/test-app.ts';

const AT_ONCE = 8;
const STOCK = 3;

async function openLink(stock: number) {
  const world = await openTestApp({ connections: 10 });
  await world.observe('LITECOIN');
  const { merchantId, environment } = world.caller;
  const link = await createPaymentLink(
    world.app,
    { merchantId, environment },
    {
      title: 'Seat',
      description: undefined,
      currency: 'EUR',
      amount: parseDecimal('10'),
      leastAmount: undefined,
      mostAmount: undefined,
      settlementAsset: 'ORIGIN',
      stock,
      endsAt: undefined,
    },
  );
  return { ...world, link, open: () => openLinkCheckout(world.app, link, undefined, 'en') };
}

function soldOut(outcomes: readonly PromiseSettledResult<unknown>[]): number {
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  for (const { reason } of refused) {
    assert.ok(reason instanceof Refusal && reason.code === 'link_sold_out', String(reason));
  }
  return refused.length;
}

test('of those who open a link at once no more get a checkout than there are places', async () => {
  const { app, link, open, close } = await openLink(STOCK);
  try {
    // Whoever holds the link lets all of them come as far as they can alone.
    const opening = await app.db.transact(async (tx) => {
      await tx.query(sql`select from payment_link where id = ${link.id} for update`);
      const started = Promise.allSettled(Array.from({ length: AT_ONCE }, open));
      for (let waiting = 0n; waiting < AT_ONCE; await wait(10)) {
        const [row] = await app.db.query<{ waiting: bigint }>(sql`
          select count(*) as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`);
        waiting = row?.waiting ?? 0n;
      }
      return { started };
    });
    assert.equal(soldOut(await opening.started), AT_ONCE - STOCK);
    assert.equal((await tallyLinks(app.db, [link.id])).get(link.id)?.taken, STOCK);
  } finally {
    await close();
  }
});

test('the place that lapsed is given to one of those who want it', async () => {
  const { app, clock, link, open, close } = await openLink(1);
  try {
    await open();
    await clock.advance(60 * 60_000);
    const outcomes = await Promise.allSettled(Array.from({ length: AT_ONCE }, open));
    assert.equal(soldOut(outcomes), AT_ONCE - 1);
    assert.equal((await tallyLinks(app.db, [link.id])).get(link.id)?.taken, 1);
  } finally {
    await close();
  }
});
