// The ledger of a merchant for a tax adviser who has DATEV: one currency, within one fiscal year.
import { Refusal } from '#base/refusal.ts';
import { FIAT_ISSUER, getAsset } from '#catalog/asset.ts';
import type { Reader } from '#db/db.ts';
import type { DatevSettings } from './datev-settings.ts';
import { datevText } from './datev-text.ts';
import { readJournal } from './journal.ts';
import type { ReportRequest } from './report.ts';
import { isBankMoney } from './write-books.ts';

type DatevRequest = Omit<ReportRequest, 'cursor'> & {
  /** Of a bank: EUR:FIAT. */
  readonly assetId: string | undefined;
};

/**
 * Days are those of UTC, as in every report. Without a beginning or an end: those of the fiscal
 * year. @throws Refusal (invalid) of a period outside of the fiscal year, of money that is no
 * currency, or of more than `limit` entries.
 */
export async function writeDatev(
  reader: Reader,
  request: DatevRequest,
  settings: DatevSettings,
  now: Temporal.Instant,
): Promise<string> {
  const { assetId, limit } = request;
  if (assetId === undefined || !isBankMoney(assetId) || getAsset(assetId).decimals > 2) {
    throw new Refusal('invalid', 'asset_required', [
      `--asset: DATEV books money of banks with two digits after the point, such as EUR:${FIAT_ISSUER}`,
    ]);
  }
  const begins = instantOf(settings.fiscalYear);
  const ends = instantOf(settings.fiscalYear.add({ years: 1 }));
  const { from = begins, to = ends } = request;
  const isWithin =
    Temporal.Instant.compare(begins, from) <= 0 &&
    Temporal.Instant.compare(from, to) < 0 &&
    Temporal.Instant.compare(to, ends) <= 0;
  if (!isWithin) {
    throw new Refusal('invalid', 'validation_failed', [
      `--from and --to: a batch lies within one fiscal year, ${begins} to ${ends}`,
    ]);
  }
  const asked = { ...request, from, to, cursor: undefined };
  const { journal, nextCursor } = await readJournal(reader, asked, now);
  if (nextCursor !== null) {
    throw new Refusal('invalid', 'validation_failed', [
      `more than ${limit} entries: narrow the period`,
    ]);
  }
  return datevText({
    settings,
    assetId,
    from: dayOf(from),
    until: dayOf(to.subtract({ nanoseconds: 1 })),
    entries: journal.entries,
    writtenAt: now,
  });
}

function instantOf(day: Temporal.PlainDate): Temporal.Instant {
  return day.toZonedDateTime('UTC').toInstant();
}

function dayOf(instant: Temporal.Instant): Temporal.PlainDate {
  return instant.toZonedDateTimeISO('UTC').toPlainDate();
}
