// The page of an invoice that a shop has sent. Whoever has the token in the address may read it and
// pay it: nothing else is asked. A draft has no page.

import { type Context, Hono } from 'hono';
import { getMerchantTerms } from '#access/caller.ts';
import { Refusal } from '#base/refusal.ts';
import {
  billTokenSubject,
  findBillByToken,
  findCancellation,
  findCancelled,
  type IssuedBill,
  isIssued,
  readLook,
} from '#billing/bill.ts';
import { openBillCheckout, readStanding } from '#billing/pay-bill.ts';
import { writeCii } from '#billing/write-cii.ts';
import type { LanguageCode } from '#catalog/language.ts';
import { pageOrigin, pageToken } from '#checkout/page-token.ts';
import { DEFAULT_PAGE_SETTINGS } from '#merchant/page-settings.ts';
import { brandOnPaper } from '#pages/branding/paper-brand.ts';
import { moneyText } from '#pages/display.ts';
import { sendMissing } from '#pages/fault-pages.ts';
import { requireSameOrigin } from '#pages/forms.ts';
import {
  findPageLanguage,
  offeredLanguage,
  type PageLanguage,
  pageLanguage,
} from '#pages/languages/texts.ts';
import { domainOf, isServedFor, publicOrigin } from '#pages/own-domain.ts';
import type { PageApp } from '#pages/page-app.ts';
import { pdfLanguage } from '#pages/receipt/paper.ts';
import { renderPaper } from '#pages/receipt/paper-page.ts';
import type { PaperPrinter } from '#pages/receipt/print-paper.ts';
import { billCode } from '#pages/receipt/receipt-code.ts';
import { verifyPath } from '#pages/receipt/verify-page.ts';
import { sendCalendar, sendDownload, sendPage, sendSeeOther } from '#pages/send-page.ts';
import { writeCalendar } from '#pages/write-calendar.ts';
import { createTokenBuckets } from '#runtime/token-buckets.ts';
import { type BillView, writeBill, writeOpenBill } from './write-bill.ts';

const PATH = '/:language/invoice/:token';
/** Checkouts in a minute, of one invoice. */
const OPENED = 12;

type Asked = {
  readonly bill: IssuedBill;
  readonly token: string;
  readonly language: PageLanguage;
  /** As it stands in the address: a code, or `auto`. */
  readonly languageName: string;
};

export function billRoutes(app: PageApp, printer: PaperPrinter): Hono {
  const routes = new Hono();
  const opened = createTokenBuckets(app.clock, OPENED, 'for this invoice');
  routes.get(PATH, (context) => withBill(app, context, (asked) => showBill(app, asked)));
  routes.get(`${PATH}/invoice.pdf`, (context) =>
    withBill(app, context, (asked) => sendBillPdf(app, printer, asked.bill)),
  );
  routes.get(`${PATH}/due.ics`, (context) =>
    withBill(app, context, async (asked) => sendDueDay(app, asked)),
  );
  routes.post(`${PATH}/pay`, (context) => {
    requireSameOrigin(context.req.raw, publicOrigin(app, context));
    return withBill(app, context, (asked) => {
      opened.take(asked.bill.id);
      return payBill(app, asked);
    });
  });
  return routes;
}

async function withBill(
  app: PageApp,
  context: Context,
  answer: (asked: Asked) => Promise<Response>,
): Promise<Response> {
  const accepted = context.req.header('accept-language');
  const languageName = context.req.param('language') ?? '';
  const token = context.req.param('token') ?? '';
  const language = findPageLanguage(languageName, accepted);
  const bill = language && (await findBillByToken(app.db, token));
  const isServed = bill !== undefined && isServedFor(domainOf(context), bill.merchantId);
  if (language === undefined || !isServed || !isIssued(bill)) {
    return sendMissing(app, context, language);
  }
  return answer({ bill, token, language, languageName });
}

async function showBill(app: PageApp, asked: Asked): Promise<Response> {
  const { bill, token, languageName } = asked;
  const [view, standing, cancellation, seller] = await Promise.all([
    readBillView(app, bill, token, languageName),
    readStanding(app, bill),
    findCancellation(app.db, bill.id),
    app.findSeller(bill.merchantId),
  ]);
  const settings = seller?.page ?? DEFAULT_PAGE_SETTINGS;
  const language = offeredLanguage(asked.language, settings, bill.language);
  const paper = writeOpenBill(
    view,
    standing,
    cancellation && isIssued(cancellation) ? cancellation : undefined,
    language,
  );
  const path = (code: string) => `/${code}/invoice/${token}`;
  const links = {
    addressIn: (code: LanguageCode) => path(code),
    checkout: undefined,
    pdf: `${path(languageName)}/invoice.pdf`,
    pay: standing.payBy === undefined ? undefined : `${path(languageName)}/pay`,
    calendar: standing.payBy === undefined ? undefined : `${path(languageName)}/due.ics`,
  };
  const look = { settings, logo: seller?.logo };
  return sendPage(app, renderPaper(paper, links, look));
}

async function sendDueDay(app: PageApp, { bill, token, language }: Asked): Promise<Response> {
  const { texts, code } = language;
  const view = await readBillView(app, bill, token, code);
  const total = moneyText(bill.total, bill.billingCurrency, code);
  const entry = writeCalendar({
    id: `invoice-${bill.id}@quittance`,
    title: `${bill.seller.name}: ${texts.bill.dueOn}, ${bill.name}`,
    description: `${texts.paper.due}: ${total}\n${view.url}`,
    url: view.url,
    due: bill.dueOn,
    now: app.clock.now(),
  });
  return sendCalendar(entry, 'invoice.ics');
}

/** `language`: of the address that stands on it. */
export async function readBillView(
  app: Pick<PageApp, 'db' | 'publicUrl' | 'keyring'>,
  bill: IssuedBill,
  token: string,
  language: string,
): Promise<BillView> {
  const [cancelled, terms] = await Promise.all([
    findCancelled(app.db, bill),
    getMerchantTerms(app.db, bill),
  ]);
  const origin = pageOrigin(app, terms);
  const code = bill.hasCode ? billCode(app.keyring, bill.id) : undefined;
  const proof = code === undefined ? undefined : { code, url: `${origin}${verifyPath({ code })}` };
  return { bill, cancelled, url: `${origin}/${language}/invoice/${token}`, proof };
}

/**
 * The document as it was issued, in its own language, with the electronic invoice inside and the
 * logo that the shop had then: the same bytes whoever asks for it, as long as the pages of the shop
 * stay where they are.
 */
export async function sendBillPdf(
  app: Pick<PageApp, 'db' | 'publicUrl' | 'keyring'>,
  printer: PaperPrinter,
  bill: IssuedBill,
): Promise<Response> {
  const token = pageToken(app.keyring, billTokenSubject(bill.id));
  const [view, look] = await Promise.all([
    readBillView(app, bill, token, bill.language),
    readLook(app.db, bill),
  ]);
  const paper = writeBill(view, pdfLanguage(pageLanguage(bill.language)));
  const xml = writeCii(bill, view);
  const attached = xml === undefined ? undefined : { xml };
  const bytes = await printer.print(token, { ...paper, attached, brand: brandOnPaper(look) });
  const name = `${bill.kind.toLowerCase()}-${bill.name.replaceAll(/[^A-Za-z0-9.-]/g, '-')}.pdf`;
  return sendDownload(bytes, 'application/pdf', name);
}

async function payBill(app: PageApp, { bill, token, languageName }: Asked): Promise<Response> {
  try {
    const checkout = await openBillCheckout(app, bill, languageName);
    return sendSeeOther(`/${languageName}/checkout/${checkout}`);
  } catch (error) {
    // It was paid or cancelled meanwhile: the page says so.
    if (!(error instanceof Refusal) || error.code !== 'bill_closed') throw error;
    return sendSeeOther(`/${languageName}/invoice/${token}`);
  }
}
