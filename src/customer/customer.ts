import type { Environment } from '#catalog/chain.ts';

/** Text fields in the order of wire.md section 5. */
export const CUSTOMER_FIELDS = [
  'email',
  'firstname',
  'lastname',
  'company',
  'adr1',
  'adr2',
  'zip',
  'city',
  'countrycode',
  'phonenumber',
  'taxid',
  'note',
] as const;
export type CustomerField = (typeof CUSTOMER_FIELDS)[number];

/** Null is a field without a value. `meta` is JSON text. */
export type CustomerFields = { readonly email: string } & {
  readonly [name in Exclude<CustomerField, 'email'> | 'meta']: string | null;
};

export type Customer = CustomerFields & {
  readonly id: string;
  readonly createdAt: Temporal.Instant;
};

/** Whose customers: those of another merchant or environment do not exist. */
export type CustomerOwner = {
  readonly merchantId: string;
  readonly environment: Environment;
};
