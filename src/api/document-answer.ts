// An answer that is no JSON: a document to be saved as a file. Everything else an endpoint answers
// is a value, which becomes JSON.

export type DocumentAnswer = {
  readonly text: string;
  readonly contentType: string;
  readonly fileName: string;
  readonly headers: Readonly<Record<string, string>>;
};

const documents = new WeakSet<object>();

/** `fileName` and headers are our own words: nothing in them comes from a caller. */
export function documentAnswer(document: DocumentAnswer): DocumentAnswer {
  const made = Object.freeze({ ...document });
  documents.add(made);
  return made;
}

export function isDocumentAnswer(value: unknown): value is DocumentAnswer {
  return typeof value === 'object' && value !== null && documents.has(value);
}

export function documentHeaders(document: DocumentAnswer): Readonly<Record<string, string>> {
  return {
    ...document.headers,
    'content-type': document.contentType,
    'content-disposition': `attachment; filename="${document.fileName}"`,
  };
}
