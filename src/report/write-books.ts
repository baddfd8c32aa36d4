// The ledger of a merchant as a file for a program of accounting, a page at a time.

import type { Reader } from '#db/db.ts';
import { readJournal } from './journal.ts';
import { beancountText, hledgerText } from './journal-text.ts';
import type { ReportRequest } from './report.ts';

export const BOOK_FORMATS = ['beancount', 'hledger'] as const;
export type BookFormat = (typeof BOOK_FORMATS)[number];

const WRITERS = { beancount: beancountText, hledger: hledgerText };

type BookPage = {
  readonly text: string;
  readonly contentType: string;
  readonly fileName: string;
  readonly nextCursor: string | null;
};

/** `limit` counts entries. Pages in their order are one file. `now`: where no end is given. */
export async function writeBooks(
  reader: Reader,
  request: ReportRequest,
  format: BookFormat,
  now: Temporal.Instant,
): Promise<BookPage> {
  const { journal, nextCursor } = await readJournal(reader, request, now);
  return {
    text: WRITERS[format](journal),
    contentType: 'text/plain; charset=utf-8',
    fileName: `ledger.${format === 'hledger' ? 'journal' : 'beancount'}`,
    nextCursor,
  };
}
