// Which mails somebody wants of each of his shops: what his role may see, and nothing else. In the
// language in which he chose them.

import { type Context, Hono } from 'hono';
import { findMerchantNames } from '#merchant/merchant.ts';
import { foreignText, html } from '#pages/html.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { chooseMails, listMemberships } from '#staff/person.ts';
import { getsMail, mayGetMail, STAFF_MAILS } from '#staff/role.ts';
import { lastDayEnd } from '#status-mail/staff-mail.ts';
import { button, doneNote, formOf } from './controls.ts';
import { findHome, type SignedInVisit, withPerson } from './guard.ts';
import { dashboardPage } from './shell.ts';
import { readVisitForm, type VisitApp } from './visit.ts';

const PATH = '/dashboard/mails';

export function myMailsRoutes(app: VisitApp): Hono {
  const routes = new Hono();
  routes.get('/mails', (context) =>
    withPerson(app, context, (visit) => sendMyMails(app, visit, context.req.query('done') === '1')),
  );
  routes.post('/mails', (context) =>
    withPerson(app, context, (visit) => change(app, context, visit)),
  );
  return routes;
}

/** What is ticked is wanted, of this shop. A shop that is none of his stays as it is. */
async function change(app: VisitApp, context: Context, visit: SignedInVisit): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  const mails = STAFF_MAILS.filter((kind) => form.getAll('kind').includes(kind));
  const merchantId = form.get('merchant') ?? '';
  const { id: personId } = visit.who.person;
  const { code: language } = visit.language;
  const now = app.clock.now();
  const dayEndedAt = lastDayEnd(now);
  await app.db.transact((tx) =>
    chooseMails(tx, { personId, merchantId, mails, language, dayEndedAt, now }),
  );
  return sendSeeOther(`${PATH}?done=1`);
}

async function sendMyMails(
  app: VisitApp,
  visit: SignedInVisit,
  isDone: boolean,
): Promise<Response> {
  const { myMails, mails, shell } = visit.language.texts;
  const [memberships, place] = await Promise.all([
    listMemberships(app.db, visit.who.person.id),
    findHome(app, visit),
  ]);
  const names = await findMerchantNames(
    app.db,
    memberships.map(({ merchantId }) => merchantId),
  );
  const cards = memberships.map(({ merchantId, role, mails: wishes }) => {
    const boxes = STAFF_MAILS.filter((kind) => mayGetMail(role, kind)).map(
      (kind) => html`<p class="check"><input type="checkbox" id="${merchantId}-${kind}" name="kind"
 value="${kind}"${getsMail(role, wishes, kind) && html` checked`}>
<label for="${merchantId}-${kind}">${myMails.kinds[kind]}</label></p>`,
    );
    return html`<section class="card"><h2>${foreignText(names.get(merchantId) ?? merchantId)}</h2>
${formOf(visit, PATH, [
  html`<input type="hidden" name="merchant" value="${merchantId}">`,
  ...boxes,
  button(shell.save, `save-${merchantId}`),
])}</section>`;
  });
  const body = html`${doneNote(isDone ? shell.done : undefined)}
${!app.hasMail && html`<p class="warning" id="no-server">${mails.noServer}</p>`}
<p class="hint">${myMails.hint}</p>${cards}`;
  const title = myMails.title;
  return sendPage(app, dashboardPage({ visit, title, body, place, room: 'my-mails' }));
}
