// A page of the shop with what the form of the settings says, in a frame beside that form. Nothing
// is stored, and nothing on it can be pressed.

import { Hono } from 'hono';
import { Refusal } from '#base/refusal.ts';
import type { PageSettings } from '#merchant/page-settings.ts';
import { getSeller, sellerName } from '#merchant/seller.ts';
import { themeText } from '#pages/branding/theme.ts';
import { moneyText } from '#pages/display.ts';
import { foreignText, html } from '#pages/html.ts';
import { pageLanguage } from '#pages/languages/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { brandMark } from '#pages/page-header.ts';
import { type Page, sendPage } from '#pages/send-page.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { readSettings } from './settings.ts';

const SAMPLE = { coefficient: 1990n, scale: 2 };

export function settingsPreviewRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get('/shop/:merchantId/:environment/settings/preview', (context) =>
    withShop(app, context, 'settings', async (visit) =>
      sendPage(app, await previewPage(app, visit, new URL(context.req.url).searchParams)),
    ),
  );
  return routes;
}

async function previewPage(
  app: PageApp,
  { place, language: { code } }: ShopVisit,
  typed: URLSearchParams,
): Promise<Page> {
  const seller = await getSeller(app.db, place.merchantId);
  const page: PageSettings = { ...seller.page, ...known(typed) };
  const { texts } = pageLanguage(code);
  const shopName = sellerName({ ...seller, page });
  const { displaySellerInfo, sellerInfo } = page;
  return {
    language: code,
    title: shopName,
    theme: themeText(page),
    frameAncestors: ["'self'"],
    body: html`<div class="page"><header class="top">${brandMark(shopName, seller.logo)}</header>
<main id="main"><section class="card"><h1 class="amount">${moneyText(SAMPLE, 'EUR', code)}</h1>
<p><span class="button">${texts.pay.wallet}</span></p>
${displaySellerInfo && sellerInfo !== null && html`<p class="hint">${sellerInfo.split('\n').map((line) => html`${foreignText(line)}<br>`)}</p>`}
</section></main></div>`,
  };
}

/** While somebody types there may be what cannot be taken: the page is as it is stored then. */
function known(typed: URLSearchParams): Partial<PageSettings> {
  try {
    return readSettings(typed) as Partial<PageSettings>;
  } catch (error) {
    if (error instanceof Refusal) return {};
    throw error;
  }
}
