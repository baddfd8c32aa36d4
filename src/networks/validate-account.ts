// Whether an address or invoice of a chain is one, proven by its checksum. Where the chain is
// configured its adapter says, because it knows which chain that is (a test network, regtest);
// where it is not, every chain of the environment is possible.

import { sha256 } from '@noble/hashes/sha2.js';
import { base58xrp } from '@scure/base';
import { StrKey } from '@stellar/stellar-base';
import { getAddress, isAddress } from 'viem/utils';
import type { AccountValidator } from '#beneficiary/account-validator.ts';
import { type ChainId, environmentOf, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { Network } from '#deposit/network.ts';
import { readInvoice } from './read-invoice.ts';
import { canonicalAddress } from './utxo/canonical-address.ts';
import { UTXO_CHAINS } from './utxo/utxo-chain.ts';

export function accountValidator(networks: ReadonlyMap<ChainId, Network>): AccountValidator {
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
          return isAddress(text) && getAddress(text) === text ? text : undefined;
        case 'stellar':
          return StrKey.isValidEd25519PublicKey(text) ? text : undefined;
        case 'xrpl':
          return isXrplAccount(text) ? text : undefined;
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

/** Classic addresses (XRPL, Base58 encodings): version 0, 20 bytes, four bytes of SHA-256 twice. */
function isXrplAccount(text: string): boolean {
  if (!/^r[1-9A-HJ-NP-Za-km-z]{24,34}$/.test(text)) return false;
  let bytes: Uint8Array;
  try {
    bytes = base58xrp.decode(text);
  } catch {
    return false;
  }
  const checksum = sha256(sha256(bytes.subarray(0, 21))).subarray(0, 4);
  const isWhole = bytes.length === 25 && bytes[0] === 0;
  return isWhole && checksum.every((byte, index) => byte === bytes[21 + index]);
}
