// Entries of the ledger as an act would post them, for tests that look at what was posted.
import type { Environment } from '#catalog/chain.ts';
import { type Reader, sql } from '#db/db.ts';
import type { AccountCode } from '#ledger/account.ts';
import type { Entry } from '#ledger/ledger-entry.ts';
import { listEntriesAfter, type PostedEntry } from '#ledger/post-entry.ts';

/** An entry as it stands in the ledger. */
type EntryOfSubject = Entry & { readonly id: bigint };

/**
 * Everything posted for one checkout, transfer ..., oldest first.
 */
export async function listEntriesOfSubject(
  reader: Reader,
  subjectId: string,
): Promise<EntryOfSubject[]> {
  const rows = await listEntriesAfter(reader, { after: 0n, upTo: 1n << 62n, limit: 100_000 });
  return rows.filter((row) => row.subjectId === subjectId).map(postedEntry);
}

function postedEntry(row: PostedEntry): EntryOfSubject {
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

/** Balance of an account of the house with test keys, debit positive. */
export async function houseUnits(
  reader: Reader,
  code: AccountCode,
  assetId: string,
  environment: Environment = 'test',
) {
  const [row] = await reader.query<{ units: bigint }>(sql`
    select balance_units as units from ledger_balance
    where environment = ${environment} and owner = '' and code = ${code} and asset_id = ${assetId}`);
  return row?.units ?? 0n;
}
