import { HDKey } from '@scure/bip32';
import { assert } from '#base/assert.ts';
import { coinUri } from '#networks/payment-uri.ts';
import { canonicalAddress } from '#networks/utxo/canonical-address.ts';
import { addressDeriver } from '#networks/utxo/derive-address.ts';
import { parseAddressSource } from '#networks/utxo/parse-address-source.ts';
import type { UtxoChain } from '#networks/utxo/utxo-chain.ts';
import type { SandboxDestinations } from './sandbox-destinations.ts';

const TEST_PRIVATE_VERSION = 0x04358394;

/** BIP-84 addresses of the test network. */
export function utxoDestinations(seed: Uint8Array, chain: UtxoChain): SandboxDestinations {
  const versions = { public: chain.extendedPublicVersion, private: TEST_PRIVATE_VERSION };
  const account = HDKey.fromMasterSeed(seed, versions).derive(`m/84'/${chain.coinType}'/0'`);
  assert(account.publicExtendedKey !== undefined, 'an account has a public key');
  const source = parseAddressSource(account.publicExtendedKey, chain);
  const addressAt = addressDeriver(source, chain);
  return {
    addressSource: source.descriptor,
    open: ({ index }) => {
      const address = addressAt(index);
      return {
        destination: address,
        address,
        memo: undefined,
        memoType: undefined,
        destinationTag: undefined,
      };
    },
    canonicalAddress: (address) => canonicalAddress(address, chain),
    paymentUri: ({ address }, _assetId, units) =>
      coinUri(chain.uriScheme, address, units, chain.decimals),
    isOurs: () => false,
  };
}
