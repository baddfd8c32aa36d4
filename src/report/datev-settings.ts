// What only the tax adviser knows: for whom a batch of DATEV is, and on which accounts of which
// chart it is booked. The accounts of a chart are a proposal; each can be named.
import { Refusal } from '#base/refusal.ts';

const CHARTS = {
  /** Sonstige Vermögensgegenstände, Geldtransit, sonstige Verbindlichkeiten, Nebenkosten. */
  SKR03: { available: '1501', pending: '1502', reserved: '1360', owed: '1701', fees: '4970' },
  SKR04: { available: '1301', pending: '1302', reserved: '1460', owed: '3501', fees: '6855' },
} as const;
/** Durchlaufende Posten. */
const CLEARING = { SKR03: '1590', SKR04: '1370' } as const;

export type DatevSettings = {
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
