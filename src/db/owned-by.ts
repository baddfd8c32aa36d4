import { type Statement, sql } from './statement.ts';

/** The condition that rows are of this merchant and environment. */
export function ownedBy(owner: {
  readonly merchantId: string;
  readonly environment: string;
}): Statement {
  return sql`(merchant_id = ${owner.merchantId} and environment = ${owner.environment})`;
}
