import { type Reader, sql } from '#db/db.ts';
import type { AccountCode } from './account.ts';
import type { Entry } from './ledger-entry.ts';
import { entriesFrom, type PostedRow } from './ledger-store.ts';

/** An entry as it stands in the ledger. */
export type PostedEntry = Entry & { readonly id: bigint };

/**
 * Everything posted for one checkout, transfer ..., oldest first: what a reversal reverses.
 */
export async function listEntriesOfSubject(
  reader: Reader,
  subjectId: string,
): Promise<PostedEntry[]> {
  const rows = await reader.query<PostedRow>(
    entriesFrom(sql`(select * from ledger_entry where subject_id = ${subjectId})`),
  );
  return rows.map(postedEntry);
}

function postedEntry(row: PostedRow): PostedEntry {
  return {
    id: row.id,
    causeKey: row.causeKey,
    kind: row.kind,
    environment: row.environment,
    merchantId: row.merchantId ?? undefined,
    subjectId: row.subjectId ?? undefined,
    correctsEntry: row.correctsEntry ?? undefined,
    evidence: row.evidence ?? undefined,
    occurredAt: row.occurredAt,
    postings: (row.units ?? []).map((units, index) => ({
      account: {
        merchantId: row.merchantIds?.[index] ?? undefined,
        code: row.codes?.[index] as AccountCode,
      },
      assetId: row.assetIds?.[index] ?? '',
      units,
    })),
  };
}
