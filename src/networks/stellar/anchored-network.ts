// Another network, reached through an anchor: customers pay the anchor there, and the anchor pays
// us on Stellar with the asset it issues. Guarantees: a credit is what arrived on Stellar and
// nothing else (stellar-network.ts watches the account, with the same proof); what the anchor says
// is kept beside it (anchor_deposit) and only shown. An anchor that is away hides its method and
// loses nothing.

import { createHash } from 'node:crypto';
import { assert } from '#base/assert.ts';
import { Outage } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import {
  type AnchorDeposit,
  listOpenAnchorDeposits,
  recordAnchorDeposit,
} from '#deposit/anchor-deposits.ts';
import type { Network } from '#deposit/network.ts';
import { coinUri, etherUri } from '#networks/payment-uri.ts';
import type { Anchor } from './ask-anchor.ts';
import { type StellarNetworkOptions, stellarNetwork } from './stellar-network.ts';

export type AnchoredNetworkOptions = StellarNetworkOptions & {
  readonly anchors: readonly AnchoredAsset[];
};

export type AnchoredAsset = {
  readonly anchor: Anchor;
  /** Home domain of the anchor. */
  readonly domain: string;
  readonly assetId: string;
};

/** How old the picture of what the anchors take may become. */
const PROBE_MS = 60_000;
/** How often an anchor is asked about a transfer, and about how many in one step. */
const POLL_SECONDS = 30;
const POLLED_MOST = 10;
/** What nobody paid within that time is not asked about any more; it would still be credited. */
const POLL_HOURS = 7 * 24;
/** Ethereum counts in 10^-18, Stellar in 10^-7. */
const WEI_PER_UNIT = 10n ** 11n;

export function anchoredNetwork(options: AnchoredNetworkOptions): Network {
  const { chain, account, anchors, db, clock } = options;
  const log = options.log.with({ chain });
  const inner = stellarNetwork({ ...options, assetIds: anchors.map(({ assetId }) => assetId) });
  const network = getNetwork(networkOf(chain));
  const domains = anchors.map(({ domain }) => domain).join(', ');
  const taking = new Set<string>();
  let lastError: string | undefined;
  let probedMs = Number.NEGATIVE_INFINITY;

  async function ask<Result>(act: () => Promise<Result>): Promise<Result> {
    try {
      const result = await act();
      lastError = undefined;
      return result;
    } catch (error) {
      lastError = error instanceof Error ? error.message : String(error);
      throw error;
    }
  }

  async function probe(): Promise<void> {
    probedMs = clock.monotonicMs();
    for (const { anchor, assetId, domain } of anchors) {
      const isTaking = await ask(() => anchor.isTakingDeposits()).catch((error: unknown) => {
        log.warn('the anchor cannot be asked', { domain, error });
        return false;
      });
      if (isTaking) taking.add(assetId);
      else taking.delete(assetId);
    }
  }

  /** What an anchor says late or wrongly holds up no payment. */
  async function poll(): Promise<void> {
    const checkedAt = clock.now();
    const open = await listOpenAnchorDeposits(db, {
      chain,
      checkedBefore: checkedAt.subtract({ seconds: POLL_SECONDS }),
      askedSince: checkedAt.subtract({ hours: POLL_HOURS }),
      most: POLLED_MOST,
    });
    for (const deposit of open) {
      const found = anchors.find(({ domain }) => domain === deposit.domain);
      let state: Partial<AnchorDeposit> = {};
      try {
        state =
          (await ask(async () => found?.anchor.findTransfer(deposit.anchorTransaction))) ?? {};
      } catch (error) {
        if (!(error instanceof Outage)) throw error;
      }
      await recordAnchorDeposit(db, { ...deposit, ...state, checkedAt });
    }
  }

  return {
    ...inner,
    addressSource: `${account} through ${domains}`,
    asksNode: true,
    receivableAssets() {
      if (clock.monotonicMs() - probedMs >= PROBE_MS) void probe();
      return inner.receivableAssets().filter((assetId) => taking.has(assetId));
    },
    async openDestination({ instructionId, assetId }) {
      const found = anchors.find((one) => one.assetId === assetId);
      assert(found !== undefined, `${chain} does not carry ${assetId}`);
      const memo = memoOf(account, instructionId);
      const { id, address } = await ask(() => found.anchor.startDeposit({ account, memo }));
      await recordAnchorDeposit(db, {
        instructionId,
        chain,
        domain: found.domain,
        anchorTransaction: id,
        status: 'asked',
        amountIn: undefined,
        externalTransaction: undefined,
        stellarTransaction: undefined,
        checkedAt: clock.now(),
        isOver: false,
      });
      const shown = { address, memo: undefined, memoType: undefined, destinationTag: undefined };
      return { ...shown, destination: `${account}:${memo}` };
    },
    canonicalAddress: () => undefined,
    paymentUri({ address }, assetId, units) {
      if (network.evmChainId !== undefined) {
        return etherUri(address, network.evmChainId, units && units * WEI_PER_UNIT);
      }
      return coinUri(network.uriScheme ?? '', address, units, getAsset(assetId).decimals);
    },
    async checkIdentity() {
      await inner.checkIdentity();
      await probe();
    },
    async observe(position) {
      const observation = await inner.observe(position);
      if (observation.complete) await poll();
      return observation;
    },
    health: () => {
      const health = inner.health();
      const description = `${network.name} through ${domains}, ${health.description}`;
      return { ...health, description, lastError: health.lastError ?? lastError };
    },
  };
}

/** Always the same for an instruction, so that asking twice is asking for the same. */
function memoOf(account: string, instructionId: string): string {
  const digest = createHash('sha256').update(`${account}/anchor/${instructionId}`).digest();
  return (1n + (digest.readBigUInt64BE(0) >> 2n)).toString();
}
