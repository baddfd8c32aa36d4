// What a merchant received, exchanged and sent away, from the first entry on, each with its worth
// in one currency at that moment, its cost and the gain. Sums over the postings of the merchant's
// own accounts, so that reserving and releasing are nothing, and what the operator moves between
// hot and cold money is not there at all. Guarantees: units tie to the ledger; worth is told by
// prices that were stored then; what has none says so, is never worth nothing, and makes up no
// gain. Memory: a page of entries, and what is held.

import { FIAT_ISSUER, getAsset } from '#catalog/asset.ts';
import { getCurrency } from '#catalog/currency.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Reader, sql } from '#db/db.ts';
import { divideUnits, powerOfTen } from '#money/rounding.ts';
import { type Costed, type CostedHoldings, createHoldings } from './cost-basis.ts';
import { BEGINNING, END, type Valuation } from './report.ts';
import { type PastPrice, type PriceWanted, readStoredPrices } from './stored-prices.ts';

const ENTRIES_AT_ONCE = 500;

/** `CONVERTED`: a payment that was exchanged when it arrived, and never held. */
type HoldingEvent =
  | 'RECEIVED'
  | 'SOLD'
  | 'CONVERTED'
  | 'SENT'
  | 'REFUNDED'
  | 'FEE'
  | 'TAKEN_BACK'
  | 'CAME_BACK';

export type WalkedRow = {
  readonly entry: EntryMoves;
  /** From 0 within the entry. */
  readonly position: number;
  readonly event: HoldingEvent;
  readonly assetId: string;
  readonly units: bigint;
  /** In units of the currency, without a sign; below zero where it is undone. */
  readonly value: bigint | undefined;
  /** What the value was read from: a stored price, the currency itself, or nothing. */
  readonly prices: Prices | undefined;
  readonly costed: Costed;
  /** What an exchange brought, where it is one. */
  readonly received: Move | undefined;
};

/** Of the asset and of the currency. */
type Prices = readonly [PastPrice, PastPrice];

/** Oldest first, to the end of the period; `to` undefined: all of it. */
export async function* walkHoldings(
  reader: Reader,
  owner: Owner,
  { currency, method }: Valuation,
  to: Temporal.Instant | undefined,
): AsyncGenerator<WalkedRow> {
  const holdings = createHoldings(method);
  const undone = new Map<bigint, readonly WalkedRow[]>();
  let after: { readonly at: Temporal.Instant; readonly entry: bigint } | undefined;
  for (;;) {
    const page = await listMoves(reader, owner, { after, to, limit: ENTRIES_AT_ONCE });
    const wanted = page.flatMap(({ occurredAt: at, moves }) => [
      { code: currency, at },
      ...moves.map(({ assetId }) => ({ code: getAsset(assetId).assetCode, at })),
    ]);
    const priceAt = await readStoredPrices(reader, owner.environment, wanted);
    for (const entry of page) {
      const original = entry.corrects === undefined ? undefined : undone.get(entry.corrects);
      const rows = rowsOf(entry, holdings, valuer(currency, priceAt, entry), original);
      if (entry.isCorrected) undone.set(entry.id, rows);
      yield* rows;
    }
    const last = page.at(-1);
    if (last === undefined || page.length < ENTRIES_AT_ONCE) return;
    after = { at: last.occurredAt, entry: last.id };
  }
}

type Worth = { readonly value: bigint | undefined; readonly prices: Prices | undefined };
type Valuer = (assetId: string, units: bigint) => Worth;

/** Half even, in units of the currency; of what leaves as well, without a sign. */
function valuer(
  currency: string,
  priceAt: (one: PriceWanted) => PastPrice | undefined,
  { occurredAt: at }: EntryMoves,
): Valuer {
  const by = priceAt({ code: currency, at });
  return (assetId, units) => {
    const size = units < 0n ? -units : units;
    if (assetId === `${currency}:${FIAT_ISSUER}`) return { value: size, prices: undefined };
    const { assetCode, decimals } = getAsset(assetId);
    const of = priceAt({ code: assetCode, at });
    if (of === undefined || by === undefined) return { value: undefined, prices: undefined };
    const digits = by.usd.scale + getCurrency(currency).decimals;
    const above = size * of.usd.coefficient * powerOfTen(digits);
    const below = by.usd.coefficient * powerOfTen(of.usd.scale + decimals);
    return { value: divideUnits(above, below, 'half-even'), prices: [of, by] };
  };
}

function rowsOf(
  entry: EntryMoves,
  holdings: CostedHoldings,
  worthOf: Valuer,
  original: readonly WalkedRow[] | undefined,
): WalkedRow[] {
  const { id, moves, corrects, isCorrected } = entry;
  const received = exchanged(moves);
  const drafts = moves.flatMap((move) =>
    corrects === undefined
      ? draftsOf(entry, move, received)
      : draftsBack(corrects, move, original ?? []),
  );
  const rows = drafts.map((draft, position): WalkedRow => {
    const { assetId, units, event, proceeds } = draft;
    const worth = proceeds === undefined ? worthOf(assetId, units) : worthOf(...proceeds);
    const key = keyOf(id, assetId, event);
    const change = { ...draft, key, isCorrected, value: worth.value };
    const costed =
      event === 'CONVERTED'
        ? convertedAtOnce(worthOf(assetId, units).value, worth.value, units)
        : holdings.change({ ...change, isDisposal: event === 'SOLD' });
    const told = { entry, position, event, assetId, units, costed, received: draft.received };
    return { ...told, ...(draft.undoes?.event === 'SOLD' ? undone(draft.undoes) : worth) };
  });
  const passed = original?.filter(({ event }) => event === 'CONVERTED') ?? [];
  return [...rows, ...passed.map((row, index) => negated(row, entry, rows.length + index))];
}

type Draft = {
  readonly event: HoldingEvent;
  readonly assetId: string;
  readonly units: bigint;
  /** What it is worth by, where it was exchanged for that. */
  readonly proceeds: readonly [assetId: string, units: bigint] | undefined;
  readonly received: Move | undefined;
  /** Key of what it takes back. */
  readonly corrects: string | undefined;
  /** What it takes back, where it is all of it. */
  readonly undoes: WalkedRow | undefined;
};

function keyOf(entry: bigint, assetId: string, event: HoldingEvent): string {
  return `${entry} ${assetId} ${event}`;
}

/** The one thing that was bought, where the entry exchanges one for another. */
function exchanged(moves: readonly Move[]): Move | undefined {
  const bought = moves.filter(({ exchangedUnits }) => exchangedUnits > 0n);
  const given = moves.filter(({ exchangedUnits }) => exchangedUnits < 0n);
  return bought.length === 1 && given.length === 1 ? bought[0] : undefined;
}

/** Part by part of what is taken back; where another amount is, it names the first of them. */
function draftsBack(
  corrects: bigint,
  { assetId, units }: Move,
  original: readonly WalkedRow[],
): Draft[] {
  if (units === 0n) return [];
  const parts = original.filter((row) => row.assetId === assetId && row.event !== 'CONVERTED');
  const isWhole = parts.reduce((sum, row) => sum + row.units, units) === 0n;
  const backs = isWhole
    ? parts.map((row) => ({ units: -row.units, row }))
    : [{ units, row: parts[0] }];
  return backs.map((back) => ({
    ...{
      assetId,
      units: back.units,
      proceeds: undefined,
      received: isWhole ? back.row?.received : undefined,
    },
    event: back.units > 0n ? 'CAME_BACK' : 'TAKEN_BACK',
    corrects: keyOf(corrects, assetId, back.row?.event ?? 'RECEIVED'),
    undoes: isWhole ? back.row : undefined,
  }));
}

function draftsOf(entry: EntryMoves, move: Move, received: Move | undefined): Draft[] {
  const { assetId, units, exchangedUnits, sentUnits } = move;
  const nothing = { proceeds: undefined, received: undefined, corrects: undefined };
  const plain = { ...nothing, assetId, undoes: undefined };
  const isGiven = exchangedUnits < 0n && received !== undefined && received !== move;
  if (isGiven) {
    const proceeds = [received.assetId, received.units] as const;
    const given = { ...plain, units: exchangedUnits, proceeds, received };
    return [{ ...given, event: units === 0n ? 'CONVERTED' : 'SOLD' }];
  }
  if (units === 0n) return [];
  if (units > 0n) return [{ ...plain, units, event: 'RECEIVED' }];
  // What reached nobody else was kept as a fee.
  const fee = { ...plain, units: units + sentUnits, event: 'FEE' } as const;
  if (sentUnits === 0n) return [fee];
  const event = entry.kind.startsWith('refund') ? 'REFUNDED' : 'SENT';
  return [{ ...plain, units: -sentUnits, event }, ...(fee.units === 0n ? [] : [fee])];
}

/** Its cost is what it was worth when it arrived, at the same moment. */
function convertedAtOnce(
  cost: bigint | undefined,
  value: bigint | undefined,
  units: bigint,
): Costed {
  const isKnown = cost !== undefined && value !== undefined;
  return {
    cost: cost ?? 0n,
    unpricedUnits: cost === undefined ? -units : 0n,
    gain: isKnown ? value - cost : undefined,
    unitsLeft: 0n,
    costLeft: 0n,
    unpricedLeft: 0n,
  };
}

/** A sale that is undone is worth what it was, with the other sign. */
function undone({ value, prices }: WalkedRow): Worth {
  return { value: value === undefined ? undefined : -value, prices };
}

function negated(row: WalkedRow, entry: EntryMoves, position: number): WalkedRow {
  const { costed, units } = row;
  return {
    ...row,
    ...undone(row),
    entry,
    position,
    units: -units,
    costed: {
      ...costed,
      cost: -costed.cost,
      unpricedUnits: -costed.unpricedUnits,
      gain: costed.gain === undefined ? undefined : -costed.gain,
    },
  };
}

// What each entry made of a merchant's own accounts together, asset by asset, and what it
// exchanged.
type Move = {
  readonly assetId: string;
  /** More of the merchant's money is positive. */
  readonly units: bigint;
  /** What was bought is above zero, with its fee; what was given for it below. */
  readonly exchangedUnits: bigint;
  /** Kept by the service. */
  readonly feeUnits: bigint;
  /** What reached the receiver of a transfer that landed; the rest of what left is fees. */
  readonly sentUnits: bigint;
};

type EntryMoves = {
  readonly id: bigint;
  readonly occurredAt: Temporal.Instant;
  readonly kind: string;
  readonly subjectId: string | null;
  /** The entry that this one takes back. */
  readonly corrects: bigint | undefined;
  /** A later one takes it back. */
  readonly isCorrected: boolean;
  readonly moves: readonly Move[];
};

type Row = Omit<EntryMoves, 'moves' | 'corrects'> & {
  readonly corrects: bigint | null;
  readonly assetId: string | null;
  readonly units: bigint;
  readonly exchangedUnits: bigint;
  readonly feeUnits: bigint;
  readonly sentUnits: bigint;
};

/** The next entries of the merchant, oldest first; those that moved nothing have no moves. */
async function listMoves(
  reader: Reader,
  { merchantId, environment }: Owner,
  {
    after = { at: BEGINNING, entry: 0n },
    to = END,
    limit,
  }: {
    readonly after: { readonly at: Temporal.Instant; readonly entry: bigint } | undefined;
    readonly to: Temporal.Instant | undefined;
    readonly limit: number;
  },
): Promise<EntryMoves[]> {
  const rows = await reader.query<Row>(sql`
    with page as materialized (
      select e.id, e.occurred_at, e.kind, e.subject_id, e.corrects_entry from ledger_entry e
      where e.merchant_id = ${merchantId} and e.environment = ${environment}
        and (e.occurred_at, e.id) > (${after.at}, ${after.entry}) and e.occurred_at < ${to}
      order by e.occurred_at, e.id limit ${limit})
    select e.id, e.occurred_at as "occurredAt", e.kind, e.subject_id as "subjectId",
      e.corrects_entry as corrects, (
        select r.id from ledger_entry r where r.corrects_entry = e.id limit 1
      ) is not null as "isCorrected",
      line.asset_id as "assetId", coalesce(line.units, 0) as units,
      coalesce(line.exchanged, 0) as "exchangedUnits", coalesce(line.fee, 0) as "feeUnits",
      coalesce(t.target_units, 0) as "sentUnits"
    from page e
    left join lateral (
      select a.asset_id, -coalesce(sum(p.units) filter (where a.merchant_id = ${merchantId}), 0)
          as units,
        sum(p.units) filter (where a.code = 'exchange') as exchanged,
        -sum(p.units) filter (where a.code = 'fees') as fee
      from ledger_posting p join ledger_account a on a.id = p.account_id
      where p.entry_id = e.id group by a.asset_id) line
      on line.units <> 0 or line.exchanged <> 0
    left join transfer t on t.id = e.subject_id and t.asset_id = line.asset_id
      and e.kind in ('transfer-complete', 'refund-complete', 'return-complete')
    order by e.occurred_at, e.id, line.asset_id`);
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((list) => {
    const [first] = list;
    if (first === undefined) return [];
    const { id, occurredAt, kind, subjectId, corrects, isCorrected } = first;
    const moves = list.flatMap(({ assetId, units, exchangedUnits, feeUnits, sentUnits }) =>
      assetId === null ? [] : [{ assetId, units, exchangedUnits, feeUnits, sentUnits }],
    );
    return [
      { id, occurredAt, kind, subjectId, corrects: corrects ?? undefined, isCorrected, moves },
    ];
  });
}
