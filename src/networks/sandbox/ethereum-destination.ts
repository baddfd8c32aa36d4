import { HDKey } from '@scure/bip32';
import { assert } from '#base/assert.ts';
import { getAsset, NATIVE_ISSUER } from '#catalog/asset.ts';
import { canonicalEvmAddress, openEvmAccount } from '#networks/evm/derive-address.ts';
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
  const addressSource = privateBranch.publicExtendedKey;
  const account = openEvmAccount(addressSource);
  return {
    addressSource,
    open: ({ index }) => {
      const address = account.addressAt(index);
      return {
        destination: address.toLowerCase(),
        address,
        memo: undefined,
        memoType: undefined,
        destinationTag: undefined,
      };
    },
    canonicalAddress: canonicalEvmAddress,
    paymentUri: ({ address }, assetId, units) => {
      const { assetIssuer } = getAsset(assetId);
      return assetIssuer === NATIVE_ISSUER
        ? etherUri(address, testChainId, units)
        : tokenUri(assetIssuer, testChainId, address, units);
    },
    isOurs: () => false,
  };
}
