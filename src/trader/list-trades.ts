// What happened in the account at an exchange, by an order of ours or not. Guarantees: amounts are
// texts of the exchange, never floating point; a trade that two pages show is told once.
import { Outage } from '#base/refusal.ts';
import { decimalToText, parseWideDecimal } from '#money/decimal.ts';
import type { Ccxt, CcxtTrade, Traits } from './exchange-traits.ts';
import type { ExchangeFill, ExchangeTrade } from './protocol.ts';

/** With the order at the exchange that it is a part of. */
type AccountTrade = Omit<ExchangeTrade, 'clientOrderId'> & {
  readonly exchangeOrderId: string;
};

/** Of trades; more where each market is asked by itself. */
const PAGES_MOST = 40;

export type AccountTrades = {
  readonly trades: readonly AccountTrade[];
  /** Else there are more than were asked for. */
  readonly isWhole: boolean;
  /** Markets of which the exchange may not have told all. */
  readonly unlisted: readonly string[];
};

export async function listTrades(
  ccxt: Ccxt,
  traits: Traits,
  codes: readonly string[],
  since: Temporal.Instant,
): Promise<AccountTrades> {
  const markets = Object.values(ccxt.markets)
    .filter(({ spot, base, quote }) => spot && codes.includes(base) && codes.includes(quote))
    .map(({ symbol }) => symbol);
  const found = new Map<string, AccountTrade>();
  const unlisted: string[] = [];
  const told = (isWhole: boolean) => ({ trades: [...found.values()], isWhole, unlisted });
  let pages = 0;
  for await (const page of traits.listTrades(ccxt, markets, since.epochMilliseconds)) {
    if ('unlisted' in page) {
      unlisted.push(page.unlisted);
      continue;
    }
    for (const trade of page) {
      const one = tradeOf(trade);
      found.set(`${one.symbol} ${one.id}`, one);
    }
    pages += 1;
    if (pages > PAGES_MOST + markets.length) return told(false);
  }
  return told(true);
}

function tradeOf(trade: CcxtTrade): AccountTrade {
  const symbol = saidText(trade.symbol);
  const [base, quote] = symbol.split('/').map(saidText);
  const codes = trade.side === 'sell' ? [base, quote] : [quote, base];
  const [soldCode, gotCode] = codes.map(saidText);
  return {
    ...fillOf(trade),
    ...{ symbol, soldCode: saidText(soldCode), gotCode: saidText(gotCode) },
    exchangeOrderId: trade.order ?? '',
  };
}

export function fillOf({ id, timestamp, side, amount, cost, fee, fees }: CcxtTrade): ExchangeFill {
  const [base, quote] = [saidAmount(amount), saidAmount(cost)];
  const taken = fees !== undefined && fees.length > 0 ? fees : fee === undefined ? [] : [fee];
  return {
    id,
    at: Temporal.Instant.fromEpochMilliseconds(timestamp).toString(),
    soldAmount: side === 'sell' ? base : quote,
    gotAmount: side === 'sell' ? quote : base,
    fees: taken.flatMap(({ cost: units, currency: code }) =>
      units === undefined || code === undefined ? [] : [{ code, amount: saidAmount(units) }],
    ),
  };
}

/** Of what the exchange has to say. @throws Outage */
export function saidText(text: string | undefined): string {
  if (typeof text === 'string' && text !== '') return text;
  throw new Outage('the exchange', { cause: new Error('its answer lacks what was asked for') });
}

export const saidAmount = (text: string | undefined) =>
  decimalToText(parseWideDecimal(saidText(text)));
