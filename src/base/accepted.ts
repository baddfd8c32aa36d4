// What a refusal of an unknown value says would be accepted: all of it where that is short, else
// what is nearest to what was given, and where the whole list is.

const SHOWN_MOST = 16;
const NEAREST_MOST = 4;
const GIVEN_MOST = 64;

/** `accepted are: A, B`, or `nearest are: A, B; all are in GET /assets`. */
export function acceptedText(given: string, accepted: readonly string[], where: string): string {
  if (accepted.length <= SHOWN_MOST) return `accepted are: ${accepted.join(', ')}`;
  const wanted = given.slice(0, GIVEN_MOST).toUpperCase();
  const near = accepted
    .map((value) => ({ value, apart: distance(wanted, value.slice(0, GIVEN_MOST).toUpperCase()) }))
    .toSorted((one, other) => one.apart - other.apart)
    .slice(0, NEAREST_MOST);
  return `nearest are: ${near.map(({ value }) => value).join(', ')}; all are in ${where}`;
}

/** Letters to add, leave out or replace. A text that merely goes on longer counts little. */
function distance(one: string, other: string): number {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.startsWith(short)) return 0.5;
  let before = Array.from({ length: long.length + 1 }, (_, index) => index);
  for (let row = 1; row <= short.length; row += 1) {
    const line = [row];
    for (let at = 1; at <= long.length; at += 1) {
      const replaced = (before[at - 1] ?? 0) + (short[row - 1] === long[at - 1] ? 0 : 1);
      line.push(Math.min(replaced, (before[at] ?? 0) + 1, (line[at - 1] ?? 0) + 1));
    }
    before = line;
  }
  return before.at(-1) ?? 0;
}
