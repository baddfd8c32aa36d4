// Destinations of the simulated networks. They are real in form (a wallet of the test network
// accepts them) and always the same for the same installation and index. Their keys come from the
// key file; nothing of value is ever behind them.

import { createHmac } from 'node:crypto';
import { unreachable } from '#base/assert.ts';
import { networkOf } from '#catalog/chain.ts';
import type { AccountHolder, Destination, DestinationRequest } from '#deposit/network.ts';
import { BITCOIN_TEST, LITECOIN_TEST } from '#networks/utxo/utxo-chain.ts';
import { bankDestinations } from './bank-destination.ts';
import { ethereumDestinations } from './ethereum-destination.ts';
import { lightningDestinations } from './lightning-destination.ts';
import type { SandboxChain } from './sandbox-chain.ts';
import { stellarDestinations } from './stellar-destination.ts';
import { utxoDestinations } from './utxo-destination.ts';
import { xrplDestinations } from './xrpl-destination.ts';

export type SandboxDestinations = {
  /** Extended public key, account or node, as the operator sees it. */
  readonly addressSource: string;
  /** Of banks. */
  readonly payee?: AccountHolder;
  open(request: DestinationRequest): Destination;
  canonicalAddress(address: string): string | undefined;
  paymentUri(destination: Destination, assetId: string, units: bigint | undefined): string;
  /** Ours even if nobody was given it: an account without a memo, or with one nobody has. */
  isOurs(destination: string): boolean;
};

/** `seed`: 32 bytes that belong to the installation. */
export function sandboxDestinations(sandbox: SandboxChain, seed: Uint8Array): SandboxDestinations {
  const { chain } = sandbox;
  const own = new Uint8Array(createHmac('sha256', seed).update(`sandbox/${chain}`).digest());
  return chainDestinations(sandbox, own);
}

/** Of somebody's own 32 bytes on that chain. */
export function chainDestinations(
  sandbox: Pick<SandboxChain, 'chain' | 'family'>,
  own: Uint8Array,
): SandboxDestinations {
  const { chain, family } = sandbox;
  switch (family) {
    case 'utxo':
      return utxoDestinations(own, networkOf(chain) === 'BITCOIN' ? BITCOIN_TEST : LITECOIN_TEST);
    case 'evm':
      return ethereumDestinations(own, networkOf(chain));
    case 'stellar':
      return stellarDestinations(own);
    case 'lightning':
      return lightningDestinations(own);
    case 'xrpl':
      return xrplDestinations(own);
    case 'bank':
      return bankDestinations(sandbox, own);
    default:
      return unreachable(family);
  }
}
