// The port between the service and whoever knows prices. A source reports what it was told and
// decides nothing: what is old, lonely or far off is dropped by median-price.ts. A price that makes
// no sense (zero, negative, no number) is left out, an answer that makes no sense is an Outage, and
// so is one in which nothing is left.
import type { Clock } from '#base/clock.ts';
import { Outage } from '#base/refusal.ts';
import {
  compare,
  type Decimal,
  divideToScale,
  ONE,
  tryParseWideDecimal,
  ZERO,
} from '#money/decimal.ts';
import {
  type ExactJson,
  ExactNumber,
  type ExactObject,
  isJsonObject,
  parseExactJson,
} from '#money/exact-json.ts';

export type SourcePrice = {
  /** Asset or currency code as in GET /currencies. */
  readonly code: string;
  /** US dollars for one whole unit, above zero. */
  readonly usdPrice: Decimal;
  /** When it was true: the source's own time, or when we asked if it tells none. */
  readonly observedAt: Temporal.Instant;
  /** A source that publishes once a day. It counts only where there are too few market prices. */
  readonly isDaily: boolean;
};

export type PriceSource = {
  readonly name: string;
  /** Throws Outage. One price a code at most. */
  fetchPrices(signal: AbortSignal): Promise<readonly SourcePrice[]>;
};

export type PriceSourceOptions = {
  readonly clock: Clock;
  /** Where the API is: scheme, host and port without a slash at the end. */
  readonly baseUrl?: string;
  readonly timeoutMs?: number;
  readonly bytesMax?: number;
};

type Definition = {
  readonly name: string;
  readonly baseUrl: string;
  readonly path: string;
  /** Throws anything when the answer has not the shape it should have. */
  readonly read: (answer: ExactJson, askedAt: Temporal.Instant) => Iterable<SourcePrice>;
};

/** Digits after the point of a price that is computed from another one. */
const QUOTIENT_SCALE = 20;
const TIMEOUT_MS = 10_000;
const BYTES_MOST = 2 * 1024 * 1024;

export function definePriceSource(
  definition: Definition,
  { clock, baseUrl, ...limits }: PriceSourceOptions,
): PriceSource {
  const { name, path, read } = definition;
  const url = `${baseUrl ?? definition.baseUrl}${path}`;
  return {
    name,
    async fetchPrices(signal) {
      const askedAt = clock.now();
      try {
        const answer = await fetchExactJson(url, signal, limits);
        const prices = [...read(answer, askedAt)];
        // Some leave out what they do not know, or say an error as if it were an answer.
        if (prices.length === 0) throw new Error('the answer has no price that was asked for');
        return prices;
      } catch (error) {
        throw new Outage(name, { cause: error });
      }
    },
  };
}

/**
 * JSON of a server we do not trust: bounded in time and size, without following redirects, every
 * number with all its digits. Throws an Error that says what was wrong: status, size, time or JSON.
 */
async function fetchExactJson(
  url: string,
  signal: AbortSignal,
  { timeoutMs = TIMEOUT_MS, bytesMax = BYTES_MOST }: Omit<PriceSourceOptions, 'clock'>,
): Promise<ExactJson> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  const timer = setTimeout(() => {
    controller.abort(new Error(`no answer within ${timeoutMs} ms`));
  }, timeoutMs);
  signal.addEventListener('abort', abort, { once: true });
  try {
    const response = await fetch(url, {
      redirect: 'error',
      signal: controller.signal,
      headers: { accept: 'application/json', 'user-agent': 'quittance' },
    });
    if (response.status !== 200) throw new Error(`status ${response.status}`);
    const parsed = parseExactJson(await readText(response, bytesMax));
    if (!parsed.ok) throw new Error(parsed.message);
    return parsed.value;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    // Ends a body that was not read to its end; nothing happens to one that was.
    controller.abort();
  }
}

async function readText(response: Response, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > bytesMax) throw new Error(`answer above ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
}

/** A number or a number in quotes, above zero; undefined for anything else. */
export function positiveDecimal(value: ExactJson | undefined): Decimal | undefined {
  const text = value instanceof ExactNumber ? value.text : value;
  const decimal = typeof text === 'string' ? tryParseWideDecimal(text) : undefined;
  return decimal !== undefined && compare(decimal, ZERO) > 0 ? decimal : undefined;
}

/** dividend / divisor to 20 digits; undefined when one is missing or nothing of it is left. */
export function quotient(
  dividend: Decimal | undefined,
  divisor: Decimal | undefined,
): Decimal | undefined {
  if (dividend === undefined || divisor === undefined) return undefined;
  const result = divideToScale(dividend, divisor, QUOTIENT_SCALE, 'half-even');
  return compare(result, ZERO) > 0 ? result : undefined;
}

/** What one unit costs in dollars, when a dollar is so many units. */
export function inverse(unitsPerUsd: Decimal | undefined): Decimal | undefined {
  return quotient(ONE, unitsPerUsd);
}

export function marketPrice(
  code: string,
  usdPrice: Decimal | undefined,
  observedAt: Temporal.Instant,
): SourcePrice[] {
  return usdPrice === undefined ? [] : [{ code, usdPrice, observedAt, isDaily: false }];
}

/** Unix seconds as a number or in quotes; undefined for anything else. */
export function unixSeconds(value: ExactJson | undefined): Temporal.Instant | undefined {
  const text = value instanceof ExactNumber ? value.text : value;
  if (typeof text !== 'string' || !/^[1-9]\d{8,10}$/.test(text)) return undefined;
  return Temporal.Instant.fromEpochMilliseconds(Number(text) * 1000);
}

/** @throws TypeError where the value is not an object. */
export function requireObject(value: ExactJson | undefined, what: string): ExactObject {
  if (!isJsonObject(value)) throw new TypeError(`${what} is not an object`);
  return value;
}

/** @throws TypeError where the value is not an array. */
export function requireArray(value: ExactJson | undefined, what: string): readonly ExactJson[] {
  if (!Array.isArray(value)) throw new TypeError(`${what} is not an array`);
  return value;
}
