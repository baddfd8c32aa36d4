import type { Destination } from '#deposit/network.ts';

/** An address or invoice that says everything: nothing has to be written beside it. */
export function addressAlone(address: string, destination = address): Destination {
  return { destination, address, memo: undefined, memoType: undefined, destinationTag: undefined };
}
