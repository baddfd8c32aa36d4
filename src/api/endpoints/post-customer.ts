import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { createCustomer } from '#people/customer.ts';
import { newCustomerSchema, parseNewCustomer } from '#people/customer-request.ts';

export const postCustomer = protectedEndpoint({
  method: 'POST',
  path: '/customer',
  auth: 'create',
  scope: 'customer',
  summary: 'Create a customer',
  request: newCustomerSchema,
  response: z.object({ customerId: z.string().length(12) }),
  parse: parseNewCustomer,
  async handle(app, { caller }, customer) {
    const { id } = await createCustomer(app, caller, customer);
    return { customerId: id };
  },
});
