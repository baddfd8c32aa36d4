// What one process at a time does for all of them, as watching a chain: it holds a lease, renews it
// while it lives, and another takes over when it lapses.
//
// Guarantees: no two processes believe at one time that they lead, as long as their clocks run
// equally fast (each counts its own time from before it asked, and only the database compares
// moments); whoever was frozen and wakes learns in the transaction of what it is about to write
// that somebody took over (`isHeldIn`), because each holder has an epoch of its own; a leader that
// is gone is followed within `handOverMs`, at once where the system tells that its process ended.
// Not guaranteed: that anybody leads at a moment.

import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { type Db, type Reader, sql } from '#db/db.ts';
import { bigInteger, defineTable, insertOnly, moment, text } from '#db/table.ts';
import { createWake, type Loop, startLoop, type Wake } from '#runtime/loop.ts';
import { hasEnded } from '#runtime/process-lock.ts';

/** How long a lease lasts that nobody renews. */
const LEASE_MS = 3_000;
/** How often it is renewed, and asked for by whoever does not hold it. */
const LOOK_MS = 1_000;
/** A leader that gives up leaves the others so many looks. */
const LOOKS_LEFT_OUT = 3;

export const LEASE = defineTable('lease', {
  name: text(),
  holder: text(),
  epoch: insertOnly(bigInteger),
  leaseUntil: insertOnly(moment),
});

/** The time in which one process leads. */
export type Lead = {
  /** Whether it has not ended, as the database knows it: to be asked where something is written. */
  isHeldIn(reader: Reader): Promise<boolean>;
};

/** One of the things that one process does. */
export type Leadership = {
  /** Undefined while this process does not lead, as far as it knows. */
  leadOf(): Lead | undefined;
  /** Woken when this process begins to lead. */
  readonly wake: Wake;
  /** It does not go well here: another process may try, if one waits. */
  giveUp(): Promise<void>;
};

export type Leases = Loop & {
  leadership(name: string): Leadership;
  /** One look at all of them; the loop calls it, a test calls it by hand. */
  look(): Promise<'idle'>;
  /** How long nobody leads at most after a leader is gone or frozen. */
  readonly handOverMs: number;
};

type LeasesApp = { readonly db: Db; readonly clock: Clock; readonly log: Log };

type Held = { readonly epoch: bigint; readonly askedAtMs: number; readonly isAwaited: boolean };

type Leased = {
  readonly name: string;
  readonly holder: string;
  readonly epoch: bigint;
  readonly isAwaited: boolean;
};

/** `holder`: `nameProcess()` of this process. */
export function holdLeases(app: LeasesApp, holder: string, names: readonly string[]): Leases {
  const { db, clock, log } = app;
  const held = new Map<string, Held>();
  const wakes = new Map(names.map((name) => [name, createWake()]));
  /** By name, how many looks it is still left to the others. */
  const leftOut = new Map<string, number>();

  async function look(): Promise<'idle'> {
    const asked = names.filter((name) => {
      const looks = leftOut.get(name) ?? 0;
      if (looks > 0) leftOut.set(name, looks - 1);
      return looks === 0;
    });
    if (asked.length === 0) return 'idle';
    const gone = held.size === names.length ? [] : await listGone(db, holder, names);
    const askedAtMs = clock.monotonicMs();
    const leased = await db.single((tx) => tx.query<Leased>(takeLeases(asked, holder, gone)));
    for (const { name, holder: leader, epoch, isAwaited } of leased) {
      if (leader === holder) lead(name, { epoch, askedAtMs, isAwaited });
      else lose(name);
    }
    return 'idle';
  }

  function lead(name: string, now: Held): void {
    const [before, wasLeading] = [held.get(name), leadOf(name) !== undefined];
    held.set(name, now);
    if (before?.epoch !== now.epoch) {
      log.info('this process leads', { lease: name, epoch: `${now.epoch}` });
    }
    if (!wasLeading) wakes.get(name)?.wake();
  }

  function lose(name: string): void {
    if (held.delete(name)) log.warn('another process leads now', { lease: name });
  }

  function leadOf(name: string): Lead | undefined {
    const mine = held.get(name);
    if (mine === undefined || clock.monotonicMs() - mine.askedAtMs >= LEASE_MS) return undefined;
    return leadAs(name, holder, mine.epoch);
  }

  async function giveUp(name: string): Promise<void> {
    if (held.get(name)?.isAwaited !== true) return;
    leftOut.set(name, LOOKS_LEFT_OUT);
    held.delete(name);
    await release(app, holder, [name]);
    log.warn('this process leaves it to another', { lease: name });
  }

  const backoffMs = { first: LOOK_MS, most: LOOK_MS };
  const loop = startLoop({ name: 'leases', step: look, idleMs: LOOK_MS, ...app, backoffMs });
  return {
    look,
    handOverMs: LEASE_MS + LOOK_MS,
    leadership(name) {
      const wake = wakes.get(name) ?? createWake();
      return { leadOf: () => leadOf(name), wake, giveUp: () => giveUp(name) };
    },
    health: () => loop.health(),
    async stop() {
      await loop.stop();
      const mine = [...held.keys()];
      held.clear();
      if (mine.length > 0) await release(app, holder, mine);
    },
  };
}

/** Who does one of the things that one process does. */
export type Leader = {
  readonly name: string;
  /** `nameProcess()` of it. */
  readonly holder: string;
  /** Rises with each that takes over. */
  readonly epoch: bigint;
};

/** Of those whose lease has lapsed nothing is told: nobody leads then. */
export function listLeaders(reader: Reader): Promise<readonly Leader[]> {
  return reader.query(sql`
    select name, holder, epoch from lease where lease_until > now() order by name`);
}

function leadAs(name: string, holder: string, epoch: bigint): Lead {
  return {
    async isHeldIn(reader) {
      const found = await reader.query(sql`
        select 1 from lease where name = ${name} and holder = ${holder} and epoch = ${epoch}`);
      return found.length > 0;
    },
  };
}

/** Other holders that are known to have ended. */
async function listGone(
  db: Db,
  holder: string,
  names: readonly string[],
): Promise<readonly string[]> {
  const known = await LEASE.select(db, sql`where name = any(${names})`);
  const others = new Set(known.map((lease) => lease.holder).filter((one) => one !== holder));
  return [...others].filter(hasEnded);
}

/** Nobody has to wait for the end of a lease whose holder gives it back. */
async function release(
  { db, log }: LeasesApp,
  holder: string,
  names: readonly string[],
): Promise<void> {
  await db
    .single(async (tx) =>
      tx.send(sql`
        update lease set lease_until = now() where name = any(${names}) and holder = ${holder}`),
    )
    .catch((error: unknown) => log.warn('a lease ends by itself', { leases: names, error }));
}

/**
 * Who holds each after that. `now()` is that of the statement: whoever waited for another to renew
 * takes no lease that lapsed meanwhile.
 */
function takeLeases(names: readonly string[], holder: string, gone: readonly string[]) {
  const length = sql`interval '1 millisecond' * ${LEASE_MS}::integer`;
  const isMine = sql`known.holder = excluded.holder`;
  const isFree = sql`(known.lease_until <= now() or known.holder = any(${gone}::text[]))`;
  return sql`
    insert into lease as known (name, holder, epoch, lease_until)
    select name, ${holder}, 1, now() + ${length}
    from unnest(${names}::text[]) as asked (name) order by name
    on conflict (name) do update set
      holder = case when ${isFree} then excluded.holder else known.holder end,
      epoch = known.epoch + case when ${isFree} and not ${isMine} then 1 else 0 end,
      lease_until = case when ${isFree} or ${isMine} then excluded.lease_until
        else known.lease_until end,
      awaited_at = case when ${isFree} or ${isMine} then known.awaited_at else now() end
    returning name, holder, epoch,
      coalesce(awaited_at > now() - ${length}, false) as "isAwaited"`;
}
