import type { Checkout } from '#checkout/checkout.ts';
import { currentRate, quotePayment } from '#rates/quote.ts';
import type { RateBook } from '#rates/rate-book.ts';
import type { CurrentRate, LockFacts } from './settlement-facts.ts';

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
