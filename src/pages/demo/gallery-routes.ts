// Addresses of the gallery. Nothing can be done there: what is pressed leads back to the sample.
import { type Context, Hono } from 'hono';
import { renderCheckout } from '#pages/checkout/render-checkout.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { findPageLanguage, preferredLanguage } from '#pages/languages/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage, sendSeeOther } from '#pages/send-page.ts';
import { galleryPage } from './gallery-page.ts';
import { findSampleState } from './sample-states.ts';

export function galleryRoutes(app: Pick<PageApp, 'random'>): Hono {
  const routes = new Hono();
  routes.get('/', (context) => sendPage(app, galleryPage(languageOf(context))));
  routes.get('/:name', (context) => {
    const sample = findSampleState(context.req.param('name'));
    const accepted = context.req.header('accept-language');
    if (sample === undefined) return sendPage(app, missingPage(preferredLanguage(accepted)));
    const { searchParams } = new URL(context.req.url);
    searchParams.delete('language');
    const page = sample.make({
      language: languageOf(context),
      sample: sample.name,
      ...(searchParams.size === 0 ? {} : { query: String(searchParams) }),
    });
    // A sample stands still.
    return sendPage(app, { ...renderCheckout(page), refreshSeconds: undefined });
  });
  routes.all('/:name/:act', (context) => {
    const back = ['return', 'cancel'].includes(context.req.param('act'));
    const name = back ? '' : `/${encodeURIComponent(context.req.param('name'))}`;
    return sendSeeOther(`/demo/states${name}?language=${languageOf(context)}`);
  });
  return routes;
}

/** As it is named, else as the browser wants. */
function languageOf(context: Context): string {
  const named = context.req.query('language') ?? 'auto';
  const language = findPageLanguage(named, context.req.header('accept-language'));
  return (language ?? preferredLanguage(undefined)).code;
}
