// The books of the house as files: tables, a journal, and a statement of each own account that
// holds money of banks. Each begins with what there was and ends with what there is, at one number
// of the ledger (house-ledger.ts).
import type { Clock } from '#base/clock.ts';
import { getAsset } from '#catalog/asset.ts';
import type { Db, Reader } from '#db/db.ts';
import { naturalUnits } from '#ledger/account.ts';
import { amountToText } from '#money/asset-amount.ts';
import { houseAccountName, houseGroup } from './account-names.ts';
import type { AccountStatement } from './account-statement.ts';
import {
  type HouseBalance,
  type HouseEntry,
  type HousePeriod,
  listHouseBalances,
  listHouseEntries,
  topOfLedger,
} from './house-ledger.ts';
import type { Journal } from './journal.ts';
import { beancountText, hledgerText } from './journal-text.ts';
import { columns, type ReportColumn, type ReportRow } from './report.ts';
import { camt053Text } from './statement-text.ts';
import { isBankMoney } from './write-books.ts';

const ENTRIES_AT_ONCE = 1_000;
/** As in camt.053 of a merchant. */
const LINES_MOST = 5_000;

type HouseTable = {
  readonly columns: readonly ReportColumn[];
  rows(reader: Reader, period: HousePeriod): AsyncIterable<readonly ReportRow[]>;
};

/** Amounts are above zero on the side on which an account grows. */
export const HOUSE_TABLES: Readonly<Record<'balances' | 'ledger', HouseTable>> = {
  balances: {
    columns: columns(
      ...['group', 'account', 'assetId', 'assetCode'],
      ...['opening*', 'increase*', 'decrease*', 'closing*'],
    ),
    async *rows(reader, period) {
      yield (await listHouseBalances(reader, period)).map(balanceRow);
    },
  },
  ledger: {
    columns: columns(
      ...['time', 'entry', 'kind', 'subjectId', 'merchantId', 'group', 'account'],
      ...['assetId', 'assetCode', 'amount*'],
    ),
    async *rows(reader, period) {
      for await (const page of listHouseEntries(reader, period, ENTRIES_AT_ONCE)) {
        yield page.flatMap(ledgerRows);
      }
    },
  },
};

function balanceRow(balance: HouseBalance): ReportRow {
  const { code, assetId, openingUnits, debitedUnits, creditedUnits, closingUnits } = balance;
  const { assetCode, decimals } = getAsset(assetId);
  const growsByDebit = naturalUnits(code, 1n) > 0n;
  const shown = (units: bigint) => amountToText(units, decimals);
  return {
    ...{ group: houseGroup(code), account: code, assetId, assetCode },
    opening: shown(naturalUnits(code, openingUnits)),
    increase: shown(growsByDebit ? debitedUnits : creditedUnits),
    decrease: shown(growsByDebit ? creditedUnits : debitedUnits),
    closing: shown(naturalUnits(code, closingUnits)),
  };
}

function ledgerRows({ id, occurredAt, kind, subjectId, merchantId, lines }: HouseEntry) {
  return lines.map(({ code, assetId, units }): ReportRow => {
    const { assetCode, decimals } = getAsset(assetId);
    const entry = { time: occurredAt.toString(), entry: String(id), kind, subjectId, merchantId };
    const account = { group: houseGroup(code), account: code, assetId, assetCode };
    return { ...entry, ...account, amount: amountToText(naturalUnits(code, units), decimals) };
  });
}

/** Of what is settled now: whatever is booked meanwhile is not there. @throws Outage */
export async function housePeriod(
  app: { readonly db: Db; readonly clock: Clock },
  asked: Omit<HousePeriod, 'top'>,
): Promise<HousePeriod> {
  return { ...asked, top: await topOfLedger(app) };
}

export const HOUSE_JOURNALS = { beancount: beancountText, hledger: hledgerText };

/** `now`: the day of the end where the period has none. */
export async function* houseJournal(
  reader: Reader,
  format: keyof typeof HOUSE_JOURNALS,
  period: HousePeriod,
  now: Temporal.Instant,
): AsyncGenerator<string> {
  const { from, to = now } = period;
  const write = (part: Partial<Journal>) => {
    const nothing = { opening: undefined, entries: [], closing: undefined };
    return `${HOUSE_JOURNALS[format]({ ...nothing, ...part }, houseAccountName)}\n`;
  };
  const balances = await listHouseBalances(reader, period);
  const before = balances
    .filter(({ openingUnits }) => openingUnits !== 0n)
    .map(({ code, assetId, openingUnits }) => ({ code, assetId, units: openingUnits }));
  if (from !== undefined) yield write({ opening: { at: from, lines: before } });
  for await (const entries of listHouseEntries(reader, period, ENTRIES_AT_ONCE)) {
    yield write({ entries });
  }
  const after = balances.map(({ code, assetId, closingUnits }) => {
    return { code, assetId, units: closingUnits };
  });
  yield write({ closing: { at: to, lines: after } });
}

/** A page of the statement of one account; `name` is the account and the asset, for a file. */
type StatementFile = { readonly name: string; readonly text: string };

/**
 * camt.053 of every account that holds money of banks for the house: in banks, elsewhere, at
 * providers and on its way. Each page begins where the one before it ended.
 */
export async function* houseStatements(
  reader: Reader,
  period: HousePeriod,
  writtenAt: Temporal.Instant,
): AsyncGenerator<StatementFile> {
  const balances = await listHouseBalances(reader, period);
  const open = new Map(
    balances.flatMap(({ code, assetId, openingUnits }) => {
      const isHeld = HELD.has(houseGroup(code)) && isBankMoney(assetId);
      const page: OpenPage = { code, assetId, carried: openingUnits, pages: 0, lines: [] };
      return isHeld ? [[`${code} ${assetId}`, page]] : [];
    }),
  );
  for await (const entries of listHouseEntries(reader, period, ENTRIES_AT_ONCE)) {
    for (const entry of entries) {
      for (const [position, line] of entry.lines.entries()) {
        const page = open.get(`${line.code} ${line.assetId}`);
        if (page === undefined) continue;
        if (page.lines.length === LINES_MOST) yield closePage(page, writtenAt);
        page.lines.push({ ...entry, entry: entry.id, position, units: line.units });
      }
    }
  }
  for (const page of open.values()) {
    if (page.lines.length > 0 || page.pages === 0) yield closePage(page, writtenAt);
  }
}

const HELD: ReadonlySet<string> = new Set(['HOT', 'COLD', 'PROVIDER', 'IN_TRANSIT']);

type OpenPage = {
  readonly code: string;
  readonly assetId: string;
  carried: bigint;
  pages: number;
  lines: AccountStatement['lines'][number][];
};

function closePage(page: OpenPage, writtenAt: Temporal.Instant): StatementFile {
  const { code, assetId, carried: openingUnits, lines } = page;
  const closingUnits = lines.reduce((sum, { units }) => sum + units, openingUnits);
  const account = code.replaceAll(/[^A-Za-z0-9]+/g, '-');
  const statement = { account, assetId, openingUnits, closingUnits, lines, writtenAt };
  page.carried = closingUnits;
  page.pages += 1;
  page.lines = [];
  const number = page.pages === 1 ? '' : `-${page.pages}`;
  const name = `${account}-${getAsset(assetId).assetCode}${number}`;
  return { name, text: camt053Text(statement) };
}
