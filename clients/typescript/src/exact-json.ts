// JSON without floats. Amounts are texts on the wire; what else is a number keeps its exact value:
// one that a double does not hold becomes its text when it is read, and a float is not written.

/** Texts first, so that digits inside of them are passed over. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** @throws SyntaxError */
export function parseExact(text: string): unknown {
  return JSON.parse(text.replace(TOKENS, (token) => (isHeld(token) ? token : `"${token}"`)));
}

/** Also true for a text: there is nothing to do with it. */
function isHeld(token: string): boolean {
  if (token.startsWith('"') || /^-?\d{1,15}$/.test(token)) return true;
  const double = Number(token);
  return Number.isFinite(double) && valueText(token) === valueText(String(double));
}

/** The same text for the same value: digits without zeros around them, and the power of ten. */
function valueText(number: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const exponent = Number(power) - fraction.length + digits.length - significant.length;
  return `${sign}${significant}e${exponent}`;
}

/**
 * JSON text of a request.
 * @throws TypeError for a float that is not whole or no number at all, except inside of `meta`,
 *   which belongs to the caller: as a float 0.1 + 0.2 is another amount than 0.3.
 */
export function stringifyExact(value: unknown): string {
  return write(value, '', false) ?? 'null';
}

function write(value: unknown, path: string, isMeta: boolean): string | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') {
    return JSON.stringify(value);
  }
  if (typeof value === 'number') return writeNumber(value, path, isMeta);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object') return undefined;
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return write(value.toJSON(), path, isMeta);
  }
  if (Array.isArray(value)) {
    const entries = value.map((one, at) => write(one, `${path}[${at}]`, isMeta) ?? 'null');
    return `[${entries.join(',')}]`;
  }
  const fields = Object.entries(value).flatMap(([name, one]) => {
    const inside = path === '' ? name : `${path}.${name}`;
    const text = write(one, inside, isMeta || name === 'meta');
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${fields.join(',')}}`;
}

function writeNumber(value: number, path: string, isMeta: boolean): string {
  if (isMeta ? Number.isFinite(value) : Number.isSafeInteger(value)) return String(value);
  throw floatRefused(path);
}

/** The text of a parameter of a query. @throws TypeError as `stringifyExact`. */
export function queryText(name: string, value: unknown): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) throw floatRefused(name);
  if (value instanceof Date) return value.toISOString();
  return String(value);
}

function floatRefused(path: string): TypeError {
  return new TypeError(
    `${path}: an amount is a text, as '12.50', or a whole number, never a float`,
  );
}
