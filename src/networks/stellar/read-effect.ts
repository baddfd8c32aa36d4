// From the effects of our account to what moved in its balances.

import { type Fields, requireText, requireThat } from '#networks/answer-fields.ts';
import { integerFrom, ledgerOf, requireAssetId, requireUnits } from './horizon-fields.ts';

export type Movement = {
  readonly operationId: bigint;
  readonly ledger: bigint;
  /** Number of the effect within the operation. */
  readonly order: bigint;
  /**
   * A trade is one of a standing offer, or a step of a path payment of ours, whose ends are a debit
   * and a credit beside it. Nothing: an effect that moves no money.
   */
  readonly kind: 'credit' | 'debit' | 'trade' | 'nothing';
  /** Signed changes by asset. */
  readonly changes: readonly { readonly assetId: string; readonly units: bigint }[];
};

const NATIVE = 'XLM:NATIVE';

/** @throws NodeLie when the effect is malformed or of another account. */
export function readEffect(record: Fields, account: string): Movement {
  const token = requireText(record, 'paging_token');
  const [, operation = '', number = ''] = /^(\d{1,19})-(\d{1,10})$/.exec(token) ?? [];
  requireThat(operation !== '', 'an effect has no place');
  const operationId = integerFrom(operation, 'an effect');
  const order = integerFrom(number, 'an effect');
  const id = `${operation.padStart(19, '0')}-${number.padStart(10, '0')}`;
  requireThat(requireText(record, 'id') === id, `effect ${token} is misplaced`);
  requireThat(requireText(record, 'account') === account, `effect ${token} is of another account`);
  const base = { operationId, ledger: ledgerOf(operationId), order };
  const { type } = record;
  if (type === 'account_created') {
    const units = requireUnits(record, 'starting_balance');
    return { ...base, kind: 'credit', changes: [{ assetId: NATIVE, units }] };
  }
  if (type === 'account_credited' || type === 'account_debited') {
    const isCredit = type === 'account_credited';
    const units = requireUnits(record, 'amount');
    const change = { assetId: requireAssetId(record), units: isCredit ? units : -units };
    return { ...base, kind: isCredit ? 'credit' : 'debit', changes: [change] };
  }
  if (type === 'trade') {
    const sold = requireUnits(record, 'sold_amount');
    const bought = requireUnits(record, 'bought_amount');
    const changes = [
      { assetId: requireAssetId(record, 'sold_'), units: -sold },
      { assetId: requireAssetId(record, 'bought_'), units: bought },
    ];
    return { ...base, kind: 'trade', changes };
  }
  requireThat(typeof type === 'string', `effect ${token} has no type`);
  return { ...base, kind: 'nothing', changes: [] };
}
