// The headers of a request as they came on the socket. Guarantees: the same names and values as a
// `Headers` of them has, and nothing is made of those that nobody asks for. Nothing is checked
// again that the HTTP parser has checked.

import type { IncomingMessage } from 'node:http';

export type RequestHeaders = Iterable<readonly [name: string, value: string]> & {
  /** `name` in small letters. Several of one name are joined; null: there is none. */
  get(name: string): string | null;
};

export function readRequestHeaders({ rawHeaders }: IncomingMessage): RequestHeaders {
  return new ReceivedHeaders(rawHeaders);
}

class ReceivedHeaders implements RequestHeaders {
  /** Names and values in turn. */
  readonly #raw: readonly string[];

  constructor(raw: readonly string[]) {
    this.#raw = raw;
  }

  get(name: string): string | null {
    let found: string | null = null;
    for (let at = 0; at + 1 < this.#raw.length; at += 2) {
      const one = this.#raw[at] ?? '';
      // Most differ in length: few names are made small.
      if (one.length !== name.length || one.toLowerCase() !== name) continue;
      const value = this.#raw[at + 1] ?? '';
      found = found === null ? value : `${found}, ${value}`;
    }
    return found;
  }

  *[Symbol.iterator](): Iterator<readonly [name: string, value: string]> {
    const names = this.#raw.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
    for (const name of new Set(names)) yield [name, this.get(name) ?? ''];
  }
}
