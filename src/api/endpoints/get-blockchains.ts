import { z } from 'zod';
import { catalogueEndpoint } from '#api/catalogue-endpoint.ts';
import { getAsset } from '#catalog/asset.ts';
import { listNetworks } from '#catalog/network.ts';

export const getBlockchains = catalogueEndpoint({
  path: '/blockchains',
  summary: 'Blockchains and their native assets (older catalogue)',
  response: z.object({
    blockchains: z.array(
      z.object({ id: z.string(), nativeAssetCode: z.string(), nativeAssetName: z.string() }),
    ),
  }),
  list: () => ({
    blockchains: listNetworks()
      .filter(({ type }) => type === 'BLOCKCHAIN')
      .map(({ id, defaultAssetId }) => {
        const { assetCode, name } = getAsset(defaultAssetId);
        return { id, nativeAssetCode: assetCode, nativeAssetName: name };
      }),
  }),
});
