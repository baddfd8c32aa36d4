// Posting is one statement that takes the locks in one order and moves entries, lines and balances
// together. Guarantees: all entries or none; a cause posts once (a second time fails the
// transaction with ConstraintViolation `ledger_entry_cause_key_key`); only a reversal takes a
// merchant account below zero, and while it is there nothing but a reversal takes more out of it
// (else ConstraintViolation `ledger_account_not_overdrawn`). Not guaranteed: freedom from deadlock
// when one transaction posts twice. Post everything of an act in one call; the transaction is
// repeated otherwise.
import { assert } from '#base/assert.ts';
import type { Db, Tx } from '#db/db.ts';
import type { Account } from './account.ts';
import { assertBalanced, type Entry } from './ledger-entry.ts';
import { createAccountsStatement, postEntriesStatement } from './ledger-store.ts';

/** Accounts known to exist, per database: they are never removed. */
const knownAccounts = new WeakMap<Db, Set<string>>();
const knownAccountsMax = 200_000;

/**
 * Makes sure that the accounts exist, outside any other transaction. Costs nothing when this
 * process has seen them. To be awaited before `transact`, with every account that its entries may
 * touch.
 */
export async function ensureAccounts(db: Db, accounts: readonly Account[]): Promise<void> {
  const known = knownAccounts.get(db) ?? new Set();
  knownAccounts.set(db, known);
  const missing = new Map<string, Account>();
  for (const account of accounts) {
    const key = JSON.stringify([
      account.environment,
      account.merchantId ?? '',
      account.code,
      account.assetId,
    ]);
    if (!known.has(key)) missing.set(key, account);
  }
  if (missing.size === 0) return;
  // Sorted, so that two processes that create the same accounts do not wait for each other
  // crosswise.
  const keys = [...missing.keys()].sort();
  const sorted = keys.map((key) => missing.get(key) as Account);
  await db.single((tx) => tx.query(createAccountsStatement(sorted)));
  if (known.size + keys.length > knownAccountsMax) known.clear();
  for (const key of keys) known.add(key);
}

/**
 * Queues the entries, all in one statement that is not awaited: it travels with what follows, at
 * the latest with COMMIT. The accounts must exist (`ensureAccounts`), else ConstraintViolation
 * `ledger_posting_account_id_not_null`; an entry to be corrected must be posted already, else
 * ConstraintViolation `ledger_entry_corrects_entry_fkey`.
 * @throws AssertionFailure when an entry does not balance.
 */
export function postEntries(tx: Tx, entries: readonly Entry[]): void {
  if (entries.length === 0) return;
  for (const entry of entries) assertBalanced(entry);
  const causes = new Set(entries.map(({ causeKey }) => causeKey));
  assert(causes.size === entries.length, 'two entries of one act have the same cause key');
  tx.send(postEntriesStatement(entries));
}
