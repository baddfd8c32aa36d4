import { z } from 'zod';
import { catalogueEndpoint } from '#api/catalogue-endpoint.ts';
import { listAssets, RISK_LEVELS } from '#catalog/asset.ts';
import { environmentOf } from '#catalog/chain.ts';

export const getAssets = catalogueEndpoint({
  path: '/assets',
  summary: 'Assets and what they can be used for',
  response: z.object({
    assets: z.array(
      z.object({
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
      }),
    ),
  }),
  list: (app, environment) => {
    const receivable = new Set(
      app.networks
        .values()
        .filter(({ chain }) => environmentOf(chain) === environment)
        .flatMap((network) => network.receivableAssets()),
    );
    return {
      assets: listAssets().map(({ decimals: _, ...asset }) => ({
        ...asset,
        // Only what can be received in the environment of this key, now.
        checkouts: asset.checkouts && receivable.has(asset.id),
        deposits: asset.deposits && receivable.has(asset.id),
      })),
    };
  },
});
