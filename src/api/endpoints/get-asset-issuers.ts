import { z } from 'zod';
import { catalogueEndpoint } from '#api/catalogue-endpoint.ts';
import { FIAT_ISSUER, listAssets, NATIVE_ISSUER } from '#catalog/asset.ts';

/** Native coins and bank money have no issuer that could be chosen in `blockchainRelays`. */
const isIssued = (issuer: string) => issuer !== NATIVE_ISSUER && issuer !== FIAT_ISSUER;

export const getAssetIssuers = catalogueEndpoint({
  path: '/asset-issuers',
  summary: 'Issuers and the ids of their assets (older catalogue)',
  response: z.object({
    assetIssuers: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        domain: z.string(),
        assets: z.array(z.string()),
      }),
    ),
  }),
  list: (_, { environment }) => {
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
