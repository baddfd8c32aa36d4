import { secp256k1 } from '@noble/curves/secp256k1.js';
import { HDKey } from '@scure/bip32';
import { publicKeyToAddress } from 'viem/accounts';
import { getAddress, isAddress } from 'viem/utils';
import { assert } from '#base/assert.ts';
import { getAsset, NATIVE_ISSUER } from '#catalog/asset.ts';
import { etherUri, tokenUri } from '#networks/payment-uri.ts';
import type { SandboxDestinations } from './sandbox-destinations.ts';

/** Test networks (EIP-155): a wallet does not mistake them for the main ones. */
const TEST_CHAIN_IDS: Readonly<Record<string, bigint>> = {
  ETHEREUM: 11_155_111n,
  BASE: 84_532n,
  POLYGON: 80_002n,
  ARBITRUM: 421_614n,
  OPTIMISM: 11_155_420n,
};
/** BIP-44 for Ethereum, external addresses. */
const EXTERNAL_PATH = "m/44'/60'/0'/0";

/** Addresses with the checksum of EIP-55; matched in lower case. */
export function ethereumDestinations(seed: Uint8Array, network: string): SandboxDestinations {
  const testChainId = TEST_CHAIN_IDS[network];
  assert(testChainId !== undefined, `${network} has no test network`);
  const privateBranch = HDKey.fromMasterSeed(seed).derive(EXTERNAL_PATH);
  const branch = HDKey.fromExtendedKey(privateBranch.publicExtendedKey);
  return {
    addressSource: branch.publicExtendedKey,
    open: ({ index }) => {
      const { publicKey } = branch.deriveChild(Number(index));
      assert(publicKey !== null, 'a derived key has a public key');
      const point = secp256k1.Point.fromBytes(publicKey);
      const address = publicKeyToAddress(`0x${point.toHex(false)}`);
      return {
        destination: address.toLowerCase(),
        address,
        memo: undefined,
        memoType: undefined,
        destinationTag: undefined,
      };
    },
    canonicalAddress: (address) => {
      // Lower case carries no checksum; anything else must have the right one.
      if (!isAddress(address, { strict: address !== address.toLowerCase() })) return undefined;
      return getAddress(address).toLowerCase();
    },
    paymentUri: ({ address }, assetId, units) => {
      const { assetIssuer } = getAsset(assetId);
      return assetIssuer === NATIVE_ISSUER
        ? etherUri(address, testChainId, units)
        : tokenUri(assetIssuer, testChainId, address, units);
    },
    isOurs: () => false,
  };
}
