// How often somebody may be wrong. Guarantees: guessing one person's password from many addresses,
// or many people's from one address, is slow; nobody is locked out of a browser that he signed in
// with before, nor of a passkey, whatever others try. Not guaranteed: that a person under attack
// can sign in with a password in a browser that is new to us; he waits, or uses one of those ways.

import { parseAddress } from '#access/ip-address.ts';
import type { Clock } from '#base/clock.ts';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { type Db, sql } from '#db/db.ts';
import { bytes, defineTable, integer, moment, type Row } from '#db/table.ts';
import { isToken, newToken, type TokenKeys, tokenHash } from './token.ts';

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
/** Links that are asked for in one window: to one address of mail, from one network address. */
const LINKS_MOST = { to: 3, from: 20 } as const;

type GuessApp = { readonly db: Db; readonly clock: Clock; readonly keyring: TokenKeys };

export type SignInTry = {
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
export function countQuestion(app: GuessApp, address: string): Promise<void> {
  const from = JSON.stringify(['question', callerPlace(address)]);
  const subject = tokenHash(app.keyring, 'guess', from);
  return countSubjects(app, [{ subject, most: QUESTIONS_MOST }]);
}

/** Each link is a mail to somebody, whoever asks for it. @throws Refusal too-many */
export function countLink(app: GuessApp, { email, address }: SignInTry): Promise<void> {
  const subject = (...parts: readonly string[]) =>
    tokenHash(app.keyring, 'guess', JSON.stringify(['link', ...parts]));
  return countSubjects(app, [
    { subject: subject('to', email), most: LINKS_MOST.to },
    { subject: subject('from', callerPlace(address)), most: LINKS_MOST.from },
  ]);
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
export async function forgetGuess(app: GuessApp, attempt: SignInTry): Promise<void> {
  const subjects = subjectsOf(app, attempt).map(({ subject }) => subject.toHex());
  await app.db.single((tx) =>
    tx.query(sql`
      update sign_in_guess set count = greatest(count - 1, 0)
      where encode(subject, 'hex') = any(${subjects}::text[])`),
  );
}

/** A cookie that says: this person signed in here before. */
export function newDevice(keyring: TokenKeys, random: Random, email: string): string {
  const token = newToken(random);
  return `${token}.${deviceProof(keyring, email, token)}`;
}

export function isDeviceOf(keyring: TokenKeys, email: string, device: string): boolean {
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
  const from = callerPlace(address);
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

/** Whoever has an address of version 6 has 2^64 of them.*/
export function callerPlace(address: string): string {
  const bytes = parseAddress(address);
  if (bytes === undefined) return address;
  return (bytes.length === 16 ? bytes.subarray(0, 8) : bytes).toHex();
}
