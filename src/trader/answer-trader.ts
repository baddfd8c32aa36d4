// What the trader answers. Guarantees: an order is sent once, whoever asks how often; it is in the
// journal before it is sent; where nobody knows whether it arrived, the exchange is asked by our
// own id, and nothing is sent again; nothing is sent beyond the caps; money goes to listed
// addresses alone. Questions to one account are answered one after the other.

import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { Outage } from '#base/refusal.ts';
import { findAsset } from '#catalog/asset.ts';
import { amountFromText } from '#money/asset-amount.ts';
import { type Exchange, faultOf, wordsOf } from './open-exchange.ts';
import { isWorseThan, type PlannedOrder, planOrder } from './plan-order.ts';
import type {
  NewOrder,
  OrderAnswer,
  OrderName,
  TraderAnswer,
  TraderQuestion,
  Withdrawal,
} from './protocol.ts';
import type { TraderRules } from './rules.ts';
import type { KnownOrder, TradeEntry, TradeJournal } from './trade-journal.ts';

export type Trader = {
  /** By provider. */
  readonly exchanges: ReadonlyMap<string, Exchange>;
  readonly rules: TraderRules;
  readonly journal: TradeJournal;
  readonly clock: Clock;
  readonly log: Log;
  /** The last question to each account. */
  readonly turns: Map<string, Promise<unknown>>;
};

const DAY = { hours: 24 };
/** Of an order on its way; exchanges take at most a minute. */
const ON_ITS_WAY = { seconds: 45 };
/** When what is not found will not come any more. */
const LOST_AFTER = { minutes: 5 };
/** How much earlier than our clock says the exchange may have booked it. */
const CLOCKS_APART = { minutes: 10 };

export async function answerTrader(
  trader: Trader,
  question: TraderQuestion,
): Promise<TraderAnswer> {
  const provider = providerOf(question);
  const exchange = trader.exchanges.get(provider);
  if (exchange === undefined) return refused('no_account', `there is no account ${provider}`);
  const before = trader.turns.get(provider) ?? Promise.resolve();
  const turn = before
    .then(() => answer(trader, exchange, question))
    .catch((error: unknown) => {
      const isTold = error instanceof Outage;
      if (!isTold) trader.log.warn('an exchange could not be asked', { provider, error });
      return { answer: 'failed' as const, reason: wordsOf(error) };
    });
  trader.turns.set(provider, turn);
  return turn;
}

function providerOf(question: TraderQuestion): string {
  if ('order' in question) return question.order.provider;
  return 'withdrawal' in question ? question.withdrawal.provider : question.provider;
}

async function answer(
  trader: Trader,
  exchange: Exchange,
  question: TraderQuestion,
): Promise<TraderAnswer> {
  switch (question.ask) {
    case 'place':
      return place(trader, exchange, question.order);
    case 'look':
      return look(trader, exchange, question.order);
    case 'cancel': {
      const found = await find(trader, exchange, question.order);
      if (found?.isOpen === true) {
        await exchange.cancel(found.exchangeId, await symbolOf(trader, exchange, question.order));
      }
      return look(trader, exchange, question.order);
    }
    case 'balances':
      return { answer: 'balances', balances: [...(await exchange.balances())] };
    case 'trades': {
      const { codes, since, provider: at } = question;
      const told = await exchange.trades(codes, Temporal.Instant.from(since));
      const { trades, isWhole, unlisted } = told;
      const ours = new Map(
        [...trader.journal.orders].flatMap(([id, one]) =>
          one.provider === at && one.exchangeId !== undefined ? [[one.exchangeId, id]] : [],
        ),
      );
      return {
        answer: 'trades',
        trades: trades.map(({ exchangeOrderId, ...trade }) => {
          return { ...trade, clientOrderId: ours.get(exchangeOrderId) };
        }),
        ...{ isWhole, unlisted: [...unlisted] },
      };
    }
    case 'deposit-address': {
      const { assetId, network } = question;
      return { answer: 'address', ...(await exchange.depositAddress(codeOf(assetId), network)) };
    }
    case 'withdraw':
      return withdraw(trader, exchange, question.withdrawal);
  }
}

async function place(trader: Trader, exchange: Exchange, order: NewOrder): Promise<TraderAnswer> {
  const { journal, clock } = trader;
  const id = order.clientOrderId;
  if (journal.orders.has(id)) return look(trader, exchange, order);
  const planned = await plan(trader, exchange, order);
  if ('answer' in planned) {
    const { reason } = planned;
    if (journal.refusals.get(id) !== reason) journal.append({ kind: 'refused', id, reason });
    return planned;
  }
  const { symbol, side, amount, price } = planned;
  const { provider, giveAssetId: assetId, giveAmount } = order;
  journal.append({
    ...{ kind: 'placing', id, provider, assetId, amount: giveAmount },
    ...{ symbol, side, baseAmount: amount, price },
  });
  try {
    const exchangeId = await exchange.place(planned, id, clock.now().add(ON_ITS_WAY));
    journal.append({ kind: 'placed', id, exchangeId });
  } catch (error) {
    const fault = faultOf(error);
    const reason = wordsOf(error);
    trader.log.warn('an order was not taken', { id, provider, fault, reason });
    if (fault === 'later') {
      journal.append({ kind: 'not-sent', id, reason });
      return refused('exchange_busy', reason);
    }
    if (fault === 'rejected') journal.append({ kind: 'rejected', id, reason });
  }
  return look(trader, exchange, order);
}

type Refused = Extract<TraderAnswer, { answer: 'refused' }>;

async function plan(
  { rules, journal, clock }: Trader,
  exchange: Exchange,
  order: NewOrder,
): Promise<PlannedOrder | Refused> {
  const { provider, giveAssetId, getAssetId, giveAmount, limit } = order;
  const now = clock.now();
  if (Temporal.Instant.compare(now, Temporal.Instant.from(order.notAfter)) > 0) {
    return refused('too_late', 'the order came after its time: is one of the clocks wrong?');
  }
  const cap = rules.findCap(provider, giveAssetId);
  if (cap === undefined) return refused('no_cap', `${giveAssetId} has no cap at ${provider}`);
  const units = unitsOf(giveAssetId, giveAmount);
  if (units === undefined || units > cap.perOrder) {
    return refused('above_cap', `${giveAmount} ${giveAssetId} is more than one order may sell`);
  }
  if (units + spentSince(journal.orders, order, now.subtract(DAY)) > cap.perDay) {
    return refused('above_cap', `${giveAssetId}: more than may be sold in 24 hours`);
  }
  const [giveCode, getCode] = [codeOf(giveAssetId), codeOf(getAssetId)];
  const market = await exchange.market(giveCode, getCode);
  if (market === undefined) {
    return refused('no_market', `${provider} has no open market of ${giveCode} and ${getCode}`);
  }
  const planned = planOrder({ giveCode, giveAmount, limit }, market);
  if ('reason' in planned) return refused('not_tradable', planned.reason);
  const best = await exchange.best(market.symbol);
  if (isWorseThan(planned, best, rules.worstPricePartsPerMillion)) {
    const { bid, ask } = best;
    return refused(
      'price_too_bad',
      `a limit of ${planned.price} is too far from ${provider}'s own ${bid} to ${ask}`,
    );
  }
  return planned;
}

/** What was sent in that time, filled or not. */
function spentSince(
  sent: ReadonlyMap<
    string,
    Pick<KnownOrder, 'provider' | 'assetId' | 'amount' | 'at' | 'rejected'>
  >,
  { provider, giveAssetId }: Pick<NewOrder, 'provider' | 'giveAssetId'>,
  since: Temporal.Instant,
): bigint {
  return [...sent.values()]
    .filter((one) => one.provider === provider && one.assetId === giveAssetId)
    .filter((one) => one.rejected === undefined && Temporal.Instant.compare(one.at, since) > 0)
    .reduce((sum, { amount }) => sum + (unitsOf(giveAssetId, amount) ?? 0n), 0n);
}

async function look(trader: Trader, exchange: Exchange, order: OrderName): Promise<OrderAnswer> {
  const { journal, clock } = trader;
  const id = order.clientOrderId;
  const known = journal.orders.get(id);
  const told = { answer: 'order', fills: [], mayStillCome: false } as const;
  if (known?.rejected !== undefined) {
    return { ...told, fills: [], state: 'REJECTED', reason: known.rejected };
  }
  const found = await find(trader, exchange, order);
  if (found !== undefined) {
    const { isOpen, fills, exchangeId } = found;
    if (known !== undefined && known.exchangeId === undefined) {
      journal.append({ kind: 'placed', id, exchangeId });
    }
    return { ...told, state: isOpen ? 'OPEN' : 'ENDED', fills: [...fills] };
  }
  if (known === undefined) return { ...told, fills: [], state: 'NOT_FOUND' };
  const isLost = Temporal.Instant.compare(clock.now(), known.at.add(LOST_AFTER)) > 0;
  if (!isLost) return { ...told, fills: [], state: 'NOT_FOUND', mayStillCome: true };
  const reason = 'it never reached the exchange, which no longer takes it';
  journal.append({ kind: 'rejected', id, reason });
  return { ...told, fills: [], state: 'REJECTED', reason };
}

async function find(trader: Trader, exchange: Exchange, order: OrderName) {
  const { clientOrderId } = order;
  const known = trader.journal.orders.get(clientOrderId);
  return exchange.find({
    clientOrderId,
    exchangeId: known?.exchangeId,
    symbol: await symbolOf(trader, exchange, order),
    since: (known?.at ?? trader.clock.now().subtract(DAY)).subtract(CLOCKS_APART),
  });
}

async function symbolOf(
  { journal }: Trader,
  exchange: Exchange,
  { clientOrderId, giveAssetId, getAssetId }: OrderName,
): Promise<string> {
  const known = journal.orders.get(clientOrderId);
  if (known !== undefined) return known.symbol;
  const market = await exchange.market(codeOf(giveAssetId), codeOf(getAssetId));
  if (market !== undefined) return market.symbol;
  throw new Outage('the exchange', { cause: new Error('it has no market of the two assets') });
}

async function withdraw(
  trader: Trader,
  exchange: Exchange,
  { provider, name, to, assetId, amount }: Withdrawal,
): Promise<TraderAnswer> {
  const { journal, rules, clock } = trader;
  const known = journal.withdrawals.get(name);
  if (known !== undefined) {
    if (known.amount !== amount || known.assetId !== assetId || known.to !== to) {
      return refused('withdrawal_differs', `${name} was another withdrawal`);
    }
    const { reference } = known;
    return reference === undefined
      ? { answer: 'withdrawal', state: 'UNKNOWN' }
      : { answer: 'withdrawal', state: 'SENT', reference };
  }
  const listed = rules.findAddress(provider, to);
  if (listed === undefined || listed.assetId !== assetId) {
    return refused('address_not_listed', `${to} is no [[address]] for ${assetId} at ${provider}`);
  }
  const units = unitsOf(assetId, amount);
  const since = clock.now().subtract(DAY);
  const toIt = new Map([...journal.withdrawals].filter(([, one]) => one.to === to));
  const spent = spentSince(toIt, { provider, giveAssetId: assetId }, since);
  if (units === undefined || units > listed.perWithdrawal || units + spent > listed.perDay) {
    return refused('above_cap', `${amount} ${assetId} is more than may go to ${to}`);
  }
  journal.append({ kind: 'withdrawing', name, to, provider, assetId, amount });
  try {
    const { address, tag, key } = listed;
    const code = codeOf(assetId);
    const reference = await exchange.withdraw({ code, amount, address, tag, key });
    journal.append({ kind: 'withdrawn', name, reference });
    return { answer: 'withdrawal', state: 'SENT', reference };
  } catch (error) {
    const reason = wordsOf(error);
    trader.log.warn('a withdrawal failed', { name, provider, reason });
    if (faultOf(error) === 'unknown') return { answer: 'withdrawal', state: 'UNKNOWN' };
    const entry: TradeEntry = { kind: 'not-withdrawn', name, reason };
    journal.append(entry);
    return refused('exchange_refused', reason);
  }
}

function unitsOf(assetId: string, amount: string): bigint | undefined {
  const asset = findAsset(assetId);
  const units = asset && amountFromText(amount, asset.decimals);
  return units === 0n ? undefined : units;
}

function codeOf(assetId: string): string {
  const code = findAsset(assetId)?.assetCode;
  if (code !== undefined) return code;
  throw new Outage('the trader', { cause: new Error(`there is no asset ${assetId}`) });
}

function refused(code: string, reason: string): Refused {
  return { answer: 'refused', code, reason };
}
