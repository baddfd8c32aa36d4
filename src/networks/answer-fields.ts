// Reads answers of nodes, which are hostile input: whatever is not of the form its documentation
// says is a lie, and nothing of such an answer is used. What is special about one kind of node is
// in its folder.

/**
 * What the node says cannot be so. The message is one sentence for the operator; each network makes
 * an Outage of it.
 */
export class NodeLie extends Error {}

/** The node understood and said no. */
export class RpcFailure extends Error {
  readonly method: string;
  readonly code: number;
  /** In the words of the node. */
  readonly said: string;

  constructor(method: string, code: number, said: string) {
    super(`${method}: ${said} (${code})`);
    this.name = 'RpcFailure';
    this.method = method;
    this.code = code;
    this.said = said;
  }
}

export type Fields = Readonly<Record<string, unknown>>;

export function requireThat(isTrue: boolean, sentence: string): asserts isTrue {
  if (!isTrue) throw new NodeLie(sentence);
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function requireFields(value: unknown, what: string): Fields {
  if (isFields(value)) return value;
  throw new NodeLie(`${what} is no object`);
}

export function requireText(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value === 'string') return value;
  throw new NodeLie(`${name} is no text`);
}

export function requireList(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new NodeLie(`${what} is no list`);
}

/** 32 bytes in hexadecimal, as most nodes write them, as Ethereum's do, and the XRP Ledger's. */
const HASH = /^[0-9a-f]{64}$/;
export const PREFIXED_HASH = /^0x[0-9a-f]{64}$/;
export const CAPITAL_HASH = /^[0-9A-F]{64}$/;

export function requireHash(value: unknown, what: string, form: RegExp = HASH): string {
  if (typeof value === 'string' && form.test(value)) return value;
  throw new NodeLie(`${what} is no hash`);
}
