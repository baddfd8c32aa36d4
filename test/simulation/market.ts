// The prices of a story: those of the sandbox until a step moves them, up, down, strongly, or away.
// Remembers each with its time, so that what a credit, a quote or a swap is worth can be computed
// again afterwards.
import type { Clock } from '#base/clock.ts';
import type { Db } from '#db/db.ts';
import { type Decimal, decimalToText } from '#money/decimal.ts';
import { insertRates, type Price } from '#rates/rate.ts';
import { REFERENCE_PRICES, type StoredRateBook } from '#rates/rate-book.ts';
import { type Exact, exact, fromText } from './exact.ts';

/** `gone`: nobody knows it; `reference`: that of the sandbox. */
export type Move = Decimal | 'gone' | 'reference';

export type Market = {
  /** What a process has in memory, with the prices of the story in place of the sandbox's. */
  over(book: StoredRateBook): StoredRateBook;
  /** Before it, time moves on a second: at no moment were there two prices. */
  move(moves: ReadonlyMap<string, Move>): Promise<void>;
  /** Dollars for one whole unit then; undefined when nobody knew. */
  priceAt(code: string, at: Temporal.Instant): Exact | undefined;
  isMissing(): boolean;
  /** Or was a moment ago, so that not everything that waited for it was asked for again. */
  wasMissing(): boolean;
  /** When one of them moved last. */
  movedAt(): Temporal.Instant | undefined;
  /** Whose price is not the sandbox's. */
  movedCodes(): readonly string[];
};

const MOMENT_SECONDS = 5;

type Step = { readonly since: Temporal.Instant; readonly price: Price | Exclude<Move, Decimal> };

export function openMarket(world: {
  readonly db: Db;
  readonly clock: Clock & { advance(by: number): Promise<void> };
}): Market {
  const { db, clock } = world;
  const steps = new Map<string, Step[]>();
  let movedAt: Temporal.Instant | undefined;
  const nowOf = (code: string) => steps.get(code)?.at(-1)?.price ?? 'reference';

  return {
    over: (book) => ({
      ...book,
      price(environment, code, now) {
        const price = nowOf(code);
        if (environment === 'live' || price === 'reference') {
          return book.price(environment, code, now);
        }
        return price === 'gone' ? undefined : price;
      },
    }),
    async move(moves) {
      await clock.advance(1_000);
      const now = clock.now();
      movedAt = now;
      const rates = [...moves].flatMap(([code, usdPrice]) =>
        typeof usdPrice === 'string'
          ? []
          : [{ code, usdPrice, spreadPartsPerMillion: 0, evidence: '{"story":true}' }],
      );
      const stored =
        rates.length === 0 ? [] : await db.single((tx) => insertRates(tx, 'test', rates, now));
      for (const [code, move] of moves) {
        const price = stored.find((one) => one.code === code);
        const known = steps.get(code) ?? [];
        known.push({ since: now, price: price ?? (move as Exclude<Move, Decimal>) });
        steps.set(code, known);
      }
    },
    priceAt(code, at) {
      if (code === 'USD') return exact(1n);
      const last = steps
        .get(code)
        ?.findLast(({ since }) => Temporal.Instant.compare(since, at) <= 0);
      const price = last?.price ?? 'reference';
      if (price === 'gone') return undefined;
      const dollars = price === 'reference' ? REFERENCE_PRICES.get(code) : price.usdPrice;
      return dollars === undefined ? undefined : fromText(decimalToText(dollars));
    },
    movedAt: () => movedAt,
    isMissing: () => [...steps.keys()].some((code) => nowOf(code) === 'gone'),
    wasMissing() {
      const before = clock.now().subtract({ seconds: MOMENT_SECONDS });
      return [...steps.values()].some((known) =>
        known.some(({ price }, index) => {
          const end = known[index + 1]?.since;
          const isOver = end !== undefined && Temporal.Instant.compare(end, before) < 0;
          return price === 'gone' && !isOver;
        }),
      );
    },
    movedCodes: () => [...steps.keys()].filter((code) => nowOf(code) !== 'reference'),
  };
}
