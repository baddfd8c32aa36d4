// Money that arrived and is nobody's yet, or is not what was asked for.

import { type ChainId, type Environment, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { DepositPurpose } from './deposit-instruction.ts';

export const SUSPENSE_REASONS = [
  'WRONG_ASSET',
  'WRONG_NETWORK',
  'NO_MEMO',
  'UNKNOWN_MEMO',
  'NO_REFERENCE',
  'UNKNOWN_REFERENCE',
  'UNKNOWN_INDEX',
  'UNKNOWN_INVOICE',
] as const;
export type SuspenseReason = (typeof SUSPENSE_REASONS)[number];

export const SUSPENSE_STATES = [
  'OPEN',
  'ASSIGNED',
  'RETURNING',
  'RETURNED',
  'WRITTEN_OFF',
  'GONE',
] as const;
export type SuspenseState = (typeof SUSPENSE_STATES)[number];

export type Suspense = {
  readonly id: bigint;
  readonly receiptId: bigint;
  readonly generation: number;
  readonly environment: Environment;
  readonly network: string;
  readonly assetId: string;
  readonly units: bigint;
  readonly reason: SuspenseReason;
  /** Whose checkout or address it names, or to whom it was assigned. */
  readonly merchantId: string | undefined;
  readonly purpose: DepositPurpose | undefined;
  readonly purposeId: string | undefined;
  readonly state: SuspenseState;
  readonly actCount: number;
  readonly foundAt: Temporal.Instant;
  readonly resolvedAt: Temporal.Instant | undefined;
};

export type SuspenseActKind = 'ASSIGN' | 'RETURN' | 'WRITE_OFF';

/** Why money that nobody was asked for has no owner: by what was said with it. */
export function reasonOfStranger(chain: ChainId, destination: string): SuspenseReason {
  const isNamed = destination.includes(':') && !destination.endsWith(':');
  switch (getNetwork(networkOf(chain)).family) {
    case 'stellar':
    case 'xrpl':
      return isNamed ? 'UNKNOWN_MEMO' : 'NO_MEMO';
    case 'bank':
      return isNamed ? 'UNKNOWN_REFERENCE' : 'NO_REFERENCE';
    case 'lightning':
      return 'UNKNOWN_INVOICE';
    case 'utxo':
    case 'evm':
      return 'UNKNOWN_INDEX';
  }
}
