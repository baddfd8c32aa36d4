// Style, scripts and pictures of our own; an address that is none of them is left to others.
import { Hono } from 'hono';
import { findIconSvg, iconSvg } from '#catalog/icon.ts';
import { EMBED_PATH, EMBED_SCRIPT, findPageAsset } from './page-assets.ts';
import { sendFile, sendPublicScript } from './send-page.ts';

const forEver = 'public, max-age=31536000, immutable';
/** Pictures keep their name when they are drawn anew. */
const forADay = 'public, max-age=86400';
const brandColor = '#0f766e';

export function assetRoutes(): Hono {
  const routes = new Hono();
  routes.get('/assets/:name', (context, next) => {
    const asset = findPageAsset(context.req.path);
    return asset === undefined ? next() : sendFile(asset.body, asset.type, forEver);
  });
  routes.get(EMBED_PATH, () => sendPublicScript(EMBED_SCRIPT));
  routes.get('/images/*', (context, next) => {
    const { path } = context.req;
    const icon = path === '/images/favicon.svg' ? iconSvg('Q', brandColor) : findIconSvg(path);
    return icon === undefined ? next() : sendFile(icon, 'image/svg+xml', forADay);
  });
  return routes;
}
