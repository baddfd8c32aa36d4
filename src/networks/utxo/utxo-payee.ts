// Addresses of a Bitcoin-like chain, derived from an extended public key. No node is asked.

import { HDKey } from '@scure/bip32';
import { assert } from '#base/assert.ts';
import { type ChainId, environmentOf, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { Arrival, Payee } from '#deposit/network.ts';
import { derivedWhenAsked } from '#networks/derived-payee.ts';
import { addressAlone } from '#networks/destination.ts';
import type { PurePayee } from '#networks/network-settings.ts';
import { coinUri } from '#networks/payment-uri.ts';
import { addressDeriver } from './derive-address.ts';
import { canonicalAddress, outputScript } from './output-script.ts';
import { changeSource } from './own-scripts.ts';
import { type AddressSource, parseAddressSource } from './parse-address-source.ts';
import { scriptDestination } from './read-transaction.ts';
import { BITCOIN_TEST, LITECOIN_TEST, UTXO_CHAINS, type UtxoChain } from './utxo-chain.ts';
import { addressReader } from './witness-address.ts';

export type UtxoPayee = PurePayee & {
  /** Descriptor with the origin of the key, for export to a wallet. */
  readonly descriptorWithOrigin: string;
  readonly addressAt: (index: bigint) => string;
  readonly source: AddressSource;
  /** Where payers pay, and where our wallet puts change, if the descriptor has such a branch. */
  readonly descriptors: { readonly receiving: string; readonly change: string | undefined };
  /** Change that our wallet gives itself. */
  readonly changeAmong: ChangeWatch;
};

/** `descriptor`: an extended public key, or a descriptor over one. @throws Refusal */
export function utxoPayee(chain: ChainId, parameters: UtxoChain, descriptor: string): UtxoPayee {
  const source = parseAddressSource(descriptor, parameters);
  const addressAt = addressDeriver(source, parameters);
  const readAddress = addressReader(parameters.bech32Prefix);
  return {
    chain,
    addressSource: source.descriptor,
    descriptorWithOrigin: source.descriptorWithOrigin,
    addressAt,
    source,
    descriptors: {
      receiving: source.descriptor,
      change: changeSource(source, parameters)?.descriptor,
    },
    changeAmong: watchChange(source, parameters),
    openDestination: ({ index }) => addressAlone(addressAt(index)),
    canonicalAddress: (address) => canonicalAddress(address, parameters),
    destinationOf({ address = '' }) {
      const script = outputScript(address, parameters);
      return script && (readAddress(Buffer.from(script)) ?? scriptDestination(script));
    },
    paymentUri({ address }, assetId, units) {
      assert(assetId === parameters.assetId, `${chain} does not carry ${assetId}`);
      return coinUri(parameters.uriScheme, address, units, parameters.decimals);
    },
  };
}

const TEST_PRIVATE_VERSION = 0x04358394;

/** BIP-84 addresses of the test network. */
export function simulatedUtxoPayee(chain: ChainId, seed: Uint8Array): PurePayee {
  const parameters = networkOf(chain) === 'BITCOIN' ? BITCOIN_TEST : LITECOIN_TEST;
  const versions = { public: parameters.extendedPublicVersion, private: TEST_PRIVATE_VERSION };
  const path = `m/84'/${parameters.coinType}'/0'`;
  return derivedWhenAsked(chain, () => {
    const account = HDKey.fromMasterSeed(seed, versions).derive(path);
    return utxoPayee(chain, parameters, account.publicExtendedKey);
  });
}

/** Where no node is set up every chain of the environment is possible. */
export function utxoAddress(chain: ChainId, text: string, payee?: Payee): string | undefined {
  if (payee !== undefined) return payee.canonicalAddress(text);
  const { defaultAssetId } = getNetwork(networkOf(chain));
  const isLive = environmentOf(chain) === 'live';
  return UTXO_CHAINS.filter(
    ({ assetId, nodeChain }) => assetId === defaultAssetId && (nodeChain === 'main') === isLive,
  )
    .map((parameters) => canonicalAddress(text, parameters))
    .find((canonical) => canonical !== undefined);
}

// Which observed outputs come back to us: what our wallet gives itself as change (BIP-44, branch 1
// of the same key). Nobody is given such an address, so no row of the database knows it.

/** Further than wallets look ahead of the last address they used (20 by BIP-44). */
const GAP = 100;

/** Of the destinations of these arrivals those that are change of ours. */
export type ChangeWatch = (arrivals: readonly Arrival[]) => ReadonlySet<string>;

function watchChange(source: AddressSource, parameters: UtxoChain): ChangeWatch {
  const change = changeSource(source, parameters);
  // Without branches change goes to an address that looks like all the others.
  if (change === undefined) return () => new Set();
  const addressAt = addressDeriver(change, parameters);
  const indexes = new Map<string, number>();
  return (arrivals) => {
    const found = new Set<string>();
    let wanted = Math.max(GAP, indexes.size);
    do {
      for (let next = indexes.size; next < wanted; next += 1) {
        indexes.set(addressAt(BigInt(next)), next);
      }
      for (const { destination } of arrivals) {
        const index = indexes.get(destination);
        if (index === undefined) continue;
        found.add(destination);
        wanted = Math.max(wanted, index + 1 + GAP);
      }
    } while (indexes.size < wanted);
    return found;
  };
}
