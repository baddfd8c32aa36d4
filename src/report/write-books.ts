// The ledger of a merchant as a file for a program of accounting, a page at a time: journals of
// everything, and statements of the available balance of one asset.

import { Refusal } from '#base/refusal.ts';
import { FIAT_ISSUER } from '#catalog/asset.ts';
import type { Reader } from '#db/db.ts';
import { readAccountStatement } from './account-statement.ts';
import { readJournal } from './journal.ts';
import { beancountText, hledgerText } from './journal-text.ts';
import type { ReportRequest } from './report.ts';
import { camt053Text, quickBooksText, xeroText } from './statement-text.ts';

export const BOOK_FORMATS = ['beancount', 'hledger', 'xero', 'quickbooks', 'camt053'] as const;
export type BookFormat = (typeof BOOK_FORMATS)[number];

const PLAIN = 'text/plain; charset=utf-8';
const CSV = 'text/csv; charset=utf-8; header=present';
const JOURNALS = {
  beancount: { write: beancountText, contentType: PLAIN, fileName: 'ledger.beancount' },
  hledger: { write: hledgerText, contentType: PLAIN, fileName: 'ledger.journal' },
};
const STATEMENTS = {
  xero: { write: xeroText, contentType: CSV, fileName: 'xero.csv' },
  quickbooks: { write: quickBooksText, contentType: CSV, fileName: 'quickbooks.csv' },
  camt053: {
    write: camt053Text,
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
  readonly nextCursor: string | null;
};

type BookRequest = ReportRequest & {
  readonly format: BookFormat;
  /** Of a statement. */
  readonly assetId: string | undefined;
};

/**
 * `limit` counts entries of a journal, lines of a statement; pages of a journal in their order are
 * one file. `now`: when it is written. @throws Refusal (invalid, `asset_required`) of a statement
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
    return { ...file, text: write(journal), nextCursor };
  }
  if (assetId?.endsWith(`:${FIAT_ISSUER}`) !== true) {
    throw new Refusal('invalid', 'asset_required', [
      `asset: a statement as ${format} is of one asset, money of banks such as EUR:${FIAT_ISSUER}; beancount and hledger have all assets`,
    ]);
  }
  const { write, ...file } = STATEMENTS[format];
  const { statement, nextCursor } = await readAccountStatement(reader, request, assetId, now);
  return { ...file, text: write(statement), nextCursor };
}
