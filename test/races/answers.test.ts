// A payer changes the tip while the same payer, in another tab, chooses how to pay: whoever comes
// first, the window asks for the total that stands in the checkout, and no later tip changes it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Refusal } from '#base/refusal.ts';
import { answerCheckout, commitCheckout } from '#checkout/commit-checkout.ts';
import { decimalToText, parseDecimal } from '#money/decimal.ts';
import { openTestApp } from '#test/support/test-app.ts';

const ROUNDS = 12;

test('a tip and a choice at once leave one total, which the window asks for', async () => {
  const { app, create, read, observe, close } = await openTestApp({ connections: 10 });
  try {
    await observe('LITECOIN');
    const outcomes = { tipped: 0, fixed: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      const checkoutId = await create({ pageSettings: { tipAmounts: ['5'] } });
      const tip = {
        checkoutId,
        owner: 'page',
        answers: new Map(),
        isTermsAccepted: false,
      } as const;
      const choice = { checkoutId, owner: 'page', network: 'LITECOIN' } as const;
      const acts = [
        () => answerCheckout(app, { ...tip, tip: parseDecimal('5') }),
        () => commitCheckout(app, choice),
      ];
      // Whichever is first has more of a start from round to round, and all of it in the last two.
      const startMs = round < ROUNDS - 2 ? round : 10_000;
      const [answered] = await Promise.allSettled(
        round % 2 === 0 ? inTurn(acts, startMs) : inTurn(acts.toReversed(), startMs),
      ).then((done) => (round % 2 === 0 ? done : done.toReversed()));
      const { total, offers, commitments } = await read(checkoutId);
      const offer = offers.find(({ network }) => network === 'LITECOIN');
      assert.equal(commitments.length, 1);
      assert.equal(commitments[0]?.askedUnits, offer?.askedUnits);
      if (answered?.status === 'fulfilled') outcomes.tipped += 1;
      else {
        assert.ok(answered?.reason instanceof Refusal && answered.reason.code === 'answers_fixed');
        outcomes.fixed += 1;
      }
      assert.equal(decimalToText(total), answered?.status === 'fulfilled' ? '24.9' : '19.9');
    }
    assert.ok(outcomes.tipped > 0 && outcomes.fixed > 0, JSON.stringify(outcomes));
  } finally {
    await close();
  }
});

/** The second begins when the first has ended, or `startMs` after it began. */
function inTurn(acts: readonly (() => Promise<unknown>)[], startMs: number): Promise<unknown>[] {
  const [first, second] = acts;
  const begun = first?.() ?? Promise.resolve();
  const start = Promise.race([
    begun.catch(() => undefined),
    wait(startMs, undefined, { ref: false }),
  ]);
  return [begun, start.then(() => second?.())];
}
