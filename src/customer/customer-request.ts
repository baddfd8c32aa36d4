// Customers as merchants send them (wire.md section 5): only `email` is required, a change is
// partial, null clears. Lengths count code points.
import { z } from 'zod';
import { isEmail } from '#base/email.ts';
import { Refusal } from '#base/refusal.ts';
import { isCountry } from '#catalog/country.ts';
import { type ExactJson, stringifyExact } from '#money/exact-json.ts';
import { checkShape, fields, isFields, metaObject, text } from '#money/exact-schema.ts';
import { CUSTOMER_FIELDS, type CustomerFields } from './customer.ts';

const email = text(254).refine(isEmail, 'must be an e-mail address');

/** Either case; empty, as shop plugins send what they do not know, is none. */
const countrycode = z
  .string()
  .transform((code) => code.toUpperCase() || null)
  .refine(
    (code) => code === null || isCountry(code),
    'must be a country code of ISO 3166-1 (DE, BR)',
  )
  .meta({ description: 'ISO 3166-1, two letters' });

const detailsShape = {
  firstname: text(200).nullish(),
  lastname: text(200).nullish(),
  company: text(200).nullish(),
  adr1: text(200).nullish(),
  adr2: text(200).nullish(),
  zip: text(20).nullish(),
  city: text(200).nullish(),
  countrycode: countrycode.nullish(),
  phonenumber: text(40).nullish(),
  taxid: text(50).nullish(),
  note: text(2000).nullish(),
  meta: metaObject.nullish(),
};

/** POST /customer. */
export const newCustomerSchema = fields({ customer: fields({ email, ...detailsShape }) });

/** PUT /customer: what is absent stays, null clears. */
export const customerChangeSchema = fields({
  customer: fields({ id: text(100), email: email.optional(), ...detailsShape }),
});

/** @throws Refusal `validation_failed` with one sentence a fault. */
export function parseNewCustomer(body: ExactJson): CustomerFields {
  const { email, ...details } = parseCustomer(newCustomerSchema, body);
  const none = Object.fromEntries(CUSTOMER_FIELDS.map((name) => [name, null]));
  return { ...none, meta: null, ...details, email } as CustomerFields;
}

export type CustomerChange = {
  readonly id: string;
  readonly changes: Partial<CustomerFields>;
};

/** @throws Refusal `validation_failed` with one sentence a fault. */
export function parseCustomerChange(body: ExactJson): CustomerChange {
  const { id, ...changes } = parseCustomer(customerChangeSchema, body);
  return { id, changes };
}

/** The fields that are given, `meta` as its text: value for value what was sent. */
function parseCustomer<Fields extends { readonly meta?: unknown }>(
  schema: z.ZodType<{ readonly customer: Fields }>,
  body: ExactJson,
): Omit<Fields, 'meta'> & { readonly meta?: string | null } {
  const faults: string[] = [];
  const parsed = checkShape(schema, body, faults);
  if (parsed === undefined) throw new Refusal('invalid', 'validation_failed', faults);
  const { meta, ...given } = parsed.customer;
  if (meta === undefined) return given;
  return { ...given, meta: meta === null ? null : stringifyExact(sentMeta(body)) };
}

function sentMeta(body: ExactJson): unknown {
  const customer: unknown = isFields(body) ? body.customer : undefined;
  return isFields(customer) ? customer.meta : undefined;
}
