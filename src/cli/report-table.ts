import { Refusal } from '#base/refusal.ts';
import { findCurrency } from '#catalog/currency.ts';
import type { Owner } from '#catalog/owner.ts';
import type { Reader } from '#db/db.ts';
import { decodeCursor, type PagePlace } from '#db/page-cursor.ts';
import { csvHead, csvRows } from '#report/csv-text.ts';
import { COST_METHODS, type Report, type ReportRow, type ValuedReport } from '#report/report.ts';
import { REPORTS, VALUED_REPORTS } from '#report/reports.ts';
import { chooseMerchant } from './choose-merchant.ts';
import {
  type Command,
  chooseEnvironment,
  onePositional,
  textOption,
  type Values,
} from './command.ts';
import { oneOf, PERIOD_OPTIONS, PERIOD_USAGE, periodOf } from './report-options.ts';
import { writeOutPages } from './write-out-file.ts';

const ROWS_AT_ONCE = 1_000;
const NAMES = [...REPORTS, ...VALUED_REPORTS].map(({ name }) => name);

type Asked = Owner & ReturnType<typeof periodOf>;
type Page = readonly ReportRow[];

export const reportTable: Command = {
  name: 'report table',
  summary: 'write a report of a merchant as a table: balances, fees, gains …',
  usage: [
    'NAME --environment test|live [--format csv|json] [--from TIME] [--to TIME] [--merchant ID]',
    '  [--out FILE]',
    `  NAME             ${NAMES.join(', ')}`,
    PERIOD_USAGE,
    `  of ${VALUED_REPORTS.map(({ name }) => name).join(' and ')}: --currency EUR [--method ${COST_METHODS.join('|')}]`,
  ].join('\n'),
  options: {
    ...PERIOD_OPTIONS,
    environment: { type: 'string' },
    format: { type: 'string' },
    currency: { type: 'string' },
    method: { type: 'string' },
    merchant: { type: 'string' },
    out: { type: 'string' },
  },
  async run(context, { positionals, values }) {
    const name = onePositional(positionals, `NAME, one of ${NAMES.join(', ')},`);
    const told = [...REPORTS, ...VALUED_REPORTS].find((one) => one.name === name);
    if (told === undefined) {
      throw new Refusal('invalid', 'usage', [`NAME: ${name} is none of ${NAMES.join(', ')}`]);
    }
    const environment = chooseEnvironment(values);
    const format = oneOf(values, 'format', ['csv', 'json'] as const);
    const valuation = 'rows' in told ? valuationOf(values) : undefined;
    const period = periodOf(values);
    const app = await context.openApp();
    const asked: Asked = { merchantId: await chooseMerchant(app, values), environment, ...period };
    const pages =
      'rows' in told
        ? valuedPages(app.db, told, { ...asked, ...valuationOf(values) })
        : pagesOf(app.db, told, asked);
    const head = { report: name, ...valuation };
    const texts = format === 'csv' ? csvTexts(told, pages) : jsonTexts(head, pages);
    const out = textOption(values, 'out');
    if (out !== undefined) {
      await writeOutPages(out, texts);
      return { text: `Written to ${out}.`, json: { ...head, out } };
    }
    const text = (await Array.fromAsync(texts)).join('');
    const rows = format === 'json' ? JSON.parse(text).rows : undefined;
    return { text: text.replace(/\r?\n$/, ''), json: { ...head, ...(rows ? { rows } : { text }) } };
  },
};

/** @throws Refusal */
function valuationOf(values: Values) {
  const currency = textOption(values, 'currency') ?? '';
  if (findCurrency(currency)?.type !== 'FIAT') {
    throw new Refusal('invalid', 'usage', ['--currency: the code of a currency, such as EUR']);
  }
  return { currency, method: oneOf(values, 'method', COST_METHODS) };
}

async function* pagesOf(reader: Reader, report: Report, asked: Asked): AsyncGenerator<Page> {
  let cursor: PagePlace | undefined;
  do {
    const page = await report.read(reader, { ...asked, limit: ROWS_AT_ONCE, cursor });
    yield page.rows;
    cursor = page.nextCursor === null ? undefined : decodeCursor(page.nextCursor);
  } while (cursor !== undefined);
}

async function* valuedPages(
  reader: Reader,
  report: ValuedReport,
  asked: Asked & ReturnType<typeof valuationOf>,
): AsyncGenerator<Page> {
  let rows: ReportRow[] = [];
  for await (const { row } of report.rows(reader, { ...asked, cursor: undefined })) {
    rows.push(row);
    if (rows.length < ROWS_AT_ONCE) continue;
    yield rows;
    rows = [];
  }
  yield rows;
}

async function* csvTexts(
  { columns }: Pick<Report, 'columns'>,
  pages: AsyncIterable<Page>,
): AsyncGenerator<string> {
  yield csvHead(columns);
  for await (const rows of pages) yield csvRows(columns, rows);
}

/** One object, a row a line. */
async function* jsonTexts(head: object, pages: AsyncIterable<Page>): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"rows":[`;
  let before = '\n';
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    yield before + rows.map((row) => JSON.stringify(row)).join(',\n');
    before = ',\n';
  }
  yield '\n]}\n';
}
