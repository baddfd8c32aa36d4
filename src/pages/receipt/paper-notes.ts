import type { CheckoutRecord } from '#checkout/checkout.ts';
import type { Texts } from '#pages/languages/texts.ts';

/** What was out of the ordinary with the payment: the same sentences as on its page. */
export function paperNotes({ flags }: Pick<CheckoutRecord, 'flags'>, texts: Texts): string[] {
  const notes = [
    flags.overpaid && texts.notice.over(`${flags.overpaid.amount} ${flags.overpaid.assetCode}`),
    flags.late && texts.notice.late,
    flags.multiple && texts.notice.multiple,
    flags.acceptedUnderpaid && texts.notice.acceptedUnderpaid,
    flags.reversed && texts.trouble.reversed,
  ];
  return notes.filter((note) => note !== undefined);
}
