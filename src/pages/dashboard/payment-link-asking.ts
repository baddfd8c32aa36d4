// What one payment link asks payers, in place of what the account asks. It holds for checkouts that
// are opened from then on: those that there are keep what they asked.

import { type Context, Hono } from 'hono';
import { askingView, NOTHING_ASKED, type PayerAsking } from '#ask/ask.ts';
import { doNoted } from '#audit/act.ts';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { changeLinkAsking, findPaymentLink, type PaymentLink } from '#payment-link/payment-link.ts';
import { askingForm, askingWhose, ENTER_BUTTON, readWhose } from './asking-form.ts';
import { button, faultNote, formOf } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { askingValues, readAskingForm, wantsMoreFields } from './read-asking-form.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/links/:link/asking';

export function paymentLinkAskingRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withLinkForm(app, context, (visit, link) => sendForm(app, visit, link, linkValues(link))),
  );
  routes.post(PATH, (context) =>
    withLinkForm(app, context, (visit, link) => change(app, context, visit, link)),
  );
  return routes;
}

function withLinkForm(
  app: PageApp,
  context: Context,
  answer: (visit: ShopVisit, link: PaymentLink) => Promise<Response> | Response,
): Promise<Response> {
  return withShop(app, context, 'sell', async (visit) => {
    const link = await findPaymentLink(app.db, visit.place, context.req.param('link') ?? '');
    if (link === undefined) return sendPage(app, missingPage(pageLanguage(visit.language.code)));
    return answer(visit, link);
  });
}

/** Of a form with `askingChoice`. Undefined: as the account does. @throws Refusal invalid `asking` */
export function readOwnAsking(form: URLSearchParams): PayerAsking | undefined {
  return readWhose(form) === 'own' ? (readAskingForm(form) ?? NOTHING_ASKED) : undefined;
}

async function change(
  app: PageApp,
  context: Context,
  visit: ShopVisit,
  link: PaymentLink,
): Promise<Response> {
  const { actor, place } = visit;
  const { merchantId, environment } = place;
  const form = await readVisitForm(app, context, visit);
  if (wantsMoreFields(form)) return sendForm(app, visit, link, form);
  try {
    const asking = readOwnAsking(form);
    const act = {
      ...{ actor, merchantId, environment, verb: 'payment-link-asking' },
      subject: `payment-link:${link.id}`,
      details: askingDetails(asking),
    };
    await doNoted(app, act, (within) => changeLinkAsking(within, place, link.id, asking));
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'asking') throw error;
    return sendForm(app, visit, link, form, error);
  }
  return sendSeeOther(`${roomPath(place, `/links/${link.id}`)}?done=1`);
}

/** As the trail keeps it: in the words of a request. */
export function askingDetails(asking: PayerAsking | undefined): Readonly<Record<string, string>> {
  return { asking: asking === undefined ? 'as the account' : JSON.stringify(askingView(asking)) };
}

function linkValues({ asking }: PaymentLink): URLSearchParams {
  const values = askingValues(asking);
  values.set('asking', asking === undefined ? 'account' : 'own');
  return values;
}

function sendForm(
  app: PageApp,
  visit: ShopVisit,
  { id, title }: PaymentLink,
  values: URLSearchParams,
  refusal?: Refusal,
): Response {
  const { place, language } = visit;
  const { settings, shell } = language.texts;
  const path = roomPath(place, `/links/${id}/asking`);
  const body = html`${faultNote(refusal && settings.asking.wrong)}
<section class="card"><h2>${settings.asking.title}</h2>
<p><a href="${roomPath(place, `/links/${id}`)}">${foreignText(title)}</a></p>
${formOf(visit, path, [
  ENTER_BUTTON,
  askingWhose(visit, values),
  html`<div class="own-asking">${askingForm(visit, {
    ...{ path, values, isRefused: refusal !== undefined },
  })}</div>`,
  button(shell.save, 'save'),
])}</section>`;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'links' }));
}

/** On the page of the link: its questions, or that it asks what the account does. */
export function linkAskingText({ language }: ShopVisit, { asking }: PaymentLink): Html {
  const { asking: texts } = language.texts.settings;
  const { ask } = pageLanguage(language.code).texts.paying;
  if (asking === undefined) return html`${texts.who.account}`;
  const { asks, termsUrl, termsText, tipPercents, tipAmounts, isTipOwn } = asking;
  const hasTips = isTipOwn || tipPercents.length + tipAmounts.length > 0;
  const parts = [
    ...asks.map(({ label }) => foreignText(label)),
    ...((termsUrl ?? termsText) ? [html`${texts.terms}`] : []),
    ...(hasTips ? [html`${ask.tipLine}`] : []),
  ];
  return parts.length === 0 ? html`${texts.none}` : html`${parts.map((one) => html`${one}<br>`)}`;
}
