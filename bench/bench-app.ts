// The parts of the app that the acts need, over a database of the bench, without a server.

import { systemClock } from '#base/clock.ts';
import { systemRandom } from '#base/random.ts';
import type { ChainId } from '#catalog/chain.ts';
import { requestCheckoutSettlement } from '#checkout/request-settlement.ts';
import type { Network } from '#deposit/network.ts';
import type { Keyring } from '#merchant/keyring.ts';
import { createRateBook } from '#rates/rate-book.ts';
import { type BenchDatabase, log } from './bench-database.ts';
import { benchNetwork } from './bench-network.ts';

export type BenchApp = Awaited<ReturnType<typeof openBenchApp>>;

export async function openBenchApp({ db }: BenchDatabase, keyring: Keyring) {
  const rates = await createRateBook({ db, clock: systemClock });
  return {
    db,
    keyring,
    rates,
    log,
    clock: systemClock,
    random: systemRandom,
    publicUrl: 'https://pay.example',
    networks: new Map<ChainId, Network>([[benchNetwork.chain, benchNetwork]]),
    // Final as soon as it is in a block: what is measured is one crediting, not the waiting.
    policy: { requiredConfirmations: () => 1, targetBlockSeconds: () => undefined },
    onAffected: requestCheckoutSettlement,
    onCheckoutChanged: () => undefined,
  };
}
