// The postings of what the house does with providers of conversions. Debit positive, credit
// negative (docs/money.md). Pure; every function returns a balanced entry.
import type { Entry, EntryPosting } from '#ledger/ledger-entry.ts';
import { type HedgeFill, type HedgeOrder, networkOfMarket } from './hedge-order.ts';
import type { ProviderMove } from './provider-move.ts';
import type { ProviderTrade } from './provider-trade.ts';

function fillCause({ orderId, fillId }: Pick<HedgeFill, 'orderId' | 'fillId'>): string {
  return `hedge:${orderId}:${fillId}`;
}

/**
 * A part of an order was carried out: the position is closed by what was sold and by its share of
 * the promise, and what the provider paid beyond that share is the result of the house.
 */
export function fillEntry(order: HedgeOrder, fill: HedgeFill, occurredAt: Temporal.Instant): Entry {
  const { provider, giveAssetId, getAssetId } = order;
  const { soldUnits, gotUnits, closedUnits, feeAssetId = getAssetId, feeUnits = 0n } = fill;
  const held = { code: `custody:${networkOfMarket(provider) ?? provider}` } as const;
  const exchange = { code: 'exchange' } as const;
  return {
    causeKey: fillCause(fill),
    kind: 'hedge-fill',
    environment: order.environment,
    subjectId: order.id,
    evidence: JSON.stringify({ by: fill.actor, provider, clientOrderId: order.clientOrderId }),
    occurredAt,
    postings: withoutNothing([
      { account: exchange, assetId: giveAssetId, units: soldUnits },
      { account: held, assetId: giveAssetId, units: -soldUnits },
      { account: held, assetId: getAssetId, units: gotUnits },
      { account: exchange, assetId: getAssetId, units: -closedUnits },
      {
        account: { code: 'conversion-result' },
        assetId: getAssetId,
        units: closedUnits - gotUnits,
      },
      { account: { code: 'provider-fees' }, assetId: feeAssetId, units: feeUnits },
      { account: held, assetId: feeAssetId, units: -feeUnits },
    ]),
  };
}

/** Money left for a provider, or left it. */
export function sentEntry(move: ProviderMove): Entry {
  return moveEntry(move, 'sent', move.sentAt, [
    { account: { code: `transit:${move.provider}` }, assetId: move.assetId, units: move.units },
    { account: sourceOf(move), assetId: move.assetId, units: -move.units },
  ]);
}

/** It arrived, less what was taken on the way. */
export function arrivedEntry(
  move: ProviderMove,
  arrivedUnits: bigint,
  occurredAt: Temporal.Instant,
): Entry {
  const { assetId, units, provider } = move;
  return moveEntry(move, 'arrived', occurredAt, [
    { account: targetOf(move), assetId, units: arrivedUnits },
    { account: { code: 'provider-fees' }, assetId, units: units - arrivedUnits },
    { account: { code: `transit:${provider}` }, assetId, units: -units },
  ]);
}

function sourceOf(move: ProviderMove): EntryPosting['account'] {
  return move.direction === 'TO' ? outsideOf(move) : providerOf(move);
}

function targetOf(move: ProviderMove): EntryPosting['account'] {
  return move.direction === 'TO' ? providerOf(move) : outsideOf(move);
}

function outsideOf({ network }: ProviderMove): EntryPosting['account'] {
  return { code: `outside:${network}` };
}

function providerOf({ provider }: ProviderMove): EntryPosting['account'] {
  return { code: `custody:${provider}` };
}

function moveEntry(
  move: ProviderMove,
  what: 'sent' | 'arrived',
  occurredAt: Temporal.Instant,
  postings: readonly EntryPosting[],
): Entry {
  const { id, environment, actor: by, reason, reference } = move;
  return {
    causeKey: `move:${id}:${what}`,
    kind: `provider-move-${what}`,
    environment,
    subjectId: id,
    evidence: JSON.stringify({ by, reason, reference }),
    occurredAt,
    postings: withoutNothing(postings),
  };
}

/** As what is exchanged on a network without an order (`custody explain --as converted`). */
export function tradeEntry(trade: ProviderTrade): Entry {
  const { provider, soldAssetId, soldUnits, gotAssetId, gotUnits, feeAssetId, feeUnits } = trade;
  const held = { code: `custody:${provider}` } as const;
  const result = { code: 'conversion-result' } as const;
  const fees =
    feeAssetId === undefined || feeUnits === undefined
      ? []
      : [
          { account: { code: 'provider-fees' } as const, assetId: feeAssetId, units: feeUnits },
          { account: held, assetId: feeAssetId, units: -feeUnits },
        ];
  const { id, symbol, tradeId, actor: by, reason } = trade;
  return {
    causeKey: `trade:${id}`,
    kind: 'provider-trade',
    environment: trade.environment,
    subjectId: id,
    evidence: JSON.stringify({ by, reason, provider, symbol, tradeId }),
    occurredAt: trade.tradedAt,
    postings: withoutNothing([
      { account: result, assetId: soldAssetId, units: soldUnits },
      { account: held, assetId: soldAssetId, units: -soldUnits },
      { account: held, assetId: gotAssetId, units: gotUnits },
      { account: result, assetId: gotAssetId, units: -gotUnits },
      ...fees,
    ]),
  };
}

function withoutNothing(postings: readonly EntryPosting[]): EntryPosting[] {
  return postings.filter(({ units }) => units !== 0n);
}
