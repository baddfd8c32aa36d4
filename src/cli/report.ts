import path from 'node:path';
import { Refusal } from '#base/refusal.ts';
import { decodeCursor, type PagePlace } from '#db/page-cursor.ts';
import { type DatevOptions, readDatevSettings } from '#report/datev-settings.ts';
import { BOOK_FORMATS, type BookFormat, JOURNAL_FORMATS, writeBooks } from '#report/write-books.ts';
import { writeDatev } from '#report/write-datev.ts';
import type { App } from '#server/app.ts';
import { chooseMerchant } from './choose-merchant.ts';
import {
  type Command,
  type CommandResult,
  chooseEnvironment,
  textOption,
  type Values,
} from './command.ts';
import { PERIOD_OPTIONS, PERIOD_USAGE, periodOf } from './report-options.ts';
import { writeOutFile, writeOutPages } from './write-out-file.ts';

const ENTRIES_AT_ONCE = 1_000;
/** One file that is in memory at once: a batch has a header that spans it. */
const DATEV_ENTRIES_MOST = 1_000_000;
/** DATEV needs numbers of the tax adviser, which are options here and nothing of an account. */
const FORMATS = [...BOOK_FORMATS, 'datev'] as const;

export const reportExport: Command = {
  name: 'report export',
  summary: 'write the ledger of a merchant for a program of accounting',
  usage: [
    '--format FORMAT --environment test|live [--asset ID] [--from TIME] [--to TIME] [--merchant ID] [--out FILE]',
    `  --format FORMAT  ${FORMATS.join(', ')}`,
    '  --asset ID       of the last four: whose statement, for example EUR:FIAT',
    PERIOD_USAGE,
    '  of datev: --consultant NUMBER --client NUMBER --chart SKR03|SKR04 --fiscal-year 2026-01-01',
    '            [--accounts available=1501,fees=4970,clearing=1590]',
  ].join('\n'),
  options: {
    consultant: { type: 'string' },
    client: { type: 'string' },
    chart: { type: 'string' },
    'fiscal-year': { type: 'string' },
    accounts: { type: 'string' },
    out: { type: 'string' },
    merchant: { type: 'string' },
    environment: { type: 'string' },
    format: { type: 'string' },
    asset: { type: 'string' },
    ...PERIOD_OPTIONS,
  },
  async run(context, { positionals, values }) {
    if (positionals.length > 0) throw tooMany(positionals);
    const format = chooseFormat(values);
    const environment = chooseEnvironment(values);
    const { from, to } = periodOf(values);
    const settings = format === 'datev' ? readDatevSettings(datevOptions(values)) : undefined;
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    const assetId = textOption(values, 'asset');
    const asked = { merchantId, environment, from, to, assetId };
    const out = textOption(values, 'out');
    if (settings !== undefined) {
      const whole = { ...asked, limit: DATEV_ENTRIES_MOST };
      return writeBatch(out, await writeDatev(app.db, whole, settings, app.clock.now()));
    }
    const pages = pagesOf(app, { ...asked, format: format as BookFormat });
    if (out === undefined) {
      const texts = await Array.fromAsync(pages);
      if (texts.length > 1 && !JOURNAL_FORMATS.includes(format)) {
        throw new Refusal('invalid', 'usage', [
          `--out: ${format} is ${texts.length} files, since its programs take no more lines at once`,
        ]);
      }
      const text = texts.join('');
      return { text: text.replace(/\r?\n$/, ''), json: { format, text } };
    }
    const files = await writeBookFiles(out, format, pages);
    return { text: `Written to ${files.join(', ')}.`, json: { format, out, files } };
  },
};

/** DATEV reads Windows-1252, of which Latin-1 has every letter that is written. */
function writeBatch(out: string | undefined, text: string): CommandResult {
  const format = 'datev';
  if (out === undefined) return { text: text.replace(/\r?\n$/, ''), json: { format, text } };
  writeOutFile(out, text, { encoding: 'latin1' });
  return { text: `Written to ${out}.`, json: { format, out } };
}

async function* pagesOf(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  asked: Omit<Parameters<typeof writeBooks>[1], 'cursor' | 'limit'>,
): AsyncGenerator<string> {
  let cursor: PagePlace | undefined;
  do {
    const request = { ...asked, limit: ENTRIES_AT_ONCE, cursor };
    const { text, nextCursor } = await writeBooks(db, request, clock.now());
    yield JOURNAL_FORMATS.includes(asked.format) ? `${text}\n` : text;
    cursor = nextCursor === null ? undefined : decodeCursor(nextCursor);
  } while (cursor !== undefined);
}

/** A journal is one file; of statements each page is: `xero.csv`, `xero-2.csv` … */
async function writeBookFiles(
  out: string,
  format: string,
  pages: AsyncIterable<string>,
): Promise<string[]> {
  if (JOURNAL_FORMATS.includes(format)) {
    await writeOutPages(out, pages);
    return [out];
  }
  const files: string[] = [];
  for await (const text of pages) {
    const number = files.length === 0 ? '' : `-${files.length + 1}`;
    const { dir, name, ext } = path.parse(out);
    const file = path.join(dir, `${name}${number}${ext}`);
    writeOutFile(file, text);
    files.push(file);
  }
  return files;
}

function datevOptions(values: Values): DatevOptions {
  return {
    consultant: textOption(values, 'consultant'),
    client: textOption(values, 'client'),
    chart: textOption(values, 'chart'),
    fiscalYear: textOption(values, 'fiscal-year'),
    accounts: textOption(values, 'accounts'),
  };
}

/** @throws Refusal */
function chooseFormat(values: Values): (typeof FORMATS)[number] {
  const format = FORMATS.find((one) => one === textOption(values, 'format'));
  if (format !== undefined) return format;
  throw new Refusal('invalid', 'usage', [`--format: must be one of ${FORMATS.join(', ')}`]);
}

function tooMany(positionals: readonly string[]): Refusal {
  return new Refusal('invalid', 'usage', [`too many arguments: ${positionals.join(' ')}`]);
}
