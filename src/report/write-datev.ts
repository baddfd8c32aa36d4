// The ledger of a merchant for a tax adviser who has DATEV: one currency, within one fiscal year.

import { Refusal } from '#base/refusal.ts';
import { FIAT_ISSUER, getAsset } from '#catalog/asset.ts';
import type { Reader } from '#db/db.ts';
import { powerOfTen } from '#money/rounding.ts';
import { type JournalEntry, readJournal } from './journal.ts';
import type { ReportRequest } from './report.ts';
import { isBankMoney } from './write-books.ts';

type DatevRequest = Omit<ReportRequest, 'cursor'> & {
  /** Of a bank: EUR:FIAT. */
  readonly assetId: string | undefined;
};

/**
 * Days are those of UTC, as in every report. Without a beginning or an end: those of the fiscal
 * year. @throws Refusal (invalid) of a period outside of the fiscal year, of money that is no
 * currency, or of more than `limit` entries.
 */
export async function writeDatev(
  reader: Reader,
  request: DatevRequest,
  settings: DatevSettings,
  now: Temporal.Instant,
): Promise<string> {
  const { assetId, limit } = request;
  if (assetId === undefined || !isBankMoney(assetId) || getAsset(assetId).decimals > 2) {
    throw new Refusal('invalid', 'asset_required', [
      `--asset: DATEV books money of banks with two digits after the point, such as EUR:${FIAT_ISSUER}`,
    ]);
  }
  const begins = instantOf(settings.fiscalYear);
  const ends = instantOf(settings.fiscalYear.add({ years: 1 }));
  const { from = begins, to = ends } = request;
  const isWithin =
    Temporal.Instant.compare(begins, from) <= 0 &&
    Temporal.Instant.compare(from, to) < 0 &&
    Temporal.Instant.compare(to, ends) <= 0;
  if (!isWithin) {
    throw new Refusal('invalid', 'validation_failed', [
      `--from and --to: a batch lies within one fiscal year, ${begins} to ${ends}`,
    ]);
  }
  const asked = { ...request, from, to, cursor: undefined };
  const { journal, nextCursor } = await readJournal(reader, asked, now);
  if (nextCursor !== null) {
    throw new Refusal('invalid', 'validation_failed', [
      `more than ${limit} entries: narrow the period`,
    ]);
  }
  return datevText({
    settings,
    assetId,
    from: dayOf(from),
    until: dayOf(to.subtract({ nanoseconds: 1 })),
    entries: journal.entries,
    writtenAt: now,
  });
}

function instantOf(day: Temporal.PlainDate): Temporal.Instant {
  return day.toZonedDateTime('UTC').toInstant();
}

function dayOf(instant: Temporal.Instant): Temporal.PlainDate {
  return instant.toZonedDateTimeISO('UTC').toPlainDate();
}

// A batch of postings for DATEV (EXTF "Buchungsstapel", header 700, format 13), of one currency:
// each line of the ledger is booked against one clearing account, so that an entry of many lines
// needs no splitting. Guarantees: over the file each account moved by exactly what the ledger says,
// and clearing by the rest of every entry. Not told: balances of before, which the program of the
// adviser carries forward itself. Fields after developer.datev.de, "DATEV-Format": header, and
// booking batch.
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

// The columns of a batch of postings, format 13, as DATEV heads them ("Buchungsstapel").

const numbered = (count: number, names: (number: number) => readonly string[]) =>
  Array.from({ length: count }, (_, index) => names(index + 1)).flat();

const DATEV_COLUMNS: readonly string[] = [
  ...['Umsatz (ohne Soll/Haben-Kz)', 'Soll/Haben-Kennzeichen', 'WKZ Umsatz', 'Kurs'],
  ...['Basis-Umsatz', 'WKZ Basis-Umsatz', 'Konto', 'Gegenkonto (ohne BU-Schlüssel)'],
  ...['BU-Schlüssel', 'Belegdatum', 'Belegfeld 1', 'Belegfeld 2', 'Skonto', 'Buchungstext'],
  ...['Postensperre', 'Diverse Adressnummer', 'Geschäftspartnerbank', 'Sachverhalt'],
  ...['Zinssperre', 'Beleglink'],
  ...numbered(8, (n) => [`Beleginfo - Art ${n}`, `Beleginfo - Inhalt ${n}`]),
  ...['KOST1 - Kostenstelle', 'KOST2 - Kostenstelle', 'Kost-Menge'],
  ...['EU-Land u. UStID (Bestimmung)', 'EU-Steuersatz (Bestimmung)', 'Abw. Versteuerungsart'],
  ...['Sachverhalt L+L', 'Funktionsergänzung L+L', 'BU 49 Hauptfunktionstyp'],
  ...['BU 49 Hauptfunktionsnummer', 'BU 49 Funktionsergänzung'],
  ...numbered(20, (n) => [`Zusatzinformation - Art ${n}`, `Zusatzinformation- Inhalt ${n}`]),
  ...['Stück', 'Gewicht', 'Zahlweise', 'Forderungsart', 'Veranlagungsjahr'],
  ...['Zugeordnete Fälligkeit', 'Skontotyp', 'Auftragsnummer', 'Buchungstyp'],
  ...['USt-Schlüssel (Anzahlungen)', 'EU-Land (Anzahlungen)', 'Sachverhalt L+L (Anzahlungen)'],
  ...['EU-Steuersatz (Anzahlungen)', 'Erlöskonto (Anzahlungen)', 'Herkunft-Kz', 'Buchungs GUID'],
  ...['KOST-Datum', 'SEPA-Mandatsreferenz', 'Skontosperre', 'Gesellschaftername'],
  ...['Beteiligtennummer', 'Identifikationsnummer', 'Zeichnernummer', 'Postensperre bis'],
  ...['Bezeichnung SoBil-Sachverhalt', 'Kennzeichen SoBil-Buchung', 'Festschreibung'],
  ...['Leistungsdatum', 'Datum Zuord. Steuerperiode', 'Fälligkeit', 'Generalumkehr (GU)'],
  ...['Steuersatz', 'Land', 'Abrechnungsreferenz', 'BVV-Position'],
  ...['EU-Land u. UStID (Ursprung)', 'EU-Steuersatz (Ursprung)', 'Abw. Skontokonto'],
];

// What only the tax adviser knows: for whom a batch of DATEV is, and on which accounts of which
// chart it is booked. The accounts of a chart are a proposal; each can be named.
const CHARTS = {
  /** Sonstige Vermögensgegenstände, Geldtransit, sonstige Verbindlichkeiten, Nebenkosten. */
  SKR03: { available: '1501', pending: '1502', reserved: '1360', owed: '1701', fees: '4970' },
  SKR04: { available: '1301', pending: '1302', reserved: '1460', owed: '3501', fees: '6855' },
} as const;
/** Durchlaufende Posten. */
const CLEARING = { SKR03: '1590', SKR04: '1370' } as const;

type DatevSettings = {
  readonly consultant: string;
  readonly client: string;
  readonly chart: keyof typeof CHARTS;
  /** First day of the fiscal year. */
  readonly fiscalYear: Temporal.PlainDate;
  /** Digits of an account. */
  readonly accountLength: number;
  /** By code of the ledger. Everything that is not there is booked on clearing. */
  readonly accounts: ReadonlyMap<string, string>;
  readonly clearing: string;
};

/** As somebody gave them. */
export type DatevOptions = {
  readonly consultant: string | undefined;
  readonly client: string | undefined;
  readonly chart: string | undefined;
  readonly fiscalYear: string | undefined;
  /** `available=1361,fees=4970`. */
  readonly accounts: string | undefined;
};

const CODES: Readonly<Record<string, readonly string[]>> = {
  available: ['merchant:available'],
  pending: ['merchant:pending'],
  reserved: ['merchant:reserved'],
  owed: ['merchant:owed'],
  fees: ['fees', 'network-fees', 'rounding'],
};
const NAMES = [...Object.keys(CODES), 'clearing'];

/** @throws Refusal (invalid): one sentence for everything that is missing or wrong. */
export function readDatevSettings(given: DatevOptions): DatevSettings {
  const faults: string[] = [];
  const { consultant = '', client = '', chart: named = '' } = given;
  if (!/^[1-9]\d{3,6}$/.test(consultant) || Number(consultant) < 1001) {
    faults.push('--consultant: the number of the tax adviser (Beraternummer), 1001 to 9999999');
  }
  if (!/^[1-9]\d{0,4}$/.test(client)) {
    faults.push('--client: your number at the tax adviser (Mandantennummer), 1 to 99999');
  }
  const chart = (Object.keys(CHARTS) as (keyof typeof CHARTS)[]).find((one) => one === named);
  if (chart === undefined) faults.push('--chart: SKR03 or SKR04');
  const fiscalYear = readDay(given.fiscalYear);
  if (fiscalYear === undefined) {
    faults.push('--fiscal-year: the first day of the fiscal year, like 2026-01-01');
  }
  const own = readAccounts(given.accounts ?? '', faults);
  const proposed = { ...CHARTS[chart ?? 'SKR03'], clearing: CLEARING[chart ?? 'SKR03'] };
  const numbers = new Map([...Object.entries(proposed), ...own]);
  const lengths = new Set([...numbers.values()].map(({ length }) => length));
  const [accountLength = 4] = lengths;
  if (lengths.size > 1) {
    faults.push(
      `--accounts: all have the same number of digits; name each of ${NAMES.join(', ')} where it is not 4`,
    );
  }
  const twice = [...numbers].find(([name, number]) =>
    [...numbers].some(([other, same]) => other !== name && same === number),
  );
  if (twice !== undefined) faults.push(`--accounts: ${twice[1]} stands for two of them`);
  if (faults.length > 0 || chart === undefined || fiscalYear === undefined) {
    throw new Refusal('invalid', 'validation_failed', faults);
  }
  const accounts = new Map(
    Object.entries(CODES).flatMap(([name, codes]) =>
      codes.map((code) => [code, numbers.get(name) ?? ''] as const),
    ),
  );
  const clearing = numbers.get('clearing') ?? '';
  return { consultant, client, chart, fiscalYear, accountLength, accounts, clearing };
}

function readAccounts(text: string, faults: string[]): [string, string][] {
  if (text === '') return [];
  return text.split(',').flatMap((part) => {
    const [, name = '', number = ''] = /^([a-z]+)=(\d{4,8})$/.exec(part.trim()) ?? [];
    if (NAMES.includes(name)) return [[name, number] as [string, string]];
    faults.push(`--accounts: ${part.trim()}: a name of ${NAMES.join(', ')}, = and 4 to 8 digits`);
    return [];
  });
}

function readDay(text: string | undefined): Temporal.PlainDate | undefined {
  if (text === undefined || !/^[12]\d{3}-\d\d-\d\d$/.test(text)) return undefined;
  try {
    return Temporal.PlainDate.from(text);
  } catch {
    return undefined;
  }
}
