// Keys of the API: make, rotate, revoke, and how each may be sent. A secret is shown once.

import { type Context, Hono } from 'hono';
import {
  allowBasic,
  createApiKey,
  listApiKeys,
  type NewApiKey,
  preferAuthentication,
  revokeApiKey,
  rotateApiKey,
  SCOPES,
  type Scope,
} from '#access/api-key.ts';
import { doNoted } from '#audit/act.ts';
import { Refusal, STATUS_OF_REFUSAL } from '#base/refusal.ts';
import {
  AUTHENTICATION_METHODS,
  type AuthenticationMethod,
  readPreferredAuthentication,
} from '#merchant/merchant.ts';
import { momentTime } from '#pages/display.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { mayHoldKey } from '#staff/role.ts';
import {
  button,
  doneNote,
  faultNote,
  formOf,
  quietButton,
  rows,
  selectField,
  textField,
} from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { refusalText } from './invitation.ts';
import { dashboardPage, roomPath } from './shell.ts';
import { readVisitForm } from './visit.ts';

const PATH = '/shop/:merchantId/:environment/keys';
const LABEL_MOST = 60;
/** How long the old secret works beside the new one: as long as a shop needs to be changed. */
const OVERLAP_HOURS = 24;

type Shown = {
  readonly refusal?: Refusal | undefined;
  /** Just made, shown this once. */
  readonly made?: NewApiKey | undefined;
  readonly isDone?: boolean;
};
type Key = Awaited<ReturnType<typeof listApiKeys>>[number];

export function keysRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) =>
    withShop(app, context, 'develop', (visit) =>
      sendKeys(app, visit, { isDone: context.req.query('done') === '1' }),
    ),
  );
  routes.post(PATH, (context) =>
    withShop(app, context, 'develop', (visit) => change(app, context, visit)),
  );
  return routes;
}

async function listKeys(app: PageApp, { place }: ShopVisit): Promise<Key[]> {
  const keys = await listApiKeys(app.db, place.merchantId);
  return keys.filter(({ environment }) => environment === place.environment);
}

async function change(app: PageApp, context: Context, visit: ShopVisit): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  try {
    const made = await carryOut(app, visit, form);
    if (made !== undefined) return sendKeys(app, visit, { made });
    return sendSeeOther(`${roomPath(visit.place, '/keys')}?done=1`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendKeys(app, visit, { refusal: error });
  }
}

/** What the pressed button says, noted with who. Answers a key whose secret is new. */
async function carryOut(
  app: PageApp,
  visit: ShopVisit,
  form: URLSearchParams,
): Promise<NewApiKey | undefined> {
  const { actor, place } = visit;
  const { merchantId, environment } = place;
  const who = { actor, merchantId, environment };
  const act = form.get('act') ?? '';
  if (act === 'create') {
    const scopes = readScopes(form);
    requireHold(visit, scopes ?? null);
    const label = (form.get('label') ?? '').trim().slice(0, LABEL_MOST) || undefined;
    const details = { label, scopes: scopes?.join(',') ?? 'all' };
    const subject = (made: NewApiKey) => `key:${made.key}`;
    return doNoted(app, { ...who, verb: 'key-create', subject, details }, (within) =>
      createApiKey(within, { merchantId, environment, label, scopes }),
    );
  }
  if (act === 'prefer') {
    const method = AUTHENTICATION_METHODS.find((one) => one === form.get('method')) ?? 'DIGEST';
    const details = { preferredAuthentication: method };
    const subject = `merchant:${merchantId}`;
    await doNoted(app, { ...who, verb: 'key-prefer', subject, details }, (within) =>
      preferAuthentication(within, place, method),
    );
    return undefined;
  }
  return changeKey(app, visit, form);
}

/** One that there is. */
async function changeKey(
  app: PageApp,
  visit: ShopVisit,
  form: URLSearchParams,
): Promise<NewApiKey | undefined> {
  const { merchantId, environment } = visit.place;
  const who = { actor: visit.actor, merchantId, environment };
  const act = form.get('act') ?? '';
  const keys = await listKeys(app, visit);
  const key = keys.find((one) => one.key === form.get('key') && one.revokedAt === null);
  if (key === undefined) throw new Refusal('missing', 'key', 'there is no such key');
  const subject = `key:${key.key}`;
  if (act === 'rotate') {
    requireHold(visit, key.scopes);
    const details = { overlapHours: `${OVERLAP_HOURS}` };
    return doNoted(app, { ...who, verb: 'key-rotate', subject, details }, (within) =>
      rotateApiKey(within, { key: key.key, overlapHours: OVERLAP_HOURS }),
    );
  }
  if (act === 'revoke') {
    await doNoted(app, { ...who, verb: 'key-revoke', subject }, (within) =>
      revokeApiKey(within, key.key),
    );
  } else if (act === 'basic-on' || act === 'basic-off') {
    const isOn = act === 'basic-on';
    const details = { basic: isOn ? 'on' : 'off' };
    await doNoted(app, { ...who, verb: 'key-basic', subject, details }, (within) =>
      allowBasic(within, key.key, isOn),
    );
  }
  return undefined;
}

/** Undefined: everything. */
function readScopes(form: URLSearchParams): readonly Scope[] | undefined {
  if (form.get('all') === '1') return undefined;
  const given = form.getAll('scope');
  const scopes = SCOPES.filter((scope) => given.includes(scope));
  if (scopes.length === 0) throw new Refusal('invalid', 'scopes', 'scopes: one at least is wanted');
  return scopes;
}

/** Nobody makes a key, or learns its secret, that may do more than himself. */
function requireHold({ place }: ShopVisit, scopes: readonly string[] | null): void {
  if (mayHoldKey(place.role, place.environment, scopes)) return;
  throw new Refusal(
    'forbidden',
    'key_moves_money',
    'a key that moves money is the owner’s to make',
  );
}

async function sendKeys(
  app: PageApp,
  visit: ShopVisit,
  { refusal, made, isDone }: Shown,
): Promise<Response> {
  const { place, language } = visit;
  const { texts } = language;
  const [keys, preferred] = await Promise.all([
    listKeys(app, visit),
    readPreferredAuthentication(app.db, place),
  ]);
  const body = html`${faultNote(refusal && refusalText(texts, refusal))}
${doneNote(isDone === true ? texts.shell.done : undefined)}
${made !== undefined && madeCard(visit, made)}
<section class="card"><h2>${texts.keys.title}</h2>
${
  keys.length === 0
    ? html`<p>${texts.keys.none}</p>`
    : rows(keys.map((key) => ({ what: keyItem(visit, key), acts: keyActs(visit, key) })))
}</section>${createCard(visit)}${preferCard(visit, preferred)}`;
  const status = refusal && STATUS_OF_REFUSAL[refusal.kind];
  const title = texts.keys.title;
  return sendPage(app, dashboardPage({ visit, place, title, body, status, room: 'keys' }));
}

function madeCard({ language: { texts } }: ShopVisit, { key, secret }: NewApiKey): Html {
  return html`<section class="card" id="made"><p class="warning" role="status">${texts.keys.once}</p>
<dl class="lines"><div><dt>${texts.keys.key}</dt><dd><code>${key}</code></dd></div>
<div><dt>${texts.keys.secret}</dt><dd><code>${secret}</code></dd></div></dl></section>`;
}

function keyItem({ language }: ShopVisit, key: Key): Html {
  const { texts, code } = language;
  const { keys } = texts;
  const may =
    key.scopes === null
      ? keys.everything
      : SCOPES.filter((scope) => key.scopes?.includes(scope))
          .map((scope) => keys.scopes[scope])
          .join(', ');
  const state =
    key.revokedAt === null
      ? key.basicAllowed
        ? keys.basicOn
        : keys.basicOff
      : html`${keys.revoked}: ${momentTime(key.revokedAt, code)}`;
  return html`<strong><code>${key.key}</code></strong>
${key.label !== null && foreignText(key.label)}
<span class="hint">${may}</span><span class="hint">${state}</span>
<span class="hint">${keys.version}: ${key.apiVersion}</span>
${olderVersionNotice(language, key)}
<span class="hint">${keys.created}: ${momentTime(key.createdAt, code)}</span>`;
}

/** Its programs go on as they are, until a day that the change log names. */
function olderVersionNotice(
  { texts: { keys }, code }: ShopVisit['language'],
  { olderVersion, olderVersionAt, revokedAt }: Key,
): Html | undefined {
  if (olderVersion === null || olderVersionAt === null || revokedAt !== null) return undefined;
  return html`<span class="warning"><a href="/docs/changelog">${keys.olderVersion}</a>:
${olderVersion}, ${momentTime(olderVersionAt, code)}</span>`;
}

function keyActs(
  visit: ShopVisit,
  { key, basicAllowed, revokedAt, scopes }: Key,
): Html | undefined {
  const { keys } = visit.language.texts;
  const { role, environment } = visit.place;
  if (revokedAt !== null) return undefined;
  return formOf(
    visit,
    roomPath(visit.place, '/keys'),
    html`<input type="hidden" name="key" value="${key}">
${mayHoldKey(role, environment, scopes) && quietButton(keys.rotate, 'act', 'rotate')}
${
  basicAllowed
    ? quietButton(keys.switchBasicOff, 'act', 'basic-off')
    : quietButton(keys.switchBasicOn, 'act', 'basic-on')
}
${quietButton(keys.revoke, 'act', 'revoke')}`,
  );
}

function createCard(visit: ShopVisit): Html {
  const { texts } = visit.language;
  const { role, environment } = visit.place;
  const box = (name: string, value: string, label: string) =>
    html`<p class="check"><input type="checkbox" id="${name}-${value}" name="${name}" value="${value}">
<label for="${name}-${value}">${label}</label></p>`;
  const scopes = SCOPES.filter((scope) => mayHoldKey(role, environment, [scope]));
  return html`<section class="card"><h2>${texts.keys.create}</h2>
${formOf(visit, roomPath(visit.place, '/keys'), [
  html`<input type="hidden" name="act" value="create">`,
  textField({
    name: 'label',
    label: texts.keys.label,
    isRequired: false,
    maxLength: LABEL_MOST,
  }),
  html`<fieldset><legend class="label">${texts.keys.may}</legend>
${mayHoldKey(role, environment, null) && box('all', '1', texts.keys.everything)}
${scopes.map((scope) => box('scope', scope, texts.keys.scopes[scope]))}</fieldset>`,
  button(texts.keys.make, 'make-key'),
])}<p class="hint">${texts.keys.rotateHint}</p></section>`;
}

/** How programs of the shop say who they are: of all keys at once. */
function preferCard(visit: ShopVisit, preferred: AuthenticationMethod): Html {
  const { authentication } = visit.language.texts;
  const options = AUTHENTICATION_METHODS.map((one) => [one, authentication[one]] as const);
  return html`<section class="card" id="authentication"><h2>${authentication.title}</h2>
<p>${authentication.hint}</p>
${formOf(visit, roomPath(visit.place, '/keys'), [
  html`<input type="hidden" name="act" value="prefer">`,
  selectField({ name: 'method', label: authentication.label, value: preferred, options }),
  button(authentication.submit, 'prefer'),
])}</section>`;
}
