// Everything a receipt or an invoice is written from: the checkout as its page shows it.
import { hostedCheckoutUrl, pageOrigin } from '#checkout/page-token.ts';
import type { CheckoutPage } from '#pages/checkout/checkout-page.ts';
import { findCheckoutPage, type PageRequest } from '#pages/checkout/read-page.ts';
import type { PageApp } from '#pages/page-app.ts';

export type PaperFacts = {
  readonly page: CheckoutPage;
  readonly checkoutUrl: string;
};

/** Undefined when the token names nothing. */
export async function findPaperFacts(
  app: PageApp,
  request: PageRequest,
): Promise<PaperFacts | undefined> {
  const page = await findCheckoutPage(app, request);
  if (page === undefined) return undefined;
  return {
    page,
    checkoutUrl: hostedCheckoutUrl(
      pageOrigin(app, page.record),
      request.languageName,
      request.token,
    ),
  };
}
