// What the record of a checkout itself says happened: that it was made, how it was to be paid, what
// was paid and credited by which prices, its states, and what went back.

import { getAsset } from '#catalog/asset.ts';
import { networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import type { Receipt } from '#chain/receipt.ts';
import type { CheckoutRecord, CheckoutState } from '#checkout/checkout.ts';
import { type Credit, creditKey } from '#checkout/credit.ts';
import { listCreditRates } from '#checkout/find-checkout.ts';
import { paymentWorths, pricesOf } from '#checkout-settlement/payment-progress.ts';
import type { Decimal } from '#money/decimal.ts';
import { assetText, coinPriceText, momentTime, moneyText } from '#pages/display.ts';
import { foreignText, type Html, html } from '#pages/html.ts';
import type { PageApp } from '#pages/page-app.ts';
import { listPriceSources } from '#rates/exchange-rate.ts';
import type { Refund } from '#refund/refund.ts';
import type { ShopVisit } from './guard.ts';
import { accountLines, type LineList, line, transactionLink } from './money-words.ts';

/** One thing that happened. */
export type TimelineEntry = {
  readonly at: Temporal.Instant;
  /** How it looks. */
  readonly kind:
    | 'made'
    | 'payment'
    | 'final'
    | 'lost'
    | 'credit'
    | 'state'
    | 'told'
    | 'person'
    | 'note';
  readonly title: Html | string;
  readonly text?: Html | string | undefined;
  readonly lines?: LineList;
  readonly acts?: Html | undefined;
};

export function madeEntry({ language }: ShopVisit, record: CheckoutRecord): TimelineEntry {
  const { checkouts, timeline } = language.texts;
  const { total, billingCurrency, origin, createdAt } = record;
  return {
    ...{ at: createdAt, kind: 'made' },
    title: `${checkouts.created}: ${moneyText(total, billingCurrency, language.code)}`,
    text: timeline.origins[origin],
  };
}

/** Each time that a way to pay was chosen, and each time that its window began anew. */
export function windowEntries(visit: ShopVisit, { commitments }: CheckoutRecord): TimelineEntry[] {
  const { texts, code } = visit.language;
  const { timeline } = texts;
  return commitments.flatMap((commitment) => {
    const { network, assetId, instruction, pastWindows, askedUnits } = commitment;
    return [...pastWindows, commitment].map((window, index): TimelineEntry => {
      const asked = 'askedUnits' in window ? askedUnits : window.arrivingUnits;
      return {
        ...{ at: window.committedAt, kind: 'made' },
        title: `${index === 0 ? timeline.chosen : timeline.again}: ${getNetwork(network).name}`,
        lines: [
          line(timeline.due, assetText(network, assetId, asked, visit.language)),
          line(texts.moneyActs.to, html`<code>${foreignText(instruction.address)}</code>`),
          line(timeline.until, momentTime(window.expiresAt, code)),
        ],
      };
    });
  });
}

/** What its network says of each payment. */
export function paymentEntries(
  app: PageApp,
  visit: ShopVisit,
  record: CheckoutRecord,
): TimelineEntry[] {
  return record.receipts.flatMap((receipt) => entriesOfReceipt(app, visit, receipt));
}

function entriesOfReceipt(app: PageApp, visit: ShopVisit, receipt: Receipt): TimelineEntry[] {
  const { timeline, checkouts } = visit.language.texts;
  const { chain, assetId, units, seenAt, heldAt, finalAt, goneAt, replacedBy, status } = receipt;
  const network = networkOf(chain);
  const amount = assetText(network, assetId, units, visit.language);
  const [title, link] = [(said: string) => `${said}: ${amount}`, transactionLink];
  const transaction = line(checkouts.transaction, link(app, visit, network, receipt.transaction));
  const waits = status === 'SEEN' || status === 'INCLUDED';
  return [
    {
      ...{ at: seenAt, kind: 'payment', title: title(timeline.seen) },
      text: html`${getNetwork(network).name}${waits && html`, ${depthText(visit, receipt)}`}`,
      lines: [transaction],
    },
    ...once(heldAt, { kind: 'payment', title: timeline.held }),
    ...once(finalAt, {
      ...{ kind: 'final', title: title(timeline.final), text: depthText(visit, receipt) },
    }),
    ...once(goneAt, {
      ...{ kind: 'lost', title: title(timeline.gone) },
      lines: [
        transaction,
        replacedBy !== undefined && line(timeline.replaced, link(app, visit, network, replacedBy)),
      ],
    }),
  ];
}

/** Nothing where it did not happen. */
function once(at: Temporal.Instant | undefined, entry: Omit<TimelineEntry, 'at'>): TimelineEntry[] {
  return at === undefined ? [] : [{ ...entry, at }];
}

function depthText({ language }: ShopVisit, receipt: Receipt): string | undefined {
  const { confirmations, confirmationsNeeded, status } = receipt;
  const { timeline, checkouts } = language.texts;
  if (confirmationsNeeded === undefined || confirmationsNeeded === 0) {
    return status === 'FINAL' ? undefined : checkouts.waiting;
  }
  const needed = BigInt(confirmationsNeeded);
  // They go on being counted; more than were asked for say nothing.
  const count = confirmations < needed ? confirmations : needed;
  return timeline.depth(`${count}`, `${needed}`);
}

/** What anchors say of payments that go through them. */
export function anchorEntries(
  app: PageApp,
  visit: ShopVisit,
  { anchorDeposits, commitments }: CheckoutRecord,
): TimelineEntry[] {
  const { timeline, checkouts } = visit.language.texts;
  return anchorDeposits.flatMap(({ domain, instructionId, ...deposit }) => {
    const network =
      commitments.find(({ instruction }) => instruction.id === instructionId)?.network ?? 'STELLAR';
    const told = (on: string, transaction: string | undefined, at = deposit.checkedAt) =>
      transaction === undefined
        ? []
        : once(at, {
            ...{ kind: 'payment', title: timeline.anchor, text: foreignText(domain) },
            lines: [line(checkouts.transaction, transactionLink(app, visit, on, transaction))],
          });
    return [
      ...told(network, deposit.externalTransaction, deposit.externalSeenAt),
      ...told('STELLAR', deposit.stellarTransaction, deposit.stellarSeenAt),
    ];
  });
}

type Evidence = {
  readonly record: CheckoutRecord;
  /** Of each receipt in the currency of the bill. */
  readonly worths: ReadonlyMap<bigint, Decimal>;
  readonly rates: Awaited<ReturnType<typeof listCreditRates>>;
  readonly prices: Awaited<ReturnType<typeof listPriceSources>>;
};

/** What was booked of each payment, by which prices, and what became of that. */
export async function creditEntries(
  app: PageApp,
  visit: ShopVisit,
  record: CheckoutRecord,
): Promise<TimelineEntry[]> {
  const rates = await listCreditRates(app.db, record);
  const ids = [...rates.values()].flatMap(({ ofWindow, ofThen }) => [...ofWindow, ...ofThen]);
  const prices = await listPriceSources(app.db, [...new Set(ids)]);
  const evidence = { record, rates, prices, worths: paymentWorths(record) };
  return record.credits.flatMap((credit) => entriesOfCredit(visit, evidence, credit));
}

function entriesOfCredit(visit: ShopVisit, evidence: Evidence, credit: Credit): TimelineEntry[] {
  const { timeline } = visit.language.texts;
  const { network, settlementAssetId, netUnits, reversedAt } = credit;
  const amount = assetText(network, settlementAssetId, netUnits, visit.language);
  const later = (
    at: Temporal.Instant | undefined,
    kind: 'credit' | 'lost',
    said: string,
  ): TimelineEntry[] => once(at, { kind, title: `${said}: ${amount}` });
  return [
    {
      ...{ at: credit.creditedAt, kind: 'credit' },
      title: `${timeline.credits[credit.account]}: ${amount}`,
      lines: creditLines(visit, evidence, credit),
    },
    ...later(credit.releasedAt, 'credit', timeline.released),
    ...later(reversedAt, 'lost', timeline.reversed),
    ...later(credit.owedAt, 'lost', timeline.owed),
    ...later(credit.returnedAt, 'credit', timeline.returned),
  ];
}

function creditLines(
  visit: ShopVisit,
  { record, worths, rates, prices }: Evidence,
  credit: Credit,
): LineList {
  const { texts, code } = visit.language;
  const { timeline, checkouts } = texts;
  const receipt = record.receipts.find(({ id }) => id === credit.receiptId);
  const { lockedUnits, currentUnits } = receipt ? pricesOf(record, receipt) : {};
  const { assetId, rateBasis, reversedAt, network, settlementAssetId, feeUnits } = credit;
  const { openedAt, ofWindow = [], ofThen = [] } = rates.get(creditKey(credit)) ?? {};
  const worth = reversedAt === undefined ? worths.get(credit.receiptId) : undefined;
  const rate = (units: bigint | undefined, at: Temporal.Instant | undefined, kept: boolean) =>
    units === undefined || getAsset(assetId).assetCode === record.billingCurrency
      ? []
      : [
          line(
            timeline.rate,
            `1\u00a0${getAsset(assetId).assetCode} = ${coinPriceText(record, { assetId, units }, { code })}`,
          ),
          at !== undefined &&
            line(
              timeline.priceAt,
              html`${momentTime(at, code)}, ${kept ? timeline.kept : timeline.moment}`,
            ),
        ];
  const [isLocked, isOfThen] = [rateBasis !== 'CURRENT', rateBasis !== 'LOCKED'];
  const used = [...(isLocked ? ofWindow : []), ...(isOfThen ? ofThen : [])];
  const sources = prices.filter(({ id }) => used.includes(id)).flatMap((price) => price.sources);
  const named = [...new Set(sources)].toSorted();
  return [
    ...(isLocked ? rate(lockedUnits, openedAt, true) : []),
    ...(isOfThen ? rate(currentUnits, credit.releasedAt ?? credit.creditedAt, false) : []),
    named.length > 0 &&
      line(
        timeline.sources,
        named.map((one) => (one === 'reference' ? timeline.reference : one)).join(', '),
      ),
    worth !== undefined && line(timeline.worth, moneyText(worth, record.billingCurrency, code)),
    line(checkouts.fee, assetText(network, settlementAssetId, feeUnits, visit.language)),
  ];
}

/** Changes to a state that `wanted` is true of. The first one is that it was made. */
export function stateEntries(
  { language }: ShopVisit,
  { stateHistory }: CheckoutRecord,
  wanted: (state: CheckoutState) => boolean,
): TimelineEntry[] {
  const { checkouts } = language.texts;
  const [, ...changes] = stateHistory;
  return changes
    .filter(({ state }) => wanted(state))
    .map(({ state, changedAt }) => ({
      ...{ at: changedAt, kind: 'state' },
      title: html`${checkouts.state}: <span data-checkout-state="${state}">${checkouts.states[state]}</span>`,
    }));
}

/** `by`: who ordered it, where that may be told. */
export function refundEntries(
  app: PageApp,
  visit: ShopVisit,
  refund: Refund,
  by: Html | string | undefined,
): TimelineEntry[] {
  const { timeline, moneyActs, checkouts } = visit.language.texts;
  const { id, network, assetId, units, createdAt, submittedAt, finishedAt, state } = refund;
  const amount = assetText(network, assetId, units, visit.language);
  const transaction =
    refund.transaction !== undefined &&
    line(checkouts.transaction, transactionLink(app, visit, network, refund.transaction));
  return [
    {
      ...{ at: createdAt, kind: 'person', title: `${timeline.asked}: ${amount}` },
      lines: [
        by !== undefined && line(timeline.by, by),
        line(checkouts.reference, html`<code>${id}</code>`),
        ...accountLines(visit, refund.account),
      ],
    },
    ...once(submittedAt, {
      ...{ kind: 'credit', title: `${timeline.sent}: ${amount}`, lines: [transaction] },
    }),
    ...once(finishedAt, {
      kind: 'credit',
      title: `${checkouts.refunds}: ${amount}, ${moneyActs.refund.states[state]}`,
      lines: [submittedAt === undefined && transaction],
      text:
        refund.failure === undefined
          ? undefined
          : html`<span lang="en">${foreignText(refund.failure)}</span>`,
    }),
  ];
}
