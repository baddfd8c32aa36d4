// Who may show a checkout in a frame, and hear from it there: the origins that its merchant allowed
// and nobody else. http, which only this machine can be, is for test keys.
import type { CheckoutPage } from './checkout-page.ts';

type Embedded = Pick<CheckoutPage, 'settings' | 'hasSandbox'> & {
  readonly record: Pick<CheckoutPage['record'], 'environment' | 'webhookUrl'>;
};

/** Exact origins, or `'self'` for our own demo shop: sources of a Content-Security-Policy. */
export function embedOrigins({ record, settings, hasSandbox }: Embedded): readonly string[] {
  const isTest = record.environment === 'test';
  const allowed = settings.embedOrigins.filter((origin) => isTest || origin.startsWith('https:'));
  return hasSandbox && isOfDemoShop(record.webhookUrl) ? ["'self'", ...allowed] : allowed;
}

function isOfDemoShop(webhookUrl: string | undefined): boolean {
  return URL.parse(webhookUrl ?? '')?.pathname.startsWith('/demo/webhook/') ?? false;
}
