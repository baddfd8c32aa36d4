// Style, scripts and pictures of our own, and the logos of merchants; an address that is none of
// them is left to others.

import { Hono } from 'hono';
import { assert } from '#base/assert.ts';
import { listAssets } from '#catalog/asset.ts';
import { listNetworks } from '#catalog/network.ts';
import type { Reader } from '#db/db.ts';
import { findFontContent, findLogoContent } from '#merchant/seller.ts';
import { markSvg } from './coin-marks.ts';
import { domainOf } from './own-domain.ts';
import { EMBED_NEWEST_PATH, EMBED_PATH, EMBED_SCRIPT, findPageAsset } from './page-assets.ts';
import { sendFile, sendPublicScript } from './send-page.ts';

const FOR_EVER = 'public, max-age=31536000, immutable';
/** Pictures keep their name when they are drawn anew. */
const FOR_A_DAY = 'public, max-age=86400';
const BRAND_COLOR = '#0f766e';

export function assetRoutes(): Hono {
  const routes = new Hono();
  routes.get('/assets/:name', (context, next) => {
    const asset = findPageAsset(context.req.path);
    return asset === undefined ? next() : sendFile(asset.body, asset.type, FOR_EVER);
  });
  for (const path of [EMBED_PATH, EMBED_NEWEST_PATH]) {
    routes.get(path, () => sendPublicScript(EMBED_SCRIPT));
  }
  routes.get('/images/*', (context, next) => {
    const { path } = context.req;
    const icon = path === '/images/favicon.svg' ? iconSvg('Q', BRAND_COLOR) : findIconSvg(path);
    return icon === undefined ? next() : sendFile(icon, 'image/svg+xml', FOR_A_DAY);
  });
  return routes;
}

/**
 * Logos and fonts, each under the hash of its content: nothing but pictures that redraw-logo.ts
 * made, and fonts that read-font.ts has read.
 */
export function logoRoutes(app: { readonly db: Reader }): Hono {
  const routes = new Hono();
  routes.get('/brand/:name', async (context, next) => {
    const [, hash, kind] = /^([0-9a-f]{32})\.(webp|woff2)$/.exec(context.req.param('name')) ?? [];
    if (hash === undefined) return next();
    const owner = domainOf(context)?.merchantId;
    const find = kind === 'webp' ? findLogoContent : findFontContent;
    const content = await find(app.db, hash, owner);
    const type = kind === 'webp' ? 'image/webp' : 'font/woff2';
    return content ? sendFile(content, type, FOR_EVER) : next();
  });
  return routes;
}

// Icons are drawn, not stored: the mark that people know, else a disc in the colour of the thing
// with its letters.

/** SVG text. The code has at most 5 letters or digits, the colour the form #rrggbb. */
export function iconSvg(code: string, hexColor: string): string {
  assert(/^[A-Z0-9]{1,5}$/.test(code), `not letters for an icon: ${code}`);
  assert(/^#[0-9a-f]{6}$/.test(hexColor), `not a colour: ${hexColor}`);
  const ink = isLight(hexColor) ? '#000000' : '#ffffff';
  const size = [26, 26, 22, 18, 15, 12][code.length];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"
 role="img" aria-label="${code}">
<circle cx="24" cy="24" r="24" fill="${hexColor}"/>
<text x="24" y="24" fill="${ink}" font-family="system-ui, sans-serif" font-size="${size}"
 font-weight="700" text-anchor="middle" dominant-baseline="central">${code}</text>
</svg>
`;
}

const icons = new Map<string, string>();
for (const { imageSrc, id, hexColor } of listNetworks()) {
  icons.set(imageSrc, markSvg(id) ?? iconSvg(id.replaceAll('_', '').slice(0, 3), hexColor));
}
for (const { imageSrc, assetCode, groupImageSrc, group, hexColor } of listAssets()) {
  icons.set(imageSrc, markSvg(assetCode) ?? iconSvg(assetCode, hexColor));
  // A group that has an asset of its own name wears its colour, whichever asset is listed first.
  if (group === assetCode || !icons.has(groupImageSrc)) {
    icons.set(groupImageSrc, markSvg(group) ?? iconSvg(group, hexColor));
  }
}

/**
 * The picture at a path that `imageSrc` or `groupImageSrc` names: '/images/networks/bitcoin.svg'.
 */
export function findIconSvg(imageSrc: string): string | undefined {
  return icons.get(imageSrc);
}

/** Black has more contrast than white from a relative luminance of about 0.18 (WCAG 2.2). */
function isLight(hexColor: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hexColor.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18;
}
