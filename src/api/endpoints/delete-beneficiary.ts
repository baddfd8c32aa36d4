import { z } from 'zod';
import { deletedId, deletionFields } from '#api/deleted-id.ts';
import { protectedEndpoint } from '#api/endpoint.ts';
import { fields, optional } from '#money/exact-schema.ts';
import { deleteBeneficiary as hideOne } from '#people/beneficiary.ts';

export const deleteBeneficiary = protectedEndpoint({
  method: 'DELETE',
  path: '/beneficiary',
  auth: 'money',
  summary: 'Delete a beneficiary: `{ id }` or `{ beneficiary: { id } }`',
  request: fields({ ...deletionFields, beneficiary: optional(fields(deletionFields)) }),
  response: z.object({ beneficiaryId: z.string().length(12) }),
  async handle(app, { caller }, { id, beneficiary }) {
    const beneficiaryId = deletedId({ id, beneficiary });
    await hideOne(app, caller, beneficiaryId);
    return { beneficiaryId };
  },
});
