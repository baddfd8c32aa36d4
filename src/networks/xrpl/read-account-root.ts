// The AccountRoot entry of our account at the end of one ledger: what it holds, and which
// transaction changed it last (PreviousTxnID, the thread of an entry).
import {
  CAPITAL_HASH,
  type Fields,
  requireFields,
  requireHash,
  requireText,
  requireThat,
} from '#networks/answer-fields.ts';
import {
  requireDrops,
  requireLedgerIndex,
  requireUint32,
  requireValidated,
} from './xrpl-fields.ts';

/** Where the thread of the account stands. An account that does not exist holds nothing. */
export type AccountPoint = {
  readonly drops: bigint;
  /** The transaction that changed the entry last, and its ledger; undefined: no entry. */
  readonly last: ThreadLink | undefined;
};

export type ThreadLink = { readonly transaction: string; readonly ledger: bigint };

export type AccountRoot = {
  readonly point: AccountPoint;
  readonly exists: boolean;
  readonly requiresTag: boolean;
  /** Only senders that were authorised before can pay it (DepositAuth). */
  readonly refusesDeposits: boolean;
  /** Wallets are asked not to send XRP (DisallowXRP). */
  readonly disallowsXrp: boolean;
};

export const NO_ACCOUNT_ROOT: AccountRoot = {
  point: { drops: 0n, last: undefined },
  exists: false,
  requiresTag: false,
  refusesDeposits: false,
  disallowsXrp: false,
};

/** Flags of AccountRoot (xrpl.org, AccountRoot Flags). */
const REQUIRE_DEST_TAG = 0x0002_0000;
const DISALLOW_XRP = 0x0008_0000;
const DEPOSIT_AUTH = 0x0100_0000;

export type AskedAccount = { readonly account: string; readonly rootIndex: string };
type AskedLedger = { readonly height: bigint; readonly hash: string };

/** @throws NodeLie when the answer is malformed, of another account or of another ledger. */
export function readAccountRoot(
  answer: Fields | undefined,
  { account, rootIndex }: AskedAccount,
  ledger: AskedLedger | undefined,
): AccountRoot {
  if (answer === undefined) return NO_ACCOUNT_ROOT;
  requireValidated(answer, 'the account');
  if (ledger !== undefined) {
    requireThat(requireLedgerIndex(answer) === ledger.height, 'the account is of another ledger');
    requireThat(
      requireHash(answer.ledger_hash, 'ledger_hash', CAPITAL_HASH) === ledger.hash,
      'the account is of a fork',
    );
  }
  const root = requireFields(answer.account_data, 'the account');
  requireThat(requireText(root, 'LedgerEntryType') === 'AccountRoot', 'the entry is no account');
  requireThat(
    requireText(root, 'Account') === account &&
      requireHash(root.index, 'index', CAPITAL_HASH) === rootIndex,
    'the answer is of another account',
  );
  const flags = requireUint32(root, 'Flags');
  const has = (flag: number) => (flags & flag) !== 0;
  return {
    point: {
      drops: requireDrops(root, 'Balance'),
      last: readLink(root),
    },
    exists: true,
    requiresTag: has(REQUIRE_DEST_TAG),
    refusesDeposits: has(DEPOSIT_AUTH),
    disallowsXrp: has(DISALLOW_XRP),
  };
}

export function readLink(fields: Fields): ThreadLink {
  return {
    transaction: requireHash(fields.PreviousTxnID, 'PreviousTxnID', CAPITAL_HASH),
    ledger: requireLedgerIndex(fields, 'PreviousTxnLgrSeq'),
  };
}

export function isSamePoint(one: AccountPoint, other: AccountPoint): boolean {
  return one.drops === other.drops && isSameLink(one.last, other.last);
}

export function isSameLink(one: ThreadLink | undefined, other: ThreadLink | undefined): boolean {
  return one?.transaction === other?.transaction && one?.ledger === other?.ledger;
}
