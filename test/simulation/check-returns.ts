// What came back after it had arrived is credited once, to where its transfer took it from, and as
// much as came.
import { type Reader, sql } from '#db/db.ts';
import type { Story } from './story.ts';

type Row = {
  readonly id: string;
  readonly state: string;
  readonly returned: bigint | null;
  /** By the entries of money that the network says brings it back. */
  readonly credited: bigint;
  readonly times: number;
  /** Whether what brought it back waits to be given to somebody. */
  readonly isOpen: boolean;
};

export function listReturned(reader: Reader, { shop }: Story): Promise<Row[]> {
  return reader.query<Row>(sql`
    select t.id, t.state, t.returned_units as returned,
      count(distinct sa.suspense_id)::int as times, bool_or(s.state = 'OPEN') as "isOpen",
      coalesce(-sum(p.units) filter (where a.merchant_id is not null), 0) as credited
    from transfer t join suspense_act sa on sa.transfer_id = t.id and sa.kind = 'CAME_BACK'
    join suspense s on s.id = sa.suspense_id
    join ledger_entry e on e.subject_id = 'suspense:' || sa.suspense_id
      and e.cause_key like 'suspense:%'
    join ledger_posting p on p.entry_id = e.id join ledger_account a on a.id = p.account_id
    where t.merchant_id = ${shop.merchantId} group by t.id`);
}

export function checkReturned(rows: readonly Row[]): string[] {
  return rows.flatMap(({ id, state, returned, credited, times, isOpen }) => {
    if (isOpen) return [`T10: transfer ${id} came back, and what brought it waits for an owner`];
    if (state === 'RETURNED' && times === 1 && credited === returned) return [];
    return [
      `T10: transfer ${id} (${state}) came back ${times} times; ${credited} were credited of ` +
        `${returned ?? 'nothing'}`,
    ];
  });
}
