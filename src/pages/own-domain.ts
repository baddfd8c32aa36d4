// What a request under a merchant's own domain may see. Guarantees: pages and the logo of that
// merchant and files that belong to nobody, nothing else; who serves decides whose a host is, from
// the Host header alone (createSite), and hands it on here.
import type { Context } from 'hono';
import { domainOrigin, type OwnDomain } from '#merchant/domain.ts';

/** What the server hands on with a request. */
type PageBindings = { readonly domain?: OwnDomain | undefined };

/** Undefined under every host that is no merchant's own. */
export function domainOf(context: Context): OwnDomain | undefined {
  return (context.env as PageBindings | undefined)?.domain;
}

/** Whether what belongs to this merchant is served here. */
export function isServedFor(domain: OwnDomain | undefined, merchantId: string): boolean {
  return domain === undefined || domain.merchantId === merchantId;
}

/** Of the pages where the request came in. */
export function publicOrigin(app: { readonly publicUrl: string }, context: Context): string {
  const domain = domainOf(context);
  return domain === undefined ? app.publicUrl : domainOrigin(domain.host);
}
