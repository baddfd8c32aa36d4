import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import * as OTPAuth from 'otpauth';
import { listActs } from '#audit/act.ts';
import { type Db, sql } from '#db/db.ts';
import { keyringOf } from '#installation/keyring.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { openTestDatabase } from '#test/support/test-database.ts';
import { endPerson } from './colleagues.ts';
import { acceptInvitation, invite } from './invitation.ts';
import { findPerson, type Person, setTotp } from './person.ts';
import { endSessions, findSession, isFresh, listSessions } from './session.ts';
import {
  askToSignIn,
  type Browser,
  proveAgain,
  type SignedIn,
  signInWithCode,
  signInWithPassword,
} from './sign-in.ts';
import { countGuess } from './sign-in-guess.ts';
import { newRecoveryCodes, newTotp, sealTotp } from './totp.ts';

const password = 'four horses eat blue grass';
const email = 'ann@shop.example';
const random = seededRandom(7);
const keyring = keyringOf(random.bytes(32), random);
let db: Db;
let clock: ReturnType<typeof manualClock>;
let app: {
  db: Db;
  clock: typeof clock;
  random: typeof random;
  keyring: typeof keyring;
  publicUrl: string;
  hasMail: boolean;
};
let ann: Person;

before(async () => {
  ({ db } = await openTestDatabase({ unsafeFast: true }));
});

beforeEach(async () => {
  clock = manualClock('2026-03-01T12:00:00Z');
  app = { db, clock, random, keyring, publicUrl: 'https://pay.shop.example', hasMail: false };
  for (const table of ['staff_session', 'recovery_code', 'invitation', 'sign_in_guess', 'person']) {
    await db.transact(async (tx) => tx.send(deleteAll(table)));
  }
  const asked = { email, name: 'Ann', isOperator: true, membership: undefined };
  const { token } = await invite(app, 'somebody', asked);
  ann = await acceptInvitation(app, token, {
    name: 'Ann',
    email: '',
    password,
    signedIn: undefined,
  });
});

function deleteAll(table: string) {
  return {
    staff_session: sql`delete from staff_session`,
    recovery_code: sql`delete from recovery_code`,
    invitation: sql`delete from invitation`,
    sign_in_guess: sql`delete from sign_in_guess`,
    person: sql`delete from person`,
  }[table]!;
}

const browser = (more: Partial<Browser> = {}): Browser => ({
  address: '192.0.2.1',
  agent: 'Browser 1',
  session: undefined,
  device: undefined,
  language: 'en',
  ...more,
});
const at = (address: string) => browser({ address });

function signIn(given = browser(), typed = password): Promise<SignedIn> {
  return signInWithPassword(app, { email, password: typed }, given).then((signedIn) => {
    assert('session' in signedIn);
    return signedIn;
  });
}
const refused = (code: string) => (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === code;

test('a right password opens a session, and the trail says who came in from where', async () => {
  const { session } = await signInWithPassword(
    app,
    { email: ' ANN@shop.example ', password },
    browser(),
  ).then((one) => one as SignedIn);
  const found = await findSession(app, session);
  assert.equal(found?.personId, ann.id);
  const [act] = await listActs(db, { verb: 'sign-in' }, 1);
  assert.equal(act?.actor, `person ${ann.id}`);
  assert.deepEqual(JSON.parse(act?.details ?? ''), {
    way: 'password',
    address: '192.0.2.1',
    agent: 'Browser 1',
  });
});

test('wrong password and unknown person are told the same', async () => {
  const wrong = signInWithPassword(app, { email, password: 'something else here' }, browser());
  await assert.rejects(wrong, refused('sign_in_wrong'));
  const unknown = signInWithPassword(app, { email: 'bob@shop.example', password }, browser());
  await assert.rejects(unknown, refused('sign_in_wrong'));
});

test('a session ends unused after a day and a half, and in any case after thirty days', async () => {
  const { session } = await signIn();
  await clock.advance(Temporal.Duration.from({ hours: 35 }));
  assert.notEqual(await findSession(app, session), undefined);
  await clock.advance(Temporal.Duration.from({ hours: 36 }));
  assert.equal(await findSession(app, session), undefined);

  const { session: used } = await signIn();
  for (let day = 0; day < 29; day += 1) {
    await clock.advance(Temporal.Duration.from({ hours: 24 }));
    assert.notEqual(await findSession(app, used), undefined, `day ${day}`);
  }
  await clock.advance(Temporal.Duration.from({ hours: 24 }));
  assert.equal(await findSession(app, used), undefined);
});

test('a new sign-in ends the session that the browser had: nobody keeps one put there by another', async () => {
  const { session: planted } = await signIn();
  const { session } = await signIn(browser({ session: planted }));
  assert.equal(await findSession(app, planted), undefined);
  assert.notEqual(await findSession(app, session), undefined);
});

test('a person sees where he is signed in, and ends one or all others', async () => {
  const here = await findSession(app, (await signIn(browser({ agent: 'Here' }))).session);
  await signIn(browser({ agent: 'There' }));
  await signIn(browser({ agent: 'Elsewhere' }));
  assert(here !== undefined);
  const listed = await listSessions(app, here);
  assert.deepEqual(listed.map(({ agent }) => agent).sort(), ['Elsewhere', 'Here', 'There']);
  const there = listed.find(({ agent }) => agent === 'There');
  await db.transact((tx) => endSessions(tx, here, there?.name, clock.now()));
  assert.equal((await listSessions(app, here)).length, 2);
  await db.transact((tx) => endSessions(tx, here, undefined, clock.now()));
  assert.deepEqual(
    (await listSessions(app, here)).map(({ isThis }) => isThis),
    [true],
  );
});

test('whoever has an app for codes is in only with one, which counts once', async () => {
  const { secret } = newTotp(app, 'Quittance', email);
  const totp = new OTPAuth.TOTP({ secret });
  const code = () => totp.generate({ timestamp: clock.now().epochMilliseconds });
  await db.transact(async (tx) => setTotp(tx, ann.id, sealTotp(app, ann, secret)));

  const step = async () => {
    const asked = await signInWithPassword(app, { email, password }, browser());
    assert('step' in asked);
    return asked.step;
  };
  const first = await step();
  await assert.rejects(
    signInWithCode(app, { step: first, code: '000000' }, browser()),
    refused('sign_in_wrong'),
  );
  // A step is gone after one try, right or wrong.
  await assert.rejects(
    signInWithCode(app, { step: first, code: code() }, browser()),
    refused('sign_in_wrong'),
  );
  const { person } = await signInWithCode(app, { step: await step(), code: code() }, browser());
  assert.equal(person.id, ann.id);
  await assert.rejects(
    signInWithCode(app, { step: await step(), code: code() }, browser()),
    refused('sign_in_wrong'),
  );
  await clock.advance(Temporal.Duration.from({ seconds: 30 }));
  const late = await step();
  await clock.advance(Temporal.Duration.from({ minutes: 11 }));
  await assert.rejects(
    signInWithCode(app, { step: late, code: code() }, browser()),
    refused('sign_in_wrong'),
  );
});

test('whoever signs in with a code again and again has guessed nothing', async () => {
  const { secret } = newTotp(app, 'Quittance', email);
  await db.transact(async (tx) => setTotp(tx, ann.id, sealTotp(app, ann, secret)));
  for (let count = 0; count < 10; count += 1) {
    await clock.advance(Temporal.Duration.from({ seconds: 30 }));
    const timestamp = clock.now().epochMilliseconds;
    const code = new OTPAuth.TOTP({ secret }).generate({ timestamp });
    const asked = await signInWithPassword(app, { email, password }, browser());
    assert('step' in asked);
    await signInWithCode(app, { step: asked.step, code }, browser());
  }
});

test('a recovery code opens once, however it was typed', async () => {
  const { secret } = newTotp(app, 'Quittance', email);
  const [code = ''] = await db.transact(async (tx) => {
    setTotp(tx, ann.id, sealTotp(app, ann, secret));
    return newRecoveryCodes(app, tx, ann.id);
  });
  const tryIt = async () => {
    const asked = await signInWithPassword(app, { email, password }, browser());
    assert('step' in asked);
    const typed = code.toLowerCase().replaceAll('-', ' ');
    return signInWithCode(app, { step: asked.step, code: typed }, browser());
  };
  assert.equal((await tryIt()).person.id, ann.id);
  await assert.rejects(tryIt(), refused('sign_in_wrong'));
});

test('a recent proof ends after ten minutes and comes back with the password', async () => {
  const { session: token } = await signIn();
  const found = async () => {
    const session = await findSession(app, token);
    assert(session !== undefined);
    return session;
  };
  assert.equal(isFresh(await found(), clock.now()), true);
  await clock.advance(Temporal.Duration.from({ minutes: 10 }));
  assert.equal(isFresh(await found(), clock.now()), false);
  const who = async () => ({
    person: (await findPerson(db, ann.id))!,
    session: await found(),
  });
  const wrong = proveAgain(app, await who(), { password: 'no', code: '' }, browser());
  await assert.rejects(wrong, refused('sign_in_wrong'));
  assert.equal(isFresh(await found(), clock.now()), false);
  await proveAgain(app, await who(), { password, code: '' }, browser());
  assert.equal(isFresh(await found(), clock.now()), true);
});

test('eight wrong passwords from one place close that place for a quarter of an hour, and no other', async () => {
  const wrong = (given: Browser) =>
    signInWithPassword(app, { email, password: 'something else here' }, given);
  for (let count = 0; count < 8; count += 1) {
    await assert.rejects(wrong(browser()), refused('sign_in_wrong'));
  }
  await assert.rejects(signIn(), refused('too_many_guesses'));
  await signIn(at('198.51.100.9'));
  await clock.advance(Temporal.Duration.from({ minutes: 15 }));
  await signIn();
});

test('an attacker who guesses from everywhere locks nobody out of a browser that was in before', async () => {
  const { device } = await signIn();
  const guess = (count: number) =>
    countGuess(app, { email, address: `198.51.${count}.1`, device: undefined });
  for (let count = 0; count < 100; count += 1) await guess(count);
  await assert.rejects(guess(100), refused('too_many_guesses'));
  await assert.rejects(signIn(at('203.0.113.5')), refused('too_many_guesses'));
  await signIn(browser({ device, address: '203.0.113.5' }));
  // Nor does a device of somebody else, or one made up, count as known.
  await assert.rejects(
    signIn(browser({ device: `${'A'.repeat(43)}.x` })),
    refused('too_many_guesses'),
  );
});

test('who left has no way in any more', async () => {
  const { session } = await signIn();
  await endPerson(app, { actor: 'somebody', personId: ann.id });
  assert.equal(await findSession(app, session), undefined);
  await assert.rejects(signIn(), refused('sign_in_wrong'));
  const again = { email, name: 'Ann', isOperator: false, membership: undefined };
  const { token } = await invite(app, 'somebody', again);
  const next = await acceptInvitation(app, token, {
    name: 'Ann',
    email: '',
    password,
    signedIn: undefined,
  });
  assert.notEqual(next.id, ann.id);
});

test('questions for a passkey are limited from one place, and nobody elsewhere waits', async () => {
  const ask = (address: string) => askToSignIn(app, { address });
  const asked = Array.from({ length: 100 }, () => ask('192.0.2.66'));
  await Promise.all(asked);
  await assert.rejects(ask('192.0.2.66'), refused('too_many_guesses'));
  const [counted] = await db.query<{ count: number }>(
    sql`select count(*)::integer as count from sign_in_step where kind = 'PASSKEY'`,
  );
  assert.equal(counted?.count, 100);
  await ask('198.51.100.7');
  await signIn(at('192.0.2.66'));
  await clock.advance(16 * 60_000);
  await ask('192.0.2.66');
});
