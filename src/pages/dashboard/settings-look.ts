// How the pages of a shop look beyond its colours: font and corners, with the pages themselves
// beside the form, and the logo for dark mode.

import { type Context, Hono } from 'hono';
import { doNoted } from '#audit/act.ts';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { MODES, type Mode } from '#look/palette.ts';
import { changePageSettings, getSeller, type Seller } from '#merchant/seller.ts';
import { type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { brandMark } from '#pages/page-header.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { doneNote, faultNote } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { refusalText } from './invitation.ts';
import { fontCard, settingsFontRoutes } from './settings-font.ts';
import { logoForms, takeLogo } from './settings-logo.ts';
import { colorFaults, lookForm, lookValues, readLookForm } from './settings-look-form.ts';
import { settingsTabs } from './settings-tabs.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/settings/look';

type Shown = {
  readonly refusal?: Refusal | undefined;
  /** What was typed and not taken. */
  readonly typed?: URLSearchParams | undefined;
  readonly isDone?: boolean;
};

export function settingsLookRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withShop(app, context, 'settings', (visit) =>
      sendLook(app, visit, { isDone: context.req.query('done') === '1' }),
    ),
  );
  routes.post(PATH, (context) =>
    withShop(app, context, 'settings', (visit) => change(app, context, visit)),
  );
  routes.post(`${PATH}/dark-logo`, (context) =>
    withShop(app, context, 'settings', (visit) =>
      takeLogo(app, context, visit, 'dark-logo', (refusal) => sendLook(app, visit, { refusal })),
    ),
  );
  routes.route(
    '/',
    settingsFontRoutes(app, (visit, refusal) => sendLook(app, visit, { refusal })),
  );
  return routes;
}

async function change(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const typed = await readVisitForm(app, context, visit);
  const { actor, place } = visit;
  const { merchantId } = place;
  try {
    const settings = readLookForm(typed);
    const shown = Object.entries(settings).map(([name, value]) => [name, String(value ?? '')]);
    const act = { actor, merchantId, verb: 'merchant-page-set', subject: `merchant:${merchantId}` };
    await doNoted(app, { ...act, details: Object.fromEntries(shown) }, (within) =>
      changePageSettings(within, merchantId, settings),
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendLook(app, visit, { refusal: error, typed });
  }
  return sendSeeOther(`${roomPath(place, '/settings/look')}?done=1`);
}

async function sendLook(
  app: PageApp,
  visit: ShopVisit,
  { refusal, typed, isDone }: Shown,
): Promise<Response> {
  const { place, language } = visit;
  const { texts } = language;
  const seller = await getSeller(app.db, place.merchantId);
  const values = typed ?? lookValues(seller.page);
  for (const name of ['form', 'at']) values.delete(name);
  const { look, preview } = texts.settings;
  const body = html`${faultNote(refusal && refusalText(texts, refusal))}
${doneNote(isDone === true ? texts.shell.done : undefined)}
${refusal?.code === 'page_colors' && colorFaults(visit, seller.page, values)}
${settingsTabs(visit, 'look')}
<section class="card"><h2>${look.title}</h2>${lookForm(visit, values)}</section>
<section class="card"><h2 id="preview">${preview}</h2><div class="looks">
${(['phone', 'desktop'] as const).flatMap((device) =>
  MODES.map((mode) => previewFrame(visit, device, mode, values)),
)}</div></section>
${fontCard(visit, seller.page)}
${darkLogoCard(visit, seller)}`;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  const { title } = texts.settings;
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'settings' }));
}

function previewFrame(
  { place, language }: ShopVisit,
  device: 'phone' | 'desktop',
  mode: Mode,
  values: URLSearchParams,
): Html {
  const { look } = language.texts.settings;
  const title = `${look[device]}, ${look[mode]}`;
  const path = `${roomPath(place, '/settings/look/preview')}/${mode}?${values}`;
  return html`<figure class="${device}"><figcaption class="hint">${title}</figcaption>
<iframe class="preview" title="${title}" src="${path}" data-preview="style" loading="lazy" inert></iframe></figure>`;
}

function darkLogoCard(visit: ShopVisit, { logo, name, page }: Seller): Html | undefined {
  if (logo === undefined) return undefined;
  const { look } = visit.language.texts.settings;
  return html`<section class="card" id="dark-logo-card"><h2>${look.darkLogo}</h2>
<p class="hint">${look.darkLogoHint}</p>
${logo.dark !== undefined && html`<p>${brandMark(page.shopName ?? name, logo.dark)}</p>`}
${logoForms(visit, 'dark-logo', logo.dark !== undefined)}
</section>`;
}
