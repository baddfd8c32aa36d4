// Catalogues: networks, assets and currencies, with what can be done with each of them in this
// environment of this installation now.

import { z } from 'zod';
import type { Caller } from '#access/caller.ts';
import { type AnswerOf, type ApiApp, type Endpoint, protectedEndpoint } from '#api/endpoint.ts';
import { shareAnswer } from '#api/http/send-refusal.ts';
import {
  type Asset,
  FIAT_ISSUER,
  getAsset,
  isWithinRisk,
  listAssets,
  NATIVE_ISSUER,
  RISK_LEVELS,
} from '#catalog/asset.ts';
import { chainOf, environmentOf, networkOf } from '#catalog/chain.ts';
import { listCurrencies } from '#catalog/currency.ts';
import { listNetworks } from '#catalog/network.ts';
import { wayName } from '#catalog/way.ts';

const FRESH_MS = 1_000;

/** Whose catalogue: accounts differ in the risk that they take, and in what they switched off. */
type CatalogueOwner = Pick<Caller, 'environment' | 'riskTolerance' | 'methodsOff'>;
/** Whatever accounts switch off, so many lists are kept. */
const KINDS_MOST = 200;

/**
 * The same list for every caller of an environment who takes the same. It is made anew after a
 * second, so that what is switched on or off shows at once, and in between only its text is sent.
 */
function catalogueEndpoint<Answer extends z.ZodType>(description: {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly response: Answer;
  list(app: ApiApp, owner: CatalogueOwner): AnswerOf<Answer>;
}): Endpoint {
  type Made = { readonly value: AnswerOf<Answer>; readonly madeAtMs: number };
  const { list, ...rest } = description;
  const made = new WeakMap<ApiApp['networks'], Map<string, Made>>();
  return protectedEndpoint({
    ...rest,
    method: 'GET',
    auth: 'read',
    isConditional: true,
    handle(app, { caller: { environment, riskTolerance, methodsOff } }) {
      const kind = `${environment} ${riskTolerance} ${methodsOff.toSorted().join()}`;
      const nowMs = app.clock.monotonicMs();
      const ofApp = made.getOrInsertComputed(app.networks, () => new Map());
      const known = ofApp.get(kind);
      if (known !== undefined && nowMs - known.madeAtMs < FRESH_MS) return known.value;
      const value = shareAnswer(list(app, { environment, riskTolerance, methodsOff }));
      if (ofApp.size >= KINDS_MOST) ofApp.clear();
      ofApp.set(kind, { value, madeAtMs: nowMs });
      return value;
    },
  });
}

export const getNetworks = catalogueEndpoint({
  path: '/networks',
  operationId: 'listNetworks',
  summary: 'Networks that payments can come from and transfers can go to',
  response: z
    .object({
      networks: z.array(
        z
          .object({
            id: z.string(),
            name: z.string(),
            type: z.enum(['BLOCKCHAIN', 'BANK']),
            imageSrc: z.string(),
            deposits: z.boolean(),
            transfers: z.boolean(),
            bridged: z.boolean(),
            assets: z.array(z.string()),
          })
          .meta({ id: 'Network' }),
      ),
    })
    .meta({ id: 'NetworkList' }),
  list: (app, owner) => ({
    networks: listNetworks().map(({ id, name, type, imageSrc, transfers, bridged, assets }) => {
      const anchored = listAssets(owner.environment).filter(
        ({ bridge, networks }) => bridge && networks.includes(id),
      );
      return {
        id,
        name,
        type,
        imageSrc,
        deposits: canReceive(app, owner, id),
        transfers: transfers && app.executors.has(chainOf(owner.environment, id)),
        bridged: bridged || anchored.length > 0,
        assets: [...assets, ...anchored.map((asset) => asset.id)],
      };
    }),
  }),
});

export const getAssets = catalogueEndpoint({
  path: '/assets',
  operationId: 'listAssets',
  summary: 'Assets and what they can be used for',
  response: z
    .object({
      assets: z.array(
        z
          .object({
            id: z.string(),
            assetCode: z.string(),
            assetIssuer: z.string(),
            name: z.string(),
            group: z.string(),
            groupImageSrc: z.string(),
            issuerName: z.string(),
            issuerDomain: z.string(),
            issuerAddress: z.string(),
            imageSrc: z.string(),
            checkouts: z.boolean(),
            deposits: z.boolean(),
            settlement: z.boolean(),
            swaps: z.boolean(),
            transfers: z.boolean(),
            hexColor: z.string().length(7),
            riskLevel: z.enum(RISK_LEVELS),
            bridge: z.boolean(),
            networks: z.array(z.string()),
          })
          .meta({ id: 'Asset' }),
      ),
    })
    .meta({ id: 'AssetList' }),
  list: (app, owner) => ({
    assets: usableAssets(app, owner).map(({ asset: { decimals: _, ...asset }, ...use }) => ({
      ...asset,
      ...use,
    })),
  }),
});

export const getCurrencies = catalogueEndpoint({
  path: '/currencies',
  operationId: 'listCurrencies',
  summary: 'Currencies of charges, settlements and payments',
  response: z
    .object({
      currencies: z.array(
        z
          .object({
            assetCode: z.string(),
            name: z.string(),
            type: z.enum(['CRYPTO', 'FIAT']),
            billing: z.boolean(),
            settlement: z.boolean(),
            payment: z.boolean(),
          })
          .meta({ id: 'Currency' }),
      ),
    })
    .meta({ id: 'CurrencyList' }),
  list(app, owner) {
    const usable = usableAssets(app, owner);
    const codesOf = (use: 'settlement' | 'checkouts') =>
      new Set(usable.filter((one) => one[use]).map(({ asset }) => asset.assetCode));
    const settled = codesOf('settlement');
    const paid = codesOf('checkouts');
    // Lightning payments are shown in satoshi.
    const lightning = wayName({ network: 'LIGHTNING', assetId: 'BTC:NATIVE' });
    if (canReceive(app, owner, 'LIGHTNING') && !owner.methodsOff.includes(lightning)) {
      paid.add('SAT');
    }
    return {
      currencies: listCurrencies().map(({ assetCode, name, type, billing }) => ({
        assetCode,
        name,
        type,
        billing,
        settlement: settled.has(assetCode),
        payment: paid.has(assetCode),
      })),
    };
  },
});

export const getFiatCurrencies = catalogueEndpoint({
  path: '/fiat-currencies',
  operationId: 'listFiatCurrencies',
  summary: 'Currencies of states that a charge may be in (older catalogue)',
  response: z
    .object({
      fiatCurrencies: z.array(
        z.object({ assetCode: z.string(), assetName: z.string() }).meta({ id: 'FiatCurrency' }),
      ),
    })
    .meta({ id: 'FiatCurrencyList' }),
  list: () => ({
    fiatCurrencies: listCurrencies()
      .filter(({ type, billing }) => type === 'FIAT' && billing)
      .map(({ assetCode, name }) => ({ assetCode, assetName: name })),
  }),
});

export const getBlockchains = catalogueEndpoint({
  path: '/blockchains',
  operationId: 'listBlockchains',
  summary: 'Blockchains and their native assets (older catalogue)',
  response: z
    .object({
      blockchains: z.array(
        z
          .object({ id: z.string(), nativeAssetCode: z.string(), nativeAssetName: z.string() })
          .meta({ id: 'Blockchain' }),
      ),
    })
    .meta({ id: 'BlockchainList' }),
  list: () => ({
    blockchains: listNetworks()
      .filter(({ type }) => type === 'BLOCKCHAIN')
      .map(({ id, defaultAssetId }) => {
        const { assetCode, name } = getAsset(defaultAssetId);
        return { id, nativeAssetCode: assetCode, nativeAssetName: name };
      }),
  }),
});

/** Native coins and bank money have no issuer that could be chosen in `blockchainRelays`. */
const isIssued = (issuer: string) => issuer !== NATIVE_ISSUER && issuer !== FIAT_ISSUER;

export const getAssetIssuers = catalogueEndpoint({
  path: '/asset-issuers',
  operationId: 'listAssetIssuers',
  summary: 'Issuers and the ids of their assets (older catalogue)',
  response: z
    .object({
      assetIssuers: z.array(
        z
          .object({
            id: z.string(),
            name: z.string(),
            domain: z.string(),
            assets: z.array(z.string()),
          })
          .meta({ id: 'AssetIssuer' }),
      ),
    })
    .meta({ id: 'AssetIssuerList' }),
  list(_, { environment }) {
    const issued = listAssets(environment).filter(({ assetIssuer }) => isIssued(assetIssuer));
    const byIssuer = Map.groupBy(issued, ({ assetIssuer }) => assetIssuer);
    return {
      assetIssuers: Array.from(byIssuer, ([id, assets]) => ({
        id,
        name: assets[0]?.issuerName ?? id,
        domain: assets[0]?.issuerDomain ?? '',
        assets: assets.map((asset) => asset.id),
      })),
    };
  },
});

type UsableApp = Pick<ApiApp, 'networks' | 'executors' | 'exposureLimitUsd'>;

type UsableAsset = Pick<Asset, 'checkouts' | 'deposits' | 'settlement' | 'swaps' | 'transfers'> & {
  readonly asset: Asset;
};

function usableAssets(
  app: UsableApp,
  { environment, riskTolerance, methodsOff }: CatalogueOwner,
): UsableAsset[] {
  const ways = app.networks
    .values()
    .filter(({ chain }) => environmentOf(chain) === environment)
    .flatMap((network) => network.receivableAssets().map((assetId) => ({ network, assetId })))
    .toArray();
  const receivable = new Set(ways.map(({ assetId }) => assetId));
  const payable = new Set(
    ways
      .filter(
        ({ network, assetId }) =>
          !methodsOff.includes(wayName({ network: networkOf(network.chain), assetId })),
      )
      .map(({ assetId }) => assetId),
  );
  // What converts is the house: with live keys only within a limit (decision 31).
  const converts = environment === 'test' || app.exposureLimitUsd !== undefined;
  const taken = (asset: Asset) => isWithinRisk(asset, riskTolerance);
  return listAssets(environment).map((asset) => ({
    asset,
    checkouts: asset.checkouts && payable.has(asset.id) && taken(asset),
    deposits: asset.deposits && receivable.has(asset.id) && taken(asset),
    settlement: asset.settlement && (converts || receivable.has(asset.id)) && taken(asset),
    swaps: asset.swaps && converts && taken(asset),
    transfers:
      asset.transfers && asset.networks.some((id) => app.executors.has(chainOf(environment, id))),
  }));
}

/** A network that is not ready to credit offers nothing. */
function canReceive(app: UsableApp, { environment }: CatalogueOwner, networkId: string): boolean {
  const network = app.networks.get(chainOf(environment, networkId));
  return network !== undefined && network.receivableAssets().length > 0;
}
