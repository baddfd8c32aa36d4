// Everything a browser is served: hosted checkouts, the demo shop, pictures, and the front page.
import { type Context, Hono, type Next } from 'hono';
import { findIconSvg, iconSvg } from '#catalog/icon.ts';
import { logoRoutes } from './branding/logo-routes.ts';
import { checkoutRoutes } from './checkout/checkout-routes.ts';
import { compressAnswer } from './compress-answer.ts';
import { demoRoutes } from './demo/demo-routes.ts';
import { docsRoutes } from './docs/docs-routes.ts';
import { missingPage, sendFault } from './fault-pages.ts';
import { landingPage } from './landing.ts';
import { findPageLanguage, type PageLanguage, preferredLanguage } from './languages/texts.ts';
import type { PageApp } from './page-app.ts';
import { EMBED_PATH, EMBED_SCRIPT, findPageAsset } from './page-assets.ts';
import { receiptRoutes } from './receipt/receipt-routes.ts';
import { refundRoutes } from './refund/refund-routes.ts';
import { robotsTag } from './search-engines.ts';
import { sendFile, sendPage, sendPublicScript } from './send-page.ts';

const forEver = 'public, max-age=31536000, immutable';
/** Pictures keep their name when they are drawn anew. */
const forADay = 'public, max-age=86400';
const brandColor = '#0f766e';

/** Mounted at `/`. Knows every address that it does not serve as missing: mount it last. */
export function createPages(app: PageApp): Hono {
  const pages = new Hono();
  pages.use(finishAnswer);
  pages.get('/', () => sendPage(app, landingPage(app.demo !== undefined)));
  pages.get('/assets/:name', (context) => {
    const asset = findPageAsset(context.req.path);
    return asset === undefined
      ? sendPage(app, missingPage(languageOf(context)))
      : sendFile(asset.body, asset.type, forEver);
  });
  pages.get(EMBED_PATH, () => sendPublicScript(EMBED_SCRIPT));
  pages.get('/images/*', (context) => {
    const { path } = context.req;
    const icon = path === '/images/favicon.svg' ? iconSvg('Q', brandColor) : findIconSvg(path);
    return icon === undefined
      ? sendPage(app, missingPage(languageOf(context)))
      : sendFile(icon, 'image/svg+xml', forADay);
  });
  if (app.demo !== undefined && app.sandbox !== undefined) {
    pages.route('/demo', demoRoutes({ ...app, demo: app.demo }));
  }
  if (app.apiReference !== undefined) pages.route('/docs', docsRoutes(app, app.apiReference));
  pages.route('/', logoRoutes(app));
  pages.route('/', checkoutRoutes(app));
  pages.route('/', receiptRoutes(app));
  pages.route('/', refundRoutes(app));
  pages.all('*', (context) => sendPage(app, missingPage(languageOf(context))));
  pages.onError((error, context) => sendFault(app, languageOf(context), error));
  return pages;
}

async function finishAnswer(context: Context, next: Next): Promise<void> {
  await next();
  const tag = robotsTag(context.req.header('user-agent') ?? '');
  if (tag !== undefined) context.res.headers.set('X-Robots-Tag', tag);
  const answer = await compressAnswer(context.req.raw, context.res);
  if (answer === context.res) return;
  // Else the headers of the old answer are added to those of the new one.
  context.res = undefined;
  context.res = answer;
}

/** Of the address when it names one, else of the browser. */
function languageOf(context: Context): PageLanguage {
  const accepted = context.req.header('accept-language');
  const [, named = ''] = context.req.path.split('/');
  return findPageLanguage(named, accepted) ?? preferredLanguage(accepted);
}
