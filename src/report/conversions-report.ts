// Every exchange of one asset for another, with its worth when it was received and when it went.
import { timestamp } from '#base/instant.ts';
import { getAsset } from '#catalog/asset.ts';
import { amountToText } from '#money/asset-amount.ts';
import { evidenceOf, knownCost, worthText } from './gains-report.ts';
import { walkedRows } from './read-walked.ts';
import { columns, type ReportRow, type ValuedReport } from './report.ts';
import type { WalkedRow } from './walk-holdings.ts';

/** What came back of one that a reorganisation undid is a row with the opposite signs. */
export const conversionsReport: ValuedReport = {
  name: 'conversions',
  summary: 'Every exchange of one asset for another, with its worth at receipt and at disposal',
  columns: columns(
    ...['time', 'entry', 'kind', 'subjectId', 'sourceAssetId', 'sourceAmount*', 'targetAssetId'],
    ...['targetAmount*', 'fee*', 'netAmount*', 'valueAtReceipt*', 'amountWithoutCost*'],
    ...['valueAtDisposal*', 'valuedBy', 'priceTime', 'rates', 'gain*'],
  ),
  rows: (reader, request) => walkedRows(reader, request, conversionRow),
};

function conversionRow(row: WalkedRow, currency: string): ReportRow | undefined {
  const { entry, assetId, units, value, costed, received } = row;
  if (received === undefined) return undefined;
  const sign = units > 0n ? -1n : 1n;
  const bought = (some: bigint) => amountToText(sign * some, getAsset(received.assetId).decimals);
  const given = (some: bigint) => amountToText(some, getAsset(assetId).decimals);
  return {
    time: timestamp(entry.occurredAt),
    entry: String(entry.id),
    kind: entry.kind,
    subjectId: entry.subjectId,
    sourceAssetId: assetId,
    sourceAmount: given(-units),
    targetAssetId: received.assetId,
    targetAmount: bought(received.exchangedUnits),
    fee: bought(received.feeUnits),
    netAmount: bought(received.units),
    valueAtReceipt: worthText(knownCost(row), currency),
    amountWithoutCost: given(costed.unpricedUnits),
    valueAtDisposal: worthText(value, currency),
    ...evidenceOf(row),
    gain: worthText(costed.gain, currency),
  };
}
