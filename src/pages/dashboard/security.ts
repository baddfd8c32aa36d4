// How one signs in oneself, and where one is signed in. Every change asks for a recent proof.

import { type Context, Hono } from 'hono';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { qrCode } from '#pages/checkout/copy-field.ts';
import { momentTime } from '#pages/display.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import { sendJson, sendPage, sendSeeOther } from '#pages/send-page.ts';
import { askForNewPasskey, hasPasskeys, PASSKEYS_MOST } from '#staff/passkey.ts';
import { endSessions, isFresh, listSessions } from '#staff/session.ts';
import {
  addPasskey,
  choosePassword,
  listWaysIn,
  offerTotp,
  readOffer,
  removePasskey,
  renewRecoveryCodes,
  switchOffTotp,
  switchOnTotp,
  type WaysIn,
} from '#staff/ways-in.ts';
import { button, doneNote, faultNote, formOf, quietButton, rows, textField } from './controls.ts';
import { askForProof, findHome, type SignedInVisit, withPerson } from './guard.ts';
import { refusalText } from './invitation.ts';
import { dashboardPage } from './shell.ts';
import { readVisitForm, type VisitApp } from './visit.ts';

const PATH = '/dashboard/security';

type TotpOffer = ReturnType<typeof offerTotp>;

type Shown = {
  readonly refusal?: Refusal;
  readonly isDone?: boolean;
  /** To be scanned, and confirmed by a code. */
  readonly offer?: TotpOffer | undefined;
  /** Shown this once. */
  readonly codes?: readonly string[] | undefined;
};

export function securityRoutes(app: VisitApp): Hono {
  const routes = new Hono();
  routes.get('/security', (context) =>
    withPerson(app, context, (visit) =>
      sendSecurity(app, visit, { isDone: context.req.query('done') === '1' }),
    ),
  );
  routes.post('/security', (context) =>
    withPerson(app, context, (visit) => change(app, context, visit)),
  );
  routes.post('/new-passkey-question', (context) =>
    withPerson(app, context, async (visit) => {
      await readVisitForm(app, context, visit);
      return sendJson(await askForNewPasskey(app, visit.who.person));
    }),
  );
  return routes;
}

/** What a button of the page does. `Shown`: what the page says then. */
type Change = (
  app: VisitApp,
  who: SignedInVisit['who'],
  field: (name: string) => string,
) => Promise<Shown>;

const DONE: Shown = { isDone: true };

const CHANGES: Readonly<Record<string, Change>> = {
  async password(app, who, field) {
    await choosePassword(app, who, field('password'));
    return DONE;
  },
  'totp-offer': async (app, { person }) => ({ offer: offerTotp(app, person) }),
  async 'totp-on'(app, who, field) {
    const offer = readOffer(who.person, field('secret'));
    try {
      const given = { secret: offer?.secret ?? '', code: field('code') };
      return { codes: await switchOnTotp(app, who, given) };
    } catch (error) {
      if (error instanceof Refusal && error.code === 'totp') return { refusal: error, offer };
      throw error;
    }
  },
  async 'totp-off'(app, who) {
    await switchOffTotp(app, who);
    return DONE;
  },
  codes: async (app, who) => ({ codes: await renewRecoveryCodes(app, who) }),
  async 'passkey-add'(app, who, field) {
    const given = { step: field('step'), answer: field('answer'), label: field('label') };
    await addPasskey(app, who, given);
    return DONE;
  },
  async 'passkey-remove'(app, who, field) {
    await removePasskey(app, who, field('passkey'));
    return DONE;
  },
  async 'session-end'(app, { session }, field) {
    const name = field('session') || undefined;
    await app.db.transact((tx) => endSessions(tx, session, name, app.clock.now()));
    return DONE;
  },
};

async function change(app: VisitApp, context: Context, visit: SignedInVisit): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  const field = (name: string) => form.get(name) ?? '';
  const act = CHANGES[field('act')];
  if (act === undefined) return sendSeeOther(PATH);
  // Ending a session is never made harder: somebody else may be in it.
  const isFree = field('act') === 'session-end';
  if (!isFree && !isFresh(visit.who.session, app.clock.now()))
    return askForProof(app, context, visit, form);
  try {
    const shown = await act(app, visit.who, field);
    return shown === DONE ? sendSeeOther(`${PATH}?done=1`) : sendSecurity(app, visit, shown);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendSecurity(app, visit, { refusal: error });
  }
}

async function sendSecurity(
  app: VisitApp,
  visit: SignedInVisit,
  { refusal, isDone, offer, codes }: Shown,
): Promise<Response> {
  const { texts } = visit.language;
  const [ways, place] = await Promise.all([
    listWaysIn(app, visit.who.person),
    findHome(app, visit),
  ]);
  const hasNoWay = visit.who.person.passwordHash === undefined && ways.passkeys.length === 0;
  const parts = [
    passkeysCard(app, visit, ways),
    passwordCard(visit),
    appCard(visit, ways, offer),
    await sessionsCard(app, visit),
  ];
  const body = html`${faultNote(refusal && refusalText(texts, refusal))}
${hasNoWay && html`<p class="warning" id="no-way">${texts.security.noWay}</p>`}
${doneNote(isDone === true ? texts.shell.done : undefined)}
${codes !== undefined && codesCard(visit, codes)}${parts}`;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  const title = texts.security.title;
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'security' }));
}

function passkeysCard(app: VisitApp, visit: SignedInVisit, { passkeys }: WaysIn): Html {
  const { texts, code } = visit.language;
  const { security, shell } = texts;
  const listed = passkeys.map(({ credentialId, label, createdAt, usedAt }) => ({
    what: html`<strong>${foreignText(label)}</strong>
<span class="hint">${
      usedAt === undefined
        ? html`${security.added}: ${momentTime(createdAt, code)}`
        : html`${security.used}: ${momentTime(usedAt, code)}`
    }</span>`,
    acts: formOf(
      visit,
      PATH,
      html`<input type="hidden" name="passkey" value="${credentialId}">${quietButton(shell.remove, 'act', 'passkey-remove')}`,
    ),
  }));
  const add = html`<div data-passkey="create" data-question="/dashboard/new-passkey-question" hidden>
${formOf(visit, PATH, [
  html`<input type="hidden" name="act" value="passkey-add"><input type="hidden" name="step">
<input type="hidden" name="answer">`,
  textField({ name: 'label', label: security.passkeyLabel, isRequired: false, maxLength: 60 }),
  html`<button class="button" type="button" id="add-passkey">${security.addPasskey}</button>
<p class="warning" role="alert" hidden>${texts.faults.passkey}</p>`,
])}</div>`;
  const why = !hasPasskeys(app.publicUrl)
    ? security.noPasskeysHere
    : passkeys.length >= PASSKEYS_MOST
      ? texts.faults.passkeysMost
      : undefined;
  return html`<section class="card" id="passkeys"><h2>${security.passkeys}</h2>
${listed.length === 0 ? html`<p>${security.noPasskeys}</p>` : rows(listed)}
${why === undefined ? add : html`<p class="hint">${why}</p>`}
</section>`;
}

function passwordCard(visit: SignedInVisit): Html {
  const { security } = visit.language.texts;
  const { person } = visit.who;
  return html`<section class="card" id="password-card"><h2>${security.password}</h2>
<p>${person.passwordHash === undefined ? security.hasNoPassword : security.hasPassword}</p>
${formOf(visit, PATH, [
  html`<input type="hidden" name="act" value="password">
<input type="hidden" name="username" value="${person.email}" autocomplete="username">`,
  textField({
    name: 'password',
    label: security.newPassword,
    hint: visit.language.texts.invitation.passwordHint,
    type: 'password',
    autocomplete: 'new-password',
    maxLength: 200,
  }),
  button(security.setPassword, 'set-password'),
])}</section>`;
}

function appCard(
  visit: SignedInVisit,
  { recoveryCodesLeft }: WaysIn,
  offer: TotpOffer | undefined,
): Html {
  const { texts, code } = visit.language;
  const { security } = texts;
  const { person } = visit.who;
  const isOn = person.sealedTotp !== undefined;
  if (offer !== undefined) {
    return html`<section class="card" id="app"><h2>${security.app}</h2><p>${security.appScan}</p>
${qrCode(offer.uri, security.app)}
<dl class="lines"><div><dt>${security.appKey}</dt><dd><code>${offer.secret}</code></dd></div></dl>
${formOf(visit, PATH, [
  html`<input type="hidden" name="act" value="totp-on">
<input type="hidden" name="secret" value="${offer.secret}">`,
  textField({
    name: 'code',
    label: security.appCode,
    autocomplete: 'one-time-code',
    inputmode: 'numeric',
  }),
  button(security.appConfirm, 'totp-on'),
])}</section>`;
  }
  const count = new Intl.NumberFormat(code).format(recoveryCodesLeft);
  return html`<section class="card" id="app"><h2>${security.app}</h2>
<p>${isOn ? security.appOn : security.appOff}</p>
${isOn && html`<p class="hint">${security.codes}: ${security.codesLeft(count)}</p>`}
${formOf(
  visit,
  PATH,
  isOn
    ? html`${quietButton(security.codesNew, 'act', 'codes')}${quietButton(security.appEnd, 'act', 'totp-off')}`
    : html`<button class="button" name="act" value="totp-offer" id="totp-offer">${security.appStart}</button>`,
)}</section>`;
}

function codesCard({ language: { texts } }: SignedInVisit, codes: readonly string[]): Html {
  return html`<section class="card" id="codes"><h2>${texts.security.codes}</h2>
<p class="warning" role="status">${texts.security.codesShown}</p>
<ul class="codes">${codes.map((one) => html`<li><code>${one}</code></li>`)}</ul></section>`;
}

async function sessionsCard(app: VisitApp, visit: SignedInVisit): Promise<Html> {
  const { texts, code } = visit.language;
  const { security } = texts;
  const sessions = await listSessions(app, visit.who.session);
  const listed = sessions.map(({ name, isThis, seenAt, address, agent }) => ({
    what: html`<strong>${isThis ? security.sessionThis : foreignText(agent || '?')}</strong>
<span class="hint">${momentTime(seenAt, code)}, ${address}</span>`,
    acts: isThis
      ? undefined
      : formOf(
          visit,
          PATH,
          html`<input type="hidden" name="session" value="${name}">${quietButton(security.sessionEnd, 'act', 'session-end')}`,
        ),
  }));
  return html`<section class="card" id="sessions"><h2>${security.sessions}</h2>${rows(listed)}
${
  sessions.length > 1 &&
  formOf(visit, PATH, quietButton(security.sessionsEnd, 'act', 'session-end'))
}</section>`;
}
