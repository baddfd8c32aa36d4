// How each exchange takes an order and gives it back, what ccxt is asked for it, and by which names
// ccxt tells faults. Each was looked up in the documentation of the exchange (decision 56).
/** What the trader uses of ccxt, with texts for numbers (`number = String`). */
export type Ccxt = {
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
  fetchMyTrades(
    symbol: string | undefined,
    since: number | undefined,
    limit: number | undefined,
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
export type CcxtMarket = {
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
export type CcxtTrade = {
  readonly id: string;
  readonly symbol?: string;
  /** The order that it is a part of. */
  readonly order?: string;
  readonly timestamp: number;
  readonly side: string;
  readonly amount: string;
  readonly cost: string;
  readonly fee?: CcxtFee;
  readonly fees?: readonly CcxtFee[];
};

export type Traits = {
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
  /** Of the whole account, a page. Undefined: none is left. */
  listTrades(ccxt: Ccxt, markets: readonly string[], since: number): AsyncIterable<TradePage>;
};
/** Or a market of which it may not have told all. */
type TradePage = readonly CcxtTrade[] | { readonly unlisted: string };

const KRAKEN_PAGE = 50;
const BINANCE_PAGE = 1_000;

export const TRAITS: Readonly<Record<string, Traits>> = {
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
    // TradesHistory gives 50, the newest first, from an offset on.
    async *listTrades(ccxt, _, since) {
      for (let ofs = 0; ; ofs += KRAKEN_PAGE) {
        const page = await ccxt.fetchMyTrades(undefined, since, undefined, { ofs });
        yield page;
        if (page.length < KRAKEN_PAGE) return;
      }
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
    // Each market by itself: first since a moment, then from an id on, with which no moment may be
    // sent. Of a full page it does not say whether those are the oldest or the newest: where
    // nothing comes after it, there may be some before.
    async *listTrades(ccxt, markets, since) {
      for (const symbol of markets) {
        try {
          let page = await ccxt.fetchMyTrades(symbol, since, BINANCE_PAGE, {});
          yield page;
          const isFull = page.length >= BINANCE_PAGE;
          let newer = 0;
          while (page.length >= BINANCE_PAGE) {
            const fromId = `${highestId(page) + 1n}`;
            page = await ccxt.fetchMyTrades(symbol, undefined, BINANCE_PAGE, { fromId });
            newer += page.length;
            yield page;
          }
          if (isFull && newer === 0) yield { unlisted: symbol };
        } catch (error) {
          // A market that is gone is no reason to say nothing of the others.
          if (!isOf(error, 'BadSymbol')) throw error;
          yield { unlisted: symbol };
        }
      }
    },
  },
};

function highestId(page: readonly CcxtTrade[]): bigint {
  return page.map(({ id }) => BigInt(id)).reduce((most, one) => (one > most ? one : most), 0n);
}

/** Undefined also where there is nothing. */
export async function unlessNotFound<Value extends { readonly id?: string } | unknown>(
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

export function isOf(error: unknown, name: string): boolean {
  for (let at = error; typeof at === 'object' && at !== null; at = Object.getPrototypeOf(at)) {
    if (at.constructor.name === name) return true;
  }
  return false;
}
