// A batch of postings for DATEV (EXTF "Buchungsstapel", header 700, format 13), of one currency:
// each line of the ledger is booked against one clearing account, so that an entry of many lines
// needs no splitting. Guarantees: over the file each account moved by exactly what the ledger says,
// and clearing by the rest of every entry. Not told: balances of before, which the program of the
// adviser carries forward itself. Fields after developer.datev.de, "DATEV-Format": header, and
// booking batch.
import { Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { powerOfTen } from '#money/rounding.ts';
import { DATEV_COLUMNS } from './datev-columns.ts';
import type { DatevSettings } from './datev-settings.ts';
import type { JournalEntry } from './journal.ts';

const AMOUNT_DIGITS_MOST = 12;
const AMOUNT_DECIMALS = 2;
const TEXT_LENGTH = 60;

type Batch = {
  readonly settings: DatevSettings;
  readonly assetId: string;
  readonly from: Temporal.PlainDate;
  /** The last day that is told. */
  readonly until: Temporal.PlainDate;
  readonly entries: readonly JournalEntry[];
  readonly writtenAt: Temporal.Instant;
};

/** Every sign is of Windows-1252, in which DATEV reads it. @throws Refusal (invalid) */
export function datevText(batch: Batch): string {
  const { settings, assetId, entries } = batch;
  const rows = entries.flatMap((entry) =>
    entry.lines.flatMap(({ code, assetId: other, units }) => {
      const account = settings.accounts.get(code);
      // What is booked on clearing itself is the rest of the others.
      if (other !== assetId || units === 0n || account === undefined) return [];
      return [rowOf(batch, entry, account, units)];
    }),
  );
  return [headerOf(batch), DATEV_COLUMNS, ...rows]
    .map((fields) => `${fields.join(';')}\r\n`)
    .join('');
}

function headerOf({ settings, assetId, from, until, writtenAt }: Batch): string[] {
  const { consultant, client, fiscalYear, accountLength, chart } = settings;
  const created = writtenAt.toString({ smallestUnit: 'millisecond' }).replaceAll(/\D/g, '');
  return [
    ...['"EXTF"', '700', '21', quoted('Buchungsstapel'), '13', created, '', quoted('QT')],
    ...[quoted(''), quoted(''), consultant, client, dateOf(fiscalYear), String(accountLength)],
    ...[dateOf(from), dateOf(until), quoted('Quittance'), quoted('')],
    // Bookkeeping of finance, no purpose of its own, not fixed: the adviser fixes it.
    ...['1', '0', '0', quoted(getAsset(assetId).assetCode), '', quoted(''), '', ''],
    ...[quoted(chart.slice(-2)), '', '', quoted(''), quoted('')],
  ];
}

function rowOf(
  { settings, assetId }: Batch,
  { id, kind, subjectId, occurredAt }: JournalEntry,
  account: string,
  units: bigint,
): string[] {
  const { assetCode, decimals } = getAsset(assetId);
  const hundredths = (units < 0n ? -units : units) * powerOfTen(AMOUNT_DECIMALS - decimals);
  const digits = String(hundredths).padStart(AMOUNT_DECIMALS + 1, '0');
  if (digits.length > AMOUNT_DIGITS_MOST) {
    throw new Refusal('invalid', 'validation_failed', [
      `entry ${id}: DATEV has no room for amounts above 9999999999,99`,
    ]);
  }
  const [, month, day] = occurredAt.toString().slice(0, 10).split('-');
  const text = `${kind} ${subjectId ?? ''}`.trim().slice(0, TEXT_LENGTH);
  const row: readonly string[] = [
    `${digits.slice(0, -AMOUNT_DECIMALS)},${digits.slice(-AMOUNT_DECIMALS)}`,
    // More of the merchant's is a debit (Soll).
    quoted(units > 0n ? 'S' : 'H'),
    quoted(assetCode),
    ...['', '', quoted(''), account, settings.clearing, quoted(''), `${day}${month}`],
    ...[quoted(String(id)), quoted(''), '', quoted(text)],
  ];
  return DATEV_COLUMNS.map((_, index) => row[index] ?? '');
}

function dateOf(date: Temporal.PlainDate): string {
  return date.toString().replaceAll('-', '');
}

/** Kinds and ids are letters, digits, colons and hyphens; whatever else is left out. */
function quoted(text: string): string {
  return `"${text.replaceAll(/[^A-Za-z0-9 :.,/-]/g, ' ')}"`;
}
