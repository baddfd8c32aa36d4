import { settleDueCheckouts } from '#checkout-settlement/settle-checkout.ts';
import { settleDueDepositAddresses } from '#deposit-address/settle-deposit-address.ts';
import { networkWatch } from '#networks/watch-network.ts';
import { requestSettlement } from '#settle/queue.ts';
import type { TestApi } from './test-api.ts';

/**
 * What the loops of a running server do about the simulated networks, until nothing is left: each
 * chain is read to its tip, and what is due is settled. Two confirmations are final.
 */
export async function settleSandbox(app: TestApi['app']): Promise<void> {
  const policy = {
    requiredConfirmations: () => 2,
    isHeldByBrake: () => false,
    targetBlockSeconds: () => undefined,
  };
  for (const network of app.networks.values()) {
    const watched = { ...app, policy, onAffected: requestSettlement, onRecorded: () => undefined };
    const watch = networkWatch(watched, network);
    while (await watch.step());
  }
  while ((await settleDueCheckouts({ ...app, onCheckoutChanged: () => undefined })) === 'busy');
  while ((await settleDueDepositAddresses({ ...app, onTold: () => undefined })) === 'busy');
}
