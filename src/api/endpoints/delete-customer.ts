import { z } from 'zod';
import { deletedId, deletionFields } from '#api/deleted-id.ts';
import { protectedEndpoint } from '#api/endpoint.ts';
import { fields, optional } from '#money/exact-schema.ts';
import { deleteCustomer as clearAndHide } from '#people/customer.ts';

export const deleteCustomer = protectedEndpoint({
  method: 'DELETE',
  path: '/customer',
  auth: 'idempotent',
  scope: 'customer',
  summary: 'Delete a customer: `{ id }` or `{ customer: { id } }`',
  request: fields({ ...deletionFields, customer: optional(fields(deletionFields)) }),
  response: z.object({ customerId: z.string().length(12) }),
  async handle(app, { caller }, { id, customer }) {
    const customerId = deletedId({ id, customer });
    await clearAndHide(app, caller, customerId);
    return { customerId };
  },
});
