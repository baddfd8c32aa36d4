// Sends money on simulated networks, every one of the catalog: what is sent goes through the
// simulated mempool and blocks where there are some, and lands at once where there are none.
// Guarantees: signing the same order twice gives the same transaction; submitting it again sends
// nothing more; a frozen chain answers as a dead node does.

import { createHash } from 'node:crypto';
import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { Outage } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { type ChainId, chainOf, networkOf } from '#catalog/chain.ts';
import { confirmationsRequired, getNetwork, listNetworks } from '#catalog/network.ts';
import type { Db, Tx } from '#db/db.ts';
import { FAMILIES } from '#networks/families.ts';
import type { TransferExecutor, TransferOrder, TransferOutcome } from '#transfer/executor.ts';
import {
  addBlock,
  findSandboxChain,
  isFrozen,
  lockSandboxChain,
  type SandboxState,
} from './sandbox-block.ts';
import { findTransaction, insertTransaction, setState } from './sandbox-transaction.ts';

type SandboxExecutorApp = { readonly db: Db; readonly clock: Clock };

/** All simulated executors. */
export function openSandboxExecutors(app: SandboxExecutorApp): TransferExecutor[] {
  return listNetworks().map(({ id }) => sandboxExecutor(app, chainOf('test', id)));
}

type Signed = {
  readonly transaction: string;
  readonly assetId: string;
  readonly units: string;
  /** Absent in what was signed by older versions. */
  readonly merchantId?: string;
};

function sandboxExecutor(app: SandboxExecutorApp, chain: ChainId): TransferExecutor {
  /** On a chain without a rhythm whatever is sent is a block of its own, at once. */
  const isInstant = findSandboxChain(chain)?.blockSeconds === undefined;

  async function withChain<T>(act: (tx: Tx, state: SandboxState) => Promise<T>): Promise<T> {
    const now = app.clock.now();
    return app.db.transact(async (tx) => {
      const state = await lockSandboxChain(tx, chain, now);
      if (isFrozen(state.frozenUntil, now)) {
        throw new Outage(chain, { cause: new Error('the simulated node is down') });
      }
      return act(tx, state);
    });
  }

  async function outcome(transaction: string): Promise<TransferOutcome> {
    return withChain(async (tx, { tip }) => {
      const found = await findTransaction(tx, chain, transaction);
      if (found?.state === 'REPLACED') return { failed: 'another transaction took its place' };
      if (found?.state !== 'MINED' || found.blockHeight === undefined) return 'pending';
      const confirmations = tip.height - found.blockHeight + 1n;
      const isDeep = confirmations >= BigInt(confirmationsRequired(chain, undefined));
      return isInstant || isDeep ? 'completed' : 'pending';
    });
  }

  return {
    chain,
    networkFeeUnits: (assetId, units) => simulatedFee(chain, assetId, units),
    prepare: async (order) => sign(chain, order),
    outcome,
    submit: (signedTransaction) =>
      withChain(async (tx, { tip, fork }) => {
        const { transaction, assetId, units, merchantId } = JSON.parse(signedTransaction) as Signed;
        const known = await findTransaction(tx, chain, transaction);
        if (known?.state === 'DROPPED') setState(tx, chain, [transaction], 'MEMPOOL');
        if (known !== undefined) return;
        const now = app.clock.now();
        // It leaves the simulation, where nobody waits for it.
        const destination = `elsewhere-${transaction}`;
        const outputs = [{ destination, assetId, units: BigInt(units) }];
        const sent = { transaction, spends: [], outputs };
        insertTransaction(tx, chain, sent, { now, mineAfter: undefined, merchantId });
        if (isInstant) addBlock(tx, chain, { parent: tip, fork, minedAt: now, takesReady: true });
      }),
  };
}

function sign(chain: ChainId, { transferId, merchantId, assetId, account, units }: TransferOrder) {
  assert(getNetwork(networkOf(chain)).assets.includes(assetId), `${chain} carries no ${assetId}`);
  const order = { chain, transferId, assetId, account, units: String(units) };
  const transaction = createHash('sha256').update(JSON.stringify(order)).digest('hex');
  return { transaction, signedTransaction: JSON.stringify({ ...order, merchantId, transaction }) };
}

/** As large as the fees of real networks; for a token a thousandth of one. */
function simulatedFee(chain: ChainId, assetId: string, units: bigint): bigint {
  const network = getNetwork(networkOf(chain));
  const { decimals } = getAsset(assetId);
  const isCoin = assetId === network.defaultAssetId || network.type === 'BANK';
  if (!isCoin) return 10n ** BigInt(decimals - 3);
  return FAMILIES[network.family].simulatedFeeUnits(units);
}
