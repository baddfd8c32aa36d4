// What a merchant received, exchanged and sent away: worth, cost and gain of each.
import { timestamp } from '#base/instant.ts';
import { getAsset } from '#catalog/asset.ts';
import { getCurrency } from '#catalog/currency.ts';
import type { Reader } from '#db/db.ts';
import { amountToText } from '#money/asset-amount.ts';
import { walkedRows } from './read-walked.ts';
import {
  BEGINNING,
  columns,
  isLater,
  type ReportRow,
  type ValuedReport,
  type ValuedRequest,
} from './report.ts';
import { type WalkedRow, walkHoldings } from './walk-holdings.ts';

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

export type GainsOfMonth = {
  readonly month: Temporal.PlainYearMonth;
  /** Units of the currency; below zero for a loss. */
  readonly gain: bigint;
  /** Acts of it that gained, lost, or of which that is not known. */
  readonly count: number;
  /** Of these where a price was not stored. */
  readonly unknown: number;
};

/** Months in UTC, oldest first, of those in which something was gained, lost, or is not known. */
export async function sumGains(
  reader: Reader,
  request: Omit<ValuedRequest, 'cursor'>,
): Promise<GainsOfMonth[]> {
  const { from = BEGINNING, to } = request;
  const months = new Map<string, { gain: bigint; count: number; unknown: number }>();
  for await (const row of walkHoldings(reader, request, request, to)) {
    const { occurredAt } = row.entry;
    const { gain } = row.costed;
    const isUnknown = EXCHANGES.includes(row.event) && gain === undefined;
    if (isLater(from, occurredAt) || (gain === undefined && !isUnknown)) continue;
    const month = occurredAt.toString().slice(0, 'yyyy-mm'.length);
    const sum = months.get(month) ?? { gain: 0n, count: 0, unknown: 0 };
    sum.count += 1;
    sum.gain += gain ?? 0n;
    sum.unknown += isUnknown ? 1 : 0;
    months.set(month, sum);
  }
  return [...months].map(([month, sum]) => ({
    ...sum,
    month: Temporal.PlainYearMonth.from(month),
  }));
}

/** What has a gain where prices are known. */
const EXCHANGES: readonly WalkedRow['event'][] = ['SOLD', 'CONVERTED'];
