import { z } from 'zod';
import { protectedEndpoint } from '#api/endpoint.ts';
import { fields, text } from '#money/exact-schema.ts';
import { customerView, getCustomer as getOne } from '#people/customer.ts';

const detail = z.string().nullable();

export const customerSchema = z.object({
  id: z.string().length(12),
  email: z.string(),
  firstname: detail,
  lastname: detail,
  company: detail,
  adr1: detail,
  adr2: detail,
  zip: detail,
  city: detail,
  countrycode: detail,
  phonenumber: detail,
  taxid: detail,
  note: detail,
  meta: z.record(z.string(), z.unknown()).nullable(),
  timestamp: z.string(),
});

export const getCustomer = protectedEndpoint({
  method: 'GET',
  path: '/customer',
  auth: 'read',
  summary: 'A customer by its id',
  request: fields({ id: text(100) }),
  response: z.object({ customer: customerSchema }),
  async handle(app, { caller }, { id }) {
    return { customer: customerView(await getOne(app, caller, id)) };
  },
});
