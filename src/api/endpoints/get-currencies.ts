import { z } from 'zod';
import { catalogueEndpoint } from '#api/catalogue-endpoint.ts';
import { canReceive, type UsableAsset, usableAssets } from '#api/usable.ts';
import { listCurrencies } from '#catalog/currency.ts';

export const getCurrencies = catalogueEndpoint({
  path: '/currencies',
  summary: 'Currencies of charges, settlements and payments',
  response: z.object({
    currencies: z.array(
      z.object({
        assetCode: z.string(),
        name: z.string(),
        type: z.enum(['CRYPTO', 'FIAT']),
        billing: z.boolean(),
        settlement: z.boolean(),
        payment: z.boolean(),
      }),
    ),
  }),
  list: (app, owner) => {
    const usable = usableAssets(app, owner);
    const settled = new Set(usable.filter((one) => one.settlement).map(codeOf));
    const paid = new Set(usable.filter((one) => one.checkouts).map(codeOf));
    // Lightning payments are shown in satoshi.
    if (canReceive(app, owner, 'LIGHTNING')) paid.add('SAT');
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

function codeOf({ asset }: UsableAsset): string {
  return asset.assetCode;
}
