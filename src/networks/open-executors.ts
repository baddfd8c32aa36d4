// Who sends what leaves: on simulated networks a program, on real ones a person, who is told what a
// wallet opens. No key is known here.
import type { Clock } from '#base/clock.ts';
import { type ChainId, chainOf, environmentOf } from '#catalog/chain.ts';
import { listNetworks } from '#catalog/network.ts';
import { listUnspent } from '#chain/departure.ts';
import type { Db } from '#db/db.ts';
import type { Network } from '#deposit/network.ts';
import type { ReceivingAccount } from '#people/account-fields.ts';
import type { ByHandExecutor, Executors } from '#transfer/executor.ts';
import { openSandboxExecutors } from './sandbox/sandbox-executor.ts';

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
