// What waits for a second person, who approved it, and the SQL of its table. Guarantees: the maker
// never approves his own act, whatever he writes his name like, nor with a key whose secret he was
// shown (same-person.ts); an approval is of exactly what was shown, and ends when that changes; a
// row that was written past the service approves nothing, because the key of its seal lies outside
// the database. Not guaranteed: that a name is who it says; whoever may run commands on the server
// may give any. Keys of the API prove themselves.

import { timingSafeEqual } from 'node:crypto';
import { type Act, noteAct } from '#audit/act.ts';
import type { Clock } from '#base/clock.ts';
import { Refusal } from '#base/refusal.ts';
import type { Environment } from '#catalog/chain.ts';
import type { Owner } from '#catalog/owner.ts';
import { type Db, type Reader, type Statement, sql, type Tx } from '#db/db.ts';
import { bytes, defineTable, moment, optional, type Row, text } from '#db/table.ts';
import type { AssetAmount } from '#money/asset-amount.ts';
import { APPROVAL_LASTS, type ApprovalVerdict, decideApproval } from './decide-approval.ts';
import { findLimitAbove, type SpendingApp } from './require-within-limits.ts';
import { isSamePerson } from './same-person.ts';

export const APPROVAL = defineTable('approval', {
  /** `transfer:<id>`, `limit:…` */
  subject: text(),
  environment: text<Environment>(),
  /** Undefined: money of the house. */
  merchantId: optional(text()),
  /** What is shown to whoever approves. */
  about: text(),
  /** Of what is approved. */
  digest: bytes,
  /** Undefined where nobody is known. */
  maker: optional(text()),
  askedAt: moment,
  approver: optional(text()),
  approvedAt: optional(moment),
  seal: optional(bytes),
});
export type Approval = Row<typeof APPROVAL>;

/** The narrow part of the keyring that seals of approvals need. */
type ApprovalKeys = { mac(purpose: 'approval', bytes: Uint8Array): Uint8Array };

export type ApprovalApp = SpendingApp & {
  readonly clock: Clock;
  readonly keyring: ApprovalKeys;
};

type Asked = Pick<
  Approval,
  'subject' | 'environment' | 'merchantId' | 'about' | 'digest' | 'maker'
>;
/** An act that may need a second person. */
export type ActToApprove = Asked & { readonly amount: AssetAmount };

/**
 * Whether it may go on as far as the number of people goes: by the limits as they are now. Whoever
 * has to be asked is asked from now on.
 */
export async function checkApproval(
  app: ApprovalApp,
  tx: Tx,
  act: ActToApprove,
): Promise<Exclude<ApprovalVerdict, 'ask'>> {
  const { environment, merchantId = '', amount } = act;
  const now = app.clock.now();
  const owner = { environment, merchantId };
  const above = await findLimitAbove(app, tx, owner, 'TWO_PEOPLE', { amount, now });
  return above === undefined ? 'approved' : checkSecond(app, tx, act);
}

async function checkSecond(
  { clock, keyring }: Pick<ApprovalApp, 'clock' | 'keyring'>,
  tx: Tx,
  act: Asked,
): Promise<Exclude<ApprovalVerdict, 'ask'>> {
  const now = clock.now();
  const known = await APPROVAL.find(tx, sql`where subject = ${act.subject} for update`);
  const verdict = decideApproval(
    known && {
      ...known,
      isOfThis: isSame(known.digest, act.digest),
      isSealed: isSealed(keyring, known),
    },
    now,
  );
  if (verdict !== 'ask') return verdict;
  ask(tx, act, now);
  return 'waits';
}

type Said = Pick<Asked, 'subject' | 'environment' | 'merchantId' | 'about'> & {
  readonly actor: string;
  /** What the approval is of, beside the amount. */
  readonly words: readonly string[];
};
/** What a person says of money that left, or does with money of the house. */
type SaidAct = Said & { readonly amount: AssetAmount };

/**
 * Above the limit of one person he says it, another one approves exactly this, and then it is said
 * again. Not within another transaction: that he was here stays when he is refused.
 * @throws Refusal conflict `second_person`
 */
export async function requireSecondPerson(
  app: ApprovalApp & { readonly db: Db },
  { actor, words, ...act }: SaidAct,
): Promise<void> {
  const { assetId, units } = act.amount;
  const digest = digestOf(app.keyring, act, [assetId, `${units}`, ...words]);
  const toApprove = { ...act, maker: actor, digest };
  const verdict = await app.db.transact(async (tx) => {
    const found = await checkApproval(app, tx, toApprove);
    // Nothing is reserved for it: whoever says it again asks again.
    if (found === 'expired') ask(tx, toApprove, app.clock.now());
    return found;
  });
  if (verdict !== 'approved') {
    throw sayAgain(act.subject, 'it is above the limit of one person');
  }
}

/**
 * Of what needs two people whatever the limits say: whether another one has approved exactly this.
 * Then the approval is used up, and who does it once more asks once more. Otherwise he is asked,
 * and the transaction has to be committed for that.
 */
export async function takeApproval(
  app: Pick<ApprovalApp, 'clock' | 'keyring'>,
  tx: Tx,
  { actor, words, ...act }: Said,
): Promise<boolean> {
  const toApprove = { ...act, maker: actor, digest: digestOf(app.keyring, act, words) };
  const verdict = await checkSecond(app, tx, toApprove);
  if (verdict === 'expired') ask(tx, toApprove, app.clock.now());
  if (verdict !== 'approved') return false;
  tx.send(sql`delete from approval where subject = ${act.subject}`);
  return true;
}

/** `why`: a sentence without its end. */
export function sayAgain(subject: string, why: string): Refusal {
  return new Refusal('conflict', 'second_person', [
    `${why}: let another one say npx quittance approval give ${subject}, then say this again`,
  ]);
}

function digestOf(
  keyring: ApprovalKeys,
  { subject, environment }: Pick<Said, 'subject' | 'environment'>,
  words: readonly string[],
): Uint8Array {
  const said = ['said/v1', subject, environment, ...words];
  return keyring.mac('approval', new TextEncoder().encode(JSON.stringify(said)));
}

/** From now on it waits, whatever was said of it before. */
function ask(tx: Tx, asked: Asked, askedAt: Temporal.Instant): void {
  const { subject, environment, merchantId, about, digest, maker } = asked;
  const act = { subject, environment, merchantId, about, digest, maker };
  const row = { ...act, askedAt, approver: undefined, approvedAt: undefined, seal: undefined };
  tx.send(
    APPROVAL.insert([row], sql`on conflict (subject) do update set ${APPROVAL.replace(row)}`),
  );
}

/** Oldest first, of all merchants where no owner is given. */
export function listWaiting(
  reader: Reader,
  { owner, now }: { readonly owner?: Owner; readonly now: Temporal.Instant },
): Promise<Approval[]> {
  return APPROVAL.select(
    reader,
    sql`where approver is null and asked_at > ${now.subtract(APPROVAL_LASTS)}
      and ${owned(owner)} order by asked_at, subject limit 1000`,
  );
}

/** Those of an owner, oldest first: `what`, `id`, `since`. */
export function selectWaitingApprovals(
  owner: Owner,
  { now, most }: { readonly now: Temporal.Instant; readonly most: number },
): Statement {
  return sql`
    (select 'approval' as what, subject as id, asked_at as since from approval
    where ${owned(owner)} and approver is null and asked_at > ${now.subtract(APPROVAL_LASTS)}
    order by asked_at limit ${most})`;
}

/**
 * Repeating it answers the same. `owner`: whose a key is; the operator approves for everybody.
 * @throws Refusal missing `approval_missing`; conflict `second_person` for the maker himself, or
 * when it was approved already.
 */
export async function approveAct(
  app: { readonly db: Db; readonly clock: Clock; readonly keyring: ApprovalKeys },
  subject: string,
  { approver, owner }: { readonly approver: string; readonly owner?: Owner },
): Promise<Approval> {
  return app.db.transact(async (tx) => {
    const now = app.clock.now().round('millisecond');
    const found = await lockWaiting(tx, subject, owner, now);
    await requireAnother(tx, found, approver);
    if (found.approver !== undefined) {
      if (isSameName(found.approver, approver)) return found;
      throw approvedBefore(found.approver);
    }
    const approved = { ...found, approver, approvedAt: now };
    const seal = sealOf(app.keyring, approved);
    tx.send(sql`
      update approval set approver = ${approver}, approved_at = ${now}, seal = ${seal}::bytea
      where subject = ${subject}`);
    noteSaid(tx, found, { verb: 'approve', actor: approver, actedAt: now });
    return { ...approved, seal };
  });
}

/**
 * The second person does not want it: it waits for nobody any more. Whoever makes the act end as
 * well does both in one transaction.
 * @throws Refusal missing `approval_missing`; conflict `second_person` for the maker himself, or
 * when it was approved.
 */
export async function declineAct(
  app: { readonly db: Db; readonly clock: Clock },
  subject: string,
  { decliner, owner }: { readonly decliner: string; readonly owner: Owner },
): Promise<void> {
  await app.db.transact(async (tx) => {
    const now = app.clock.now();
    const found = await lockWaiting(tx, subject, owner, now);
    await requireAnother(tx, found, decliner);
    if (found.approver !== undefined) throw approvedBefore(found.approver);
    tx.send(sql`delete from approval where subject = ${subject}`);
    noteSaid(tx, found, { verb: 'decline', actor: decliner, actedAt: now });
  });
}

/** @throws Refusal missing `approval_missing` */
async function lockWaiting(
  tx: Tx,
  subject: string,
  owner: Owner | undefined,
  now: Temporal.Instant,
): Promise<Approval> {
  const own = sql`where subject = ${subject} and ${owned(owner)} for update`;
  const found = await APPROVAL.find(tx, own);
  const isOver = found && Temporal.Instant.compare(found.askedAt.add(APPROVAL_LASTS), now) <= 0;
  if (found !== undefined && !(isOver && found.approver === undefined)) return found;
  throw new Refusal('missing', 'approval_missing', 'nothing of this name waits for approval');
}

/** @throws Refusal conflict `second_person` */
async function requireAnother(reader: Reader, { maker }: Approval, actor: string): Promise<void> {
  if (maker === undefined || !(await isSamePerson(reader, maker, actor))) return;
  throw new Refusal('conflict', 'second_person', [
    `${maker} made it: above the limit another person has to approve it, and a key is the same ` +
      'person as whoever made or renewed it in the dashboard',
  ]);
}

function approvedBefore(approver: string): Refusal {
  return new Refusal('conflict', 'second_person', `${approver} has approved it already`);
}

function noteSaid(
  tx: Tx,
  { subject, environment, merchantId, about, maker }: Approval,
  said: Pick<Act, 'verb' | 'actor' | 'actedAt'>,
): void {
  const details = { about, maker: maker ?? null };
  noteAct(tx, { ...said, subject, environment, merchantId, details });
}

export function approvalView({ subject, environment, merchantId, about, ...approval }: Approval) {
  return {
    ...{ subject, environment, merchantId: merchantId ?? null, about },
    maker: approval.maker ?? null,
    askedAt: approval.askedAt.toString(),
    waitsUntil: approval.askedAt.add(APPROVAL_LASTS).toString(),
    approver: approval.approver ?? null,
    approvedAt: approval.approvedAt?.toString() ?? null,
  };
}

function owned(owner: Owner | undefined): Statement {
  if (owner === undefined) return sql`true`;
  return sql`merchant_id = ${owner.merchantId} and environment = ${owner.environment}`;
}

function sealOf(keyring: ApprovalKeys, approval: Omit<Approval, 'seal'>): Uint8Array {
  const parts = [
    'approval/v1',
    approval.subject,
    approval.environment,
    approval.merchantId ?? null,
    approval.digest.toHex(),
    approval.maker ?? null,
    approval.approver ?? null,
    approval.approvedAt?.epochMilliseconds ?? null,
  ];
  return keyring.mac('approval', new TextEncoder().encode(JSON.stringify(parts)));
}

function isSealed(keyring: ApprovalKeys, { seal, ...approval }: Approval): boolean {
  return seal !== undefined && isSame(seal, sealOf(keyring, approval));
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

function isSameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
