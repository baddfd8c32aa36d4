// What is wrong now, the messages about it, and the SQL of both. What is remembered and what is to
// be sent are one transaction, so that nobody is told twice, however many processes look.

import { newId } from '#base/id.ts';
import type { Random } from '#base/random.ts';
import { type Db, type Reader, sql, type Tx } from '#db/db.ts';
import {
  bigInteger,
  defineTable,
  integer,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
} from '#db/table.ts';
import type { AlertKind } from './alert-kinds.ts';
import type { Alert, AlertStage, Trouble } from './decide-alerts.ts';

const ALERT = defineTable('alert', {
  kind: text<AlertKind>(),
  subject: text(),
  detail: text(),
  beganAt: moment,
  absentSince: optional(moment),
  toldAt: optional(moment),
  repeatedAt: optional(moment),
});

const ALERT_TURN = defineTable('alert_turn', { lookedAt: moment });

const NOTED_TROUBLE = defineTable('noted_trouble', {
  kind: text<AlertKind>(),
  detail: text(),
  notedAt: moment,
});

export const ALERT_CHANNELS = ['WEBHOOK', 'NTFY', 'TELEGRAM'] as const;
export type AlertChannel = (typeof ALERT_CHANNELS)[number];

const ALERT_MESSAGE = defineTable('alert_message', {
  id: text(),
  channel: text<AlertChannel>(),
  stage: text<AlertStage | 'TEST'>(),
  kind: text(),
  subject: text(),
  title: text(),
  detail: text(),
  happenedAt: moment,
  state: text<'PENDING' | 'SENT' | 'GIVEN_UP'>(),
  attemptCount: selectOnly(integer),
  nextAttemptAt: moment,
  leaseEpoch: selectOnly(bigInteger),
  lastAnswer: selectOnly(optional(text())),
  createdAt: moment,
});
export type AlertMessage = Row<typeof ALERT_MESSAGE>;
export type NewMessage = Pick<
  AlertMessage,
  'channel' | 'stage' | 'kind' | 'subject' | 'title' | 'detail' | 'happenedAt'
>;

/** Takes the turn to look; false when another looked a moment ago. */
export async function takeAlertTurn(
  tx: Tx,
  now: Temporal.Instant,
  { everySeconds }: { readonly everySeconds: number },
): Promise<boolean> {
  const lookedBefore = now.subtract({ seconds: everySeconds });
  const turn = await ALERT_TURN.find(tx, sql`where looked_at <= ${lookedBefore} for update`);
  if (turn === undefined) return false;
  tx.send(sql`update alert_turn set looked_at = ${now}`);
  return true;
}

export function listAlerts(reader: Reader): Promise<Alert[]> {
  return ALERT.select(reader, sql`order by kind, subject`);
}

/** In the place of all that was remembered. */
export function replaceAlerts(tx: Tx, alerts: readonly Alert[]): void {
  tx.send(sql`delete from alert`);
  if (alerts.length > 0) tx.send(ALERT.insert(alerts));
}

/** Sent with COMMIT. Answers the id. */
export function enqueueMessage(
  tx: Tx,
  message: NewMessage,
  { random, now }: { readonly random: Random; readonly now: Temporal.Instant },
): string {
  const id = newId(random);
  const row = { ...message, id, state: 'PENDING' as const, nextAttemptAt: now, createdAt: now };
  tx.send(ALERT_MESSAGE.insert([row]));
  return id;
}

type ClaimRequest = {
  readonly now: Temporal.Instant;
  readonly leaseUntil: Temporal.Instant;
  readonly most: number;
  /** This one alone. */
  readonly only?: string | undefined;
};

export function claimMessages(
  db: Db,
  { now, leaseUntil, most, only }: ClaimRequest,
): Promise<AlertMessage[]> {
  const isAsked = only === undefined ? sql`` : sql`and id = ${only}`;
  return db.transact(async (tx) => {
    const due = await ALERT_MESSAGE.select(
      tx,
      sql`where state = 'PENDING' and next_attempt_at <= ${now}
        and (lease_until is null or lease_until <= ${now}) ${isAsked}
        order by next_attempt_at, id limit ${most} for update skip locked`,
    );
    if (due.length > 0) {
      tx.send(sql`
        update alert_message set lease_until = ${leaseUntil}, lease_epoch = lease_epoch + 1
        where id = any(${due.map(({ id }) => id)}::text[])`);
    }
    return due.map((message) => ({ ...message, leaseEpoch: message.leaseEpoch + 1n }));
  });
}

export type MessageOutcome =
  | { readonly kind: 'sent' }
  | { readonly kind: 'retry'; readonly at: Temporal.Instant }
  | { readonly kind: 'given-up' };

/** Nothing where the lease was taken over. */
export async function recordMessage(
  db: Db,
  { id, leaseEpoch }: Pick<AlertMessage, 'id' | 'leaseEpoch'>,
  { outcome, answer, now }: { outcome: MessageOutcome; answer: string; now: Temporal.Instant },
): Promise<void> {
  const after =
    outcome.kind === 'retry'
      ? sql`next_attempt_at = ${outcome.at}`
      : sql`finished_at = ${now}, state = ${outcome.kind === 'sent' ? 'SENT' : 'GIVEN_UP'}`;
  await db.single((tx) =>
    tx.query(sql`
      update alert_message set ${after}, attempt_count = attempt_count + 1, lease_until = null,
        last_answer = ${answer}
      where id = ${id} and lease_epoch = ${leaseEpoch} and state = 'PENDING'`),
  );
}

/** Those that ended before. */
export async function forgetMessages(db: Db, endedBefore: Temporal.Instant): Promise<void> {
  await db.single((tx) =>
    tx.query(
      sql`delete from alert_message where state <> 'PENDING' and finished_at < ${endedBefore}`,
    ),
  );
}

/** What a command found wrong, until it finds it right (`detail` undefined). */
export async function noteTrouble(
  db: Db,
  kind: AlertKind,
  detail: string | undefined,
  now: Temporal.Instant,
): Promise<void> {
  await db.single((tx) =>
    tx.query(
      detail === undefined
        ? sql`delete from noted_trouble where kind = ${kind}`
        : sql`insert into noted_trouble (kind, detail, noted_at) values (${kind}, ${detail}, ${now})
            on conflict (kind) do update set detail = ${detail}, noted_at = ${now}`,
    ),
  );
}

export async function listNotedTroubles(reader: Reader): Promise<Trouble[]> {
  const rows = await NOTED_TROUBLE.select(reader, sql`order by kind`);
  return rows.map(({ kind, detail }) => ({ kind, detail, subject: '' }));
}

/** Those of tests since then, with what their channels answered. */
export function listTestMessages(
  reader: Reader,
  since: Temporal.Instant,
): Promise<
  { readonly channel: AlertChannel; readonly state: string; readonly answer: string | null }[]
> {
  return reader.query(sql`
    select channel, state, last_answer as answer from alert_message
    where stage = 'TEST' and created_at >= ${since} order by channel`);
}
