// Who may open which page of the dashboard. Guarantees: without a session one is asked to sign in
// and comes back; a shop that one does not belong to is as missing as one that is not there (E9);
// what a role may not is refused before anything of the shop is read; what asks for a recent proof
// gets one first; a browser in kiosk mode sees the point of sale and nothing else.

import type { Context } from 'hono';
import { actFrom } from '#audit/acting-from.ts';
import type { Environment } from '#catalog/chain.ts';
import { findMerchantNames } from '#merchant/merchant.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { html } from '#pages/html.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import type { OperatorPort } from '#pages/operator-port.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { actorOf, listMemberships, type Person } from '#staff/person.ts';
import { asksFreshSignIn, mayAct, type StaffAct } from '#staff/role.ts';
import { forgetForm, isFresh, keepForm, type StaffSession } from '#staff/session.ts';
import { keptFields } from './fill-form.ts';
import { dashboardPage, type Place } from './shell.ts';
import { readVisit, readVisitForm, type Visit, type VisitApp, withCookies } from './visit.ts';

export type SignedInVisit = Visit & {
  readonly who: { readonly person: Person; readonly session: StaffSession };
};

/** Somebody in a room of a shop. */
export type ShopVisit = SignedInVisit & {
  readonly place: Place;
  /** As the trail names him. */
  readonly actor: string;
};

/** Whoever comes, signed in or not. */
export async function withVisit(
  app: VisitApp,
  context: Context,
  answer: (visit: Visit) => Response | Promise<Response>,
): Promise<Response> {
  const visit = await readVisit(app, context);
  const answered = await actFrom(visit.browser.address, async () => answer(visit));
  return withCookies(answered, visit.cookies);
}

export function withPerson(
  app: VisitApp,
  context: Context,
  answer: (visit: SignedInVisit) => Response | Promise<Response>,
): Promise<Response> {
  return withVisit(app, context, async (visit) => {
    const { who } = visit;
    if (who !== undefined) {
      await forgetSentForm(app, context, who.session);
      const { kiosk } = who.session;
      const { pathname } = new URL(context.req.url);
      const isHere = kiosk === undefined || isOfKiosk(kiosk, pathname);
      return isHere ? answer({ ...visit, who }) : sendSeeOther(kiosk);
    }
    return sendSeeOther(`/dashboard/sign-in?to=${encodeURIComponent(visit.path)}`);
  });
}

/** The point of sale, and the proof that leads out of it. */
function isOfKiosk(kiosk: string, path: string): boolean {
  return path === kiosk || path.startsWith(`${kiosk}/`) || path === '/dashboard/proof';
}

/** Paths have `:merchantId` and `:environment`. */
export function withShop(
  app: VisitApp,
  context: Context,
  asked: StaffAct,
  answer: (visit: ShopVisit) => Response | Promise<Response>,
): Promise<Response> {
  return withPerson(app, context, async (visit) => {
    const place = await findPlace(app, context, visit);
    const { texts, code } = visit.language;
    if (place === undefined) return sendPage(app, missingPage(pageLanguage(code)));
    if (!mayAct(place.role, asked)) {
      const { forbidden, forbiddenHint } = texts.shell;
      const body = html`<section class="card"><p>${forbiddenHint(texts.roles[place.role], texts.acts[asked])}</p></section>`;
      return sendPage(app, dashboardPage({ visit, place, title: forbidden, body, status: 403 }));
    }
    const isLooking = context.req.method === 'GET';
    if (!isLooking && asksFreshSignIn(asked) && !isFresh(visit.who.session, app.clock.now())) {
      return askForProof(app, context, visit);
    }
    return answer({ ...visit, place, actor: actorOf(visit.who.person.id) });
  });
}

/** Somebody who runs the installation. */
export type OperatorVisit = SignedInVisit & {
  /** As the trail names him. */
  readonly actor: string;
};

/** For everybody else the page is not there. What is sent to it asks for a recent proof. */
export function withOperator(
  app: VisitApp & { readonly operator?: OperatorPort | undefined },
  context: Context,
  answer: (visit: OperatorVisit, port: OperatorPort) => Response | Promise<Response>,
): Promise<Response> {
  return withPerson(app, context, (visit) => {
    const { person, session } = visit.who;
    if (!person.isOperator || app.operator === undefined) {
      return sendPage(app, missingPage(pageLanguage(visit.language.code)));
    }
    const isLooking = context.req.method === 'GET';
    if (!isLooking && !isFresh(session, app.clock.now())) return askForProof(app, context, visit);
    return answer({ ...visit, actor: actorOf(person.id) }, app.operator);
  });
}

/** A form that came back after its proof is sent now: it comes back no more. */
async function forgetSentForm(
  app: VisitApp,
  { req }: Context,
  session: StaffSession,
): Promise<void> {
  const isIt = req.method === 'POST' && session.keptForm?.path === new URL(req.url).pathname;
  if (isIt && isFresh(session, app.clock.now())) await forgetForm(app, session);
}

/**
 * Leads to the proof, and keeps for afterwards what was typed. `read`: where the form was read.
 * @throws Refusal forbidden `other_site`, `stale_form`
 */
export async function askForProof(
  app: VisitApp,
  context: Context,
  visit: SignedInVisit,
  read?: URLSearchParams,
): Promise<Response> {
  const form = read ?? (await readVisitForm(app, context, visit));
  const at = form.get('at');
  const page = pageOfForm(readReturn(at) === at ? at : visit.path);
  const fields = keptFields(form);
  if (fields.length > 0) {
    await keepForm(app, visit.who.session, { path: visit.path, page, fields });
  }
  return sendSeeOther(proofPath(page));
}

/** What is sent to `/refund/cancel` or `/order` stands on the page above. */
function pageOfForm(path: string): string {
  return path.replace(/(?:\/refund)?\/(?:order|cancel|again)$/, '');
}

/** Where the proof is given, and where one goes on from there. */
export function proofPath(page: string): string {
  return `/dashboard/proof?to=${encodeURIComponent(page)}`;
}

function findPlace(app: VisitApp, context: Context, visit: SignedInVisit) {
  const environment = context.req.param('environment');
  if (environment !== 'live' && environment !== 'test') return undefined;
  return placeOf(app, visit, environment, context.req.param('merchantId'));
}

/** The oldest shop of the person; live, because that is where the business is. */
export function findHome(app: VisitApp, visit: SignedInVisit): Promise<Place | undefined> {
  return placeOf(app, visit, 'live', undefined);
}

/** `merchantId`: undefined: the oldest. */
async function placeOf(
  app: VisitApp,
  { who }: SignedInVisit,
  environment: Environment,
  merchantId: string | undefined,
): Promise<Place | undefined> {
  const memberships = await listMemberships(app.db, who.person.id);
  const membership = memberships.find(
    (one) => merchantId === undefined || one.merchantId === merchantId,
  );
  if (membership === undefined) return undefined;
  const names = await findMerchantNames(
    app.db,
    memberships.map((one) => one.merchantId),
  );
  const shops = memberships.map((one) => ({
    merchantId: one.merchantId,
    name: names.get(one.merchantId) ?? one.merchantId,
  }));
  const { role } = membership;
  const merchantName = names.get(membership.merchantId) ?? membership.merchantId;
  return {
    merchantId: membership.merchantId,
    merchantName,
    environment,
    role,
    shops,
  };
}

/** Only a page of the dashboard: never an address of another site. */
export function readReturn(to: string | undefined | null): string {
  const isOurs =
    to !== undefined && to !== null && /^\/dashboard(?:\/[\w/.?=&%:+,~@-]*)?$/.test(to);
  return isOurs ? to : '/dashboard';
}
