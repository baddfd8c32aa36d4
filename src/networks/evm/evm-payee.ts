// Addresses of an EVM chain, derived from an extended public key. No endpoint is asked.

import { HDKey } from '@scure/bip32';
import { assert } from '#base/assert.ts';
import { getAsset, NATIVE_ISSUER } from '#catalog/asset.ts';
import { type ChainId, networkOf } from '#catalog/chain.ts';
import { derivedWhenAsked } from '#networks/derived-payee.ts';
import { addressAlone } from '#networks/destination.ts';
import type { PurePayee } from '#networks/network-settings.ts';
import { etherUri, tokenUri } from '#networks/payment-uri.ts';
import {
  type AddressAccount,
  canonicalEvmAddress,
  hasEvmChecksum,
  openEvmAccount,
} from './derive-address.ts';

/** `chainId`: of EIP-155. */
export function evmPayee(chain: ChainId, chainId: bigint, account: AddressAccount): PurePayee {
  return {
    chain,
    addressSource: account.descriptor,
    openDestination({ index }) {
      const address = account.addressAt(index);
      return addressAlone(address, address.toLowerCase());
    },
    canonicalAddress: canonicalEvmAddress,
    destinationOf: ({ address = '' }) => canonicalEvmAddress(address),
    paymentUri({ address }, assetId, units) {
      const { assetIssuer } = getAsset(assetId);
      return assetIssuer === NATIVE_ISSUER
        ? etherUri(address, chainId, units)
        : tokenUri(assetIssuer, chainId, address, units);
    },
  };
}

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

export function simulatedEvmPayee(chain: ChainId, seed: Uint8Array): PurePayee {
  const testChainId = TEST_CHAIN_IDS[networkOf(chain)];
  assert(testChainId !== undefined, `${chain} has no test network`);
  return derivedWhenAsked(chain, () => {
    const descriptor = HDKey.fromMasterSeed(seed).derive(EXTERNAL_PATH).publicExtendedKey;
    return evmPayee(chain, testChainId, { ...openEvmAccount(descriptor), descriptor });
  });
}

/**
 * An address all in lower case carries no checksum, so a typing error could send the money
 * elsewhere.
 */
export function evmAddress(_chain: ChainId, text: string): string | undefined {
  return hasEvmChecksum(text) ? text : undefined;
}
