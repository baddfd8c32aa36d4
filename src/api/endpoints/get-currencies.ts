import { z } from 'zod';
import { catalogueEndpoint } from '#api/catalogue-endpoint.ts';
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
  list: () => ({
    currencies: listCurrencies().map(({ assetCode, name, type, billing, settlement, payment }) => ({
      assetCode,
      name,
      type,
      billing,
      settlement,
      payment,
    })),
  }),
});
