// A payee over keys that are derived when it is first asked. Only for the sandbox, whose keys
// follow from the key file and cannot be wrong: what an operator configured is read at once, so
// that a fault in it is found before anything is served.

import type { ChainId } from '#catalog/chain.ts';
import type { PurePayee } from './network-settings.ts';

/** `derive`: of a payee with none of the optional members. */
export function derivedWhenAsked(chain: ChainId, derive: () => PurePayee): PurePayee {
  let derived: PurePayee | undefined;
  const payee = () => {
    derived ??= derive();
    return derived;
  };
  return {
    chain,
    get addressSource() {
      return payee().addressSource;
    },
    openDestination: (request) => payee().openDestination(request),
    canonicalAddress: (address) => payee().canonicalAddress(address),
    destinationOf: (account, transferId) => payee().destinationOf?.(account, transferId),
    paymentUri: (destination, assetId, units) => payee().paymentUri(destination, assetId, units),
  };
}

/** With other members. A spread would read `addressSource`, and so derive the keys. */
export function payeeWith<Own extends PurePayee, More extends object>(
  payee: Own,
  more: More,
): Omit<Own, keyof More> & More {
  return Object.defineProperties({} as Omit<Own, keyof More> & More, {
    ...Object.getOwnPropertyDescriptors(payee),
    ...Object.getOwnPropertyDescriptors(more),
  });
}
