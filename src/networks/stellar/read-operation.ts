// From an operation record of Horizon (listing of payments, joined with transactions) to what it
// gave to our account. The XDR says what happened; the JSON must say the same.

import type { ClaimableLeft } from '#deposit/network.ts';
import {
  type Fields,
  requireFields,
  requireHash,
  requireText,
  requireThat,
} from '#networks/answer-fields.ts';
import { ledgerOf, requireAssetId, requireInteger, requireUnits } from './horizon-fields.ts';
import { memoNumberOf } from './memo-number.ts';
import {
  type OperationDelivery,
  type ReadTransaction,
  readTransaction,
} from './read-transaction.ts';
import { receiverDestination } from './receiver-destination.ts';

export type Income = {
  /** Operation id; of a contract call with the number of the balance change (money.md). */
  readonly creditKey: string;
  readonly operationId: bigint;
  readonly transaction: string;
  /** The number that names a customer; undefined when there is none that counts. */
  readonly memo: string | undefined;
  readonly assetId: string;
  readonly units: bigint;
  /** True from our account to itself: nothing was earned, but the operation has effects. */
  readonly isOwn: boolean;
  /** The id of the balance that our account fetched. */
  readonly fetched?: string | undefined;
};

/** What an operation of our account was signed to give to somebody else. */
type Sent = {
  /** With the memo (receiver-destination.ts). */
  readonly destination: string;
  readonly assetId: string;
  readonly units: bigint;
};

export type ReadOperation = {
  readonly id: bigint;
  readonly ledger: bigint;
  readonly type: string;
  readonly transaction: string;
  /** Undefined where it has no receiver, or none that can be read. */
  readonly sent?: Sent | undefined;
  /** Where what it left for a receiver lies. */
  readonly claimable?: ClaimableLeft | undefined;
  /** The id of the balance that our account fetched by it. */
  readonly fetched?: string | undefined;
  readonly incomes: readonly Income[];
  /**
   * Of an operation that cannot be read, and whose amount its record does not say: what its effects
   * gave us came by this transaction, to nobody in particular.
   */
  readonly isUntold?: boolean;
};

/** Operations that give something to an account they name, and where the JSON says to whom. */
const RECEIVER_FIELD: Readonly<Record<string, string>> = {
  create_account: 'account',
  payment: 'to',
  path_payment_strict_receive: 'to',
  path_payment_strict_send: 'to',
  account_merge: 'into',
};

const CONTRACT_CALL = 'invoke_host_function';
const UINT64_MAX = 2n ** 64n - 1n;

export function isPaymentType(type: string): boolean {
  return type in RECEIVER_FIELD;
}

/** @throws NodeLie when the record, its transaction and their XDR do not say the same. */
export function readOperation(record: Fields, account: string, networkId: string): ReadOperation {
  const id = requireInteger(record, 'id');
  const ledger = ledgerOf(id);
  const type = requireText(record, 'type');
  const what = `operation ${id}`;
  requireThat(requireInteger(record, 'paging_token') === id, `${what} is misplaced`);
  requireThat(record.transaction_successful === true, `${what} did not succeed`);
  const joined = requireFields(record.transaction, `the transaction of ${what}`);
  requireThat(
    requireHash(joined.hash, 'hash') === requireHash(record.transaction_hash, 'transaction_hash') &&
      requireInteger(joined, 'paging_token') === (id & ~0xfffn),
    `${what} comes with another transaction`,
  );
  const transaction = readTransaction(joined, ledger, networkId);
  const index = Number(id & 0xfffn) - 1;
  requireThat(index >= 0, `${what} has no number`);
  const given = transaction.deliveryAt(index);
  const base = { id, ledger, type, transaction: transaction.hash };
  if (!transaction.isReadable) {
    const incomes = unreadableIncomes(record, account, id, transaction);
    if (incomes !== undefined) return { ...base, incomes };
    return { ...base, incomes: [], isUntold: true };
  }
  if (type === CONTRACT_CALL) {
    requireThat(given === undefined, `${what} is no ${type}`);
    return { ...base, incomes: contractIncomes(record, account, id, transaction) };
  }
  requireThat(isPaymentType(type) === (given !== undefined), `${what} is no ${type}`);
  const sent = sentAt(transaction, index, account);
  if (given === undefined) {
    const fetched = transaction.fetchedAt(index);
    return {
      ...{ ...base, incomes: [], sent, claimable: transaction.claimableAt(index) },
      fetched: fetched?.source === account ? fetched.id : undefined,
    };
  }
  requireSame(record, given, what);
  if (given.destination !== account || given.units === 0n) return { ...base, incomes: [], sent };
  const income: Income = {
    creditKey: id.toString(),
    operationId: id,
    transaction: transaction.hash,
    memo: memoNumberOf(transaction.memo, given.muxedId),
    assetId: given.assetId,
    units: given.units,
    isOwn: given.source === account,
  };
  return { ...base, incomes: [income] };
}

function sentAt(transaction: ReadTransaction, index: number, account: string): Sent | undefined {
  const sent = transaction.sentAt(index);
  if (sent?.source !== account || sent.destination === account) return undefined;
  const { destination, muxedId, assetId, units } = sent;
  const receiver = { account: destination, muxedId };
  return { destination: receiverDestination(receiver, transaction.memo), assetId, units };
}

/**
 * As Horizon tells it, to nobody in particular; the effect must say the same amount. Undefined
 * where the record says no amount: of an account merge, and of what is not known here.
 */
function unreadableIncomes(
  record: Fields,
  account: string,
  operationId: bigint,
  read: ReadTransaction,
): Income[] | undefined {
  const { hash: transaction } = read;
  const type = requireText(record, 'type');
  // Nothing that was signed is known, so no number of a customer counts.
  if (type === CONTRACT_CALL) return contractIncomes(record, account, operationId, read);
  if (type !== 'payment' && !type.startsWith('path_payment')) return undefined;
  if (requireText(record, 'to') !== account) return [];
  const [assetId, units] = [requireAssetId(record), requireUnits(record, 'amount')];
  const isOwn = requireText(record, 'from') === account;
  const creditKey = operationId.toString();
  return [{ creditKey, operationId, transaction, memo: undefined, assetId, units, isOwn }];
}

/** An account merge says no amount in JSON; its effect does. */
function requireSame(record: Fields, given: OperationDelivery, what: string): void {
  const type = requireText(record, 'type');
  const receiver = requireText(record, RECEIVER_FIELD[type] ?? '');
  requireThat(receiver === given.destination, `${what} goes to another account than it says`);
  if (type === 'account_merge') return;
  const isCreation = type === 'create_account';
  const units = requireUnits(record, isCreation ? 'starting_balance' : 'amount');
  requireThat(units === given.units, `${what} has another amount than it says`);
  if (isCreation) return;
  requireThat(requireAssetId(record) === given.assetId, `${what} is of another asset than it says`);
}

/**
 * A contract moved a classic asset to our account. There is no memo; the number arrives in the
 * muxed id of the event (CAP-67), and counts when it stands in what was signed.
 */
function contractIncomes(
  record: Fields,
  account: string,
  id: bigint,
  transaction: ReadTransaction,
): Income[] {
  const changes = record.asset_balance_changes ?? [];
  requireThat(Array.isArray(changes), `operation ${id} has malformed balance changes`);
  return changes.flatMap((value: unknown, index): Income[] => {
    const change = requireFields(value, 'a balance change');
    const kind = requireText(change, 'type');
    if (change.to !== account || (kind !== 'transfer' && kind !== 'mint')) return [];
    const number = numberIn(change.destination_muxed_id);
    const isSigned = number !== undefined && transaction.names(Number(id & 0xfffn) - 1, number);
    const units = requireUnits(change, 'amount');
    if (units === 0n) return [];
    return [
      {
        creditKey: `${id}:${index}`,
        operationId: id,
        transaction: transaction.hash,
        memo: memoNumberOf({ kind: 'none' }, isSigned ? number : undefined),
        assetId: requireAssetId(change),
        units,
        isOwn: change.from === account,
      },
    ];
  });
}

/**
 * The number of a contract call, which its caller chooses: 64 bits, bytes or a text. Undefined
 * where it names no customer.
 */
function numberIn(value: unknown): bigint | undefined {
  if (typeof value !== 'string' || !/^(?:0|[1-9]\d{0,19})$/.test(value)) return undefined;
  const number = BigInt(value);
  return number <= UINT64_MAX ? number : undefined;
}
