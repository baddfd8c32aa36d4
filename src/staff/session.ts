// Who is signed in: a row for each browser, opened by the token in its cookie. Guarantees: the
// database alone opens no session; what was ended opens nothing at the next request; a session ends
// by itself when it was not used for a day and a half, and after thirty days in any case. Rotation:
// a new sign-in makes a new session and ends the one that the browser had, so that nobody keeps one
// that somebody else put there.

import type { Clock } from '#base/clock.ts';
import type { Random } from '#base/random.ts';
import { type Db, type Reader, sql, type Tx } from '#db/db.ts';
import {
  bytes,
  defineTable,
  json,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
} from '#db/table.ts';
import { isToken, newToken, shortName, type TokenKeys, tokenHash } from './token.ts';

/** A form that was sent when its act asked for a recent proof, without its secrets. */
export type KeptForm = {
  /** Where it was sent to. */
  readonly path: string;
  /** The page on which it stood. */
  readonly page: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
};

export const STAFF_SESSION = defineTable('staff_session', {
  hash: bytes,
  personId: text(),
  startedAt: moment,
  seenAt: moment,
  /** When the person last proved who he is. */
  freshAt: moment,
  endedAt: selectOnly(optional(moment)),
  /** Path of the point of sale that the browser shows alone; undefined: everything. */
  kiosk: selectOnly(optional(text())),
  address: text(),
  /** What the browser calls itself. */
  agent: text(),
  keptForm: selectOnly(optional(json<KeptForm>())),
  keptAt: selectOnly(optional(moment)),
});
export type StaffSession = Row<typeof STAFF_SESSION>;

const IDLE_HOURS = 36;
const LONGEST_HOURS = 30 * 24;
/** How long a proof counts for what asks for a recent one. */
const FRESH_MINUTES = 10;
/** How long a form waits for the proof, and for whoever then looks at it again. */
const KEPT_MINUTES = 15;
/** It is not noted at every click when somebody was here. */
const SEEN_EVERY_MS = 60_000;
const AGENT_MOST = 200;

type SessionApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly keyring: TokenKeys;
};

export type From = { readonly address: string; readonly agent: string };

type NewSession = From & {
  readonly replaced: string | undefined;
  /** Stale: how he came in is no recent proof. */
  readonly proof: 'fresh' | 'stale';
};

/** Answers the token of the cookie. `replaced`: what the same browser had. */
export function startSession(
  app: Omit<SessionApp, 'db'>,
  tx: Tx,
  personId: string,
  { address, agent, replaced, proof }: NewSession,
): string {
  const token = newToken(app.random);
  const now = app.clock.now();
  if (replaced !== undefined && isToken(replaced)) {
    const hash = tokenHash(app.keyring, 'session', replaced);
    tx.send(sql`
      update staff_session set ended_at = ${now} where hash = ${hash} and ended_at is null`);
  }
  const session = {
    hash: tokenHash(app.keyring, 'session', token),
    personId,
    startedAt: now,
    seenAt: now,
    freshAt: proof === 'fresh' ? now : now.subtract({ minutes: FRESH_MINUTES }),
    address,
    agent: agent.slice(0, AGENT_MOST),
  };
  tx.send(STAFF_SESSION.insert([session]));
  return token;
}

/** Undefined when it has ended, by itself too. */
export async function findSession(
  app: SessionApp,
  token: string,
): Promise<StaffSession | undefined> {
  if (!isToken(token)) return undefined;
  const hash = tokenHash(app.keyring, 'session', token);
  const now = app.clock.now();
  const session = await STAFF_SESSION.find(app.db, sql`where hash = ${hash} and ${running(now)}`);
  if (session === undefined) return undefined;
  if (now.since(session.seenAt).total('milliseconds') >= SEEN_EVERY_MS) {
    await app.db.single((tx) =>
      tx.query(sql`update staff_session set seen_at = ${now} where hash = ${hash}`),
    );
  }
  return session;
}

export function isFresh({ freshAt }: StaffSession, now: Temporal.Instant): boolean {
  return now.since(freshAt).total('minutes') < FRESH_MINUTES;
}

export function noteFreshProof(tx: Tx, hash: Uint8Array, now: Temporal.Instant): void {
  tx.send(sql`update staff_session set fresh_at = ${now} where hash = ${hash}`);
}

/** Until the proof is given: one form of a session, the last. */
export async function keepForm(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { hash }: Pick<StaffSession, 'hash'>,
  form: KeptForm,
): Promise<void> {
  await db.single((tx) =>
    tx.query(sql`
      update staff_session set kept_form = ${JSON.stringify(form)}, kept_at = ${clock.now()}
      where hash = ${hash}`),
  );
}

/** The form that waits for its proof, or that comes back after it. */
export function keptFormOf(
  { keptForm, keptAt }: Pick<StaffSession, 'keptForm' | 'keptAt'>,
  now: Temporal.Instant,
): KeptForm | undefined {
  if (keptAt === undefined || now.since(keptAt).total('minutes') >= KEPT_MINUTES) return undefined;
  return keptForm;
}

/** It was sent again. */
export async function forgetForm(
  { db }: { readonly db: Db },
  { hash }: Pick<StaffSession, 'hash'>,
): Promise<void> {
  await db.single((tx) =>
    tx.query(sql`update staff_session set kept_form = null, kept_at = null where hash = ${hash}`),
  );
}

/** Those that nobody came back for, of sessions that are over too. */
export async function forgetOldForms({
  db,
  clock,
}: Pick<SessionApp, 'db' | 'clock'>): Promise<void> {
  const oldest = clock.now().subtract({ minutes: KEPT_MINUTES });
  await db.single((tx) =>
    tx.query(sql`
      update staff_session set kept_form = null, kept_at = null where kept_at <= ${oldest}`),
  );
}

/**
 * `path`: what this browser shows alone from now on, whatever was proven before; undefined: it
 * shows everything again.
 */
export async function changeKiosk(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { hash }: Pick<StaffSession, 'hash'>,
  path: string | undefined,
): Promise<void> {
  const provenBefore = clock.now().subtract({ minutes: FRESH_MINUTES });
  const change =
    path === undefined
      ? sql`kiosk = null`
      : sql`kiosk = ${path}, fresh_at = least(fresh_at, ${provenBefore})`;
  await db.single((tx) => tx.query(sql`update staff_session set ${change} where hash = ${hash}`));
}

/** Where somebody signed in from, and with what, is nobody's reading for ever. */
const KEPT_DAYS = 90;

/** Those of the past: none lasts as long. */
export async function forgetSessions({
  db,
  clock,
}: Pick<SessionApp, 'db' | 'clock'>): Promise<void> {
  const before = clock.now().subtract({ hours: 24 * KEPT_DAYS });
  await db.single((tx) => tx.query(sql`delete from staff_session where started_at < ${before}`));
}

type ListedSession = Pick<StaffSession, 'startedAt' | 'seenAt' | 'address' | 'agent'> & {
  /** Names it in a form: opens nothing. */
  readonly name: string;
  readonly isThis: boolean;
};

/** The last used first. */
export async function listSessions(
  { db, clock }: { readonly db: Reader; readonly clock: Clock },
  session: StaffSession,
): Promise<ListedSession[]> {
  const found = await STAFF_SESSION.select(
    db,
    sql`where person_id = ${session.personId} and ${running(clock.now())} order by seen_at desc`,
  );
  return found.map(({ hash, startedAt, seenAt, address, agent }) => ({
    name: shortName(hash),
    isThis: isEqual(hash, session.hash),
    startedAt,
    seenAt,
    address,
    agent,
  }));
}

/** One of the same person by its name; undefined: all but this one. Answers how many. */
export async function endSessions(
  tx: Tx,
  { personId, hash }: Pick<StaffSession, 'personId' | 'hash'>,
  name: string | undefined,
  now: Temporal.Instant,
): Promise<number> {
  const running = await STAFF_SESSION.select(
    tx,
    sql`where person_id = ${personId} and ended_at is null`,
  );
  const ended = running.filter((one) =>
    name === undefined ? !isEqual(one.hash, hash) : shortName(one.hash) === name,
  );
  for (const one of ended) {
    tx.send(sql`update staff_session set ended_at = ${now} where hash = ${one.hash}`);
  }
  return ended.length;
}

/** Names a browser, signed in or not: what its forms are bound to. */
export function readBrowserToken(known: string, random: Random): string {
  return isToken(known) ? known : newToken(random);
}

/** Stands in every form that this browser is shown; another browser's fits none of them. */
export function formTokenOf(keyring: TokenKeys, browserToken: string): string {
  const hash = tokenHash(keyring, 'form', browserToken);
  return hash.toBase64({ alphabet: 'base64url', omitPadding: true });
}

/** Of whoever signs out. */
export async function endSession(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  { hash }: Pick<StaffSession, 'hash'>,
): Promise<void> {
  await db.single((tx) =>
    tx.query(sql`update staff_session set ended_at = ${clock.now()} where hash = ${hash}`),
  );
}

/** Of somebody who left, or whose ways in were changed by another. */
export function endAllSessions(tx: Tx, personId: string, now: Temporal.Instant): void {
  tx.send(sql`
    update staff_session set ended_at = ${now} where person_id = ${personId} and ended_at is null`);
}

function running(now: Temporal.Instant) {
  const idleSince = now.subtract({ hours: IDLE_HOURS });
  const startedSince = now.subtract({ hours: LONGEST_HOURS });
  return sql`ended_at is null and seen_at > ${idleSince} and started_at > ${startedSince}`;
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.toHex() === other.toHex();
}
