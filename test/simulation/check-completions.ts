// S2, S4: a checkout is COMPLETED when what counts pays for it, or the merchant accepted less, and
// never otherwise. Computed from what the oracle says of each credit.
import { sql } from '#db/db.ts';
import { type Exact, exact, isLess, MILLION, plus } from './exact.ts';
import type { Counted } from './oracle.ts';
import type { Story } from './story.ts';

type Row = {
  readonly id: string;
  readonly state: string;
  readonly flags: string;
  readonly isDue: boolean;
  readonly isAccepted: boolean;
  readonly tolerance: number;
  readonly wasUnderpaid: boolean;
};

/** After every step. */
export async function checkCompletions(story: Story): Promise<string[]> {
  const { world, shop, oracle } = story;
  const rows = await world.db.query<Row & { readonly upTo: bigint }>(sql`
    select id, state, flags, coalesce(settle_at <= ${world.clock.now()}, false) as "isDue",
      accepted_underpaid_at is not null as "isAccepted",
      underpaid_tolerance_parts_per_million as tolerance,
      exists (select 1 from checkout_state_change h where h.checkout_id = checkout.id
        and h.state = 'UNDERPAID' and h.changed_at <= accepted_underpaid_at) as "wasUnderpaid",
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint as "upTo"
    from checkout where merchant_id = ${shop.merchantId}`);
  const broken: string[] = [];
  for (const row of rows) broken.push(...checkOne(story, row));
  oracle.lookedUpTo = rows[0]?.upTo ?? oracle.lookedUpTo;
  return broken;
}

function checkOne({ oracle }: Story, row: Row): string[] {
  const { id, state, isDue, isAccepted, wasUnderpaid } = row;
  const own = [...oracle.credits.values()].filter(
    ({ checkoutId, isAside }) => checkoutId === id && !isAside,
  );
  const standing = own.filter(({ reversedIn }) => reversedIn === undefined);
  if (isAccepted && !wasUnderpaid) return [`S4: ${id} was accepted and never UNDERPAID`];
  if (state !== 'COMPLETED') {
    if (isDue) return [];
    if (isAccepted && standing.length > 0) return [`S2: ${id} was accepted and is ${state}`];
    return isEnough(standing, row) ? [`S2: ${id} is paid in full and ${state}`] : [];
  }
  if (oracle.completed.has(id)) return [];
  oracle.completed.add(id);
  if (isAccepted) return [];
  // What was taken back since the last look may have stood when it was completed.
  const stood = own.filter(
    ({ reversedIn }) => reversedIn === undefined || reversedIn >= oracle.lookedUpTo,
  );
  if (isEnough(stood, row)) return [];
  const paid = stood.map(({ units, required }) => `${units} of ${required}`);
  return [`S4: ${id} is COMPLETED, for ${paid.join(' and ') || 'nothing'}`];
}

/** Exact fractions, as the rule says: nothing is rounded inside. */
function isEnough(credits: readonly Counted[], { tolerance }: Row): boolean {
  if (credits.length === 0) return false;
  const paid = credits.reduce<Exact>(
    (sum, { units, required }) => plus(sum, exact(units, required)),
    exact(0n),
  );
  return !isLess(paid, exact(MILLION - BigInt(tolerance), MILLION));
}

/** At the end, when nothing is under way any more; also counts what happened. */
export async function checkEnd(story: Story): Promise<string[]> {
  const { world, shop, counters, oracle } = story;
  const rows = await world.db.query<Row & { readonly reversals: number }>(sql`
    select id, state, flags, (select count(*)::int from receipt_credit where checkout_id = c.id
      and reversed_at is not null) as reversals
    from checkout c where c.merchant_id = ${shop.merchantId}`);
  const broken: string[] = [];
  for (const { id, state, flags, reversals } of rows) {
    const hasMoney = [...oracle.credits.values()].some(
      (one) => one.checkoutId === id && !one.isAside && one.reversedIn === undefined,
    );
    if (state !== 'COMPLETED' && hasMoney !== (state === 'UNDERPAID')) {
      broken.push(`S2: ${id} is ${state}, and money for it ${hasMoney ? 'is' : 'is not'} there`);
    }
    if (reversals > 0 && state === 'COMPLETED' && !/"(?:reversed|restored)"/.test(flags)) {
      broken.push(`4.8: ${id} lost money and is not marked`);
    }
    if (state === 'COMPLETED') counters.completed += 1;
    if (state === 'UNDERPAID') counters.underpaid += 1;
    if (state === 'EXPIRED') counters.expired += 1;
    if (state === 'CANCELLED') counters.cancelled += 1;
    if (state === 'COMPLETED' && flags.includes('"late"')) counters.completedLate += 1;
    if (flags.includes('"overpaid"')) counters.overpaid += 1;
    counters.reversals += reversals;
  }
  const [seen] = await world.db.query<{ receipts: number }>(sql`
    select count(*)::int as receipts from receipt where merchant_id = ${shop.merchantId}`);
  counters.receipts += seen?.receipts ?? 0;
  return broken;
}
