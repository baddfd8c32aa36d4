// The routes of a hosted checkout. Whoever has the token in the address may look, choose, and
// cancel; nothing else is asked and no cookie is set.
import { type Context, Hono } from 'hono';
import { Outage, Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { answerCheckout, commitCheckout } from '#checkout/commit-checkout.ts';
import { cancelCheckout } from '#checkout-settlement/act-on-checkout.ts';
import { isRefusedFrame } from '#pages/embed-origins.ts';
import { notInFramePage, sendMissing } from '#pages/fault-pages.ts';
import { readBytes, readForm, requireSameOrigin } from '#pages/forms.ts';
import { findPageLanguage } from '#pages/languages/texts.ts';
import { customerLetter } from '#pages/letters/customer-letter.ts';
import { domainOf, publicOrigin } from '#pages/own-domain.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { createTokenBuckets } from '#runtime/token-buckets.ts';
import { askPayerMail } from '#status-mail/payer-mail.ts';
import { readAnswerForm } from './ask.ts';
import {
  type CheckoutPage,
  checkoutPath,
  readMethod,
  readPageQuery,
  samePath,
} from './checkout-page.ts';
import { TRANSACTION_TEXT_MAX } from './decide-found-payment.ts';
import { findPayment, findPaymentLimits } from './find-payment.ts';
import { liveRoutes } from './live-streams.ts';
import { MAIL_ADDRESS_MOST, mailLimits } from './mail-form.ts';
import { answerWallet, walletLimits } from './payer-wallet.ts';
import { findCheckoutPage, findOpenPage, type PageRequest } from './read-page.ts';
import { embedOriginsOf, renderCheckout } from './render-checkout.ts';
import { returnForm } from './return-form.ts';
import { findSandboxAct, runSandboxAct } from './sandbox-acts.ts';
import { returnAddress } from './shop-links.ts';

const PATH = '/:language/checkout/:token';
/** In a minute, of one checkout: each writes to a simulated chain. */
const SANDBOX_ACTS = 30;

export function checkoutRoutes(app: PageApp): Hono {
  const routes = new Hono();
  const limits = findPaymentLimits(app.clock);
  const mails = mailLimits(app.clock);
  const asked = walletLimits(app.clock);
  const played = createTokenBuckets(app.clock, SANDBOX_ACTS, 'for this checkout');

  routes.get(PATH, (context) =>
    withPage(app, context, (page) => {
      if (!isRefusedFrame(context.req.raw.headers, embedOriginsOf(page))) return show(app, page);
      return sendPage(app, notInFramePage(page.language, samePath(page)));
    }),
  );
  routes.route('/', liveRoutes(app, PATH, readRequest));
  routes.get(`${PATH}/return`, (context) => withPage(app, context, (page) => goBack(app, page)));
  routes.get(`${PATH}/cancel`, (context) =>
    withPage(app, context, (page) => leave(page, page.record.cancelUrl)),
  );
  // Where a browser asks again for the answer to a form.
  routes.get(`${PATH}/answer`, (context) =>
    withPage(app, context, (page) => sendSeeOther(checkoutPath(page, ''))),
  );
  routes.post(`${PATH}/answer`, (context) =>
    withPage(app, context, (page) => answer(app, context.req.raw, page)),
  );
  routes.post(`${PATH}/choose`, (context) =>
    withPage(app, context, (page) => choose(app, context.req.raw, page)),
  );
  // Where a browser asks again for the answer to a form.
  routes.get(`${PATH}/find`, (context) =>
    withPage(app, context, (page) => sendSeeOther(samePath(page))),
  );
  routes.post(`${PATH}/find`, (context) =>
    withPage(app, context, (page) => {
      const take = () =>
        limits.take(page.record.id, app.clientAddressOf?.(context.req.raw, context.env));
      return find(app, context, page, take);
    }),
  );
  routes.get(`${PATH}/mail`, (context) =>
    withPage(app, context, (page) => sendSeeOther(samePath(page))),
  );
  routes.post(`${PATH}/mail`, (context) =>
    withPage(app, context, async (page) => {
      if (page.mailWish === undefined) return sendMissing(app, context, page.language);
      return askForMail(app, context.req.raw, page, () =>
        mails.take(page.record.id, app.clientAddressOf?.(context.req.raw, context.env)),
      );
    }),
  );
  routes.post(`${PATH}/wallet`, (context) =>
    withPage(app, context, async (page) => {
      asked.take(page.record.id, app.clientAddressOf?.(context.req.raw, context.env));
      return answerWallet(app, page, await readForm(context.req.raw));
    }),
  );
  routes.post(`${PATH}/cancel`, (context) =>
    withPage(app, context, (page) => cancel(app, context.req.raw, page)),
  );
  routes.post(`${PATH}/sandbox`, (context) =>
    withPage(app, context, (page) =>
      playPayer(app, context.req.raw, page, () => played.take(page.record.id)),
    ),
  );
  return routes;
}

function readRequest(context: Context): PageRequest | undefined {
  const languageName = context.req.param('language') ?? '';
  const language = findPageLanguage(languageName, context.req.header('accept-language'));
  if (language === undefined) return undefined;
  return {
    language,
    languageName,
    token: context.req.param('token') ?? '',
    domain: domainOf(context),
    query: readPageQuery(new URL(context.req.url).searchParams),
  };
}

/** A token that names nothing is told like an address that never was: with the same page. */
async function withPage(
  app: PageApp,
  context: Context,
  answer: (page: CheckoutPage) => Response | Promise<Response>,
): Promise<Response> {
  if (context.req.method === 'POST') {
    requireSameOrigin(context.req.raw, publicOrigin(app, context));
  }
  const request = readRequest(context);
  const page = request && (await findCheckoutPage(app, request));
  if (page !== undefined) return answer(page);
  return sendMissing(app, context, request?.language);
}

function show(app: PageApp, page: CheckoutPage, status = 200): Response {
  return sendPage(app, { ...renderCheckout(page), status });
}

async function goBack(app: PageApp, page: CheckoutPage): Promise<Response> {
  const form = await returnForm(app, page);
  return form === undefined ? leave(page, page.record.returnUrl) : sendPage(app, form);
}

/** Without an address of the merchant there is only this page to go to. */
function leave(page: CheckoutPage, merchantUrl: string | undefined): Response {
  if (merchantUrl === undefined) return sendSeeOther(checkoutPath(page, ''));
  return sendSeeOther(returnAddress(merchantUrl, page.record.id));
}

async function choose(app: PageApp, request: Request, page: CheckoutPage): Promise<Response> {
  const form = await readForm(request);
  const { network, asset } = readMethod(form.get('method') ?? '');
  const back = form.get('back');
  try {
    const chosen = { network, asset, pageLanguage: page.language.code };
    await commitCheckout(app, { checkoutId: page.record.id, owner: 'page', ...chosen });
  } catch (error) {
    return error instanceof Outage ? showOutage(app, page, error) : showRefusal(app, page, error);
  }
  // The customer was on the page of Bitcoin or Lightning and asked for one code for both.
  if (back !== null) {
    return sendSeeOther(checkoutPath(page, '', { ...readMethod(back), qr: 'both' }));
  }
  return sendSeeOther(checkoutPath(page, '', { network, asset }));
}

/** As many answers of the greatest length as a form has, as browsers send them. */
const ANSWERS_BYTES_MAX = 512 * 1024;

async function answer(app: PageApp, request: Request, page: CheckoutPage): Promise<Response> {
  const bytes = await readBytes(request, ANSWERS_BYTES_MAX);
  const form = new URLSearchParams(new TextDecoder().decode(bytes));
  const { record } = page;
  try {
    const given = {
      checkoutId: record.id,
      owner: 'page',
      ...readAnswerForm(record, form),
    } as const;
    const outcome = await answerCheckout(app, given);
    const { faults, mustAcceptTerms, isTipRefused } = outcome;
    if (faults.length === 0 && !mustAcceptTerms && !isTipRefused) {
      return sendSeeOther(checkoutPath(page, ''));
    }
    const state = { ...page.state, kind: 'ask' } as const;
    return show(app, { ...page, state, askedAgain: { form, outcome } }, 400);
  } catch (error) {
    return error instanceof Outage ? showOutage(app, page, error) : showRefusal(app, page, error);
  }
}

/** A price or a network is away. The customer can still choose another way to pay. */
function showOutage(app: PageApp, page: CheckoutPage, outage: Outage): Response {
  const { error } = page.language.texts;
  app.log.warn('a way to pay could not be locked', { checkout: page.record.id, error: outage });
  const isRate = outage.what.startsWith('rate');
  return show(app, { ...page, fault: isRate ? error.rateAway : error.networkAway }, 503);
}

/** `take`: counts the question. @throws Refusal too-many */
async function find(
  app: PageApp,
  context: Context,
  page: CheckoutPage,
  take: () => void,
): Promise<Response> {
  const text = (await readForm(context.req.raw)).get('transaction') ?? '';
  const asked = text.slice(0, TRANSACTION_TEXT_MAX);
  try {
    take();
  } catch (error) {
    return showTooOften(app, { ...page, asked }, error);
  }
  const found = await findPayment(app, page.record, text);
  const request = readRequest(context);
  // Looking for the payment may have changed the checkout. It is read again, so that the page and
  // the answer tell of the same moment.
  const now = (request && (await findOpenPage(app, request, page.record.id))) ?? page;
  const shown = renderCheckout({ ...now, found, asked });
  // A page that reloads by itself would lose the answer.
  return sendPage(app, { ...shown, refreshSeconds: undefined });
}

/** `take`: counts it. @throws Refusal too-many */
async function askForMail(
  app: PageApp,
  request: Request,
  page: CheckoutPage,
  take: () => void,
): Promise<Response> {
  const { language, record } = page;
  const typed = ((await readForm(request)).get('email') ?? '').trim();
  const address = typed.slice(0, MAIL_ADDRESS_MOST + 1);
  try {
    take();
    const within = { ...app, writeCustomerLetter: customerLetter };
    await askPayerMail(within, record.id, { address, language: language.code });
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === 'missing') throw error;
    const { retryAfterSeconds, kind } = error;
    const { find, paying } = language.texts;
    const reason = kind === 'too-many' ? find.tooOften : paying.mail.fault;
    const shown = renderCheckout({ ...page, mailFault: { typed: address, reason } });
    const status = STATUS_OF_REFUSAL[kind];
    // A page that reloads by itself would lose the answer.
    return sendPage(app, { ...shown, refreshSeconds: undefined, status, retryAfterSeconds });
  }
  return sendSeeOther(`${samePath(page)}#mail`);
}

async function cancel(app: PageApp, request: Request, page: CheckoutPage): Promise<Response> {
  try {
    await cancelCheckout(app, { checkoutId: page.record.id, owner: 'page' });
  } catch (error) {
    return showRefusal(app, page, error);
  }
  // A shop that shows this page in a frame must not be loaded inside that frame.
  const leave = request.headers.get('sec-fetch-dest') !== 'iframe';
  return sendSeeOther(checkoutPath(page, '', { leave }));
}

async function playPayer(
  app: PageApp,
  request: Request,
  page: CheckoutPage,
  take: () => void,
): Promise<Response> {
  const act = findSandboxAct((await readForm(request)).get('act'));
  if (app.sandbox === undefined || !page.hasSandbox || act === undefined) {
    throw new Refusal('missing', 'sandbox_act_unknown', 'act: no such act of the sandbox');
  }
  try {
    take();
    await runSandboxAct(app.sandbox, page.record, page.query, act);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Sentences of the sandbox are for developers, in English.
    const shown = renderCheckout({ ...page, fault: error.details.join(' ') });
    const { retryAfterSeconds } = error;
    const status = retryAfterSeconds === undefined ? 409 : 429;
    return sendPage(app, { ...shown, status, retryAfterSeconds });
  }
  return sendSeeOther(samePath(page));
}

function showTooOften(app: PageApp, page: CheckoutPage, error: unknown): Response {
  if (!(error instanceof Refusal)) throw error;
  const { retryAfterSeconds } = error;
  const shown = renderCheckout({ ...page, findFault: page.language.texts.find.tooOften });
  return sendPage(app, { ...shown, refreshSeconds: undefined, status: 429, retryAfterSeconds });
}

/** The page as it stands, with the reason in the words of the customer. */
function showRefusal(app: PageApp, page: CheckoutPage, error: unknown): Response {
  if (!(error instanceof Refusal) || error.kind === 'missing') throw error;
  // The page itself asks for it.
  if (error.code === 'answers_missing') return sendSeeOther(checkoutPath(page, ''));
  const { texts } = page.language;
  const faults: Readonly<Record<string, string>> = {
    checkout_completed: texts.error.completed,
    checkout_has_money: texts.error.hasMoney,
    payee_pending: texts.error.addressPending,
    answers_fixed: texts.paying.ask.fixed,
  };
  const status = error.kind === 'unavailable' ? 503 : 409;
  return show(app, { ...page, fault: faults[error.code] ?? texts.error.methodGone }, status);
}
