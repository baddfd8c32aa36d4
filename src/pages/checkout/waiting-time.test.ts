// How long it usually takes is said by how deep this shop wants a payment of this size.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AssetAmount } from '#money/asset-amount.ts';
import { PAGES } from '#test/support/checkout-pages.ts';
import type { CheckoutPage } from './checkout-page.ts';
import { renderCheckout } from './render-checkout.ts';

function live(sample: string, confirmationsOf: CheckoutPage['confirmationsOf']): string {
  const page = PAGES[sample]!();
  const record = { ...page.record, environment: 'live' as const };
  return renderCheckout({ ...page, record, confirmationsOf }).body.markup;
}

test('the way that is chosen says how many minutes, by the confirmations that are asked for', () => {
  const asked: (AssetAmount & { readonly network: string })[] = [];
  const of = (blocks: number) =>
    live('choose', (network, amount) => {
      asked.push({ network, ...amount });
      return network === 'LITECOIN' ? blocks : 1;
    });
  // A block of Litecoin takes two and a half minutes.
  assert.match(of(14), /35 min/);
  assert.doesNotMatch(of(14), /55 min/);
  assert.match(of(22), /55 min/);
  const litecoin = asked.find(({ network }) => network === 'LITECOIN');
  assert.equal(litecoin?.assetId, 'LTC:NATIVE');
  assert.ok((litecoin?.units ?? 0n) > 0n, 'by value');
});
