// Money on a merchant's account without a payment, for tests of what is done with money. It comes
// from the exchange account: custody must stay what receipts made it.
import type { Environment } from '#catalog/chain.ts';
import type { Db } from '#db/db.ts';
import type { MerchantAccountCode } from '#ledger/account.ts';
import { accountsOf, type Entry } from '#ledger/ledger-entry.ts';
import { ensureAccounts, postEntries } from '#ledger/post-entry.ts';

export type Funds = {
  readonly merchantId: string;
  readonly environment?: Environment;
  /** What makes it another funding than the others. */
  readonly cause: string;
  readonly assetId: string;
  readonly units: bigint;
  readonly code?: MerchantAccountCode;
  readonly occurredAt: Temporal.Instant;
};

export async function fundMerchant(db: Db, ...funds: readonly Funds[]): Promise<void> {
  const entries = funds.map(entryOf);
  await ensureAccounts(db, accountsOf(entries));
  await db.transact(async (tx) => postEntries(tx, entries));
}

function entryOf(funds: Funds): Entry {
  const { merchantId, environment = 'test', assetId, units, code = 'merchant:available' } = funds;
  return {
    causeKey: `funds:${funds.cause}`,
    kind: 'test-funds',
    environment,
    merchantId,
    occurredAt: funds.occurredAt,
    postings: [
      { account: { code: 'exchange' }, assetId, units },
      { account: { merchantId, code }, assetId, units: -units },
    ],
  };
}
