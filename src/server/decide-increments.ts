// Whether increments of the log go on as they should, and what to do where they do not. Pure.

import { counted } from '#base/text.ts';

export type LogFacts = {
  readonly now: Temporal.Instant;
  /** Undefined: the service makes none by itself. */
  readonly everyMinutes: number | undefined;
  /** For people; undefined where none is set. */
  readonly place: string | undefined;
  readonly newest:
    | {
        readonly chain: string;
        readonly number: number;
        readonly createdAt: Temporal.Instant;
        readonly gap: string | undefined;
      }
    | undefined;
  /** What keeps the log on the server until it was stored. */
  readonly slot: LogSlot | undefined;
};

export type LogSlot = {
  readonly heldBytes: bigint;
  /** Undefined: the server keeps any amount. */
  readonly mostBytes: bigint | undefined;
  readonly isLost: boolean;
};

export type IncrementFinding = {
  readonly ok: boolean;
  readonly detail: string;
  readonly madeAt: Temporal.Instant | undefined;
};

/** Made by hand or by cron: how often is not known here. */
const MINUTES_BY_HAND = 1_440;
/** More than so many of its times is too old. */
const TIMES = 2;
/** Of a server that keeps any amount. */
const HELD_ENOUGH_BYTES = 4_000_000_000n;
const GIVE_UP = "select pg_drop_replication_slot('quittance_backup')";
const BOUND = "alter system set max_slot_wal_keep_size = '8GB'";

/** Undefined where nobody makes any, and nothing is left of them. */
export function decideIncrements(facts: LogFacts): IncrementFinding | undefined {
  const { now, everyMinutes, place, newest, slot } = facts;
  if (newest === undefined && slot === undefined && everyMinutes === undefined) return undefined;
  const fault = slotFault(facts) ?? chainFault(facts);
  const madeAt = newest?.createdAt;
  if (fault !== undefined) return { ok: false, detail: fault, madeAt };
  if (newest === undefined) {
    const held = slot === undefined ? '' : `: ${heldText(slot)}`;
    return {
      ok: true,
      detail: `warning: BACKUP_TO is not set, so none is known here${held}`,
      madeAt,
    };
  }
  const { chain, number, createdAt } = newest;
  const minutes = Math.floor(now.since(createdAt).total('minutes'));
  const held = slot === undefined ? 'none is made any more' : heldText(slot);
  const age = `number ${number} of ${chain} in ${place} is ${counted(minutes, 'minute')} old`;
  const isOld = slot !== undefined && minutes > TIMES * (everyMinutes ?? MINUTES_BY_HAND);
  if (!isOld) return { ok: true, detail: `${age}; ${held}`, madeAt };
  const advice =
    everyMinutes === undefined
      ? `npx quittance backup wal makes one; to make none any more: ${GIVE_UP}`
      : 'does a process run with role settle? Its log says why none is made';
  return { ok: false, detail: `${age}; ${held}; ${advice}`, madeAt };
}

function heldText({ heldBytes, mostBytes }: LogSlot): string {
  const megabytes = (bytes: bigint) => `${(bytes + 999_999n) / 1_000_000n} MB`;
  const bound =
    mostBytes === undefined ? `without a bound: ${BOUND}` : `of ${megabytes(mostBytes)}`;
  return `the server keeps ${megabytes(heldBytes)} of log for the next one, ${bound}`;
}

function slotFault({ slot, everyMinutes, place, newest }: LogFacts): string | undefined {
  if (slot === undefined) return undefined;
  if (slot.isLost) {
    return (
      'the server has let go log that was not stored yet (max_slot_wal_keep_size): the next ' +
      'increment begins a new chain; make them more often, or let it keep more'
    );
  }
  const isMuch =
    slot.mostBytes === undefined
      ? slot.heldBytes > HELD_ENOUGH_BYTES
      : slot.heldBytes > slot.mostBytes / 2n;
  if (isMuch) {
    return `${heldText(slot)}; npx quittance backup wal stores it, ${GIVE_UP} gives it up`;
  }
  if (newest === undefined && place !== undefined && everyMinutes === undefined) {
    return `${heldText(slot)}, and no chain is in ${place}; to make none any more: ${GIVE_UP}`;
  }
  return undefined;
}

function chainFault({ newest, everyMinutes, slot, place }: LogFacts): string | undefined {
  if (newest === undefined) {
    return everyMinutes === undefined
      ? undefined
      : `there is none in ${place}: the first is made by the role settle, whose log says why not`;
  }
  if (everyMinutes === undefined && slot === undefined) return undefined;
  if (newest.gap !== undefined) {
    return `${newest.chain} cannot go on: ${newest.gap}; the next one begins a new chain`;
  }
  if (slot === undefined) {
    return `the server keeps no log for ${newest.chain}: the next one begins a new chain`;
  }
  return undefined;
}
