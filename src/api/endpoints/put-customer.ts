import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { customerSchema } from '#api/endpoints/get-customer.ts';
import { changeCustomer, customerView } from '#people/customer.ts';
import { customerChangeSchema, parseCustomerChange } from '#people/customer-request.ts';

export const putCustomer = protectedEndpoint({
  method: 'PUT',
  path: '/customer',
  auth: 'idempotent',
  scope: 'customer',
  summary: 'Change a customer: absent fields stay, null clears',
  request: customerChangeSchema,
  response: z.object({ customer: customerSchema }),
  parse: parseCustomerChange,
  async handle(app, { caller }, { id, changes }) {
    return { customer: customerView(await changeCustomer(app, caller, id, changes)) };
  },
});
