// Sends what is due once, where a test wants no loop.
import {
  attemptDelivery,
  claimDue,
  type DeliveryApp,
  parkOverdue,
  recordAttempts,
  rememberSecrets,
  sendVia,
} from '#event/deliver-events.ts';

export type DeliverySummary = {
  /** Attempts made. */
  readonly attempted: number;
  /** Attempts recorded; fewer when another worker had taken over a lease. */
  readonly recorded: number;
};

/**
 * Claims at most `most` due deliveries, makes one attempt at each, all at the same time, and
 * records what came of them.
 * @throws Outage when the database is away: what was claimed is due again when its lease ends.
 */
export async function deliverEvents(
  app: DeliveryApp,
  { most, signal }: { readonly most: number; readonly signal?: AbortSignal },
): Promise<DeliverySummary> {
  await parkOverdue(app);
  const via = sendVia(app);
  const never = new AbortController().signal;
  let attempted = 0;
  let recorded = 0;
  let cursor = '';
  do {
    const free = most - attempted;
    const claim = await claimDue(app, {
      most: free,
      troubledMost: free,
      merchantMost: most,
      cursor,
    });
    const attemptApp = { ...app, via, secrets: rememberSecrets(app.secrets) };
    const outcomes = await Promise.all(
      claim.claimed.map((delivery) => attemptDelivery(attemptApp, delivery, signal ?? never)),
    );
    if (outcomes.length > 0) recorded += await recordAttempts(app, outcomes);
    attempted += outcomes.length;
    cursor = claim.cursor;
  } while (cursor !== '' && attempted < most && !signal?.aborted);
  return { attempted, recorded };
}
