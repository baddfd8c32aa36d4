// Payees of the simulated networks: those of the real networks, over keys that follow from the key
// file. They are real in form (a wallet of the test network accepts them) and always the same for
// the same installation and index; nothing of value is ever behind them.

import { createHmac } from 'node:crypto';
import { type ChainId, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import { payeeWith } from '#networks/derived-payee.ts';
import { FAMILIES } from '#networks/families.ts';
import type { PurePayee } from '#networks/network-settings.ts';

/** `seed`: 32 bytes that belong to the installation. */
export function sandboxPayee(chain: ChainId, seed: Uint8Array): PurePayee {
  const own = new Uint8Array(createHmac('sha256', seed).update(`sandbox/${chain}`).digest());
  return simulatedPayee(chain, own);
}

/** All chains together take a tenth of a second to derive, and a process asks again and again. */
const PAYEES = new Map<string, PurePayee>();

/** Of somebody's own 32 bytes on that chain. */
export function simulatedPayee(chain: ChainId, own: Uint8Array): PurePayee {
  return PAYEES.getOrInsertComputed(`${chain} ${own.toHex()}`, () => derivePayee(chain, own));
}

function derivePayee(chain: ChainId, own: Uint8Array): PurePayee {
  const payee = FAMILIES[getNetwork(networkOf(chain)).family].simulate(chain, own);
  // Nobody pays to destinations of an earlier sandbox, so its numbers may begin at 0.
  return payeeWith(payee, { firstIndexes: undefined });
}

/** True also for what no customer was given: our account without a memo, or with an unused one. */
export function ownDestinations(payee: PurePayee): (destination: string) => boolean {
  const { knownBy } = getNetwork(networkOf(payee.chain));
  if (knownBy === 'address' || knownBy === 'invoice') return () => false;
  const expiresAt = Temporal.Instant.fromEpochMilliseconds(0);
  const request = { index: 0n, assetId: '', units: 1n, instructionId: '', expiresAt };
  let known: string | undefined;
  return (destination) => {
    // Where nobody pays no key is derived.
    known ??= payee.openDestination(request).address;
    return destination === known || destination.startsWith(`${known}:`);
  };
}
