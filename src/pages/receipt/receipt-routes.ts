// The receipt and the invoice of a checkout. Whoever has the token in the address may read and
// print them, as they may read the checkout itself.
import { type Context, Hono } from 'hono';
import type { LanguageCode } from '#catalog/language.ts';
import { readPageQuery } from '#pages/checkout/checkout-page.ts';
import { missingPage, noReceiptPage } from '#pages/fault-pages.ts';
import { findPageLanguage, preferredLanguage } from '#pages/languages/texts.ts';
import { domainOf } from '#pages/own-domain.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendDownload, sendPage } from '#pages/send-page.ts';
import { findPaperFacts, type PaperFacts } from './find-paper-facts.ts';
import type { Paper } from './paper.ts';
import { renderPaper } from './paper-page.ts';
import { paperPath } from './paper-path.ts';
import { createPdfThread } from './pdf-thread.ts';
import { createPaperPrinter } from './print-paper.ts';
import { writeInvoice } from './write-invoice.ts';
import { writeReceipt } from './write-receipt.ts';

const checkout = '/:language/checkout/:token';

export function receiptRoutes(app: PageApp): Hono {
  const routes = new Hono();
  const printer = createPaperPrinter(app.clock, createPdfThread());
  const invoice = (context: Context) =>
    withFacts(app, context, (facts) => showPaper(app, facts, writeInvoice(facts)));
  // api-contract.md 9 names the first.
  routes.get('/:language/invoice/:token', invoice);
  routes.get(`${checkout}/invoice`, invoice);
  routes.get(`${checkout}/receipt`, (context) =>
    withReceipt(app, context, (facts, paper) => showPaper(app, facts, paper)),
  );
  routes.get(`${checkout}/receipt.pdf`, (context) =>
    withReceipt(app, context, async ({ page }, paper) => {
      const bytes = await printer.print(page.token, paper);
      return sendDownload(bytes, 'application/pdf', `receipt-${paper.reference}.pdf`);
    }),
  );
  return routes;
}

async function withFacts(
  app: PageApp,
  context: Context,
  answer: (facts: PaperFacts) => Response | Promise<Response>,
): Promise<Response> {
  const accepted = context.req.header('accept-language');
  const languageName = context.req.param('language') ?? '';
  const token = context.req.param('token') ?? '';
  const language = findPageLanguage(languageName, accepted);
  const query = readPageQuery(new URLSearchParams());
  const domain = domainOf(context);
  const facts =
    language && (await findPaperFacts(app, { language, languageName, token, query, domain }));
  if (facts !== undefined) return answer(facts);
  return sendPage(app, missingPage(language ?? preferredLanguage(accepted)));
}

function withReceipt(
  app: PageApp,
  context: Context,
  answer: (facts: PaperFacts, paper: Paper) => Response | Promise<Response>,
): Promise<Response> {
  return withFacts(app, context, (facts) => {
    const paper = writeReceipt(facts);
    if (paper !== undefined) return answer(facts, paper);
    const { language, token, languageName } = facts.page;
    const checkout = paperPath({ token, languageName }, 'checkout');
    return sendPage(app, noReceiptPage(language, checkout));
  });
}

function showPaper(app: PageApp, { page }: PaperFacts, paper: Paper): Response {
  const { token, languageName } = page;
  const links = {
    addressIn: (code: LanguageCode) => paperPath({ token, languageName: code }, paper.kind),
    checkout: paperPath({ token, languageName }, 'checkout'),
    pdf: paper.kind === 'receipt' ? paperPath({ token, languageName }, 'receipt.pdf') : undefined,
  };
  return sendPage(app, renderPaper(paper, links, page));
}
