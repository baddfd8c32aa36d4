// What a checkout as it is read says to decideSettlement.

import { compareInstants } from '#base/instant.ts';
import { networkOf } from '#catalog/chain.ts';
import type { Receipt } from '#chain/receipt.ts';
import type { Checkout, CheckoutRecord } from '#checkout/checkout.ts';
import { currentRate, quotePayment } from '#rates/quote.ts';
import type { RateBook } from '#rates/rate-book.ts';
import { locksOf, unaskedName } from './lock-of-receipt.ts';
import type { CurrentRate, LockFacts, SettlementFacts } from './settlement-facts.ts';

export function settlementFacts(
  record: CheckoutRecord,
  now: Temporal.Instant,
  networkBehind: boolean,
): SettlementFacts {
  return {
    state: record.state,
    expiresAt: record.expiresAt,
    cancelled: record.cancelledAt !== undefined,
    feePartsPerMillion: record.feePartsPerMillion,
    underpaidTolerancePartsPerMillion: record.underpaidTolerancePartsPerMillion,
    lateFloorPartsPerMillion: record.lateFloorPartsPerMillion,
    lateDays: record.lateDays,
    locks: [...record.commitments.flatMap(locksOf), ...unaskedLocks(record.receipts)],
    receipts: inOrderOfFinality(record.receipts),
    credits: record.credits,
    networkBehind,
    now,
  };
}

/** The lock goes to what became final first, then to what was seen first. */
function inOrderOfFinality(receipts: readonly Receipt[]): Receipt[] {
  return [...receipts].sort((a, b) => {
    const first = a.finalAt ?? a.seenAt;
    const second = b.finalAt ?? b.seenAt;
    return compareInstants(first, second) || (a.id < b.id ? -1 : 1);
  });
}

const LONG_AGO = Temporal.Instant.fromEpochMilliseconds(0);

/**
 * Money that a person assigned to a checkout which never asked for it (another asset, another
 * network) stands under a lock of its own that promises nothing. So it is valued like late money:
 * as a share of what the whole charge costs in it when it is credited, at the rate of then.
 */
function unaskedLocks(receipts: readonly Receipt[]): LockFacts[] {
  return receipts.flatMap((receipt) => unaskedLock(receipt) ?? []);
}

function unaskedLock({
  id,
  chain,
  assetId,
  unaskedSettlementAssetId,
}: Receipt): LockFacts | undefined {
  if (unaskedSettlementAssetId === undefined) return undefined;
  return {
    instructionId: unaskedName(id),
    network: networkOf(chain),
    assetId,
    arrivingUnits: 0n,
    settlementAssetId: unaskedSettlementAssetId,
    settlementUnits: 0n,
    netUnits: 0n,
    openedAt: LONG_AGO,
    expiresAt: LONG_AGO,
    isUnasked: true,
  };
}

/** What a payment by this way is worth now, and what the whole charge costs by it. */
export function rateOfLock(
  app: { readonly rates: RateBook },
  checkout: Pick<Checkout, 'environment' | 'total' | 'billingCurrency'>,
  lock: Pick<LockFacts, 'assetId' | 'settlementAssetId'>,
  now: Temporal.Instant,
): CurrentRate {
  const conversion = currentRate({
    environment: checkout.environment,
    fromAssetId: lock.assetId,
    toAssetId: lock.settlementAssetId,
    book: app.rates,
    now,
  });
  const quote = quotePayment({
    environment: checkout.environment,
    total: checkout.total,
    billingCurrency: checkout.billingCurrency,
    paymentAssetId: lock.assetId,
    settlementAsset: 'ORIGIN',
    feePartsPerMillion: 0,
    book: app.rates,
    now,
  });
  return {
    toSettlement: conversion?.rate,
    requiredUnits: quote.kind === 'quoted' ? quote.arrivingUnits : undefined,
    rateIds: conversion?.rateIds ?? [],
    requiredRateIds: quote.kind === 'quoted' ? quote.rateIds : [],
  };
}
