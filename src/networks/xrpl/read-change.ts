// One transaction of a listing in JSON: what its metadata says it did to our account. The thread
// (PreviousTxnID) and the balance before and after make it a link of a chain (read-incomes.ts).

import {
  CAPITAL_HASH,
  type Fields,
  isFields,
  requireFields,
  requireHash,
  requireList,
  requireText,
  requireThat,
} from '#networks/answer-fields.ts';
import { type AccountPoint, isSameLink, readLink, type ThreadLink } from './read-account-root.ts';
import {
  requireDrops,
  requireLedgerIndex,
  requireUint32,
  requireValidated,
} from './xrpl-fields.ts';

export type AccountChange = {
  readonly hash: string;
  readonly ledger: bigint;
  readonly ledgerHash: string;
  /** Place within the ledger. */
  readonly order: number;
  /** What it found; undefined drops where the entry was only threaded. */
  readonly before: { readonly drops: bigint | undefined; readonly last: ThreadLink | undefined };
  /** What it left; undefined drops as above. An entry that was deleted has no last. */
  readonly after: { readonly drops: bigint | undefined; readonly isDeleted: boolean };
  readonly isSuccess: boolean;
  /** `delivered_amount` as it stands in the answer. */
  readonly delivered: unknown;
};

/** Undefined when the account's entry was left alone. @throws NodeLie */
export function readChange(record: Fields, rootIndex: string): AccountChange | undefined {
  requireValidated(record, 'a transaction');
  const meta = requireFields(record.meta, 'the metadata');
  const result = requireText(meta, 'TransactionResult');
  const isSuccess = result === 'tesSUCCESS';
  requireThat(isSuccess || /^tec[A-Z0-9_]{1,50}$/.test(result), `${result} is in no ledger`);
  const placed = {
    hash: requireHash(record.hash, 'hash', CAPITAL_HASH),
    ledger: requireLedgerIndex(record),
    ledgerHash: requireHash(record.ledger_hash, 'ledger_hash', CAPITAL_HASH),
    order: requireUint32(meta, 'TransactionIndex'),
    isSuccess,
    delivered: meta.delivered_amount,
  };
  const nodes = requireList(meta.AffectedNodes, 'AffectedNodes').flatMap((value) =>
    ourNode(value, rootIndex),
  );
  requireThat(nodes.length <= 1, 'a transaction changes the account twice');
  const [node] = nodes;
  return node === undefined ? undefined : { ...placed, ...readNode(node) };
}

type Node = { readonly kind: string; readonly fields: Fields };

function ourNode(value: unknown, rootIndex: string): Node[] {
  const [[kind, inner] = [], ...others] = Object.entries(requireFields(value, 'a changed entry'));
  requireThat(kind !== undefined && others.length === 0, 'a changed entry is malformed');
  const fields = requireFields(inner, 'a changed entry');
  if (requireHash(fields.LedgerIndex, 'LedgerIndex', CAPITAL_HASH) !== rootIndex) return [];
  requireThat(
    requireText(fields, 'LedgerEntryType') === 'AccountRoot',
    'the account is no account',
  );
  return [{ kind, fields }];
}

function readNode({ kind, fields }: Node): Pick<AccountChange, 'before' | 'after'> {
  switch (kind) {
    case 'CreatedNode': {
      const made = requireFields(fields.NewFields, 'a new account');
      return {
        before: { drops: 0n, last: undefined },
        after: { drops: requireDrops(made, 'Balance'), isDeleted: false },
      };
    }
    case 'ModifiedNode': {
      const last = readLink(fields);
      // Another entry that is tied to the account changed: the thread went on, nothing else.
      if (fields.FinalFields === undefined) {
        const untouched = { drops: undefined };
        return { before: { ...untouched, last }, after: { ...untouched, isDeleted: false } };
      }
      const drops = requireDrops(requireFields(fields.FinalFields, 'the account'), 'Balance');
      return {
        before: { drops: balanceBefore(fields, drops), last },
        after: { drops, isDeleted: false },
      };
    }
    case 'DeletedNode': {
      const final = requireFields(fields.FinalFields, 'a deleted account');
      const left = requireDrops(final, 'Balance');
      requireThat(left === 0n, 'a deleted account still holds something');
      return {
        before: { drops: balanceBefore(fields, left), last: readLink({ ...final, ...fields }) },
        after: { drops: 0n, isDeleted: true },
      };
    }
    default:
      requireThat(false, `${kind} is no change`);
  }
}

/** A balance that stayed as it was is not among the previous fields. */
function balanceBefore({ PreviousFields: previous }: Fields, after: bigint): bigint {
  if (!isFields(previous) || previous.Balance === undefined) return after;
  return requireDrops(previous, 'Balance');
}

/** The account after the change. @throws NodeLie when it does not begin where the account stood. */
export function applyChange(point: AccountPoint, change: AccountChange): AccountPoint {
  const { hash, ledger, before, after } = change;
  requireThat(
    isSameLink(before.last, point.last),
    `something happened to the account before ${hash} that is in no listing`,
  );
  requireThat(
    before.drops === undefined || before.drops === point.drops,
    `the account held ${point.drops} drops, not ${before.drops}, before ${hash}`,
  );
  if (after.isDeleted) return { drops: 0n, last: undefined };
  return { drops: after.drops ?? point.drops, last: { transaction: hash, ledger } };
}
