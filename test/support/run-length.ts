// How much of what is drawn by chance a run plays. `npm test` plays a short part, which finds a gross
// fault within minutes; `npm run test:long`, which .ci/run runs after it, plays all of it. Which files
// ask for this is read from their imports (scripts/test-groups.mjs): whoever asks runs in both.
import { env } from 'node:process';

export type RunLength = 'short' | 'long';

export const runLength = readRunLength(env.QUITTANCE_TEST_LENGTH);

/** A word that is neither is a mistake: taken for one of both, it would leave tests out in silence. */
export function readRunLength(word: string | undefined): RunLength {
  if (word === undefined || word === '') return 'short';
  if (word === 'short' || word === 'long') return word;
  throw new Error(`QUITTANCE_TEST_LENGTH is short or long, not ${word}`);
}

export function byLength<T>(of: Readonly<Record<RunLength, T>>): T {
  return of[runLength];
}
