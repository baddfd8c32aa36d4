// Back to the shop by a form, where the shop asks for that: what a link carries in its address, and
// the state, signed as its webhooks are, so that whatever checks those checks this too: the id of
// the checkout stands in for the id of an event. A script sends it; without one there is a button.
//
// Guarantees: the policy of the page lets its form go to that one origin and to no other.

import { readPayload } from '#charge/checkout-request.ts';
import { webhookSecrets } from '#merchant/merchant-secret.ts';
import { html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { RETURN_SCRIPT } from '#pages/page-assets.ts';
import type { Page } from '#pages/send-page.ts';
import { signWebhook } from '#webhook/sign-webhook.ts';
import type { CheckoutPage } from './checkout-page.ts';
import { returnAddress } from './shop-links.ts';

type ReturnApp = Pick<PageApp, 'db' | 'keyring' | 'clock'>;

/** Undefined: the shop is gone back to by its address, as it is unless it asked for a form. */
export async function returnForm(app: ReturnApp, page: CheckoutPage): Promise<Page | undefined> {
  const { record, settings, language } = page;
  const { id, merchantId, environment, state, returnUrl } = record;
  const { returnMethod = settings.returnMethod } = readPayload(record.payload).pageSettings;
  if (returnMethod !== 'POST' || returnUrl === undefined) return undefined;
  const action = returnAddress(returnUrl, id);
  const { origin } = new URL(action);
  if (!SAFE_ORIGIN.test(origin)) return undefined;
  const at = app.clock.now();
  const secrets = await webhookSecrets(app, merchantId, environment, at);
  const payload = JSON.stringify({ checkoutId: id, state });
  const signed = signWebhook({ id, body: payload, at, secrets });
  const fields = {
    checkoutId: id,
    payload,
    timestamp: signed['webhook-timestamp'] ?? '',
    signature: signed['webhook-signature'] ?? '',
  };
  const { paid, page: words } = language.texts;
  return {
    language: language.code,
    title: paid.return,
    formsTo: origin,
    scripts: [RETURN_SCRIPT.path],
    body: html`<div class="page narrow"><main id="main" data-state="return"><section class="card">
<h1>${paid.title}</h1>
<form method="post" action="${action}" id="back-to-shop">${Object.entries(fields).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
    )}<button class="button">${paid.return}</button></form>
</section></main><footer class="foot">${words.poweredBy}</footer></div>`,
  };
}

/** A `;` or `,` is allowed in the host of a URL, and would end a part of the policy. */
const SAFE_ORIGIN = /^https?:\/\/(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/;
