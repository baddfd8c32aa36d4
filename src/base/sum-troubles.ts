// Which lines of trouble are written: one at once, what is the same for a while later, summed. A
// node that is away for a night is a line in ten minutes and not one in five seconds. Guarantees:
// what is new is said at once; nothing is forgotten, only summed; memory is bounded, whatever is
// logged.

import type { Clock } from './clock.ts';

type Fields = Record<string, unknown>;
type Line = { readonly level: string; readonly message: string; readonly fields: Fields };

export type Troubles = {
  /** What is to be written with the line; undefined: not now. */
  note(line: Line): Fields | undefined;
  /** What was not said, each once. Without `all` what has waited long enough. */
  sum(all: boolean): readonly Line[];
};

type Trouble = {
  saidMs: number;
  unsaid: number;
  since: Temporal.Instant;
  last: Line;
};

const SILENT_MS = 600_000;
/** Different ones with the same message that are said in that time; the others are summed. */
const ALIKE_MOST = 20;
const KNOWN_MOST = 2_000;
const DEPTH_MOST = 4;
/**
 * Different each time, and no part of what is wrong. Other numbers are: an alarm about money is not
 * the same as the one about the next payment.
 */
const PASSING = /^(?:requestId|at|since|until|count|height|.*(?:Failures|Ms|Seconds))$/;
/** Sentences, whose numbers are those of the moment. */
const SENTENCES = /^(?:reason|detail|message|what|failures)$/;

export function createTroubles(clock: Clock): Troubles {
  const known = new Map<string, Trouble>();
  const alike = new Map<string, { fromMs: number; said: number }>();

  /** True where the next different one of the same message is one too many. */
  const isFlood = (message: string, now: number): boolean => {
    const told = alike.get(message);
    if (told === undefined || now - told.fromMs >= SILENT_MS) {
      if (alike.size >= KNOWN_MOST) alike.clear();
      alike.set(message, { fromMs: now, said: 1 });
      return false;
    }
    told.said += 1;
    return told.said > ALIKE_MOST || known.size >= KNOWN_MOST;
  };

  const hold = (key: string, line: Line, now: number): Trouble => {
    const trouble = { saidMs: now, unsaid: 0, since: clock.now(), last: line };
    known.set(key, trouble);
    return trouble;
  };
  return {
    note(line) {
      const now = clock.monotonicMs();
      const key = keyOf(line);
      let trouble = known.get(key);
      if (trouble === undefined) {
        if (!isFlood(line.message, now)) {
          hold(key, line, now);
          return {};
        }
        const others = `others ${line.level} ${line.message}`;
        // The first of them is summed too: twenty have said what it is like.
        trouble = known.get(others) ?? hold(others, line, now);
      } else if (now - trouble.saidMs >= SILENT_MS) {
        const { unsaid, since } = trouble;
        known.delete(key);
        hold(key, line, now);
        return unsaid === 0 ? {} : { times: unsaid + 1, since: since.toString() };
      }
      trouble.unsaid += 1;
      if (trouble.unsaid === 1) trouble.since = clock.now();
      trouble.last = line;
      return undefined;
    },
    sum(all) {
      const now = clock.monotonicMs();
      const lines: Line[] = [];
      for (const [key, trouble] of known) {
        if (!all && now - trouble.saidMs < SILENT_MS) continue;
        known.delete(key);
        if (trouble.unsaid === 0) continue;
        const { last, unsaid, since } = trouble;
        const fields = { ...last.fields, times: unsaid, since: since.toString() };
        lines.push({ ...last, fields });
        // What goes on is summed again, and not said as if it were new.
        if (!all) hold(key, last, now);
      }
      return lines;
    },
  };
}

/** The same trouble has the same: who and what it is about, without numbers of the moment. */
function keyOf({ level, message, fields }: Line): string {
  return JSON.stringify([level, message, essenceOf(fields, '', 0)]);
}

function essenceOf(value: unknown, name: string, depth: number): unknown {
  if (typeof value === 'string') return SENTENCES.test(name) ? withoutNumbers(value) : value;
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEPTH_MOST) return undefined;
  if (value instanceof Error) {
    const code = 'code' in value ? String(value.code) : '';
    return [value.name, code, withoutNumbers(value.message)];
  }
  if (ArrayBuffer.isView(value)) return undefined;
  if (Array.isArray(value)) return value.map((item) => essenceOf(item, name, depth + 1));
  // Of sentences by name (one for each price source) all are sentences.
  return Object.entries(value).flatMap(([field, inner]) =>
    PASSING.test(field)
      ? []
      : [[field, essenceOf(inner, SENTENCES.test(name) ? name : field, depth + 1)]],
  );
}

function withoutNumbers(text: string): string {
  return text.replace(/\d+/g, '#');
}
