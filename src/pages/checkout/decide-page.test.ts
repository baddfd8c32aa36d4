import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { paymentProgress } from '#checkout-settlement/payment-progress.ts';
import {
  checkoutRecord,
  commitmentOn,
  offerOf,
  RECORD_NOW,
  receiptFor,
  refundOf,
} from '#pages/demo/sample-record.ts';
import { SAMPLE_STATES } from '#pages/demo/sample-states.ts';
import { momentText } from '#pages/display.ts';
import { listPageLanguages } from '#pages/languages/texts.ts';
import { PAGES, type PageOptions, pageOf } from '#test/support/checkout-pages.ts';
import { noticesOf } from './decide-notices.ts';
import { pageVersion, renderCheckout } from './render-checkout.ts';
import { noticeText } from './say-words.ts';

const bitcoin = commitmentOn('BITCOIN', 'BTC:NATIVE');
const litecoin = commitmentOn('LITECOIN', 'LTC:NATIVE');
const over = bitcoin.expiresAt;

const TABLE: readonly (readonly [
  sentence: string,
  changes: Partial<CheckoutRecord>,
  options: PageOptions,
  kind: string,
])[] = [
  ['nothing chosen yet: choose', {}, {}, 'choose'],
  ['chosen: pay', { commitments: [bitcoin] }, {}, 'pay'],
  [
    'chosen, and asked to choose again: choose',
    { commitments: [bitcoin] },
    { query: 'choose=1' },
    'choose',
  ],
  [
    'the window is over and the network was heard: expired',
    { commitments: [bitcoin] },
    { now: over },
    'expired',
  ],
  [
    'the window is over and the network is behind: neither pay nor expired, but trouble',
    { commitments: [bitcoin] },
    { now: over, behind: ['BITCOIN'] },
    'trouble',
  ],
  [
    'one second before the end: pay',
    { commitments: [bitcoin] },
    { now: over.subtract({ seconds: 1 }) },
    'pay',
  ],
  [
    'money seen: seen, also after the window',
    { commitments: [bitcoin], state: 'PENDING' },
    { now: over },
    'seen',
  ],
  [
    'money seen and not decided yet: seen',
    { commitments: [bitcoin], receipts: [receiptFor(bitcoin, { status: 'SEEN' })] },
    {},
    'seen',
  ],
  [
    'money of another asset is not what was asked for: pay',
    { commitments: [bitcoin], receipts: [receiptFor(bitcoin, { assetId: 'LTC:NATIVE' })] },
    {},
    'pay',
  ],
  [
    'final money, less than asked: partial',
    { commitments: [bitcoin], state: 'UNDERPAID' },
    {},
    'partial',
  ],
  [
    'completed: paid, whatever is asked for',
    { commitments: [bitcoin], state: 'COMPLETED' },
    { query: 'choose=1' },
    'paid',
  ],
  ['expired: expired', { commitments: [bitcoin], state: 'EXPIRED' }, { now: over }, 'expired'],
  [
    'expired, and asked to choose again: choose',
    { commitments: [bitcoin], state: 'EXPIRED' },
    { now: over, query: 'choose=1' },
    'choose',
  ],
  [
    'expired, and asked to choose again after a day: choose',
    { commitments: [bitcoin], state: 'EXPIRED' },
    { now: over.add({ hours: 25 }), query: 'choose=1' },
    'choose',
  ],
  [
    'never chosen, and asked to choose after a day: choose',
    { state: 'EXPIRED' },
    { now: over.add({ hours: 25 }), query: 'choose=1' },
    'choose',
  ],
  ['never chosen, after a day: expired', {}, { now: over.add({ hours: 25 }) }, 'expired'],
  [
    'cancelled: cancelled, whatever is asked for',
    { commitments: [bitcoin], state: 'CANCELLED', cancelledAt: RECORD_NOW },
    { query: 'choose=1' },
    'cancelled',
  ],
];

for (const [sentence, changes, options, kind] of TABLE) {
  test(sentence, () => assert.equal(pageOf(checkoutRecord(changes), options).state.kind, kind));
}

test('the address names the way that is shown, else it is the one that money came by', () => {
  const record = checkoutRecord({
    commitments: [bitcoin, litecoin],
    sourceNetwork: 'BITCOIN',
    sourceAssetId: 'BTC:NATIVE',
  });
  const shown = (query: string) => {
    const { state } = pageOf(record, { query });
    return state.kind === 'pay' ? state.due.commitment.network : state.kind;
  };
  assert.equal(shown(''), 'BITCOIN');
  assert.equal(shown('network=LITECOIN&asset=LTC:NATIVE'), 'LITECOIN');
  assert.equal(shown('network=DOGE&asset=x'), 'BITCOIN');
});

test('what is missing after a part is exactly the difference', () => {
  const units = 10_000_001n;
  const record = checkoutRecord({
    commitments: [litecoin],
    state: 'UNDERPAID',
    receipts: [receiptFor(litecoin, { units, status: 'FINAL' })],
  });
  assert.deepEqual(paymentProgress(record, litecoin), {
    requiredUnits: litecoin.arrivingUnits,
    receivedUnits: units,
    remainingUnits: litecoin.arrivingUnits - units,
  });
});

test('a part paid another way counts by its share, and the rest is rounded up', () => {
  const units = bitcoin.arrivingUnits / 3n;
  const record = checkoutRecord({
    commitments: [bitcoin, litecoin],
    state: 'UNDERPAID',
    receipts: [receiptFor(bitcoin, { units, status: 'FINAL' })],
  });
  const { remainingUnits } = paymentProgress(record, litecoin);
  const paid = (units * litecoin.arrivingUnits) / bitcoin.arrivingUnits;
  assert.equal(remainingUnits, litecoin.arrivingUnits - paid);
});

test('gone, reversed and foreign money is not counted', () => {
  const record = checkoutRecord({
    commitments: [litecoin],
    receipts: [
      receiptFor(litecoin, { id: 1n, status: 'GONE' }),
      receiptFor(litecoin, { id: 2n, creditedGeneration: 1, reversedGeneration: 1 }),
      receiptFor(litecoin, { id: 3n, assetId: 'BTC:NATIVE' }),
    ],
  });
  assert.equal(paymentProgress(record, litecoin).receivedUnits, 0n);
});

test('what goes back to the payer pays for nothing, and nothing more is asked for', () => {
  const page = PAGES['partial-returned']?.();
  assert.ok(page?.state.kind === 'partial');
  assert.equal(page.state.progress.receivedUnits, 0n);
  assert.equal(page.state.isReturned, true);
  const { markup } = renderCheckout(page).body;
  assert.match(markup, /data-notice="refund"/);
  assert.match(markup, /<h1[^>]*>Refund of 0\.2206\sLTC</);
  assert.match(renderCheckout(page).title, /^Refund of/);
  assert.doesNotMatch(markup, /id="address"|class="qr"|id="change"/);
});

test('a refund that rests says when it is sent, until it is sent or uncertain', () => {
  const restsUntil = Temporal.Instant.from('2026-01-03T12:00:00Z');
  const said = (changes: Partial<ReturnType<typeof refundOf>>) => {
    const refunds = [{ ...refundOf(litecoin, 44_120_000n), restsUntil, ...changes }];
    const record = checkoutRecord({ commitments: [litecoin], refunds });
    return noticesOf({ record, behind: new Set() }, litecoin);
  };
  const [resting] = said({});
  assert.ok(resting?.kind === 'refund');
  assert.equal(resting.restsUntil, restsUntil);
  for (const language of listPageLanguages()) {
    const sentence = language.texts.refund.rests(momentText(restsUntil, language.code));
    assert.ok(noticeText(resting, language).endsWith(sentence), language.code);
  }
  for (const changes of [
    { transaction: 'f'.repeat(64) },
    { payment: 'UNCERTAIN' as const },
    { state: 'COMPLETED' as const },
    { restsUntil: undefined },
  ]) {
    assert.ok(!said(changes).some((notice) => 'restsUntil' in notice), JSON.stringify(changes));
  }
});

test('nobody has to ask for what is coming back anyway', () => {
  const kinds = (name: string) => PAGES[name]?.().state.notices.map(({ kind }) => kind);
  assert.deepEqual(kinds('paid-over'), ['over']);
  assert.deepEqual(kinds('paid-over-returned'), ['refund']);
});

test('nobody is asked for a rest that the merchant tolerates', () => {
  const rest = (tolerance: number) => {
    const { state } = pageOf(
      checkoutRecord({
        commitments: [litecoin],
        state: 'PENDING',
        underpaidTolerancePartsPerMillion: tolerance,
        receipts: [receiptFor(litecoin, { units: (litecoin.arrivingUnits * 99n) / 100n })],
      }),
    );
    return state.kind === 'seen' ? state.rest : undefined;
  };
  assert.notEqual(rest(0), undefined);
  assert.equal(rest(10_000), undefined);
});

test('notices say what is known beside the state', () => {
  const kinds = (changes: Partial<CheckoutRecord>, options: PageOptions = {}) =>
    pageOf(checkoutRecord({ commitments: [litecoin], ...changes }), options).state.notices.map(
      ({ kind }) => kind,
    );
  assert.deepEqual(kinds({}), []);
  assert.deepEqual(kinds({}, { behind: ['LITECOIN'] }), ['behind']);
  assert.deepEqual(kinds({}, { behind: ['BITCOIN'] }), []);
  const gone = receiptFor(litecoin, { status: 'GONE' });
  assert.deepEqual(kinds({ receipts: [gone] }), ['replaced']);
  assert.deepEqual(kinds({ receipts: [gone, receiptFor(litecoin, { id: 2n })] }), []);
  assert.deepEqual(kinds({ receipts: [receiptFor(litecoin, { assetId: 'BTC:NATIVE' })] }), [
    'wrong-asset',
  ]);
  const late = { late: { at: 'x' }, overpaid: { amount: '1', assetCode: 'LTC' } };
  assert.deepEqual(kinds({ state: 'COMPLETED', flags: late }), ['over', 'late']);
});

test('one way to pay is one button; several coins are links, their networks buttons', () => {
  const methods = (changes: Partial<CheckoutRecord>, query = '') =>
    renderCheckout(pageOf(checkoutRecord(changes), { query })).body.markup.match(/name="method"/g)
      ?.length ?? 0;
  assert.equal(methods({ offers: [offerOf('LITECOIN', 'LTC:NATIVE')] }), 1);
  assert.equal(methods({}, 'group=USDC'), 3);
  assert.equal(methods({}, 'group=NONSENSE'), methods({}));
});

test('a way whose window is over is offered again, at the price of today', () => {
  const { state } = pageOf(checkoutRecord({ commitments: [bitcoin], state: 'EXPIRED' }), {
    now: over,
    query: 'choose=1',
  });
  assert.ok(state.kind === 'choose');
  assert.ok(state.offers.some(({ network }) => network === 'BITCOIN'));
});

test('the version stays while only time passes, and changes with a confirmation', () => {
  const version = (confirmations: bigint, seconds: number) =>
    pageVersion(
      pageOf(
        checkoutRecord({
          commitments: [litecoin],
          state: 'PENDING',
          receipts: [receiptFor(litecoin, { confirmations })],
        }),
        { now: RECORD_NOW.add({ seconds }) },
      ).state,
    );
  assert.equal(version(1n, 0), version(1n, 30));
  assert.notEqual(version(1n, 0), version(2n, 0));
});

test('every state can be read in every language, with its hook and one main heading', () => {
  for (const language of ['en', 'de', 'fr']) {
    for (const [name, make] of Object.entries(PAGES)) {
      const page = make({ language });
      const { body, title } = renderCheckout(page);
      assert.ok(body.markup.includes(`data-state="${page.state.kind}"`), name);
      assert.equal(body.markup.match(/<h1/g)?.length, 1, name);
      assert.doesNotMatch(body.markup + title, /undefined|\[object|NaN/, name);
    }
  }
});

test('no state is a dead end: each leads back to the shop, or is cancelled', () => {
  for (const { name, make } of SAMPLE_STATES) {
    const { markup } = renderCheckout(make()).body;
    assert.match(markup, /href="[^"]*\/(?:return|cancel)"|<button[^>]*id="cancel"/, name);
  }
});

const bank = commitmentOn('SEPA', 'EUR:FIAT', 'live');

test('by bank, in the currency of the bill, no price runs out and nobody needs a wallet', () => {
  const record = checkoutRecord({ environment: 'live', commitments: [bank] });
  for (const state of ['AWAITING_PAYMENT', 'EXPIRED'] as const) {
    const page = pageOf({ ...record, state }, { now: bank.expiresAt.add({ hours: 20 }) });
    assert.equal(page.state.kind, 'pay');
    const { markup } = renderCheckout(page).body;
    assert.match(markup, /id="holder"/);
    assert.doesNotMatch(markup, /data-left|id="find"|[Ww]allet|exchange|id="rate"/);
  }
  const inDollars = checkoutRecord({ ...record, billingCurrency: 'USD' });
  assert.match(renderCheckout(pageOf(inDollars)).body.markup, /data-left/);
});

test('after the time the same coin can be had at a new price with one button', () => {
  const { markup } = renderCheckout(PAGES.expired!()).body;
  const button = /<button[^>]*id="new-price" name="method" value="([^"]+)">([^<]+)</.exec(markup);
  assert.deepEqual(button?.slice(1), ['BITCOIN BTC:NATIVE', 'Get a new price']);
});

test('nobody is asked for the rest at a price of before', () => {
  const page = pageOf(
    checkoutRecord({
      commitments: [litecoin],
      state: 'PENDING',
      receipts: [receiptFor(litecoin, { units: litecoin.arrivingUnits / 2n })],
    }),
    { now: litecoin.expiresAt },
  );
  assert.ok(page.state.kind === 'seen');
  assert.deepEqual([page.state.isShort, page.state.rest], [true, undefined]);
});

test('a rest whose time is over is had at a new price with one button, where it can be had', () => {
  const half = receiptFor(litecoin, { units: litecoin.arrivingUnits / 2n, status: 'FINAL' });
  const offered = (changes: Partial<CheckoutRecord>, options: PageOptions = {}) => {
    const record = { commitments: [litecoin], state: 'UNDERPAID', receipts: [half] } as const;
    const page = pageOf(checkoutRecord({ ...record, ...changes }), {
      now: litecoin.expiresAt,
      ...options,
    });
    const { markup } = renderCheckout(page).body;
    return {
      code: /id="amount"/.test(markup),
      button: /id="new-price" name="method" value="([^"]+)"/.exec(markup)?.[1],
    };
  };
  assert.deepEqual(offered({}), { code: false, button: 'LITECOIN LTC:NATIVE' });
  const before = litecoin.expiresAt.subtract({ seconds: 1 });
  assert.deepEqual(offered({}, { now: before }), { code: true, button: undefined });
  // A fresh window was opened: the rest is asked for, at its price.
  const { instruction, arrivingUnits, settlementUnits, netUnits, committedAt, expiresAt } =
    litecoin;
  const past = {
    instructionId: instruction.id,
    arrivingUnits,
    settlementUnits,
    netUnits,
    committedAt,
    expiresAt,
  };
  const fresh = {
    ...litecoin,
    pastWindows: [past],
    committedAt: expiresAt,
    expiresAt: expiresAt.add({ hours: 1 }),
  };
  assert.deepEqual(offered({ commitments: [fresh] }), { code: true, button: undefined });
  const nothing = { code: false, button: undefined };
  assert.deepEqual(offered({}, { behind: ['LITECOIN'] }), nothing);
  assert.deepEqual(offered({ cancelledAt: RECORD_NOW }), nothing);
  const bitcoinOnly = [offerOf('BITCOIN', 'BTC:NATIVE')];
  assert.deepEqual(offered({ offers: bitcoinOnly }), nothing);
  // By bank, in the currency of the bill, no price runs out: the rest is asked for.
  const bankPart = receiptFor(bank, { units: bank.arrivingUnits / 2n, status: 'FINAL' });
  const byBank = { environment: 'live', commitments: [bank], receipts: [bankPart] } as const;
  assert.deepEqual(offered(byBank), { code: true, button: undefined });
});

test('the list of ways shows no amount that choosing would not ask for', () => {
  const amounts = (changes: Partial<CheckoutRecord>, now: Temporal.Instant) => {
    const offers = [offerOf('LITECOIN', 'LTC:NATIVE'), offerOf('XRP_LEDGER', 'XRP:NATIVE')];
    const expiresAt = RECORD_NOW.add({ hours: 24 });
    const record = checkoutRecord({ offers, expiresAt, ...changes });
    const { markup } = renderCheckout(pageOf(record, { now, query: 'choose=1' })).body;
    assert.match(markup, /name="method" value="LITECOIN LTC:NATIVE"/);
    return [...markup.matchAll(/class="choice-amount">([^\s<]+)/g)].map(([, amount]) => amount);
  };
  const { quotedUntil } = checkoutRecord({});
  const later = quotedUntil.add({ seconds: 1 });
  const quoted = amounts({}, quotedUntil);
  assert.equal(quoted.length, 2);
  assert.deepEqual(amounts({}, later), []);
  // Chosen at another price, which holds: that one is asked for.
  const twice = 2n * litecoin.arrivingUnits;
  const dearer = { ...litecoin, askedUnits: twice, arrivingUnits: twice };
  const open = { ...dearer, committedAt: later, expiresAt: later.add({ hours: 1 }) };
  const chosen = amounts({ commitments: [open] }, later);
  assert.equal(chosen.length, 1);
  assert.ok(!quoted.includes(chosen[0]));
});
