import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { listCurrencies } from '#catalog/currency.ts';

export const getFiatCurrencies = protectedEndpoint({
  method: 'GET',
  path: '/fiat-currencies',
  auth: 'read',
  summary: 'Currencies of states that a charge may be in (older catalogue)',
  response: z.object({
    fiatCurrencies: z.array(z.object({ assetCode: z.string(), assetName: z.string() })),
  }),
  handle: () => ({
    fiatCurrencies: listCurrencies()
      .filter(({ type, billing }) => type === 'FIAT' && billing)
      .map(({ assetCode, name }) => ({ assetCode, assetName: name })),
  }),
});
