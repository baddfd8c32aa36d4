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

/** What is said beside its schema goes before what is said of every field of its name. */
export function meaningOf(owner: string, field: string, beside: unknown): unknown {
  return MEANINGS[owner]?.[field] ?? beside ?? EVERYWHERE[field];
}
