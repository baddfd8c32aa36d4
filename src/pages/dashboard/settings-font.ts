// The files of the font of a shop are brought or taken away.

import { type Context, Hono } from 'hono';
import { doNoted } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import { FONT_BYTES_MAX, readFont } from '#look/read-font.ts';
import { changeFont, FONT_WEIGHTS, type ShownPage } from '#merchant/seller.ts';
import { type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendSeeOther } from '#pages/send-page.ts';
import { button, formOf, quietButton, selectField } from './controls.ts';
import { type ShopVisit, withShop } from './guard.ts';
import { roomPath } from './shell.ts';
import { readVisitUpload } from './visit.ts';

const ROOM = '/settings/look';

type Show = (visit: ShopVisit, refusal: Refusal) => Promise<Response>;

/** `show`: the room again, with the reason why the file was not taken. */
export function settingsFontRoutes(app: PageApp, show: Show): Hono {
  const routes = new Hono();
  routes.post(`/shop/:merchantId/:environment${ROOM}/font`, (context) =>
    withShop(app, context, 'settings', (visit) => takeFont(app, context, visit, show)),
  );
  return routes;
}

async function takeFont(
  app: PageApp,
  context: Context,
  visit: ShopVisit,
  show: Show,
): Promise<Response> {
  const { actor, place } = visit;
  const { merchantId } = place;
  const act = { actor, merchantId, subject: `merchant:${merchantId}` };
  try {
    const form = await readVisitUpload(app, context, visit, FONT_BYTES_MAX);
    const wished = form.get('remove') ?? form.get('weight');
    const weight = FONT_WEIGHTS.find((one) => one === wished) ?? 'regular';
    const given = form.get('font');
    const bytes = given instanceof Blob ? await given.bytes() : new Uint8Array();
    const file = form.has('remove') ? undefined : readFont(bytes);
    const noted = {
      ...act,
      verb: 'merchant-page-font',
      details: { weight, bytes: file ? `${bytes.length}` : '0' },
    };
    await doNoted(app, noted, (within) => changeFont(within, merchantId, weight, file));
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === 'forbidden') throw error;
    return show(visit, isTooLarge(error) ? tooLarge() : error);
  }
  return sendSeeOther(`${roomPath(place, ROOM)}?done=1`);
}

/** A form that is too long is refused before it is read. */
function isTooLarge({ code }: Refusal): boolean {
  return code === 'body_too_large' || code === 'upload';
}

function tooLarge(): Refusal {
  return new Refusal('invalid', 'font_file', ['fontFile: is too large']);
}

export function fontCard(visit: ShopVisit, { ownFonts = [] }: ShownPage): Html {
  const { fontFiles } = visit.language.texts.settings.look;
  const path = roomPath(visit.place, `${ROOM}/font`);
  const multipart = html` enctype="multipart/form-data"`;
  const bring = [
    html`<p class="field"><label class="label" for="font-file">${fontFiles.file}</label>
<input id="font-file" name="font" type="file" accept="font/woff2,.woff2" required></p>`,
    selectField({
      name: 'weight',
      label: fontFiles.weight,
      value: 'regular',
      options: FONT_WEIGHTS.map((weight) => [weight, fontFiles.weights[weight]]),
    }),
    button(fontFiles.set, 'set-font'),
  ];
  const there = ownFonts.map(
    ({
      weight,
      bytes,
    }) => html`<li><div>${fontFiles.weights[weight]}: ${Math.ceil(bytes / 1024)} KiB</div>
${formOf(visit, path, quietButton(fontFiles.remove, 'remove', weight), multipart)}</li>`,
  );
  return html`<section class="card" id="font-card"><h2>${fontFiles.title}</h2>
<p class="hint">${fontFiles.hint}</p>
${there.length > 0 && html`<ul class="rows">${there}</ul>`}
${formOf(visit, path, bring, multipart)}
</section>`;
}
