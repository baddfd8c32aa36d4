// The end of a test in which money left: what it leaves behind is as it should be.
import assert from 'node:assert/strict';
import { verifyLedger } from '#ledger/verify-ledger.ts';
import { verifyReasons } from '#report/verify-reasons.ts';
import { checkInvariants } from './check-invariants.ts';
import type { TestApp } from './test-app.ts';

/** `isExpected`: what the test itself has brought about. */
export async function closeChecked(
  world: TestApp,
  isExpected: (fault: string) => boolean = () => false,
): Promise<void> {
  const { db } = world.app;
  const now = world.clock.now();
  const broken = await checkInvariants(db, { now, settled: true, settleApp: world.app });
  broken.push(...(await verifyReasons(db)), ...(await verifyLedger(db)).faults);
  await world.close();
  assert.deepEqual(
    broken.filter((fault) => !isExpected(fault)),
    [],
  );
}
