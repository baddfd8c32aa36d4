// The port behind which money leaves: a program that signs (a signer with its node, a simulation),
// or a person, who is told how.
//
// What an adapter guarantees: `submit` may be called any number of times with the same text and
// sends it once; `outcome` says failed only of what provably can never land any more.

import { Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { type ChainId, environmentOf, networkOf } from '#catalog/chain.ts';
import { amountToText } from '#money/asset-amount.ts';
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

/**
 * What the network takes in another asset than is sent, as a token pays its gas in the coin of its
 * chain: the house pays it. In units, as text: as it is stored.
 */
export type GasFee = { readonly assetId: string; readonly units: string };

/** In whole coins. */
export function gasFeeView(gasFee: GasFee | undefined) {
  if (gasFee === undefined) return null;
  const { assetId, units } = gasFee;
  return { assetId, amount: amountToText(BigInt(units), getAsset(assetId).decimals) };
}

export type TransferExecutor = {
  readonly chain: ChainId;
  /**
   * Most that the network may take, in units of the asset that is sent; answered from memory.
   * @throws Refusal unavailable `network_fee_unknown`: nothing was moved.
   */
  networkFeeUnits(assetId: string, units: bigint): bigint;
  /** What it takes in another asset, which the house pays; undefined: nothing, or not known. */
  gasFee?(assetId: string, units: bigint): GasFee | undefined;
  /** Asks the nodes again what `networkFeeUnits` answers. Never throws what a node failed with. */
  readFees?(): Promise<void>;
  /** @throws Refusal when it can never be sent so. @throws Outage when it cannot be signed now. */
  prepare(order: TransferOrder): Promise<PreparedTransfer>;
  submit(signedTransaction: string): Promise<void>;
  /** `pending` also when it was never heard of. */
  outcome(transaction: string): Promise<TransferOutcome>;
};

export type SendingInstruction = {
  /** What a wallet opens, and a QR code holds, where the network has such links. */
  readonly link: string | undefined;
  /** What is typed into the pages of a bank. */
  readonly fields?: readonly { readonly label: string; readonly value: string }[] | undefined;
};

/** A person sends it, and the watcher sees it leave (send-by-hand.ts). */
export type ByHandExecutor = Pick<
  TransferExecutor,
  'chain' | 'networkFeeUnits' | 'gasFee' | 'readFees'
> & {
  instruct(order: TransferOrder): SendingInstruction;
  /** As the watcher names the receiver; undefined where nothing is seen of what leaves. */
  destinationOf(account: ReceivingAccount, transferId: string): string | undefined;
};

type Executor = TransferExecutor | ByHandExecutor;
export type Executors = ReadonlyMap<ChainId, Executor>;

export function isByHand(executor: Executor): executor is ByHandExecutor {
  return 'instruct' in executor;
}

/** @throws Refusal unavailable `executor_missing` where nothing can send: nothing was moved. */
export function requireExecutor(executors: Executors, chain: ChainId): Executor {
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
