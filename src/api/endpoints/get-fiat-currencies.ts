import { z } from 'zod';
import { catalogueEndpoint } from '#api/catalogue-endpoint.ts';
import { listCurrencies } from '#catalog/currency.ts';

export const getFiatCurrencies = catalogueEndpoint({
  path: '/fiat-currencies',
  summary: 'Currencies of states that a charge may be in (older catalogue)',
  response: z.object({
    fiatCurrencies: z.array(z.object({ assetCode: z.string(), assetName: z.string() })),
  }),
  list: () => ({
    fiatCurrencies: listCurrencies()
      .filter(({ type, billing }) => type === 'FIAT' && billing)
      .map(({ assetCode, name }) => ({ assetCode, assetName: name })),
  }),
});
