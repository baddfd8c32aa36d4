import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { createCustomer } from '#customer/customer.ts';
import { newCustomerSchema, parseNewCustomer } from '#customer/customer-request.ts';

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
