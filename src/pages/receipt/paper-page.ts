// A receipt or an invoice as a page: without a script, and made to be printed.
import type { LanguageCode } from '#catalog/language.ts';
import { themeText } from '#pages/branding/theme.ts';
import type { CheckoutPage } from '#pages/checkout/checkout-page.ts';
import { qrCode } from '#pages/checkout/copy-field.ts';
import { foreignText, type Html, html, visibleText } from '#pages/html.ts';
import type { PageLanguage } from '#pages/languages/texts.ts';
import { pageHeader } from '#pages/page-header.ts';
import type { Page } from '#pages/send-page.ts';
import type { Paper, PaperLine, PaperParty, PaperRow, PaperSection } from './paper.ts';

export type PaperLinks = {
  /** The same paper in another language. */
  addressIn(code: LanguageCode): string;
  /** Undefined: the paper belongs to no single checkout. */
  readonly checkout: string | undefined;
  /** Undefined: there is no PDF of it. */
  readonly pdf: string | undefined;
  /** Where the form is sent that leads to a payment; undefined: nothing is to be paid here. */
  readonly pay?: string | undefined;
  /** The day on which it is due, for a calendar. */
  readonly calendar?: string | undefined;
};

/** Of the merchant, on screens: paper stays white. */
type PaperLook = Pick<CheckoutPage, 'logo' | 'settings'>;

export function renderPaper(paper: Paper, links: PaperLinks, look: PaperLook): Page {
  const { language, title, shopName, isTest } = paper;
  const { texts } = language;
  return {
    language: language.code,
    theme: themeText(look.settings),
    title: `${title} ${paper.reference} · ${visibleText(shopName)}`,
    body: html`${
      isTest &&
      html`<aside class="strip" aria-label="${texts.page.testMode}">
<strong>${texts.page.testMode}</strong> ${texts.page.testModeHint}</aside>`
    }
<div class="page narrow">
${pageHeader(shopName, look.logo, language, links.addressIn)}
<main id="main" data-state="${paper.kind}">
<article class="card paper" aria-labelledby="title">
<h1 id="title">${title}</h1>
${rowList(paper.facts)}
<div class="parties">${paper.parties.map(partyBlock)}</div>
${bill(paper)}
${links.pay !== undefined && payForm(links.pay, language)}
${paymentBlock(paper)}
${paper.notes.map(noteBlock)}
${paper.sections.map(sectionBlock)}
</article>
<nav class="ways no-print">
${links.checkout !== undefined && html`<a class="quiet" id="to-payment" href="${links.checkout}">${texts.paper.toPayment}</a>`}
${links.pdf !== undefined && html`<a class="quiet" id="pdf" href="${links.pdf}">${paper.kind === 'invoice' ? texts.bill.pdf : texts.paper.pdf}</a>`}
${links.calendar !== undefined && html`<a class="quiet" id="calendar" href="${links.calendar}">${texts.paying.steps.calendar}</a>`}
</nav>
<p class="hint no-print">${texts.paper.print}</p>
</main>
<footer class="foot">${texts.page.poweredBy}</footer></div>`,
  };
}

/** Some are written by the merchant. */
function noteBlock(note: string): Html {
  const lines = note.split('\n').map((line) => html`${foreignText(line)}<br>`);
  return html`<p class="notice">${lines}</p>`;
}

function payForm(action: string, { texts }: PageLanguage): Html {
  return html`<form method="post" action="${action}" class="no-print">
<p class="hint">${texts.bill.payHint}</p>
<button class="button" id="pay">${texts.bill.pay}</button></form>`;
}

function rowList(rows: readonly PaperRow[]): Html {
  return html`<dl class="lines">${rows.map(
    (row) => html`<div><dt>${row.label}</dt><dd>${rowValue(row)}</dd></div>`,
  )}</dl>`;
}

function rowValue({ value, look, at, href }: PaperRow): Html {
  if (href !== undefined) {
    return html`<a class="proof" href="${href}" rel="noopener noreferrer"><code>${value}</code></a>`;
  }
  if (look === 'code') return html`<code>${value}</code>`;
  return at === undefined
    ? html`${value}`
    : html`<time datetime="${at.toString()}" data-look="moment">${value}</time>`;
}

function partyBlock({ label, lines }: PaperParty): Html {
  return html`<section><h2>${label}</h2>
<p class="party">${lines.map((line) => html`${foreignText(line)}<br>`)}</p></section>`;
}

function bill({ lines, totals, language }: Paper): Html {
  const { paper } = language.texts;
  return html`<table class="bill">
<thead><tr><th scope="col">${paper.description}</th>
<th scope="col">${paper.amount}</th></tr></thead>
<tbody>${lines.map(billLine)}</tbody>
<tfoot>${totals.map(
    ({ label, value }) => html`<tr><th scope="row">${label}</th><td>${value}</td></tr>`,
  )}</tfoot>
</table>`;
}

function billLine({ kind, description, detail, amount }: PaperLine): Html {
  return html`<tr><td>${kind !== undefined && kind !== description && html`${kind}: `}${foreignText(
    description,
  )}${detail !== undefined && html` <span class="hint">${detail}</span>`}</td><td>${amount}</td></tr>`;
}

function paymentBlock({ payment, language }: Paper): Html | undefined {
  if (payment === undefined) return undefined;
  const { url, title, hint } = payment;
  return html`<section class="payment"><h2>${title}</h2>
<p>${hint}</p>
${qrCode(url, language.texts.pay.qrAlt(url))}
<p><a href="${url}"><code>${url}</code></a></p></section>`;
}

function sectionBlock({ title, rows }: PaperSection): Html {
  return html`<section><h2>${title}</h2>${rowList(rows)}</section>`;
}
