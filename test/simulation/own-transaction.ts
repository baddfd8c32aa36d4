// A transaction that spends what is ours on a simulated chain, as its unsigned text: what a wallet or
// the signer gets, and what comes back of it.
import { createHash } from 'node:crypto';
import { type ChainId, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { SandboxOutput } from '#networks/sandbox/sandbox-transaction.ts';

export type OwnTransaction = {
  readonly chain: ChainId;
  /** Outputs of ours, or the one nonce of our account. */
  readonly spends: readonly string[];
  readonly outputs: readonly SandboxOutput[];
  readonly feeUnits: bigint;
};

/** Where change goes: nobody was given it. */
const CHANGE = 'change-';
/** What the network takes of an account stands beside what is paid, under this name. */
const FEE = 'elsewhere-fee';
const ACCOUNT = 'own/';

export const changeTo = (name: string) => `${CHANGE}${name}`;
export const isChange = (destination: string) => destination.startsWith(CHANGE);
export const isFee = (destination: string) => destination === FEE;
export const nonceKey = (nonce: bigint) => `${ACCOUNT}${nonce}`;
export const isNonce = (spent: string | undefined) => spent?.startsWith(ACCOUNT) === true;
export const nonceOf = (spent: string) => BigInt(spent.slice(ACCOUNT.length));

/** Coins are spent, or an account with nonces pays. */
export function hasCoins(chain: ChainId): boolean {
  return getNetwork(networkOf(chain)).family === 'utxo';
}

export function coinOf(chain: ChainId): string {
  return getNetwork(networkOf(chain)).defaultAssetId;
}

/** What the simulated chain stores of it: the fee of an account is paid to nobody we know. */
export function storedOutputs({ chain, outputs, feeUnits }: OwnTransaction): SandboxOutput[] {
  if (hasCoins(chain)) return [...outputs];
  return [...outputs, { destination: FEE, assetId: coinOf(chain), units: feeUnits }];
}

export function writeOwn(own: OwnTransaction): string {
  return JSON.stringify(own, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
}

export function readOwn(text: string): OwnTransaction {
  const { outputs, feeUnits, ...own } = JSON.parse(text) as OwnTransaction;
  return {
    ...own,
    outputs: outputs.map((output) => ({ ...output, units: BigInt(output.units) })),
    feeUnits: BigInt(feeUnits),
  };
}

export const signText = (unsigned: string) => `signed ${unsigned}`;

/** Undefined when it is not what was drafted, signed. */
export function unsignedOf(signed: string, drafted: string): string | undefined {
  return signed === signText(drafted) ? drafted : undefined;
}

export function hashOf(unsigned: string): string {
  return createHash('sha256').update(unsigned).digest('hex');
}
