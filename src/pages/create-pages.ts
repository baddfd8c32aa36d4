// Everything a browser is served: hosted checkouts, the demo shop, pictures, and the front page.

import { type Context, Hono, type Next } from 'hono';
import { routePath } from 'hono/route';
import { assetRoutes, logoRoutes } from './asset-routes.ts';
import { billRoutes } from './billing/bill-routes.ts';
import { checkoutRoutes } from './checkout/checkout-routes.ts';
import { dashboardRoutes } from './dashboard/dashboard-routes.ts';
import { demoRoutes } from './demo/demo-routes.ts';
import { docsRoutes } from './docs/docs-pages.ts';
import { llmsText } from './docs/plain-manual.ts';
import { languageHere, sendFault, sendMissing } from './fault-pages.ts';
import { finishAnswer } from './finish-answer.ts';
import { html } from './html.ts';
import { findPageLanguage, type PageLanguage, preferredLanguage } from './languages/texts.ts';
import { leaveRoutes } from './letters/leave-routes.ts';
import { domainOf } from './own-domain.ts';
import type { PageApp } from './page-app.ts';
import { payRoutes } from './pay/pay-routes.ts';
import { createPaperPrinter, createPdfThread, type PaperPrinter } from './receipt/print-paper.ts';
import { receiptRoutes } from './receipt/receipt-routes.ts';
import { verifyRoutes } from './receipt/verify-routes.ts';
import { refundRoutes } from './refund/refund-routes.ts';
import { type Page, sendPage, sendText } from './send-page.ts';

/** Mounted at `/`. Knows every address that it does not serve as missing: mount it last. */
export function createPages(app: PageApp): Hono {
  const pages = new Hono();
  pages.use(noteRoute);
  pages.use(finishAnswer);
  // One queue and one thread for all papers, whoever asks.
  const printer = createPaperPrinter(app.clock, createPdfThread());
  const hosted = hostedPages(app, printer);
  // Under a merchant's own domain nothing else is reached.
  pages.use(async (context, next) => {
    if (domainOf(context) === undefined) return next();
    return hosted.fetch(context.req.raw, context.env);
  });
  pages.get('/', () => sendPage(app, landingPage(app.demo !== undefined)));
  if (app.demo !== undefined && app.sandbox !== undefined) {
    pages.route('/demo', demoRoutes({ ...app, demo: app.demo }));
  }
  if (app.apiReference !== undefined) {
    pages.route('/docs', docsRoutes(app, app.apiReference));
    pages.get('/llms.txt', () => sendText(llmsText(), 'text/plain'));
  }
  pages.route('/dashboard', dashboardRoutes(app, printer));
  pages.route('/', leaveRoutes(app));
  pages.route('/', hosted);
  pages.onError((error, context) => sendFault(app, languageOf(context.req.raw), error));
  return pages;
}

type Incoming = { route?: string };

/** For whoever counts requests: as the program names it, since addresses of pages are secrets. */
async function noteRoute(context: Context, next: Next): Promise<void> {
  await next();
  const { incoming } = (context.env ?? {}) as { readonly incoming?: Incoming };
  const route = routePath(context);
  // Under a merchant's own domain the inner application knows it.
  if (incoming === undefined || incoming.route !== undefined || /^\/?\*$/.test(route)) return;
  incoming.route = route;
}

/** For a request that failed before it came to the pages. */
export function faultAnswer(app: PageApp, request: Request, fault: unknown): Response {
  return sendFault(app, languageOf(request), fault);
}

/** What customers of a merchant see, and the files that it needs. */
function hostedPages(app: PageApp, printer: PaperPrinter): Hono {
  const pages = new Hono();
  pages.use(noteRoute);
  pages.route('/', assetRoutes());
  pages.route('/', logoRoutes(app));
  pages.route('/', checkoutRoutes(app));
  pages.route('/', payRoutes(app));
  pages.route('/', receiptRoutes(app, printer));
  pages.route('/', verifyRoutes(app));
  pages.route('/', billRoutes(app, printer));
  pages.route('/', refundRoutes(app));
  pages.all('*', (context) => sendMissing(app, context, languageOf(context.req.raw)));
  pages.onError(async (error, context) => {
    const wished = languageOf(context.req.raw);
    // Where the database is away, nobody knows what the shop offers.
    const language = await languageHere(app, context, wished).catch(() => wished);
    return sendFault(app, language, error);
  });
  return pages;
}

/** Of the address when it names one, else of the browser. */
function languageOf(request: Request): PageLanguage {
  const accepted = request.headers.get('accept-language') ?? undefined;
  const [, named = ''] = new URL(request.url).pathname.split('/');
  return findPageLanguage(named, accepted) ?? preferredLanguage(accepted);
}

// What stands here, for whoever opens the address of the service itself: in English, like its
// manual.
const MANUAL = 'README.md';

function landingPage(hasDemo: boolean): Page {
  return {
    language: 'en',
    title: 'Quittance: checkouts for crypto payments, on your own machine',
    body: html`<div class="page narrow">
<header class="top"><span class="brand">Quittance</span></header>
<main id="main" data-state="landing">
<section class="card">
<h1>It runs.</h1>
<p>Quittance takes payments in cryptocurrencies for shops: it creates checkouts, watches the
networks, keeps the books, and tells the shop. On your own machine, with your own keys.</p>
${
  hasDemo &&
  html`<p><a class="button" id="demo" href="/demo">Open the demo shop</a></p>
<p class="hint">Buy something with a simulated wallet and see the webhook arrive.
No real money moves.</p>`
}
</section>
<section class="card">
<h2>For developers</h2>
<ul class="plain">
<li><a href="/docs">Manual of the API</a>: guides and reference of <code>/api/v1</code>.
Test keys stand in the output of the first start.</li>
<li><code>${MANUAL}</code>: from a clone to a paid checkout in two minutes.</li>
<li><a href="/health">Health</a>: whether all parts work.</li>
</ul>
</section>
</main>
</div>`,
  };
}
