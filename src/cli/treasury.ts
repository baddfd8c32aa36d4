// The position of the house that conversions leave open, and the orders that close it.
import { doNoted } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import { findNewestDraft } from '#market/market-draft.ts';
import type { App } from '#server/app.ts';
import { requireSecondPerson } from '#spending/approval.ts';
import { findTrade, type HedgeTrade } from '#trading/trade-orders.ts';
import { cancelOrder, noteFill, orderHedge, placeOrder, undoFill } from '#treasury/act-on-order.ts';
import {
  findOrder,
  type HedgeOrder,
  listFills,
  listOrders,
  networkOfMarket,
} from '#treasury/hedge-order.ts';
import { hedgeFillView, hedgeOrderView, treasuryPosition } from '#treasury/treasury-position.ts';
import {
  type Command,
  type CommandResult,
  chooseEnvironment,
  onePositional,
  SAID_OPTIONS,
  SAID_USAGE,
  saidOf,
  textOption,
  type Values,
  wholeOption,
  whoOf,
} from './command.ts';
import { marketDraftLine, marketDraftView } from './market-draft-view.ts';
import { assetOf, providerName, someUnits } from './treasury-words.ts';

export const treasuryPositionCommand: Command = {
  name: 'treasury position',
  summary: 'what conversions left open, in assets and dollars, and what closes it',
  usage: '[--environment live|test]',
  options: { environment: { type: 'string' } },
  async run(context, { values }) {
    const environment = chosenEnvironment(values);
    const app = await context.openApp();
    const position = await treasuryPosition(app, environment, app.clock.now());
    return { text: positionText(position), json: position };
  },
};

export const treasuryOrder: Command = {
  name: 'treasury order',
  summary: 'order to sell what conversions left open, for what was promised for it',
  usage:
    'AMOUNT ASSET --for ASSET --provider NAME [--closes AMOUNT] [--by-hand] [--environment live|test] ' +
    SAID_USAGE,
  options: {
    ...SAID_OPTIONS,
    ...{ for: { type: 'string' }, provider: { type: 'string' }, closes: { type: 'string' } },
    ...{ environment: { type: 'string' }, 'by-hand': { type: 'boolean' } },
  },
  async run(context, { positionals, values }) {
    const [amount, asset, ...more] = positionals;
    if (amount === undefined || asset === undefined || more.length > 0) {
      throw new Refusal('invalid', 'usage', ['say how much of which asset is sold']);
    }
    const giveAssetId = assetOf(asset);
    const getAssetId = assetOf(textOption(values, 'for') ?? '', '--for');
    const closes = textOption(values, 'closes');
    const request = {
      ...saidOf(values),
      environment: chosenEnvironment(values),
      provider: providerName(textOption(values, 'provider')),
      giveAssetId,
      giveUnits: someUnits(amount, giveAssetId),
      getAssetId,
      closesUnits: closes === undefined ? undefined : someUnits(closes, getAssetId, '--closes'),
    };
    const { environment, actor, reason, provider } = request;
    const act = {
      ...{ environment, actor, verb: 'treasury-order' },
      subject: ({ id }: HedgeOrder) => `order:${id}`,
      details: { reason, provider, sells: `${amount} ${giveAssetId}`, for: getAssetId },
    };
    const app = await context.openApp();
    await requireTwo(app, {
      ...{ environment, actor, subject: `order:${giveAssetId}:${getAssetId}`, words: [provider] },
      about: `sells ${amount} ${giveAssetId} for ${getAssetId} at ${provider}`,
      amount: { assetId: giveAssetId, units: request.giveUnits },
    });
    const isByHand = chooseByHand(app, values, request);
    const order = { ...request, isByHand };
    return orderResult(await doNoted(app, act, (within) => orderHedge(within, order)));
  },
};

export const treasuryPlace: Command = {
  name: 'treasury place',
  summary: 'give an order that a policy reserved to its provider, or to another one',
  usage: 'ORDER [--provider NAME] [--by-hand] [--by NAME]',
  options: {
    ...{ provider: { type: 'string' }, by: { type: 'string' } },
    'by-hand': { type: 'boolean' },
  },
  async run(context, { positionals, values }) {
    const id = onePositional(positionals, 'the order');
    const name = textOption(values, 'provider');
    const provider = name === undefined ? undefined : providerName(name);
    const app = await context.openApp();
    const actor = whoOf(values);
    const order = await findOrder(app.db, id);
    if (order === undefined) throw orderMissing(id);
    const at = provider ?? order.provider;
    if (order.state === 'RESERVED') {
      const { sells, sellsAsset, closesAsset } = hedgeOrderView(order);
      await requireTwo(app, {
        ...{ environment: order.environment, actor, subject: `order:${id}`, words: [at] },
        about: `sells ${sells} ${sellsAsset} for ${closesAsset} at ${at}`,
        amount: { assetId: order.giveAssetId, units: order.giveUnits },
      });
    }
    const act = { actor, verb: 'treasury-place', subject: `order:${id}`, details: { provider } };
    const isByHand = chooseByHand(app, values, { environment: order.environment, provider: at });
    return orderResult(
      await doNoted(app, act, (within) => placeOrder(within, id, { provider, actor, isByHand })),
    );
  },
};

/** Live orders go to the trader where it has an account at the provider. */
function chooseByHand(
  { config }: Pick<App, 'config'>,
  values: Values,
  { environment, provider }: Pick<HedgeOrder, 'environment' | 'provider'>,
): boolean {
  const isTraded = config.trader?.providers.includes(provider) === true && environment === 'live';
  return values['by-hand'] === true || !isTraded;
}

export const treasuryFill: Command = {
  name: 'treasury fill',
  summary: 'enter a part of an order that the provider carried out; the same one counts once',
  usage: 'ORDER FILL --sold AMOUNT --got AMOUNT [--fee AMOUNT [--fee-asset ASSET]] [--by NAME]',
  options: {
    ...{ sold: { type: 'string' }, got: { type: 'string' }, by: { type: 'string' } },
    ...{ fee: { type: 'string' }, 'fee-asset': { type: 'string' } },
  },
  async run(context, { positionals, values }) {
    const name = fillName(positionals);
    const app = await context.openApp();
    const known = await findOrder(app.db, name.orderId);
    if (known === undefined) throw orderMissing(name.orderId);
    const fee = textOption(values, 'fee');
    const feeAssetId = assetOf(textOption(values, 'fee-asset') ?? known.getAssetId, '--fee-asset');
    const actor = whoOf(values);
    const request = {
      ...{ ...name, actor },
      soldUnits: someUnits(textOption(values, 'sold') ?? '', known.giveAssetId, '--sold'),
      gotUnits: someUnits(textOption(values, 'got') ?? '', known.getAssetId, '--got'),
      feeAssetId: fee === undefined ? undefined : feeAssetId,
      feeUnits: fee === undefined ? undefined : someUnits(fee, feeAssetId, '--fee'),
    };
    const act = {
      ...{ actor, verb: 'treasury-fill', subject: `order:${name.orderId}` },
      environment: known.environment,
      details: {
        ...{ fill: name.fillId, fee, feeAsset: fee && feeAssetId },
        ...{ sold: textOption(values, 'sold'), got: textOption(values, 'got') },
      },
    };
    const { order, fill } = await doNoted(app, act, (within) => noteFill(within, request));
    const { text, json } = orderResult(order);
    return { text, json: { ...json, fill: hedgeFillView(order, fill) } };
  },
};

export const treasuryUnfill: Command = {
  name: 'treasury unfill',
  summary: 'take back a part that was entered wrongly: what it closed is open again',
  usage: `ORDER FILL ${SAID_USAGE}`,
  options: SAID_OPTIONS,
  async run(context, { positionals, values }) {
    const name = fillName(positionals);
    const said = saidOf(values);
    const { actor, reason } = said;
    const subject = `order:${name.orderId}`;
    const act = { actor, verb: 'treasury-unfill', subject, details: { reason, fill: name.fillId } };
    const app = await context.openApp();
    return orderResult(await doNoted(app, act, (within) => undoFill(within, name, said)));
  },
};

export const treasuryCancel: Command = {
  name: 'treasury cancel',
  summary: 'give up what is not filled of an order; tell the provider first',
  usage:
    `ORDER ${SAID_USAGE} [--looked]\n  --looked   the trader sent it and cannot say what became of ` +
    'it: you looked at the\n             exchange, it is over there, and its parts are entered',
  options: { ...SAID_OPTIONS, looked: { type: 'boolean' } },
  async run(context, { positionals, values }) {
    const id = onePositional(positionals, 'the order');
    const said = saidOf(values);
    const { actor, reason } = said;
    const isLooked = values.looked === true;
    const details = { reason, ...(isLooked ? { looked: 'yes' } : {}) };
    const act = { actor, verb: 'treasury-cancel', subject: `order:${id}`, details };
    const app = await context.openApp();
    const given = { ...said, isLooked };
    return orderResult(await doNoted(app, act, (within) => cancelOrder(within, id, given)));
  },
};

export const treasuryList: Command = {
  name: 'treasury list',
  summary: 'orders of the house that are under way',
  usage: '[--all] [--limit 1-1000] [--environment live|test]',
  options: {
    ...{ all: { type: 'boolean' }, limit: { type: 'string' } },
    environment: { type: 'string' },
  },
  async run(context, { values }) {
    const most = wholeOption(values, 'limit', { initial: 100, least: 1, most: 1_000 });
    const environment = chosenEnvironment(values);
    const { db } = await context.openApp();
    const found = await listOrders(db, environment, {
      isOpen: values.all !== true,
      most: most + 1,
    });
    const lines = found.slice(0, most).map(orderLine);
    if (found.length > most) lines.push('and more: --limit shows up to 1000');
    if (found.length === 0) lines.push('No order is under way.');
    return {
      text: lines.join('\n'),
      json: { orders: found.slice(0, most).map(hedgeOrderView) },
    };
  },
};

export const treasuryShow: Command = {
  name: 'treasury show',
  summary: 'one order of the house and its parts',
  usage: 'ORDER',
  options: {},
  async run(context, { positionals }) {
    const id = onePositional(positionals, 'the order');
    const { db } = await context.openApp();
    const order = await findOrder(db, id);
    if (order === undefined) throw orderMissing(id);
    const fills = (await listFills(db, id)).map((fill) => hedgeFillView(order, fill));
    const trade = await findTrade(db, id);
    const draft = await findNewestDraft(db, id);
    const lines = fills.map(
      ({ id: name, sold, got, closed, fee, feeAsset, undoneAt }) =>
        `    ${name}  sold ${sold}, got ${got}, closed ${closed}` +
        `${fee === null ? '' : `, fee ${fee} ${feeAsset}`}${undoneAt === null ? '' : '  TAKEN BACK'}`,
    );
    return {
      text: [
        orderLine(order),
        ...(trade ? [tradeLine(trade)] : []),
        ...(draft ? [marketDraftLine(order, draft)] : []),
        ...lines,
      ].join('\n'),
      json: {
        ...{ order: hedgeOrderView(order), trade: trade ? tradeView(trade) : null, fills },
        draft: draft ? marketDraftView(order, draft) : null,
      },
    };
  },
};

function tradeLine({ state, limitPrice, told }: HedgeTrade): string {
  const limit = limitPrice === undefined ? '' : ` with a limit of ${limitPrice}`;
  return `    at the trader: ${state}${limit}${told === undefined ? '' : `; ${told}`}`;
}

function tradeView({ state, limitPrice, sentAt, askedAt, told }: HedgeTrade) {
  return {
    ...{ state, limit: limitPrice ?? null, told: told ?? null },
    ...{ sentAt: sentAt?.toString() ?? null, askedAt: askedAt?.toString() ?? null },
  };
}

/** Money of the house. @throws Refusal conflict `second_person` */
export function requireTwo(
  app: App,
  act: Omit<Parameters<typeof requireSecondPerson>[1], 'merchantId'>,
): Promise<void> {
  return requireSecondPerson(app, { ...act, merchantId: undefined });
}

/** `--environment`; live unless it is said. */
export function chosenEnvironment(values: Values): Environment {
  return values.environment === undefined ? 'live' : chooseEnvironment(values);
}

function fillName(positionals: readonly string[]) {
  const [orderId, fillId, ...more] = positionals;
  if (orderId === undefined || fillId === undefined || more.length > 0) {
    throw new Refusal('invalid', 'usage', ['say which order, and how the provider calls the part']);
  }
  if (/^[A-Za-z0-9._-]{1,64}$/.test(fillId)) return { orderId, fillId };
  throw new Refusal('invalid', 'usage', [
    `${fillId}: at most 64 letters, digits, dots, dashes and underlines name a part`,
  ]);
}

function orderMissing(id: string): Refusal {
  return new Refusal('missing', 'order_missing', [
    `${id}: no such order of npx quittance treasury list`,
  ]);
}

function orderLine(order: HedgeOrder): string {
  const view = hedgeOrderView(order);
  const { id, state, provider, sells, sellsAsset, closes, closesAsset, sold, closed } = view;
  return (
    `${id}  ${state}  at ${provider}${view.clientOrderId === null ? '' : ` as ${view.clientOrderId}`}` +
    `  sells ${sells} ${sellsAsset}, closes ${closes} ${closesAsset}` +
    `${view.atExchange ? ', at the exchange' : ''}\n` +
    `    sold ${sold}, closed ${closed}; by ${view.by}: ${view.reason}`
  );
}

function orderResult(order: HedgeOrder): CommandResult {
  const lines = [orderLine(order)];
  if (order.state === 'CANCELLED' && order.isAtExchange) {
    lines.push(
      'Its part of the position stays counted until the exchange has said what it filled:',
      `npx quittance treasury show ${order.id}`,
    );
  } else if (order.state === 'ORDERED' && !order.isByHand) {
    lines.push(`The trader sends it to ${order.provider}: npx quittance treasury show ${order.id}`);
  } else if (order.state === 'ORDERED' && networkOfMarket(order.provider) !== undefined) {
    lines.push(
      `Let it be signed, by the signer or your wallet: npx quittance treasury draft ${order.id}`,
    );
  } else if (order.state === 'ORDERED' && order.filledUnits === 0n) {
    lines.push(
      `Enter it at ${order.provider} under the client order id ${order.clientOrderId}, then say`,
      `what was filled: npx quittance treasury fill ${order.id} FILL --sold AMOUNT --got AMOUNT`,
    );
  }
  return { text: lines.join('\n'), json: { order: hedgeOrderView(order) } };
}

function positionText(position: Awaited<ReturnType<typeof treasuryPosition>>): string {
  const { environment, open, lockedByWindows, orders, moves, accounts } = position;
  const sideText = (side: string) => (side === 'taken' ? 'taken   ' : 'promised');
  const lines = [`Open with ${environment} keys:`];
  for (const { side, asset, amount, withoutOrder } of open) {
    lines.push(`  ${sideText(side)}  ${amount} ${asset}, ${withoutOrder} of it without an order`);
  }
  for (const { side, asset, amount } of lockedByWindows) {
    lines.push(`  ${sideText(side)}  ${amount} ${asset} in windows that are not paid yet`);
  }
  if (open.length + lockedByWindows.length === 0) lines.push('  nothing');
  if (environment === 'live') {
    const worth = position.openUsd ?? 'unknown (a current rate is missing)';
    lines.push(`In dollars: ${worth}, limit ${position.limitUsd ?? 'off'}`);
  }
  for (const code of position.pausedCodes) {
    lines.push(`Not converted now: the price of ${code} moves too fast`);
  }
  for (const { id, state, provider, sells, sellsAsset, sold } of orders) {
    lines.push(`Order ${id}  ${state}  at ${provider}  sold ${sold} of ${sells} ${sellsAsset}`);
  }
  for (const { id, direction, provider, amount, asset, reference } of moves) {
    const way = direction === 'TO' ? `to ${provider}` : `from ${provider}`;
    lines.push(`On its way ${way}  ${amount} ${asset}  ${reference}  (${id})`);
  }
  lines.push(...position.holdings.map(holdingLine));
  for (const { asset, free, hot, cold, owed, forOrders, lockedByWindows } of position.liquidity) {
    lines.push(
      `Promised only while held: ${asset}  free ${free} (hot ${hot}, cold ${cold}; ` +
        `owed ${owed}, for orders ${forOrders}, in windows ${lockedByWindows})`,
    );
  }
  for (const { account, asset, amount } of accounts) lines.push(`${account}  ${amount} ${asset}`);
  return lines.join('\n');
}

type Holding = Awaited<ReturnType<typeof treasuryPosition>>['holdings'][number];

function holdingLine({ network, asset, hot, cold, target, move }: Holding): string {
  const words = [`${network} ${asset}`, `hot ${hot}`, `cold ${cold}`];
  if (target !== null) words.push(`target ${target.target} (${target.least} to ${target.most})`);
  if (move !== null) words.push(`move ${move.amount} to ${move.to}`);
  if (move !== null && move.missing !== '0') words.push(`${move.missing} more is missing`);
  return words.join('  ');
}
