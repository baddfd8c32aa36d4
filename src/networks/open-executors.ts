// Who sends what leaves: on simulated networks a program, on real ones a person, who is told what a
// wallet opens. No key is known here.

import { createHash } from 'node:crypto';
import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { Outage } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { type ChainId, chainOf, environmentOf, networkOf } from '#catalog/chain.ts';
import { confirmationsRequired, getNetwork, listNetworks } from '#catalog/network.ts';
import { listUnspent } from '#chain/departure.ts';
import type { Db, Tx } from '#db/db.ts';
import type { Network } from '#deposit/network.ts';
import type { ReceivingAccount } from '#people/account-fields.ts';
import type {
  ByHandExecutor,
  Executors,
  TransferExecutor,
  TransferOrder,
  TransferOutcome,
} from '#transfer/executor.ts';
import { FAMILIES } from './families.ts';
import {
  addBlock,
  findSandboxChain,
  isFrozen,
  lockSandboxChain,
  type SandboxState,
} from './sandbox/sandbox-block.ts';
import { findTransaction, insertTransaction, setState } from './sandbox/sandbox-transaction.ts';

type ExecutorsApp = {
  readonly db: Db;
  readonly clock: Clock;
  /** Those that are set up. */
  readonly networks: ReadonlyMap<ChainId, Network>;
};

/** `simulates`: whether the sandbox is switched on. */
export function openExecutors(app: ExecutorsApp, simulates: boolean): Executors {
  const simulated = simulates ? openSandboxExecutors(app) : [];
  const live = [...app.networks.keys()].filter((chain) => environmentOf(chain) === 'live');
  // A bank sends wherever a person tells it to, whether or not its statements are read here.
  const banks = listNetworks()
    .filter(({ type }) => type === 'BANK')
    .map(({ id }) => chainOf('live', id));
  const byHand = [...new Set([...live, ...banks])].map((chain) =>
    byHandExecutor(app.db, chain, app.networks.get(chain)),
  );
  return new Map([...simulated, ...byHand].map((executor) => [executor.chain, executor] as const));
}

function byHandExecutor(db: Db, chain: ChainId, network: Network | undefined): ByHandExecutor {
  const fees = network?.sendingFees;
  return {
    chain,
    // The network takes its coin for a token: whoever sends it pays that.
    networkFeeUnits(assetId, units) {
      const fee = fees?.most(assetId, units);
      return fee?.assetId === assetId ? fee.units : 0n;
    },
    gasFee(assetId, units) {
      const fee = fees?.most(assetId, units);
      if (fee === undefined || fee.assetId === assetId) return undefined;
      return { assetId: fee.assetId, units: String(fee.units) };
    },
    ...(fees && { readFees: () => fees.read(() => listUnspent(db, chain, [])) }),
    destinationOf: (account, transferId) => network?.destinationOf?.(account, transferId),
    instruct: (order) => ({
      link: network && linkTo(network, order.account, order.assetId, order.units),
      fields: network?.instruct?.(order),
    }),
  };
}

/** As for a payer, to somebody else's address. */
function linkTo(
  network: Network,
  account: ReceivingAccount,
  assetId: string,
  units: bigint,
): string | undefined {
  const { invoice, memo, memoType, destinationTag: tag } = account;
  if (invoice !== undefined) return `lightning:${invoice}`;
  const address = account.address ?? account.account;
  if (address === undefined || account.holder !== undefined) return undefined;
  // The link says of every memo that it is a text.
  if (memo !== undefined && memoType !== 'text') return undefined;
  const destinationTag = tag === undefined ? undefined : BigInt(tag);
  const destination = { destination: address, address, memo, memoType, destinationTag };
  return network.paymentUri(destination, assetId, units);
}

// Sends money on simulated networks, every one of the catalog: what is sent goes through the
// simulated mempool and blocks where there are some, and lands at once where there are none.
// Guarantees: signing the same order twice gives the same transaction; submitting it again sends
// nothing more; a frozen chain answers as a dead node does.
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
