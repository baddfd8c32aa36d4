import { type AnchoredNetworkOptions, anchoredNetwork } from '#anchor/anchored-network.ts';
import { carriedAsset, carriedUnits } from '#anchor/carried-asset.ts';
import { NATIVE_ISSUER } from '#catalog/asset.ts';
import { type ChainId, chainOf } from '#catalog/chain.ts';
import { type ConfirmationTiers, getNetwork, type NetworkInfo } from '#catalog/network.ts';
import type { Destination, Network } from '#deposit/network.ts';
import type { NetworkParts, OpenedNetwork } from '#networks/network-settings.ts';
import { coinUri, etherUri, tokenUri, xrplUri } from '#networks/payment-uri.ts';
import { openHorizon } from './horizon.ts';
import { uriSigner } from './sign-payment-uri.ts';
import { STELLAR_CHAINS } from './stellar-chain.ts';
import { type StellarNetworkOptions, stellarNetwork } from './stellar-network.ts';
import type { AnchorOfNetwork, StellarSettings } from './stellar-settings.ts';

/** What comes through an anchor has arrived on Stellar: its ledgers are counted. */
const ONE_LEDGER: ConfirmationTiers = [1, 1, 1];

type AnchorParts = {
  /** The one spelling of an address of another network; undefined when it is none. */
  readonly addressOf: (chain: ChainId, text: string) => string | undefined;
  /** Where anchors may be, other than at public addresses; for tests. */
  readonly http?: AnchoredNetworkOptions['http'];
};

export function openStellarNetworks(
  settings: StellarSettings | undefined,
  parts: NetworkParts,
  anchored: AnchorParts = { addressOf: () => undefined },
): OpenedNetwork[] {
  if (settings === undefined) return [];
  const { uri, chainName, anchors = [] } = settings;
  const isTestChain = chainName !== 'main';
  const network = stellarNetwork({
    ...optionsOf('STELLAR', settings, parts),
    uriSigner: uri && uriSigner(uri.secret, uri.originDomain),
  });
  const byNetwork = Map.groupBy(anchors, (anchor) => anchor.network);
  return [
    { network, isTestChain },
    ...Array.from(byNetwork, ([id, some]) => ({
      network: openAnchored(id, some, settings, parts, anchored),
      isTestChain,
      confirmations: ONE_LEDGER,
    })),
  ];
}

function optionsOf(
  network: string,
  { account, chainName, horizonUrls, claimableDays }: StellarSettings,
  parts: NetworkParts,
): StellarNetworkOptions {
  const chain = chainOf('live', network);
  const horizons = horizonUrls.map((url) => openHorizon({ what: chain, url, clock: parts.clock }));
  const parameters = STELLAR_CHAINS[chainName];
  return { ...parts, chain, account, parameters, horizons, claimableDays };
}

function openAnchored(
  id: string,
  anchors: readonly AnchorOfNetwork[],
  stellar: StellarSettings,
  parts: NetworkParts,
  { addressOf, http = {} }: AnchorParts,
): Network {
  const options = optionsOf(id, stellar, parts);
  const { chain, parameters } = options;
  const network = getNetwork(id);
  return anchoredNetwork({
    ...parts,
    inner: stellarNetwork({ ...options, assetIds: anchors.map(({ assetId }) => assetId) }),
    account: stellar.account,
    passphrase: parameters.passphrase,
    secret: stellar.anchorSecret ?? '',
    anchors,
    feePercentMost: stellar.anchorFeePercentMost ?? 0,
    customer: stellar.anchorCustomer ?? {},
    addressOf: (text) => addressOf(chain, text),
    paymentUri: (payee, assetId, units) => anchoredUri(network, payee, assetId, units),
    http,
  });
}

/** What a wallet of the other network opens, for `units` of the anchor's asset. */
function anchoredUri(
  network: NetworkInfo,
  { address, destinationTag }: Pick<Destination, 'address' | 'destinationTag'>,
  assetId: string,
  units: bigint | undefined,
): string {
  const { assetIssuer, decimals } = carriedAsset(network, assetId);
  const carried = units === undefined ? undefined : carriedUnits(network, assetId, units);
  const { evmChainId, uriScheme } = network;
  if (network.knownBy === 'tag') return xrplUri(address, destinationTag, carried, decimals);
  if (evmChainId === undefined) return coinUri(uriScheme ?? '', address, carried, decimals);
  return assetIssuer === NATIVE_ISSUER
    ? etherUri(address, evmChainId, carried)
    : tokenUri(assetIssuer, evmChainId, address, carried);
}
