// The ways in: a passkey alone; or a password, and with it a code of an app or a recovery code
// where the person has set that up. Guarantees: what is wrong says nothing of whether the person is
// known, and takes as long; each wrong proof is counted before it is looked at; who came in, and
// from where, stands in the trail.

import { parseAddress } from '#access/ip-address.ts';
import { noteAct } from '#audit/act.ts';
import type { Clock } from '#base/clock.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import type { LanguageCode } from '#catalog/language.ts';
import { type Db, sql, type Tx } from '#db/db.ts';
import { bytes, defineTable, integer, moment, type Row } from '#db/table.ts';
import type { Keyring } from '#installation/keyring.ts';
import { newSignInLetter } from '#mail/letters.ts';
import { type MailApp, tellByMail } from '#mail/mail.ts';
import { askForPasskey, type PasskeyApp, type PasskeyQuestion, readPasskey } from './passkey.ts';
import { isPassword } from './password.ts';
import { actorOf, findPerson, findPersonByEmail, type Person } from './person.ts';
import { type From, noteFreshProof, type StaffSession, startSession } from './session.ts';
import { beginStep, takeStep } from './sign-in-step.ts';
import { isToken, newToken, type TokenKeys, tokenHash } from './token.ts';
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
  readonly language: LanguageCode;
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

/** Also for whoever just accepted an invitation: `way` says how he came in. */
export async function enter(
  app: SignInApp,
  person: Person,
  browser: Browser,
  way: string,
): Promise<SignedIn> {
  const session = await app.db.transact(async (tx) => {
    noteSignIn(app, tx, person, browser, way);
    if (way !== BY_INVITATION) tellNewBrowser(app, tx, person, browser);
    return startSession(app, tx, person.id, { ...browser, replaced: browser.session });
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
  const seen = JSON.stringify(['seen', networkOf(address), agent, `${day}`]);
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

// How often somebody may be wrong. Guarantees: guessing one person's password from many addresses,
// or many people's from one address, is slow; nobody is locked out of a browser that he signed in
// with before, nor of a passkey, whatever others try. Not guaranteed: that a person under attack
// can sign in with a password in a browser that is new to us; he waits, or uses one of those ways.
export const SIGN_IN_GUESS = defineTable('sign_in_guess', {
  /** Keyed hash of who was tried from where. */
  subject: bytes,
  count: integer,
  since: moment,
});
type Guess = Row<typeof SIGN_IN_GUESS>;

const WINDOW_MINUTES = 15;
/** Wrong proofs in one window. */
const MOST = {
  /** From one network address, whoever is tried. */
  address: 50,
  /** Of one person in a browser that he signed in with. */
  known: 10,
  /** Of one person from one network address in other browsers. */
  near: 8,
  /** Of one person in other browsers anywhere. */
  anywhere: 100,
} as const;
/** Questions for a passkey from one address, in one window: a browser asks at each click. */
const QUESTIONS_MOST = 100;

type GuessApp = { readonly db: Db; readonly clock: Clock; readonly keyring: TokenKeys };

type SignInTry = {
  /** Whoever is tried, known or not. */
  readonly email: string;
  readonly address: string;
  /** The cookie of the device; undefined: none. */
  readonly device: string | undefined;
};

/**
 * Counted before the proof is looked at, so that many at once are not one.
 * @throws Refusal too-many `too_many_guesses`
 */
export function countGuess(app: GuessApp, attempt: SignInTry): Promise<void> {
  return countSubjects(app, subjectsOf(app, attempt));
}

/** Each question is a row until it is answered: nobody makes as many as he likes. */
function countQuestion(app: GuessApp, address: string): Promise<void> {
  const from = JSON.stringify(['question', networkOf(address)]);
  const subject = tokenHash(app.keyring, 'guess', from);
  return countSubjects(app, [{ subject, most: QUESTIONS_MOST }]);
}

async function countSubjects(app: GuessApp, subjects: readonly Subject[]): Promise<void> {
  const now = app.clock.now();
  const since = now.subtract({ minutes: WINDOW_MINUTES });
  const counted = await app.db.transact(async (tx) => {
    // Nobody asks for what was counted before that.
    tx.send(sql`delete from sign_in_guess where since < ${since}`);
    return tx.query<{ subject: Uint8Array; count: number; since: Temporal.Instant }>(
      SIGN_IN_GUESS.insert(
        subjects.map(({ subject }) => ({ subject, count: 1, since: now })),
        sql`on conflict (subject) do update set
          count = case when sign_in_guess.since > ${since} then sign_in_guess.count + 1 else 1 end,
          since = case when sign_in_guess.since > ${since} then sign_in_guess.since else ${now} end
          returning subject, count, since`,
      ),
    );
  });
  const over = counted.filter((one) => isOver(one, subjects));
  if (over.length === 0) return;
  const waits = over.map((one) =>
    one.since.add({ minutes: WINDOW_MINUTES }).since(now).total('seconds'),
  );
  throw new Refusal('too-many', 'too_many_guesses', 'too many wrong attempts: wait some minutes', {
    retryAfterSeconds: Math.max(1, Math.ceil(Math.max(...waits))),
  });
}

/** A right proof was no guess. */
async function forgetGuess(app: GuessApp, attempt: SignInTry): Promise<void> {
  const subjects = subjectsOf(app, attempt).map(({ subject }) => subject.toHex());
  await app.db.single((tx) =>
    tx.query(sql`
      update sign_in_guess set count = greatest(count - 1, 0)
      where encode(subject, 'hex') = any(${subjects}::text[])`),
  );
}

/** A cookie that says: this person signed in here before. */
function newDevice(keyring: TokenKeys, random: Random, email: string): string {
  const token = newToken(random);
  return `${token}.${deviceProof(keyring, email, token)}`;
}

function isDeviceOf(keyring: TokenKeys, email: string, device: string): boolean {
  const [token = '', proof] = device.split('.');
  return isToken(token) && proof === deviceProof(keyring, email, token);
}

function deviceProof(keyring: TokenKeys, email: string, token: string): string {
  const proof = tokenHash(keyring, 'device', JSON.stringify([email, token]));
  return proof.toBase64({ alphabet: 'base64url', omitPadding: true });
}

type Subject = { readonly subject: Uint8Array; readonly most: number };

function subjectsOf(
  { keyring }: Pick<GuessApp, 'keyring'>,
  { email, address, device }: SignInTry,
): Subject[] {
  const from = networkOf(address);
  const subject = (...parts: readonly string[]) =>
    tokenHash(keyring, 'guess', JSON.stringify(parts));
  const all: Subject = { subject: subject('address', from), most: MOST.address };
  if (device !== undefined && isDeviceOf(keyring, email, device)) {
    return [all, { subject: subject('known', email, device), most: MOST.known }];
  }
  return [
    all,
    { subject: subject('near', email, from), most: MOST.near },
    { subject: subject('anywhere', email), most: MOST.anywhere },
  ];
}

function isOver({ subject, count }: Guess, subjects: readonly Subject[]): boolean {
  const limit = subjects.find((one) => one.subject.toHex() === subject.toHex());
  return limit !== undefined && count > limit.most;
}

/** Whoever has an address of version 6 has 2^64 of them. */
function networkOf(address: string): string {
  const bytes = parseAddress(address);
  if (bytes === undefined) return address;
  return (bytes.length === 16 ? bytes.subarray(0, 8) : bytes).toHex();
}
