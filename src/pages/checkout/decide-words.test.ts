// No two sentences of a page contradict each other: what the markup of every sample says, in every
// language, with every answer to a pasted transaction, is held against what its sentences claim.
// The sentences are looked for in the markup: a view that adds one of its own is found too.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SAMPLE_STATES } from '#pages/demo/sample-states.ts';
import { escapeText } from '#pages/html.ts';
import type { Texts } from '#pages/languages/en.ts';
import { listPageLanguages, pageLanguage } from '#pages/languages/texts.ts';
import { PAGES } from '#test/support/checkout-pages.ts';
import type { CheckoutPage } from './checkout-page.ts';
import type { FoundPayment } from './decide-found-payment.ts';
import type { PageKind } from './decide-page.ts';
import { renderMain } from './render-checkout.ts';

type Claim =
  | 'asks for money'
  | 'forbids to send'
  | 'nothing to do'
  | 'complete'
  | 'not complete'
  | 'taken back'
  | 'we see the network'
  | 'we do not'
  | 'nothing came'
  | 'something came'
  | 'ask for the excess'
  | 'it comes back';

const CONTRADICTIONS: readonly (readonly [Claim, Claim])[] = [
  ['asks for money', 'forbids to send'],
  ['asks for money', 'nothing to do'],
  ['asks for money', 'complete'],
  ['asks for money', 'taken back'],
  ['forbids to send', 'complete'],
  ['taken back', 'complete'],
  ['taken back', 'nothing to do'],
  ['complete', 'not complete'],
  ['we see the network', 'we do not'],
  ['nothing came', 'something came'],
  ['ask for the excess', 'it comes back'],
  ['ask for the excess', 'taken back'],
  ['ask for the excess', 'not complete'],
];

/** What each sentence claims; `any` stands for its parts. */
function claimsOf(texts: Texts, any: string): readonly (readonly [string, ...Claim[]])[] {
  const { pay, seen, partial, paid, expired, cancelled, trouble, notice, find } = texts;
  return [
    [`${pay.amount}<`, 'asks for money'],
    [`${pay.amountRest}<`, 'asks for money'],
    [pay.wallet, 'asks for money'],
    [pay.watching, 'we see the network'],
    [seen.title, 'something came', 'not complete'],
    [seen.hint, 'nothing to do'],
    [seen.short, 'asks for money', 'something came'],
    [seen.timeSeconds, 'nothing to do'],
    [seen.timeMinutes(any), 'nothing to do'],
    [partial.title, 'something came', 'not complete'],
    [partial.hint, 'something came'],
    [partial.rest, 'asks for money'],
    [partial.windowOver, 'forbids to send'],
    [`${paid.title}<`, 'complete'],
    [paid.hint, 'complete'],
    [expired.title, 'not complete'],
    [expired.doNotSend, 'forbids to send'],
    [cancelled.nothing, 'nothing came'],
    [cancelled.hint, 'forbids to send'],
    [trouble.behind(any), 'we do not'],
    [trouble.behindOver(any), 'we do not', 'forbids to send'],
    [trouble.takenBack, 'taken back'],
    [trouble.takenBackHint, 'taken back', 'forbids to send'],
    [trouble.reversed, 'not complete'],
    [notice.over(any), 'ask for the excess'],
    [notice.multiple, 'ask for the excess'],
    [notice.refundAwaiting(any), 'it comes back'],
    [notice.refundUnderWay(any), 'it comes back'],
    [notice.refundCompleted(any), 'it comes back'],
    [find.waiting(any), 'nothing to do'],
    [find.confirming(any), 'nothing to do'],
    [find.less(any, any), 'asks for money'],
    [find.lessAsk(any), 'not complete'],
  ];
}

const ANY = '\u{f0000}';

function claimsIn(markup: string, texts: Texts): Map<Claim, string> {
  const claims = new Map<Claim, string>();
  for (const [text, ...claimed] of claimsOf(texts, ANY)) {
    const isLabel = text.endsWith('<');
    const escaped = escapeText(isLabel ? text.slice(0, -1) : text) + (isLabel ? '<' : '');
    const pattern = RegExp.escape(escaped).replaceAll(ANY, '[^<]*?');
    if (!new RegExp(pattern).test(markup)) continue;
    for (const claim of claimed) claims.set(claim, text);
  }
  return claims;
}

function assertAgrees(page: CheckoutPage, name: string): void {
  const { markup } = renderMain(page);
  const claims = claimsIn(markup, page.language.texts);
  for (const [one, other] of CONTRADICTIONS) {
    const isBoth = claims.has(one) && claims.has(other);
    assert.ok(!isBoth, `${name}: "${claims.get(one)}" and "${claims.get(other)}"`);
  }
  if (claims.has('forbids to send')) {
    assert.doesNotMatch(markup, /class="qr"|id="wallet"|id="amount"/, name);
  }
}

const ofBitcoin = { network: 'BITCOIN', assetId: 'BTC:NATIVE', units: 40_000n };
const FOUND: readonly FoundPayment[] = [
  { kind: 'unreadable' },
  { ...ofBitcoin, kind: 'seen', stage: 'gone' },
  { kind: 'wrong-asset', network: 'ETHEREUM', assetId: 'ETH:NATIVE' },
  { kind: 'wrong-network', network: 'LITECOIN' },
  { kind: 'wrong-network', network: undefined },
  { kind: 'no-memo', network: 'STELLAR' },
  { kind: 'elsewhere' },
  { kind: 'not-found', behind: [] },
];
const waiting: FoundPayment = { ...ofBitcoin, kind: 'seen', stage: 'waiting' };
const confirmed: FoundPayment = { ...ofBitcoin, kind: 'seen', stage: 'confirmed' };
const wrong = { ...ofBitcoin, kind: 'wrong-amount', differenceUnits: 8_312n } as const;
const less: FoundPayment = { ...wrong, difference: 'less' };
const more: FoundPayment = { ...wrong, difference: 'more' };
/** What can be found where the money is on record (decide-found-payment.ts). */
const FOUND_OWN: Readonly<Partial<Record<PageKind, readonly FoundPayment[]>>> = {
  expired: [waiting, { ...ofBitcoin, kind: 'seen', stage: 'confirming' }, confirmed, less, more],
  partial: [less],
  paid: [confirmed, more],
};

for (const { code } of listPageLanguages()) {
  test(`${code}: no two sentences of any state contradict each other`, () => {
    for (const { name, make } of SAMPLE_STATES) assertAgrees(make({ language: code }), name);
  });
}

test('nor does what is answered to a pasted transaction contradict the page', () => {
  for (const { name, kind, make } of SAMPLE_STATES) {
    for (const found of [...FOUND, ...(FOUND_OWN[kind] ?? [])]) {
      assertAgrees({ ...make(), found }, `${name} ${found.kind}`);
    }
  }
});

test('each claim is made by some state: the list finds what it looks for', () => {
  const made = new Set<Claim>();
  for (const { make } of SAMPLE_STATES) {
    const page = make();
    for (const claim of claimsIn(renderMain(page).markup, page.language.texts).keys()) {
      made.add(claim);
    }
  }
  assert.deepEqual([...made].sort(), [...new Set(CONTRADICTIONS.flat())].sort());
});

test('a notice stands inside the card, above everything that can be pressed', () => {
  let notices = 0;
  for (const { name, make } of SAMPLE_STATES) {
    const { markup } = renderMain(make());
    const at = markup.lastIndexOf('data-notice=');
    if (at < 0) continue;
    notices += 1;
    const card = markup.indexOf('class="card"');
    const button = markup.search(/class="(?:button|choice|copy)"/);
    assert.ok(card >= 0 && card < at, `${name}: outside the card`);
    assert.ok(button < 0 || at < button, `${name}: below a button`);
  }
  assert.ok(notices > 10);
});

test('nothing goes back to the shop by itself while a notice is unread', () => {
  const leaves = (page: CheckoutPage) => renderMain(page).markup.includes('data-leave');
  assert.equal(leaves(PAGES.paid!()), true);
  for (const { name, make } of SAMPLE_STATES) {
    const page = make();
    if (page.state.notices.length > 0) assert.equal(leaves(page), false, name);
  }
});

test('what is missing has an amount only while its price holds', () => {
  const asks = (name: string) => renderMain(PAGES[name]!()).markup.includes('id="remaining"');
  assert.equal(asks('partial'), true);
  assert.equal(asks('partial-late'), false);
});

test('a payment that was taken back is neither thanked for nor paid', () => {
  const { markup } = renderMain(PAGES.reversed!());
  const { texts } = pageLanguage('en');
  assert.equal(PAGES.reversed!().state.kind, 'trouble');
  assert.ok(markup.includes(texts.trouble.takenBackHint));
  assert.ok(!markup.includes(texts.paid.title));
});

test('money of another asset is no part of the price: all of it is still asked for', () => {
  const page = PAGES['wrong-asset']!();
  assert.ok(page.state.kind === 'pay');
  assert.equal(page.state.due.units, page.state.due.commitment.arrivingUnits);
  assert.match(renderMain(page).markup, /data-notice="wrong-asset"/);
});

test('what a code of two networks says names both of them', () => {
  const { markup } = renderMain(PAGES['pay-both']!());
  assert.match(markup, /&amp;lightning=/);
  assert.match(markup, /on the Bitcoin or Lightning network only/);
  assert.doesNotMatch(markup, /the Bitcoin network/);
});
