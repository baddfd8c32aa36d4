// Whether an act above the limit of one person may go on. Pure.

/** So long an act waits for its second person, and so long an approval that was not used holds. */
export const APPROVAL_LASTS = { hours: 72 } as const;

type ApprovalState = {
  readonly askedAt: Temporal.Instant;
  readonly approvedAt: Temporal.Instant | undefined;
  /** What was shown to whoever approves is what is about to happen. */
  readonly isOfThis: boolean;
  /** The row was written by the service. */
  readonly isSealed: boolean;
};

export type ApprovalVerdict =
  | 'approved'
  /** Nobody was asked about this, or the approval is too old: a person is asked now. */
  | 'ask'
  | 'waits'
  | 'expired';

export function decideApproval(
  state: ApprovalState | undefined,
  now: Temporal.Instant,
): ApprovalVerdict {
  if (state === undefined || !state.isOfThis) return 'ask';
  const { askedAt, approvedAt, isSealed } = state;
  const isOver = (since: Temporal.Instant) =>
    Temporal.Instant.compare(since.add(APPROVAL_LASTS), now) <= 0;
  if (approvedAt !== undefined && isSealed) return isOver(approvedAt) ? 'ask' : 'approved';
  return isOver(askedAt) ? 'expired' : 'waits';
}
