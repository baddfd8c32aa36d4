// The cart of the demo shop lives in a cookie of its visitor: `notebook.1-pen.2`. Whatever else
// stands there is dropped.
import { add, createDecimal, type Decimal, multiply } from '#money/decimal.ts';
import { readCookie } from '#pages/cookie.ts';
import { findProduct, PRODUCTS, type Product } from './product.ts';

type CartItem = { readonly product: Product; readonly quantity: number };
export type Cart = readonly CartItem[];

const COOKIE_NAME = 'demo_cart';
const QUANTITY_MAX = 99;

export function readCart(cookies: string | undefined): Cart {
  const text = readCookie(cookies, COOKIE_NAME);
  const quantities = new Map<string, number>();
  for (const item of text.split('-')) {
    const match = /^([a-z]{1,20})\.([1-9]\d?)$/.exec(item);
    const [, id = '', quantity = ''] = match ?? [];
    if (findProduct(id) !== undefined) quantities.set(id, Number(quantity));
  }
  return PRODUCTS.flatMap((product) => {
    const quantity = quantities.get(product.id);
    return quantity === undefined ? [] : [{ product, quantity }];
  });
}

/** Adds (or takes away, below zero) so many of a product. */
export function changeCart(cart: Cart, productId: string, by: number): Cart {
  return PRODUCTS.flatMap((product) => {
    const had = cart.find((item) => item.product === product)?.quantity ?? 0;
    const wanted = product.id === productId ? had + by : had;
    const quantity = Math.min(QUANTITY_MAX, Math.max(0, wanted));
    return quantity === 0 ? [] : [{ product, quantity }];
  });
}

/** Value of Set-Cookie. The cart is no secret; scripts still cannot read it. */
export function cartCookie(cart: Cart): string {
  const text = cart.map(({ product, quantity }) => `${product.id}.${quantity}`).join('-');
  return `${COOKIE_NAME}=${text}; Path=/demo; HttpOnly; SameSite=Lax`;
}

export function cartCount(cart: Cart): number {
  return cart.reduce((sum, { quantity }) => sum + quantity, 0);
}

/** Net, without shipping. */
export function cartTotal(cart: Cart): Decimal {
  return cart
    .map(({ product, quantity }) => multiply(product.price, createDecimal(BigInt(quantity), 0)))
    .reduce(add, createDecimal(0n, 0));
}
