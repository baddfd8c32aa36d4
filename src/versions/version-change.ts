// What a version of the API changed, as pure functions between the shape of that version and the
// one before it. Guarantees: each way undoes the other, so nothing that a caller sends or is told
// is lost.

export type JsonFields = { readonly [name: string]: unknown };

/** One place of a request, an answer or an event, in both shapes. */
type Change = {
  /** From the newer shape. */
  older(value: JsonFields): JsonFields;
  /** From the older shape. */
  newer(value: JsonFields): JsonFields;
  /** What is said of a fault in the newer shape, in words of the older one. */
  olderFault(text: string): string;
};

export type VersionChange = {
  /** The first that has the newer shape. */
  readonly version: string;
  /** The day from which on the shape before it may be gone. */
  readonly endOfBefore: string;
  /** Sentences for the change log, as one who calls the API sees it. */
  readonly said: readonly string[];
  /** By `operationId`. */
  readonly requests: { readonly [operationId: string]: Change };
  readonly answers: { readonly [operationId: string]: Change };
  /** By type: of `data` of the event. */
  readonly events: { readonly [eventType: string]: Change };
};

/** The same value under another name, in its place. */
export function renamed(was: string, is: string): Change {
  const rename = (value: JsonFields, from: string, to: string): JsonFields => {
    if (!(from in value)) return value;
    const rest = Object.entries(value).filter(([name]) => name !== to);
    return Object.fromEntries(rest.map(([name, one]) => [name === from ? to : name, one]));
  };
  return {
    older: (value) => rename(value, is, was),
    newer: (value) => rename(value, was, is),
    olderFault: (text) => (text.startsWith(`${is}:`) ? `${was}${text.slice(is.length)}` : text),
  };
}

/** Of what stands in a field, or of each in the list that stands there. */
export function inside(field: string, { older, newer }: Change): Change {
  const change = (value: JsonFields, act: (one: JsonFields) => JsonFields): JsonFields => {
    const { [field]: found } = value;
    if (typeof found !== 'object' || found === null) return value;
    return { ...value, [field]: Array.isArray(found) ? found.map(act) : act(found as JsonFields) };
  };
  return {
    older: (value) => change(value, older),
    newer: (value) => change(value, newer),
    olderFault: (text) => text,
  };
}

export function both(one: Change, other: Change): Change {
  return {
    older: (value) => one.older(other.older(value)),
    newer: (value) => other.newer(one.newer(value)),
    olderFault: (text) => one.olderFault(other.olderFault(text)),
  };
}
