import { hostedCheckoutUrl } from '#checkout/page-token.ts';
import type { CheckoutPage } from '#pages/checkout/checkout-page.ts';

/** Addresses of the papers of a checkout, on this service; `checkout` is its page to pay from. */
export function paperPath(
  { languageName, token }: Pick<CheckoutPage, 'languageName' | 'token'>,
  paper: 'checkout' | 'receipt' | 'receipt.pdf' | 'invoice',
): string {
  const name = encodeURIComponent(token);
  if (paper === 'invoice') return `/${languageName}/invoice/${name}`;
  const path = hostedCheckoutUrl('', languageName, name);
  return paper === 'checkout' ? path : `${path}/${paper}`;
}
