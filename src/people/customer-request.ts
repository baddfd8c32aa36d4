// Customers as merchants send them (api-contract.md 5): only `email` is required, a change is
// partial, null clears. Lengths count code points.
import { z } from 'zod';
import { Refusal } from '#base/refusal.ts';
import { isEmail } from '#base/text.ts';
import { type ExactJson, isJsonObject, stringifyExact } from '#money/exact-json.ts';
import { checkShape, fields, isGiven, metaObject, textUpTo } from '#money/exact-schema.ts';
import { isCountry } from './country.ts';
import { type CustomerFields, EMPTY_CUSTOMER } from './customer.ts';

const email = textUpTo(254).refine(isEmail, 'must be an e-mail address');

/** Either case. */
const countrycode = z
  .string()
  .transform((code) => code.toUpperCase())
  .refine(isCountry, 'must be a country code of ISO 3166-1 (DE, BR)')
  .meta({ description: 'ISO 3166-1, two letters' });

/** Null clears, and so does an empty text or, for `meta`, the empty list that PHP sends. */
function clearable<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess(
    (value) => (value === undefined || isGiven(value) ? value : null),
    schema.nullish(),
  );
}

const detailsShape = {
  firstname: clearable(textUpTo(200)),
  lastname: clearable(textUpTo(200)),
  company: clearable(textUpTo(200)),
  adr1: clearable(textUpTo(200)),
  adr2: clearable(textUpTo(200)),
  zip: clearable(textUpTo(20)),
  city: clearable(textUpTo(200)),
  countrycode: clearable(countrycode),
  phonenumber: clearable(textUpTo(40)),
  taxid: clearable(textUpTo(50)),
  note: clearable(textUpTo(2000)),
  meta: clearable(metaObject),
};

/** POST /customer. */
export const newCustomerSchema = fields({ customer: fields({ email, ...detailsShape }) });

/** PUT /customer: what is absent stays, null clears. */
export const customerChangeSchema = fields({
  customer: fields({ id: textUpTo(100), email: email.optional(), ...detailsShape }),
});

/** @throws Refusal `validation_failed` with one sentence a fault. */
export function parseNewCustomer(body: ExactJson): CustomerFields {
  const { email, ...details } = parseCustomer(newCustomerSchema, body);
  return { ...EMPTY_CUSTOMER, ...details, email };
}

type CustomerChange = {
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
  const customer: unknown = isJsonObject(body) ? body.customer : undefined;
  return isJsonObject(customer) ? customer.meta : undefined;
}
