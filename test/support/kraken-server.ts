// Kraken on loopback, for ccxt to talk to: it answers what Kraken published (test/fixtures/kraken),
// with the figures of the order that was sent. It refuses as Kraken does: a signature that is wrong,
// a nonce that does not grow, what is below the least amount.
import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  add,
  compare,
  decimalToText,
  multiply,
  parseDecimal,
  roundDecimal,
  ZERO,
} from '#money/decimal.ts';

/** A part of an order that the market takes at once: so much of the base, at this price. */
type Part = { readonly volume: string; readonly price: string };
type KrakenOrder = {
  readonly id: string;
  readonly clientOrderId: string;
  readonly type: string;
  readonly volume: string;
  readonly limit: string;
  readonly parts: readonly Part[];
  readonly trades: readonly string[];
  readonly sentAt: number;
};

export type KrakenServer = {
  readonly url: string;
  readonly apiKey: string;
  readonly secret: string;
  /** The forms of AddOrder that arrived, in order. */
  readonly sent: readonly URLSearchParams[];
  readonly withdrawn: readonly URLSearchParams[];
  /** What the market takes of the next orders. */
  parts: readonly Part[];
  /** Of AddOrder: an error of Kraken's list, instead of an order. */
  refuses: string | undefined;
  /** AddOrder: the connection breaks before Kraken has the order, or after it, or says nothing. */
  breaks: 'before' | 'after' | 'silent' | undefined;
  /** Says how the parts are listed: later than the order says that it was filled. */
  hidesTrades: boolean;
  /** What somebody traded by hand in the account, on the page of Kraken. */
  byHand: readonly (Part & { readonly id: string; readonly type: string; readonly at: number })[];
  close(): Promise<void>;
};

const ANSWERS = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', 'fixtures', 'kraken', 'answers.json'), 'utf8'),
) as Readonly<Record<string, { readonly error: string[]; readonly result: object } & object>>;
const FEE = parseDecimal('0.0026');
const LEAST = parseDecimal('0.0001');

export async function openKrakenServer(): Promise<KrakenServer> {
  const orders: KrakenOrder[] = [];
  const [sent, withdrawn]: [URLSearchParams[], URLSearchParams[]] = [[], []];
  const secret = Buffer.from('a secret of the loopback server').toString('base64');
  let nonce = 0;
  const http = createServer((request, response) => void serve(request, response));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const server: KrakenServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    ...{ apiKey: 'key', secret, sent, withdrawn },
    ...{ parts: [], refuses: undefined, breaks: undefined, hidesTrades: false },
    byHand: [],
    async close() {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    const { pathname } = new URL(request.url ?? '', server.url);
    const method = pathname.split('/').at(-1) ?? '';
    const form = new URLSearchParams(body);
    const say = (content: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(content));
    if (!pathname.startsWith('/0/private/')) return void say(ANSWERS[method] ?? {});
    const fault = signatureFault(request, pathname, body, form);
    if (fault !== undefined) return void say({ error: [fault] });
    if (method === 'AddOrder' && server.breaks === 'before') return void response.destroy();
    const answer = answerOf(method, form);
    if (method === 'AddOrder' && server.breaks === 'after') return void response.destroy();
    if (method !== 'AddOrder' || server.breaks !== 'silent') say(answer);
  }

  /** docs.kraken.com/api: HMAC-SHA512 of (path + SHA256(nonce + body)) with the secret. */
  function signatureFault(
    request: IncomingMessage,
    path: string,
    body: string,
    form: URLSearchParams,
  ): string | undefined {
    if (request.headers['api-key'] !== server.apiKey) return 'EAPI:Invalid key';
    const inner = createHash('sha256')
      .update(`${form.get('nonce')}${body}`)
      .digest();
    const hmac = createHmac('sha512', Buffer.from(secret, 'base64'));
    const signature = hmac.update(path).update(inner).digest('base64');
    if (request.headers['api-sign'] !== signature) return 'EAPI:Invalid signature';
    const next = Number(form.get('nonce'));
    if (next <= nonce) return 'EAPI:Invalid nonce';
    nonce = next;
    return undefined;
  }

  function answerOf(method: string, form: URLSearchParams): object {
    const named = orders.filter((order) => order.clientOrderId === form.get('cl_ord_id'));
    switch (method) {
      case 'AddOrder':
        return takeOrder(form);
      case 'OpenOrders':
        return { error: [], result: { open: listed(named.filter(isOpen)) } };
      case 'ClosedOrders': {
        const closed = listed(named.filter((order) => !isOpen(order)));
        return { error: [], result: { closed, count: Object.keys(closed).length } };
      }
      case 'QueryOrders': {
        const ids = form.get('txid')?.split(',') ?? [];
        return { error: [], result: listed(orders.filter(({ id }) => ids.includes(id))) };
      }
      case 'QueryTrades':
        return { error: [], result: tradesOf(form.get('txid')?.split(',') ?? []) };
      case 'TradesHistory':
        return { error: [], result: historyOf(form) };
      case 'Withdraw':
        withdrawn.push(form);
        return ANSWERS.Withdraw ?? {};
      default:
        return ANSWERS[method] ?? { error: ['EGeneral:Unknown method'] };
    }
  }

  function takeOrder(form: URLSearchParams): object {
    sent.push(form);
    if (server.refuses !== undefined) return { error: [server.refuses] };
    const [type = '', volume = '', limit = ''] = ['type', 'volume', 'price'].map(
      (name) => form.get(name) ?? '',
    );
    if (compare(parseDecimal(volume), LEAST) < 0) {
      return { error: ['EGeneral:Invalid arguments:volume minimum not met'] };
    }
    assert.equal(form.get('timeinforce'), 'IOC');
    assert.equal(form.get('oflags'), 'fciq');
    const number = String(orders.length + 1).padStart(5, '0');
    const id = `OL7LNO-${number}-6UINEU`;
    const { parts } = server;
    const trades = parts.map((_, at) => `TWA6QJ-${number}-6QIHQ${at}`);
    const clientOrderId = form.get('cl_ord_id') ?? '';
    orders.push({ id, clientOrderId, type, volume, limit, parts, trades, sentAt: Date.now() });
    const order = `${type} ${volume} XBTUSDT @ limit ${limit}`;
    return { error: [], result: { txid: [id], descr: { order } } };
  }

  const isOpen = (_: KrakenOrder) => false;

  function listed(found: readonly KrakenOrder[]): Record<string, object> {
    return Object.fromEntries(found.map((order) => [order.id, recordOf(order)]));
  }

  function recordOf({ id: _, ...order }: KrakenOrder): object {
    const sum = (texts: readonly string[]) =>
      decimalToText(texts.map(parseDecimal).reduce(add, ZERO));
    const filled = sum(order.parts.map(({ volume }) => volume));
    const isWhole = compare(parseDecimal(filled), parseDecimal(order.volume)) === 0;
    return {
      ...ANSWERS.order,
      ...{ cl_ord_id: order.clientOrderId, status: isWhole ? 'closed' : 'canceled' },
      descr: {
        ...{ pair: 'XBTUSDT', type: order.type, ordertype: 'limit', price: order.limit },
        ...{ price2: '0', leverage: 'none', close: '' },
        order: `${order.type} ${order.volume} XBTUSDT @ limit ${order.limit}`,
      },
      ...{ opentm: order.sentAt / 1000, closetm: order.sentAt / 1000, vol: order.volume },
      ...{ vol_exec: filled, cost: sum(order.parts.map(costOf)), fee: sum(order.parts.map(feeOf)) },
      trades: server.hidesTrades ? order.trades.slice(1) : order.trades,
    };
  }

  function tradesOf(ids: readonly string[]): object {
    const all = orders.flatMap((order) =>
      order.parts.map((part, at) => [order.trades[at] ?? '', tradeOf(order, part)] as const),
    );
    return Object.fromEntries(all.filter(([id]) => ids.includes(id)));
  }

  /** Fifty at most, the newest first, from an offset on (docs.kraken.com/api, Get Trades History). */
  function historyOf(form: URLSearchParams): object {
    const [start, ofs] = [Number(form.get('start') ?? 0), Number(form.get('ofs') ?? 0)];
    const own = orders.flatMap((order) =>
      order.parts.map((part, at) => [order.trades[at] ?? '', tradeOf(order, part)] as const),
    );
    const others = server.byHand.map(({ id, type, at, ...part }) => {
      const order = { id: 'OHAND1-AAAAA-BBBBBB', type, sentAt: at };
      return [id, tradeOf(order, part)] as const;
    });
    const all = [...own, ...others]
      .filter(([, { time }]) => time > start)
      .toSorted(([, one], [, other]) => other.time - one.time);
    return { trades: Object.fromEntries(all.slice(ofs, ofs + 50)), count: all.length };
  }

  function tradeOf(order: Pick<KrakenOrder, 'id' | 'type' | 'sentAt'>, part: Part) {
    return {
      ...ANSWERS.trade,
      ...{ ordertxid: order.id, pair: 'XBTUSDT', time: order.sentAt / 1000, type: order.type },
      ...{ ordertype: 'limit', price: part.price, vol: part.volume },
      ...{ cost: costOf(part), fee: feeOf(part) },
    };
  }
  return server;
}

/** To five digits, as Kraken's pairs with `cost_decimals` 5. */
function costOf({ volume, price }: Part): string {
  return decimalToText(
    roundDecimal(multiply(parseDecimal(volume), parseDecimal(price)), 5, 'half-even'),
  );
}

function feeOf(part: Part): string {
  return decimalToText(roundDecimal(multiply(parseDecimal(costOf(part)), FEE), 5, 'half-even'));
}
