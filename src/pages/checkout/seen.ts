// Money is under way: what we see of it, how far it is, and how long the rest usually takes.

import { type ChainId, chainOf, environmentOf, networkOf } from '#catalog/chain.ts';
import { getNetwork } from '#catalog/network.ts';
import { minutesRangeText } from '#pages/display.ts';
import { type Html, html } from '#pages/html.ts';
import type { CheckoutPage } from './checkout-page.ts';
import { decideWords } from './decide-words.ts';
import { openDue } from './due-panel.ts';
import { answeredPanel } from './find-payment.ts';
import { mailForm } from './mail-form.ts';
import { paymentList, requiredOf } from './payment-list.ts';
import { otherDevice, progressSteps, signalChoice } from './progress-steps.ts';
import { noticeList, sayer } from './say-words.ts';
import { shopLink } from './shop-links.ts';

export function seenPage(page: CheckoutPage): Html {
  const { texts } = page.language;
  const { due, hasEstimate } = decideWords(page);
  const say = sayer(page);
  return html`<section class="card" aria-labelledby="title">
<div class="mark wait" aria-hidden="true"></div>
<h1 id="title" tabindex="-1">${texts.seen.title}</h1>
${say('may-close')}
${noticeList(page)}
${progressSteps(page, hasEstimate ? estimate(page) : undefined)}
${paymentList(page)}
${say('less')}${say('rest-price-over', 'warning')}${say('short', 'warning')}
${due !== undefined && openDue(page, due, true)}
${answeredPanel(page)}
${mailForm(page)}
${signalChoice(page)}
${otherDevice(page)}
${shopLink(page)}
</section>`;
}

/**
 * Blocks come at random: the sum of a few of them is between half and twice the mean most of the
 * time.
 */
function estimate(page: CheckoutPage): string {
  const { texts, code } = page.language;
  const open = page.state.payments.filter(({ isFinal }) => !isFinal);
  // Nobody can say how long: it does not depend on blocks.
  if (open.some(({ isHeld }) => isHeld)) return texts.seen.heldHint;
  const waits = open.map((payment) => {
    const missing = Math.max(1, requiredOf(page, payment) - Number(payment.confirmations));
    const mean = meanMinutes(chainOf(page.record.environment, payment.network), missing);
    return { least: Math.ceil(mean / 2), most: Math.ceil(mean * 2) };
  });
  const least = Math.max(0, ...waits.map((wait) => wait.least));
  const most = Math.max(0, ...waits.map((wait) => wait.most));
  if (most <= 1) return texts.seen.timeSeconds;
  return texts.seen.timeMinutes(minutesRangeText(least, most, code));
}

// How long confirmations take on average: for people, never for a decision.

/** 0 on simulated networks: they make a block every few seconds, whatever the real ones do. */
export function meanMinutes(chain: ChainId, confirmations: number): number {
  if (environmentOf(chain) === 'test') return 0;
  const { minutesToFinal, targetBlockSeconds } = getNetwork(networkOf(chain));
  return minutesToFinal ?? (targetBlockSeconds * confirmations) / 60;
}
