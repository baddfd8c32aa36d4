import { Refusal } from '#base/refusal.ts';
import { findCurrency } from '#catalog/currency.ts';
import type { Reader } from '#db/db.ts';
import { csvText } from '#report/csv-text.ts';
import { type DatevOptions, readDatevSettings } from '#report/datev-settings.ts';
import { GAINS_COLUMNS, readGains } from '#report/gains-report.ts';
import { BOOK_FORMATS, type BookFormat, writeBooks } from '#report/write-books.ts';
import { writeDatev } from '#report/write-datev.ts';
import { chooseMerchant } from './choose-merchant.ts';
import { type Command, chooseEnvironment, textOption, type Values } from './command.ts';
import { writeOutFile } from './write-out-file.ts';

const LINES_MOST = 1_000_000;
/** DATEV needs numbers of the tax adviser, which are options here and nothing of an account. */
const FORMATS = [...BOOK_FORMATS, 'datev'] as const;

export const reportExport: Command = {
  name: 'report export',
  summary: 'write the ledger of a merchant for a program of accounting',
  usage: [
    '--format FORMAT --environment test|live [--asset ID] [--from TIME] [--to TIME] [--merchant ID] [--out FILE]',
    `  --format FORMAT  ${FORMATS.join(', ')}`,
    '  --asset ID       of the last four: whose statement, for example EUR:FIAT',
    '  --from, --to     a time like 2026-01-31T12:00:00Z, from included, to not',
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
    from: { type: 'string' },
    to: { type: 'string' },
  },
  async run(context, { positionals, values }) {
    if (positionals.length > 0) throw tooMany(positionals);
    const format = chooseFormat(values);
    const environment = chooseEnvironment(values);
    const [from, to] = [timeOption(values, 'from'), timeOption(values, 'to')];
    const settings = format === 'datev' ? readDatevSettings(datevOptions(values)) : undefined;
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    const assetId = textOption(values, 'asset');
    const asked = { merchantId, environment, from, to, limit: LINES_MOST, assetId };
    const now = app.clock.now();
    const text =
      settings !== undefined
        ? await writeDatev(app.db, asked, settings, now)
        : await writeWhole(app.db, { ...asked, format: format as BookFormat }, now);
    const out = textOption(values, 'out');
    if (out === undefined) return { text: text.replace(/\r?\n$/, ''), json: { format, text } };
    // DATEV reads Windows-1252, of which Latin-1 has every letter that is written.
    writeOutFile(out, text, { encoding: format === 'datev' ? 'latin1' : 'utf8' });
    return { text: `Written to ${out}.`, json: { format, out } };
  },
};

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
async function writeWhole(
  reader: Reader,
  request: Omit<Parameters<typeof writeBooks>[1], 'cursor'>,
  now: Temporal.Instant,
): Promise<string> {
  const { text, nextCursor } = await writeBooks(reader, { ...request, cursor: undefined }, now);
  if (nextCursor === null) return text;
  throw new Refusal('invalid', 'usage', [`more than ${LINES_MOST} entries: narrow the period`]);
}

/** @throws Refusal */
function chooseFormat(values: Values): (typeof FORMATS)[number] {
  const format = FORMATS.find((one) => one === textOption(values, 'format'));
  if (format !== undefined) return format;
  throw new Refusal('invalid', 'usage', [`--format: must be one of ${FORMATS.join(', ')}`]);
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

export const reportGains: Command = {
  name: 'report gains',
  summary: 'what was received, sold and sent: worth, cost and gain in one currency',
  usage: [
    '--currency EUR --environment test|live [--method fifo|average] [--format csv|json]',
    '  [--from TIME] [--to TIME] [--merchant ID] [--out FILE]',
  ].join('\n'),
  options: {
    currency: { type: 'string' },
    environment: { type: 'string' },
    method: { type: 'string' },
    format: { type: 'string' },
    merchant: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    out: { type: 'string' },
  },
  async run(context, { positionals, values }) {
    if (positionals.length > 0) throw tooMany(positionals);
    const environment = chooseEnvironment(values);
    const currency = textOption(values, 'currency') ?? '';
    if (findCurrency(currency)?.type !== 'FIAT') {
      throw new Refusal('invalid', 'usage', ['--currency: the code of a currency, such as EUR']);
    }
    const method = oneOf(values, 'method', ['fifo', 'average'] as const);
    const format = oneOf(values, 'format', ['csv', 'json'] as const);
    const [from, to] = [timeOption(values, 'from'), timeOption(values, 'to')];
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    const rows = await readGains(app.db, { merchantId, environment, from, to, currency, method });
    const text =
      format === 'csv'
        ? csvText(GAINS_COLUMNS, rows)
        : `${JSON.stringify({ method, currency, rows })}\n`;
    const out = textOption(values, 'out');
    if (out === undefined) {
      return { text: text.replace(/\r?\n$/, ''), json: { method, currency, rows } };
    }
    writeOutFile(out, text);
    return { text: `Written to ${out}.`, json: { method, currency, out } };
  },
};

function tooMany(positionals: readonly string[]): Refusal {
  return new Refusal('invalid', 'usage', [`too many arguments: ${positionals.join(' ')}`]);
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
