// Who may do what with a shop: invite, change a role, remove.

import { type Context, Hono } from 'hono';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { momentTime } from '#pages/display.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { changeRole, removeColleague } from '#staff/colleagues.ts';
import { invite, listInvitations, withdrawInvitation } from '#staff/invitation.ts';
import { listColleagues } from '#staff/person.ts';
import { STAFF_ROLES, type StaffRole } from '#staff/role.ts';
import { button, doneNote, faultNote, formOf, quietButton, rows, textField } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { invitationPath, refusalText } from './invitation.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm, type VisitApp } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/people';

type Shown = {
  readonly refusal?: Refusal | undefined;
  /** Of an invitation just made, shown this once. */
  readonly link?: string | undefined;
  readonly isDone?: boolean;
};

export function peopleRoutes(app: VisitApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withShop(app, context, 'people', (visit) =>
      sendPeople(app, visit, { isDone: context.req.query('done') === '1' }),
    ),
  );
  routes.post(PATH, (context) =>
    withShop(app, context, 'people', (visit) => change(app, context, visit)),
  );
  return routes;
}

async function change(app: VisitApp, context: Context, visit: ShopVisit): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  const field = (name: string) => form.get(name) ?? '';
  const { actor, place } = visit;
  const { merchantId } = place;
  const personId = field('person');
  try {
    switch (field('act')) {
      case 'invite': {
        const membership = { merchantId, role: readRole(field('role')) };
        const who = { email: field('email'), name: field('name'), isOperator: false };
        const { language } = visit.browser;
        const { token } = await invite(app, actor, { ...who, membership, language });
        const link = new URL(invitationPath(token), app.publicUrl).href;
        return sendPeople(app, visit, { link });
      }
      case 'role':
        await changeRole(app, { actor, merchantId, personId, role: readRole(field('role')) });
        break;
      case 'remove':
        await removeColleague(app, { actor, merchantId, personId });
        break;
      case 'withdraw':
        await withdrawInvitation(app, { actor, merchantId, name: field('invitation') });
        break;
    }
    return sendSeeOther(`${roomPath(place, '/people')}?done=1`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendPeople(app, visit, { refusal: error });
  }
}

function readRole(text: string): StaffRole {
  const role = STAFF_ROLES.find((one) => one === text);
  if (role === undefined) throw new Refusal('invalid', 'role', 'role: one of the list is wanted');
  return role;
}

async function sendPeople(
  app: VisitApp,
  visit: ShopVisit,
  { refusal, link, isDone }: Shown,
): Promise<Response> {
  const { place, language } = visit;
  const { texts } = language;
  const [colleagues, invitations] = await Promise.all([
    listColleagues(app.db, place.merchantId),
    listInvitations(app, place.merchantId),
  ]);
  const path = roomPath(place, '/people');
  const listed = colleagues.map(({ id, name, email, role }) => ({
    what: html`<strong>${foreignText(name)}</strong>${id === visit.who.person.id && html` (${texts.people.you})`}
<span class="hint">${foreignText(email)}</span>`,
    acts: formOf(
      visit,
      path,
      html`<input type="hidden" name="person" value="${id}">
${roleSelect(visit, `role-${id}`, role)}${quietButton(texts.people.change, 'act', 'role')}
${quietButton(texts.shell.remove, 'act', 'remove')}`,
    ),
  }));
  const waiting = invitations.map(({ name, email, role, expiresAt, shortName, mail }) => ({
    what: html`<strong>${foreignText(name)}</strong>, ${role && texts.roles[role]}
<span class="hint">${foreignText(email ?? '')}. ${texts.people.until}:
${momentTime(expiresAt, language.code)}</span>
${
  mail &&
  html`<span class="hint">${texts.people.mailed[mail.state]}:
${momentTime(mail.at, language.code)}</span>`
}`,
    acts: formOf(
      visit,
      path,
      html`<input type="hidden" name="invitation" value="${shortName}">${quietButton(texts.people.withdraw, 'act', 'withdraw')}`,
    ),
  }));
  const body = html`${faultNote(refusal && refusalText(texts, refusal))}
${doneNote(isDone === true ? texts.shell.done : undefined)}
${
  link !== undefined &&
  html`<section class="card" id="link"><p role="status">${texts.people.link}</p><p><code>${link}</code></p></section>`
}
<section class="card"><h2>${texts.people.who}</h2>${rows(listed)}</section>
${waiting.length > 0 && html`<section class="card"><h2>${texts.people.open}</h2>${rows(waiting)}</section>`}
${inviteCard(visit, path)}`;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  const title = texts.people.title;
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'people' }));
}

function inviteCard(visit: ShopVisit, path: string): Html {
  const { texts } = visit.language;
  return html`<section class="card"><h2>${texts.people.invite}</h2>${formOf(visit, path, [
    html`<input type="hidden" name="act" value="invite">`,
    textField({ name: 'name', label: texts.people.name, maxLength: 100 }),
    textField({ name: 'email', label: texts.people.email, type: 'email' }),
    html`<p class="field"><label class="label" for="new-role">${texts.people.role}</label>
${roleSelect(visit, 'new-role', 'CASHIER')}</p>`,
    button(texts.people.submit, 'invite'),
  ])}${rows(
    STAFF_ROLES.map((role) => ({
      what: html`<strong>${texts.roles[role]}</strong> <span class="hint">${texts.roleHints[role]}</span>`,
    })),
  )}</section>`;
}

function roleSelect({ language: { texts } }: ShopVisit, id: string, chosen: StaffRole): Html {
  return html`<select name="role" id="${id}" aria-label="${texts.people.role}">${STAFF_ROLES.map(
    (role) =>
      html`<option value="${role}"${role === chosen && html` selected`}>${texts.roles[role]}</option>`,
  )}</select>`;
}
