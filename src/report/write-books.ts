// The ledger of a merchant as a file for a program of accounting, a page at a time: journals of
// everything, and statements of the available balance of one asset.

import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import { FIAT_ISSUER, findAsset } from '#catalog/asset.ts';
import type { Reader } from '#db/db.ts';
import { decodeCursor, type PagePlace } from '#db/page-cursor.ts';
import { readAccountStatement } from './account-statement.ts';
import { readJournal } from './journal.ts';
import { beancountText, hledgerText } from './journal-text.ts';
import type { ReportRequest } from './report.ts';
import { camt053Text, quickBooksText, xeroText } from './statement-text.ts';

/** Pages of these in their order are one file; of the others each is one. */
export const JOURNAL_FORMATS: readonly string[] = ['beancount', 'hledger'];
export const BOOK_FORMATS = ['beancount', 'hledger', 'xero', 'quickbooks', 'camt053'] as const;
export type BookFormat = (typeof BOOK_FORMATS)[number];

const PLAIN = 'text/plain; charset=utf-8';
const CSV = 'text/csv; charset=utf-8; header=present';
const JOURNALS = {
  beancount: { write: beancountText, contentType: PLAIN, fileName: 'ledger.beancount' },
  hledger: { write: hledgerText, contentType: PLAIN, fileName: 'ledger.journal' },
};
/** Xero and QuickBooks Online take no more lines at once. */
const LINES_MOST = 1_000;
const STATEMENTS = {
  xero: { write: xeroText, linesMost: LINES_MOST, contentType: CSV, fileName: 'xero.csv' },
  quickbooks: {
    write: quickBooksText,
    linesMost: LINES_MOST,
    contentType: CSV,
    fileName: 'quickbooks.csv',
  },
  camt053: {
    write: camt053Text,
    linesMost: 5_000,
    contentType: 'application/xml; charset=utf-8',
    fileName: 'camt053.xml',
  },
};

/** Media types of all formats, each once. */
export const BOOK_MEDIA_TYPES = [
  ...new Set(
    Object.values({ ...JOURNALS, ...STATEMENTS }).map(
      ({ contentType }) => contentType.split(';')[0] ?? '',
    ),
  ),
];

type BookPage = {
  readonly text: string;
  readonly contentType: string;
  readonly fileName: string;
  /** Entries of a journal, lines of a statement. */
  readonly count: number;
  readonly nextCursor: string | null;
};

type BookRequest = ReportRequest & {
  readonly format: BookFormat;
  /** Of a statement. */
  readonly assetId: string | undefined;
};

/**
 * `limit` counts entries of a journal, lines of a statement, of which there are fewer where its
 * program takes fewer. `now`: when it is written. @throws Refusal (invalid, `asset_required`) of a statement
 * without the asset, or of one that banks do not have.
 */
export async function writeBooks(
  reader: Reader,
  request: BookRequest,
  now: Temporal.Instant,
): Promise<BookPage> {
  const { format, assetId } = request;
  if (format === 'beancount' || format === 'hledger') {
    const { write, ...file } = JOURNALS[format];
    const { journal, nextCursor } = await readJournal(reader, request, now);
    return { ...file, text: write(journal), count: journal.entries.length, nextCursor };
  }
  if (assetId === undefined || !isBankMoney(assetId)) {
    throw new Refusal('invalid', 'asset_required', [
      `asset: a statement as ${format} is of one asset, money of banks such as EUR:${FIAT_ISSUER}; beancount and hledger have all assets`,
    ]);
  }
  const { write, linesMost, ...file } = STATEMENTS[format];
  const asked = { ...request, limit: Math.min(request.limit, linesMost) };
  const { statement, nextCursor } = await readAccountStatement(reader, asked, assetId, now);
  return { ...file, text: write(statement), count: statement.lines.length, nextCursor };
}

const ENTRIES_AT_ONCE = 1_000;

/** All of it: together one file of a journal, each a file of a statement. */
export async function* bookTexts(
  { db, clock }: { readonly db: Reader; readonly clock: Clock },
  asked: Omit<BookRequest, 'cursor' | 'limit'>,
): AsyncGenerator<string> {
  for await (const { text } of bookPages(db, asked, clock)) yield text;
}

/** The same, a page at a time. */
export async function* bookPages(
  reader: Reader,
  asked: Omit<BookRequest, 'cursor' | 'limit'>,
  clock: Clock,
): AsyncGenerator<BookPage> {
  let cursor: PagePlace | undefined;
  do {
    const request = { ...asked, limit: ENTRIES_AT_ONCE, cursor };
    const page = await writeBooks(reader, request, clock.now());
    yield JOURNAL_FORMATS.includes(asked.format) ? { ...page, text: `${page.text}\n` } : page;
    cursor = page.nextCursor === null ? undefined : decodeCursor(page.nextCursor);
  } while (cursor !== undefined);
}

/** An asset that there is, and that is the money of a state. */
export function isBankMoney(assetId: string): boolean {
  return findAsset(assetId)?.assetIssuer === FIAT_ISSUER;
}
