import { assert } from '#base/assert.ts';
import { getAsset } from '#catalog/asset.ts';
import { xrplUri } from '#networks/payment-uri.ts';
import { tagAt } from '#networks/xrpl/destination-tag.ts';
import { classicAccountId, classicAddress, readXAddress } from '#networks/xrpl/xrpl-address.ts';
import { XRPL_CHAINS } from '#networks/xrpl/xrpl-chain.ts';
import type { SandboxDestinations } from './sandbox-destinations.ts';

/** One account of the test network, told apart by destination tags. */
export function xrplDestinations(seed: Uint8Array): SandboxDestinations {
  const account = classicAddress(seed.subarray(0, 20));
  assert(classicAccountId(account) !== undefined, 'an account is a classic address');
  return {
    addressSource: account,
    open: ({ index }) => {
      const tag = tagAt(account, index);
      return {
        destination: `${account}:${tag}`,
        address: account,
        memo: undefined,
        memoType: undefined,
        destinationTag: tag,
      };
    },
    canonicalAddress: (address) => {
      if (classicAccountId(address) !== undefined) return address;
      const named = readXAddress(address, XRPL_CHAINS.test.xAddressPrefix);
      if (named === undefined) return undefined;
      return named.tag === undefined ? named.account : `${named.account}:${named.tag}`;
    },
    paymentUri: ({ address, destinationTag }, assetId, units) =>
      xrplUri(address, destinationTag, units, getAsset(assetId).decimals),
    isOurs: (destination) => destination === account || destination.startsWith(`${account}:`),
  };
}
