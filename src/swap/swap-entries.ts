// The posting of a swap: two legs over the exchange accounts, each balanced in its own asset (L8).
// Debit positive, credit negative; docs/money.md has the chart of accounts.
import type { Entry, EntryPosting } from '#ledger/ledger-entry.ts';
import type { Swap } from './swap.ts';

export function swapEntry(swap: Swap, occurredAt: Temporal.Instant): Entry {
  const { merchantId, sourceAssetId, targetAssetId, sourceUnits, targetUnits, feeUnits } = swap;
  const available = { merchantId, code: 'merchant:available' as const };
  const exchange = { code: 'exchange' as const };
  const postings: EntryPosting[] = [
    { account: available, assetId: sourceAssetId, units: sourceUnits },
    { account: exchange, assetId: sourceAssetId, units: -sourceUnits },
    { account: exchange, assetId: targetAssetId, units: targetUnits + feeUnits },
    { account: available, assetId: targetAssetId, units: -targetUnits },
    { account: { code: 'fees' }, assetId: targetAssetId, units: -feeUnits },
  ];
  return {
    causeKey: `swap:${swap.id}`,
    kind: 'swap',
    environment: swap.environment,
    merchantId,
    subjectId: swap.id,
    evidence: swap.rates,
    occurredAt,
    postings: postings.filter(({ units }) => units !== 0n),
  };
}
