// Everything a browser is served: hosted checkouts, the demo shop, pictures, and the front page.
import { Hono } from 'hono';
import { assetRoutes, logoRoutes } from './asset-routes.ts';
import { checkoutRoutes } from './checkout/checkout-routes.ts';
import { demoRoutes } from './demo/demo-routes.ts';
import { docsRoutes } from './docs/docs-routes.ts';
import { missingPage, sendFault } from './fault-pages.ts';
import { finishAnswer } from './finish-answer.ts';
import { landingPage } from './landing.ts';
import { findPageLanguage, type PageLanguage, preferredLanguage } from './languages/texts.ts';
import { domainOf } from './own-domain.ts';
import type { PageApp } from './page-app.ts';
import { receiptRoutes } from './receipt/receipt-routes.ts';
import { refundRoutes } from './refund/refund-routes.ts';
import { sendPage } from './send-page.ts';

/** Mounted at `/`. Knows every address that it does not serve as missing: mount it last. */
export function createPages(app: PageApp): Hono {
  const pages = new Hono();
  pages.use(finishAnswer);
  const hosted = hostedPages(app);
  // Under a merchant's own domain nothing else is reached.
  pages.use(async (context, next) => {
    if (domainOf(context) === undefined) return next();
    return hosted.fetch(context.req.raw, context.env);
  });
  pages.get('/', () => sendPage(app, landingPage(app.demo !== undefined)));
  if (app.demo !== undefined && app.sandbox !== undefined) {
    pages.route('/demo', demoRoutes({ ...app, demo: app.demo }));
  }
  if (app.apiReference !== undefined) pages.route('/docs', docsRoutes(app, app.apiReference));
  pages.route('/', hosted);
  pages.onError((error, context) => sendFault(app, languageOf(context.req.raw), error));
  return pages;
}

/** For a request that failed before it came to the pages. */
export function faultAnswer(app: PageApp, request: Request, fault: unknown): Response {
  return sendFault(app, languageOf(request), fault);
}

/** What customers of a merchant see, and the files that it needs. */
function hostedPages(app: PageApp): Hono {
  const pages = new Hono();
  pages.route('/', assetRoutes());
  pages.route('/', logoRoutes(app));
  pages.route('/', checkoutRoutes(app));
  pages.route('/', receiptRoutes(app));
  pages.route('/', refundRoutes(app));
  pages.all('*', (context) => sendPage(app, missingPage(languageOf(context.req.raw))));
  pages.onError((error, context) => sendFault(app, languageOf(context.req.raw), error));
  return pages;
}

/** Of the address when it names one, else of the browser. */
function languageOf(request: Request): PageLanguage {
  const accepted = request.headers.get('accept-language') ?? undefined;
  const [, named = ''] = new URL(request.url).pathname.split('/');
  return findPageLanguage(named, accepted) ?? preferredLanguage(accepted);
}
