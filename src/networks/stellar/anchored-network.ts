// Another network, reached through an anchor: customers pay the anchor there, and the anchor pays
// us on Stellar with the asset it issues. Guarantees: a credit is what arrived on Stellar and
// nothing else (stellar-network.ts watches the account, with the same proof); what the anchor says
// is kept beside it (anchor_deposit) and only shown. An anchor that is away, keeps too much of a
// deposit, or does not want us as a customer, hides its method and loses nothing. What it keeps is
// asked of the customer on top (anchor-terms.ts).

import { createHash } from 'node:crypto';
import { assert } from '#base/assert.ts';
import { Outage } from '#base/refusal.ts';
import { networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import {
  type AnchorDeposit,
  findAnchorDeposit,
  listOpenAnchorDeposits,
  recordAnchorDeposit,
} from '#deposit/anchor-deposits.ts';
import type { Network } from '#deposit/network.ts';
import type { Decimal } from '#money/decimal.ts';
import { type PassageLimits, passageOf } from './anchor-terms.ts';
import { anchoredUri, stepUnitsOf } from './anchored-uri.ts';
import type { Anchor, AnchorOffer, DepositOrder } from './ask-anchor.ts';
import { outage } from './horizon.ts';
import type { PayeeAddress } from './read-payee-address.ts';
import { type StellarNetworkOptions, stellarNetwork } from './stellar-network.ts';

export type AnchoredNetworkOptions = StellarNetworkOptions & {
  readonly anchors: readonly AnchoredAsset[];
  /** More than that of what is sent is kept by no anchor that is offered. */
  readonly feePercentMost: Decimal;
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

/** What is recorded of a transfer before the anchor is asked about it (words of SEP-6 follow). */
const ASKED = 'asked';
/** It takes the deposit, and does not say yet where to pay. */
const AWAITED = 'awaited';
/** It never said it, or not as it must. */
const LOST = 'lost';

export function anchoredNetwork(options: AnchoredNetworkOptions): Network {
  const { chain, account, anchors, db, clock } = options;
  const log = options.log.with({ chain });
  const inner = stellarNetwork({ ...options, assetIds: anchors.map(({ assetId }) => assetId) });
  const network = getNetwork(networkOf(chain));
  const domains = [...new Set(anchors.map(({ domain }) => domain))].join(', ');
  const offers = new Map<string, AnchorOffer>();
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
      const offer = await ask(() => anchor.findOffer()).catch((error: unknown): AnchorOffer => {
        log.warn('the anchor cannot be asked', { domain, error });
        return { kind: 'closed', reason: 'the anchor cannot be asked now' };
      });
      offers.set(assetId, offer);
    }
  }

  function closedWays() {
    return anchors.flatMap(({ assetId, domain }) => {
      const offer = offers.get(assetId);
      return offer?.kind === 'closed' ? [{ assetId, reason: `${domain}: ${offer.reason}` }] : [];
    });
  }

  function limitsOf(assetId: string): PassageLimits {
    const stepUnits = stepUnitsOf(network, assetId);
    return { stepUnits, feePercentMost: options.feePercentMost };
  }

  /** Asked again for what an anchor has not said yet, the same transfer goes on. */
  async function findPayee(
    { anchor, domain }: AnchoredAsset,
    instructionId: string,
    order: DepositOrder,
  ): Promise<PayeeAddress> {
    const record = (anchorTransaction: string, status: string) =>
      recordAnchorDeposit(db, {
        instructionId,
        chain,
        domain,
        anchorTransaction,
        status,
        amountIn: undefined,
        amountOut: undefined,
        externalTransaction: undefined,
        stellarTransaction: undefined,
        checkedAt: clock.now(),
        isOver: status === LOST,
      });
    const begun = await findAnchorDeposit(db, instructionId);
    const isAwaited = begun?.status === AWAITED && begun.domain === domain;
    const { id, payee: said } = isAwaited
      ? { id: begun.anchorTransaction, payee: undefined }
      : await anchor.startDeposit(order);
    if (said !== undefined) {
      await record(id, ASKED);
      return said;
    }
    if (!isAwaited) await record(id, AWAITED);
    const payee = await anchor.awaitPayee(id, order);
    await record(id, payee.kind === 'found' ? ASKED : LOST);
    if (payee.kind === 'none') throw outage(domain, payee.reason);
    return payee;
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
      return inner.receivableAssets().filter((id) => offers.get(id)?.kind === 'open');
    },
    closedWays,
    passage(assetId, units) {
      const offer = offers.get(assetId);
      if (offer?.kind === 'open') return passageOf(offer.terms, units, limitsOf(assetId));
      return { kind: 'refused', reason: offer?.reason ?? 'the anchor was not asked yet' };
    },
    async openDestination({ instructionId, assetId, units, sentUnits = units }) {
      const found = anchors.find((one) => one.assetId === assetId);
      assert(found !== undefined, `${chain} does not carry ${assetId}`);
      const memo = memoOf(account, instructionId);
      const order = { account, memo, units, sentUnits };
      const { address, destinationTag } = await ask(() => findPayee(found, instructionId, order));
      const shown = { address, memo: undefined, memoType: undefined, destinationTag };
      return { ...shown, destination: `${account}:${memo}` };
    },
    canonicalAddress: () => undefined,
    paymentUri: (payee, assetId, units) => anchoredUri(network, payee, assetId, units),
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
      const closed = closedWays().map(
        ({ assetId, reason }) => `${assetId} is not offered: ${reason}`,
      );
      return {
        ...health,
        description,
        lastError: health.lastError ?? lastError,
        advice: [...(health.advice ?? []), ...closed],
      };
    },
  };
}

/** Always the same for an instruction, so that asking twice is asking for the same. */
function memoOf(account: string, instructionId: string): string {
  const digest = createHash('sha256').update(`${account}/anchor/${instructionId}`).digest();
  return (1n + (digest.readBigUInt64BE(0) >> 2n)).toString();
}
