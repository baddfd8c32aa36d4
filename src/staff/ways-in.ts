// How a person signs in, changed by himself. Guarantees: nobody takes away his own last way; each
// change stands in the trail; a new password and a switched-off app end the sessions elsewhere,
// because whoever changes them may fear that somebody has the old ones.

import { noteAct } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import type { DashboardLanguageCode } from '#catalog/language.ts';
import type { Db, Tx } from '#db/db.ts';
import { changedSecurityLetter } from '#mail/letters.ts';
import { tellByMail } from '#mail/mail.ts';
import type { SecurityChange } from '#mail/people-texts.ts';
import {
  deletePasskey,
  listPasskeys,
  type Passkey,
  type PasskeyApp,
  readNewPasskey,
  storePasskey,
} from './passkey.ts';
import { checkNewPassword, hashPassword } from './password.ts';
import { actorOf, lockPerson, type Person, setPassword, setTotp } from './person.ts';
import { endSessions, type StaffSession } from './session.ts';
import type { SignInApp } from './sign-in.ts';
import { endLinks } from './sign-in-link.ts';
import {
  countRecoveryCodes,
  newRecoveryCodes,
  newTotp,
  readTotp,
  sealTotp,
  stepOfCode,
  type TotpOffer,
} from './totp.ts';

type Who = {
  readonly person: Person;
  readonly session: StaffSession;
  /** Of the mail that tells him. */
  readonly language: DashboardLanguageCode;
};

const ISSUER = 'Quittance';

export type WaysIn = { readonly passkeys: readonly Passkey[]; readonly recoveryCodesLeft: number };

export async function listWaysIn(app: { readonly db: Db }, { id }: Person): Promise<WaysIn> {
  const [passkeys, recoveryCodesLeft] = await Promise.all([
    listPasskeys(app.db, id),
    countRecoveryCodes(app.db, id),
  ]);
  return { passkeys, recoveryCodesLeft };
}

/** For an app to scan; nothing is stored before a code of it came back. */
export function offerTotp(app: Pick<SignInApp, 'random'>, { email }: Person): TotpOffer {
  return newTotp(app, ISSUER, email);
}

/** The same again from what the form holds; undefined when that is no seed. */
export function readOffer({ email }: Person, secret: string): TotpOffer | undefined {
  return readTotp(secret, ISSUER, email);
}

/** @throws Refusal invalid */
export async function choosePassword(app: SignInApp, who: Who, password: string): Promise<void> {
  const { person } = who;
  const about = [person.email, person.name].flatMap((one) => one.split(/[\s@.]+/));
  await checkNewPassword(password, about);
  const hash = await hashPassword(password, app.random);
  await changed(app, who, 'password-set', {}, async (tx) => {
    setPassword(tx, person.id, hash);
    await endSessions(tx, who.session, undefined, app.clock.now());
  });
}

/** Answers recovery codes, to be shown once. @throws Refusal invalid `totp` */
export async function switchOnTotp(
  app: SignInApp,
  who: Who,
  { secret, code }: { readonly secret: string; readonly code: string },
): Promise<readonly string[]> {
  if (stepOfCode(secret, code, app.clock.now()) === undefined) {
    throw new Refusal('invalid', 'totp', 'the code is not the one of this app');
  }
  return changed(app, who, 'totp-on', {}, (tx) => {
    setTotp(tx, who.person.id, sealTotp(app, who.person, secret));
    return newRecoveryCodes(app, tx, who.person.id);
  });
}

export async function switchOffTotp(app: SignInApp, who: Who): Promise<void> {
  await changed(app, who, 'totp-off', {}, async (tx) => {
    setTotp(tx, who.person.id, undefined);
    await endSessions(tx, who.session, undefined, app.clock.now());
  });
}

/** To be shown once; those before count no more. */
export function renewRecoveryCodes(app: SignInApp, who: Who): Promise<readonly string[]> {
  return changed(app, who, 'recovery-codes', {}, (tx) => newRecoveryCodes(app, tx, who.person.id));
}

/** @throws Refusal invalid, conflict */
export async function addPasskey(
  app: SignInApp & PasskeyApp,
  who: Who,
  given: { readonly step: string; readonly answer: string; readonly label: string },
): Promise<void> {
  const passkey = await readNewPasskey(app, who.person, given);
  await storePasskey(app.db, passkey);
  await changed(app, who, 'passkey-add', { label: passkey.label }, () => undefined);
}

/** @throws Refusal conflict `last_way`, missing */
export async function removePasskey(
  app: SignInApp & PasskeyApp,
  who: Who,
  credentialId: string,
): Promise<void> {
  await changed(app, who, 'passkey-remove', { credentialId }, async (tx, { passwordHash }) => {
    const passkeys = await listPasskeys(tx, who.person.id);
    const others = passkeys.filter((one) => one.credentialId !== credentialId);
    if (passwordHash === undefined && others.length === 0) {
      throw new Refusal('conflict', 'last_way', 'the last way in stays: add another one first');
    }
    if (others.length === passkeys.length)
      throw new Refusal('missing', 'passkey', 'there is no such passkey');
    deletePasskey(tx, who.person.id, credentialId);
  });
}

/**
 * He is told by mail: whoever sits at his browser is not always he. The person is locked, so that
 * two changes at once never take away both ways.
 */
function changed<Done>(
  app: SignInApp,
  { person: { id }, language }: Who,
  verb: SecurityChange,
  details: Readonly<Record<string, string>>,
  work: (tx: Tx, person: Person) => Done | Promise<Done>,
): Promise<Done> {
  return app.db.transact(async (tx) => {
    const person = await lockPerson(tx, id);
    const done = await work(tx, person);
    endLinks(tx, id);
    const at = app.clock.now();
    noteAct(tx, { actedAt: at, actor: actorOf(id), verb, subject: `person:${id}`, details });
    const { publicUrl } = app;
    tellByMail(app, tx, {
      causeKey: `${verb}:${id}:${at.epochNanoseconds}`,
      kind: 'CHANGED_SECURITY',
      receiver: person.email,
      letter: changedSecurityLetter(language, { publicUrl, at, change: verb }),
    });
    return done;
  });
}
