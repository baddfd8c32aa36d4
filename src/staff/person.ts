// Somebody who signs in to the dashboard, what he may with which merchant, and the SQL of both
// tables. A person is never deleted, because acts name him: whoever left has no way in any more.

import { noteAct } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import { isEmail } from '#base/text.ts';
import type { DashboardLanguageCode } from '#catalog/language.ts';
import { type Db, type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import {
  bigInteger,
  bytes,
  defineTable,
  flag,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
  texts,
} from '#db/table.ts';
import type { DataKey, Keyring } from '#installation/keyring.ts';
import { getsMail, mayAct, type StaffAct, type StaffMailKind, type StaffRole } from './role.ts';

export const PERSON = defineTable('person', {
  id: text(),
  /** In lower case. */
  email: text(),
  name: text(),
  /** Runs the installation. */
  isOperator: flag,
  sealedDataKey: bytes,
  passwordHash: selectOnly(optional(text())),
  sealedTotp: selectOnly(optional(bytes)),
  /** The time step of the last code that was taken: none counts twice (RFC 6238, 5.2). */
  totpUsedStep: selectOnly(optional(bigInteger)),
  createdAt: moment,
  leftAt: selectOnly(optional(moment)),
});
export type Person = Row<typeof PERSON>;
const LISTED = PERSON.only('id', 'email', 'name', 'isOperator');

export const MEMBERSHIP = defineTable('membership', {
  personId: text(),
  merchantId: text(),
  role: text<StaffRole>(),
  grantedAt: moment,
  /** Undefined: as his role has it. */
  mails: selectOnly(optional(texts())),
  mailLanguage: selectOnly(optional(text<DashboardLanguageCode>())),
  summarizedUntil: selectOnly(optional(moment)),
});
type Membership = Row<typeof MEMBERSHIP>;

/** As it is stored and compared. @throws Refusal invalid `email` */
export function readEmail(typed: string): string {
  const email = typed.trim().toLowerCase();
  if (isEmail(email)) return email;
  throw new Refusal('invalid', 'email', 'email: an address such as ann@shop.example is wanted');
}

const NAME_MOST = 100;

/** @throws Refusal invalid `name` */
export function readName(typed: string): string {
  const name = typed.trim().replaceAll(/\s+/gu, ' ');
  if (name !== '' && name.length <= NAME_MOST && !/\p{Cc}/u.test(name)) return name;
  throw new Refusal('invalid', 'name', `name: 1 to ${NAME_MOST} characters are wanted`);
}

export function insertPerson(
  tx: Tx,
  person: Pick<Person, 'id' | 'email' | 'name' | 'isOperator' | 'sealedDataKey' | 'createdAt'>,
): void {
  tx.send(PERSON.insert([person]));
}

/** Undefined also of somebody who left. */
export function findPerson(reader: Reader, id: string): Promise<Person | undefined> {
  return PERSON.find(reader, sql`where id = ${id} and left_at is null`);
}

export function findPersonByEmail(reader: Reader, email: string): Promise<Person | undefined> {
  return PERSON.find(reader, sql`where email = ${email} and left_at is null`);
}

/** Waits for whoever changes the same person. @throws Refusal missing `person` */
export async function lockPerson(tx: Tx, id: string): Promise<Person> {
  const person = await PERSON.find(tx, sql`where id = ${id} and left_at is null for update`);
  if (person === undefined) throw new Refusal('missing', 'person', `nobody is ${id}`);
  return person;
}

export function makeOperator(tx: Tx, id: string): void {
  tx.send(sql`update person set is_operator = true where id = ${id}`);
}

export function setPassword(tx: Tx, id: string, hash: string): void {
  tx.send(sql`update person set password_hash = ${hash} where id = ${id}`);
}

/** Undefined: a password is enough again. */
export function setTotp(tx: Tx, id: string, sealed: Uint8Array | undefined): void {
  tx.send(sql`
    update person set sealed_totp = ${sealed ?? null}, totp_used_step = null where id = ${id}`);
}

/** Answers false when a code of this step or a later one was taken already. */
export async function takeTotpStep(db: Db, id: string, step: bigint): Promise<boolean> {
  const taken = await db.single((tx) =>
    tx.query<{ id: string }>(sql`
      update person set totp_used_step = ${step}
      where id = ${id} and coalesce(totp_used_step, -1) < ${step} returning id`),
  );
  return taken.length === 1;
}

export function dataKeyOf(keyring: Keyring, { id, sealedDataKey }: Person): DataKey {
  return keyring.openDataKey(id, sealedDataKey);
}

const ACTOR = 'person ';

/** As the trail names a person. */
export function actorOf(personId: string): string {
  return `${ACTOR}${personId}`;
}

/** Id of the person whom the trail names; undefined of whoever else. */
export function personOf(actor: string): string | undefined {
  return actor.startsWith(ACTOR) ? actor.slice(ACTOR.length) : undefined;
}

/** Whether somebody may still do it with the merchant, for what goes on after he said so. */
export async function mayPerson(
  reader: Reader,
  { personId, merchantId }: Pick<Membership, 'personId' | 'merchantId'>,
  act: StaffAct,
): Promise<boolean> {
  const own = sql`where person_id = ${personId} and merchant_id = ${merchantId}`;
  const [person, membership] = await Promise.all([
    findPerson(reader, personId),
    MEMBERSHIP.find(reader, own),
  ]);
  return person !== undefined && membership !== undefined && mayAct(membership.role, act);
}

/** Oldest first. */
export function listMemberships(reader: Reader, personId: string): Promise<Membership[]> {
  return MEMBERSHIP.select(
    reader,
    sql`where person_id = ${personId} order by granted_at, merchant_id`,
  );
}

export function putMembership(
  tx: Tx,
  membership: Pick<Membership, 'personId' | 'merchantId' | 'role' | 'grantedAt'>,
): void {
  tx.send(
    MEMBERSHIP.insert(
      [membership],
      sql`on conflict (person_id, merchant_id) do update set ${MEMBERSHIP.excluded(['role', 'grantedAt'])}`,
    ),
  );
}

export function deleteMembership(tx: Tx, personId: string, merchantId: string): void {
  tx.send(
    sql`delete from membership where person_id = ${personId} and merchant_id = ${merchantId}`,
  );
}

type ListedPerson = Pick<Person, 'id' | 'email' | 'name' | 'isOperator'> & {
  readonly memberships: readonly Pick<Membership, 'merchantId' | 'role'>[];
};

/** Everybody of the installation, by address. */
export async function listPeople(reader: Reader): Promise<ListedPerson[]> {
  const [people, memberships] = await Promise.all([
    LISTED.select(reader, sql`where left_at is null order by email`),
    MEMBERSHIP.select(reader, sql`order by granted_at, merchant_id`),
  ]);
  const byPerson = Map.groupBy(memberships, ({ personId }) => personId);
  return people.map((person) => ({
    ...person,
    memberships: (byPerson.get(person.id) ?? []).map(({ merchantId, role }) => ({
      merchantId,
      role,
    })),
  }));
}

/** Everybody who runs the installation. */
export function listOperators(reader: Reader): Promise<Pick<Person, 'id' | 'email'>[]> {
  return LISTED.select(reader, sql`where is_operator and left_at is null order by email`);
}

type Colleague = Pick<Person, 'id' | 'email' | 'name'> & { readonly role: StaffRole };

/** Who may do something with the merchant, by name. */
export function listColleagues(reader: Reader, merchantId: string): Promise<Colleague[]> {
  return reader.query<Colleague>(sql`
    select p.id, p.email, p.name, m.role from membership m join person p on p.id = m.person_id
    where m.merchant_id = ${merchantId} and p.left_at is null order by p.name, p.id`);
}

/** How many people may do something, by merchant; those without anybody are left out. */
export async function countMembers(
  reader: Reader,
  merchantIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await reader.query<{ readonly merchantId: string; readonly members: number }>(sql`
    select m.merchant_id as "merchantId", count(*)::integer as members
    from membership m join person p on p.id = m.person_id
    where m.merchant_id = any(${merchantIds}::text[]) and p.left_at is null
    group by m.merchant_id`);
  return new Map(rows.map(({ merchantId, members }) => [merchantId, members]));
}

/** Locks them, so that two changes at once never leave a merchant without an owner. */
export async function lockOwners(tx: Tx, merchantId: string): Promise<readonly string[]> {
  const owners = await tx.query<{ personId: string }>(sql`
    select m.person_id as "personId" from membership m join person p on p.id = m.person_id
    where m.merchant_id = ${merchantId} and m.role = 'OWNER' and p.left_at is null
    order by m.person_id for update of m`);
  return owners.map(({ personId }) => personId);
}

// Mails that people want of a merchant.

export type MailReceiver = {
  readonly personId: string;
  readonly merchantId: string;
  readonly email: string;
  readonly role: StaffRole;
  readonly mails: readonly string[] | null;
  /** Null: as the pages of the merchant. */
  readonly language: DashboardLanguageCode | null;
};

function selectReceivers(reader: Reader, rest: Statement): Promise<MailReceiver[]> {
  return reader.query<MailReceiver>(sql`
    select m.person_id as "personId", m.merchant_id as "merchantId", p.email, m.role, m.mails,
      m.mail_language as language
    from membership m join person p on p.id = m.person_id where p.left_at is null and ${rest}`);
}

/** Whoever wants this kind, and may. */
export async function listMailReceivers(
  reader: Reader,
  merchantId: string,
  kind: StaffMailKind,
): Promise<MailReceiver[]> {
  const all = await selectReceivers(
    reader,
    sql`m.merchant_id = ${merchantId} order by m.person_id`,
  );
  return all.filter(({ role, mails }) => getsMail(role, mails ?? undefined, kind));
}

export async function findMailReceiver(
  reader: Reader,
  { personId, merchantId }: Pick<MailReceiver, 'personId' | 'merchantId'>,
): Promise<MailReceiver | undefined> {
  const [found] = await selectReceivers(
    reader,
    sql`m.person_id = ${personId} and m.merchant_id = ${merchantId}`,
  );
  return found;
}

/** Who wants a summary, and has got none of the day that ended then. */
export function listDueSummaries(
  reader: Reader,
  endedAt: Temporal.Instant,
  most: number,
): Promise<MailReceiver[]> {
  return selectReceivers(
    reader,
    sql`'DAILY_SUMMARY' = any(m.mails) and m.summarized_until < ${endedAt}
      order by m.merchant_id, m.person_id limit ${most}`,
  );
}

export function noteSummarized(
  tx: Tx,
  { personId, merchantId }: Pick<MailReceiver, 'personId' | 'merchantId'>,
  endedAt: Temporal.Instant,
): void {
  tx.send(sql`
    update membership set summarized_until = ${endedAt}
    where person_id = ${personId} and merchant_id = ${merchantId}`);
}

/**
 * Noted where it is another choice than before; nothing is done with a shop that is not his.
 * `dayEndedAt`: of yesterday: the first summary is of the day that is not over yet.
 */
export async function chooseMails(
  tx: Tx,
  wish: {
    readonly personId: string;
    readonly merchantId: string;
    readonly mails: readonly StaffMailKind[];
    readonly language: DashboardLanguageCode;
    readonly dayEndedAt: Temporal.Instant;
    readonly now: Temporal.Instant;
  },
): Promise<void> {
  const { personId, merchantId, mails, language, dayEndedAt, now } = wish;
  const own = sql`where person_id = ${personId} and merchant_id = ${merchantId}`;
  const before = await MEMBERSHIP.find(tx, sql`${own} for update`);
  if (before === undefined) return;
  tx.send(sql`
    update membership set mails = ${mails}::text[], mail_language = ${language},
      summarized_until = case when 'DAILY_SUMMARY' = any(mails) then summarized_until
        else ${dayEndedAt}::timestamptz end ${own}`);
  const wanted = { mails: mails.join(' '), language };
  const had = { mails: before.mails?.join(' '), language: before.mailLanguage };
  if (wanted.mails === had.mails && wanted.language === had.language) return;
  noteAct(tx, {
    ...{ actedAt: now, actor: actorOf(personId), verb: 'mails-choose' },
    ...{ subject: `person:${personId}`, merchantId },
    details: { before: had.mails, after: wanted.mails, language },
  });
}
