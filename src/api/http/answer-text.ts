// What an endpoint answers becomes the text of a body here: a document stays as it is, everything
// else becomes JSON, once for a value that is answered many times.

import { stringifyExact } from '#money/exact-json.ts';

/** An answer that is no JSON: a document to be saved as a file. */
export class DocumentAnswer {
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;

  /** `fileName` and headers are our own words: nothing in them comes from a caller. */
  constructor(document: {
    readonly text: string;
    readonly contentType: string;
    readonly fileName: string;
    readonly headers: Readonly<Record<string, string>>;
  }) {
    this.text = document.text;
    this.headers = {
      ...document.headers,
      'content-type': document.contentType,
      'content-disposition': `attachment; filename="${document.fileName}"`,
    };
  }
}

const SHARED = new WeakSet<object>();
const TEXTS = new WeakMap<object, string>();

/**
 * Marks a value that will be answered again as the same object: its text is made once. Whoever made
 * it never changes it.
 */
export function shareAnswer<Value extends object>(value: Value): Value {
  SHARED.add(value);
  return value;
}

export function textOfAnswer(value: object): string {
  if (value instanceof DocumentAnswer) return value.text;
  if (!SHARED.has(value)) return stringifyExact(value);
  const known = TEXTS.get(value);
  if (known !== undefined) return known;
  const text = stringifyExact(value);
  TEXTS.set(value, text);
  return text;
}
