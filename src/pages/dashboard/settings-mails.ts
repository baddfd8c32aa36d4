// Which mails customers get of the shop, and how each of them looks: in the shop's own colours, in
// each language, as a mail program shows it.

import { type Context, Hono } from 'hono';
import { doNoted } from '#audit/act.ts';
import { isLanguageCode, LANGUAGES, type LanguageCode } from '#catalog/language.ts';
import type { Letter } from '#mail/letter.ts';
import {
  BILL_MAILS,
  type CheckoutMailKind,
  CUSTOMER_MAILS,
  type CustomerMailKind,
  changeCustomerMails,
  readCustomerMails,
} from '#merchant/customer-mails.ts';
import { getSeller } from '#merchant/seller.ts';
import { foreignText, html } from '#pages/html.ts';
import { billLetter } from '#pages/letters/bill-letter.ts';
import { customerLetter } from '#pages/letters/customer-letter.ts';
import { sampleBillMail, sampleMail, sampleStaffMail } from '#pages/letters/sample-mail.ts';
import { staffLetter } from '#pages/letters/staff-letter.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendLetter, sendPage, sendSeeOther } from '#pages/send-page.ts';
import { STAFF_MAILS, type StaffMailKind } from '#staff/role.ts';
import { button, doneNote, formOf, rows } from './controls.ts';
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
    withShop(app, context, 'settings', (visit) => sendPreview(app, context, visit)),
  );
  routes.get(`${PATH}/letter`, (context) =>
    withShop(app, context, 'settings', async (visit) => {
      const { html: markup } = await writtenSample(app, visit, readWish(context, visit));
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
  const noted = { subject: `merchant:${merchantId}`, details: { customerMails: asked.join(',') } };
  await doNoted(app, { ...act, ...noted }, (within) =>
    changeCustomerMails(within, { merchantId, environment }, asked),
  );
  return sendSeeOther(`${roomPath(place, '/settings/mails')}?done=1`);
}

async function sendMails(app: PageApp, visit: ShopVisit, isDone: boolean): Promise<Response> {
  const { place, language } = visit;
  const { mails, shell } = language.texts;
  const on = await readCustomerMails(app.db, place);
  const path = roomPath(place, '/settings/mails');
  const boxes = CUSTOMER_MAILS.map(
    (kind) => html`<p class="check"><input type="checkbox" id="kind-${kind}" name="kind"
 value="${kind}"${on.includes(kind) && html` checked`}>
<label for="kind-${kind}">${mails.kinds[kind]}</label></p>`,
  );
  const previews = PREVIEWS.map((kind) => ({
    what: html`<a class="quiet" href="${path}/preview?kind=${kind}">${titleOf(visit, kind)}</a>`,
  }));
  const body = html`${doneNote(isDone ? shell.done : undefined)}
${settingsTabs(visit, 'mails')}
${!app.hasMail && html`<p class="warning" id="no-server">${mails.noServer}</p>`}
<section class="card"><h2>${mails.toCustomers}</h2><p class="hint">${mails.hint}</p>
${formOf(visit, path, [...boxes, button(shell.save, 'save-mails')])}</section>
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
function readWish(context: Context, { language }: ShopVisit): Wish {
  const kind = PREVIEWS.find((one) => one === context.req.query('kind'));
  const code = context.req.query('language') ?? '';
  return { kind: kind ?? 'PAID', code: isLanguageCode(code) ? code : language.code };
}

async function writtenSample(
  app: PageApp,
  { place }: ShopVisit,
  { kind, code }: Wish,
): Promise<Letter> {
  const shop = { seller: await getSeller(app.db, place.merchantId), publicUrl: app.publicUrl };
  const staffKind = staffKindOf(kind);
  if (staffKind !== undefined) return staffLetter(sampleStaffMail(staffKind, code, shop));
  const billKind = BILL_MAILS.find((one) => one === kind);
  if (billKind !== undefined) return billLetter(sampleBillMail(billKind, code, shop));
  return customerLetter(sampleMail(kind as CheckoutMailKind, code, shop));
}

async function sendPreview(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const { place, language } = visit;
  const { mails, shell } = language.texts;
  const wish = readWish(context, visit);
  const letter = await writtenSample(app, visit, wish);
  const path = roomPath(place, '/settings/mails');
  const addressOf = (page: string, code: LanguageCode) =>
    `${path}/${page}?kind=${wish.kind}&language=${code}`;
  const links = LANGUAGES.map(
    ({ languageCode, name }) =>
      html`<a class="quiet" href="${addressOf('preview', languageCode)}" lang="${languageCode}"${
        languageCode === wish.code && html` aria-current="true"`
      }>${name}</a>`,
  );
  const title = titleOf(visit, wish.kind);
  const body = html`${settingsTabs(visit, 'mails')}
<p class="ways"><a class="quiet" href="${path}">${shell.back}</a></p>
<section class="card"><p class="hint">${mails.sample}</p><p class="ways">${links}</p>
<dl class="lines">${letter.fromName !== undefined && html`<div><dt>${mails.from}</dt><dd>${foreignText(letter.fromName)}</dd></div>`}
<div><dt>${mails.subject}</dt><dd id="subject">${foreignText(letter.subject)}</dd></div></dl>
<iframe class="preview letter" src="${addressOf('letter', wish.code)}" title="${title}"></iframe></section>
<section class="card"><h2>${mails.asText}</h2><pre id="text" tabindex="0">${letter.text}</pre></section>`;
  return sendPage(app, dashboardPage({ visit, place, title, body, room: 'settings' }));
}
