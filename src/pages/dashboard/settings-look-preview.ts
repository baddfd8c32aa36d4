// A page of a customer with what the form of the look says, in frames beside that form: the pages
// themselves, made of a sample, in light and in dark mode. Nothing is stored; the frames are inert.

import { Hono } from 'hono';
import { MODES } from '#look/palette.ts';
import { getSeller, sellerName } from '#merchant/seller.ts';
import { renderCheckout } from '#pages/checkout/render-checkout.ts';
import { findSampleState } from '#pages/demo/sample-states.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendPage } from '#pages/send-page.ts';
import { withShop } from './guard.ts';
import { readKnownLook, SHOWN_PAGES } from './settings-look-form.ts';

export function settingsLookPreviewRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get('/shop/:merchantId/:environment/settings/look/preview/:scheme', (context) =>
    withShop(app, context, 'settings', async ({ place, language }) => {
      const scheme = MODES.find((mode) => mode === context.req.param('scheme'));
      const missing = () => sendPage(app, missingPage(pageLanguage(language.code)));
      if (scheme === undefined) return missing();
      const typed = new URL(context.req.url).searchParams;
      const stored = await getSeller(app.db, place.merchantId);
      const seller = { ...stored, page: { ...stored.page, ...readKnownLook(typed) } };
      const wish = typed.get('shown');
      const name = SHOWN_PAGES.find((one) => one === wish) ?? SHOWN_PAGES[0];
      const sample = findSampleState(name)?.make({ seller, language: language.code, sample: name });
      if (sample === undefined) return missing();
      const shopName = sellerName(seller);
      const page = renderCheckout({ ...sample, summary: { ...sample.summary, shopName } });
      return sendPage(app, {
        ...page,
        scheme,
        refreshSeconds: undefined,
        frameAncestors: ["'self'"],
      });
    }),
  );
  return routes;
}
