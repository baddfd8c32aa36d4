// How somebody becomes a person here: a link, used once, that whoever runs the installation makes
// at the command line or a colleague makes in the dashboard. The link says who; how he signs in is
// chosen by whoever opens it.

import { doNoted, noteAct } from '#audit/act.ts';
import type { Clock } from '#base/clock.ts';
import { newId } from '#base/id.ts';
import { Refusal } from '#base/refusal.ts';
import { type DashboardLanguageCode, FALLBACK_LANGUAGE } from '#catalog/language.ts';
import { ConstraintViolation, type Db, type Reader, sql, type Tx } from '#db/db.ts';
import {
  bytes,
  defineTable,
  flag,
  moment,
  optional,
  type Row,
  selectOnly,
  text,
} from '#db/table.ts';
import type { Keyring } from '#installation/keyring.ts';
import { invitationLetter } from '#mail/letters.ts';
import { listMailsOf, type MailApp, tellByMail } from '#mail/mail.ts';
import { checkNewPassword, hashPassword } from './password.ts';
import {
  actorOf,
  findPersonByEmail,
  insertPerson,
  makeOperator,
  type Person,
  putMembership,
  readEmail,
  readName,
  setPassword,
} from './person.ts';
import type { StaffRole } from './role.ts';
import { isToken, newToken, shortName, tokenHash } from './token.ts';

export const INVITATION = defineTable('invitation', {
  hash: bytes,
  /** Undefined: whoever opens the link says it (the first link of an installation). */
  email: optional(text()),
  name: text(),
  isOperator: flag,
  /** Both, or neither of whoever only runs the installation. */
  merchantId: optional(text()),
  role: optional(text<StaffRole>()),
  invitedBy: text(),
  createdAt: moment,
  expiresAt: moment,
  acceptedAt: selectOnly(optional(moment)),
  withdrawnAt: selectOnly(optional(moment)),
});
export type Invitation = Row<typeof INVITATION>;

/** As long as somebody may be away for a few days. */
const DAYS = 7;

type InvitationApp = MailApp & {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly publicUrl: string;
};

type NewInvitation = {
  /** Undefined: whoever opens the link says it. */
  readonly email: string | undefined;
  readonly name: string;
  readonly isOperator: boolean;
  readonly membership: { readonly merchantId: string; readonly role: StaffRole } | undefined;
  /** Of the mail, where there is one; English if not given. */
  readonly language?: DashboardLanguageCode;
};

/**
 * Answers the token of the link, to be shown once; it is mailed too, where mail is set up. An older
 * invitation of the same address to the same merchant ends.
 * @throws Refusal invalid
 */
export async function invite(
  app: InvitationApp,
  actor: string,
  { membership, ...request }: NewInvitation,
): Promise<{ readonly token: string; readonly invitation: Invitation }> {
  const token = newToken(app.random);
  const createdAt = app.clock.now();
  const row = {
    hash: tokenHash(app.keyring, 'invitation', token),
    email: request.email === undefined ? undefined : readEmail(request.email),
    name: request.name === '' ? '' : readName(request.name),
    isOperator: request.isOperator,
    merchantId: membership?.merchantId,
    role: membership?.role,
    invitedBy: actor,
    createdAt,
    expiresAt: createdAt.add({ hours: DAYS * 24 }),
  };
  await app.db.transact(async (tx) => {
    tx.send(sql`
      update invitation set withdrawn_at = ${createdAt}
      where email is not distinct from ${row.email ?? null}
        and merchant_id is not distinct from ${row.merchantId ?? null}
        and accepted_at is null and withdrawn_at is null`);
    tx.send(INVITATION.insert([row]));
    noteAct(tx, {
      actedAt: createdAt,
      actor,
      verb: 'person-invite',
      subject: `invitation:${shortName(row.hash)}`,
      merchantId: row.merchantId,
      details: { email: row.email, role: row.role, operator: row.isOperator ? 'yes' : 'no' },
    });
    if (row.email === undefined) return;
    const link = new URL(`/dashboard/invitation/${token}`, app.publicUrl).href;
    const { publicUrl } = app;
    const { language = FALLBACK_LANGUAGE } = request;
    tellByMail(app, tx, {
      causeKey: causeOf(row.hash),
      kind: 'INVITATION',
      merchantId: row.merchantId,
      receiver: row.email,
      letter: invitationLetter(language, { publicUrl, link, until: row.expiresAt }),
    });
  });
  return { token, invitation: { ...row, acceptedAt: undefined, withdrawnAt: undefined } };
}

/** Of its mail. */
function causeOf(hash: Uint8Array): string {
  return `invitation:${shortName(hash)}`;
}

/** Undefined when it was used, withdrawn, or is over. */
export async function findInvitation(
  { db, keyring, clock }: Pick<InvitationApp, 'db' | 'keyring' | 'clock'>,
  token: string,
): Promise<Invitation | undefined> {
  if (!isToken(token)) return undefined;
  const hash = tokenHash(keyring, 'invitation', token);
  return INVITATION.find(db, sql`where hash = ${hash} and ${isOpen(clock.now())}`);
}

type ListedInvitation = Invitation & {
  readonly shortName: string;
  /** Undefined: it was not mailed. */
  readonly mail:
    | {
        readonly state: 'PENDING' | 'SENT' | 'PARKED';
        /** Since when it is so. */
        readonly at: Temporal.Instant;
      }
    | undefined;
};

/** Those that may still be accepted, the newest first. */
export async function listInvitations(
  { db, clock }: { readonly db: Reader; readonly clock: Clock },
  merchantId: string,
): Promise<ListedInvitation[]> {
  const open = await INVITATION.select(
    db,
    sql`where merchant_id = ${merchantId} and ${isOpen(clock.now())} order by created_at desc`,
  );
  const mails = await listMailsOf(
    db,
    open.map(({ hash }) => causeOf(hash)),
  );
  return open.map((one) => {
    const mail = mails.find(({ causeKey }) => causeKey === causeOf(one.hash));
    return {
      ...one,
      shortName: shortName(one.hash),
      mail: mail && { state: mail.state, at: mail.finishedAt ?? mail.createdAt },
    };
  });
}

/** @throws Refusal missing */
export async function withdrawInvitation(
  app: Pick<InvitationApp, 'db' | 'clock'>,
  { actor, merchantId, name }: { actor: string; merchantId: string; name: string },
): Promise<void> {
  const found = (await listInvitations(app, merchantId)).find((one) => one.shortName === name);
  if (found === undefined) {
    throw new Refusal('missing', 'invitation', 'there is no such invitation');
  }
  const act = { actor, verb: 'invitation-withdraw', subject: `invitation:${name}`, merchantId };
  await doNoted(app, { ...act, details: { email: found.email } }, (within) =>
    within.db.single((tx) =>
      tx.query(sql`
        update invitation set withdrawn_at = ${app.clock.now()} where hash = ${found.hash}`),
    ),
  );
}

/**
 * Whoever opened the link is the person from now on; somebody who is known by that address has one
 * merchant more, and proves himself by signing in (`signedIn`).
 * @throws Refusal missing `invitation`, invalid, conflict `sign_in_first`
 */
export async function acceptInvitation(
  app: InvitationApp,
  token: string,
  given: {
    readonly name: string;
    /** Where the invitation names none. */
    readonly email: string;
    readonly password: string | undefined;
    readonly signedIn: Person | undefined;
  },
): Promise<Person> {
  const invitation = await findInvitation(app, token);
  if (invitation === undefined) throw noInvitation();
  const email = invitation.email ?? readEmail(given.email);
  const known = await findPersonByEmail(app.db, email);
  if (known !== undefined && known.id !== given.signedIn?.id) {
    throw signInFirst();
  }
  const name = known?.name ?? readName(given.name);
  const hash = known === undefined ? await newHash(app, given.password, [email, name]) : undefined;
  const accepted = app.db.transact(async (tx) => {
    const now = app.clock.now();
    const taken = await tx.query(sql`
      update invitation set accepted_at = ${now}
      where hash = ${invitation.hash} and ${isOpen(now)} returning hash`);
    if (taken.length === 0) throw noInvitation();
    const person = known ?? newPerson(app, { email, name, isOperator: invitation.isOperator });
    if (known === undefined) insertPerson(tx, person);
    else if (invitation.isOperator) makeOperator(tx, known.id);
    if (hash !== undefined) setPassword(tx, person.id, hash);
    grant(app, tx, invitation, person);
    return {
      ...person,
      isOperator: person.isOperator || invitation.isOperator,
      passwordHash: hash ?? known?.passwordHash,
    };
  });
  return accepted.catch((error: unknown) => {
    // Two invitations of one address were accepted at the same moment.
    if (error instanceof ConstraintViolation) throw signInFirst({ cause: error });
    throw error;
  });
}

function signInFirst(options?: ErrorOptions): Refusal {
  const message = 'this address is known here: sign in first';
  return new Refusal('conflict', 'sign_in_first', message, options);
}

async function newHash(
  { random }: InvitationApp,
  password: string | undefined,
  about: readonly string[],
): Promise<string | undefined> {
  // Whoever makes a passkey needs no password.
  if (password === undefined) return undefined;
  await checkNewPassword(
    password,
    about.flatMap((one) => one.split(/[\s@.]+/)),
  );
  return hashPassword(password, random);
}

function newPerson(
  { random, keyring, clock }: InvitationApp,
  who: Pick<Person, 'email' | 'name' | 'isOperator'>,
): Person {
  const id = newId(random);
  const { sealed } = keyring.newDataKey(id);
  return {
    ...who,
    id,
    sealedDataKey: sealed,
    createdAt: clock.now(),
    passwordHash: undefined,
    sealedTotp: undefined,
    totpUsedStep: undefined,
    leftAt: undefined,
  };
}

function grant(
  { clock }: Pick<InvitationApp, 'clock'>,
  tx: Tx,
  { merchantId, role, hash, invitedBy, isOperator }: Invitation,
  { id, email }: Person,
): void {
  const now = clock.now();
  if (merchantId !== undefined && role !== undefined) {
    putMembership(tx, { personId: id, merchantId, role, grantedAt: now });
  }
  noteAct(tx, {
    actedAt: now,
    actor: actorOf(id),
    verb: 'invitation-accept',
    subject: `invitation:${shortName(hash)}`,
    merchantId,
    details: { email, role, operator: isOperator ? 'yes' : 'no', invitedBy },
  });
}

function isOpen(now: Temporal.Instant) {
  return sql`accepted_at is null and withdrawn_at is null and expires_at > ${now}`;
}

function noInvitation(): Refusal {
  return new Refusal('missing', 'invitation', 'this link was used, withdrawn, or is too old');
}
