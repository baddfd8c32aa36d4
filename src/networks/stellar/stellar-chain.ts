// What tells one Stellar network from another. The passphrase is the identity: it is part of every
// hash that is signed, and Horizon states it in its root document.
import { createHash } from 'node:crypto';

export type StellarChain = {
  readonly name: string;
  readonly passphrase: string;
  /** SHA-256 of the passphrase, in hex. */
  readonly networkId: string;
  /** Named in payment URIs where it is not the public network (SEP-7). */
  readonly uriPassphrase: string | undefined;
};

export const STELLAR_CHAIN_NAMES = ['main', 'test'] as const;
export type StellarChainName = (typeof STELLAR_CHAIN_NAMES)[number];

/** As stellar.org tells them (`Networks` of the library, which is not read for two texts). */
const PUBLIC_PASSPHRASE = 'Public Global Stellar Network ; September 2015';
const TEST_PASSPHRASE = 'Test SDF Network ; September 2015';

function stellarChain(name: string, passphrase: string): StellarChain {
  const networkId = createHash('sha256').update(passphrase).digest('hex');
  const uriPassphrase = passphrase === PUBLIC_PASSPHRASE ? undefined : passphrase;
  return Object.freeze({ name, passphrase, networkId, uriPassphrase });
}

export const STELLAR_CHAINS: Readonly<Record<StellarChainName, StellarChain>> = {
  main: stellarChain('Stellar', PUBLIC_PASSPHRASE),
  test: stellarChain('Stellar testnet', TEST_PASSPHRASE),
};
