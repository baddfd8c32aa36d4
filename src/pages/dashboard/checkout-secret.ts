// The secret that signs what goes to the webhook of a checkout. Plugins of shop programs ask for
// it, and who is served by somebody else has no command line to read it with.

import { doNoted } from '#audit/act.ts';
import { rotateWebhookSecret, webhookSecrets } from '#merchant/merchant-secret.ts';
import { type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { formOf, quietButton } from './controls.ts';
import type { ShopVisit } from './guard.ts';
import { roomPath } from './shell.ts';

/** How long the old secret signs beside the new one: as long as a shop needs to be changed. */
const OVERLAP_HOURS = 24;
const SHOW = 'checkout-secret';
const ROTATE = 'checkout-secret-rotate';

/** What the pressed button says, noted with who: the secret. Undefined: it is no button of this. */
export async function carryOutCheckoutSecret(
  app: PageApp,
  { actor, place }: ShopVisit,
  act: string,
): Promise<string | undefined> {
  const { merchantId, environment } = place;
  const noted = { actor, merchantId, environment, subject: `merchant:${merchantId}` };
  if (act === SHOW) {
    const { current } = await doNoted(app, { ...noted, verb: 'webhook-secret-show' }, (within) =>
      webhookSecrets(within, merchantId, environment, app.clock.now()),
    );
    return current;
  }
  if (act !== ROTATE) return undefined;
  const details = { overlapHours: `${OVERLAP_HOURS}` };
  return doNoted(app, { ...noted, verb: 'webhook-secret-rotate', details }, (within) =>
    rotateWebhookSecret(within, { merchantId, environment, overlapHours: OVERLAP_HOURS }),
  );
}

/** `secret`: shown to whoever pressed for it. */
export function checkoutSecretCard(visit: ShopVisit, secret: string | undefined): Html {
  const { checkoutSecret, keys, webhooks } = visit.language.texts;
  const rotate = quietButton(keys.rotate, 'act', ROTATE);
  const show = quietButton(checkoutSecret.show, 'act', SHOW);
  const buttons = secret === undefined ? [show, rotate] : [rotate];
  return html`<section class="card" id="checkout-secret"><h2>${checkoutSecret.title}</h2>
<p class="hint">${checkoutSecret.hint}</p>
${
  secret !== undefined &&
  html`<dl class="lines"><div><dt>${keys.secret}</dt><dd><code>${secret}</code></dd></div></dl>`
}
${formOf(visit, roomPath(visit.place, '/webhooks'), buttons)}
<p class="hint">${webhooks.rotateHint}</p></section>`;
}
