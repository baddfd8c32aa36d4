// Signing in by a link that was mailed, where there is a mail server. Looking at the link uses
// nothing up, since programs look at links before people do: a button does.

import { type Context, Hono } from 'hono';
import { Refusal } from '#base/refusal.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { html } from '#pages/html.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import { sendPage } from '#pages/send-page.ts';
import { askForLink, signInWithLink } from '#staff/sign-in.ts';
import { button, formOf } from './controls.ts';
import { withVisit } from './guard.ts';
import { dashboardPage } from './shell.ts';
import { enterBy, sendSignIn } from './sign-in.ts';
import { readVisitForm, type Visit, type VisitApp } from './visit.ts';

export function signInLinkRoutes(app: VisitApp): Hono {
  const routes = new Hono();
  const withMail = (context: Context, answer: (visit: Visit) => Promise<Response> | Response) =>
    withVisit(app, context, (visit) =>
      app.hasMail ? answer(visit) : sendPage(app, missingPage(pageLanguage(visit.language.code))),
    );
  routes.post('/sign-in/link', (context) =>
    withMail(context, (visit) => sendLink(app, context, visit)),
  );
  routes.get('/sign-in/link/:token', (context) =>
    withMail(context, (visit) => showLink(app, visit, context.req.param('token'))),
  );
  routes.post('/sign-in/link/:token', (context) =>
    withMail(context, (visit) => useLink(app, context, visit, context.req.param('token') ?? '')),
  );
  return routes;
}

async function sendLink(app: VisitApp, context: Context, visit: Visit): Promise<Response> {
  const form = await readVisitForm(app, context, visit);
  try {
    await askForLink(app, form.get('email') ?? '', visit.browser);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return sendSignIn(app, visit, form.get('to') ?? '', { refusal: error, form });
  }
  const { sent, sentHint } = visit.language.texts.signInLink;
  const body = html`<section class="card"><p role="status">${sentHint}</p></section>`;
  return sendPage(app, dashboardPage({ visit, title: sent, body }));
}

function showLink(app: VisitApp, visit: Visit, token: string): Response {
  const { signIn, signInLink } = visit.language.texts;
  const action = `/dashboard/sign-in/link/${encodeURIComponent(token)}`;
  const body = html`<section class="card"><p>${signInLink.hint}</p>
${formOf(visit, action, button(signIn.submit, 'submit'))}</section>`;
  return sendPage(app, dashboardPage({ visit, title: signInLink.title, body }));
}

async function useLink(
  app: VisitApp,
  context: Context,
  visit: Visit,
  token: string,
): Promise<Response> {
  await readVisitForm(app, context, visit);
  const after = await signInWithLink(app, token, visit.browser).catch((error: unknown) => {
    if (error instanceof Refusal) return undefined;
    throw error;
  });
  if (after !== undefined) return enterBy(app, visit, after, '/dashboard');
  const { signIn, signInLink } = visit.language.texts;
  const body = html`<section class="card"><p>${signInLink.gone}</p>
<p><a class="button" href="/dashboard/sign-in">${signIn.title}</a></p></section>`;
  return sendPage(app, dashboardPage({ visit, title: signInLink.title, body, status: 404 }));
}
