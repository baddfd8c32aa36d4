import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import type { ExactJson } from '#money/exact-json.ts';
import { beneficiaryRequestSchema, createBeneficiary } from '#people/create-beneficiary.ts';

export const postBeneficiary = protectedEndpoint({
  method: 'POST',
  path: '/beneficiary',
  auth: 'money',
  summary: 'Create a beneficiary: somebody money may be sent to',
  request: beneficiaryRequestSchema,
  response: z.object({ beneficiaryId: z.string().length(12) }),
  // What an account may hold depends on the environment of the caller.
  parse: (body): ExactJson => body,
  async handle(app, { caller }, body) {
    const { id } = await createBeneficiary(app, caller, body);
    return { beneficiaryId: id };
  },
});
