// What the pages of a shop ask payers before a way to pay is offered, with the page itself beside
// the form. Nothing is stored before it is saved.

import { type Context, Hono } from 'hono';
import { askingView, type PayerAsking } from '#ask/ask.ts';
import { doNoted } from '#audit/act.ts';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { isLanguageCode, LANGUAGES } from '#catalog/language.ts';
import { changePageSettings, getSeller, sellerName } from '#merchant/seller.ts';
import { renderCheckout } from '#pages/checkout/render-checkout.ts';
import { findSampleState } from '#pages/demo/sample-states.ts';
import { html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { type Page, sendPage, sendSeeOther } from '#pages/send-page.ts';
import { askingForm, ENTER_BUTTON } from './asking-form.ts';
import { button, doneNote, faultNote, formOf, selectField } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { askingValues, readAskingForm, wantsMoreFields } from './read-asking-form.ts';
import { settingsTabs } from './settings-tabs.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/settings/asking';

type Shown = {
  /** What was typed and not taken, or not yet. */
  readonly typed?: URLSearchParams;
  readonly refusal?: Refusal;
  readonly isDone?: boolean;
};

export function settingsAskingRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withShop(app, context, 'settings', (visit) =>
      sendAsking(app, visit, { isDone: context.req.query('done') === '1' }),
    ),
  );
  routes.post(PATH, (context) =>
    withShop(app, context, 'settings', (visit) => change(app, context, visit)),
  );
  routes.get(`${PATH}/preview`, (context) =>
    withShop(app, context, 'settings', async (visit) =>
      sendPage(app, await samplePage(app, visit, new URL(context.req.url).searchParams)),
    ),
  );
  return routes;
}

async function change(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const typed = await readVisitForm(app, context, visit);
  const { actor, place } = visit;
  const { merchantId } = place;
  if (wantsMoreFields(typed)) return sendAsking(app, visit, { typed });
  try {
    const asking = readAskingForm(typed) ?? null;
    const act = { actor, merchantId, verb: 'merchant-page-set', subject: `merchant:${merchantId}` };
    const details = { asking: JSON.stringify(askingView(asking ?? undefined)) };
    await doNoted(app, { ...act, details }, (within) =>
      changePageSettings(within, merchantId, { asking }),
    );
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'asking') throw error;
    return sendAsking(app, visit, { typed, refusal: error });
  }
  return sendSeeOther(`${roomPath(place, '/settings/asking')}?done=1`);
}

async function sendAsking(
  app: PageApp,
  visit: ShopVisit,
  { typed, refusal, isDone }: Shown,
): Promise<Response> {
  const { place, language } = visit;
  const { settings, shell } = language.texts;
  const { page } = await getSeller(app.db, place.merchantId);
  const values = typed ?? askingValues(page.asking ?? undefined);
  const path = roomPath(place, '/settings/asking');
  const form = [
    html`${ENTER_BUTTON}<p class="hint">${settings.asking.hint}</p>`,
    askingForm(visit, { path, values, isRefused: refusal !== undefined }),
    selectField({
      name: 'shown',
      label: settings.asking.shown,
      value: values.get('shown') ?? page.defaultLanguage,
      options: LANGUAGES.map(({ languageCode, name }) => [languageCode, name]),
    }),
    button(shell.save, 'save'),
  ];
  const body = html`${faultNote(refusal && settings.asking.wrong)}
${doneNote(isDone === true ? shell.done : undefined)}
${settingsTabs(visit, 'asking')}
<section class="card"><h2>${settings.asking.title}</h2>${formOf(visit, path, form, html` id="asking"`)}</section>
<section class="card"><h2 id="preview">${settings.preview}</h2>
<iframe class="preview tall" title="${settings.preview}" src="${path}/preview" data-preview="asking" inert></iframe></section>`;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  const { title } = settings;
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'settings' }));
}

/** While somebody types there may be what cannot be taken: the page is as it is stored then. */
async function samplePage(
  app: PageApp,
  { place }: ShopVisit,
  typed: URLSearchParams,
): Promise<Page> {
  const seller = await getSeller(app.db, place.merchantId);
  const stored = seller.page.asking ?? undefined;
  const asking = typed.size === 0 ? stored : readKnown(typed, stored);
  const wish = typed.get('shown') ?? '';
  const language = isLanguageCode(wish) ? wish : seller.page.defaultLanguage;
  const name = asking === undefined ? 'choose' : 'ask';
  const sample = findSampleState(name)?.make({ seller, language, sample: name });
  if (sample === undefined) throw new Error(`there is no sample ${name}`);
  const summary = { ...sample.summary, shopName: sellerName(seller) };
  const page = renderCheckout({ ...sample, summary, record: { ...sample.record, asking } });
  return { ...page, refreshSeconds: undefined, frameAncestors: ["'self'"] };
}

function readKnown(typed: URLSearchParams, stored: PayerAsking | undefined) {
  try {
    return readAskingForm(typed);
  } catch (error) {
    if (error instanceof Refusal) return stored;
    throw error;
  }
}
