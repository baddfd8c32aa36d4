// Options that verbs of reports share.
import { Refusal } from '#base/refusal.ts';
import { type Command, textOption, type Values } from './command.ts';

export const PERIOD_OPTIONS: Command['options'] = {
  from: { type: 'string' },
  to: { type: 'string' },
};
export const PERIOD_USAGE =
  '  --from, --to     a time like 2026-01-31T12:00:00Z, from included, to not';

/** @throws Refusal of one that ends before it begins. */
export function periodOf(values: Values) {
  const [from, to] = [timeOption(values, 'from'), timeOption(values, 'to')];
  if (from !== undefined && to !== undefined && Temporal.Instant.compare(from, to) > 0) {
    throw new Refusal('invalid', 'usage', [`--from: ${from} is after --to, ${to}`]);
  }
  return { from, to };
}

/** @throws Refusal */
function timeOption(values: Values, name: string): Temporal.Instant | undefined {
  const text = textOption(values, name);
  if (text === undefined) return undefined;
  try {
    return Temporal.Instant.from(/^[12]\d{3}-\d\d-\d\d$/.test(text) ? `${text}T00:00Z` : text);
  } catch {
    throw new Refusal('invalid', 'usage', [`--${name}: must be a time like 2026-01-31T12:00:00Z`]);
  }
}

/** The first where nothing is said. @throws Refusal */
export function oneOf<Choice extends string>(
  values: Values,
  name: string,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const given = textOption(values, name) ?? choices[0];
  const found = choices.find((one) => one === given);
  if (found !== undefined) return found;
  throw new Refusal('invalid', 'usage', [`--${name}: one of ${choices.join(', ')}`]);
}
