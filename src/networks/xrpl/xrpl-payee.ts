// One account of the XRP Ledger, its customers told apart by a destination tag. No server is asked.

import { getAsset } from '#catalog/asset.ts';
import type { ChainId } from '#catalog/chain.ts';
import type { PurePayee } from '#networks/network-settings.ts';
import { xrplUri } from '#networks/payment-uri.ts';
import { taggedAccount } from './decide-departure.ts';
import { TAGS_BEGIN, tagAt } from './destination-tag.ts';
import { classicAccountId, classicAddress, readXAddress } from './xrpl-address.ts';
import { XRPL_CHAINS, type XrplChain } from './xrpl-chain.ts';

/** `account`: r..., the one that everybody pays to. */
export function xrplPayee(chain: ChainId, parameters: XrplChain, account: string): PurePayee {
  return {
    chain,
    addressSource: account,
    firstIndexes: TAGS_BEGIN,
    openDestination({ index }) {
      const destinationTag = tagAt(account, index);
      const destination = taggedAccount(account, destinationTag);
      return {
        destination,
        address: account,
        memo: undefined,
        memoType: undefined,
        destinationTag,
      };
    },
    canonicalAddress(address) {
      if (classicAccountId(address) !== undefined) return address;
      const named = readXAddress(address, parameters.xAddressPrefix);
      if (named === undefined) return undefined;
      return taggedAccount(named.account, named.tag);
    },
    destinationOf: ({ account: receiver, destinationTag }) =>
      receiver === undefined ? undefined : taggedAccount(receiver, destinationTag),
    paymentUri: ({ address, destinationTag }, assetId, units) =>
      xrplUri(address, destinationTag, units, getAsset(assetId).decimals),
  };
}

export function simulatedXrplPayee(chain: ChainId, seed: Uint8Array): PurePayee {
  return xrplPayee(chain, XRPL_CHAINS.test, classicAddress(seed.subarray(0, 20)));
}

export function xrplAddress(_chain: ChainId, text: string): string | undefined {
  return classicAccountId(text) === undefined ? undefined : text;
}
