// The manual of the API at /docs: guides, and a reference made from the OpenAPI document that the
// server validates with. Nothing is loaded from anywhere else.
import { Hono } from 'hono';
import type { Random } from '#base/random.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { preferredLanguage } from '#pages/languages/texts.ts';
import { sendPage } from '#pages/send-page.ts';
import type { ApiReference } from './api-reference.ts';
import { errorsPage, guidePage, operationPage, overviewPage } from './docs-pages.ts';
import { GUIDES } from './guides.ts';

export function docsRoutes(app: { readonly random: Random }, reference: ApiReference): Hono {
  const routes = new Hono();
  routes.get('/', () => sendPage(app, overviewPage(reference)));
  routes.get('/errors', () => sendPage(app, errorsPage(reference)));
  routes.get('/guides/:id', (context) => {
    const guide = GUIDES.find(({ id }) => id === context.req.param('id'));
    const language = preferredLanguage(context.req.header('accept-language'));
    return sendPage(app, guide === undefined ? missingPage(language) : guidePage(guide));
  });
  routes.get('/operations/:id', (context) => {
    const page = operationPage(reference, context.req.param('id'));
    const language = preferredLanguage(context.req.header('accept-language'));
    return sendPage(app, page ?? missingPage(language));
  });
  return routes;
}
