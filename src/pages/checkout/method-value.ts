// A way to pay as the value of a button.
import type { Offer } from '#checkout/checkout.ts';

export function methodValue({ network, assetId }: Pick<Offer, 'network' | 'assetId'>): string {
  return `${network} ${assetId}`;
}

export function readMethod(value: string): { network: string; asset: string } {
  const at = value.indexOf(' ');
  return { network: value.slice(0, at), asset: value.slice(at + 1) };
}
