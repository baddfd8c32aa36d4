// What the receipts of a deposit address mean. A pure function of the stored facts: each final
// receipt is credited once a generation, in the asset that was asked for; what the chain lost is
// taken back like a checkout's (money.md).

import { assert } from '#base/assert.ts';
import { hasLiveCredit, type Receipt } from '#chain/receipt.ts';
import { divideUnits } from '#money/rate.ts';
import type { DepositAddress, DepositCredit } from './deposit-address.ts';

const PARTS_PER_MILLION = 1_000_000n;

export type DepositDecision = {
  readonly credits: readonly { readonly receipt: Receipt; readonly credit: DepositCredit }[];
  readonly reversals: readonly { readonly receipt: Receipt; readonly credit: DepositCredit }[];
  /** Seen and not final yet, in the right asset: to be told once a generation. */
  readonly pending: readonly Receipt[];
  /**
   * Payments that vanished and were never credited. If they were announced as pending, that is
   * withdrawn.
   */
  readonly withdrawn: readonly Receipt[];
};

/** `credits`: those of the receipts that were not taken back. */
export function decideDeposits(
  address: Pick<DepositAddress, 'assetId' | 'feePartsPerMillion'>,
  receipts: readonly Receipt[],
  credits: readonly DepositCredit[],
): DepositDecision {
  const due = receipts.filter(({ reversalDue }) => reversalDue);
  return {
    credits: receipts
      .filter(({ status }) => status === 'FINAL')
      .filter(({ creditedGeneration, generation }) => creditedGeneration !== generation)
      .map((receipt) => ({ receipt, credit: creditOf(address, receipt) })),
    reversals: due.map((receipt) => {
      const { id, generation } = receipt;
      const credit = credits.find((one) => one.receiptId === id && one.generation === generation);
      assert(credit !== undefined, 'what is reversed was credited');
      return { receipt, credit };
    }),
    pending: receipts
      .filter(({ status }) => status === 'SEEN' || status === 'INCLUDED')
      .filter((receipt) => receipt.assetId === address.assetId && !hasLiveCredit(receipt))
      // Taken back, and not seen again since.
      .filter(({ reversedGeneration, generation }) => reversedGeneration !== generation),
    withdrawn: receipts.filter(
      ({ status, creditedGeneration, generation }) =>
        status === 'GONE' && creditedGeneration !== generation,
    ),
  };
}

/** The net amount rounds down, the fee is the difference. */
function creditOf(
  { assetId, feePartsPerMillion }: Pick<DepositAddress, 'assetId' | 'feePartsPerMillion'>,
  receipt: Receipt,
): DepositCredit {
  const { units } = receipt;
  const isAsked = receipt.assetId === assetId;
  const keep = PARTS_PER_MILLION - BigInt(feePartsPerMillion);
  const netUnits = isAsked ? divideUnits(units * keep, PARTS_PER_MILLION, 'down') : units;
  return {
    receiptId: receipt.id,
    generation: receipt.generation,
    assetId: receipt.assetId,
    units,
    netUnits,
    feeUnits: units - netUnits,
    account: isAsked ? 'available' : 'suspense',
  };
}
