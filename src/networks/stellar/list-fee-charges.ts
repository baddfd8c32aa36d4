// What our account was charged for transactions, failed ones too: no effect tells. Fee account and
// hash are those of the signed envelope; that the amounts are right is shown by the balance.
import { type Fields, requireText } from '#networks/answer-fields.ts';
import type { Horizon } from './horizon.ts';
import { integerFrom, ledgerOf, requireInteger } from './horizon-fields.ts';
import { listParts } from './list-pages.ts';
import { readFeeCharge } from './read-transaction.ts';

export type FeeCharge = {
  readonly ledger: bigint;
  readonly transaction: string;
  /** Stroops, above zero. */
  readonly units: bigint;
};

/** Those above a ledger, and up to the last. Asked only when somebody wants to know. */
export type FeeCharges = (after: bigint) => Promise<readonly FeeCharge[]>;

type ChargedAccount = {
  readonly horizon: Horizon;
  readonly account: string;
  readonly networkId: string;
};

export function openFeeCharges(charged: ChargedAccount, upTo: bigint): FeeCharges {
  const { horizon, account } = charged;
  const known = new Map<bigint, Promise<readonly FeeCharge[]>>();
  const listAbove = async (after: bigint) => {
    const listing = {
      horizon,
      path: `/accounts/${account}/transactions`,
      query: { include_failed: true },
      after,
      upTo,
      read: (record: Fields) => readRecord(record, charged),
    };
    const charges: FeeCharge[] = [];
    for await (const { items } of listParts(listing)) {
      for (const { ledger, charge } of items) {
        if (charge !== undefined && charge.units > 0n) charges.push({ ledger, ...charge });
      }
    }
    return charges;
  };
  return (after) => known.getOrInsertComputed(after, listAbove);
}

function readRecord(record: Fields, { account, networkId }: ChargedAccount) {
  const ledger = ledgerOf(requireInteger(record, 'paging_token'));
  // Older Horizons write it as a number.
  const units = integerFrom(String(record.fee_charged), 'fee_charged');
  if (requireText(record, 'fee_account') !== account) return { ledger, charge: undefined };
  const transaction = readFeeCharge(record, { account, units, ledger }, networkId);
  return { ledger, charge: { transaction, units } };
}
