// A checkout as GET /checkout answers it: at once, or when its state has changed.

import type { ApiApp } from '#api/endpoint.ts';
import { isId } from '#base/id.ts';
import { Refusal } from '#base/refusal.ts';
import type { Owner } from '#catalog/owner.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { findCheckout } from '#checkout/find-checkout.ts';

const POLL_MS = 500;
/** Changes of every process are told; this is for the day when that fails. */
const LOOK_AGAIN_MS = 5_000;

/** @throws Refusal missing, also for a checkout of another merchant or environment. */
export async function requireCheckout(
  app: ApiApp,
  owner: Owner,
  id: string,
): Promise<CheckoutRecord> {
  const record = isId(id) ? await findCheckout(app, owner, id) : undefined;
  if (record === undefined) throw new Refusal('missing', 'checkout_missing', 'no such checkout');
  return record;
}

/** The checkout in another state than `before`, or as it is after so many seconds. */
export async function waitForChange(
  app: ApiApp,
  owner: Owner,
  before: CheckoutRecord,
  seconds: number,
  signal: AbortSignal,
): Promise<CheckoutRecord> {
  const endsAtMs = app.clock.monotonicMs() + seconds * 1000;
  const answered = new AbortController();
  const over = AbortSignal.any([signal, answered.signal]);
  try {
    for (;;) {
      const leftMs = endsAtMs - app.clock.monotonicMs();
      // It waits from before the look on, so that a change during the look wakes it too.
      const told = waitToBeTold(app, before.id, Math.max(0, leftMs), over);
      const record = await requireCheckout(app, owner, before.id);
      const isOver = leftMs <= 0 || signal.aborted || app.changes?.hasEnded() === true;
      if (isOver || record.state !== before.state) return record;
      await told;
    }
  } finally {
    answered.abort();
  }
}

function waitToBeTold(app: ApiApp, id: string, leftMs: number, over: AbortSignal): Promise<void> {
  if (app.changes === undefined) return pause(app, Math.min(POLL_MS, leftMs), over);
  return app.changes.wait(id, Math.min(LOOK_AGAIN_MS, leftMs), over);
}

/** Ends early when the client goes away. */
async function pause(app: ApiApp, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await app.clock.sleep(ms, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
