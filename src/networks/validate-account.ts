// Whether an address or invoice of a chain is one, proven by its checksum. Where the chain is
// configured its adapter says, because it knows which chain that is (a test network, regtest);
// where it is not, every chain of the environment is possible.

import { StrKey } from '@stellar/stellar-base';
import { type ChainId, environmentOf, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { Payee } from '#deposit/network.ts';
import type { AccountValidator } from '#people/account-fields.ts';
import { hasEvmChecksum } from './evm/derive-address.ts';
import { readInvoice } from './read-invoice.ts';
import { canonicalAddress } from './utxo/canonical-address.ts';
import { UTXO_CHAINS } from './utxo/utxo-chain.ts';
import { classicAccountId } from './xrpl/xrpl-address.ts';

export function accountValidator(networks: ReadonlyMap<ChainId, Payee>): AccountValidator {
  return {
    address(chain, text) {
      const { family } = getNetwork(networkOf(chain));
      switch (family) {
        case 'utxo': {
          const adapter = networks.get(chain);
          return adapter === undefined
            ? addressOfAnyChain(chain, text)
            : adapter.canonicalAddress(text);
        }
        case 'evm':
          // All in lower case it would carry no checksum: a slip of the pen would send the money.
          return hasEvmChecksum(text) ? text : undefined;
        case 'stellar':
          return StrKey.isValidEd25519PublicKey(text) ? text : undefined;
        case 'xrpl':
          return classicAccountId(text) === undefined ? undefined : text;
        case 'lightning':
        case 'bank':
          return undefined;
      }
    },
    invoice(chain, text) {
      const read = readInvoice(text);
      const isLive = read?.prefix === 'bc';
      if (read === undefined || isLive !== (environmentOf(chain) === 'live')) return undefined;
      return { invoice: read.invoice, expiresAt: read.expiresAt };
    },
  };
}

function addressOfAnyChain(chain: ChainId, text: string): string | undefined {
  const { defaultAssetId } = getNetwork(networkOf(chain));
  const isLive = environmentOf(chain) === 'live';
  return UTXO_CHAINS.filter(
    ({ assetId, nodeChain }) => assetId === defaultAssetId && (nodeChain === 'main') === isLive,
  )
    .map((parameters) => canonicalAddress(text, parameters))
    .find((canonical) => canonical !== undefined);
}
