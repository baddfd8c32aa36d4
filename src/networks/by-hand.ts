// Sending by a person, for every network that is set up: what a wallet opens, and what the network
// may take at most. No key is known here.
import { environmentOf, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { Network } from '#deposit/network.ts';
import type { ReceivingAccount } from '#people/account-fields.ts';
import type { ByHandExecutor } from '#transfer/executor.ts';
import { FAMILIES } from './families.ts';

export function byHandExecutors(networks: Iterable<Network>): ByHandExecutor[] {
  return Array.from(networks)
    .filter(({ chain }) => environmentOf(chain) === 'live')
    .map(byHandExecutor);
}

function byHandExecutor(network: Network): ByHandExecutor {
  const { chain } = network;
  const { family, defaultAssetId, type } = getNetwork(networkOf(chain));
  return {
    chain,
    // The network takes its coin for a token: whoever sends it pays that.
    networkFeeUnits: (assetId, units) =>
      assetId === defaultAssetId || type === 'BANK' ? FAMILIES[family].usualFeeUnits(units) : 0n,
    instruct: ({ account, assetId, units }) => ({ link: linkTo(network, account, assetId, units) }),
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
