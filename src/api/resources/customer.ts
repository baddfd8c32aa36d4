import { z } from 'zod';
import { callerOf, protectedEndpoint } from '#api/endpoint.ts';
import { doNoted } from '#audit/act.ts';
import { forgetAnswers } from '#checkout/create-checkout.ts';
import { fields, omittable } from '#money/exact-schema.ts';
import {
  changeCustomer,
  createCustomer,
  customerChangeSchema,
  customerView,
  eraseCustomer,
  listCustomerIds,
  listCustomers,
  newCustomerSchema,
  parseCustomerChange,
  parseNewCustomer,
  requireCustomer,
} from '#people/customer.ts';
import {
  deletedId,
  deletionFields,
  idReference,
  jsonObject,
  named,
  nextCursor,
  pageQuery,
  parsePage,
  shownId,
} from './shared-fields.ts';

const detail = z.string().nullable();

const customerSchema = z
  .object({
    id: shownId,
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
    meta: jsonObject.nullable(),
    timestamp: z.string(),
  })
  .meta({ id: 'Customer' });

const customerAnswer = z.object({ customer: customerSchema }).meta({ id: 'CustomerAnswer' });
const customerReference = z.object({ customerId: shownId }).meta({ id: 'CustomerReference' });

export const postCustomer = protectedEndpoint({
  method: 'POST',
  path: '/customer',
  operationId: 'createCustomer',
  auth: 'create',
  scope: 'customer',
  summary: 'Create a customer',
  request: newCustomerSchema,
  response: customerReference,
  parse: parseNewCustomer,
  async handle(app, { caller }, customer) {
    const act = {
      ...{ ...callerOf(caller), verb: 'customer-create' },
      subject: ({ id }: { readonly id: string }) => `customer:${id}`,
    };
    const { id } = await doNoted(app, act, (within) => createCustomer(within, caller, customer));
    return { customerId: id };
  },
});

export const putCustomer = protectedEndpoint({
  method: 'PUT',
  path: '/customer',
  operationId: 'updateCustomer',
  auth: 'idempotent',
  scope: 'customer',
  summary: 'Change a customer: absent fields stay, null clears',
  request: customerChangeSchema,
  response: customerAnswer,
  parse: parseCustomerChange,
  async handle(app, { caller }, { id, changes }) {
    const act = {
      ...{ ...callerOf(caller), verb: 'customer-change' },
      subject: (changed: { readonly id: string }) => `customer:${changed.id}`,
    };
    // Which fields, and not what stands in them: a customer can be erased, an act cannot.
    const details = { fields: Object.keys(changes).join(' ') };
    const customer = await doNoted(app, { ...act, details }, (within) =>
      changeCustomer(within, caller, id, changes),
    );
    return { customer: customerView(customer) };
  },
});

export const deleteCustomer = protectedEndpoint({
  method: 'DELETE',
  path: '/customer',
  operationId: 'deleteCustomer',
  auth: 'idempotent',
  scope: 'customer',
  summary: 'Delete a customer: `{ id }` or `{ customer: { id } }`',
  request: fields({ ...deletionFields, customer: omittable(fields(deletionFields)) }),
  documented: idReference,
  response: customerReference,
  async handle(app, { caller }, { id, customer }) {
    const customerId = deletedId({ id, customer });
    const act = {
      ...{ ...callerOf(caller), verb: 'customer-erase' },
      subject: (erasedId: string) => `customer:${erasedId}`,
    };
    await doNoted(app, act, async (within) => {
      await forgetAnswers(within, caller, await listCustomerIds(within.db, caller, customerId));
      return eraseCustomer(within, caller, customerId);
    });
    return { customerId };
  },
});

export const getCustomer = protectedEndpoint({
  method: 'GET',
  path: '/customer',
  operationId: 'getCustomer',
  auth: 'read',
  summary: 'A customer by its id',
  request: fields(named),
  response: customerAnswer,
  async handle(app, { caller }, { id }) {
    return { customer: customerView(await requireCustomer(app, caller, id)) };
  },
});

export const getCustomers = protectedEndpoint({
  method: 'GET',
  path: '/customers',
  operationId: 'listCustomers',
  auth: 'read',
  summary: 'Customers, newest first',
  request: fields(pageQuery),
  response: z
    .object({ customers: z.array(customerSchema), nextCursor })
    .meta({ id: 'CustomerPage' }),
  async handle(app, { caller }, input) {
    const page = await listCustomers(app, caller, parsePage(input));
    return { customers: page.customers.map(customerView), nextCursor: page.nextCursor };
  },
});
