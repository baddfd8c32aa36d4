// Reads back what a journal of beancount or hledger says, as far as we write them: sums of every
// account and commodity, and what is asserted of them at the end.

type Sums = Map<string, bigint>;

/** In units of 18 digits after the point. Keys: account, commodity. */
export function parseJournal(text: string): {
  readonly sums: Sums;
  readonly asserted: Sums;
  readonly days: readonly string[];
} {
  const sums: Sums = new Map();
  const asserted: Sums = new Map();
  const days: string[] = [];
  const isHledger = text.startsWith('decimal-mark');
  for (const line of text.split('\n')) {
    if (/^\d{4}-\d\d-\d\d \* /.test(line)) days.push(line.slice(0, 10));
    const [, end, account = '', amount = '', unit = '', said = ''] =
      /^(\d{4}-\d\d-\d\d balance)? *([A-Z][A-Za-z0-9:-]+) {2}(-?\d+(?:\.\d+)?) "?([A-Z0-9.]+)"?(?: = (-?\d+(?:\.\d+)?) "[A-Z0-9.]+")?$/.exec(
        line,
      ) ?? [];
    const key = `${account} ${unit}`;
    if (end !== undefined) asserted.set(key, unitsOf(amount));
    else if (account !== '' && line.startsWith(' ')) {
      if (said !== '') asserted.set(key, unitsOf(said));
      sums.set(key, (sums.get(key) ?? 0n) + unitsOf(amount));
    } else if (!isKnown(line, isHledger)) throw new Error(`not ours: ${line}`);
  }
  return { sums, asserted, days };
}

function isKnown(line: string, isHledger: boolean): boolean {
  const known = isHledger
    ? /^(?:|decimal-mark \.|\d{4}-\d\d-\d\d \* [^;\n]*| {4}; time: [0-9TZ:.-]+)$/
    : /^(?:|plugin "beancount\.plugins\.auto_accounts"|\d{4}-\d\d-\d\d \* (?:"(?:[^"\\]|\\.)*" ?){2}| {2}(?:entry|time): "[^"\\]*")$/;
  return known.test(line);
}

function unitsOf(text: string): bigint {
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d+)(?:\.(\d{1,18}))?$/.exec(text) ?? [];
  const units = BigInt(whole + part.padEnd(18, '0'));
  return sign === '-' ? -units : units;
}
