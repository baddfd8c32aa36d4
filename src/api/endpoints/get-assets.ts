import { z } from 'zod';
import { catalogueEndpoint } from '#api/catalogue-endpoint.ts';
import { usableAssets } from '#api/usable.ts';
import { RISK_LEVELS } from '#catalog/asset.ts';

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
  list: (app, owner) => ({
    assets: usableAssets(app, owner).map(({ asset: { decimals: _, ...asset }, ...use }) => ({
      ...asset,
      ...use,
    })),
  }),
});
