import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { beneficiarySchema } from '#api/endpoints/get-beneficiary.ts';
import { nextCursor, pageQuery, parsePage } from '#api/page-query.ts';
import { fields } from '#money/exact-schema.ts';
import { beneficiaryView, listBeneficiaries } from '#people/beneficiary.ts';

export const getBeneficiaries = protectedEndpoint({
  method: 'GET',
  path: '/beneficiaries',
  auth: 'read',
  summary: 'Beneficiaries, newest first',
  request: fields(pageQuery),
  response: z.object({ beneficiaries: z.array(beneficiarySchema), nextCursor }),
  async handle(app, { caller }, input) {
    const page = await listBeneficiaries(app, caller, parsePage(input));
    return {
      beneficiaries: page.beneficiaries.map(beneficiaryView),
      nextCursor: page.nextCursor,
    };
  },
});
