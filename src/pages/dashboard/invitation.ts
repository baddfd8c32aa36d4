// Where an invitation is accepted: who one is, and how one will sign in. A passkey is added on the
// next page, signed in already; so nobody has to know what one is before he has seen the shop.

import { type Context, Hono } from 'hono';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import { findMerchantNames } from '#merchant/merchant.ts';
import { type Html, html } from '#pages/html.ts';
import type { DashboardTexts } from '#pages/languages/dashboard/en.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { acceptInvitation, findInvitation, type Invitation } from '#staff/invitation.ts';
import { hasPasskeys } from '#staff/passkey.ts';
import { findPersonByEmail } from '#staff/person.ts';
import { BY_INVITATION, enter } from '#staff/sign-in.ts';
import { button, faultNote, formOf, textField } from './controls.ts';
import { withVisit } from './guard.ts';
import { dashboardPage } from './shell.ts';
import { readVisitForm, signedInCookies, type Visit, type VisitApp, withCookies } from './visit.ts';

export function invitationPath(token: string): string {
  return `/dashboard/invitation/${token}`;
}

export function invitationRoutes(app: VisitApp): Hono {
  const routes = new Hono();
  const tokenOf = (context: Context) => context.req.param('token') ?? '';
  routes.get('/invitation/:token', (context) =>
    withVisit(app, context, (visit) => sendInvitation(app, visit, tokenOf(context))),
  );
  routes.post('/invitation/:token', (context) =>
    withVisit(app, context, (visit) => accept(app, context, visit, tokenOf(context))),
  );
  return routes;
}

async function accept(
  app: VisitApp,
  context: Context,
  visit: Visit,
  token: string,
): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  const isWithPasskey = form.get('way') === 'passkey';
  const password = isWithPasskey ? undefined : (form.get('password') ?? '');
  const name = form.get('name') ?? '';
  try {
    const email = form.get('email') ?? '';
    const given = { name, email, password, signedIn: visit.who?.person };
    const person = await acceptInvitation(app, token, given);
    if (visit.who !== undefined) return sendSeeOther('/dashboard');
    const signedIn = await enter(app, person, visit.browser, BY_INVITATION);
    const next = isWithPasskey ? '/dashboard/security#passkeys' : '/dashboard';
    return withCookies(sendSeeOther(next), signedInCookies(app, signedIn));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendInvitation(app, visit, token, { refusal: error, name });
  }
}

async function sendInvitation(
  app: VisitApp,
  visit: Visit,
  token: string,
  tried?: { readonly refusal: Refusal; readonly name: string },
): Promise<Response> {
  const { texts } = visit.language;
  const invitation = await findInvitation(app, token);
  if (invitation === undefined) {
    const { gone, goneHint } = texts.invitation;
    const body = html`<section class="card"><p>${goneHint}</p></section>`;
    return sendPage(app, dashboardPage({ visit, title: gone, body, status: 404 }));
  }
  const { email } = invitation;
  const known = email === undefined ? undefined : await findPersonByEmail(app.db, email);
  const isMe = known !== undefined && known.id === visit.who?.person.id;
  const sentence = await sentenceOf(app, texts, invitation);
  const form =
    known === undefined
      ? newPersonForm(app, visit, token, { ...invitation, ...(tried && { name: tried.name }) })
      : isMe
        ? formOf(visit, invitationPath(token), button(texts.invitation.accept, 'submit'))
        : html`<p>${texts.invitation.known}</p>
<p><a class="button" href="/dashboard/sign-in?to=${encodeURIComponent(invitationPath(token))}">${texts.signIn.title}</a></p>`;
  const body = html`${faultNote(tried && refusalText(texts, tried.refusal))}<section class="card"><p>${sentence}</p>
${
  email !== undefined &&
  html`<dl class="lines"><div><dt>${texts.invitation.email}</dt><dd>${email}</dd></div></dl>`
}
${form}</section>`;
  const status = tried && STATUS_OF_REFUSAL[tried.refusal.kind];
  return sendPage(app, dashboardPage({ visit, title: texts.invitation.title, body, status }));
}

async function sentenceOf(
  app: VisitApp,
  texts: DashboardTexts,
  { merchantId, role }: Invitation,
): Promise<string> {
  if (merchantId === undefined || role === undefined) return texts.invitation.toOperate;
  const names = await findMerchantNames(app.db, [merchantId]);
  return texts.invitation.toShop(names.get(merchantId) ?? merchantId, texts.roles[role]);
}

function newPersonForm(
  app: VisitApp,
  visit: Visit,
  token: string,
  { name, email }: Pick<Invitation, 'name' | 'email'>,
): Html {
  const texts = visit.language.texts.invitation;
  const { email: emailLabel, password: passwordLabel } = visit.language.texts.signIn;
  const way = (value: string, label: string, hint: string, isChosen: boolean) =>
    html`<p class="choice"><input type="radio" id="way-${value}" name="way" value="${value}"${
      isChosen && html` checked`
    }><label class="choice-text" for="way-${value}"><span class="choice-name">${label}</span>
<span class="choice-hint">${hint}</span></label></p>`;
  const hasWays = hasPasskeys(app.publicUrl);
  return formOf(visit, invitationPath(token), [
    textField({
      name: 'name',
      label: texts.name,
      value: name,
      autocomplete: 'name',
      maxLength: 100,
    }),
    email === undefined
      ? textField({ name: 'email', label: emailLabel, type: 'email', autocomplete: 'username' })
      : html``,
    html`${
      hasWays &&
      html`<fieldset data-needs="passkey" hidden><legend class="label">${texts.choose}</legend>
${way('passkey', texts.passkey, texts.passkeyHint, false)}
${way('password', texts.password, texts.passwordHint, true)}</fieldset>`
    }`,
    html`<div id="by-password">${textField({
      name: 'password',
      label: passwordLabel,
      hint: texts.passwordHint,
      type: 'password',
      autocomplete: 'new-password',
      isRequired: false,
      maxLength: 200,
    })}</div>`,
    button(texts.submit, 'submit'),
  ]);
}

/** What a person is told of a refusal, in his language. */
export function refusalText(texts: DashboardTexts, { code }: Refusal): string {
  const { faults } = texts;
  const known: Readonly<Record<string, string>> = {
    password_length: faults.passwordLength,
    password_common: faults.passwordCommon,
    email: faults.email,
    name: faults.name,
    passkey: faults.passkey,
    passkey_wrong: faults.passkey,
    passkey_known: faults.passkey,
    last_owner: faults.lastOwner,
    sign_in_first: texts.invitation.known,
    totp: faults.code,
    last_way: faults.lastWay,
    scopes: faults.scopes,
    key_moves_money: faults.keyMovesMoney,
    url: faults.url,
    scope_missing: faults.unheard,
    webhook_endpoints_too_many: faults.receiversMost,
    endpoint_disabled: faults.receiverOff,
    event_too_old: faults.eventTooOld,
    delivery_pending: faults.onItsWay,
    event_without_receiver: texts.events.nobody,
    allowed_addresses: faults.address,
    addresses_of_owner: texts.addresses.ownerOnly,
    period: faults.period,
    sure: texts.customers.notSure,
    books_are_ledger: faults.booksAreLedger,
    page_settings: faults.pageSettings,
    page_languages: texts.settings.languagesFault,
    logo: faults.logo,
    font_file: texts.settings.look.fontFiles.fault,
    upload: faults.logo,
    body_too_large: faults.logo,
    risk: faults.risk,
    late_floor: faults.lateFloor,
    late_days: faults.lateDays,
    underpaid: texts.settings.underpaidFault,
    methods: texts.settings.methodsNone,
    depths: texts.settings.depthsFault,
    settlement: texts.sell.settlementRisk,
    domain_invalid: faults.domain,
    domains_full: faults.domainsMost,
    domain_proof_missing: faults.domainMissing,
    domain_proof_wrong: faults.domainWrong,
    domain_proof_ambiguous: faults.domainAmbiguous,
  };
  return known[code] ?? faults.gone;
}
