// The ways in: a passkey alone; or a password, and with it a code of an app or a recovery code
// where the person has set that up. Guarantees: what is wrong says nothing of whether the person is
// known, and takes as long; each wrong proof is counted before it is looked at; who came in, and
// from where, stands in the trail.

import { noteAct } from '#audit/act.ts';
import type { Clock } from '#base/clock.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import type { Db, Tx } from '#db/db.ts';
import type { Keyring } from '#installation/keyring.ts';
import { countGuess, forgetGuess, newDevice, type SignInTry } from './guess.ts';
import { type PasskeyApp, readPasskey } from './passkey.ts';
import { isPassword } from './password.ts';
import { findPerson, findPersonByEmail, type Person } from './person.ts';
import { type From, noteFreshProof, type StaffSession, startSession } from './session.ts';
import { beginStep, takeStep } from './sign-in-step.ts';
import { isTotp, useRecoveryCode } from './totp.ts';

export type SignInApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly keyring: Keyring;
  readonly publicUrl: string;
};

/** Where somebody signs in, and what his browser holds already. */
export type Browser = From & {
  /** The cookie of the session it had. */
  readonly session: string | undefined;
  /** The cookie that says who signed in here before. */
  readonly device: string | undefined;
};

export type SignedIn = {
  readonly person: Person;
  /** For the cookies. */
  readonly session: string;
  readonly device: string;
};

/** `step`: the password was right, and a code is asked for. */
type AfterPassword = SignedIn | { readonly step: string };

/** @throws Refusal unauthenticated `sign_in_wrong`, too-many */
export async function signInWithPassword(
  app: SignInApp,
  { email, password }: { readonly email: string; readonly password: string },
  browser: Browser,
): Promise<AfterPassword> {
  const attempt = attemptOf(email, browser);
  await countGuess(app, attempt);
  const person = await findPersonByEmail(app.db, attempt.email);
  if (!(await isPassword(password, person?.passwordHash)) || person === undefined) throw wrong();
  if (person.sealedTotp === undefined) return enter(app, person, browser, 'password');
  const step = await beginStep(app, { kind: 'CODE', personId: person.id, challenge: '' });
  return { step };
}

/** A code of the app, or one for recovery. The step is gone after it, right or wrong. */
export async function signInWithCode(
  app: SignInApp,
  { step: token, code }: { readonly step: string; readonly code: string },
  browser: Browser,
): Promise<SignedIn> {
  const step = await takeStep(app, 'CODE', token);
  const person = step?.personId && (await findPerson(app.db, step.personId));
  if (!person) throw wrong();
  await countGuess(app, attemptOf(person.email, browser));
  const way = await wayOfCode(app, person, code);
  if (way === undefined) throw wrong();
  return enter(app, person, browser, way);
}

async function wayOfCode(
  app: SignInApp,
  person: Person,
  code: string,
): Promise<string | undefined> {
  const now = app.clock.now();
  if (await isTotp(app, person, code, now)) return 'password and code';
  const isRecovery = await useRecoveryCode(app, person.id, code, now);
  return isRecovery ? 'password and recovery code' : undefined;
}

/** @throws Refusal unauthenticated */
export async function signInWithPasskey(
  app: SignInApp & PasskeyApp,
  answered: { readonly step: string; readonly answer: string },
  browser: Browser,
): Promise<SignedIn> {
  const person = await findPerson(app.db, await readPasskey(app, answered));
  if (person === undefined) throw wrong();
  return enter(app, person, browser, 'passkey');
}

/** Whoever is in proves again who he is. @throws Refusal unauthenticated, too-many */
export async function proveAgain(
  app: SignInApp & PasskeyApp,
  { person, session }: { readonly person: Person; readonly session: StaffSession },
  proof:
    | { readonly password: string; readonly code: string }
    | { readonly step: string; readonly answer: string },
  browser: Browser,
): Promise<void> {
  if ('step' in proof) {
    if ((await readPasskey(app, proof)) !== person.id) throw wrong();
  } else {
    const attempt = attemptOf(person.email, browser);
    await countGuess(app, attempt);
    if (!(await isPassword(proof.password, person.passwordHash))) throw wrong();
    const isWhole = person.sealedTotp === undefined || (await wayOfCode(app, person, proof.code));
    if (!isWhole) throw wrong();
    await forgetGuess(app, attempt);
  }
  await app.db.transact(async (tx) => noteFreshProof(tx, session.hash, app.clock.now()));
}

/** Also for whoever just accepted an invitation: `way` says how he came in. */
export async function enter(
  app: SignInApp,
  person: Person,
  browser: Browser,
  way: string,
): Promise<SignedIn> {
  const session = await app.db.transact(async (tx) => {
    noteSignIn(app, tx, person, browser, way);
    return startSession(app, tx, person.id, { ...browser, replaced: browser.session });
  });
  await forgetGuess(app, attemptOf(person.email, browser));
  return { person, session, device: newDevice(app.keyring, app.random, person.email) };
}

function noteSignIn(
  { clock }: SignInApp,
  tx: Tx,
  { id }: Person,
  { address, agent }: Browser,
  way: string,
): void {
  noteAct(tx, {
    actedAt: clock.now(),
    actor: actorOf(id),
    verb: 'sign-in',
    subject: `person:${id}`,
    details: { way, address, agent: agent.slice(0, 200) },
  });
}

/** As the trail names a person. */
export function actorOf(personId: string): string {
  return `person ${personId}`;
}

function attemptOf(email: string, { address, device }: Browser): SignInTry {
  return { email: email.trim().toLowerCase().slice(0, 254), address, device };
}

function wrong(): Refusal {
  return new Refusal('unauthenticated', 'sign_in_wrong', 'that is not right');
}
