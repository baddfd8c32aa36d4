// What a sign-in, or a new passkey, waits for: the second proof after a right password, the answer
// of an authenticator to our challenge. Taken once, and within some minutes.

import type { Clock } from '#base/clock.ts';
import type { Random } from '#base/random.ts';
import { type Db, sql } from '#db/db.ts';
import { bytes, defineTable, moment, optional, type Row, text } from '#db/table.ts';
import { isToken, newToken, type TokenKeys, tokenHash } from './token.ts';

/** CODE: the password was right; PASSKEY: anybody's passkey; ENROL: a passkey to be added. */
type StepKind = 'CODE' | 'PASSKEY' | 'ENROL';

export const SIGN_IN_STEP = defineTable('sign_in_step', {
  hash: bytes,
  kind: text<StepKind>(),
  personId: optional(text()),
  challenge: text(),
  expiresAt: moment,
});
type SignInStep = Row<typeof SIGN_IN_STEP>;

const MINUTES = 10;

type StepApp = {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: Random;
  readonly keyring: TokenKeys;
};

/** Answers the token that the form of the next step holds. */
export async function beginStep(
  app: StepApp,
  step: Pick<SignInStep, 'kind' | 'personId' | 'challenge'>,
): Promise<string> {
  const token = newToken(app.random);
  const now = app.clock.now();
  const row = {
    ...step,
    hash: tokenHash(app.keyring, 'step', token),
    expiresAt: now.add({ minutes: MINUTES }),
  };
  await app.db.transact(async (tx) => {
    tx.send(sql`delete from sign_in_step where expires_at < ${now}`);
    tx.send(SIGN_IN_STEP.insert([row]));
  });
  return token;
}

/** Undefined when it was taken, is over, or was never begun. */
export async function takeStep(
  app: Omit<StepApp, 'random'>,
  kind: StepKind,
  token: string,
): Promise<SignInStep | undefined> {
  if (!isToken(token)) return undefined;
  const hash = tokenHash(app.keyring, 'step', token);
  const [taken] = await app.db.single((tx) =>
    tx.query<SignInStep>(sql`
      delete from sign_in_step where hash = ${hash} and kind = ${kind}
      returning ${SIGN_IN_STEP.columns}`),
  );
  if (taken === undefined) return undefined;
  const step = SIGN_IN_STEP.parse(taken);
  return Temporal.Instant.compare(step.expiresAt, app.clock.now()) > 0 ? step : undefined;
}
