import path from 'node:path';
import { Refusal } from '#base/refusal.ts';
import { findCurrency } from '#catalog/currency.ts';
import type { Owner } from '#catalog/owner.ts';
import { COST_METHODS } from '#report/report.ts';
import {
  csvTexts,
  jsonTexts,
  REPORTS,
  tablePages,
  VALUED_REPORTS,
  valuedPages,
} from '#report/reports.ts';
import { BOOK_FORMATS, type BookFormat, bookTexts, JOURNAL_FORMATS } from '#report/write-books.ts';
import { type DatevOptions, readDatevSettings, writeDatev } from '#report/write-datev.ts';
import {
  HOUSE_JOURNALS,
  HOUSE_TABLES,
  houseJournal,
  housePeriod,
  houseStatements,
} from '#report/write-house.ts';
import {
  type Command,
  type CommandResult,
  chooseEnvironment,
  onePositional,
  textOption,
  type Values,
} from './command.ts';
import { writeOutFile, writeOutPages } from './command-files.ts';
import { chooseMerchant } from './merchant.ts';

// Options that verbs of reports share.
const PERIOD_OPTIONS: Command['options'] = {
  from: { type: 'string' },
  to: { type: 'string' },
};
const PERIOD_USAGE = '  --from, --to     a time like 2026-01-31T12:00:00Z, from included, to not';

/** @throws Refusal of one that ends before it begins. */
function periodOf(values: Values) {
  const [from, to] = [timeOption(values, 'from'), timeOption(values, 'to')];
  if (from !== undefined && to !== undefined && Temporal.Instant.compare(from, to) > 0) {
    throw new Refusal('invalid', 'usage', [`--from: ${from} is after --to, ${to}`]);
  }
  return { from, to };
}

/** @throws Refusal */
function timeOption(values: Values, name: string): Temporal.Instant | undefined {
  const text = textOption(values, name);
  if (text === undefined) return undefined;
  try {
    return Temporal.Instant.from(/^[12]\d{3}-\d\d-\d\d$/.test(text) ? `${text}T00:00Z` : text);
  } catch {
    throw new Refusal('invalid', 'usage', [`--${name}: must be a time like 2026-01-31T12:00:00Z`]);
  }
}

/** The first where nothing is said. @throws Refusal */
function oneOf<Choice extends string>(
  values: Values,
  name: string,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const given = textOption(values, name) ?? choices[0];
  const found = choices.find((one) => one === given);
  if (found !== undefined) return found;
  throw new Refusal('invalid', 'usage', [`--${name}: one of ${choices.join(', ')}`]);
}

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
    const pages = bookTexts(app, { ...asked, format: format as BookFormat });
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

const NAMES = [...REPORTS, ...VALUED_REPORTS].map(({ name }) => name);

type Asked = Owner & ReturnType<typeof periodOf>;

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
        : tablePages(app.db, told, asked);
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

const HOUSE_FORMATS = {
  balances: ['csv', 'json'],
  ledger: ['csv', 'json', 'beancount', 'hledger'],
  statements: ['camt053'],
} as const;
type What = keyof typeof HOUSE_FORMATS;
const WHAT = Object.keys(HOUSE_FORMATS) as What[];

export const reportHouse: Command = {
  name: 'report house',
  summary: 'write the books of the house: what it holds, owes, earned and spent',
  usage: [
    'WHAT --environment test|live [--format FORMAT] [--from TIME] [--to TIME] [--out FILE]',
    '  WHAT             balances: hot, cold, at providers, on its way, suspense, owed, earned, spent',
    '                   ledger: every movement, of the house and of all merchants together',
    '                   statements: one of each account that holds money of banks',
    ...WHAT.map((what) => `  of ${what}: --format ${HOUSE_FORMATS[what].join('|')}`),
    PERIOD_USAGE,
  ].join('\n'),
  options: {
    ...PERIOD_OPTIONS,
    environment: { type: 'string' },
    format: { type: 'string' },
    out: { type: 'string' },
  },
  async run(context, { positionals, values }) {
    const given = onePositional(positionals, `WHAT, one of ${WHAT.join(', ')},`);
    const what = WHAT.find((one) => one === given);
    if (what === undefined) {
      throw new Refusal('invalid', 'usage', [`WHAT: ${given} is none of ${WHAT.join(', ')}`]);
    }
    const environment = chooseEnvironment(values);
    const format = oneOf<string>(values, 'format', HOUSE_FORMATS[what]);
    const asked = { environment, ...periodOf(values) };
    const out = textOption(values, 'out');
    const { db, clock } = await context.openApp();
    const period = await housePeriod({ db, clock }, asked);
    const head = { report: `house ${what}`, format };
    if (what === 'statements') {
      return writeStatements(out, head, houseStatements(db, period, clock.now()));
    }
    const texts = isJournal(format)
      ? houseJournal(db, format, period, clock.now())
      : tableTexts(what, format, HOUSE_TABLES[what].rows(db, period));
    if (out === undefined) {
      const text = (await Array.fromAsync(texts)).join('');
      const rows = format === 'json' ? { rows: JSON.parse(text).rows } : { text };
      return { text: text.replace(/\r?\n$/, ''), json: { ...head, ...rows } };
    }
    await writeOutPages(out, texts);
    return { text: `Written to ${out}.`, json: { ...head, out } };
  },
};

function isJournal(format: string): format is keyof typeof HOUSE_JOURNALS {
  return Object.hasOwn(HOUSE_JOURNALS, format);
}

function tableTexts(
  what: keyof typeof HOUSE_TABLES,
  format: string,
  rows: Parameters<typeof csvTexts>[1],
): AsyncIterable<string> {
  return format === 'csv'
    ? csvTexts(HOUSE_TABLES[what], rows)
    : jsonTexts({ report: `house ${what}` }, rows);
}

/** Each is a file: of `house.xml`, `house-custody-SEPA-EUR.xml` and so on. */
async function writeStatements(
  out: string | undefined,
  head: object,
  statements: ReturnType<typeof houseStatements>,
): Promise<CommandResult> {
  if (out === undefined) {
    throw new Refusal('invalid', 'usage', [
      '--out: is needed, since the statement of each account is a file of its own',
    ]);
  }
  const { dir, name, ext } = path.parse(out);
  const files: string[] = [];
  for await (const statement of statements) {
    const file = path.join(dir, `${name}-${statement.name}${ext}`);
    writeOutFile(file, statement.text);
    files.push(file);
  }
  const text = files.length === 0 ? 'No account holds money of banks.' : files.join('\n');
  return { text, json: { ...head, files } };
}
