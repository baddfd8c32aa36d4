import type { CheckoutPage } from '#pages/checkout/checkout-page.ts';
import { decideWords } from '#pages/checkout/decide-words.ts';
import { noticeText } from '#pages/checkout/trouble.ts';

/** What was out of the ordinary with the payment: the same sentences as on its page. */
export function paperNotes(page: CheckoutPage): string[] {
  const { trouble } = page.language.texts;
  const isTakenBack = page.state.kind === 'trouble' && page.state.cause === 'taken-back';
  const notices = decideWords(page).notices.filter(({ kind }) => KEPT.includes(kind));
  const notes = notices.map((notice) => noticeText(notice, page.language));
  return isTakenBack ? [trouble.reversed, ...notes] : notes;
}

/** What is still true when the paper is looked at again; refunds have sections of their own. */
const KEPT: readonly string[] = ['over', 'late', 'multiple', 'accepted-underpaid', 'reversed'];
