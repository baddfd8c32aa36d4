// What a person does with a checkout: cancel it, take less than was asked for.
//
// A person acts on the state of a checkout, but a payment may have been recorded that is not
// decided yet, and then the state is out of date. Guarantees: what was recorded before the act
// took the lock is decided before it looks, and what it writes is decided before it returns. Not
// guaranteed while decisions fail or never come to rest: after a few times it acts on what there
// is.

import { noteAct } from '#audit/act.ts';
import type { Clock } from '#base/clock.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import type { Owner } from '#catalog/owner.ts';
import {
  type Checkout,
  type CheckoutState,
  lockCheckoutRow,
  requireOwn,
  writeAccepted,
  writeCancelled,
} from '#checkout/checkout.ts';
import { acceptPending } from '#checkout/credit.ts';
import { readRecords } from '#checkout/find-checkout.ts';
import type { Db, Tx } from '#db/db.ts';
import { transactWithAccounts } from '#settle/settle.ts';
import { ASK_AGAIN_SECONDS } from './decide-settlement.ts';
import { type SettleCheckoutApp, settleAtOnce, settleLocked } from './settle-checkout.ts';

type ActApp = SettleCheckoutApp & { readonly db: Db; readonly clock: Clock };

const TRIES_MOST = 3;

/** `act` is given the checkout under its lock. */
export async function actOnDecided<Answer>(
  app: ActApp,
  checkoutId: string,
  act: (tx: Tx, checkout: Checkout | undefined) => Answer | Promise<Answer>,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const acted = await transactWithAccounts(app.db, async (tx) => {
      const checkout = await lockCheckoutRow(tx, checkoutId);
      const due = app.clock.now().add({ seconds: tries === 1 ? ASK_AGAIN_SECONDS : 0 });
      if (tries < TRIES_MOST && isUndecided(checkout, due)) return undefined;
      return { answer: await act(tx, checkout) };
    });
    await settleAtOnce(app, checkoutId);
    if (acted !== undefined) return acted.answer;
  }
}

/** What waits for a price is tried once more: there may be one since it was asked for. */
function isUndecided(checkout: Checkout | undefined, due: Temporal.Instant): boolean {
  const settleAt = checkout?.settleAt;
  return settleAt !== undefined && Temporal.Instant.compare(settleAt, due) <= 0;
}

/**
 * Only while no money was seen. It stays watched: what arrives is still credited.
 *
 * Refuses: missing; conflict once money was seen, or when it is over. Repeating it changes nothing.
 */
export async function cancelCheckout(
  app: ActApp,
  {
    checkoutId,
    owner,
    actor,
    from,
  }: {
    readonly checkoutId: string;
    readonly owner: Owner | 'page';
    /** A person who is named in the trail. */
    readonly actor?: string | undefined;
    /** Of one in another state nothing is changed; undefined: as far as it can be cancelled. */
    readonly from?: readonly CheckoutState[] | undefined;
  },
): Promise<void> {
  await actOnDecided(app, checkoutId, (tx, locked) => {
    const now = app.clock.now();
    const { state, merchantId, environment } = requireOwn(locked, owner);
    if (from !== undefined && !from.includes(state)) return;
    switch (state) {
      case 'NEW':
      case 'AWAITING_PAYMENT':
      case 'EXPIRED':
        if (actor !== undefined) {
          const subject = `checkout:${checkoutId}`;
          const act = { merchantId, environment, actedAt: now, verb: 'checkout-cancel' };
          noteAct(tx, { ...act, actor, subject, details: { before: state } });
        }
        return writeCancelled(tx, checkoutId, now);
      case 'CANCELLED':
        return;
      case 'COMPLETED':
        throw new Refusal('conflict', 'checkout_completed', 'the checkout is paid already');
      case 'PENDING':
      case 'UNDERPAID':
        throw new Refusal('conflict', 'checkout_has_money', 'a payment was seen already');
    }
  });
}

/**
 * The merchant takes what arrived: the checkout is completed, and credited at that. What is
 * accepted is what is pending now, and accepting and completing are one transaction: no other money
 * ever completes a checkout in its place.
 *
 * Refuses: missing; conflict `checkout_not_underpaid` in any other state, `payment_uncertain` while
 * the network is taking a part of it back. Outage without a rate, where it is worth what it is now.
 */
export async function acceptUnderpaid(
  app: ActApp,
  {
    checkoutId,
    owner,
  }: {
    readonly checkoutId: string;
    readonly owner: Owner & {
      readonly apiKey?: string | undefined;
      /** A person who is named in the trail. */
      readonly actor?: string | undefined;
    };
  },
): Promise<void> {
  await actOnDecided(app, checkoutId, async (tx, locked) => {
    const checkout = requireOwn(locked, owner);
    if (checkout.state !== 'UNDERPAID') {
      throw new Refusal('conflict', 'checkout_not_underpaid', `the checkout is ${checkout.state}`);
    }
    const { merchantId, environment, apiKey, actor } = owner;
    noteAct(tx, {
      ...{ merchantId, environment, actedAt: app.clock.now(), verb: 'checkout-accept-underpaid' },
      actor: actor ?? (apiKey === undefined ? 'operator' : `key ${apiKey}`),
      subject: `checkout:${checkoutId}`,
    });
    await acceptLocked(app, tx, checkout);
  });
}

async function acceptLocked(app: ActApp, tx: Tx, checkout: Checkout): Promise<void> {
  const now = app.clock.now();
  writeAccepted(tx, checkout.id, now);
  acceptPending(tx, checkout.id, now);
  const accepted = Promise.resolve([{ ...checkout, acceptedUnderpaidAt: now }]);
  const [record] = await readRecords(app, tx, [checkout.id], accepted);
  const outcome = record && (await settleLocked(app, tx, record));
  if (outcome?.kind === 'changed' && outcome.state === 'COMPLETED') return;
  if (outcome?.waitsForRate) throw new Outage('rate (what was paid cannot be valued now)');
  throw new Refusal('conflict', 'payment_uncertain', [
    'the network is taking a payment of this checkout back: wait until it is certain',
  ]);
}
