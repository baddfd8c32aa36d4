// Rows of a report that is told of holdings.
import type { Reader } from '#db/db.ts';
import {
  afterOf,
  BEGINNING,
  isLater,
  type PlacedRow,
  type ReportRow,
  type ValuedRequest,
} from './report.ts';
import { type WalkedRow, walkHoldings } from './walk-holdings.ts';

/** Those of the period, after the cursor; `rowOf` gives undefined for what is not shown. */
export async function* walkedRows(
  reader: Reader,
  request: ValuedRequest,
  rowOf: (walked: WalkedRow, currency: string) => ReportRow | undefined,
): AsyncGenerator<PlacedRow> {
  const { from = BEGINNING, to, currency } = request;
  for await (const walked of walkHoldings(reader, request, request, to)) {
    const { entry, position } = walked;
    if (isLater(from, entry.occurredAt) || !isAfter(request, walked)) continue;
    const row = rowOf(walked, currency);
    const place = { at: entry.occurredAt, id: `${entry.id}x${position}` };
    if (row !== undefined) yield { row, place };
  }
}

function isAfter(request: ValuedRequest, { entry, position }: WalkedRow): boolean {
  if (request.cursor === undefined) return true;
  const after = afterOf(request);
  const order = Temporal.Instant.compare(entry.occurredAt, after.at);
  if (order !== 0) return order > 0;
  return entry.id === after.entry ? position > after.position : entry.id > after.entry;
}
