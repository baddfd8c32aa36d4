// Which mails customers get of the shop, how each of them looks (in the shop's own colours, in each
// language, as a mail program shows it), and what the shop says in them in its own words.

import { type Context, Hono } from 'hono';
import { doNoted } from '#audit/act.ts';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import {
  DASHBOARD_LANGUAGES,
  isLanguageCode,
  LANGUAGES,
  type LanguageCode,
  nearestDashboardLanguage,
} from '#catalog/language.ts';
import type { Letter } from '#mail/letter.ts';
import {
  BILL_MAILS,
  type CheckoutMailKind,
  CUSTOMER_MAILS,
  type CustomerMailKind,
  changeCustomerMails,
  changePayerMails,
  findMailWords,
  listMailWords,
  MAIL_WORDS_MOST,
  type MailWords,
  mailWordsDetails,
  readCustomerMails,
  readPayerMails,
  setMailWords,
} from '#merchant/customer-mails.ts';
import { getSeller } from '#merchant/seller.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import { billLetter } from '#pages/letters/bill-letter.ts';
import { customerLetter } from '#pages/letters/customer-letter.ts';
import { sampleBillMail, sampleMail, sampleStaffMail } from '#pages/letters/sample-mail.ts';
import { staffLetter } from '#pages/letters/staff-letter.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendLetter, sendPage, sendSeeOther } from '#pages/send-page.ts';
import { STAFF_MAILS, type StaffMailKind } from '#staff/role.ts';
import { areaField, button, doneNote, faultNote, formOf, quietButton, rows } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { settingsTabs } from './settings-tabs.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/settings/mails';

export function settingsMailsRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withShop(app, context, 'settings', (visit) =>
      sendMails(app, visit, context.req.query('done') === '1'),
    ),
  );
  routes.post(PATH, (context) =>
    withShop(app, context, 'settings', (visit) => change(app, context, visit)),
  );
  routes.get(`${PATH}/preview`, (context) =>
    withShop(app, context, 'settings', (visit) => {
      const asked = new URL(context.req.url).searchParams;
      return sendPreview(app, visit, { wish: readWish(asked, visit), isDone: asked.has('done') });
    }),
  );
  routes.post(`${PATH}/preview`, (context) =>
    withShop(app, context, 'settings', (visit) => say(app, context, visit)),
  );
  routes.get(`${PATH}/letter`, (context) =>
    withShop(app, context, 'settings', async (visit) => {
      const asked = new URL(context.req.url).searchParams;
      const wish = readWish(asked, visit);
      const { html: markup } = await writtenSample(app, visit, wish, typedWords(asked));
      return sendLetter(markup);
    }),
  );
  return routes;
}

/** What is ticked is on; the same act as behind PUT /account-settings. */
async function change(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  const { actor, place } = visit;
  const { merchantId, environment } = place;
  const asked = CUSTOMER_MAILS.filter((kind) => form.getAll('kind').includes(kind));
  const act = { actor, merchantId, environment, verb: 'merchant-set' };
  const isOn = form.get('payer') === 'yes';
  const details = { customerMails: asked.join(','), payerMails: String(isOn) };
  const noted = { subject: `merchant:${merchantId}`, details };
  await doNoted(app, { ...act, ...noted }, async (within) => {
    await changeCustomerMails(within, { merchantId, environment }, asked);
    await changePayerMails(within, { merchantId, environment }, isOn);
  });
  return sendSeeOther(`${roomPath(place, '/settings/mails')}?done=1`);
}

async function sendMails(app: PageApp, visit: ShopVisit, isDone: boolean): Promise<Response> {
  const { place, language } = visit;
  const { mails, shell, settings } = language.texts;
  const [on, isPayerOn, words] = await Promise.all([
    readCustomerMails(app.db, place),
    readPayerMails(app.db, place),
    listMailWords(app.db, place),
  ]);
  const path = roomPath(place, '/settings/mails');
  const boxes = CUSTOMER_MAILS.map(
    (kind) => html`<p class="check"><input type="checkbox" id="kind-${kind}" name="kind"
 value="${kind}"${on.includes(kind) && html` checked`}>
<label for="kind-${kind}">${mails.kinds[kind]}</label></p>`,
  );
  const payerBox = html`<p class="check"><input type="checkbox" id="payer" name="payer"
 value="yes" aria-describedby="payer-hint"${isPayerOn && html` checked`}>
<label for="payer">${settings.payerMails.label}</label></p>
<p class="hint" id="payer-hint">${settings.payerMails.hint}</p>`;
  const previews = PREVIEWS.map((kind) => {
    const own = words.filter((one) => one.kind === kind).map((one) => one.language);
    return {
      what: html`<a class="quiet" href="${path}/preview?kind=${kind}">${titleOf(visit, kind)}</a>${
        own.length > 0 &&
        html` <span class="hint" data-own="${kind}">${settings.mailWords.own}: ${own.join(', ')}</span>`
      }`,
    };
  });
  const body = html`${doneNote(isDone ? shell.done : undefined)}
${settingsTabs(visit, 'mails')}
${!app.hasMail && html`<p class="warning" id="no-server">${mails.noServer}</p>`}
<section class="card"><h2>${mails.toCustomers}</h2><p class="hint">${mails.hint}</p>
${formOf(visit, path, [...boxes, payerBox, button(shell.save, 'save-mails')])}</section>
<section class="card"><h2>${mails.previews}</h2>${rows(previews)}</section>`;
  return sendPage(app, dashboardPage({ visit, place, title: mails.title, body, room: 'settings' }));
}

type PreviewKind = CustomerMailKind | `people-${StaffMailKind}`;
const PREVIEWS: readonly PreviewKind[] = [
  ...CUSTOMER_MAILS,
  ...STAFF_MAILS.map((kind) => `people-${kind}` as const),
];
type Wish = { readonly kind: PreviewKind; readonly code: LanguageCode };

function staffKindOf(kind: PreviewKind): StaffMailKind | undefined {
  return STAFF_MAILS.find((one) => kind === `people-${one}`);
}

function titleOf({ language: { texts } }: ShopVisit, kind: PreviewKind): string {
  const staffKind = staffKindOf(kind);
  if (staffKind !== undefined) return `${texts.myMails.title}: ${texts.myMails.kinds[staffKind]}`;
  return texts.mails.kinds[kind as CustomerMailKind];
}

/** In the language of whoever looks, unless he wants another. */
function readWish(asked: URLSearchParams, { language }: ShopVisit): Wish {
  const kind = PREVIEWS.find((one) => one === asked.get('kind'));
  const code = asked.get('language') ?? '';
  return { kind: kind ?? 'PAID', code: isLanguageCode(code) ? code : language.code };
}

type Typed = Readonly<Record<keyof MailWords, string>>;

/** As somebody types them; undefined: as they are kept. */
function typedWords(form: URLSearchParams): Typed | undefined {
  const [opening, closing] = [form.get('opening'), form.get('closing')];
  if (opening === null && closing === null) return undefined;
  const cut = (text: string | null) => [...(text ?? '')].slice(0, MAIL_WORDS_MOST).join('');
  return { opening: cut(opening), closing: cut(closing) };
}

/** None in mails to people of the shop. */
function customerKindOf(kind: PreviewKind): CustomerMailKind | undefined {
  return CUSTOMER_MAILS.find((one) => one === kind);
}

async function writtenSample(
  app: PageApp,
  { place }: ShopVisit,
  { kind, code }: Wish,
  typed: MailWords | undefined,
): Promise<Letter> {
  const shop = { seller: await getSeller(app.db, place.merchantId), publicUrl: app.publicUrl };
  const staffKind = staffKindOf(kind);
  if (staffKind !== undefined)
    return staffLetter(sampleStaffMail(staffKind, nearestDashboardLanguage(code), shop));
  const customerKind = kind as CustomerMailKind;
  const kept = () => findMailWords(app.db, place, { kind: customerKind, language: code });
  const own = { ...shop, ownWords: typed ?? (await kept()) };
  const billKind = BILL_MAILS.find((one) => one === kind);
  if (billKind !== undefined) return billLetter(sampleBillMail(billKind, code, own));
  return customerLetter(sampleMail(kind as CheckoutMailKind, code, own));
}

/** Looks at what is typed, or keeps it: what is empty is not said any more. */
async function say(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  const { actor, place } = visit;
  const { merchantId, environment } = place;
  const wish = readWish(form, visit);
  const kind = customerKindOf(wish.kind);
  const typed = { opening: form.get('opening') ?? '', closing: form.get('closing') ?? '' };
  if (kind === undefined || form.get('act') === 'look') {
    return sendPreview(app, visit, { wish, typed });
  }
  const words = [{ kind, language: wish.code, ...typed }];
  const act = { actor, merchantId, environment, verb: 'merchant-set' };
  const noted = { subject: `merchant:${merchantId}`, details: mailWordsDetails(words) };
  try {
    await doNoted(app, { ...act, ...noted }, (within) =>
      setMailWords(within, { merchantId, environment }, words, 'these'),
    );
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'mail_words') throw error;
    return sendPreview(app, visit, { wish, typed, refusal: error });
  }
  const asked = new URLSearchParams({ kind, language: wish.code, done: '1' });
  return sendSeeOther(`${roomPath(place, '/settings/mails/preview')}?${asked}`);
}

type Preview = {
  readonly wish: Wish;
  /** What is typed and not kept. */
  readonly typed?: Typed;
  readonly refusal?: Refusal;
  readonly isDone?: boolean;
};

async function sendPreview(app: PageApp, visit: ShopVisit, shown: Preview): Promise<Response> {
  const { place, language } = visit;
  const { mails, shell, settings } = language.texts;
  const { wish, typed, refusal } = shown;
  const letter = await writtenSample(app, visit, wish, typed);
  const path = roomPath(place, '/settings/mails');
  const addressOf = (page: string, code: LanguageCode, more?: Typed) =>
    `${path}/${page}?${new URLSearchParams({ kind: wish.kind, language: code, ...more })}`;
  const readable = staffKindOf(wish.kind) === undefined ? LANGUAGES : DASHBOARD_LANGUAGES;
  const links = readable.map(
    ({ languageCode, name }) =>
      html`<a class="quiet" href="${addressOf('preview', languageCode)}" lang="${languageCode}"${
        languageCode === wish.code && html` aria-current="true"`
      }>${name}</a>`,
  );
  const title = titleOf(visit, wish.kind);
  const form = await wordsForm(app, visit, shown);
  const body = html`${settingsTabs(visit, 'mails')}
<p class="ways"><a class="quiet" href="${path}">${shell.back}</a></p>
${doneNote(shown.isDone ? shell.done : undefined)}
${faultNote(refusal && settings.mailWords.fault)}
<section class="card"><p class="hint">${mails.sample}</p><p class="ways">${links}</p>
<dl class="lines">${letter.fromName !== undefined && html`<div><dt>${mails.from}</dt><dd>${foreignText(letter.fromName)}</dd></div>`}
<div><dt>${mails.subject}</dt><dd id="subject">${foreignText(letter.subject)}</dd></div></dl>
<iframe class="preview letter" src="${addressOf('letter', wish.code, typed)}" title="${title}"${
    form !== undefined && html` data-preview="words"`
  }></iframe></section>
${form}
<section class="card"><h2>${mails.asText}</h2><pre id="text" tabindex="0">${letter.text}</pre></section>`;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  return sendPage(
    app,
    dashboardPage({ visit, place, title: mails.title, body, room: 'settings', status }),
  );
}

/** In which the shop says its own; none in mails to people of the shop. */
async function wordsForm(
  app: PageApp,
  visit: ShopVisit,
  { wish, typed }: Preview,
): Promise<Html | undefined> {
  const kind = customerKindOf(wish.kind);
  if (kind === undefined) return undefined;
  const { settings, shell } = visit.language.texts;
  const { mailWords } = settings;
  const { place } = visit;
  const kept = typed ?? (await findMailWords(app.db, place, { kind, language: wish.code }));
  const area = (name: keyof MailWords) =>
    areaField({ name, label: mailWords[name], value: kept[name], maxLength: MAIL_WORDS_MOST });
  const fields = html`<input type="hidden" name="kind" value="${kind}">
<input type="hidden" name="language" value="${wish.code}">
<p class="hint">${mailWords.hint}</p>${area('opening')}${area('closing')}
<p class="ways">${button(shell.save, 'save-words')}${quietButton(settings.preview, 'act', 'look')}</p>`;
  const path = roomPath(place, '/settings/mails/preview');
  return html`<section class="card"><h2>${mailWords.title}</h2>${formOf(visit, path, fields, html` id="words"`)}</section>`;
}
