// One account of the XRP Ledger, its customers told apart by a destination tag. No server is asked.

import { createHash } from 'node:crypto';
import { assert } from '#base/assert.ts';
import { getAsset } from '#catalog/asset.ts';
import type { ChainId } from '#catalog/chain.ts';
import type { PurePayee } from '#networks/network-settings.ts';
import { xrplUri } from '#networks/payment-uri.ts';
import { taggedAccount } from './decide-departure.ts';
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

// Customers of one account are told apart by a destination tag of 32 bits. Which tag is given out
// next cannot be guessed from the last, and two that are near each other are not both in use while
// few are: a mistyped tag is most likely nobody's.
const TAGS = 2n ** 32n;
const ROUNDS = 6;

/** Where a new source begins (firstIndexes): two thousand million are left to give out. */
const TAGS_BEGIN = { least: 0n, below: TAGS / 2n };

/**
 * A permutation of 1 to 2^32-1 that depends on the account: every index has a tag of its own. 0 is
 * a valid tag too, but some wallets take it for none. Pure.
 */
export function tagAt(account: string, index: bigint): bigint {
  assert(index >= 0n && index < TAGS - 1n, 'a destination tag fits into 32 bits');
  let tag = index + 1n;
  // Walking the cycle until it is in range again keeps the permutation one (Black, Rogaway 2002).
  do tag = permute(account, tag);
  while (tag === 0n);
  return tag;
}

/** A Feistel network over two halves of 16 bits. */
function permute(account: string, tag: bigint): bigint {
  let [left, right] = [Number(tag >> 16n), Number(tag & 0xffffn)];
  for (let round = 0; round < ROUNDS; round += 1) {
    const digest = createHash('sha256').update(`${account}/tag/${round}/${right}`).digest();
    [left, right] = [right, left ^ digest.readUInt16BE(0)];
  }
  return (BigInt(left) << 16n) | BigInt(right);
}
