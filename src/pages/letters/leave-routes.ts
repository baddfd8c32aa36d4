// Where a customer declines the mails of a shop, and has them again. Guarantees: only whoever has
// the link of a mail of ours changes anything, and only for its own receiver; looking at it changes
// nothing, since programs that check mails open every link. A mail program declines with one POST
// from anywhere (RFC 8058): the link alone is what it knows, so nothing else is asked, and the
// answer is no redirect (3.1).

import { type Context, Hono } from 'hono';
import { isLanguageCode, type LanguageCode } from '#catalog/language.ts';
import { declineMails, hasLeft, readLeaveToken } from '#mail/mail-stop.ts';
import { sellerName } from '#merchant/seller.ts';
import { themeText } from '#pages/branding/theme.ts';
import { missingPage } from '#pages/fault-pages.ts';
import { readForm } from '#pages/forms.ts';
import { foreignText, html, visibleText } from '#pages/html.ts';
import { letterTexts } from '#pages/languages/letters/texts.ts';
import { preferredLanguage } from '#pages/languages/texts.ts';
import type { PageApp } from '#pages/page-app.ts';
import { type Page, sendPage } from '#pages/send-page.ts';

const PATH = '/:language/mails/:merchantId/:token';

export function leaveRoutes(app: PageApp): Hono {
  const routes = new Hono();
  routes.get(PATH, (context) => withReader(app, context, async () => undefined));
  routes.post(PATH, (context) =>
    withReader(app, context, async (merchantId, reader) => {
      const form = await readForm(context.req.raw);
      const isLeft = form.get('again') !== 'yes';
      const leftAt = app.clock.now();
      await app.db.transact(async (tx) => declineMails(tx, { merchantId, reader, isLeft, leftAt }));
    }),
  );
  return routes;
}

async function withReader(
  app: PageApp,
  context: Context,
  act: (merchantId: string, reader: Uint8Array) => Promise<void>,
): Promise<Response> {
  const code = context.req.param('language') ?? '';
  const merchantId = context.req.param('merchantId') ?? '';
  const token = context.req.param('token') ?? '';
  const reader = readLeaveToken(app.keyring, merchantId, token);
  const seller = reader && (await app.findSeller(merchantId));
  if (!isLanguageCode(code) || reader === undefined || seller === undefined) {
    return sendPage(app, missingPage(preferredLanguage(context.req.header('accept-language'))));
  }
  await act(merchantId, reader);
  const isLeft = await hasLeft(app.db, merchantId, reader);
  return sendPage(app, {
    ...leavePage(code, visibleText(sellerName(seller)), isLeft),
    theme: themeText(seller.page),
  });
}

function leavePage(language: LanguageCode, shop: string, isLeft: boolean): Page {
  const { page } = letterTexts(language);
  return {
    language,
    title: page.title(shop),
    body: html`<div class="page narrow">
<header class="top"><span class="brand">${foreignText(shop)}</span></header>
<main id="main" data-state="mails">
<section class="card">
<h1>${page.title(shop)}</h1>
<p id="standing" role="status">${isLeft ? page.left : page.gets}</p>
<form method="post"><input type="hidden" name="again" value="${isLeft ? 'yes' : 'no'}">
<button class="button" id="change">${isLeft ? page.again : page.leave}</button></form>
</section>
</main>
</div>`,
  };
}
