// Another network, reached through an anchor: customers pay the anchor there, and the anchor pays
// us on Stellar with the asset it issues. Guarantees: a credit is what arrived on Stellar and
// nothing else (the adapter of Stellar watches the account, with the same proof); what the anchor
// says is kept beside it (anchor_deposit) and only shown. An anchor that is away, keeps too much of
// a deposit, or does not want us as a customer, hides its method and loses nothing. What it keeps
// is asked of the customer on top (anchor-terms.ts).

import { createHash } from 'node:crypto';
import { assert } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { Outage } from '#base/refusal.ts';
import { announceAnchoredAsset } from '#catalog/asset.ts';
import { networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { Db } from '#db/db.ts';
import type { ClosedWay, DestinationRequest, Network, NetworkHealth } from '#deposit/network.ts';
import { createDecimal } from '#money/decimal.ts';
import type { AboutUs } from './anchor-customer.ts';
import {
  type AnchorDeposit,
  findAnchorDeposit,
  listOpenAnchorDeposits,
  recordAnchorDeposit,
} from './anchor-deposit.ts';
import { type AnchorHttpOptions, anchorOutage, openAnchorHttp } from './anchor-http.ts';
import { type PassageLimits, passageOf } from './anchor-terms.ts';
import { type Anchor, type AnchorOffer, type DepositOrder, openAnchor } from './ask-anchor.ts';
import { stepUnitsOf } from './carried-asset.ts';
import type { PayeeAddress } from './find-payee.ts';
import { stellar } from './stellar-base.ts';

export type AnchorSettings = {
  /** What the anchor issues on Stellar. */
  readonly assetId: string;
  /** Home domain of the anchor. */
  readonly domain: string;
};

export type AnchoredNetworkOptions = {
  /** Watches the account on Stellar for what the anchors issue. */
  readonly inner: Network;
  /** G...: the account that the anchors pay to. */
  readonly account: string;
  /** Of the Stellar network. */
  readonly passphrase: string;
  /** S...: the key to log in to anchors with. */
  readonly secret: string;
  readonly anchors: readonly AnchorSettings[];
  /** More than that of what is sent is kept by no anchor that is offered. */
  readonly feePercentMost: number;
  /** What the operator has set about itself. */
  readonly customer: AboutUs;
  /** The address in its one spelling; undefined when it is none of the network. */
  readonly addressOf: (text: string) => string | undefined;
  readonly paymentUri: Network['paymentUri'];
  /** Where anchors may be, other than at public addresses; for tests. */
  readonly http: AnchorHttpOptions;
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
};

type Way = AnchorSettings & { readonly anchor: Anchor; readonly limits: PassageLimits };

type Anchored = Pick<AnchoredNetworkOptions, 'inner' | 'account' | 'db' | 'clock' | 'log'> & {
  readonly ways: readonly Way[];
  /** What the anchors said last, by asset. */
  readonly offers: Map<string, AnchorOffer>;
  probedMs: number;
  lastError: string | undefined;
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
  const { inner, account, db, clock } = options;
  const anchored: Anchored = {
    ...{ inner, account, db, clock },
    log: options.log.with({ chain: inner.chain }),
    ways: options.anchors.map((settings) => openWay(settings, options)),
    offers: new Map(),
    probedMs: Number.NEGATIVE_INFINITY,
    lastError: undefined,
  };
  const { ways, offers } = anchored;
  const domains = [...new Set(ways.map(({ domain }) => domain))].join(', ');
  return {
    ...inner,
    // The wallets are of the network that the anchor is for.
    payerTransactions: undefined,
    addressSource: `${account} through ${domains}`,
    asksNode: true,
    receivableAssets() {
      if (clock.monotonicMs() - anchored.probedMs >= PROBE_MS) void probe(anchored);
      return inner.receivableAssets().filter((id) => offers.get(id)?.kind === 'open');
    },
    closedWays: () => closedWays(anchored),
    passage(assetId, units) {
      const offer = offers.get(assetId);
      if (offer?.kind === 'open')
        return passageOf(offer.terms, units, wayOf(anchored, assetId).limits);
      return { kind: 'refused', reason: offer?.reason ?? 'the anchor was not asked yet' };
    },
    openDestination: (request) => openDestination(anchored, request),
    canonicalAddress: () => undefined,
    paymentUri: options.paymentUri,
    async checkIdentity() {
      await inner.checkIdentity();
      await probe(anchored);
    },
    async observe(position) {
      const observation = await inner.observe(position);
      if (observation.complete) await poll(anchored);
      return observation;
    },
    health: () => healthOf(anchored, domains),
  };
}

function openWay({ assetId, domain }: AnchorSettings, options: AnchoredNetworkOptions): Way {
  const { passphrase, clock, customer, addressOf } = options;
  const network = getNetwork(networkOf(options.inner.chain));
  announceAnchoredAsset(assetId, network.id, domain);
  const [assetCode = '', assetIssuer = ''] = assetId.split(':');
  const feePercentMost = createDecimal(BigInt(options.feePercentMost), 0);
  const limits = { stepUnits: stepUnitsOf(network, assetId), feePercentMost };
  const anchor = openAnchor({
    identity: { domain, assetCode, assetIssuer },
    http: openAnchorHttp(domain, options.http),
    key: stellar.base.Keypair.fromSecret(options.secret),
    passphrase,
    clock,
    network: { ...network, hasTags: network.knownBy === 'tag', addressOf },
    limits,
    customer,
  });
  return { assetId, domain, anchor, limits };
}

function wayOf({ ways, inner }: Anchored, assetId: string): Way {
  const found = ways.find((one) => one.assetId === assetId);
  assert(found !== undefined, `${inner.chain} does not carry ${assetId}`);
  return found;
}

/** Remembers, for the operator, why an anchor could not be asked. */
async function ask<Result>(anchored: Anchored, act: () => Promise<Result>): Promise<Result> {
  try {
    const result = await act();
    anchored.lastError = undefined;
    return result;
  } catch (error) {
    anchored.lastError = error instanceof Error ? error.message : String(error);
    throw error;
  }
}

async function probe(anchored: Anchored): Promise<void> {
  anchored.probedMs = anchored.clock.monotonicMs();
  for (const { anchor, assetId, domain } of anchored.ways) {
    const offer = await ask(anchored, anchor.findOffer).catch((error: unknown): AnchorOffer => {
      anchored.log.warn('the anchor cannot be asked', { domain, error });
      return { kind: 'closed', reason: 'the anchor cannot be asked now' };
    });
    anchored.offers.set(assetId, offer);
  }
}

function closedWays({ ways, offers }: Anchored): ClosedWay[] {
  return ways.flatMap(({ assetId, domain }) => {
    const offer = offers.get(assetId);
    return offer?.kind === 'closed' ? [{ assetId, reason: `${domain}: ${offer.reason}` }] : [];
  });
}

function healthOf(anchored: Anchored, domains: string): NetworkHealth {
  const health = anchored.inner.health();
  const { name } = getNetwork(networkOf(health.chain));
  const closed = closedWays(anchored).map(
    ({ assetId, reason }) => `${assetId} is not offered: ${reason}`,
  );
  return {
    ...health,
    description: `${name} through ${domains}, ${health.description}`,
    lastError: health.lastError ?? anchored.lastError,
    advice: [...(health.advice ?? []), ...closed],
  };
}

async function openDestination(
  anchored: Anchored,
  { instructionId, assetId, units, askedUnits = units }: DestinationRequest,
) {
  const { account } = anchored;
  const way = wayOf(anchored, assetId);
  const memo = memoOf(account, instructionId);
  const order = { account, memo, units, askedUnits };
  const find = () => findPayee(anchored, way, instructionId, order);
  const { address, destinationTag } = await ask(anchored, find);
  const shown = { address, memo: undefined, memoType: undefined, destinationTag };
  return { ...shown, destination: `${account}:${memo}` };
}

/** When an anchor has not said yet where to pay, asking again goes on with the same transfer. */
async function findPayee(
  { inner, db, clock }: Anchored,
  { anchor, domain }: Way,
  instructionId: string,
  order: DepositOrder,
): Promise<PayeeAddress> {
  const record = (anchorTransaction: string, status: string) =>
    recordAnchorDeposit(db, {
      instructionId,
      chain: inner.chain,
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
  if (payee.kind === 'none') throw anchorOutage(domain, payee.reason);
  return payee;
}

/** An anchor that answers late or wrongly must not delay any payment. */
async function poll(anchored: Anchored): Promise<void> {
  const { inner, ways, db, clock } = anchored;
  const checkedAt = clock.now();
  const open = await listOpenAnchorDeposits(db, {
    chain: inner.chain,
    checkedBefore: checkedAt.subtract({ seconds: POLL_SECONDS }),
    askedSince: checkedAt.subtract({ hours: POLL_HOURS }),
    most: POLLED_MOST,
  });
  for (const deposit of open) {
    const found = ways.find(({ domain }) => domain === deposit.domain);
    const look = async () => found?.anchor.findTransfer(deposit.anchorTransaction);
    let state: Partial<AnchorDeposit> = {};
    try {
      state = (await ask(anchored, look)) ?? {};
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
    }
    await recordAnchorDeposit(db, { ...deposit, ...state, checkedAt });
  }
}

/** Always the same for an instruction, so that asking twice is asking for the same. */
function memoOf(account: string, instructionId: string): string {
  const digest = createHash('sha256').update(`${account}/anchor/${instructionId}`).digest();
  return (1n + (digest.readBigUInt64BE(0) >> 2n)).toString();
}
