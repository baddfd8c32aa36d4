// Who opened a page of the dashboard, and whether a form is one that this browser was shown.
//
// Guarantees: a form is taken only with the token that belongs to the cookie of its browser, and
// only from our own pages; the cookies are for this host alone, no script reads them, and the form
// of another site does not carry them. Nobody keeps a page that changes with the person
// (send-page.ts).

import { timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { Refusal } from '#base/refusal.ts';
import { type DashboardLanguageCode, isDashboardLanguageCode } from '#catalog/language.ts';
import { readCookie } from '#pages/cookie.ts';
import { readBytes, readForm, requireSameOrigin } from '#pages/forms.ts';
import { type DashboardLanguage, dashboardLanguage } from '#pages/languages/dashboard/texts.ts';
import { preferredDashboardLanguage } from '#pages/languages/texts.ts';
import { findPerson, type Person } from '#staff/person.ts';
import {
  findSession,
  formTokenOf,
  isFresh,
  type KeptForm,
  keptFormOf,
  readBrowserToken,
  type StaffSession,
} from '#staff/session.ts';
import type { Browser, SignedIn, SignInApp } from '#staff/sign-in.ts';

export type VisitApp = SignInApp & {
  readonly clientAddressOf?: (request: Request, bindings: unknown) => string;
};

export type Visit = {
  readonly language: DashboardLanguage;
  readonly browser: Browser;
  /** Of the page that is shown; of a form, the page below which it posts. */
  readonly path: string;
  /** Stands in every form, and belongs to the cookie of the browser. */
  readonly formToken: string;
  /** Of a form on this page: what was typed before a proof was asked for, once that is given. */
  readonly kept: KeptForm | undefined;
  /** Values of Set-Cookie that the answer brings. */
  readonly cookies: readonly string[];
  readonly who:
    | {
        readonly person: Person;
        readonly session: StaffSession;
        readonly language: DashboardLanguageCode;
      }
    | undefined;
};

type CookieName = 'session' | 'device' | 'visit' | 'language';

const YEAR_SECONDS = 365 * 24 * 3600;

export async function readVisit(app: VisitApp, context: Context): Promise<Visit> {
  const cookies = context.req.header('cookie');
  const read = (name: CookieName) => readCookie(cookies, cookieName(app.publicUrl, name));
  const known = read('visit');
  const visit = readBrowserToken(known, app.random);
  const code = read('language');
  const language = isDashboardLanguageCode(code)
    ? code
    : preferredDashboardLanguage(context.req.header('accept-language'));
  const token = read('session');
  const session = token === '' ? undefined : await findSession(app, token);
  const person = session && (await findPerson(app.db, session.personId));
  const { pathname, search } = new URL(context.req.url);
  const isLooking = context.req.method === 'GET';
  const path = isLooking ? `${pathname}${search}` : pathname;
  return {
    language: dashboardLanguage(language),
    path,
    kept: isLooking && session !== undefined ? keptOn(app, session, path) : undefined,
    browser: {
      address: app.clientAddressOf?.(context.req.raw, context.env) ?? '',
      agent: context.req.header('user-agent') ?? '',
      session: token === '' ? undefined : token,
      device: read('device') || undefined,
      language,
    },
    formToken: formTokenOf(app.keyring, visit),
    cookies: visit === known ? [] : [setCookie(app.publicUrl, 'visit', visit, undefined)],
    who: session && person && { person, session, language },
  };
}

/** Before the proof nobody reads there what somebody else may have typed. */
function keptOn(app: VisitApp, session: StaffSession, page: string): KeptForm | undefined {
  const now = app.clock.now();
  const kept = isFresh(session, now) ? keptFormOf(session, now) : undefined;
  return kept?.page === page ? kept : undefined;
}

/** @throws Refusal forbidden `other_site`, `stale_form` */
export async function readVisitForm(
  app: VisitApp,
  context: Context,
  { formToken }: Visit,
): Promise<URLSearchParams> {
  requireSameOrigin(context.req.raw, app.publicUrl);
  const form = await readForm(context.req.raw);
  requireFormToken(form.get('form'), formToken);
  return form;
}

const FIELDS_BYTES_MAX = 16 * 1024;

/**
 * A form with a file (RFC 7578) of at most `fileBytesMax`.
 * @throws Refusal forbidden `other_site`, `stale_form`; too-large; invalid `upload`
 */
export async function readVisitUpload(
  app: VisitApp,
  context: Context,
  { formToken }: Visit,
  fileBytesMax: number,
): Promise<FormData> {
  requireSameOrigin(context.req.raw, app.publicUrl);
  const bytes = await readBytes(context.req.raw, fileBytesMax + FIELDS_BYTES_MAX);
  const type = context.req.header('content-type') ?? '';
  const form = await new Response(bytes, { headers: { 'content-type': type } })
    .formData()
    .catch(() => undefined);
  if (form === undefined) throw new Refusal('invalid', 'upload', 'the form cannot be read');
  requireFormToken(form.get('form'), formToken);
  return form;
}

function requireFormToken(token: unknown, wantedToken: string): void {
  const given = Buffer.from(typeof token === 'string' ? token : '');
  const wanted = Buffer.from(wantedToken);
  if (given.length === wanted.length && timingSafeEqual(given, wanted)) return;
  throw new Refusal('forbidden', 'stale_form', 'the form is not of this browser');
}

/** For the answer to whoever just came in. */
export function signedInCookies({ publicUrl }: VisitApp, { session, device }: SignedIn): string[] {
  return [
    setCookie(publicUrl, 'session', session, undefined),
    setCookie(publicUrl, 'device', device, YEAR_SECONDS),
  ];
}

export function signedOutCookies({ publicUrl }: VisitApp): string[] {
  return [setCookie(publicUrl, 'session', '', 0)];
}

export function languageCookie({ publicUrl }: VisitApp, code: string): string {
  return setCookie(publicUrl, 'language', code, YEAR_SECONDS);
}

export function withCookies(answer: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) answer.headers.append('Set-Cookie', cookie);
  return answer;
}

/** `__Host-` binds a cookie to https and this host (RFC 6265bis, 4.1.3.2). */
function cookieName(publicUrl: string, name: CookieName): string {
  return publicUrl.startsWith('https:') ? `__Host-${name}` : `quittance-${name}`;
}

/** `seconds`: undefined until the browser is closed. */
function setCookie(
  publicUrl: string,
  name: CookieName,
  value: string,
  seconds: number | undefined,
): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  const age = seconds === undefined ? '' : `; Max-Age=${seconds}`;
  return `${cookieName(publicUrl, name)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${age}`;
}
