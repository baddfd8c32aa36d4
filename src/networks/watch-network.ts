// The observe loop of one network: position, observation, record, again. Any number of processes
// may run it for the same chain: one of them leads, and the others ask the node nothing. Should two
// look at one time, the one that is faster writes, and the other writes nothing.

import { Outage } from '#base/refusal.ts';
import { readPosition, writeChainFault } from '#chain/chain-status.ts';
import type { HeardChains } from '#chain/heard-chains.ts';
import { type RecordObservationApp, recordObservation } from '#chain/record-observation.ts';
import type { AffectedPurpose } from '#deposit/deposit-instruction.ts';
import type { GivenOut } from '#deposit/given-out.ts';
import type { Network } from '#deposit/network.ts';
import type { Lead, Leadership } from '#lease/hold-leases.ts';
import { type Loop, startLoop } from '#runtime/loop.ts';

export type WatchNetworkApp = RecordObservationApp & {
  /** Told that the chain has a cursor, so that it is offered at once. */
  readonly heard?: Pick<HeardChains, 'note'>;
  /** Looks up once what was given out before, when the chain can be asked. */
  readonly givenOut?: Pick<GivenOut, 'settle'>;
  /** Told after each commit of blocks, or of something which is to be decided again. */
  readonly onRecorded: (affected: readonly AffectedPurpose[]) => void;
};

/** Polling is the truth: hints only make it sooner. */
const POLL_MS = 5_000;
const IDENTITY_MS = 10 * 60_000;

export type NetworkWatch = {
  /**
   * One step: true when more blocks are waiting. The loop calls it, a simulation calls it by hand.
   * `lead`: where one process at a time watches.
   */
  step(lead?: Lead): Promise<boolean>;
};

export function networkWatch(app: WatchNetworkApp, network: Network): NetworkWatch {
  const { clock } = app;
  let identityCheckedMs = Number.NEGATIVE_INFINITY;
  let toldFault: string | undefined;
  let unconfirmedAfter = '';
  return {
    async step(lead) {
      try {
        return await look(lead);
      } catch (error) {
        await tellFault(error, lead);
        throw error;
      }
    },
  };

  async function look(lead: Lead | undefined): Promise<boolean> {
    if (clock.monotonicMs() - identityCheckedMs >= IDENTITY_MS) {
      await network.checkIdentity();
      identityCheckedMs = clock.monotonicMs();
    }
    const position = await readPosition(app.db, network.chain, { unconfirmedAfter });
    unconfirmedAfter = position.unconfirmed.at(-1) ?? '';
    const observation = await network.observe(position);
    const outcome = await recordObservation({ ...app, lead }, network.chain, observation, position);
    toldFault = undefined;
    app.heard?.note(network.chain, observation.identity);
    await settleGivenOut(app, network);
    // Another process watches the same chain or was faster, so there is no reason to hurry.
    if (outcome.kind === 'stale') return false;
    const hasChanged = outcome.affected.length > 0 || observation.blocks.length > 0;
    if (hasChanged) app.onRecorded(outcome.affected);
    return !observation.complete;
  }

  /** For commands and other processes; the first of many equal ones. */
  async function tellFault(error: unknown, lead: Lead | undefined): Promise<void> {
    const fault = error instanceof Error ? error.message : String(error);
    if (fault === toldFault) return;
    try {
      if (lead !== undefined && !(await lead.isHeldIn(app.db))) return;
      await writeChainFault(app.db, network.chain, fault);
      toldFault = fault;
    } catch {
      // A database that is away is a fault of its own.
    }
  }
}

/**
 * Until this succeeds nothing is offered. Destinations that were given out are watched all the
 * same.
 */
async function settleGivenOut({ givenOut, log }: WatchNetworkApp, network: Network): Promise<void> {
  try {
    await givenOut?.settle(network);
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    log.warn('what was given out before is not known yet', {
      chain: network.chain,
      reason: error.message,
    });
  }
}

/** `leadership`: where one process at a time watches; else each does. */
export function watchNetwork(
  app: WatchNetworkApp,
  network: Network,
  leadership?: Leadership,
): Loop {
  const watch = networkWatch(app, network);
  return startLoop({
    name: `watch ${network.chain}`,
    clock: app.clock,
    log: app.log,
    idleMs: POLL_MS,
    // A customer may be waiting when the node comes back.
    backoffMs: { first: 500, most: POLL_MS },
    ...(leadership === undefined ? {} : { wake: leadership.wake }),
    async step(signal) {
      const lead = leadership?.leadOf();
      if (leadership !== undefined && lead === undefined) return 'idle';
      try {
        const hasMore = await watch.step(lead);
        if (!hasMore) await network.waitForHint(POLL_MS, signal);
      } catch (error) {
        // Another process may reach a node that this one does not.
        if (!signal.aborted) await leadership?.giveUp();
        throw error;
      }
      return 'busy';
    },
  });
}
