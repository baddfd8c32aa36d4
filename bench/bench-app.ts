// The parts of the app that the acts need, over a database of the bench, without a server. Offers
// are those of one simulated network of each kind, so that figures of different days compare; the
// chain that is paid on is the bench's own.

import { systemClock } from '#base/clock.ts';
import { systemRandom } from '#base/random.ts';
import { type ChainId, networkOf } from '#catalog/chain.ts';
import type { Network } from '#deposit/network.ts';
import type { Keyring } from '#installation/keyring.ts';
import { openSandboxNetworks } from '#networks/sandbox/sandbox-network.ts';
import { createRateBook } from '#rates/rate-book.ts';
import { requestSettlement } from '#settle/queue.ts';
import { type BenchDatabase, log } from './bench-database.ts';
import { benchNetwork } from './bench-network.ts';

export type BenchApp = Awaited<ReturnType<typeof openBenchApp>>;

const OFFERED = ['BITCOIN', 'LITECOIN', 'ETHEREUM', 'STELLAR', 'LIGHTNING'];

export async function openBenchApp({ db }: BenchDatabase, keyring: Keyring) {
  const rates = await createRateBook({ db, clock: systemClock });
  const networks = new Map<ChainId, Network>();
  for (const network of openSandboxNetworks({ db, clock: systemClock, keyring, log })) {
    if (OFFERED.includes(networkOf(network.chain))) networks.set(network.chain, network);
  }
  networks.set(benchNetwork.chain, benchNetwork);
  return {
    db,
    keyring,
    rates,
    log,
    clock: systemClock,
    random: systemRandom,
    publicUrl: 'https://pay.example',
    networks,
    // Final as soon as it is in a block: what is measured is one crediting, not the waiting.
    policy: {
      requiredConfirmations: () => 1,
      isHeldByBrake: () => false,
      targetBlockSeconds: () => undefined,
    },
    onAffected: requestSettlement,
    onCheckoutChanged: () => undefined,
  };
}
