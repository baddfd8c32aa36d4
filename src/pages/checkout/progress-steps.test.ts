// How far a payment is said to be.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PAGES } from '#test/support/checkout-pages.ts';
import { decideSteps } from './progress-steps.ts';
import { renderMain } from './render-checkout.ts';

const payment = (have: number, need: number, isFinal = false) => ({ have, need, isFinal });

const CASES: readonly (readonly [
  name: string,
  payments: readonly ReturnType<typeof payment>[],
  isPaid: boolean,
  said: string,
])[] = [
  ['seen and in no block', [payment(0, 3)], false, 'now next 0/3'],
  ['one confirmation of three', [payment(1, 3)], false, 'now next 1/3'],
  ['the one that is furthest behind counts', [payment(5, 6), payment(0, 3)], false, 'now next 0/3'],
  ['more than are needed, and not final yet', [payment(7, 6)], false, 'now next 6/6'],
  ['all are final, and it is not decided yet', [payment(3, 3, true)], false, 'done now 0/0'],
  ['paid', [payment(3, 3, true)], true, 'done done 0/0'],
];

for (const [name, payments, isPaid, said] of CASES) {
  test(`steps: ${name}`, () => {
    const { seen, confirmed, told, have, need } = decideSteps({ payments, isPaid });
    assert.equal(seen, 'done');
    assert.equal(`${confirmed} ${told} ${have}/${need}`, said);
  });
}

test('the page of a payment under way has the steps, and the shop is told only when it is paid', () => {
  const seen = renderMain(PAGES.seen!()).markup;
  assert.match(
    seen,
    /data-step="now" aria-current="step">\s<span>Confirmed<.*1 of 3 confirmations/s,
  );
  assert.match(seen, /data-step="next">\s<span>The shop hears of it/);
  assert.match(
    renderMain(PAGES.paid!()).markup,
    /data-step="done">\s<span>The shop has heard of it/,
  );
  assert.doesNotMatch(renderMain(PAGES.pay!()).markup, /class="steps"/);
});
