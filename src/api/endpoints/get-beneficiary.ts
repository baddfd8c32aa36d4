import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { fields, text } from '#money/exact-schema.ts';
import { beneficiaryView, getBeneficiary as getOne } from '#people/beneficiary.ts';

export const beneficiarySchema = z.object({
  id: z.string().length(12),
  label: z.string(),
  network: z.string(),
  account: z.record(z.string(), z.union([z.string(), z.number()])),
  timestamp: z.string(),
  usableTime: z.string(),
});

export const getBeneficiary = protectedEndpoint({
  method: 'GET',
  path: '/beneficiary',
  auth: 'read',
  summary: 'A beneficiary by its id',
  request: fields({ id: text(100) }),
  response: z.object({ beneficiary: beneficiarySchema }),
  async handle(app, { caller }, { id }) {
    return { beneficiary: beneficiaryView(await getOne(app, caller, id)) };
  },
});
