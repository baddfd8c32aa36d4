// What the demo shop sells; each language says what it is called. Prices are net, in euro.
import { type Decimal, parseDecimal } from '#money/decimal.ts';
import { type Html, trustedMarkup } from '#pages/html.ts';
import type { ShopTexts } from '#pages/languages/paying/en.ts';

export type Product = {
  readonly id: keyof ShopTexts['products'];
  readonly price: Decimal;
  readonly drawing: Html;
};

export const SHOP_NAME = 'Fern & Folio';
export const CURRENCY = 'EUR';
export const SHIPPING = parseDecimal('4.90');
export const TAX_PERCENT = parseDecimal('0.19');

/** Colours are classes of the stylesheet: the drawings follow light and dark. */
function drawing(shapes: string): Html {
  return trustedMarkup(
    `<svg class="drawing" viewBox="0 0 160 120" aria-hidden="true">${shapes}</svg>`,
  );
}

export const PRODUCTS: readonly Product[] = [
  {
    id: 'notebook',
    price: parseDecimal('14.50'),
    drawing: drawing(
      '<rect class="d1" x="46" y="14" width="72" height="94" rx="6"/><rect class="d2" x="46" y="14" width="14" height="94" rx="6"/><rect class="d3" x="74" y="34" width="32" height="20" rx="2"/><path class="d4" d="M104 14v94"/>',
    ),
  },
  {
    id: 'pen',
    price: parseDecimal('29.00'),
    drawing: drawing(
      '<g transform="rotate(-32 80 60)"><rect class="d5" x="22" y="52" width="92" height="16" rx="8"/><path class="d2" d="M114 53l24 7-24 7z"/><rect class="d3" x="60" y="50" width="5" height="20"/><rect class="d3" x="30" y="47" width="34" height="4" rx="2"/></g>',
    ),
  },
  {
    id: 'ink',
    price: parseDecimal('9.80'),
    drawing: drawing(
      '<rect class="d2" x="62" y="18" width="36" height="20" rx="4"/><path class="d1" d="M50 48q0-10 12-10h36q12 0 12 10v48q0 10-10 10H60q-10 0-10-10z"/><rect class="d3" x="60" y="60" width="40" height="28" rx="3"/><circle class="d1" cx="80" cy="74" r="7"/>',
    ),
  },
  {
    id: 'cards',
    price: parseDecimal('6.00'),
    drawing: drawing(
      '<rect class="d5" x="30" y="30" width="84" height="60" rx="4" transform="rotate(-8 72 60)"/><rect class="d3" x="44" y="28" width="84" height="60" rx="4" transform="rotate(5 86 58)"/><path class="d6" d="M70 80Q84 58 106 40M80 68l-12-4M80 68l4 10M90 56l-12-5M90 56l5 10M98 47l-9-5M98 47l6 8"/>',
    ),
  },
];

export function findProduct(id: string): Product | undefined {
  return PRODUCTS.find((product) => product.id === id);
}
