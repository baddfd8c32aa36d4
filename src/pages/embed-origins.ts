// Who may show a page of a payment in a frame, and hear from it there: the origins that its
// merchant allowed and nobody else. http, which only this machine can be, is for test keys.

import type { Environment } from '#catalog/chain.ts';
import type { PageSettings } from '#merchant/page-settings.ts';

type Embedded = {
  readonly environment: Environment;
  readonly settings: Pick<PageSettings, 'embedOrigins'>;
  /** Where webhooks of the checkout go, on a service that has a demo shop. */
  readonly demoHook?: string | undefined;
};

/** Exact origins, or `'self'` for our own demo shop: sources of a Content-Security-Policy. */
export function embedOrigins({ environment, settings, demoHook }: Embedded): readonly string[] {
  const isTest = environment === 'test';
  const allowed = settings.embedOrigins.filter((origin) => isTest || origin.startsWith('https:'));
  return isOfDemoShop(demoHook) ? ["'self'", ...allowed] : allowed;
}

function isOfDemoShop(webhookUrl: string | undefined): boolean {
  return URL.parse(webhookUrl ?? '')?.pathname.startsWith('/demo/webhook/') ?? false;
}

/**
 * Whether a browser asks for a frame of a page that may not have it, as far as its headers say. Not
 * a protection, which the policy of the page is: it decides who is told why he sees nothing.
 */
export function isRefusedFrame(headers: Headers, allowed: readonly string[]): boolean {
  if (headers.get('sec-fetch-dest') !== 'iframe') return false;
  if (headers.get('sec-fetch-site') === 'same-origin') return false;
  const around = URL.parse(headers.get('referer') ?? '')?.origin;
  return allowed.length === 0 || (around !== undefined && !allowed.includes(around));
}
