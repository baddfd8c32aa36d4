// Who did what with money on its way out, or with what decides where it may go (keys, people,
// settings), and the SQL of the table. An act is noted in the
// transaction that does it, so that neither is without the other. Rows are only added: triggers
// refuse the rest, and seals show what was done past them (seal-acts.ts).
import type { Clock } from '#base/clock.ts';
import type { Environment } from '#catalog/chain.ts';
import { type Db, type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import { dbWithin } from '#db/db-within.ts';
import type { NumberedTable } from '#db/settled-top.ts';
import {
  bigInteger,
  defineTable,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
} from '#db/table.ts';
import { actingFrom } from './acting-from.ts';

export const ACT = defineTable('act', {
  id: selectOnly(bigInteger),
  actedAt: moment,
  /** `key <id>`, a name at the command line, `payer`, `signer` or `service`. */
  actor: text(),
  /** Such as `transfer-commit`. */
  verb: text(),
  /** Such as `transfer:<id>`. */
  subject: text(),
  /** Undefined of what is of no environment. */
  environment: optional(text<Environment>()),
  /** Undefined: of the house. */
  merchantId: optional(text()),
  /** JSON text. */
  details: text(),
});
export type Act = Row<typeof ACT>;

export const ACT_NUMBERS: NumberedTable = {
  name: ACT.name,
  top: sql`select coalesce(max(id), 0) from act`,
};

type NewAct = Pick<Act, 'actedAt' | 'actor' | 'verb' | 'subject'> & {
  readonly environment?: Environment | undefined;
  readonly merchantId?: string | undefined;
  /** Units as text, since numbers of JSON are not exact everywhere. */
  readonly details?: Readonly<Record<string, string | null | undefined>>;
};

/** With the network address of whoever asked for it, where there is one. */
export function noteAct(tx: Tx, { details = {}, environment, merchantId, ...act }: NewAct): void {
  const sentFrom = actingFrom();
  const said = JSON.stringify(sentFrom === undefined ? details : { ...details, sentFrom });
  tx.send(ACT.insert([{ ...act, environment, merchantId, details: said }]));
}

/**
 * Does it and notes it, in one transaction. `work` does all it does through the Db it is given, and
 * asks nobody outside the database.
 */
export function doNoted<App extends { readonly db: Db; readonly clock: Clock }, Done>(
  app: App,
  {
    subject,
    ...act
  }: Omit<NewAct, 'actedAt' | 'subject'> & {
    /** Where it is known only of what was done, found in that. */
    readonly subject: string | ((done: Done) => string);
  },
  work: (within: App) => Promise<Done>,
): Promise<Done> {
  return app.db.transact(async (tx) => {
    const done = await work({ ...app, db: dbWithin(tx) });
    const about = typeof subject === 'function' ? subject(done) : subject;
    noteAct(tx, { ...act, subject: about, actedAt: app.clock.now() });
    return done;
  });
}

type ActFilter = {
  readonly actor?: string | undefined;
  readonly verb?: string | undefined;
  /** `transfer:<id>`, or what comes before the colon: all of that kind. */
  readonly about?: string | undefined;
  readonly since?: Temporal.Instant | undefined;
  readonly merchantId?: string | undefined;
};

/** The newest, oldest first. */
export async function listActs(
  reader: Reader,
  { actor, verb, about, since, merchantId }: ActFilter,
  most: number,
): Promise<Act[]> {
  const isNew = since === undefined ? sql`true` : sql`acted_at >= ${since}`;
  const found = await ACT.select(
    reader,
    sql`where ${is(sql`actor`, actor)} and ${is(sql`verb`, verb)} and ${isAbout(about)} and ${isNew}
      and ${is(sql`merchant_id`, merchantId)} order by id desc limit ${most}`,
  );
  return found.toReversed();
}

export type TrailFilter = {
  /** Undefined: of anybody. */
  readonly actor?: string | undefined;
  /** How the verb begins. */
  readonly verb?: string | undefined;
  /** `chain:<id>`, or what comes before the colon: all of that kind. */
  readonly about?: string | undefined;
  readonly since?: Temporal.Instant | undefined;
  readonly before?: Temporal.Instant | undefined;
  /** Older than this one. */
  readonly olderThan?: bigint | undefined;
};

/** What is of the house, and what these actors did anywhere; the newest first. */
export async function listHouseActs(
  reader: Reader,
  actors: readonly string[],
  filter: TrailFilter,
  most: number,
): Promise<Act[]> {
  const asked = isAsked(filter);
  const rows = await reader.query<object>(sql`
    select * from (
      (select ${ACT.columns} from act where merchant_id is null and ${asked}
        order by id desc limit ${most})
      union
      (select found.* from unnest(${actors}::text[]) as known (who) cross join lateral (
        select ${ACT.columns} from act where actor = known.who and ${asked}
        order by id desc limit ${most}) as found)
    ) as acts order by id desc limit ${most}`);
  return rows.map(ACT.parse);
}

/**
 * What was done with one merchant in one environment, or in none; the newest first. `unseen`: kinds
 * of subjects that whoever reads is not shown.
 */
export function listShopActs(
  reader: Reader,
  { merchantId, environment }: { readonly merchantId: string; readonly environment: Environment },
  { unseen, ...filter }: TrailFilter & { readonly unseen: readonly string[] },
  most: number,
): Promise<Act[]> {
  return ACT.select(
    reader,
    sql`where merchant_id = ${merchantId}
      and (environment is null or environment = ${environment})
      and split_part(subject, ':', 1) <> all(${unseen}::text[])
      and ${isAsked(filter)} order by id desc limit ${most}`,
  );
}

function isAsked({ actor, verb, about, since, before, olderThan }: TrailFilter): Statement {
  return [
    is(sql`actor`, actor),
    verb === undefined ? sql`true` : sql`starts_with(verb, ${verb})`,
    isAbout(about),
    since === undefined ? sql`true` : sql`acted_at >= ${since}`,
    before === undefined ? sql`true` : sql`acted_at < ${before}`,
    olderThan === undefined ? sql`true` : sql`id < ${olderThan}`,
  ].reduce((all, one) => sql`${all} and ${one}`);
}

/** Of these subjects, of each the newest; oldest first. Of one merchant. */
export async function listActsAbout(
  reader: Reader,
  { merchantId, subjects }: { readonly merchantId: string; readonly subjects: readonly string[] },
  most: number,
): Promise<Act[]> {
  const rows = await reader.query<object>(sql`
    select found.* from unnest(${subjects}::text[]) as asked (about) cross join lateral (
      select ${ACT.columns} from act
      where subject = asked.about and merchant_id = ${merchantId}
      order by id desc limit ${most}
    ) as found order by found.id`);
  return rows.map(ACT.parse);
}

/** Whoever did one of these with it, each once. */
export async function listActors(
  reader: Reader,
  subject: string,
  verbs: readonly string[],
): Promise<string[]> {
  const found = await reader.query<{ actor: string }>(sql`
    select distinct actor from act
    where subject = ${subject} and verb = any(${verbs}::text[]) order by actor`);
  return found.map(({ actor }) => actor);
}

function isAbout(about: string | undefined): Statement {
  return about === undefined || about.includes(':')
    ? is(sql`subject`, about)
    : sql`starts_with(subject, ${`${about}:`})`;
}

function is(column: Statement, value: string | undefined): Statement {
  return value === undefined ? sql`true` : sql`${column} = ${value}`;
}

/** In their order: above `after`, at most `upTo`. */
export function listActsAfter(
  reader: Reader,
  { after, upTo, limit }: { readonly after: bigint; readonly upTo: bigint; readonly limit: number },
): Promise<Act[]> {
  return ACT.select(reader, sql`where id > ${after} and id <= ${upTo} order by id limit ${limit}`);
}
