// How far a proof of the ledger has come, in a file beside the record of its heads, so that one
// that was interrupted goes on, and one that ended well can be continued with what came since.
// Outside the database, because whoever owns that could write there that everything was proved.
//
// Guarantees: a proof goes on only where the chain of seals still holds its end of when the proof
// began, and the seal that it had come to; nothing below a place where it goes on had a fault.
// Not guaranteed: that what was proved was not changed afterwards; only a proof from the start says
// that.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { newId } from '#base/id.ts';
import { systemRandom } from '#base/random.ts';
import { type Reader, sql } from '#db/db.ts';
import { replaceFile } from './head-record.ts';
import { LEDGER_SEAL, type Seal } from './seal-entries.ts';

/** What is gone through by number, one after another. */
type Walk = 'postings' | 'causes' | 'digests' | 'entries' | 'receipts' | 'events';

export type Walks = {
  /** Above which number a walk begins; 0 where it begins at the first. */
  from(walk: Walk): bigint;
  /** All up to there was looked at. `isRight`: and no fault was found. */
  reached(walk: Walk, upTo: bigint, isRight: boolean): void;
};

/** Of an account: all that its postings move, and what reversals took out of it. */
export type Sum = { units: bigint; reversed: bigint };

export type Tally = {
  readonly entries: bigint;
  readonly postings: bigint;
  readonly seals: bigint;
  /** When events were sealed for the first time. */
  readonly eventsSince: Temporal.Instant | undefined;
};

export type Proof = Walks & {
  /** Of the postings up to where that walk has come; undefined where they were left out. */
  readonly sums: Map<bigint, Sum> | undefined;
  /** After which the walk along the seals goes on. */
  readonly seal: Seal | undefined;
  readonly tally: Tally;
  reachedSeal(seal: Seal, tally: Tally, isRight: boolean): void;
  /** Digests of events that were looked at, and how many of the events were still there. */
  readonly events: { sealed: bigint; kept: bigint };
  /** Where it began; undefined at the start. */
  readonly begun: { readonly entry: bigint; readonly provedAt: string | undefined } | undefined;
  /** It is over: without a fault the next one may go on here. */
  end(isRight: boolean): void;
};

/** `rest`: what an interrupted one left, else all; `last`: what came since the last one. */
export type ProofFrom = 'rest' | 'start' | 'last' | bigint;

/** A large ledger is proved in hours: what is lost by an interruption is less than this. */
const SAVED_EVERY_MS = 5_000;
const FORMAT = 'ledger-verified 1';
const NOTHING: Tally = { entries: 0n, postings: 0n, seals: 0n, eventsSince: undefined };

type SavedSeal = { readonly number: string; readonly hash: string };

type Saved = {
  readonly format: string;
  readonly at: string;
  readonly isFinished: boolean;
  /** The end of the chain when the proof began. */
  readonly anchor: SavedSeal;
  /** To which the walk along the seals has come; null where it has not begun. */
  readonly seal: SavedSeal | null;
  readonly walks: Readonly<Record<string, string>>;
  readonly tally: Readonly<Record<'entries' | 'postings' | 'seals', string>>;
  readonly eventsSince: string | null;
  readonly events: readonly [sealed: string, kept: string];
  /** By account: number, units, what was reversed. */
  readonly sums: readonly (readonly [string, string, string])[];
};

/** For whoever wants a whole proof and keeps nothing. */
export function wholeProof(): Proof {
  return startProof(undefined, { walks: new Map(), sums: new Map() });
}

type ProofOptions = {
  /** Where it is written how far it is. */
  readonly file: string;
  readonly from: ProofFrom;
  readonly now: () => Temporal.Instant;
  readonly savedEveryMs?: number;
};

export async function openProof(
  reader: Reader,
  { file, from, now, savedEveryMs = SAVED_EVERY_MS }: ProofOptions,
): Promise<Proof> {
  if (typeof from === 'bigint') return startAt(reader, from);
  const anchor = await LEDGER_SEAL.find(reader, sql`order by number desc limit 1`);
  // Without a seal there is nothing to know the ledger again by.
  const keep = anchor && { file, now, savedEveryMs, anchor: savedSeal(anchor) };
  const saved = from === 'start' ? undefined : readSaved(file);
  const isWanted = saved !== undefined && (from === 'last' || !saved.isFinished);
  if (!isWanted || (await findSeal(reader, saved.anchor)) === undefined) {
    return startProof(keep, { walks: new Map(), sums: new Map() });
  }
  const seal = saved.seal === null ? undefined : await findSeal(reader, saved.seal);
  if (saved.seal !== null && seal === undefined) {
    return startProof(keep, { walks: new Map(), sums: new Map() });
  }
  const { tally, events } = saved;
  return startProof(keep, {
    walks: new Map(Object.entries(saved.walks).map(([walk, upTo]) => [walk, BigInt(upTo)])),
    sums: new Map(
      saved.sums.map(([account, units, reversed]) => [
        BigInt(account),
        { units: BigInt(units), reversed: BigInt(reversed) },
      ]),
    ),
    seal,
    tally: {
      entries: BigInt(tally.entries),
      postings: BigInt(tally.postings),
      seals: BigInt(tally.seals),
      eventsSince:
        saved.eventsSince === null ? undefined : Temporal.Instant.from(saved.eventsSince),
    },
    events: { sealed: BigInt(events[0]), kept: BigInt(events[1]) },
    provedAt: saved.at,
  });
}

/** Of a range: what lies below it was never summed, so that no balance can be compared. */
async function startAt(reader: Reader, entry: bigint): Promise<Proof> {
  const seal = await LEDGER_SEAL.find(
    reader,
    sql`where last_entry <= ${entry} order by number desc limit 1`,
  );
  const walks = new Map([
    ['causes', entry],
    ['entries', entry],
    ['digests', seal?.lastEvent ?? 0n],
  ]);
  return startProof(undefined, { walks, sums: undefined, seal, entry });
}

/** Undefined where the chain does not hold it any more. */
async function findSeal(reader: Reader, { number, hash }: SavedSeal): Promise<Seal | undefined> {
  const found = await LEDGER_SEAL.find(reader, sql`where number = ${BigInt(number)}`);
  return found?.hash.toHex() === hash ? found : undefined;
}

function savedSeal({ number, hash }: Seal): SavedSeal {
  return { number: `${number}`, hash: hash.toHex() };
}

function readSaved(file: string): Saved | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const saved = JSON.parse(readFileSync(file, 'utf8')) as Saved;
    return saved.format === FORMAT ? saved : undefined;
  } catch {
    // Of another program: as if there were none.
    return undefined;
  }
}

type Begin = {
  readonly walks: Map<string, bigint>;
  readonly sums: Map<bigint, Sum> | undefined;
  readonly seal?: Seal | undefined;
  readonly tally?: Tally;
  readonly events?: Proof['events'];
  readonly provedAt?: string;
  /** Where a range begins that was asked for. */
  readonly entry?: bigint;
};

type Keep = {
  readonly file: string;
  readonly now: () => Temporal.Instant;
  readonly savedEveryMs: number;
  readonly anchor: SavedSeal;
};

/** `keep`: where to write how far it is; undefined: nowhere. */
function startProof(keep: Keep | undefined, begin: Begin): Proof {
  const { walks, sums, seal: first, entry, provedAt } = begin;
  const events = begin.events ?? { sealed: 0n, kept: 0n };
  let [seal, tally] = [first, begin.tally ?? NOTHING];
  let isRightSoFar = true;
  let savedMs = performance.now();

  function save(isFinished: boolean): void {
    if (keep === undefined || !isRightSoFar) return;
    const saved: Saved = {
      format: FORMAT,
      at: keep.now().toString(),
      isFinished,
      anchor: keep.anchor,
      seal: seal === undefined ? null : savedSeal(seal),
      walks: Object.fromEntries([...walks].map(([walk, upTo]) => [walk, `${upTo}`])),
      tally: {
        entries: `${tally.entries}`,
        postings: `${tally.postings}`,
        seals: `${tally.seals}`,
      },
      eventsSince: tally.eventsSince?.toString() ?? null,
      events: [`${events.sealed}`, `${events.kept}`],
      sums: Array.from(sums ?? [], ([account, sum]) => [
        `${account}`,
        `${sum.units}`,
        `${sum.reversed}`,
      ]),
    };
    replaceFile(keep.file, JSON.stringify(saved), newId(systemRandom));
    savedMs = performance.now();
  }

  function note(isRight: boolean): void {
    isRightSoFar &&= isRight;
    if (keep !== undefined && performance.now() - savedMs >= keep.savedEveryMs) save(false);
  }

  return {
    sums,
    seal: first,
    tally,
    events,
    begun:
      entry === undefined && provedAt === undefined
        ? undefined
        : { entry: entry ?? first?.lastEntry ?? 0n, provedAt },
    from: (walk) => walks.get(walk) ?? 0n,
    reached(walk, upTo, isRight) {
      walks.set(walk, upTo);
      note(isRight);
    },
    reachedSeal(reached, counted, isRight) {
      [seal, tally] = [reached, counted];
      note(isRight);
    },
    end(isRight) {
      isRightSoFar &&= isRight;
      if (isRightSoFar) save(true);
      else if (keep !== undefined) rmSync(keep.file, { force: true });
    },
  };
}
