// Everything that the oracle looks at. After every step, and inside those that do several things in
// a row: what it sees only at the end it cannot put in order.
import { checkCompletions } from './check-completions.ts';
import { checkDeposits } from './check-deposits.ts';
import { checkDepths } from './check-depth.ts';
import { checkFinality } from './check-finality.ts';
import { checkSends } from './check-sends.ts';
import { checkCredits, checkWindows } from './check-worth.ts';
import type { Story } from './story.ts';

/** A sentence for each thing that is broken. */
export async function askOracle(story: Story): Promise<string[]> {
  return [
    ...(await checkFinality(story)),
    ...(await checkDepths(story)),
    ...(await checkWindows(story)),
    ...(await checkCredits(story)),
    ...(await checkCompletions(story)),
    ...(await checkDeposits(story)),
    ...(await checkSends(story)),
  ];
}

export async function lookInside(story: Story): Promise<void> {
  const broken = await askOracle(story);
  if (broken.length > 0) throw new Error(broken.join('\n  '));
}
