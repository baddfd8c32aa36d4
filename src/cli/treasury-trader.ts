// What the trader is asked by a person: balances at providers beside the ledger, where to deposit,
// and withdrawals to addresses of the operator.

import { noteAct } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { findNetwork } from '#catalog/network.ts';
import { draftConversion } from '#market/draft-conversion.ts';
import { amountToText } from '#money/asset-amount.ts';
import type { App } from '#server/app.ts';
import { openTraderClient, type TraderClient } from '#trader/client.ts';
import type { StrayTrade } from '#trading/decide-trade.ts';
import { explainTrade, findStrayTrade, listStrayTrades } from '#trading/explain-trade.ts';
import { reconcileProvider } from '#trading/reconcile-provider.ts';
import { findOrder, networkOfMarket } from '#treasury/hedge-order.ts';
import { noteMove } from '#treasury/note-move.ts';
import { hedgeOrderView, providerMoveView } from '#treasury/treasury-position.ts';
import {
  BY_OPTION,
  BY_USAGE,
  type Command,
  onePositional,
  SAID_OPTIONS,
  SAID_USAGE,
  saidOf,
  textOption,
  type Values,
  wholeOption,
  whoOf,
} from './command.ts';
import { draftView } from './draft-view.ts';
import { requireTwo } from './treasury.ts';
import { assetOf, providerName, someUnits } from './treasury-words.ts';

function traderOf({ config }: Pick<App, 'config'>): TraderClient {
  if (config.trader !== undefined) return openTraderClient(config.trader.socket);
  const what = 'TRADER_SOCKET is not set: docs/operate/trader.md';
  throw new Refusal('unavailable', 'trader_missing', what);
}

export const treasuryReconcile: Command = {
  name: 'treasury reconcile',
  summary: 'hold what a provider says that it has for you against the ledger, asset by asset',
  usage: 'PROVIDER',
  options: {},
  async run(context, { positionals }) {
    const provider = providerName(onePositional(positionals, 'the provider'));
    const app = await context.openApp();
    const told = await traderOf(app).balances(provider);
    if (told.answer === 'refused') throw refusedBy(told);
    const balances = await reconcileProvider(app.db, provider, told.balances);
    const lines = balances.map(({ code, said, booked, difference }) =>
      difference === '0'
        ? `${code}  ${said}  agrees`
        : `${code}  ${provider} says ${said}, the ledger ${booked}: ${difference} apart`,
    );
    const isEqual = balances.every(({ difference }) => difference === '0');
    if (!isEqual) {
      lines.push(
        'Above zero: a deposit or a part of an order is not entered yet. What was traded there ' +
          `without an order: npx quittance treasury trades ${provider}`,
      );
    }
    return {
      text: lines.join('\n') || `${provider} has nothing, and the ledger says so too.`,
      json: { provider, balances },
      ...(isEqual ? {} : { exitCode: 1 }),
    };
  },
};

export const treasuryDepositAddress: Command = {
  name: 'treasury deposit-address',
  summary: 'where to send money for a provider',
  usage: 'PROVIDER ASSET --network NETWORK',
  options: { network: { type: 'string' } },
  async run(context, { positionals, values }) {
    const [name, asset, ...more] = positionals;
    if (more.length > 0) throw usage('which provider, which asset?');
    const provider = providerName(name);
    const assetId = assetOf(asset ?? '');
    const network = networkOf(textOption(values, 'network'), assetId);
    const trader = traderOf(await context.openApp());
    const told = await trader.depositAddress(provider, assetId, network);
    if (told.answer === 'refused') throw refusedBy(told);
    const { address, tag } = told;
    const text = `${address}${tag === undefined ? '' : `  with the tag ${tag}`}`;
    return { text, json: { provider, asset: assetId, network, address, tag: tag ?? null } };
  },
};

export const treasuryWithdraw: Command = {
  name: 'treasury withdraw',
  summary: 'let the trader withdraw to one of your listed addresses; the same name counts once',
  usage: `PROVIDER AMOUNT ASSET --to ADDRESS-NAME --network NETWORK --name NAME ${SAID_USAGE}`,
  options: {
    ...SAID_OPTIONS,
    ...{ to: { type: 'string' }, network: { type: 'string' }, name: { type: 'string' } },
  },
  async run(context, { positionals, values }) {
    const [at, amount, asset, ...more] = positionals;
    if (asset === undefined || more.length > 0) {
      throw usage('from which provider, how much of which asset?');
    }
    const provider = providerName(at);
    const assetId = assetOf(asset);
    const units = someUnits(amount ?? '', assetId);
    const network = networkOf(textOption(values, 'network'), assetId);
    const [to, name] = [textOption(values, 'to') ?? '', textOption(values, 'name') ?? ''];
    if (!/^[A-Za-z0-9._-]{1,64}$/.test(name)) {
      throw usage('--name: of the withdrawal; repeat it with the same one when it failed');
    }
    const said = saidOf(values);
    const app = await context.openApp();
    const text = amountToText(units, getAsset(assetId).decimals);
    const { actor, reason } = said;
    const about = `withdraws ${text} ${assetId} from ${provider} to ${to}`;
    await requireTwo(app, {
      ...{ environment: 'live', actor, subject: `withdrawal:${provider}:${name}`, words: [to] },
      ...{ about, amount: { assetId, units } },
    });
    await app.db.transact(async (tx) =>
      noteAct(tx, {
        ...{ environment: 'live', actor, verb: 'treasury-withdraw', actedAt: app.clock.now() },
        ...{ subject: `withdrawal:${provider}:${name}`, details: { reason, about, network } },
      }),
    );
    const told = await traderOf(app).withdraw({ provider, name, to, assetId, amount: text });
    if (told.answer === 'refused') throw refusedBy(told);
    const { reference } = told;
    if (reference === undefined) {
      throw new Refusal('conflict', 'withdrawal_unknown', [
        `nobody knows whether ${name} was made: look at ${provider}. If it was, enter it ` +
          '(npx quittance treasury move from); if not, withdraw under another name',
      ]);
    }
    const direction = 'FROM' as const;
    const request = { ...said, environment: 'live' as const, provider, direction, network };
    const move = providerMoveView(await noteMove(app, { ...request, assetId, units, reference }));
    const line = `${move.id}  ${text} ${assetId} from ${provider} to ${to}  ${reference}`;
    return {
      text: `${line}\nWhen it is there: npx quittance treasury arrived ${move.id}`,
      json: { move },
    };
  },
};

function networkOf(name: string | undefined, assetId: string): string {
  const { networks } = getAsset(assetId);
  const found = networks.find((one) => one === name && findNetwork(one) !== undefined);
  if (found !== undefined) return found;
  throw usage(`--network: must be one of ${networks.join(', ')}`);
}

function refusedBy({ code, reason }: { readonly code: string; readonly reason: string }): Refusal {
  return new Refusal('conflict', code, `the trader refuses: ${reason}`);
}

function usage(message: string): Refusal {
  return new Refusal('invalid', 'usage', [message]);
}

// An order of the house at the market of a network, as a transaction for the signer or a wallet.
export const treasuryDraft: Command = {
  name: 'treasury draft',
  summary:
    'put an order at stellar-dex together, for the signer, or for your wallet to sign and send',
  usage: `ORDER [--by-hand] ${BY_USAGE}`,
  options: { ...BY_OPTION, 'by-hand': { type: 'boolean' } },
  async run(context, { positionals, values }) {
    const orderId = onePositional(
      positionals,
      'the order, as npx quittance treasury list names it',
    );
    const app = await context.openApp();
    const { marketSlippagePartsPerMillion: slippagePartsPerMillion } = app.config;
    const isBySigner = values['by-hand'] !== true && (await isSigned(app, orderId));
    const wish = { orderId, actor: whoOf(values), slippagePartsPerMillion, isBySigner };
    const { order, leastUnits, drafted } = await draftConversion(app, wish);
    const { giveAssetId, getAssetId } = order;
    const text = (assetId: string, units: bigint) =>
      `${amountToText(units, getAsset(assetId).decimals)} ${assetId}`;
    const [sells, least] = [
      text(giveAssetId, order.giveUnits - order.filledUnits),
      text(getAssetId, leastUnits),
    ];
    const view = { order: hedgeOrderView(order), sells, least };
    if (isBySigner) {
      const lines = [
        `The signer is asked to sell ${sells} for at least ${least}, until ${drafted.until}.`,
        `What it says, and what came: npx quittance treasury show ${orderId}`,
      ];
      return { text: lines.join('\n'), json: { ...view, draft: null } };
    }
    const { about, json } = draftView(drafted, giveAssetId);
    const lines = [
      `Sells ${sells} for at least ${least}, from your account to your account.`,
      ...about,
      json.text,
      '',
      'Sign and send it with your wallet: it is seen and booked with what really came.',
      'Until it has landed, or can land no more, its part of the position stays counted.',
    ];
    return {
      text: lines.join('\n'),
      json: { ...view, draft: json },
    };
  },
};

// What happened at a provider without an order of the house.
const DAYS = { days: { type: 'string' } } as const;
const DAYS_USAGE = '[--days N]';

export const treasuryTrades: Command = {
  name: 'treasury trades',
  summary: 'list what was traded in your account at a provider and fits no order',
  usage: `PROVIDER ${DAYS_USAGE}\n  --days   how far back, 30 unless given`,
  options: DAYS,
  async run(context, { positionals, values }) {
    const provider = providerName(onePositional(positionals, 'the provider'));
    const app = await context.openApp();
    const wanted = { provider, days: daysOf(values) };
    const { trades, isWhole, unlisted } = await listStrayTrades(app, traderOf(app), wanted);
    const lines = trades.map(tradeText);
    const isAll = isWhole && unlisted.length === 0;
    if (trades.length === 0 && isAll) {
      lines.push('All trades there are parts of orders, or explained.');
    }
    if (!isWhole) lines.push('There are more than were asked for: say fewer --days.');
    if (unlisted.length > 0) {
      lines.push(
        `${provider} may not have told all of ${unlisted.join(', ')}: say fewer --days, or look ` +
          'there by hand.',
      );
    }
    return {
      text: lines.join('\n'),
      json: { provider, isWhole, unlisted, trades: trades.map(tradeView) },
      ...(trades.length > 0 || !isAll ? { exitCode: 1 } : {}),
    };
  },
};

export const treasuryExplain: Command = {
  name: 'treasury explain',
  summary: 'book a trade at a provider that fits no order: what was given, what came, the fee',
  usage:
    `PROVIDER MARKET TRADE --as converted [--fee AMOUNT --fee-asset ASSET] ${DAYS_USAGE} ` +
    SAID_USAGE,
  options: {
    ...{ ...SAID_OPTIONS, ...DAYS, as: { type: 'string' } },
    ...{ fee: { type: 'string' }, 'fee-asset': { type: 'string' } },
  },
  async run(context, { positionals, values }) {
    const [name, symbol, tradeId, ...more] = positionals;
    if (symbol === undefined || tradeId === undefined || more.length > 0) {
      throw usage('which trade, as npx quittance treasury trades names it?');
    }
    if (textOption(values, 'as') !== 'converted') throw usage('--as: must be converted');
    const provider = providerName(name);
    const wanted = {
      ...{ provider, symbol, tradeId, days: daysOf(values), fee: feeOf(values) },
      ...saidOf(values),
    };
    const app = await context.openApp();
    const trader = traderOf(app);
    const { trade, sides } = await findStrayTrade(app, trader, wanted);
    await requireTwo(app, {
      ...{ environment: 'live', actor: wanted.actor, words: [provider] },
      subject: `trade:${provider}:${symbol}:${tradeId}`,
      about: `books that ${tradeId} at ${provider} fits no order: ${tradeText(trade)}`,
      amount: sides.sold,
    });
    const booked = await explainTrade(app, trader, wanted);
    return { text: `${booked.id}  ${tradeText(trade)}`, json: { trade: tradeView(trade) } };
  },
};

/** What was really taken. @throws Refusal */
function feeOf(values: Values): { readonly assetId: string; readonly units: bigint } | undefined {
  const fee = textOption(values, 'fee');
  const asset = textOption(values, 'fee-asset');
  if (fee === undefined && asset === undefined) return undefined;
  if (fee === undefined) throw usage('--fee: say how much of --fee-asset was taken');
  const assetId = assetOf(asset ?? '', '--fee-asset');
  return { assetId, units: someUnits(fee, assetId, '--fee') };
}

function daysOf(values: Values): number {
  return wholeOption(values, 'days', { initial: 30, least: 1, most: 365 });
}

function tradeText(trade: StrayTrade): string {
  const { at, symbol, id, soldAmount, soldCode, gotAmount, gotCode, fees, orderId } = trade;
  const fee = fees.map(({ amount, code }) => `, fee ${amount} ${code}`).join('');
  const order =
    orderId === undefined ? '' : `; sent for ${orderId}, which has ended: treasury fill`;
  return `${at}  ${symbol}  ${id}  ${soldAmount} ${soldCode} for ${gotAmount} ${gotCode}${fee}${order}`;
}

function tradeView({ clientOrderId, orderId, ...trade }: StrayTrade) {
  return { ...trade, clientOrderId: clientOrderId ?? null, order: orderId ?? null };
}

/** Whether the settings name a signer where the order is. */
async function isSigned({ db, config }: App, orderId: string): Promise<boolean> {
  const order = await findOrder(db, orderId);
  const network = order?.environment === 'live' ? networkOfMarket(order.provider) : undefined;
  return network !== undefined && config.signer?.networks.includes(network) === true;
}
