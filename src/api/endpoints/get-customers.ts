import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { customerSchema } from '#api/endpoints/get-customer.ts';
import { nextCursor, pageQuery, parsePage } from '#api/page-query.ts';
import { fields } from '#money/exact-schema.ts';
import { customerView, listCustomers } from '#people/customer.ts';

export const getCustomers = protectedEndpoint({
  method: 'GET',
  path: '/customers',
  auth: 'read',
  summary: 'Customers, newest first',
  request: fields(pageQuery),
  response: z.object({ customers: z.array(customerSchema), nextCursor }),
  async handle(app, { caller }, input) {
    const page = await listCustomers(app, caller, parsePage(input));
    return { customers: page.customers.map(customerView), nextCursor: page.nextCursor };
  },
});
