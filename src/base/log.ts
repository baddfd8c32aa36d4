// One JSON object per line: at, level, message, then the fields. Guarantees: logging never throws,
// and what stands under a name that sounds secret is not written, at any depth. Not guaranteed: a
// secret inside a message or under a harmless name; only passwords in URLs are found there.
import type { Clock } from './clock.ts';
import { createTroubles, type Troubles } from './sum-troubles.ts';

const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFields = Record<string, unknown>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** The same log, every line of which carries these fields too. */
  with(fields: LogFields): Log;
}

const SECRET_NAME =
  /secret|password|authorization|signature|token|mnemonic|kek|private_?key|seed|cookie/i;
const REDACTED = '[redacted]';
const DEPTH_MAX = 8;

/** `write` gets each line without its line end. */
export function jsonLog(write: (line: string) => void, level: LogLevel, clock: Clock): Log {
  return logWith({ write, lowest: LOG_LEVELS.indexOf(level), clock, troubles: undefined }, {});
}

/**
 * For what runs for long: a trouble that repeats is said once, and then summed, by `tell` and when
 * it comes again later. `tell` is to be called now and then, and with `true` at the end.
 */
export function summingLog(
  write: (line: string) => void,
  level: LogLevel,
  clock: Clock,
): { readonly log: Log; tell(isEnd?: boolean): void } {
  const lowest = LOG_LEVELS.indexOf(level);
  const troubles = createTroubles(clock);
  const plain = logWith({ write, lowest, clock, troubles: undefined }, {});
  return {
    log: logWith({ write, lowest, clock, troubles }, {}),
    tell(isEnd = false) {
      for (const { level: at, message, fields } of troubles.sum(isEnd)) {
        plain[at === 'error' ? 'error' : 'warn'](message, fields);
      }
    },
  };
}

export const silentLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  with: () => silentLog,
};

type LogTo = {
  readonly write: (line: string) => void;
  readonly lowest: number;
  readonly clock: Clock;
  readonly troubles: Troubles | undefined;
};

function logWith(to: LogTo, shared: LogFields): Log {
  const at = (level: LogLevel) => {
    if (LOG_LEVELS.indexOf(level) < to.lowest) return () => {};
    const troubles = level === 'warn' || level === 'error' ? to.troubles : undefined;
    return (message: string, given: LogFields = {}) => {
      const fields = { ...shared, ...given };
      const more = troubles === undefined ? {} : notedBy(troubles, { level, message, fields });
      if (more === undefined) return;
      const line = { at: to.clock.now().toString(), level, message: hideUrlPasswords(message) };
      to.write(toLine(line, { ...fields, ...more }));
    };
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => logWith(to, { ...shared, ...fields }),
  };
}

/** What cannot be compared, because somebody else's object threw, is said. */
function notedBy(troubles: Troubles, line: Parameters<Troubles['note']>[0]): LogFields | undefined {
  try {
    return troubles.note(line);
  } catch {
    return {};
  }
}

function toLine(line: Record<string, string>, fields: LogFields): string {
  try {
    const plain = plainObject(Object.entries(fields), 0);
    return JSON.stringify({ ...line, ...plain, ...line });
  } catch (error) {
    // A getter or toJSON of somebody else's object threw: the message must still come out.
    return JSON.stringify({ ...line, fieldsFailure: String(error) });
  }
}

function plainObject(entries: Iterable<[unknown, unknown]>, depth: number): LogFields {
  const plain: LogFields = {};
  for (const [key, value] of entries) {
    const name = String(key);
    const isHidden = SECRET_NAME.test(name) && value !== undefined && value !== null;
    plain[name] = isHidden ? REDACTED : toPlain(value, depth + 1);
  }
  return plain;
}

function toPlain(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return hideUrlPasswords(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'symbol' || typeof value === 'function') return String(value.toString());
  if (typeof value !== 'object' || value === null) return value;
  // Values that contain themselves end here too.
  if (depth > DEPTH_MAX) return '[too deep]';
  if (value instanceof Error) return plainError(value, depth);
  // Bytes may be a key; their number is enough to tell what went wrong.
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value) || value instanceof Set) {
    return Array.from(value, (item) => toPlain(item, depth + 1));
  }
  if (value instanceof Map) return plainObject(value, depth);
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return toPlain(value.toJSON(), depth + 1);
  }
  return plainObject(Object.entries(value), depth);
}

function plainError(error: Error, depth: number): LogFields {
  const plain: LogFields = { name: error.name, message: hideUrlPasswords(error.message) };
  if ('code' in error) plain.code = toPlain(error.code, depth + 1);
  if (error.stack !== undefined) plain.stack = hideUrlPasswords(error.stack);
  if (error instanceof AggregateError) plain.errors = toPlain(error.errors, depth + 1);
  if (error.cause !== undefined) plain.cause = toPlain(error.cause, depth + 1);
  return plain;
}

function hideUrlPasswords(text: string): string {
  return text.replace(/(:\/\/[^/\s:@]*):[^/\s@]+@/g, `$1:${REDACTED}@`);
}
