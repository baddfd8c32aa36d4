// The postings of outgoing money. Debit positive, credit negative; docs/money.md has the chart of
// accounts. Pure; the cause keys make each act happen once (L7).

import { isMerchantCode } from '#ledger/account.ts';
import { causeAgain, type Entry, type EntryPosting } from '#ledger/ledger-entry.ts';
import type { Transfer } from './transfer.ts';

function entryOf(
  transfer: Transfer,
  act: 'reserve' | 'requote' | 'complete' | 'return',
  occurredAt: Temporal.Instant,
  postings: readonly EntryPosting[],
): Entry {
  const isEnd = act === 'complete' || act === 'return';
  return {
    causeKey: causeAgain(`transfer:${transfer.id}:${act}`, isEnd ? transfer.undoneCount : 0),
    kind: `${transfer.kind.toLowerCase()}-${act}`,
    environment: transfer.environment,
    merchantId: transfer.merchantId,
    subjectId: transfer.id,
    occurredAt,
    postings: postings.filter(({ units }) => units !== 0n),
  };
}

/** Before anything is sent: the merchant cannot spend it twice. */
export function reserveEntry(transfer: Transfer, occurredAt: Temporal.Instant): Entry {
  const { merchantId, assetId, units } = transfer;
  return entryOf(transfer, 'reserve', occurredAt, [
    { account: sourceOf(transfer), assetId, units },
    { account: { merchantId, code: 'merchant:reserved' }, assetId, units: -units },
  ]);
}

/** The payer claimed a refund: what is reserved follows what the network takes now. */
export function requoteEntry(transfer: Transfer, occurredAt: Temporal.Instant): Entry {
  const { merchantId, assetId, requotedUnits: units } = transfer;
  return entryOf(transfer, 'requote', occurredAt, [
    { account: sourceOf(transfer), assetId, units },
    { account: { merchantId, code: 'merchant:reserved' }, assetId, units: -units },
  ]);
}

function sourceOf({ merchantId, source }: Transfer): EntryPosting['account'] {
  return isMerchantCode(source) ? { merchantId, code: source } : { code: source };
}

/**
 * It has landed: what we hold is less by what was sent. Where it is known what the network took,
 * that went too, and what was reserved beyond it is the merchant's again; else the house keeps what
 * was reserved for the network, and pays the network. `feeBeyondUnits`: what the network took above
 * what was reserved, which the house pays.
 */
export function completeEntry(transfer: Transfer, occurredAt: Temporal.Instant): Entry {
  const { merchantId, assetId, units, targetUnits, networkFeeUnits, feeTakenUnits } = transfer;
  const { feeBeyondUnits } = transfer;
  const held = transfer.paidOutside ? 'outside' : 'custody';
  const goneUnits = targetUnits + (feeTakenUnits ?? 0n) + feeBeyondUnits;
  const back: EntryPosting =
    feeTakenUnits === undefined
      ? { account: { code: 'network-fees' }, assetId, units: -networkFeeUnits }
      : { account: returnedTo(transfer), assetId, units: feeTakenUnits - networkFeeUnits };
  return entryOf(transfer, 'complete', occurredAt, [
    { account: { merchantId, code: 'merchant:reserved' }, assetId, units },
    { account: { code: `${held}:${transfer.network}` }, assetId, units: -goneUnits },
    back,
    { account: { code: 'network-fees' }, assetId, units: feeBeyondUnits },
    { account: { code: 'fees' }, assetId, units: -transfer.feeUnits },
  ]);
}

/** What was taken from a checkout or from suspense is settled with what was sent. */
function returnedTo({ kind, merchantId }: Transfer): EntryPosting['account'] {
  return kind === 'RETURN' ? { code: 'dust' } : { merchantId, code: 'merchant:available' };
}

/** It can never land: everything goes back to where it was taken from, fees included. */
export function returnEntry(transfer: Transfer, occurredAt: Temporal.Instant): Entry {
  const { merchantId, assetId, units } = transfer;
  return entryOf(transfer, 'return', occurredAt, [
    { account: { merchantId, code: 'merchant:reserved' }, assetId, units },
    { account: sourceOf(transfer), assetId, units: -units },
  ]);
}
