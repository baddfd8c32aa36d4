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
 * Which of the accounts this process has not seen yet. An act that finds some inside its
 * transaction gives up, calls `ensureAccounts` and begins again: two connections at once for one
 * act would starve the pool.
 */
export function findUnknownAccounts(db: Db, accounts: readonly Account[]): Account[] {
  const known = knownAccounts.get(db);
  const unknown = new Map<string, Account>();
  for (const account of accounts) {
    const key = keyOf(account);
    if (known?.has(key) !== true) unknown.set(key, account);
  }
  return [...unknown.values()];
}

/**
 * Makes sure that the accounts exist, outside any other transaction. Costs nothing when this
 * process has seen them. To be awaited before `transact`, with every account that its entries may
 * touch.
 */
export async function ensureAccounts(db: Db, accounts: readonly Account[]): Promise<void> {
  const unknown = findUnknownAccounts(db, accounts);
  if (unknown.length === 0) return;
  // Sorted, so that two processes that create the same accounts do not wait for each other
  // crosswise.
  const sorted = unknown.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
  await db.single((tx) => tx.query(createAccountsStatement(sorted)));
  const known = knownAccounts.get(db) ?? new Set();
  knownAccounts.set(db, known);
  if (known.size + sorted.length > knownAccountsMax) known.clear();
  for (const account of sorted) known.add(keyOf(account));
}

function keyOf({ environment, merchantId, code, assetId }: Account): string {
  return JSON.stringify([environment, merchantId ?? '', code, assetId]);
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
