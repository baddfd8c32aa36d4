// One account at one exchange, through ccxt. Guarantees: amounts come and go as texts, never as
// floating point; an order and its parts are found again by the id that we gave it; of a refusal it
// is said whether the exchange cannot have taken the order. Only the file of the one exchange is
// loaded: what is not there has no fault (decision 56).

import { assert } from '#base/assert.ts';
import { Refusal } from '#base/refusal.ts';
import { add, compare, isZero, parseWideDecimal, ZERO } from '#money/decimal.ts';
import { type Ccxt, type CcxtMarket, isOf, TRAITS, unlessNotFound } from './exchange-traits.ts';
import type { ExchangeAccount } from './key-file.ts';
import { type AccountTrades, fillOf, listTrades, saidAmount, saidText } from './list-trades.ts';
import type { Market, PlannedOrder } from './plan-order.ts';
import type { ExchangeFill } from './protocol.ts';

/** What was found of an order. */
type FoundOrder = {
  readonly exchangeId: string;
  readonly isOpen: boolean;
  readonly fills: readonly ExchangeFill[];
};

export type Exchange = {
  /** Where one of the two is sold for the other; undefined where there is none. */
  market(oneCode: string, otherCode: string): Promise<Market | undefined>;
  best(symbol: string): Promise<{ readonly bid: string; readonly ask: string }>;
  /** Fills at once what it can and cancels the rest. Gives how the exchange calls it. */
  place(order: PlannedOrder, clientOrderId: string, until: Temporal.Instant): Promise<string>;
  find(name: {
    readonly clientOrderId: string;
    readonly exchangeId: string | undefined;
    readonly symbol: string;
    readonly since: Temporal.Instant;
  }): Promise<FoundOrder | undefined>;
  cancel(exchangeId: string, symbol: string): Promise<void>;
  /** What happened in the account since then. */
  trades(codes: readonly string[], since: Temporal.Instant): Promise<AccountTrades>;
  /** With what orders hold. */
  balances(): Promise<readonly { readonly code: string; readonly amount: string }[]>;
  depositAddress(
    code: string,
    network: string,
  ): Promise<{ readonly address: string; readonly tag: string | undefined }>;
  /** Gives how the exchange calls it. */
  withdraw(withdrawal: {
    readonly code: string;
    readonly amount: string;
    readonly address: string;
    readonly tag: string | undefined;
    readonly key: string | undefined;
  }): Promise<string>;
};

/** Names that ccxt has for exchanges which know an order by our own id. */
export const EXCHANGES: readonly string[] = Object.keys(TRAITS);

const TICK_SIZE = 4;
const TIMEOUT_MS = 20_000;

/**
 * `isPaced`: waits between questions for as long as the exchange wants.
 * @throws Refusal when it is no exchange that is supported.
 */
export async function openExchange(
  account: ExchangeAccount,
  { isPaced = true }: { readonly isPaced?: boolean } = {},
): Promise<Exchange> {
  const traits = TRAITS[account.exchange];
  if (traits === undefined) {
    throw new Refusal('invalid', 'exchange_unknown', [
      `${account.exchange}: must be one of ${EXCHANGES.join(', ')}`,
    ]);
  }
  const ccxt = await loadCcxt(account, traits.options, isPaced);
  let isStale = false;
  return {
    async market(oneCode, otherCode) {
      await ccxt.loadMarkets(isStale);
      isStale = false;
      const symbols = [`${oneCode}/${otherCode}`, `${otherCode}/${oneCode}`];
      const found = symbols.map((symbol) => ccxt.markets[symbol]).find(Boolean);
      return found?.spot === true && found.active !== false ? marketOf(found) : undefined;
    },
    async best(symbol) {
      const { bid, ask } = await ccxt.fetchTicker(symbol);
      return { bid: saidAmount(bid), ask: saidAmount(ask) };
    },
    async place({ symbol, side, amount, price }, clientOrderId, until) {
      const parameters = {
        timeInForce: 'IOC',
        ...traits.orderParameters(clientOrderId, until),
      };
      try {
        const { id } = await ccxt.createOrder(symbol, 'limit', side, amount, price, parameters);
        return saidText(id);
      } catch (error) {
        // Its steps and least amounts may be others than when they were read.
        isStale = true;
        throw error;
      }
    },
    async find({ clientOrderId, exchangeId, symbol, since }) {
      await ccxt.loadMarkets();
      const id = exchangeId ?? (await traits.findId(ccxt, clientOrderId, symbol, since));
      return id === undefined ? undefined : await readOrder(ccxt, id, symbol);
    },
    async cancel(exchangeId, symbol) {
      await unlessNotFound(ccxt.cancelOrder(exchangeId, symbol));
    },
    async trades(codes, since) {
      // One that came since the last time may have been traded in.
      await ccxt.loadMarkets(true);
      return listTrades(ccxt, traits, codes, since);
    },
    async balances() {
      const { total } = await ccxt.fetchBalance();
      return Object.entries(total).map(([code, amount]) => ({ code, amount: saidAmount(amount) }));
    },
    async depositAddress(code, network) {
      const { address, tag } = await ccxt.fetchDepositAddress(code, { network });
      return { address: saidText(address), tag: tag ?? undefined };
    },
    async withdraw({ code, amount, address, tag, key }) {
      const parameters = key === undefined ? {} : { key };
      const { id } = await ccxt.withdraw(code, amount, address, tag, parameters);
      return saidText(id);
    },
  };
}

async function loadCcxt(
  { exchange, apiKey, secret, url }: ExchangeAccount,
  options: object,
  isPaced: boolean,
): Promise<Ccxt> {
  const file = new URL(`./src/${exchange}.js`, import.meta.resolve('ccxt'));
  const { default: Exchange } = (await import(file.href)) as {
    default: new (settings: object) => Ccxt;
  };
  const timed = { timeout: TIMEOUT_MS, enableRateLimit: isPaced };
  const ccxt = new Exchange({ apiKey, secret, options, ...timed });
  assert(ccxt.precisionMode === TICK_SIZE, `${exchange} counts digits where we take steps`);
  ccxt.number = String;
  // Two questions of one millisecond would have the same number, and the second be refused.
  const byClock = ccxt.nonce.bind(ccxt);
  let last = 0;
  ccxt.nonce = () => {
    last = Math.max(byClock(), last + 1);
    return last;
  };
  if (url !== undefined) ccxt.urls.api = movedTo(ccxt.urls.api, url);
  return ccxt;
}

/** Every address of the exchange, on another host. */
function movedTo(urls: unknown, url: string): unknown {
  if (typeof urls === 'string') {
    const { pathname } = new URL(urls);
    return `${url}${pathname === '/' ? '' : pathname}`;
  }
  const entries = Object.entries(urls as Record<string, unknown>);
  return Object.fromEntries(entries.map(([name, one]) => [name, movedTo(one, url)]));
}

function marketOf({ symbol, base, quote, precision, limits }: CcxtMarket): Market {
  const least = limits.amount?.min;
  return {
    ...{ symbol, base, quote },
    amountStep: parseWideDecimal(saidText(precision.amount)),
    priceStep: parseWideDecimal(saidText(precision.price)),
    amountLeast: least === undefined ? undefined : parseWideDecimal(least),
  };
}

async function readOrder(ccxt: Ccxt, id: string, symbol: string): Promise<FoundOrder> {
  const order = await ccxt.fetchOrder(id, symbol);
  const filled = parseWideDecimal(saidText(order.filled));
  if (isZero(filled)) return { exchangeId: id, isOpen: order.status === 'open', fills: [] };
  // Kraken wants the ids of the parts, and others would stumble over them.
  const trades = (order.trades ?? []).map((trade) => trade.id);
  const parameters = trades.length > 0 ? { trades } : {};
  const found = await ccxt.fetchOrderTrades(id, symbol, undefined, undefined, parameters);
  const sum = found.map(({ amount }) => parseWideDecimal(amount)).reduce(add, ZERO);
  // Parts can be listed later than the order says that they were filled.
  const isWhole = compare(sum, filled) === 0;
  return {
    exchangeId: id,
    isOpen: order.status === 'open' || !isWhole,
    fills: found.map(fillOf),
  };
}

/** What an order that failed means; by the names that ccxt gives to faults. */
export function faultOf(error: unknown): 'rejected' | 'later' | 'unknown' {
  // It is there already: whoever sent it looks for it.
  if (isOf(error, 'DuplicateOrderId')) return 'unknown';
  if (LATER.some((name) => isOf(error, name))) return 'later';
  return REJECTED.some((name) => isOf(error, name)) ? 'rejected' : 'unknown';
}

/** The exchange looked at it, and did not take it. */
const REJECTED = [
  'InvalidOrder',
  'InvalidAddress',
  'BadRequest',
  'ArgumentsRequired',
  'OperationRejected',
  'NotSupported',
];
/** It did not take it, and may take the same later: what is wrong lies outside of the order. */
const LATER = [
  'DDoSProtection',
  'RateLimitExceeded',
  'InvalidNonce',
  'OnMaintenance',
  'InsufficientFunds',
  'AuthenticationError',
];

/** One line of what an exchange said. */
export function wordsOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n')[0]?.slice(0, 300) ?? '';
}
