// The port behind which money leaves: a signer with its node, a bank, or a simulation.
//
// What an adapter guarantees: `submit` may be called any number of times with the same text and
// sends it once; `outcome` says failed only of what provably can never land any more.

import { Refusal } from '#base/refusal.ts';
import { type ChainId, environmentOf, networkOf } from '#catalog/chain.ts';
import type { ReceivingAccount } from '#people/account-fields.ts';

export type TransferOrder = {
  readonly transferId: string;
  readonly merchantId: string;
  readonly assetId: string;
  readonly account: ReceivingAccount;
  /** What the receiver gets. */
  readonly units: bigint;
};

export type PreparedTransfer = {
  /** All that `submit` needs, stored before it is called. */
  readonly signedTransaction: string;
  /** Hash or reference by which it is known outside. */
  readonly transaction: string;
};

export type TransferOutcome = 'pending' | 'completed' | { readonly failed: string };

export type TransferExecutor = {
  readonly chain: ChainId;
  /** Most that the network may take, in units of the asset that is sent. */
  networkFeeUnits(assetId: string, units: bigint): bigint;
  /** @throws Refusal when it can never be sent so. @throws Outage when it cannot be signed now. */
  prepare(order: TransferOrder): Promise<PreparedTransfer>;
  submit(signedTransaction: string): Promise<void>;
  /** `pending` also when it was never heard of. */
  outcome(transaction: string): Promise<TransferOutcome>;
};

export type Executors = ReadonlyMap<ChainId, TransferExecutor>;

/** @throws Refusal unavailable `executor_missing` where nothing can send: nothing was moved. */
export function requireExecutor(executors: Executors, chain: ChainId): TransferExecutor {
  const executor = executors.get(chain);
  if (executor === undefined) {
    const [environment, network] = [environmentOf(chain), networkOf(chain)];
    throw new Refusal('unavailable', 'executor_missing', [
      `Nothing here can send on ${network} with a ${environment} key: no signer is set up for it. ` +
        'Nothing was moved.',
    ]);
  }
  return executor;
}
