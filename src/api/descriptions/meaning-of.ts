// What each field of the API means, with its unit and its rule: by the name of its component, or of
// the operation that it is a parameter of. Said here once, put into the OpenAPI document; a test
// finds fields of which nothing is said, and what is said of none.
import { ACCOUNT_MEANINGS } from './account.ts';
import { CHECKOUT_MEANINGS } from './checkouts.ts';
import { EVERYWHERE } from './everywhere.ts';
import type { FieldMeanings } from './field-meanings.ts';
import { MONEY_MEANINGS } from './money.ts';

export const MEANINGS: FieldMeanings = {
  ...CHECKOUT_MEANINGS,
  ...MONEY_MEANINGS,
  ...ACCOUNT_MEANINGS,
};

/** Undefined where nothing is said of it. */
export function meaningOf(owner: string, field: string): string | undefined {
  return MEANINGS[owner]?.[field] ?? EVERYWHERE[field];
}
