import type { Caller } from '#account/caller.ts';
import { refuseTarget, type TargetAdmission } from '#event/admit-target.ts';

/**
 * The check of a request's own `webhook`, to be made outside any transaction first: its answer is
 * kept, so that making it again asks nobody.
 */
export function admitWebhook(
  app: { readonly webhookTargets: TargetAdmission },
  { caller }: { readonly caller: Pick<Caller, 'environment'> },
  { webhook }: { readonly webhook?: string | undefined },
): () => Promise<void> {
  return () => refuseTarget(app, caller.environment, { path: 'webhook', url: webhook });
}
