// The samples of the demo shop, with style, script and pictures, served as they are served in
// production and with nothing behind them: no database, no network.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { systemRandom } from '#base/random.ts';
import type { LanguageCode } from '#catalog/language.ts';
import { assetRoutes } from '#pages/asset-routes.ts';
import { galleryRoutes } from '#pages/demo/gallery.ts';
import { finishAnswer } from '#pages/finish-answer.ts';
import { findPageLanguage } from '#pages/languages/texts.ts';
import { type Page, sendPage } from '#pages/send-page.ts';
import { PAGES } from './checkout-pages.ts';
import { SAMPLE_PAPERS } from './sample-papers.ts';
import { SAMPLE_SELLING } from './sample-selling.ts';

const MORE = { ...SAMPLE_PAPERS, ...SAMPLE_SELLING };

export type SampleSite = {
  readonly origin: string;
  /** Names of the states of the gallery, then of receipts, refunds, invoices and payment links. */
  readonly states: readonly string[];
  urlOf(state: string, language?: LanguageCode): string;
  /** Serves a page, for as long as the site is open. */
  show(page: Page): string;
  close(): Promise<void>;
};

/** A paid page leads back to its shop after ten seconds, and may be looked at for longer. */
async function stay(context: Context, next: () => Promise<void>): Promise<void> {
  await next();
  if (!context.res.headers.get('content-type')?.startsWith('text/html')) return;
  const markup = await context.res.text();
  const stays = markup.replaceAll('data-leave="10"', 'data-leave="300"');
  context.res = new Response(stays, context.res);
}

export async function openSampleSite(): Promise<SampleSite> {
  const app = { random: systemRandom };
  const shown: Page[] = [];
  const site = new Hono();
  site.use(finishAnswer);
  site.route('/', assetRoutes());
  site.use('/demo/states/*', stay);
  site.route('/demo/states', galleryRoutes(app));
  site.get('/papers/:name', ({ req }) => {
    const language = findPageLanguage(req.query('language') ?? 'en', undefined)?.code;
    const page = language && MORE[req.param('name')]?.(language);
    return page ? sendPage(app, page) : new Response(null, { status: 404 });
  });
  site.get('/shown/:index', ({ req }) => {
    const page = shown[Number(req.param('index'))];
    return page === undefined ? new Response(null, { status: 404 }) : sendPage(app, page);
  });
  const server = createServer(getRequestListener(site.fetch));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    states: [...Object.keys(PAGES), ...Object.keys(MORE)],
    urlOf: (state, language = 'en') => {
      const folder = state in MORE ? 'papers' : 'demo/states';
      return `${origin}/${folder}/${state}?language=${language}`;
    },
    show: (page) => `${origin}/shown/${shown.push(page) - 1}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
