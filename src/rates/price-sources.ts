import type { Clock } from '#base/clock.ts';
import { createBitfinexSource } from './bitfinex-source.ts';
import { createBitstampSource } from './bitstamp-source.ts';
import { createCoinbaseSource } from './coinbase-source.ts';
import { createCoingeckoSource } from './coingecko-source.ts';
import { createExchangeRateApiSource, createFrankfurterSource } from './daily-source.ts';
import { createGeminiSource } from './gemini-source.ts';
import { createKrakenSource } from './kraken-source.ts';
import type { PriceSource } from './price-source.ts';

/** Every source, none of which needs an account. */
export function createPriceSources(options: { readonly clock: Clock }): PriceSource[] {
  const { clock } = options;
  return [
    createKrakenSource({ clock }),
    createCoinbaseSource({ clock }),
    createBitstampSource({ clock }),
    createCoingeckoSource({ clock }),
    createBitfinexSource({ clock }),
    createGeminiSource({ clock }),
    createExchangeRateApiSource({ clock }),
    createFrankfurterSource({ clock }),
  ];
}
