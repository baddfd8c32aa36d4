// What a person decided on money in suspense: all of it leaves suspense as it came, without a fee,
// to where the act says; what goes back leaves it with its transfer, and what the chain took back
// is undone.
import { type Reader, sql } from '#db/db.ts';
import type { Story } from './story.ts';
import { personOf } from './suspense-steps.ts';

type Row = {
  readonly id: bigint;
  readonly number: number;
  readonly isLast: boolean;
  readonly kind: 'ASSIGN' | 'RETURN' | 'WRITE_OFF';
  readonly state: string;
  readonly isPayment: boolean;
  readonly merchantId: string | null;
  readonly network: string;
  readonly assetId: string;
  readonly units: bigint;
  /** Account, whose it is, asset and units; debit positive. */
  readonly posted: string[];
  readonly undone: string[];
  readonly carried: string | null;
  readonly carriedUnits: bigint | null;
};

export function listDecidedSuspense(reader: Reader, story: Story): Promise<Row[]> {
  const postings = sql`
    select a.code || ' ' || coalesce(a.merchant_id, 'house') || ' ' || p.asset_id || ' ' || p.units
    from ledger_entry e join ledger_posting p on p.entry_id = e.id
    join ledger_account a on a.id = p.account_id`;
  return reader.query<Row>(sql`
    select s.id, sa.number, sa.number = s.act_count as "isLast", sa.kind, s.state,
      sa.is_payment as "isPayment", sa.merchant_id as "merchantId", s.network,
      s.asset_id as "assetId", s.units,
      array(${postings} where e.cause_key = 'suspense:' || s.id || ':' || sa.number
        order by 1) as posted,
      array(${postings} where e.cause_key = 'reorganisation/suspense:' || s.id || ':' || sa.number
        order by 1) as undone,
      t.state as carried, t.units as "carriedUnits"
    from suspense_act sa join suspense s on s.id = sa.suspense_id
    left join transfer t on t.id = sa.transfer_id where sa.actor = ${personOf(story)}`);
}

export function checkSuspense(rows: readonly Row[]): string[] {
  return rows.flatMap((row) => {
    const what = `L7: ${row.kind} ${row.number} of suspense ${row.id}, ${row.units} ${row.assetId}`;
    const broken: string[] = [];
    const due = linesOf(row, 1n);
    if (!isSame(row.posted, due)) {
      broken.push(`${what}, is booked as ${said(row.posted)}; it is ${said(due)}`);
    }
    // What was assigned as a payment is a payment of its checkout, and undone as one.
    const isUndone = row.isLast && row.state === 'GONE' && !row.isPayment;
    const back = isUndone ? linesOf(row, -1n) : [];
    if (!isSame(row.undone, back)) {
      broken.push(`${what}, is undone as ${said(row.undone)}; it is ${said(back)}`);
    }
    if (row.isLast && !statesAfter(row).includes(row.state)) {
      broken.push(`${what}, carried ${row.carried}, and it is ${row.state}`);
    }
    if (row.carriedUnits !== null && row.carriedUnits !== row.units) {
      broken.push(`${what}, goes back by a transfer of ${row.carriedUnits}`);
    }
    return broken;
  });
}

function linesOf(row: Row, sign: bigint): string[] {
  const { assetId, network, units, carried } = row;
  if (carried !== null) return [];
  const to = row.kind === 'ASSIGN' && !row.isPayment ? 'merchant:available' : undefined;
  const house = row.kind === 'WRITE_OFF' ? 'dust' : `custody:${network}`;
  const account = to === undefined ? `${house} house` : `${to} ${row.merchantId}`;
  return [
    `suspense:${network} house ${assetId} ${sign * units}`,
    `${account} ${assetId} ${-sign * units}`,
  ];
}

/** The chain may take back what was decided on, whatever was decided. */
function statesAfter({ kind, carried, isPayment }: Row): string[] {
  if (kind === 'ASSIGN') return isPayment ? ['ASSIGNED'] : ['ASSIGNED', 'GONE'];
  if (kind === 'WRITE_OFF') return ['WRITTEN_OFF', 'GONE'];
  // What came back after it had arrived is in suspense anew.
  if (carried === 'COMPLETED' || carried === 'RETURNED') return ['RETURNED', 'GONE'];
  return [carried === 'FAILED' ? 'OPEN' : 'RETURNING', 'GONE'];
}

function isSame(lines: readonly string[], due: readonly string[]): boolean {
  return lines.toSorted().join() === due.toSorted().join();
}

function said(lines: readonly string[]): string {
  return lines.length === 0 ? 'nothing' : lines.join(', ');
}
