// Every window and every credit, held against what the oracle says that they are worth.
import { type Reader, sql } from '#db/db.ts';
import type { Counted } from './oracle.ts';
import { isPaidByEnd } from './paid.ts';
import type { Story } from './story.ts';
import { isAfter, UNASKED, type Window, windowOf } from './windows.ts';
import { amountsOf, QUOTE_MINUTES, WINDOW_MINUTES, type Worth, worthOf } from './worth.ts';

/** At the amounts of the creation, or of the last tip, while they hold, else at those of its own beginning. */
export function checkWindows(story: Story, windows: readonly Window[]): string[] {
  const { world, checkouts, shop, oracle } = story;
  const broken: string[] = [];
  for (const window of windows) {
    if (window.isUnasked || oracle.windows.has(window.key)) continue;
    oracle.windows.add(window.key);
    const checkout = checkouts.find(({ id }) => id === window.checkoutId);
    if (checkout === undefined) continue;
    const { quotedAt } = checkout;
    const isShown = !isAfter(window.openedAt, quotedAt.add({ minutes: QUOTE_MINUTES }));
    const terms = { ...checkout, feeParts: shop.feePartsPerMillion };
    const at = isShown ? quotedAt : window.openedAt;
    const due = amountsOf(world.market, terms, window.assetId, at);
    const { arrivingUnits, settlementUnits, netUnits, feeUnits } = window;
    const isRight =
      due?.arrivingUnits === arrivingUnits &&
      due.settlementUnits === settlementUnits &&
      due.netUnits === netUnits &&
      feeUnits === due.settlementUnits - due.netUnits;
    if (isRight) continue;
    broken.push(
      `F1: ${checkout.name} in ${window.assetId} asks ${arrivingUnits} for ${settlementUnits}, ` +
        `${netUnits} net, it is ${due?.arrivingUnits} for ${due?.settlementUnits}, ${due?.netUnits} net`,
    );
  }
  return broken;
}

type CreditRow = {
  readonly key: string;
  readonly instructionId: string;
  readonly assetId: string;
  readonly units: bigint;
  readonly gross: bigint;
  readonly net: bigint;
  readonly fee: bigint;
  readonly account: string;
  readonly creditedAt: Temporal.Instant;
  readonly releasedAt: Temporal.Instant | null;
  readonly postedIn: bigint;
  readonly releasedIn: bigint | null;
  readonly reversedIn: bigint | null;
  readonly seenAt: Temporal.Instant;
  readonly minedAt: Temporal.Instant | null;
  /** The receipt still says what it said when it was credited. */
  readonly isUnchanged: boolean;
};

/** In the order in which they were posted, each once; and once more when it is released. */
export function checkCredits(
  story: Story,
  rows: readonly CreditRow[],
  windows: readonly Window[],
): string[] {
  const { oracle } = story;
  // The end of a window may be brought forward by hand after money of it was credited.
  const now = new Map(windows.map((window) => [window.key, window]));
  for (const counted of oracle.credits.values()) {
    counted.window = now.get(counted.window.key) ?? counted.window;
  }
  for (const { key, reversedIn } of rows) {
    const counted = oracle.credits.get(key);
    if (counted !== undefined && reversedIn !== null) counted.reversedIn ??= reversedIn;
  }
  const broken: string[] = [];
  for (const row of rows) {
    const window = windowOf(windows, row.instructionId, row.seenAt);
    if (window === undefined || oracle.credits.has(row.key)) continue;
    broken.push(...checkCredit(story, row, window));
  }
  for (const row of rows) {
    const counted = oracle.credits.get(row.key);
    if (counted === undefined) continue;
    counted.isAside = isAside(row.account);
    counted.isRefunded = row.account === 'refunded';
  }
  for (const row of rows) broken.push(...checkRelease(story, row));
  return broken;
}

export function listCredits(reader: Reader, { shop }: Story): Promise<CreditRow[]> {
  return reader.query<CreditRow>(sql`
    select rc.receipt_id || ':' || rc.generation as key, coalesce(r.instruction_id, ${UNASKED}) as "instructionId",
      rc.asset_id as "assetId", rc.units,
      rc.settlement_units as gross, rc.net_units as net, rc.fee_units as fee, rc.account,
      rc.credited_at as "creditedAt", rc.released_at as "releasedAt",
      e.xmin::text::bigint as "postedIn", back.xmin::text::bigint as "reversedIn",
      out.xmin::text::bigint as "releasedIn",
      r.seen_at as "seenAt", r.mined_at as "minedAt",
      r.generation = rc.generation and r.status = 'FINAL' as "isUnchanged"
    from receipt_credit rc
    join checkout c on c.id = rc.checkout_id and c.merchant_id = ${shop.merchantId}
    join receipt r on r.id = rc.receipt_id
    join ledger_entry e on e.cause_key = 'receipt:' || rc.receipt_id || ':' || rc.generation
    left join ledger_entry out
      on out.cause_key = 'release:' || rc.receipt_id || ':' || rc.generation
    left join ledger_entry back
      on back.cause_key = 'reorganisation/receipt:' || rc.receipt_id || ':' || rc.generation
    order by e.id`);
}

function checkCredit(story: Story, row: CreditRow, window: Window): string[] {
  const { oracle, world, shop } = story;
  const receiptOf = (key: string) => key.split(':')[0];
  const wasRefunded = [...oracle.credits].some(
    ([key, { isRefunded }]) => receiptOf(key) === receiptOf(row.key) && isRefunded,
  );
  const isOther = row.assetId !== window.assetId;
  if (isOther || wasRefunded) {
    const account = isOther ? 'suspense' : 'refunded';
    remember(story, row, window, { isLate: false, locked: 0n, worth: undefined });
    const isRight = row.account === account && row.gross + row.net + row.fee === 0n;
    return isRight ? [] : [`F4: receipt ${row.key} is ${row.account}, not ${account}`];
  }
  const lock = { ...window, used: usedBefore(story, row, window) };
  const value = (isLate: boolean) =>
    worthOf(world.market, row.units, lock, isLate, shop.feePartsPerMillion, row.creditedAt);
  const isLate = isLateMoney(row, window);
  const due = value(isLate);
  // A receipt that changed in this very step does not tell any more when it was seen; what was
  // released in it may have been valued once more.
  const isReleased = row.releasedAt !== null;
  const isRight =
    isEqual(row, due) || (!row.isUnchanged && isEqual(row, value(!isLate))) || isReleased;
  // Undone since, it has no block any more that says when it was mined: its worth does.
  const wasOther = !row.isUnchanged && !isEqual(row, due) && isEqual(row, value(!isLate));
  const credited = wasOther ? { isLate: !isLate, worth: value(!isLate) } : { isLate, worth: due };
  const locked = credited.worth?.locked ?? 0n;
  remember(story, row, window, { ...credited, locked });
  count(story, row, window, credited.isLate, locked);
  if (isRight) return [];
  return [
    `F3: receipt ${row.key}, ${row.units} ${row.assetId}${isLate ? ' late' : ''}, was credited as ` +
      `${row.gross}, ${row.net} net, fee ${row.fee}; it is worth ${due?.gross}, ${due?.net} net`,
  ];
}

/** What a lock no longer holds is released at the rate of that moment, everything else as it was. */
function checkRelease(story: Story, row: CreditRow): string[] {
  const { oracle, world, shop } = story;
  const counted = oracle.credits.get(row.key);
  if (counted === undefined || row.releasedAt === null || counted.isReleased) return [];
  counted.isReleased = true;
  const { window, worth } = counted;
  const isOrigin = window.settlementAssetId === window.assetId;
  const lock = { ...window, used: 0n };
  const anew = worthOf(
    world.market,
    row.units,
    lock,
    true,
    shop.feePartsPerMillion,
    row.releasedAt,
  );
  const isHeld =
    !isAfter(row.releasedAt, window.expiresAt) ||
    isPaidByEnd(
      window,
      standingOf(story, counted, row.releasedIn ?? row.postedIn),
      shop.underpaidTolerancePartsPerMillion,
    );
  const isAnew = worth === undefined || !(isOrigin || isHeld);
  const due = isAnew ? anew : worth;
  // What is valued anew leaves the lock to what came for it in time.
  if (isAnew) counted.locked = 0n;
  if (isEqual(row, due)) return [];
  return [
    `F3: receipt ${row.key}, ${row.units} ${row.assetId}, was released as ${row.gross}, ` +
      `${row.net} net, fee ${row.fee}; it is worth ${due?.gross}, ${due?.net} net`,
  ];
}

/**
 * What paid for the checkout when this was released: what the chain took back in the very same
 * transaction did not.
 */
function standingOf(
  { oracle }: Story,
  { window: { checkoutId } }: Counted,
  releasedIn: bigint,
): Counted[] {
  return [...oracle.credits.values()].filter(
    ({ window, isAside, reversedIn }) =>
      window.checkoutId === checkoutId &&
      !isAside &&
      (reversedIn === undefined || reversedIn > releasedIn),
  );
}

/** It pays for nothing: it went back to the payer, or is none of what was asked for. */
function isAside(account: string): boolean {
  return account === 'refunded' || account === 'suspense';
}

function isEqual(
  { gross, net, fee }: CreditRow,
  due: Pick<Worth, 'gross' | 'net'> | undefined,
): boolean {
  return due?.gross === gross && due.net === net && fee === gross - net;
}

/** Of the same lock, by money that stood when this was credited; what was refunded has used it. */
function usedBefore({ oracle }: Story, { postedIn }: CreditRow, window: Window): bigint {
  return [...oracle.credits.values()]
    .filter((one) => one.window.key === window.key)
    .filter(({ reversedIn }) => reversedIn === undefined || reversedIn > postedIn)
    .reduce((sum, { locked }) => sum + locked, 0n);
}

function isLateMoney({ seenAt, minedAt }: CreditRow, { expiresAt }: Window): boolean {
  const lastBlock = expiresAt.add({ minutes: WINDOW_MINUTES });
  return isAfter(seenAt, expiresAt) || (minedAt !== null && isAfter(minedAt, lastBlock));
}

function remember(
  { oracle, world, checkouts, shop }: Story,
  row: CreditRow,
  window: Window,
  said: { readonly isLate: boolean; readonly locked: bigint; readonly worth: Worth | undefined },
): void {
  const { units, postedIn, creditedAt, seenAt } = row;
  const checkout = checkouts.find(({ id }) => id === window.checkoutId);
  const terms = { ...checkout, settlementAsset: 'ORIGIN', feeParts: shop.feePartsPerMillion };
  const { total = '0', currency = 'USD' } = terms;
  const now = amountsOf(world.market, { ...terms, total, currency }, window.assetId, creditedAt);
  oracle.credits.set(row.key, {
    ...said,
    window,
    units,
    seenAt,
    requiredThen: said.isLate ? now?.arrivingUnits : undefined,
    postedIn,
    creditedAt,
    reversedIn: row.reversedIn ?? undefined,
    isAside: isAside(row.account),
    isRefunded: row.account === 'refunded',
    isReleased: false,
  });
}

function count(
  { counters }: Story,
  row: CreditRow,
  window: Window,
  isLate: boolean,
  locked: bigint,
): void {
  const isConverted = window.settlementAssetId !== window.assetId;
  if (isLate && !window.isUnasked && row.units > window.arrivingUnits) counters.lateAndOver += 1;
  if (isLate && isConverted) counters.lateConverted += 1;
  if (!isLate && isConverted && locked < row.units) counters.excessConverted += 1;
}
