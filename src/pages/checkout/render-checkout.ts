// The whole page of a checkout, and its middle alone for pages that are open already.

import { createHash } from 'node:crypto';
import { unreachable } from '#base/assert.ts';
import { getNetwork } from '#catalog/network.ts';
import type { PageBlock } from '#merchant/page-settings.ts';
import { themeText } from '#pages/branding/theme.ts';
import { moneyText } from '#pages/display.ts';
import { embedOrigins } from '#pages/embed-origins.ts';
import { type Html, html, visibleText } from '#pages/html.ts';
import { pageHeader } from '#pages/page-header.ts';
import { invoiceLink } from '#pages/receipt/write-receipt.ts';
import type { Page } from '#pages/send-page.ts';
import { askPage } from './ask.ts';
import { type CheckoutPage, checkoutPath, samePath } from './checkout-page.ts';
import { choosePage } from './choose.ts';
import type { PageKind, PageState } from './decide-page.ts';
import { decideWords } from './decide-words.ts';
import { pageEndsInMs } from './due-panel.ts';
import { cancelledPage, expiredPage } from './expired.ts';
import { findPanel } from './find-payment.ts';
import { mailForm } from './mail-form.ts';
import { summaryPanel } from './order-summary.ts';
import { ownHeading, termsCard } from './own-words.ts';
import { paidPage, partialPage, partialTitle } from './paid.ts';
import { payPage } from './pay.ts';
import { paymentList } from './payment-list.ts';
import { sandboxPanel } from './sandbox-panel.ts';
import { noticeList, sayer } from './say-words.ts';
import { seenPage } from './seen.ts';
import { contactLine, shopLink } from './shop-links.ts';

/** Seconds after which a page without JavaScript asks again; the others wait for the customer. */
const REFRESH_SECONDS: Readonly<Partial<Record<PageKind, number>>> = {
  pay: 20,
  seen: 15,
  partial: 20,
  trouble: 15,
};

/** Nothing happens to these any more that a customer waits for. */
const LAST: readonly PageKind[] = ['paid', 'cancelled'];

export function isLastPage({ kind }: Pick<PageState, 'kind'>): boolean {
  return LAST.includes(kind);
}

export function renderCheckout(page: CheckoutPage): Page {
  const { language, record } = page;
  const { texts } = language;
  const isTest = record.environment === 'test';
  const shops = embedOriginsOf(page);
  return {
    language: language.code,
    title: pageTitle(page),
    refreshSeconds: refreshSeconds(page),
    leaveTo: leaveTo(page),
    theme: themeText(page.settings),
    frameAncestors: shops,
    connectsTo: relayOrigin(page),
    body: html`<a class="skip" href="#main">${texts.page.skip}</a>
${isTest && testStrip(page)}
<div class="page wide">
${pageHeader(page.summary.shopName, page.logo, language, (code) =>
  checkoutPath({ ...page, languageName: code }, '', page.query),
)}
${ownHeading(page)}
${columns(page)}
<p class="visually-hidden" id="live" role="status"></p>
<footer class="foot"><p class="no-print">${invoiceLink(page)}</p>${texts.page.poweredBy}</footer>
</div>`,
  };
}

/**
 * The parts of a page in the order that the shop wants. They stand in the document in that order,
 * so that it is read out as it is seen; where there is room, what is not `pay` is a column beside.
 */
function columns(page: CheckoutPage): Html {
  const { blocks } = page.settings;
  const at = blocks.indexOf('pay');
  const before = aside(page, blocks.slice(0, at));
  const after = aside(page, blocks.slice(at + 1));
  return html`<div class="columns${before && (after ? ' both' : ' first')}">
${before}
${mainOf(page)}
${after}
</div>`;
}

/** What of these has something to say. */
function aside(page: CheckoutPage, names: readonly PageBlock[]): Html | undefined {
  const parts = names.flatMap((name) => {
    if (name === 'note') return termsCard(page) ?? [];
    const { record, summary, language, buyer, domain } = page;
    return [summaryPanel(record, summary, language, buyer, domain?.host), sandboxPanel(page)];
  });
  return parts.length === 0 ? undefined : html`<div class="aside">${parts}</div>`;
}

function mainOf(page: CheckoutPage): Html {
  const { state, record } = page;
  const shops = embedOriginsOf(page);
  return html`<main id="main" data-state="${state.kind}" data-version="${pageVersion(state)}"${
    page.sample === undefined &&
    !isLastPage(state) &&
    html` data-source="${samePath(page, '/state')}"`
  }${shops.length > 0 && html` data-checkout="${record.id}" data-shops="${JSON.stringify(shops)}"`}>
${renderMain(page)}
</main>`;
}

export function embedOriginsOf({ record, settings, hasSandbox }: CheckoutPage): readonly string[] {
  const { environment, webhookUrl } = record;
  return embedOrigins({ environment, settings, demoHook: hasSandbox ? webhookUrl : undefined });
}

/**
 * A customer who has cancelled goes to the address that the merchant gave. The answer to the form
 * cannot redirect there, because our policy keeps forms on this host; so this page leads on. It
 * stays while there is a notice to read.
 */
function leaveTo(page: CheckoutPage): string | undefined {
  const isFresh = page.query.leave && page.state.kind === 'cancelled';
  if (!isFresh || page.record.cancelUrl === undefined) return undefined;
  return decideWords(page).notices.length === 0 ? checkoutPath(page, '/cancel') : undefined;
}

/** Not later than the end of the window, so that nobody looks at a price that is over. */
function refreshSeconds(page: CheckoutPage): number | undefined {
  const usual = REFRESH_SECONDS[page.state.kind];
  const endsInMs = pageEndsInMs(page);
  if (usual === undefined || endsInMs === undefined) return usual;
  return Math.min(usual, Math.ceil(endsInMs / 1000));
}

export function renderMain(page: CheckoutPage): Html {
  return html`${page.fault !== undefined && html`<p class="warning" role="alert">${page.fault}</p>`}
${stateView(page)}`;
}

function stateView(page: CheckoutPage): Html {
  const { state } = page;
  switch (state.kind) {
    case 'ask':
      return askPage(page);
    case 'choose':
      return choosePage(page, state);
    case 'pay':
      return payPage(page, state);
    case 'seen':
      return seenPage(page);
    case 'partial':
      return partialPage(page, state);
    case 'paid':
      return paidPage(page);
    case 'expired':
      return expiredPage(page, state);
    case 'cancelled':
      return cancelledPage(page);
    case 'trouble':
      return troublePage(page, state);
    default:
      return unreachable(state);
  }
}

/**
 * Of the relay of WalletConnect, where the page may come to ask for it: an open page changes
 * without being loaded again.
 */
function relayOrigin(page: CheckoutPage): string | undefined {
  const isPayable = !isLastPage(page.state) && page.record.offers.some(isOnEvm);
  return isPayable ? page.walletConnect?.relayOrigin : undefined;
}

function isOnEvm({ network }: { readonly network: string }): boolean {
  return getNetwork(network).family === 'evm';
}

/** The state comes first, because a narrow tab shows only the beginning. */
function pageTitle(page: CheckoutPage): string {
  return `${stateTitle(page)} · ${visibleText(page.summary.shopName)}`;
}

/** Also what is read out when the state of an open page changes. */
function stateTitle(page: CheckoutPage): string {
  const { state, language, record } = page;
  const { texts, code } = language;
  switch (state.kind) {
    case 'ask':
      return texts.paying.ask.title;
    case 'choose':
    case 'pay':
      return texts.pay.title(moneyText(record.total, record.billingCurrency, code));
    case 'partial':
      return partialTitle(page, state);
    case 'trouble':
      return state.cause === 'behind' ? texts.trouble.title : texts.trouble.takenBack;
    case 'seen':
    case 'paid':
    case 'expired':
    case 'cancelled':
      return texts[state.kind].title;
    default:
      return unreachable(state);
  }
}

/**
 * Equal content has an equal version, which an open page compares. The time left is not part of it.
 */
export function pageVersion(state: PageState): string {
  const text = JSON.stringify(state, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

function testStrip({ language }: CheckoutPage): Html {
  const { testMode, testModeHint } = language.texts.page;
  return html`<aside class="strip" aria-label="${testMode}"><strong>${testMode}</strong> ${testModeHint}</aside>`;
}

export type ChangedAnswer = {
  readonly version: string;
  readonly state: string;
  readonly title: string;
  /** Read out by screen readers. */
  readonly said: string;
  readonly html: string;
  /** What the payer in test mode can do now. */
  readonly sandbox?: string | undefined;
  /** Nothing happens any more: the page need not ask again. */
  readonly isLast: boolean;
};

export function changedAnswer(page: CheckoutPage, version: string): ChangedAnswer {
  return {
    version,
    state: page.state.kind,
    title: pageTitle(page),
    said: stateTitle(page),
    html: renderMain(page).markup,
    sandbox: sandboxPanel(page)?.markup,
    isLast: isLastPage(page.state),
  };
}

// What is wrong, said honestly: our own view is behind, a payment was replaced, another asset came.
function troublePage(page: CheckoutPage, state: Extract<PageState, { kind: 'trouble' }>): Html {
  const { texts } = page.language;
  const isBehind = state.cause === 'behind';
  return html`<section class="card" aria-labelledby="title">
<h1 id="title" tabindex="-1">${isBehind ? texts.trouble.title : texts.trouble.takenBack}</h1>
${
  isBehind &&
  html`<p class="warning" data-says="behind-over">${texts.trouble.behindOver(
    getNetwork(state.commitment.network).name,
  )}</p>`
}
${sayer(page)('taken-back', 'warning')}
${noticeList(page)}
${!isBehind && paymentList(page)}
<p class="reference">${texts.paid.reference} <code>${page.record.id}</code></p>
${findPanel(page, false)}
${mailForm(page)}
${contactLine(page)}
${shopLink(page)}
</section>`;
}
