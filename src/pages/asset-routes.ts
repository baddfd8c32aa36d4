// Style, scripts and pictures of our own, and the logos of merchants; an address that is none of
// them is left to others.
import { Hono } from 'hono';
import type { Reader } from '#db/db.ts';
import { findLogoContent } from '#merchant/seller.ts';
import { findIconSvg, iconSvg } from './icon.ts';
import { domainOf } from './own-domain.ts';
import { EMBED_PATH, EMBED_SCRIPT, findPageAsset } from './page-assets.ts';
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
  routes.get(EMBED_PATH, () => sendPublicScript(EMBED_SCRIPT));
  routes.get('/images/*', (context, next) => {
    const { path } = context.req;
    const icon = path === '/images/favicon.svg' ? iconSvg('Q', BRAND_COLOR) : findIconSvg(path);
    return icon === undefined ? next() : sendFile(icon, 'image/svg+xml', FOR_A_DAY);
  });
  return routes;
}

/** Logos, each under the hash of its content: nothing but pictures that redraw-logo.ts made. */
export function logoRoutes(app: { readonly db: Reader }): Hono {
  const routes = new Hono();
  routes.get('/brand/:name', async (context, next) => {
    const hash = /^([0-9a-f]{32})\.webp$/.exec(context.req.param('name'))?.[1];
    const owner = domainOf(context)?.merchantId;
    const content = hash && (await findLogoContent(app.db, hash, owner));
    return content ? sendFile(content, 'image/webp', FOR_EVER) : next();
  });
  return routes;
}
