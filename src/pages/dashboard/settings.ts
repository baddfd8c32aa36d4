// How the pages of a shop look and behave, with its logo and a preview beside the form. What a
// request says of its own page wins over all of it (page-settings.ts).

import { type Context, Hono } from 'hono';
import { doNoted } from '#audit/act.ts';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { LANGUAGES } from '#catalog/language.ts';
import { colorText } from '#look/color.ts';
import { SHEETS } from '#look/palette.ts';
import {
  DEFAULT_PAGE_SETTINGS,
  type OwnPageSettings,
  type PageSettingName,
  type PageSettings,
  parsePageSettings,
} from '#merchant/page-settings.ts';
import { changePageSettings, getSeller, type Seller } from '#merchant/seller.ts';
import { type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { brandMark } from '#pages/page-header.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import {
  areaField,
  button,
  checkField,
  doneNote,
  faultNote,
  formOf,
  selectField,
  textField,
} from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { refusalText } from './invitation.ts';
import { logoForms, takeLogo } from './settings-logo.ts';
import { settingsTabs } from './settings-tabs.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/settings';

/** Those that a line of text says, or nothing: then the default stands. */
const TEXTS = ['shopName', 'sellerInfo', 'contact', 'embedOrigins'] as const;
const CHOICES = ['displaySellerInfo', 'displayBuyerInfo', 'explorerLinks'] as const;
const COLORS = ['primaryColor', 'backgroundColor'] as const;

type Shown = {
  readonly refusal?: Refusal | undefined;
  /** What was typed and not taken. */
  readonly typed?: URLSearchParams | undefined;
  readonly isDone?: boolean;
};

export function settingsRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withShop(app, context, 'settings', (visit) =>
      sendSettings(app, visit, { isDone: context.req.query('done') === '1' }),
    ),
  );
  routes.post(PATH, (context) =>
    withShop(app, context, 'settings', (visit) => change(app, context, visit)),
  );
  routes.post(`${PATH}/logo`, (context) =>
    withShop(app, context, 'settings', (visit) =>
      takeLogo(app, context, visit, 'logo', (refusal) => sendSettings(app, visit, { refusal })),
    ),
  );
  return routes;
}

async function change(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const typed = await readVisitForm(app, context, visit);
  const { actor, place } = visit;
  const { merchantId } = place;
  try {
    const settings = readSettings(typed);
    const shown = Object.entries(settings).map(([name, value]) => [name, String(value ?? '')]);
    const act = { actor, merchantId, verb: 'merchant-page-set', subject: `merchant:${merchantId}` };
    await doNoted(app, { ...act, details: Object.fromEntries(shown) }, (within) =>
      changePageSettings(within, merchantId, settings),
    );
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendSettings(app, visit, { refusal: error, typed });
  }
  return sendSeeOther(`${roomPath(place, '/settings')}?done=1`);
}

/** Everything that the form has. @throws Refusal invalid `page_settings` */
export function readSettings(form: URLSearchParams): Partial<OwnPageSettings> {
  const text = (name: string) => (form.get(name) ?? '').replaceAll('\r\n', '\n').trim();
  const given: Partial<Record<PageSettingName, string>> = {
    defaultLanguage: text('defaultLanguage'),
    returnCountdownSeconds: text('returnCountdownSeconds'),
  };
  const unset: Partial<Record<PageSettingName, null>> = {};
  for (const name of TEXTS) {
    if (text(name) === '') unset[name] = null;
    else given[name] = text(name);
  }
  for (const name of CHOICES) given[name] = form.get(name) === 'yes' ? 'yes' : 'no';
  for (const name of COLORS) {
    if (form.get(`${name}Own`) === 'yes') given[name] = text(name);
    else unset[name] = null;
  }
  // All of them, also those that are added some day.
  const ticked = form.getAll('languages');
  if (ticked.length === 0 || ticked.length >= LANGUAGES.length) unset.languages = null;
  else given.languages = ticked.join(',');
  return { ...parsePageSettings(given), ...unset };
}

async function sendSettings(
  app: PageApp,
  visit: ShopVisit,
  { refusal, typed, isDone }: Shown,
): Promise<Response> {
  const { place, language } = visit;
  const { texts } = language;
  const seller = await getSeller(app.db, place.merchantId);
  const values = typed ?? formValues(seller.page);
  const preview = `${roomPath(place, '/settings/preview')}?${values}`;
  const body = html`${faultNote(refusal && refusalText(texts, refusal))}
${doneNote(isDone === true ? texts.shell.done : undefined)}
${settingsTabs(visit, 'pages')}
${lookForm(visit, values)}
<section class="card"><h2 id="preview">${texts.settings.preview}</h2>
<iframe class="preview" title="${texts.settings.preview}" src="${preview}" data-preview="look"></iframe></section>
${logoCard(visit, seller)}`;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  const title = texts.settings.title;
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'settings' }));
}

/** As the form would send them. */
function formValues(page: PageSettings): URLSearchParams {
  const { embedOrigins, defaultLanguage, returnCountdownSeconds } = page;
  const values = new URLSearchParams({
    shopName: page.shopName ?? '',
    sellerInfo: page.sellerInfo ?? '',
    contact: page.contact ?? '',
    embedOrigins: embedOrigins.join(', '),
    defaultLanguage,
    returnCountdownSeconds: `${returnCountdownSeconds}`,
  });
  for (const code of page.languages) values.append('languages', code);
  for (const name of CHOICES) if (page[name]) values.set(name, 'yes');
  for (const name of COLORS) {
    const own = page[name];
    values.set(name, own ?? OUR_COLORS[name]);
    if (own !== null) values.set(`${name}Own`, 'yes');
  }
  return values;
}

/** Where one begins to choose. */
const OUR_COLORS = {
  primaryColor: colorText(SHEETS.light.accent),
  backgroundColor: colorText(SHEETS.light.ground),
};

function lookForm(visit: ShopVisit, values: URLSearchParams): Html {
  const { settings } = visit.language.texts;
  const value = (name: string) => values.get(name) ?? '';
  const check = (name: string) =>
    checkField({ name, label: settings[name as 'explorerLinks'], isOn: value(name) === 'yes' });
  const color = (name: (typeof COLORS)[number]) => html`<p class="field">
<label class="label" for="${name}">${settings[name]}</label>
<input id="${name}" name="${name}" type="color" value="${value(name)}"></p>
${checkField({ name: `${name}Own`, label: settings.ownColor(settings[name]), isOn: value(`${name}Own`) === 'yes' })}`;
  const form = [
    textField({
      name: 'shopName',
      label: settings.shopName,
      hint: settings.shopNameHint,
      value: value('shopName'),
      isRequired: false,
      maxLength: 200,
    }),
    textField({
      name: 'contact',
      label: settings.contact,
      hint: settings.contactHint,
      value: value('contact'),
      isRequired: false,
    }),
    areaField({
      name: 'sellerInfo',
      label: settings.sellerInfo,
      value: value('sellerInfo'),
      maxLength: 1_000,
    }),
    check('displaySellerInfo'),
    check('displayBuyerInfo'),
    check('explorerLinks'),
    ...COLORS.map(color),
    languageBoxes(visit, values.getAll('languages')),
    selectField({
      name: 'defaultLanguage',
      label: settings.defaultLanguage,
      value: value('defaultLanguage'),
      options: LANGUAGES.map(({ languageCode, name }) => [languageCode, name]),
    }),
    textField({
      name: 'returnCountdownSeconds',
      label: settings.returnCountdownSeconds,
      hint: settings.returnCountdownHint,
      value: value('returnCountdownSeconds') || `${DEFAULT_PAGE_SETTINGS.returnCountdownSeconds}`,
      inputmode: 'numeric',
      maxLength: 3,
    }),
    textField({
      name: 'embedOrigins',
      label: settings.embedOrigins,
      hint: settings.embedOriginsHint,
      value: value('embedOrigins'),
      isRequired: false,
      maxLength: 2_000,
    }),
    button(visit.language.texts.shell.save, 'save'),
  ];
  return html`<section class="card"><h2>${settings.pages}</h2>
${formOf(visit, roomPath(visit.place, '/settings'), form, html` id="look"`)}</section>`;
}

/** Which of them customers may read. */
function languageBoxes(visit: ShopVisit, ticked: readonly string[]): Html {
  const { settings } = visit.language.texts;
  const boxes = LANGUAGES.map(
    ({ languageCode, name }) => html`<p class="check"><input type="checkbox"
 id="language-${languageCode}" name="languages" value="${languageCode}"${
   ticked.includes(languageCode) && html` checked`
 }><label for="language-${languageCode}" lang="${languageCode}">${name}</label></p>`,
  );
  return html`<fieldset id="languages"><legend class="label">${settings.languages}</legend>
<p class="hint">${settings.languagesHint}</p>${boxes}</fieldset>`;
}

function logoCard(visit: ShopVisit, { logo, name, page }: Seller): Html {
  return html`<section class="card" id="logo-card"><h2>${visit.language.texts.settings.logo}</h2>
<p>${brandMark(page.shopName ?? name, logo)}</p>
${logoForms(visit, 'logo', logo !== undefined)}
</section>`;
}
