import type { CheckoutRecord } from '#checkout/checkout.ts';
import { amountIn } from '#pages/asset-text.ts';
import type { PageLanguage } from '#pages/languages/texts.ts';

/** What was out of the ordinary with the payment: the same sentences as on its page. */
export function paperNotes(
  { flags }: Pick<CheckoutRecord, 'flags'>,
  language: PageLanguage,
): string[] {
  const { texts } = language;
  const notes = [
    flags.overpaid &&
      texts.notice.over(amountIn(flags.overpaid.amount, flags.overpaid.assetCode, language)),
    flags.late && texts.notice.late,
    flags.multiple && texts.notice.multiple,
    flags.acceptedUnderpaid && texts.notice.acceptedUnderpaid,
    flags.reversed && texts.trouble.reversed,
  ];
  return notes.filter((note) => note !== undefined);
}
