// A deposit address on Lightning is a Lightning address (LUD-16) and the LNURL of the web address
// behind it (LUD-01, LUD-06): a wallet asks that for an invoice each time it pays. Web address and
// identifier are stored with the address, so that what was printed stays the same for ever.

import type { Environment } from '#catalog/chain.ts';
import type { Destination } from '#deposit/network.ts';

/** LUD-16 fixes it for whoever types the address. */
export const LIGHTNING_ADDRESS_PATH = '/.well-known/lnurlp/';

export function lightningAddress(publicUrl: string, id: string): Destination {
  const { origin, host } = new URL(publicUrl);
  return {
    destination: `${origin}${LIGHTNING_ADDRESS_PATH}${id}`,
    address: `${id}@${host}`,
    memo: undefined,
    memoType: undefined,
    destinationTag: undefined,
  };
}

/**
 * Why wallets could not ask under PUBLIC_URL; undefined when they can. LUD-16: https, or http where
 * the host is an onion service, at the root of the host. Test keys work anywhere.
 */
export function publicUrlFault(publicUrl: string, environment: Environment): string | undefined {
  const { protocol, hostname } = new URL(publicUrl);
  if (environment === 'test' || protocol === 'https:') return undefined;
  if (hostname.endsWith('.onion')) return undefined;
  return 'wallets ask Lightning addresses over https, or http on .onion; PUBLIC_URL is neither';
}

/**
 * What a wallet shows its user, as the text whose SHA-256 the invoice holds (LUD-06). The same for
 * both questions of a payment.
 */
export function lightningMetadata(address: string, shopName: string): string {
  return JSON.stringify([
    ['text/plain', `Payment to ${shopName}`],
    ['text/identifier', address],
  ]);
}
