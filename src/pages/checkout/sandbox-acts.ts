// What a real wallet, a miner and bad luck could do to a checkout in test mode: which of it makes
// sense now, and how it is done. The page of the checkout and the dashboard offer the same.

import { getAsset, shownAsset } from '#catalog/asset.ts';
import { getNetwork } from '#catalog/network.ts';
import type { CheckoutRecord, Commitment } from '#checkout/checkout.ts';
import { isStanding, isWrongAsset } from '#checkout-settlement/payment-progress.ts';
import type { SandboxPort } from '#checkout-settlement/sandbox-port.ts';
import { amountToText } from '#money/asset-amount.ts';
import { divideUnits } from '#money/rate.ts';
import { type Html, html } from '#pages/html.ts';
import type { Texts } from '#pages/languages/en.ts';
import { type PageQuery, shownCommitment } from './decide-page.ts';

const ACTS = {
  exact: 'payExact',
  rest: 'payRest',
  under: 'payUnder',
  over: 'payOver',
  parts: 'payParts',
  late: 'payLate',
  other: 'payOtherAsset',
  mine: 'mine',
  replace: 'replace',
  reorg: 'reorg',
  expire: 'expire',
} as const satisfies Record<string, keyof Texts['sandbox']>;
type SandboxAct = keyof typeof ACTS;

const isAct = (text: string): text is SandboxAct => Object.hasOwn(ACTS, text);

export function findSandboxAct(text: string | null): SandboxAct | undefined {
  return text !== null && isAct(text) ? text : undefined;
}

/**
 * What makes sense now. Pay: while something may be paid, late once the time is over; the rest of a
 * part; another asset where the network carries several. Mine, replace, undo: what was paid.
 */
export function listSandboxActs(
  record: CheckoutRecord,
  shown: Commitment | undefined,
  isOpen: boolean,
): SandboxAct[] {
  const standing = record.receipts.filter(isStanding);
  const isOver = record.state === 'COMPLETED';
  const hasPart = standing.some((receipt) => !isWrongAsset(record, receipt)) && !isOver;
  const wasAsked = record.commitments.length > 0;
  const makesSense: Readonly<Record<SandboxAct, boolean>> = {
    exact: isOpen && !hasPart,
    rest: isOpen && hasPart,
    under: isOpen && !hasPart,
    over: isOpen && !hasPart,
    parts: isOpen && !hasPart,
    late: wasAsked && !hasPart && !isOver,
    other: isOpen && otherAsset(shown) !== undefined,
    mine: wasAsked,
    replace: standing.some(({ status }) => status === 'SEEN'),
    reorg: standing.some(({ status }) => status !== 'SEEN'),
    expire: isOpen && !hasPart,
  };
  return Object.keys(ACTS)
    .filter(isAct)
    .filter((act) => makesSense[act]);
}

/** One for each, in a form. */
export function sandboxButtons(acts: readonly SandboxAct[], { sandbox }: Texts): readonly Html[] {
  return acts.map(
    (act) =>
      html`<button name="act" value="${act}" id="sandbox-${act}">${sandbox[ACTS[act]]}</button>`,
  );
}

function otherAsset(shown: Commitment | undefined): string | undefined {
  // An anchor takes one asset only.
  if (shown === undefined || getAsset(shown.assetId).bridge) return undefined;
  return getNetwork(shown.network).assets.find((assetId) => assetId !== shown.assetId);
}

/** A reorganisation deep enough to undo what was just mined, and shallow enough to be believed. */
const REORG_DEPTH = 2;

export async function runSandboxAct(
  sandbox: SandboxPort,
  record: CheckoutRecord,
  query: Pick<PageQuery, 'network' | 'asset'>,
  act: SandboxAct,
): Promise<void> {
  const { id: checkoutId } = record;
  const shown = shownCommitment(record, query);
  const network = shown?.network ?? record.offers[0]?.network;
  switch (act) {
    case 'mine':
      await sandbox.mine(record, { network: shown?.network, blocks: 1, purposeId: checkoutId });
      return;
    case 'replace':
      await sandbox.replace(record, { checkoutId });
      return;
    case 'reorg':
      if (network !== undefined) {
        await sandbox.reorg(record, { network, depth: REORG_DEPTH, purposeId: checkoutId });
      }
      return;
    case 'expire':
      await sandbox.expire(record, { checkoutId });
      return;
    default:
      if (act === 'late') await sandbox.expire(record, { checkoutId });
      await sandbox.pay(record, {
        checkoutId,
        network: shown?.network,
        asset: shown?.assetId,
        amount: amountOf(act, record, shown),
        parts: act === 'parts' ? 2 : 1,
        inAsset: act === 'other' ? otherAsset(shown) : undefined,
      });
  }
}

/** Undefined: what is still required. */
function amountOf(
  act: SandboxAct,
  record: CheckoutRecord,
  shown: Commitment | undefined,
): string | undefined {
  if (act === 'other') return '1';
  const target = shown ?? record.offers[0];
  if (target === undefined || (act !== 'under' && act !== 'over')) return undefined;
  const units =
    act === 'under'
      ? divideUnits(target.arrivingUnits, 2n, 'up')
      : divideUnits(target.arrivingUnits * 5n, 4n, 'up');
  return amountToText(units, shownAsset(target.network, target.assetId).decimals);
}
