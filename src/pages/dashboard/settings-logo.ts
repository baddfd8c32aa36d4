// A logo of a shop is brought or taken away: that of its pages, and the one for dark mode.

import type { Context } from 'hono';
import { doNoted } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import { changeDarkLogo, changeLogo } from '#merchant/seller.ts';
import { LOGO_BYTES_MAX, redrawLogo } from '#pages/branding/redraw-logo.ts';
import { type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { sendSeeOther } from '#pages/send-page.ts';
import { button, formOf, quietButton } from './controls.ts';
import type { ShopVisit } from './guard.ts';
import { roomPath } from './shell.ts';
import { readVisitUpload } from './visit.ts';

const LOGOS = {
  logo: { change: changeLogo, room: '/settings', details: {} },
  'dark-logo': { change: changeDarkLogo, room: '/settings/look', details: { mode: 'dark' } },
} as const;

/** `show`: the room again, with the reason why the picture was not taken. */
export async function takeLogo(
  app: PageApp,
  context: Context,
  visit: ShopVisit,
  name: keyof typeof LOGOS,
  show: (refusal: Refusal) => Promise<Response>,
): Promise<Response> {
  const { actor, place } = visit;
  const { merchantId } = place;
  const { change, room, details } = LOGOS[name];
  const act = { actor, merchantId, subject: `merchant:${merchantId}` };
  try {
    const form = await readVisitUpload(app, context, visit, LOGO_BYTES_MAX);
    const file = form.get('logo');
    const isRemoved = form.get('act') === 'remove';
    const bytes = file instanceof Blob ? await file.bytes() : new Uint8Array();
    const drawings = isRemoved ? [] : await redrawLogo(bytes);
    const noted = isRemoved
      ? { ...act, verb: 'merchant-page-unset', details: { names: name } }
      : { ...act, verb: 'merchant-page-logo', details };
    await doNoted(app, noted, (within) => change(within, merchantId, drawings));
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === 'forbidden') throw error;
    return show(error);
  }
  return sendSeeOther(`${roomPath(place, room)}?done=1`);
}

/** `isThere`: it can be taken away. */
export function logoForms(visit: ShopVisit, name: keyof typeof LOGOS, isThere: boolean): Html {
  const { settings } = visit.language.texts;
  const path = roomPath(visit.place, `${LOGOS[name].room}/${name}`);
  const multipart = html` enctype="multipart/form-data"`;
  const bring = html`<p class="field"><label class="label" for="logo">${settings.logoFile}</label>
<input id="logo" name="logo" type="file" accept="image/png,image/jpeg,image/webp" required
 aria-describedby="logo-hint"><span class="hint" id="logo-hint">${settings.logoHint}</span></p>
${button(settings.logoSet, 'set-logo')}`;
  return html`${formOf(visit, path, bring, multipart)}
${isThere && formOf(visit, path, quietButton(settings.logoRemove, 'act', 'remove'), multipart)}`;
}
