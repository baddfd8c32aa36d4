// "I have paid, where is my money?": looks for a transaction among everything on record. Bounded:
// one look-up by index, no question to a node, and no more than a few in a minute for each checkout
// and each address.

import { unreachable } from '#base/assert.ts';
import type { Clock } from '#base/clock.ts';
import { getAsset } from '#catalog/asset.ts';
import { chainOf, environmentOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import { isChainBehind } from '#chain/chain-status.ts';
import { listReceiptsByTransaction } from '#chain/receipt.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import type { Db } from '#db/db.ts';
import { assetText } from '#pages/display.ts';
import { type Html, html } from '#pages/html.ts';
import type { PageLanguage } from '#pages/languages/texts.ts';
import { createTokenBuckets } from '#runtime/token-buckets.ts';
import { type CheckoutPage, samePath } from './checkout-page.ts';
import {
  decideFoundPayment,
  type FoundPayment,
  readTransactionText,
  TRANSACTION_TEXT_MAX,
} from './decide-found-payment.ts';
import { decideWords } from './decide-words.ts';

type FindPaymentApp = { readonly db: Db; readonly clock: Clock };

/** `text` as it was pasted, of any length. */
export async function findPayment(
  app: FindPaymentApp,
  record: CheckoutRecord,
  text: string,
): Promise<FoundPayment> {
  const read = readTransactionText(text);
  if (read === undefined) return { kind: 'unreadable' };
  const now = app.clock.now();
  const networks = [...new Set(record.commitments.map(({ network }) => network))];
  const [found, behind] = await Promise.all([
    listReceiptsByTransaction(app.db, read.transactions),
    Promise.all(
      networks.map((network) => isChainBehind(app.db, chainOf(record.environment, network), now)),
    ),
  ]);
  return decideFoundPayment({
    record,
    text: read,
    // A test checkout must not reveal live payments.
    receipts: found.filter(({ chain }) => environmentOf(chain) === record.environment),
    behind: new Set(networks.filter((_network, index) => behind[index])),
  });
}

type FindPaymentLimits = {
  /** @throws Refusal too-many `rate_limited`. */
  take(checkoutId: string, address: string | undefined): void;
};

const perCheckout = 10;
const perAddress = 30;

/** `address`: who asks, as far as that is known. */
export function findPaymentLimits(clock: Clock): FindPaymentLimits {
  const checkouts = createTokenBuckets(clock, perCheckout, 'for this checkout');
  const addresses = createTokenBuckets(clock, perAddress, 'from this address');
  return {
    take(checkoutId, address) {
      if (address !== undefined) addresses.take(address);
      checkouts.take(checkoutId);
    },
  };
}

// "I have paid, where is it?": a box for the transaction, and what we know of it.

/** `isOpen`: nothing else is to be done on the page. */
export function findPanel(page: CheckoutPage, isOpen: boolean): Html {
  const { texts } = page.language;
  const answer = findAnswer(page);
  const isShown = isOpen || answer !== undefined;
  return html`<details class="find no-print" id="find"${isShown && html` open`}>
<summary>${texts.find.title}</summary>
<form method="post" action="${samePath(page, '/find')}">
<p class="hint" id="find-hint">${texts.find.hint}</p>
<label class="label" for="transaction">${texts.find.label}</label>
<div class="ask"><input id="transaction" name="transaction" type="text" required
 maxlength="${TRANSACTION_TEXT_MAX}" autocomplete="off" autocapitalize="off" spellcheck="false"
 aria-describedby="find-hint${answer !== undefined && ' found'}" value="${page.asked ?? ''}">
<button class="copy" id="find-button">${texts.find.button}</button></div>
${answer}
</form></details>`;
}

/**
 * For pages that do not offer to look for a payment: shown only to answer whoever has just asked.
 */
export function answeredPanel(page: CheckoutPage): Html | undefined {
  return findAnswer(page) && findPanel(page, true);
}

/** The answer stands beside the field and has the focus. The text in the field stays. */
function findAnswer(page: CheckoutPage): Html | undefined {
  const { found, findFault } = page;
  const text = found === undefined ? findFault : foundText(page, found);
  if (text === undefined) return undefined;
  return html`<p class="notice" id="found" data-found="${found?.kind ?? 'refused'}" tabindex="-1"
 autofocus>${text}</p>`;
}

function foundText(page: CheckoutPage, found: FoundPayment): string {
  const { language } = page;
  const { find } = language.texts;
  switch (found.kind) {
    case 'unreadable':
      return find.unreadable;
    case 'seen':
      return found.stage === 'gone' ? find.gone : find[found.stage](amountOf(found, language));
    case 'wrong-amount': {
      const amount = amountOf(found, language);
      // Only a page that asks for the rest says how much it is.
      const isAsked = decideWords(page).due !== undefined;
      if (found.difference === 'less' && !isAsked) return find.lessAsk(amount);
      return find[found.difference](
        amount,
        assetText(found.network, found.assetId, found.differenceUnits, language),
      );
    }
    case 'wrong-asset':
      return find.wrongAsset(getAsset(found.assetId).name);
    case 'wrong-network':
      return found.network === undefined
        ? find.otherNetwork
        : find.wrongNetwork(getNetwork(found.network).name);
    case 'no-memo':
      return find.noMemo(getNetwork(found.network).name);
    case 'elsewhere':
      return find.elsewhere;
    case 'not-found':
      return found.behind.length === 0
        ? find.notFound
        : find.notFoundBehind(found.behind.map((network) => getNetwork(network).name).join(', '));
    default:
      return unreachable(found);
  }
}

function amountOf(
  found: { network: string; assetId: string; units: bigint },
  language: PageLanguage,
): string {
  return assetText(found.network, found.assetId, found.units, language);
}
