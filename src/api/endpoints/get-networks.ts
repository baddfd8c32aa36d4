import { z } from 'zod';
import { catalogueEndpoint } from '#api/catalogue-endpoint.ts';
import { canReceive } from '#api/usable.ts';
import { listAssets } from '#catalog/asset.ts';
import { chainOf } from '#catalog/chain.ts';
import { listNetworks } from '#catalog/network.ts';

export const getNetworks = catalogueEndpoint({
  path: '/networks',
  summary: 'Networks that payments can come from and transfers can go to',
  response: z.object({
    networks: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        type: z.enum(['BLOCKCHAIN', 'BANK']),
        imageSrc: z.string(),
        deposits: z.boolean(),
        transfers: z.boolean(),
        bridged: z.boolean(),
        assets: z.array(z.string()),
      }),
    ),
  }),
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
        // Only what can be done in the owner.environment of this key, now.
        deposits: canReceive(app, owner, id),
        transfers: transfers && app.executors.has(chainOf(owner.environment, id)),
        bridged: bridged || anchored.length > 0,
        assets: [...assets, ...anchored.map((asset) => asset.id)],
      };
    }),
  }),
});
