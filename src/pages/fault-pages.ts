// Pages for what did not work, in the style and language of the others. Nothing internal is told.
import type { Context } from 'hono';
import { Outage, Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { type Html, html } from './html.ts';
import { offeredLanguage, type PageLanguage, preferredLanguage } from './languages/texts.ts';
import { domainOf } from './own-domain.ts';
import type { PageApp } from './page-app.ts';
import { type Page, sendPage } from './send-page.ts';

export function missingPage(language: PageLanguage): Page {
  const { error } = language.texts;
  return messagePage(language, 404, error.missingTitle, error.missingHint);
}

/** The same, of a page for customers: `wished` of its address, else of the browser. */
export async function sendMissing(
  app: Pick<PageApp, 'random' | 'findSeller'>,
  context: Context,
  wished: PageLanguage | undefined,
): Promise<Response> {
  return sendPage(app, missingPage(await languageHere(app, context, wished)));
}

/** Under the domain of a shop, of what that offers; elsewhere what is wished. */
export async function languageHere(
  app: Pick<PageApp, 'findSeller'>,
  context: Context,
  wished = preferredLanguage(context.req.header('accept-language')),
): Promise<PageLanguage> {
  const domain = domainOf(context);
  const seller = domain && (await app.findSeller(domain.merchantId));
  return seller === undefined ? wished : offeredLanguage(wished, seller.page);
}

/** The checkout is there, but nothing has arrived: the way back leads to it. */
export function noReceiptPage(language: PageLanguage, checkoutPath: string): Page {
  const { missingTitle, missingHint, toPayment } = language.texts.paper;
  const back = html`<p><a class="quiet" id="to-payment" href="${checkoutPath}">${toPayment}</a></p>`;
  return messagePage(language, 404, missingTitle, missingHint, back);
}

/**
 * In a frame of a page that may not show the checkout. Anybody may frame this: there is nothing on
 * it but a link to the address that whoever framed it knows.
 */
export function notInFramePage(language: PageLanguage, checkoutPath: string): Page {
  const { notInFrame, newWindow } = language.texts.page;
  const link = html`<p><a class="button" id="new-window" href="${checkoutPath}" target="_blank"
 rel="noopener noreferrer">${newWindow}</a></p>`;
  return {
    ...messagePage(language, 403, newWindow, notInFrame, link),
    frameAncestors: ['*'],
  };
}

/** Logs what is our own fault. */
export function sendFault(
  app: Pick<PageApp, 'random' | 'log'>,
  language: PageLanguage,
  fault: unknown,
) {
  const { error } = language.texts;
  if (fault instanceof Refusal) {
    const { retryAfterSeconds } = fault;
    const page =
      fault.kind === 'missing'
        ? missingPage(language)
        : messagePage(
            language,
            STATUS_OF_REFUSAL[fault.kind],
            error.refusedTitle,
            error.refusedHint,
          );
    return sendPage(app, { ...page, retryAfterSeconds });
  }
  if (fault instanceof Outage) {
    app.log.warn('page without its data', { error: fault });
    const page = messagePage(language, 503, error.outageTitle, error.outageHint);
    return sendPage(app, { ...page, retryAfterSeconds: fault.retryAfterSeconds ?? 5 });
  }
  app.log.error('page failed', { error: fault });
  return sendPage(app, messagePage(language, 500, error.faultTitle, error.faultHint));
}

function messagePage(
  language: PageLanguage,
  status: number,
  title: string,
  hint: string,
  back?: Html,
): Page {
  return {
    language: language.code,
    status,
    title,
    body: html`<div class="page narrow"><main id="main" data-state="message">
<section class="card"><h1>${title}</h1><p>${hint}</p>${back}</section></main></div>`,
  };
}
