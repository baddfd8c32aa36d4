// What a merchant received, exchanged and sent away: worth, cost and gain of each.
import { timestamp } from '#base/instant.ts';
import { getAsset } from '#catalog/asset.ts';
import { getCurrency } from '#catalog/currency.ts';
import { amountToText } from '#money/asset-amount.ts';
import { walkedRows } from './read-walked.ts';
import { columns, type ReportRow, type ValuedReport } from './report.ts';
import type { WalkedRow } from './walk-holdings.ts';

export const gainsReport: ValuedReport = {
  name: 'gains',
  summary: 'What was received, exchanged and sent, each with its worth then, its cost and the gain',
  columns: columns(
    ...['time', 'entry', 'kind', 'subjectId', 'event', 'assetId', 'amount*', 'value*', 'valuedBy'],
    ...['priceTime', 'rates', 'cost*', 'amountWithoutCost*', 'gain*'],
    ...['amountLeft*', 'costLeft*', 'amountLeftWithoutCost*'],
  ),
  rows: (reader, request) => walkedRows(reader, request, gainRow),
};

function gainRow(row: WalkedRow, currency: string): ReportRow {
  const { entry, event, assetId, units, value, costed } = row;
  const { decimals } = getAsset(assetId);
  const shown = (some: bigint) => amountToText(some, decimals);
  const isHeld = event !== 'CONVERTED';
  return {
    time: timestamp(entry.occurredAt),
    entry: String(entry.id),
    kind: entry.kind,
    subjectId: entry.subjectId,
    event,
    assetId,
    amount: shown(units),
    value: worthText(value, currency),
    ...evidenceOf(row),
    cost: worthText(knownCost(row), currency),
    amountWithoutCost: shown(costed.unpricedUnits),
    gain: worthText(costed.gain, currency),
    amountLeft: isHeld ? shown(costed.unitsLeft) : null,
    costLeft: isHeld ? worthText(costed.costLeft, currency) : null,
    amountLeftWithoutCost: isHeld ? shown(costed.unpricedLeft) : null,
  };
}

/** Undefined where nothing is known of it: that is not nothing. */
export function knownCost({ units, costed }: WalkedRow): bigint | undefined {
  const isUnknown = costed.unpricedUnits !== 0n && costed.unpricedUnits === -units;
  return isUnknown ? undefined : costed.cost;
}

export function worthText(units: bigint | undefined, currency: string): string | null {
  return units === undefined ? null : amountToText(units, getCurrency(currency).decimals);
}

/** By which rows of prices, and of when the older one is. */
export function evidenceOf({ value, prices }: WalkedRow) {
  const rates = prices?.flatMap(({ rate }) => (rate === undefined ? [] : [rate])) ?? [];
  const [first] = rates.map(({ observedAt }) => observedAt).toSorted(Temporal.Instant.compare);
  const isByPrice = value !== undefined && prices !== undefined;
  const byItself = value === undefined ? 'NO_PRICE' : 'CURRENCY';
  return {
    valuedBy: isByPrice ? 'STORED_PRICE' : byItself,
    priceTime: first === undefined ? null : timestamp(first),
    rates: rates.length === 0 ? null : rates.map(({ id }) => id).join(' '),
  };
}
