// Everything a browser is served: hosted checkouts, the demo shop, pictures, and the front page.
import { type Context, Hono } from 'hono';
import { assetRoutes } from './asset-routes.ts';
import { logoRoutes } from './branding/logo-routes.ts';
import { checkoutRoutes } from './checkout/checkout-routes.ts';
import { demoRoutes } from './demo/demo-routes.ts';
import { docsRoutes } from './docs/docs-routes.ts';
import { missingPage, sendFault } from './fault-pages.ts';
import { finishAnswer } from './finish-answer.ts';
import { landingPage } from './landing.ts';
import { findPageLanguage, type PageLanguage, preferredLanguage } from './languages/texts.ts';
import type { PageApp } from './page-app.ts';
import { receiptRoutes } from './receipt/receipt-routes.ts';
import { refundRoutes } from './refund/refund-routes.ts';
import { sendPage } from './send-page.ts';

/** Mounted at `/`. Knows every address that it does not serve as missing: mount it last. */
export function createPages(app: PageApp): Hono {
  const pages = new Hono();
  pages.use(finishAnswer);
  pages.get('/', () => sendPage(app, landingPage(app.demo !== undefined)));
  pages.route('/', assetRoutes());
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

/** Of the address when it names one, else of the browser. */
function languageOf(context: Context): PageLanguage {
  const accepted = context.req.header('accept-language');
  const [, named = ''] = context.req.path.split('/');
  return findPageLanguage(named, accepted) ?? preferredLanguage(accepted);
}
