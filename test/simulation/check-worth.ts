// Every credit and every commitment, held against what the oracle says that they are worth.
import { sql } from '#db/db.ts';
import type { Counted } from './oracle.ts';
import type { Story } from './story.ts';
import { amountsOf, QUOTE_MINUTES, WINDOW_MINUTES, type Worth, worthOf } from './worth.ts';

export async function checkCommitments({
  world,
  checkouts,
  shop,
  oracle,
}: Story): Promise<string[]> {
  const rows = await world.db.query<{
    instructionId: string;
    checkoutId: string;
    assetId: string;
    paymentUnits: bigint;
    settlementUnits: bigint;
    netUnits: bigint;
    feeUnits: bigint;
    committedAt: Temporal.Instant;
  }>(sql`
    select m.instruction_id as "instructionId", m.checkout_id as "checkoutId",
      m.asset_id as "assetId", m.payment_units as "paymentUnits",
      m.settlement_units as "settlementUnits", m.net_units as "netUnits",
      m.fee_units as "feeUnits", m.committed_at as "committedAt"
    from commitment m join checkout c on c.id = m.checkout_id
    where c.merchant_id = ${shop.merchantId}`);
  const broken: string[] = [];
  for (const row of rows) {
    if (oracle.commitments.has(row.instructionId)) continue;
    oracle.commitments.add(row.instructionId);
    const checkout = checkouts.find(({ id }) => id === row.checkoutId);
    if (checkout === undefined) continue;
    const { createdAt } = checkout;
    const holdsUntil = createdAt.add({ minutes: QUOTE_MINUTES });
    const isShown = Temporal.Instant.compare(row.committedAt, holdsUntil) <= 0;
    const terms = { ...checkout, feeParts: shop.feePartsPerMillion };
    const at = isShown ? createdAt : row.committedAt;
    const due = amountsOf(world.market, terms, row.assetId, at);
    const isRight =
      due?.paymentUnits === row.paymentUnits &&
      due.settlementUnits === row.settlementUnits &&
      due.netUnits === row.netUnits &&
      row.feeUnits === due.settlementUnits - due.netUnits;
    if (isRight) continue;
    const { paymentUnits, settlementUnits, netUnits } = row;
    broken.push(
      `F1: ${checkout.name} in ${row.assetId} asks ${paymentUnits} for ${settlementUnits}, ` +
        `${netUnits} net, it is ${due?.paymentUnits} for ${due?.settlementUnits}, ${due?.netUnits} net`,
    );
  }
  return broken;
}

type CreditRow = {
  readonly key: string;
  readonly checkoutId: string;
  readonly instructionId: string;
  readonly assetId: string;
  readonly units: bigint;
  readonly gross: bigint;
  readonly net: bigint;
  readonly fee: bigint;
  readonly account: string;
  readonly creditedAt: Temporal.Instant;
  readonly isReleased: boolean;
  readonly postedIn: bigint;
  readonly reversedIn: bigint | null;
  readonly seenAt: Temporal.Instant;
  readonly minedAt: Temporal.Instant | null;
  /** The receipt still says what it said when it was credited. */
  readonly isUnchanged: boolean;
  readonly lockAssetId: string;
  readonly settlementAssetId: string;
  readonly paymentUnits: bigint;
  readonly settlementUnits: bigint;
  readonly netUnits: bigint;
  readonly expiresAt: Temporal.Instant;
};

/** In the order in which they were posted, each once. */
export async function checkCredits(story: Story): Promise<string[]> {
  const { oracle } = story;
  const rows = await listCredits(story);
  for (const { key, reversedIn } of rows) {
    const counted = oracle.credits.get(key);
    if (counted !== undefined && reversedIn !== null) counted.reversedIn ??= reversedIn;
  }
  const broken: string[] = [];
  for (const row of rows) if (!oracle.credits.has(row.key)) broken.push(...checkCredit(story, row));
  for (const { key, account } of rows) {
    const counted = oracle.credits.get(key);
    if (counted !== undefined) counted.isAside = isAside(account);
  }
  return broken;
}

function listCredits({ world, shop }: Story): Promise<CreditRow[]> {
  return world.db.query<CreditRow>(sql`
    select rc.receipt_id || ':' || rc.generation as key, rc.checkout_id as "checkoutId",
      r.instruction_id as "instructionId", rc.asset_id as "assetId", rc.units,
      rc.settlement_units as gross, rc.net_units as net, rc.fee_units as fee, rc.account,
      rc.credited_at as "creditedAt", rc.released_at is not null as "isReleased",
      e.xmin::text::bigint as "postedIn", back.xmin::text::bigint as "reversedIn",
      r.seen_at as "seenAt", r.mined_at as "minedAt",
      r.generation = rc.generation and r.status = 'FINAL' as "isUnchanged",
      m.asset_id as "lockAssetId", m.settlement_asset_id as "settlementAssetId",
      m.payment_units as "paymentUnits", m.settlement_units as "settlementUnits",
      m.net_units as "netUnits", m.expires_at as "expiresAt"
    from receipt_credit rc
    join checkout c on c.id = rc.checkout_id and c.merchant_id = ${shop.merchantId}
    join receipt r on r.id = rc.receipt_id
    join commitment m on m.instruction_id = r.instruction_id
    join ledger_entry e on e.cause_key = 'receipt:' || rc.receipt_id || ':' || rc.generation
    left join ledger_entry back
      on back.cause_key = 'reorganisation/receipt:' || rc.receipt_id || ':' || rc.generation
    order by e.id`);
}

function checkCredit(story: Story, row: CreditRow): string[] {
  const { oracle } = story;
  const wasRefunded = [...oracle.credits].some(
    ([key, { isAside }]) => key.split(':')[0] === row.key.split(':')[0] && isAside,
  );
  const isOther = row.assetId !== row.lockAssetId;
  if (isOther || wasRefunded) {
    const account = isOther ? 'suspense' : 'refunded';
    remember(story, row, row.paymentUnits, 0n);
    const isRight = row.account === account && row.gross + row.net + row.fee === 0n;
    return isRight ? [] : [`F4: receipt ${row.key} is ${row.account}, not ${account}`];
  }
  const lock = { ...row, assetId: row.lockAssetId, used: usedBefore(story, row) };
  const value = (isLate: boolean) =>
    worthOf(
      story.world.market,
      row.units,
      lock,
      isLate,
      story.shop.feePartsPerMillion,
      row.creditedAt,
    );
  const isLate = isLateMoney(row);
  const due = value(isLate);
  // A receipt that changed in this very step does not tell any more when it was seen.
  const isRight = isEqual(row, due) || (!row.isUnchanged && isEqual(row, value(!isLate)));
  remember(story, row, requiredOf(story, row, isLate), due?.locked ?? 0n);
  count(story, row, isLate, due?.locked ?? 0n);
  if (isRight) return [];
  return [
    `F3: receipt ${row.key}, ${row.units} ${row.assetId}${isLate ? ' late' : ''}, was credited as ` +
      `${row.gross}, ${row.net} net, fee ${row.fee}; it is worth ${due?.gross}, ${due?.net} net`,
  ];
}

/** It pays for nothing: it went back to the payer, or is none of what was asked for. */
function isAside(account: string): boolean {
  return account === 'refunded' || account === 'suspense';
}

function isEqual({ gross, net, fee }: CreditRow, due: Worth | undefined): boolean {
  return due?.gross === gross && due.net === net && fee === gross - net;
}

/** Of the same lock, by money that still stood when this was credited. */
function usedBefore({ oracle }: Story, { instructionId, postedIn }: CreditRow): bigint {
  return [...oracle.credits.values()]
    .filter((one) => one.instructionId === instructionId && !one.isAside)
    .filter(({ reversedIn }) => reversedIn === undefined || reversedIn > postedIn)
    .reduce((sum, { locked }) => sum + locked, 0n);
}

function isLateMoney({ seenAt, minedAt, expiresAt }: CreditRow): boolean {
  const lastBlock = expiresAt.add({ minutes: WINDOW_MINUTES });
  return (
    Temporal.Instant.compare(seenAt, expiresAt) > 0 ||
    (minedAt !== null && Temporal.Instant.compare(minedAt, lastBlock) > 0)
  );
}

/** Late money pays for what the charge cost when it came, if that is less. */
function requiredOf({ world, checkouts, shop }: Story, row: CreditRow, isLate: boolean): bigint {
  const checkout = checkouts.find(({ id }) => id === row.checkoutId);
  if (!isLate || checkout === undefined) return row.paymentUnits;
  const terms = { ...checkout, settlementAsset: 'ORIGIN', feeParts: shop.feePartsPerMillion };
  const now = amountsOf(world.market, terms, row.lockAssetId, row.creditedAt)?.paymentUnits;
  return now !== undefined && now < row.paymentUnits ? now : row.paymentUnits;
}

function remember({ oracle }: Story, row: CreditRow, required: bigint, locked: bigint): void {
  const { checkoutId, instructionId, units, postedIn } = row;
  const counted: Counted = {
    checkoutId,
    instructionId,
    units,
    locked,
    required,
    postedIn,
    reversedIn: row.reversedIn ?? undefined,
    isAside: isAside(row.account),
  };
  oracle.credits.set(row.key, counted);
}

function count({ counters }: Story, row: CreditRow, isLate: boolean, locked: bigint): void {
  const isConverted = row.settlementAssetId !== row.lockAssetId;
  if (isLate && row.units > row.paymentUnits) counters.lateAndOver += 1;
  if (isLate && isConverted) counters.lateConverted += 1;
  if (!isLate && isConverted && locked < row.units) counters.excessConverted += 1;
}
