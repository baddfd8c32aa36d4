// S2, S4: a checkout is COMPLETED when what counts pays for it, or the merchant accepted less, and
// never otherwise. Computed from what the oracle says of each credit.
import { type Reader, sql } from '#db/db.ts';
import { exact, isLess, MILLION } from './exact.ts';
import type { Counted } from './oracle.ts';
import { isPaidByEnd, sumOf } from './paid.ts';
import type { Story } from './story.ts';
import { isAfter, type Window } from './windows.ts';
import { amountsOf } from './worth.ts';

type Row = {
  readonly id: string;
  readonly state: string;
  readonly flags: string;
  readonly isDue: boolean;
  readonly isAccepted: boolean;
  readonly tolerance: number;
  readonly floor: number;
  readonly wasUnderpaid: boolean;
  readonly completedAt: Temporal.Instant | null;
};

type LookedAt = Row & { readonly upTo: bigint };

export function listDecided(reader: Reader, { world, shop }: Story): Promise<LookedAt[]> {
  return reader.query<LookedAt>(sql`
    select id, state, flags, coalesce(settle_at <= ${world.clock.now()}, false) as "isDue",
      accepted_underpaid_at is not null as "isAccepted", completed_at as "completedAt",
      underpaid_tolerance_parts_per_million as tolerance, late_floor_parts_per_million as floor,
      exists (select 1 from checkout_state_change h where h.checkout_id = checkout.id
        and h.state = 'UNDERPAID' and h.changed_at <= accepted_underpaid_at) as "wasUnderpaid",
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint as "upTo"
    from checkout where merchant_id = ${shop.merchantId}`);
}

/** After every step. */
export function checkCompletions(
  story: Story,
  rows: readonly LookedAt[],
  windows: readonly Window[],
): string[] {
  const { oracle } = story;
  const broken: string[] = [];
  for (const row of rows) broken.push(...checkOne(story, row, windows));
  oracle.lookedUpTo = rows[0]?.upTo ?? oracle.lookedUpTo;
  return broken;
}

function checkOne(story: Story, row: Row, all: readonly Window[]): string[] {
  const { oracle, world } = story;
  const { id, state, isDue, isAccepted, wasUnderpaid } = row;
  const windows = all.filter(({ checkoutId }) => checkoutId === id);
  const own = [...oracle.credits.values()].filter(
    ({ window, isAside }) => window.checkoutId === id && !isAside,
  );
  if (isAccepted && !wasUnderpaid) return [`S4: ${id} was accepted and never UNDERPAID`];
  if (state !== 'COMPLETED') {
    if (isAccepted) return [`S2: ${id} was accepted and is ${state}`];
    const standing = own.filter(({ reversedIn }) => reversedIn === undefined);
    // By what holds today whatever prices are: else it was decided at those of another moment.
    const isPaid = !isDue && isEnough(story, row, windows, standing, world.clock.now(), true);
    return isPaid ? [`S2: ${id} is paid in full and ${state}`] : [];
  }
  if (oracle.completed.has(id)) return [];
  oracle.completed.add(id);
  if (isAccepted) return [];
  // What was taken back since the last look may have stood when it was completed.
  const stood = own.filter(
    ({ reversedIn }) => reversedIn === undefined || reversedIn >= oracle.lookedUpTo,
  );
  const at = row.completedAt ?? world.clock.now();
  if (isEnough(story, row, windows, stood, at, false)) return [];
  const paid = stood.map(({ units, window }) => `${units} of ${window.arrivingUnits}`);
  return [`S4: ${id} is COMPLETED, for ${paid.join(' and ') || 'nothing'}`];
}

/**
 * Both: what was asked for was paid, less the tolerance, late money also by what it was worth when
 * it came, where that is more; and all of it is worth the floor now. `isFirm`: whatever prices are today.
 */
function isEnough(
  story: Story,
  { tolerance, floor }: Row,
  windows: readonly Window[],
  credits: readonly Counted[],
  at: Temporal.Instant,
  isFirm: boolean,
): boolean {
  if (credits.length === 0) return false;
  const inTime = exact(MILLION - BigInt(tolerance), MILLION);
  const asFloor = exact(BigInt(floor), MILLION);
  const late = isLess(asFloor, inTime) ? asFloor : inTime;
  const firm = windows.filter((window) => isPaidByEnd(window, credits, tolerance));
  if (firm.length === 0) {
    const asked = sumOf(credits, ({ requiredThen: then, window: { arrivingUnits, isUnasked } }) =>
      isUnasked || (then !== undefined && then < arrivingUnits) ? then : arrivingUnits,
    );
    if (isLess(asked, inTime)) return false;
  }
  const worth = sumOf(credits, (one) => {
    const later = firm.find(
      (window) => window.way === one.window.way && !isAfter(one.seenAt, window.expiresAt),
    );
    const holds = firm.includes(one.window) || !isAfter(at, one.window.expiresAt);
    if (!one.isLate && (holds || firm.some(({ key }) => key === one.window.key))) {
      return one.window.arrivingUnits;
    }
    return later?.arrivingUnits ?? (isFirm ? undefined : priceOfAll(story, one, at));
  });
  return !isLess(worth, late);
}

/** What the whole charge costs then in the asset of this money. */
function priceOfAll({ world, checkouts }: Story, { window }: Counted, at: Temporal.Instant) {
  const checkout = checkouts.find(({ id }) => id === window.checkoutId);
  if (checkout === undefined) return undefined;
  const terms = { ...checkout, settlementAsset: 'ORIGIN', feeParts: 0 };
  return amountsOf(world.market, terms, window.assetId, at)?.arrivingUnits;
}

/** At the end, when nothing is under way any more; also counts what happened. */
export async function checkEnd(story: Story): Promise<string[]> {
  const { world, shop, counters, oracle } = story;
  const rows = await world.db.query<Row & { readonly reversals: number }>(sql`
    select id, state, flags, (select count(*)::int from receipt_credit where checkout_id = c.id
      and reversed_at is not null and account <> 'suspense') as reversals
    from checkout c where c.merchant_id = ${shop.merchantId}`);
  const broken: string[] = [];
  for (const { id, state, flags, reversals } of rows) {
    const hasMoney = [...oracle.credits.values()].some(
      (one) => one.window.checkoutId === id && !one.isAside && one.reversedIn === undefined,
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
