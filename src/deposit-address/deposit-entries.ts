// The postings of money that arrives at a deposit address. Debit positive, credit negative
// (docs/money.md). Pure; every entry is balanced.

import { type Entry, type EntryPosting, reverseEntries } from '#ledger/ledger-entry.ts';
import type { DepositAddress, DepositCredit } from './deposit-address.ts';

/** The cause key makes crediting a receipt twice impossible, whatever it was paid for (L7). */
export function depositEntry(
  address: DepositAddress,
  credit: DepositCredit,
  occurredAt: Temporal.Instant,
): Entry {
  const { merchantId, network } = address;
  const { assetId } = credit;
  const placed: EntryPosting[] =
    credit.account === 'suspense'
      ? [{ account: { code: `suspense:${network}` }, assetId, units: -credit.units }]
      : [
          {
            account: { merchantId, code: 'merchant:available' },
            assetId,
            units: -credit.netUnits,
          },
          { account: { code: 'fees' }, assetId, units: -credit.feeUnits },
        ];
  return {
    causeKey: `receipt:${credit.receiptId}:${credit.generation}`,
    kind: `deposit-${credit.account}`,
    environment: address.environment,
    merchantId,
    subjectId: address.id,
    occurredAt,
    postings: [
      { account: { code: `custody:${network}` }, assetId, units: credit.units },
      ...placed.filter(({ units }) => units !== 0n),
    ],
  };
}

/** The exact negation, after the chain lost the receipt. The merchant may fall below zero. */
export function depositReversal(
  address: DepositAddress,
  credit: DepositCredit,
  occurredAt: Temporal.Instant,
): Entry[] {
  return reverseEntries([depositEntry(address, credit, occurredAt)], {
    kind: 'deposit-reversal',
    cause: 'reorganisation',
    occurredAt,
  });
}
