import { Refusal } from '#base/refusal.ts';
import { BOOK_FORMATS, type BookFormat, writeBooks } from '#report/write-books.ts';
import { chooseMerchant } from './choose-merchant.ts';
import { type Command, chooseEnvironment, textOption, type Values } from './command.ts';

const LINES_MOST = 1_000_000;

export const reportExport: Command = {
  name: 'report export',
  summary: 'write the ledger of a merchant for a program of accounting',
  usage: [
    '--format FORMAT --environment test|live [--asset ID] [--from TIME] [--to TIME] [--merchant ID]',
    `  --format FORMAT  ${BOOK_FORMATS.join(', ')}`,
    '  --asset ID       of the last three: whose statement, for example EUR:FIAT',
    '  --from, --to     a time like 2026-01-31T12:00:00Z, from included, to not',
  ].join('\n'),
  options: {
    merchant: { type: 'string' },
    environment: { type: 'string' },
    format: { type: 'string' },
    asset: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
  },
  async run(context, { positionals, values }) {
    if (positionals.length > 0) {
      throw new Refusal('invalid', 'usage', [`too many arguments: ${positionals.join(' ')}`]);
    }
    const format = chooseFormat(values);
    const environment = chooseEnvironment(values);
    const [from, to] = [timeOption(values, 'from'), timeOption(values, 'to')];
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    const period = { merchantId, environment, from, to, limit: LINES_MOST };
    const { text, nextCursor } = await writeBooks(
      app.db,
      { ...period, cursor: undefined, format, assetId: textOption(values, 'asset') },
      app.clock.now(),
    );
    if (nextCursor !== null) {
      throw new Refusal('invalid', 'usage', [`more than ${LINES_MOST} entries: narrow the period`]);
    }
    return { text: text.replace(/\r?\n$/, ''), json: { format, text } };
  },
};

/** @throws Refusal */
function chooseFormat(values: Values): BookFormat {
  const format = BOOK_FORMATS.find((one) => one === textOption(values, 'format'));
  if (format !== undefined) return format;
  throw new Refusal('invalid', 'usage', [`--format: must be one of ${BOOK_FORMATS.join(', ')}`]);
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
