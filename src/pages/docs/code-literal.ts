// JSON values as literals of programming languages. A text `{name}` is what an earlier step
// remembered: it becomes the variable of that name.

type Notation = {
  readonly text: (text: string) => string;
  readonly nothing: string;
  readonly truth: (value: boolean) => string;
  readonly list: readonly [open: string, close: string];
  readonly map: readonly [open: string, close: string];
  readonly member: (name: string, value: string) => string;
  readonly variable: (name: string) => string;
  readonly indent: string;
};

const inDouble = (text: string) => JSON.stringify(text);
const inSingle = (text: string) =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;

/** `checkoutId` as `checkout_id`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export const NOTATIONS = {
  node: {
    text: inSingle,
    nothing: 'null',
    truth: String,
    list: ['[', ']'],
    map: ['{', '}'],
    member: (name, value) =>
      name === value ? name : `${/^\w+$/.test(name) ? name : inSingle(name)}: ${value}`,
    variable: (name) => name,
    indent: '  ',
  },
  python: {
    text: inDouble,
    nothing: 'None',
    truth: (value) => (value ? 'True' : 'False'),
    list: ['[', ']'],
    map: ['{', '}'],
    member: (name, value) => `${inDouble(name)}: ${value}`,
    variable: snakeCase,
    indent: '    ',
  },
  php: {
    text: inSingle,
    nothing: 'null',
    truth: String,
    list: ['[', ']'],
    map: ['[', ']'],
    member: (name, value) => `${inSingle(name)} => ${value}`,
    variable: (name) => `$${name}`,
    indent: '    ',
  },
  ruby: {
    text: inDouble,
    nothing: 'nil',
    truth: String,
    list: ['[', ']'],
    map: ['{', '}'],
    member: (name, value) => `${/^\w+$/.test(name) ? `${name}:` : `${inDouble(name)} =>`} ${value}`,
    variable: snakeCase,
    indent: '  ',
  },
} satisfies Readonly<Record<string, Notation>>;

const WIDE = 76;

/** In one line where it fits, else a member a line. */
export function literal(notation: Notation, value: unknown, depth = 0): string {
  if (value === null || value === undefined) return notation.nothing;
  if (typeof value === 'boolean') return notation.truth(value);
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') {
    const name = /^\{(\w+)\}$/.exec(value)?.[1];
    return name === undefined ? notation.text(value) : notation.variable(name);
  }
  const isList = Array.isArray(value);
  const write = (level: number) =>
    isList
      ? value.map((one) => literal(notation, one, level))
      : Object.entries(value).map(([name, member]) =>
          notation.member(name, literal(notation, member, level)),
        );
  const [open, close] = isList ? notation.list : notation.map;
  const space = !isList && open === '{' ? ' ' : '';
  const short = `${open}${space}${write(0).join(', ')}${space}${close}`;
  if (!short.includes('\n') && short.length + depth * notation.indent.length <= WIDE) return short;
  const inner = notation.indent.repeat(depth + 1);
  const lines = write(depth + 1).map((member) => `${inner}${member},\n`);
  const end = `${notation.indent.repeat(depth)}${close}`;
  // Ruby and JavaScript take a comma behind the last member, as Python and PHP do.
  return `${open}\n${lines.join('')}${end}`;
}
