// Publishers that fix the rates of currencies once a day. What they say counts as observed now
// while it is their latest word; when the next one is overdue it is as old as it is, which drops
// it.

import { listCurrencies } from '#catalog/currency.ts';
import type { ExactObject } from '#money/exact-json.ts';
import {
  definePriceSource,
  inverse,
  type PriceSource,
  type PriceSourceOptions,
  positiveDecimal,
  requireObject,
  type SourcePrice,
  unixSeconds,
} from './price-source.ts';

const fiatCodes = listCurrencies()
  .filter(({ type, assetCode }) => type === 'FIAT' && assetCode !== 'USD')
  .map(({ assetCode }) => assetCode);

/** ExchangeRate-API, open access: GET /v6/latest/USD, about every currency. */
export function createExchangeRateApiSource(options: PriceSourceOptions): PriceSource {
  return definePriceSource(
    {
      name: 'exchangerate-api',
      baseUrl: 'https://open.er-api.com',
      path: '/v6/latest/USD',
      read(answer, askedAt) {
        const body = requireObject(answer, 'the answer');
        if (body.result !== 'success') throw new Error(`result is ${String(body.result)}`);
        if (body.base_code !== 'USD') throw new Error('rates of another currency than USD');
        const publishedAt = unixSeconds(body.time_last_update_unix);
        const nextAt = unixSeconds(body.time_next_update_unix);
        if (publishedAt === undefined || nextAt === undefined) throw new Error('tells no time');
        return dailyPrices(body.rates, publishedAt, nextAt.add({ hours: 24 }), askedAt);
      },
    },
    options,
  );
}

/** Reference rates of the European Central Bank by frankfurter.dev: GET /v1/latest. */
export function createFrankfurterSource(options: PriceSourceOptions): PriceSource {
  return definePriceSource(
    {
      name: 'ecb',
      baseUrl: 'https://api.frankfurter.dev',
      path: '/v1/latest?base=USD',
      read(answer, askedAt) {
        const body = requireObject(answer, 'the answer');
        if (body.base !== 'USD') throw new Error('rates of another currency than USD');
        if (typeof body.date !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(body.date)) {
          throw new Error('tells no date');
        }
        // Published about 16:00 in Frankfurt on working days; Easter is the longest gap.
        const publishedAt = Temporal.Instant.from(`${body.date}T15:00:00Z`);
        return dailyPrices(
          body.rates,
          publishedAt,
          publishedAt.add({ hours: 5 * 24 + 3 }),
          askedAt,
        );
      },
    },
    options,
  );
}

function dailyPrices(
  rates: ExactObject[string] | undefined,
  publishedAt: Temporal.Instant,
  overdueAt: Temporal.Instant,
  askedAt: Temporal.Instant,
): SourcePrice[] {
  const isCurrent = Temporal.Instant.compare(askedAt, overdueAt) <= 0;
  const observedAt = isCurrent ? askedAt : publishedAt;
  const unitsPerUsd = requireObject(rates, 'rates');
  return fiatCodes.flatMap((code) => {
    const usdPrice = inverse(positiveDecimal(unitsPerUsd[code]));
    return usdPrice === undefined ? [] : [{ code, usdPrice, observedAt, isDaily: true }];
  });
}
