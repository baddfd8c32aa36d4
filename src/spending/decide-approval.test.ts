import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APPROVAL_LASTS, decideApproval } from './decide-approval.ts';

const NOW = Temporal.Instant.from('2026-01-10T00:00:00Z');
const OLD = NOW.subtract(APPROVAL_LASTS);
const YOUNG = OLD.add({ milliseconds: 1 });

test('what may go on, what waits, and who is asked anew', () => {
  const asked = { askedAt: YOUNG, approvedAt: undefined, isOfThis: true, isSealed: false };
  const approved = { ...asked, askedAt: OLD, approvedAt: YOUNG, isSealed: true };
  const rows = [
    [undefined, 'ask'],
    [asked, 'waits'],
    [{ ...asked, askedAt: OLD }, 'expired'],
    [{ ...asked, isOfThis: false }, 'ask'],
    [approved, 'approved'],
    [{ ...approved, approvedAt: OLD }, 'ask'],
    [{ ...approved, isOfThis: false }, 'ask'],
    [{ ...approved, isSealed: false }, 'expired'],
    [{ ...approved, askedAt: YOUNG, isSealed: false }, 'waits'],
  ] as const;
  for (const [state, verdict] of rows) assert.equal(decideApproval(state, NOW), verdict);
});
