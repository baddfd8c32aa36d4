// The request that the demo shop sends, like any other shop would: through the same checks.

import { assert } from '#base/assert.ts';
import { type CheckoutRequest, parseCheckoutRequest } from '#charge/checkout-request.ts';
import { decimalToText } from '#money/decimal.ts';
import { parseExactJson } from '#money/exact-json.ts';
import type { Cart } from './cart.ts';
import { CURRENCY, SHIPPING, SHOP_NAME, TAX_NAME, TAX_PERCENT } from './product.ts';

/** `publicUrl`: where the order pages, and the receiver of this visitor's shop, can be reached. */
export function demoRequest(cart: Cart, visitor: string, publicUrl: string): CheckoutRequest {
  const body = {
    charge: {
      billingCurrency: CURRENCY,
      lineItems: cart.map(({ product, quantity }) => ({
        description: product.name,
        netAmount: decimalToText(product.price),
        quantity: String(quantity),
        productId: product.id,
      })),
      shippingCostItems: [
        { description: 'Letter post', netAmount: decimalToText(SHIPPING), taxable: true },
      ],
      taxItems: [{ name: TAX_NAME, percent: decimalToText(TAX_PERCENT) }],
    },
    settlementAsset: 'ORIGIN',
    checkoutLanguage: 'auto',
    webhook: `${publicUrl}/demo/webhook/${visitor}`,
    pageSettings: {
      shopName: SHOP_NAME,
      returnUrl: `${publicUrl}/demo/orders/${visitor}`,
      cancelUrl: `${publicUrl}/demo/cart`,
    },
    meta: { shop: 'demo' },
  };
  const parsed = parseExactJson(JSON.stringify(body));
  assert(parsed.ok, 'the demo shop sends JSON');
  return parseCheckoutRequest(parsed.value);
}
