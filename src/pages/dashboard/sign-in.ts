// Signing in and out: a passkey first, a password as the other way, a code where one was set up.

import { type Context, Hono } from 'hono';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { isDashboardLanguageCode } from '#catalog/language.ts';
import { minutesText } from '#pages/display.ts';
import { type Html, html } from '#pages/html.ts';
import { sendJson, sendPage, sendSeeOther } from '#pages/send-page.ts';
import { hasPasskeys } from '#staff/passkey.ts';
import { endSession, keptFormOf } from '#staff/session.ts';
import {
  askToSignIn,
  proveAgain,
  type SignedIn,
  signInWithCode,
  signInWithPasskey,
  signInWithPassword,
} from '#staff/sign-in.ts';
import { button, faultNote, formOf, textField } from './controls.ts';
import { readReturn, type SignedInVisit, withPerson, withVisit } from './guard.ts';
import { dashboardPage } from './shell.ts';
import {
  languageCookie,
  readVisitForm,
  signedInCookies,
  signedOutCookies,
  type Visit,
  type VisitApp,
  withCookies,
} from './visit.ts';

export function signInRoutes(app: VisitApp): Hono {
  const routes = new Hono();
  routes.get('/sign-in', (context) =>
    withVisit(app, context, (visit) => sendSignIn(app, visit, context.req.query('to'))),
  );
  routes.post('/sign-in', (context) =>
    withVisit(app, context, (visit) => signIn(app, context, visit)),
  );
  // The browser's script asks for what a passkey is to sign, and posts the answer as a form.
  routes.post('/passkey-question', (context) =>
    withVisit(app, context, async (visit) => {
      await readVisitForm(app, context, visit);
      return sendJson(await askToSignIn(app, visit.browser));
    }),
  );
  routes.post('/sign-out', (context) =>
    withVisit(app, context, async (visit) => {
      await readVisitForm(app, context, visit);
      if (visit.who !== undefined) await endSession(app, visit.who.session);
      return withCookies(sendSeeOther('/dashboard/sign-in'), signedOutCookies(app));
    }),
  );
  routes.post('/language', (context) =>
    withVisit(app, context, async (visit) => {
      const form = await readVisitForm(app, context, visit);
      const code = form.get('language') ?? '';
      const cookies = isDashboardLanguageCode(code) ? [languageCookie(app, code)] : [];
      return withCookies(sendSeeOther(readReturn(form.get('to'))), cookies);
    }),
  );
  routes.get('/proof', (context) =>
    withPerson(app, context, (visit) => sendProof(app, visit, context.req.query('to'))),
  );
  routes.post('/proof', (context) =>
    withPerson(app, context, (visit) => prove(app, context, visit)),
  );
  return routes;
}

async function signIn(app: VisitApp, context: Context, visit: Visit): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  const field = (name: string) => form.get(name) ?? '';
  const to = field('to');
  const enter = (after: SignedIn | { readonly step: string }) => enterBy(app, visit, after, to);
  try {
    if (field('answer') !== '') {
      const answered = { step: field('step'), answer: field('answer') };
      return enter(await signInWithPasskey(app, answered, visit.browser));
    }
    if (field('step') !== '') {
      const given = { step: field('step'), code: field('code') };
      return enter(await signInWithCode(app, given, visit.browser));
    }
    const given = { email: field('email'), password: field('password') };
    return enter(await signInWithPassword(app, given, visit.browser));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendSignIn(app, visit, to, { refusal: error, form });
  }
}

/** In, or asked for the code of the app first. */
export function enterBy(
  app: VisitApp,
  visit: Visit,
  after: SignedIn | { readonly step: string },
  to: string,
): Response {
  if ('step' in after) return sendCode(app, visit, after.step, to);
  return withCookies(sendSeeOther(readReturn(to)), signedInCookies(app, after));
}

type Tried = { readonly refusal: Refusal; readonly form: URLSearchParams };

export function sendSignIn(
  app: VisitApp,
  visit: Visit,
  to: string | undefined,
  tried?: Tried | undefined,
): Response {
  const { texts } = visit.language;
  const back = html`<input type="hidden" name="to" value="${readReturn(to)}">`;
  const body = html`${faultNote(tried && faultOf(visit, tried))}
<section class="card">
${hasPasskeys(app.publicUrl) && passkeyForm(visit, '/dashboard/sign-in', back)}
${formOf(visit, '/dashboard/sign-in', [
  back,
  textField({
    name: 'email',
    label: texts.signIn.email,
    type: 'email',
    autocomplete: 'username webauthn',
    value: tried?.form.get('email') ?? '',
  }),
  textField({
    name: 'password',
    label: texts.signIn.password,
    type: 'password',
    autocomplete: 'current-password',
  }),
  button(texts.signIn.submit, 'submit'),
  html`${
    app.hasMail &&
    html`<button class="quiet" id="send-link" formaction="/dashboard/sign-in/link" formnovalidate>${texts.signInLink.send}</button>`
  }`,
])}
<details><summary>?</summary><p class="hint">${texts.signIn.lost}</p></details>
</section>`;
  const status = tried && STATUS_OF_REFUSAL[tried.refusal.kind];
  const page = dashboardPage({ visit, title: texts.signIn.title, body, status });
  const retryAfterSeconds = tried?.refusal.retryAfterSeconds;
  return sendPage(app, { ...page, retryAfterSeconds });
}

/** Shown by the script alone: without it no browser has passkeys. */
function passkeyForm(visit: Visit, action: string, more: Html): Html {
  const { texts } = visit.language;
  return html`<div data-passkey="get" data-question="/dashboard/passkey-question" hidden>
${formOf(
  visit,
  action,
  html`${more}<input type="hidden" name="step"><input type="hidden" name="answer">
<button class="button" type="button" id="passkey">${texts.signIn.withPasskey}</button>
<p class="hint">${texts.signIn.passkeyHint}</p>
<p class="warning" role="alert" hidden>${texts.signIn.passkeyFailed}</p>`,
)}
<p class="hint or">${texts.signIn.or}</p></div>`;
}

function faultOf({ language: { texts, code } }: Visit, { refusal, form }: Tried): string {
  const { retryAfterSeconds } = refusal;
  if (retryAfterSeconds !== undefined) {
    return texts.signIn.tooMany(minutesText(Math.ceil(retryAfterSeconds / 60), code));
  }
  if (refusal.code === 'email') return texts.faults.email;
  if (form.has('answer') && form.get('answer') !== '') return texts.signIn.passkeyFailed;
  return form.has('code') ? texts.signIn.codeWrong : texts.signIn.wrong;
}

function sendCode(app: VisitApp, visit: Visit, step: string, to: string): Response {
  const { texts } = visit.language;
  const body = html`<section class="card">${formOf(visit, '/dashboard/sign-in', [
    html`<input type="hidden" name="step" value="${step}">
<input type="hidden" name="to" value="${readReturn(to)}">`,
    textField({
      name: 'code',
      label: texts.signIn.code,
      hint: texts.signIn.codeHint,
      autocomplete: 'one-time-code',
    }),
    button(texts.signIn.codeSubmit, 'submit'),
  ])}</section>`;
  return sendPage(app, dashboardPage({ visit, title: texts.signIn.codeTitle, body }));
}

function sendProof(
  app: VisitApp,
  visit: SignedInVisit,
  to: string | undefined,
  refusal?: Refusal,
): Response {
  const { texts, code } = visit.language;
  const { person } = visit.who;
  const back = html`<input type="hidden" name="to" value="${readReturn(to)}">`;
  const wait = refusal?.retryAfterSeconds;
  const fault =
    wait === undefined
      ? refusal && texts.proof.wrong
      : texts.signIn.tooMany(minutesText(Math.ceil(wait / 60), code));
  const body = html`${faultNote(fault)}<section class="card"><p>${texts.proof.hint}</p>
${isKept(app, visit, to) && html`<p class="hint" id="keeps">${texts.proof.keeps}</p>`}
${hasPasskeys(app.publicUrl) && passkeyForm(visit, '/dashboard/proof', back)}
${
  person.passwordHash !== undefined &&
  formOf(visit, '/dashboard/proof', [
    back,
    textField({
      name: 'password',
      label: texts.signIn.password,
      type: 'password',
      autocomplete: 'current-password',
    }),
    person.sealedTotp === undefined
      ? html``
      : textField({ name: 'code', label: texts.signIn.code, autocomplete: 'one-time-code' }),
    button(texts.proof.submit, 'submit'),
  ])
}</section>`;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  return sendPage(app, dashboardPage({ visit, title: texts.proof.title, body, status }));
}

async function prove(app: VisitApp, context: Context, visit: SignedInVisit): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  const field = (name: string) => form.get(name) ?? '';
  const proof =
    field('answer') === ''
      ? { password: field('password'), code: field('code') }
      : { step: field('step'), answer: field('answer') };
  try {
    await proveAgain(app, visit.who, proof, visit.browser);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendProof(app, visit, field('to'), error);
  }
  const page = readReturn(field('to'));
  return sendSeeOther(isKept(app, visit, page) ? `${page}#kept` : page);
}

/** What was typed on that page waits for the proof. */
function isKept(app: VisitApp, { who }: SignedInVisit, page: string | undefined): boolean {
  const kept = keptFormOf(who.session, app.clock.now());
  return kept !== undefined && kept.page === page;
}
