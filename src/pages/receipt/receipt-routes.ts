// The receipt and the invoice of a checkout. Whoever has the token in the address may read and
// print them, as they may read the checkout itself.
import { type Context, Hono } from 'hono';
import type { LanguageCode } from '#catalog/language.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { hostedCheckoutUrl, pageOrigin } from '#checkout/page-token.ts';
import { brandOnPaper, readPaperLook } from '#pages/branding/paper-brand.ts';
import { type CheckoutPage, readPageQuery } from '#pages/checkout/checkout-page.ts';
import { findCheckoutPage } from '#pages/checkout/read-page.ts';
import { noReceiptPage, sendMissing } from '#pages/fault-pages.ts';
import { findPageLanguage, preferredLanguage } from '#pages/languages/texts.ts';
import { domainOf } from '#pages/own-domain.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendDownload, sendPage } from '#pages/send-page.ts';
import { type Paper, pdfLanguage } from './paper.ts';
import { renderPaper } from './paper-page.ts';
import type { PaperPrinter } from './print-paper.ts';
import { receiptCode } from './receipt-code.ts';
import { verifyPath } from './verify-page.ts';
import { writeInvoice } from './write-invoice.ts';
import { paperPath, type ReceiptProof, writeReceipt } from './write-receipt.ts';

const PATH = '/:language/checkout/:token';

export function receiptRoutes(app: PageApp, printer: PaperPrinter): Hono {
  const routes = new Hono();
  const invoice = (page: CheckoutPage) =>
    showPaper(app, page, writeInvoice(page, checkoutUrl(app, page)));
  // The address that api-contract.md 9 names. Where it is of no checkout it may be of an invoice
  // that a shop has sent, which comes next.
  routes.get('/:language/invoice/:token', async (context, next) => {
    const { page } = await findPage(app, context);
    return page === undefined ? next() : invoice(page);
  });
  routes.get(`${PATH}/invoice`, (context) => withPage(app, context, invoice));
  routes.get(`${PATH}/receipt`, (context) =>
    withReceipt(app, context, (page, paper) => showPaper(app, page, paper)),
  );
  routes.get(`${PATH}/receipt.pdf`, (context) =>
    withReceipt(app, context, async (shown) => {
      const page = { ...shown, language: pdfLanguage(shown.language) };
      const paper = writeReceipt(page, proofOf(app, page.record));
      if (paper === undefined) return sendMissing(app, context, shown.language);
      // As the shop looks now: a receipt also says what came after it.
      const brand = brandOnPaper(await readPaperLook(app.db, page));
      const bytes = await printer.print(page.token, { ...paper, brand });
      return sendDownload(bytes, 'application/pdf', `receipt-${paper.reference}.pdf`);
    }),
  );
  return routes;
}

async function withPage(
  app: PageApp,
  context: Context,
  answer: (page: CheckoutPage) => Response | Promise<Response>,
): Promise<Response> {
  const { page, language } = await findPage(app, context);
  return page === undefined ? sendMissing(app, context, language) : answer(page);
}

/** `language`: for whoever reads that it is missing. */
async function findPage(app: PageApp, context: Context) {
  const accepted = context.req.header('accept-language');
  const languageName = context.req.param('language') ?? '';
  const token = context.req.param('token') ?? '';
  const language = findPageLanguage(languageName, accepted);
  const query = readPageQuery(new URLSearchParams());
  const domain = domainOf(context);
  const page =
    language && (await findCheckoutPage(app, { language, languageName, token, query, domain }));
  return { page, language: language ?? preferredLanguage(accepted) };
}

function withReceipt(
  app: PageApp,
  context: Context,
  answer: (page: CheckoutPage, paper: Paper) => Response | Promise<Response>,
): Promise<Response> {
  return withPage(app, context, (page) => {
    const paper = writeReceipt(page, proofOf(app, page.record));
    if (paper !== undefined) return answer(page, paper);
    const { language, token, languageName } = page;
    const checkout = paperPath({ token, languageName }, 'checkout');
    return sendPage(app, noReceiptPage(language, checkout));
  });
}

function showPaper(app: PageApp, page: CheckoutPage, paper: Paper): Response {
  const { token, languageName } = page;
  const links = {
    addressIn: (code: LanguageCode) => paperPath({ token, languageName: code }, paper.kind),
    checkout: paperPath({ token, languageName }, 'checkout'),
    pdf: paper.kind === 'receipt' ? paperPath({ token, languageName }, 'receipt.pdf') : undefined,
  };
  return sendPage(app, renderPaper(paper, links, page));
}

function proofOf(app: PageApp, record: CheckoutRecord): ReceiptProof {
  const code = receiptCode(app.keyring, record.id);
  return { code, url: `${pageOrigin(app, record)}${verifyPath({ code })}` };
}

/** Where it is paid, as it stands on an invoice. */
function checkoutUrl(app: PageApp, { record, languageName, token }: CheckoutPage): string {
  return hostedCheckoutUrl(pageOrigin(app, record), languageName, token);
}
