// What a payer answered, and the amounts that follow from a tip.

import type { KeptAnswers } from '#ask/ask.ts';
import { sql, type Tx } from '#db/db.ts';
import { decimalToText } from '#money/decimal.ts';
import type { Checkout } from './checkout.ts';
import { type Offered, offeredText } from './offer.ts';

type Answered = {
  readonly answers: KeptAnswers;
  readonly isTermsAccepted: boolean;
  /** Only where the tip changed: the amounts that follow. */
  readonly priced?: (Offered & Pick<Checkout, 'total' | 'tip' | 'quotedUntil'>) | undefined;
};

/** Under its lock, before a way to pay was chosen. Terms stay accepted when they first were. */
export function writeAnswered(tx: Tx, id: string, answered: Answered, now: Temporal.Instant): void {
  const { answers, isTermsAccepted, priced } = answered;
  const accepted = isTermsAccepted ? sql`coalesce(terms_accepted_at, ${now})` : sql`null`;
  const amounts =
    priced === undefined
      ? sql``
      : sql`, total = ${decimalToText(priced.total)}::numeric,
          tip = ${decimalToText(priced.tip)}::numeric, offers = ${offeredText(priced)},
          quoted_until = ${priced.quotedUntil}`;
  tx.send(sql`
    update checkout set answers = ${JSON.stringify(answers)}, answered_at = ${now},
      terms_accepted_at = ${accepted}, changed_in = pg_current_xact_id()${amounts}
    where id = ${id}`);
}
