// Everything that the oracle looks at. After every step, and inside those that do several things in
// a row: what it sees only at the end it cannot put in order.
import { checkAnswered, listAnswered } from './answer-steps.ts';
import { checkCompletions, listDecided } from './check-completions.ts';
import { checkConversions, listConversions } from './check-conversions.ts';
import { checkDeposits, listDeposits } from './check-deposits.ts';
import { checkDepths, listBuried } from './check-depth.ts';
import { checkFinality, listSeen } from './check-finality.ts';
import { checkHedges, listHedges } from './check-hedges.ts';
import { checkOrders, listOrders } from './check-orders.ts';
import { checkPrepared, listPrepared } from './check-prepared.ts';
import { checkReturned, listReturned } from './check-returns.ts';
import { checkSends, listSends } from './check-sends.ts';
import { checkSuspense, listDecidedSuspense } from './check-suspense.ts';
import { checkCredits, checkWindows, listCredits } from './check-worth.ts';
import type { Story } from './story.ts';
import { listWindows } from './windows.ts';

/** A sentence for each thing that is broken. What it reads travels together, once. */
export async function askOracle(story: Story): Promise<string[]> {
  const [
    seen,
    buried,
    windows,
    credits,
    decided,
    deposits,
    sends,
    suspense,
    orders,
    prepared,
    returned,
    hedges,
    conversions,
    answered,
  ] = await story.world.db.read((reader) =>
    Promise.all([
      listSeen(reader, story),
      listBuried(reader, story),
      listWindows(reader, story),
      listCredits(reader, story),
      listDecided(reader, story),
      listDeposits(reader, story),
      listSends(reader, story),
      listDecidedSuspense(reader, story),
      listOrders(reader, story),
      listPrepared(reader, story),
      listReturned(reader, story),
      listHedges(reader, story),
      listConversions(reader, story),
      listAnswered(reader, story),
    ]),
  );
  return [
    ...checkFinality(story, seen),
    ...checkDepths(story, buried),
    ...checkWindows(story, windows),
    ...checkCredits(story, credits, windows),
    ...checkCompletions(story, decided, windows),
    ...checkDeposits(story, deposits),
    ...checkSends(sends),
    ...checkSuspense(suspense),
    ...checkOrders(story, orders),
    ...checkPrepared(story, prepared),
    ...checkReturned(returned),
    ...checkHedges(story, hedges),
    ...checkConversions(story, conversions),
    ...checkAnswered(story, answered),
  ];
}

export async function lookInside(story: Story): Promise<void> {
  const broken = await askOracle(story);
  if (broken.length > 0) throw new Error(broken.join('\n  '));
}
