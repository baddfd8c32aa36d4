import { createHmac } from 'node:crypto';
import { Keypair, Networks, StrKey } from '@stellar/stellar-base';
import { assert } from '#base/assert.ts';
import { getAsset, NATIVE_ISSUER } from '#catalog/asset.ts';
import { stellarUri } from '#networks/payment-uri.ts';
import type { SandboxDestinations } from './sandbox-destinations.ts';

const CHECK_DIGITS = 6;
const CHECK_RANGE = 10n ** BigInt(CHECK_DIGITS);
/** 63 bits: the memo may come back as text, as an id or in a muxed account (A9). */
const MEMO_LIMIT = 2n ** 63n;

/**
 * One account, told apart by memos. A memo is the number and six digits that depend on it, so that
 * a mistyped one is nobody's and not another customer's.
 */
export function stellarDestinations(seed: Uint8Array): SandboxDestinations {
  const account = Keypair.fromRawEd25519Seed(Buffer.from(seed)).publicKey();
  return {
    addressSource: account,
    open: ({ index }) => {
      const memo = memoAt(seed, index);
      return {
        destination: `${account}:${memo}`,
        address: account,
        memo,
        memoType: 'text',
        destinationTag: undefined,
      };
    },
    canonicalAddress: (address) => (StrKey.isValidEd25519PublicKey(address) ? address : undefined),
    paymentUri: ({ address, memo }, assetId, units) => {
      const { assetCode, assetIssuer, decimals } = getAsset(assetId);
      const isNative = assetIssuer === NATIVE_ISSUER;
      return stellarUri({
        destination: address,
        units,
        decimals,
        memo,
        asset: isNative ? undefined : { code: assetCode, issuer: assetIssuer },
        networkPassphrase: Networks.TESTNET,
      });
    },
    isOurs: (destination) => destination === account || destination.startsWith(`${account}:`),
  };
}

function memoAt(seed: Uint8Array, index: bigint): string {
  const mac = createHmac('sha256', seed).update(`memo/${index}`).digest();
  const digits = mac.readBigUInt64BE(0) % CHECK_RANGE;
  const memo = (index + 1n) * CHECK_RANGE + digits;
  assert(memo < MEMO_LIMIT, 'a memo fits into 63 bits');
  return memo.toString();
}
