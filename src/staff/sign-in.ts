// The ways in: a passkey alone; or a password or a link by mail, and with it a code of an app or a
// recovery code where the person has set that up. Guarantees: what is wrong says nothing of whether
// the person is known, and takes as long; each wrong proof is counted before it is looked at; who
// came in, and from where, stands in the trail.

import { noteAct } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import type { DashboardLanguageCode } from '#catalog/language.ts';
import type { Db, Tx } from '#db/db.ts';
import type { Keyring } from '#installation/keyring.ts';
import { newSignInLetter, signInLinkLetter } from '#mail/letters.ts';
import { dropMail, enqueueMail, type MailApp, tellByMail } from '#mail/mail.ts';
import { askForPasskey, type PasskeyApp, type PasskeyQuestion, readPasskey } from './passkey.ts';
import { isPassword } from './password.ts';
import { actorOf, findPerson, findPersonByEmail, type Person, readEmail } from './person.ts';
import { type From, noteFreshProof, type StaffSession, startSession } from './session.ts';
import {
  callerPlace,
  countGuess,
  countLink,
  countQuestion,
  forgetGuess,
  isDeviceOf,
  newDevice,
  type SignInTry,
} from './sign-in-guess.ts';
import { newLink, takeLink } from './sign-in-link.ts';
import { beginStep, takeStep } from './sign-in-step.ts';
import { shortName, tokenHash } from './token.ts';
import { isTotp, useRecoveryCode } from './totp.ts';

export type SignInApp = MailApp & {
  readonly db: Db;
  readonly keyring: Keyring;
  readonly publicUrl: string;
};

/** Where somebody signs in, and what his browser holds already. */
export type Browser = From & {
  /** The cookie of the session it had. */
  readonly session: string | undefined;
  /** The cookie that says who signed in here before. */
  readonly device: string | undefined;
  readonly language: DashboardLanguageCode;
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
  // A right password was no guess; the code is counted for itself.
  await forgetGuess(app, attempt);
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
  if (step.challenge !== BY_LINK) return enter(app, person, browser, `password and ${way}`);
  return enter(app, person, browser, `link and ${way}`, 'stale');
}

async function wayOfCode(
  app: SignInApp,
  person: Person,
  code: string,
): Promise<string | undefined> {
  const now = app.clock.now();
  if (await isTotp(app, person, code, now)) return 'code';
  const isRecovery = await useRecoveryCode(app, person.id, code, now);
  return isRecovery ? 'recovery code' : undefined;
}

/** In the step that asks for a code after it. */
const BY_LINK = 'LINK';

/**
 * Mails a link to whoever has this address. An address that nobody has gets the same answer after
 * the same work: its mail is written and taken back in one transaction.
 * @throws Refusal too-many; invalid `email`
 */
export async function askForLink(app: SignInApp, email: string, browser: Browser): Promise<void> {
  const attempt = attemptOf(readEmail(email), browser);
  await countLink(app, attempt);
  const person = await findPersonByEmail(app.db, attempt.email);
  await app.db.transact(async (tx) => {
    const { token, hash, expiresAt } = newLink(app, tx, person?.id);
    const { publicUrl } = app;
    const link = new URL(`/dashboard/sign-in/link/${token}`, publicUrl).href;
    const id = enqueueMail(app, tx, {
      causeKey: `link:${shortName(hash)}`,
      kind: 'SIGN_IN_LINK',
      receiver: attempt.email,
      letter: signInLinkLetter(browser.language, { publicUrl, link, until: expiresAt }),
    });
    dropMail(tx, id, person === undefined);
  });
}

/**
 * Not a proof of who he is: whoever reads his mail opens it too. So it is no recent proof, and does
 * not stand in for the code of an app.
 * @throws Refusal unauthenticated `sign_in_wrong`, too-many
 */
export async function signInWithLink(
  app: SignInApp,
  token: string,
  browser: Browser,
): Promise<AfterPassword> {
  const personId = await takeLink(app, token);
  const person = personId === undefined ? undefined : await findPerson(app.db, personId);
  if (person === undefined) throw wrong();
  if (person.sealedTotp === undefined) return enter(app, person, browser, 'link', 'stale');
  return { step: await beginStep(app, { kind: 'CODE', personId: person.id, challenge: BY_LINK }) };
}

/** What the browser is to sign. @throws Refusal too-many */
export async function askToSignIn(
  app: PasskeyApp,
  { address }: Pick<Browser, 'address'>,
): Promise<PasskeyQuestion> {
  await countQuestion(app, address);
  return askForPasskey(app);
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

/** Whoever comes in so for the first time has no other browser. */
export const BY_INVITATION = 'invitation';

/**
 * Also for whoever just accepted an invitation: `way` says how he came in. `proof`: stale where
 * money and keys ask for a better one.
 */
export async function enter(
  app: SignInApp,
  person: Person,
  browser: Browser,
  way: string,
  proof: 'fresh' | 'stale' = 'fresh',
): Promise<SignedIn> {
  const session = await app.db.transact(async (tx) => {
    noteSignIn(app, tx, person, browser, way);
    if (way !== BY_INVITATION) tellNewBrowser(app, tx, person, browser);
    return startSession(app, tx, person.id, { ...browser, proof, replaced: browser.session });
  });
  await forgetGuess(app, attemptOf(person.email, browser));
  return { person, session, device: newDevice(app.keyring, app.random, person.email) };
}

/**
 * Whoever is known by the cookie of his device is not told. A browser that keeps no cookies is told
 * of once a day, while it comes from the same network and says the same of itself.
 */
function tellNewBrowser(
  app: SignInApp,
  tx: Tx,
  { id, email }: Person,
  { address, agent, device, language }: Browser,
): void {
  if (device !== undefined && isDeviceOf(app.keyring, email, device)) return;
  const at = app.clock.now();
  const day = at.toZonedDateTimeISO('UTC').toPlainDate();
  const seen = JSON.stringify(['seen', callerPlace(address), agent, `${day}`]);
  tellByMail(app, tx, {
    causeKey: `sign-in:${id}:${tokenHash(app.keyring, 'device', seen).toHex()}`,
    kind: 'NEW_SIGN_IN',
    receiver: email,
    letter: newSignInLetter(language, { publicUrl: app.publicUrl, at, address }),
  });
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

function attemptOf(email: string, { address, device }: Browser): SignInTry {
  return { email: email.trim().toLowerCase().slice(0, 254), address, device };
}

function wrong(): Refusal {
  return new Refusal('unauthenticated', 'sign_in_wrong', 'that is not right');
}
