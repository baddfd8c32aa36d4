import { Keypair } from '@stellar/stellar-base';
import { announceAnchoredAsset } from '#catalog/asset.ts';
import { chainOf } from '#catalog/chain.ts';
import { type ConfirmationTiers, getNetwork } from '#catalog/network.ts';
import type { Network } from '#deposit/network.ts';
import { createDecimal } from '#money/decimal.ts';
import type { NetworkParts, OpenedNetwork } from '#networks/network-settings.ts';
import { accountValidator } from '#networks/validate-account.ts';
import { type AnchoredAsset, anchoredNetwork } from './anchored-network.ts';
import { stepUnitsOf } from './anchored-uri.ts';
import { openAnchor } from './ask-anchor.ts';
import { type GuardedHttpOptions, openGuardedHttp } from './guarded-http.ts';
import { openHorizon } from './horizon.ts';
import { uriSigner } from './sign-payment-uri.ts';
import { STELLAR_CHAINS } from './stellar-chain.ts';
import { type StellarNetworkOptions, stellarNetwork } from './stellar-network.ts';
import type { AnchorSettings, StellarSettings } from './stellar-settings.ts';

/** What comes through an anchor has arrived on Stellar: its ledgers are counted. */
const ONE_LEDGER: ConfirmationTiers = [1, 1, 1];

/** Where anchors may be, other than at public addresses; for tests. */
export type AnchorHttp = Omit<GuardedHttpOptions, 'what'>;

export function openStellarNetworks(
  settings: StellarSettings | undefined,
  parts: NetworkParts,
  anchorHttp: AnchorHttp = {},
): OpenedNetwork[] {
  if (settings === undefined) return [];
  const { uri, chainName, anchors = [] } = settings;
  const isTestChain = chainName !== 'main';
  const network = stellarNetwork({
    ...optionsOf('STELLAR', settings, parts),
    uriSigner: uri && uriSigner(uri.secret, uri.originDomain),
  });
  const anchored = Map.groupBy(anchors, (anchor) => anchor.network);
  return [
    { network, isTestChain },
    ...Array.from(anchored, ([id, some]) => ({
      network: openAnchored(id, some, settings, parts, anchorHttp),
      isTestChain,
      confirmations: ONE_LEDGER,
    })),
  ];
}

function optionsOf(
  network: string,
  { account, chainName, horizonUrls }: StellarSettings,
  parts: NetworkParts,
): StellarNetworkOptions {
  const chain = chainOf('live', network);
  const horizons = horizonUrls.map((url) => openHorizon({ what: chain, url }));
  return { ...parts, chain, account, parameters: STELLAR_CHAINS[chainName], horizons };
}

function openAnchored(
  id: string,
  settings: readonly AnchorSettings[],
  stellar: StellarSettings,
  parts: NetworkParts,
  anchorHttp: AnchorHttp,
): Network {
  const options = optionsOf(id, stellar, parts);
  const validator = accountValidator(new Map());
  const key = Keypair.fromSecret(stellar.anchorSecret ?? '');
  const info = getNetwork(id);
  const feePercentMost = createDecimal(BigInt(stellar.anchorFeePercentMost ?? 0), 0);
  const anchors = settings.map(({ network, assetId, domain }): AnchoredAsset => {
    announceAnchoredAsset(assetId, network, domain);
    const [assetCode = '', assetIssuer = ''] = assetId.split(':');
    const anchor = openAnchor({
      identity: { domain, assetCode, assetIssuer },
      http: openGuardedHttp({ what: domain, ...anchorHttp }),
      key,
      chain: options.parameters,
      clock: parts.clock,
      network: {
        ...info,
        hasTags: info.family === 'xrpl',
        addressOf: (text) => validator.address(options.chain, text),
      },
      limits: { stepUnits: stepUnitsOf(info, assetId), feePercentMost },
      customer: stellar.anchorCustomer ?? {},
    });
    return { anchor, assetId, domain };
  });
  return anchoredNetwork({ ...options, anchors, feePercentMost });
}
