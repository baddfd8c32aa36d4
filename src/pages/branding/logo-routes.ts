// Logos, each under the hash of its content: nothing but pictures that redraw-logo.ts made.
import { Hono } from 'hono';
import { findLogoContent } from '#account/seller.ts';
import type { Reader } from '#db/db.ts';
import { domainOf } from '#pages/own-domain.ts';
import { sendFile } from '#pages/send-page.ts';

const forEver = 'public, max-age=31536000, immutable';

export function logoRoutes(app: { readonly db: Reader }): Hono {
  const routes = new Hono();
  routes.get('/brand/:name', async (context, next) => {
    const hash = /^([0-9a-f]{32})\.webp$/.exec(context.req.param('name'))?.[1];
    const owner = domainOf(context)?.merchantId;
    const content = hash && (await findLogoContent(app.db, hash, owner));
    return content ? sendFile(content, 'image/webp', forEver) : next();
  });
  return routes;
}
