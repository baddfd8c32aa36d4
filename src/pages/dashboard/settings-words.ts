// What the pages of a shop say in its own words, by language, with the page itself beside the form:
// a sample that says what is typed. Nothing is stored before it is saved.

import { type Context, Hono } from 'hono';
import { doNoted } from '#audit/act.ts';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { isLanguageCode, LANGUAGES, type LanguageCode } from '#catalog/language.ts';
import {
  listPageWords,
  type OwnPageWords,
  PAGE_WORDS_MOST,
  PAGE_WORDS_PLACES,
  pageWordsDetails,
  setPageWords,
} from '#merchant/customer-mails.ts';
import { getSeller, sellerName } from '#merchant/seller.ts';
import { renderCheckout } from '#pages/checkout/render-checkout.ts';
import { findSampleState } from '#pages/demo/sample-states.ts';
import { html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { type Page, sendPage, sendSeeOther } from '#pages/send-page.ts';
import {
  areaField,
  button,
  doneNote,
  faultNote,
  formOf,
  selectField,
  textField,
} from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { settingsTabs } from './settings-tabs.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/settings/words';
/** Samples that say them (sample-states.ts). */
const SHOWN_PAGES = ['pay', 'paid'] as const;

type Shown = {
  readonly code: LanguageCode;
  readonly words: readonly OwnPageWords[];
  readonly refusal?: Refusal | undefined;
  readonly isDone?: boolean;
};

export function settingsWordsRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withShop(app, context, 'settings', async (visit) => {
      const asked = new URL(context.req.url).searchParams;
      const code = await readLanguage(app, visit, asked);
      const kept = await listPageWords(app.db, visit.place.merchantId);
      const words = kept.filter(({ language }) => language === code);
      return sendWords(app, visit, { code, words, isDone: asked.has('done') });
    }),
  );
  routes.post(PATH, (context) =>
    withShop(app, context, 'settings', (visit) => say(app, context, visit)),
  );
  routes.get(`${PATH}/preview`, (context) =>
    withShop(app, context, 'settings', async (visit) => {
      const asked = new URL(context.req.url).searchParams;
      const code = await readLanguage(app, visit, asked);
      return sendPage(app, await sampleOf(app, visit, asked, code));
    }),
  );
  return routes;
}

/** In the language of the pages, unless another is asked for. */
async function readLanguage(app: PageApp, { place }: ShopVisit, asked: URLSearchParams) {
  const code = asked.get('language') ?? '';
  if (isLanguageCode(code)) return code;
  return (await getSeller(app.db, place.merchantId)).page.defaultLanguage;
}

function typedWords(form: URLSearchParams, language: LanguageCode): OwnPageWords[] {
  return PAGE_WORDS_PLACES.map((place) => ({ place, language, words: form.get(place) ?? '' }));
}

/** What is empty is not said any more. */
async function say(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  const { actor, place } = visit;
  const { merchantId } = place;
  const code = await readLanguage(app, visit, form);
  const words = typedWords(form, code);
  const act = { actor, merchantId, verb: 'merchant-page-set', subject: `merchant:${merchantId}` };
  try {
    await doNoted(app, { ...act, details: pageWordsDetails(words) }, (within) =>
      setPageWords(within, merchantId, words, 'these'),
    );
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'page_words') throw error;
    return sendWords(app, visit, { code, words, refusal: error });
  }
  return sendSeeOther(`${roomPath(place, '/settings/words')}?language=${code}&done=1`);
}

function sendWords(app: PageApp, visit: ShopVisit, shown: Shown): Response {
  const { place, language } = visit;
  const { settings, shell } = language.texts;
  const { code, words, refusal, isDone } = shown;
  const path = roomPath(place, '/settings/words');
  const links = LANGUAGES.map(
    ({ languageCode, name }) =>
      html`<a class="quiet" href="${path}?language=${languageCode}" lang="${languageCode}"${
        languageCode === code && html` aria-current="true"`
      }>${name}</a>`,
  );
  const values = new URLSearchParams({ language: code });
  for (const one of words) values.set(one.place, one.words);
  const fields = PAGE_WORDS_PLACES.map((name) => {
    const { characters: maxLength, lines } = PAGE_WORDS_MOST[name];
    const field = { name, label: settings.pageWords.places[name], value: values.get(name) ?? '' };
    if (lines === 1) return textField({ ...field, isRequired: false, maxLength });
    return areaField({ ...field, maxLength });
  });
  const form = [
    html`<input type="hidden" name="language" value="${code}"><p class="hint">${settings.pageWords.hint}</p>`,
    ...fields,
    selectField({
      name: 'shown',
      label: settings.look.shown,
      value: 'pay',
      options: SHOWN_PAGES.map((name) => [name, settings.look.pages[name]]),
    }),
    button(shell.save, 'save'),
  ];
  const body = html`${faultNote(refusal && settings.pageWords.fault)}
${doneNote(isDone === true ? shell.done : undefined)}
${settingsTabs(visit, 'words')}
<section class="card"><h2>${settings.pageWords.title}</h2><p class="ways">${links}</p>
${formOf(visit, path, form, html` id="words"`)}</section>
<section class="card"><h2 id="preview">${settings.preview}</h2>
<iframe class="preview" title="${settings.preview}" src="${path}/preview?${`${values}`}" data-preview="words" inert></iframe></section>`;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  const { title } = settings;
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'settings' }));
}

/** Too long a text is cut, so that the page shows how it would look while somebody types. */
async function sampleOf(
  app: PageApp,
  { place }: ShopVisit,
  typed: URLSearchParams,
  code: LanguageCode,
): Promise<Page> {
  const stored = await getSeller(app.db, place.merchantId);
  const pageWords = typedWords(typed, code)
    .map((one) => ({
      ...one,
      words: one.words.trim().slice(0, PAGE_WORDS_MOST[one.place].characters),
    }))
    .filter(({ words }) => words !== '');
  const seller = { ...stored, pageWords };
  const name = SHOWN_PAGES.find((one) => one === typed.get('shown')) ?? SHOWN_PAGES[0];
  const sample = findSampleState(name)?.make({ seller, language: code, sample: name });
  if (sample === undefined) throw new Error(`there is no sample ${name}`);
  const summary = { ...sample.summary, shopName: sellerName(seller) };
  const page = renderCheckout({ ...sample, summary });
  return { ...page, refreshSeconds: undefined, frameAncestors: ["'self'"] };
}
