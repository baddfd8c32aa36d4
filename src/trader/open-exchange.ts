// One account at one exchange, through ccxt. Guarantees: amounts come and go as texts, never as
// floating point; an order and its parts are found again by the id that we gave it; of a refusal it
// is said whether the exchange cannot have taken the order. Only the file of the one exchange is
// loaded: what is not there has no fault (decision 56).

import { assert } from '#base/assert.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { add, compare, decimalToText, isZero, parseWideDecimal, ZERO } from '#money/decimal.ts';
import type { ExchangeAccount } from './key-file.ts';
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

/** What the trader uses of ccxt, with texts for numbers (`number = String`). */
type Ccxt = {
  number: unknown;
  nonce(): number;
  urls: { api: unknown };
  readonly precisionMode: number;
  readonly markets: Readonly<Record<string, CcxtMarket>>;
  loadMarkets(isAnew?: boolean): Promise<unknown>;
  fetchTicker(symbol: string): Promise<{ readonly bid?: string; readonly ask?: string }>;
  createOrder(
    symbol: string,
    type: string,
    side: string,
    amount: string,
    price: string,
    parameters: object,
  ): Promise<{ readonly id?: string }>;
  fetchOrder(id: string, symbol: string, parameters?: object): Promise<CcxtOrder>;
  fetchOpenOrders: ListOrders;
  fetchClosedOrders: ListOrders;
  fetchOrderTrades(
    id: string,
    symbol: string,
    since: undefined,
    limit: undefined,
    parameters: object,
  ): Promise<readonly CcxtTrade[]>;
  cancelOrder(id: string, symbol: string): Promise<unknown>;
  fetchBalance(): Promise<{ readonly total: Readonly<Record<string, string>> }>;
  fetchDepositAddress(
    code: string,
    parameters: object,
  ): Promise<{ readonly address?: string; readonly tag?: string }>;
  withdraw(
    code: string,
    amount: string,
    address: string,
    tag: string | undefined,
    parameters: object,
  ): Promise<{ readonly id?: string }>;
};
type ListOrders = (
  symbol: string,
  since: number,
  limit: undefined,
  parameters: object,
) => Promise<readonly CcxtOrder[]>;
type CcxtMarket = {
  readonly spot: boolean;
  readonly active?: boolean;
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly precision: { readonly amount: string; readonly price: string };
  readonly limits: { readonly amount?: { readonly min?: string } };
};
type CcxtOrder = {
  readonly id: string;
  readonly clientOrderId?: string;
  readonly status?: string;
  readonly filled?: string;
  readonly trades?: readonly { readonly id: string }[];
};
type CcxtFee = { readonly cost?: string; readonly currency?: string };
type CcxtTrade = {
  readonly id: string;
  readonly timestamp: number;
  readonly side: string;
  readonly amount: string;
  readonly cost: string;
  readonly fee?: CcxtFee;
  readonly fees?: readonly CcxtFee[];
};

/** How an exchange takes an order and gives it back; each was looked up in its documentation. */
type Traits = {
  /** Settings of ccxt for it. */
  readonly options: object;
  /** Of a new order. `until`: later than this the exchange itself does not take it any more. */
  orderParameters(clientOrderId: string, until: Temporal.Instant): object;
  /** By our own id. Undefined: it does not know it. */
  findId(
    ccxt: Ccxt,
    clientOrderId: string,
    symbol: string,
    since: Temporal.Instant,
  ): Promise<string | undefined>;
};

const TRAITS: Readonly<Record<string, Traits>> = {
  // `cl_ord_id` filters the lists of open and closed orders, QueryOrders takes none. `deadline` is
  // at most a minute ahead. The fee is asked for in the quote (`fciq`), which ccxt takes it to be.
  kraken: {
    options: {},
    orderParameters: (clientOrderId, until) => ({
      clientOrderId,
      oflags: 'fciq',
      deadline: until.toString({ smallestUnit: 'second' }),
    }),
    async findId(ccxt, clientOrderId, symbol, since) {
      // An order goes from the one list to the other: asked in this order it is in one of them.
      for (const list of ['fetchOpenOrders', 'fetchClosedOrders'] as const) {
        const parameters = { clientOrderId };
        const found = await ccxt[list](symbol, since.epochMilliseconds, undefined, parameters);
        const ours = found.find((order) => order.clientOrderId === clientOrderId);
        if (ours !== undefined) return ours.id;
      }
      return undefined;
    },
  },
  // `origClientOrderId` asks for one order. A request older than `recvWindow` is not taken. Of its
  // markets, those of futures lie on other hosts, which many may not ask.
  binance: {
    options: { fetchMarkets: { types: ['spot'] }, fetchMargins: false },
    orderParameters: (clientOrderId) => ({ newClientOrderId: clientOrderId, recvWindow: 10_000 }),
    async findId(ccxt, clientOrderId, symbol) {
      const parameters = { origClientOrderId: clientOrderId };
      return unlessNotFound(ccxt.fetchOrder(clientOrderId, symbol, parameters));
    },
  },
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
      return { bid: plainText(bid), ask: plainText(ask) };
    },
    async place({ symbol, side, amount, price }, clientOrderId, until) {
      const parameters = {
        timeInForce: 'IOC',
        ...traits.orderParameters(clientOrderId, until),
      };
      try {
        const { id } = await ccxt.createOrder(symbol, 'limit', side, amount, price, parameters);
        return textOf(id);
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
    async balances() {
      const { total } = await ccxt.fetchBalance();
      return Object.entries(total).map(([code, amount]) => ({ code, amount: plainText(amount) }));
    },
    async depositAddress(code, network) {
      const { address, tag } = await ccxt.fetchDepositAddress(code, { network });
      return { address: textOf(address), tag: tag ?? undefined };
    },
    async withdraw({ code, amount, address, tag, key }) {
      const parameters = key === undefined ? {} : { key };
      const { id } = await ccxt.withdraw(code, amount, address, tag, parameters);
      return textOf(id);
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
    amountStep: parseWideDecimal(textOf(precision.amount)),
    priceStep: parseWideDecimal(textOf(precision.price)),
    amountLeast: least === undefined ? undefined : parseWideDecimal(least),
  };
}

async function readOrder(ccxt: Ccxt, id: string, symbol: string): Promise<FoundOrder> {
  const order = await ccxt.fetchOrder(id, symbol);
  const filled = parseWideDecimal(textOf(order.filled));
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

function fillOf({ id, timestamp, side, amount, cost, fee, fees }: CcxtTrade): ExchangeFill {
  const [base, quote] = [plainText(amount), plainText(cost)];
  const taken = fees !== undefined && fees.length > 0 ? fees : fee === undefined ? [] : [fee];
  return {
    id,
    at: Temporal.Instant.fromEpochMilliseconds(timestamp).toString(),
    soldAmount: side === 'sell' ? base : quote,
    gotAmount: side === 'sell' ? quote : base,
    fees: taken.flatMap(({ cost: units, currency: code }) =>
      units === undefined || code === undefined ? [] : [{ code, amount: plainText(units) }],
    ),
  };
}

/** Undefined also where there is nothing. */
async function unlessNotFound<Value extends { readonly id?: string } | unknown>(
  asked: Promise<Value>,
): Promise<string | undefined> {
  try {
    const found = await asked;
    return (found as { readonly id?: string }).id;
  } catch (error) {
    if (isOf(error, 'OrderNotFound')) return undefined;
    throw error;
  }
}

/** Of what the exchange has to say. @throws Outage */
function textOf(text: string | undefined): string {
  if (typeof text === 'string' && text !== '') return text;
  throw new Outage('the exchange', { cause: new Error('its answer lacks what was asked for') });
}

const plainText = (text: string | undefined) => decimalToText(parseWideDecimal(textOf(text)));

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

function isOf(error: unknown, name: string): boolean {
  for (let at = error; typeof at === 'object' && at !== null; at = Object.getPrototypeOf(at)) {
    if (at.constructor.name === name) return true;
  }
  return false;
}

/** One line of what an exchange said. */
export function wordsOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n')[0]?.slice(0, 300) ?? '';
}
