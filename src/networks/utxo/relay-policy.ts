// What nodes relay (policy.h and policy.cpp of Bitcoin Core and Litecoin Core): no consensus, but a
// transaction that nobody relays is never mined.
import { assert } from '#base/assert.ts';
import { divideUnits } from '#money/rounding.ts';
import { outputBytes } from './transaction-size.ts';

/** Rates are units for 1,000 virtual bytes. */
export type RelayPolicy = {
  /** DUST_RELAY_TX_FEE: an output that costs more than its worth to spend at this rate is dust. */
  readonly dustRate: bigint;
  /** What a replacement pays at least for its own size on top (BIP-125, rule 4). */
  readonly incrementalRate: bigint;
  /** The lowest that any release relays by itself (DEFAULT_MIN_RELAY_TX_FEE). */
  readonly leastRate: bigint;
};

const POLICIES: Readonly<Record<string, RelayPolicy>> = {
  'BTC:NATIVE': { dustRate: 3000n, incrementalRate: 1000n, leastRate: 100n },
  'LTC:NATIVE': { dustRate: 30_000n, incrementalRate: 1000n, leastRate: 1000n },
};

/** Of a chain that carries this asset. */
export function relayPolicy(assetId: string): RelayPolicy {
  const policy = POLICIES[assetId];
  assert(policy !== undefined, `nothing is known of what nodes of ${assetId} relay`);
  return policy;
}

/** An input that spends it, as GetDustThreshold counts it: with a witness, or without. */
const WITNESS_SPEND = 32 + 4 + 1 + Math.floor(107 / 4) + 4;
const PLAIN_SPEND = 32 + 4 + 1 + 107 + 4;

/** Below so many units an output with this script is dust (GetDustThreshold). */
export function dustLimit(script: Uint8Array, { dustRate }: RelayPolicy): bigint {
  const spend = isWitnessProgram(script) ? WITNESS_SPEND : PLAIN_SPEND;
  return feeFor(outputBytes(script.length) + spend, dustRate);
}

/** What so many virtual bytes cost at a rate, in units. Rounds up: never less than the rate. */
export function feeFor(virtualBytes: number, rate: bigint): bigint {
  return divideUnits(rate * BigInt(virtualBytes), 1000n, 'up');
}

/** BIP-141: a version (OP_0, OP_1 to OP_16) and one push of 2 to 40 bytes. */
function isWitnessProgram(script: Uint8Array): boolean {
  const [version = 0xff, length] = script;
  const isVersion = version === 0 || (version >= 0x51 && version <= 0x60);
  return isVersion && script.length >= 4 && script.length <= 42 && length === script.length - 2;
}
