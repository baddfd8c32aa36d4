// A link by mail in place of a password: what it opens, how often, for how long, and what it tells
// whoever asks for one with an address that is not his.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import * as OTPAuth from 'otpauth';
import { listActs } from '#audit/act.ts';
import { sql } from '#db/db.ts';
import { openLetter } from '#mail/mail.ts';
import { mailFixture } from '#test/support/mail-fixture.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { endPerson } from './colleagues.ts';
import { acceptInvitation, invite } from './invitation.ts';
import { type Person, setTotp } from './person.ts';
import { findSession, isFresh } from './session.ts';
import { askForLink, type Browser, signInWithCode, signInWithLink } from './sign-in.ts';
import { newTotp, sealTotp } from './totp.ts';
import { choosePassword } from './ways-in.ts';

const password = 'four horses eat blue grass';
let database: TestDatabase;
let app: ReturnType<typeof mailFixture> & { publicUrl: string; hasMail: boolean };
let ann: Person;
let places = 0;

before(async () => {
  database = await openTestDatabase({ unsafeFast: true });
  app = {
    ...mailFixture(database.db, 21),
    publicUrl: 'https://pay.shop.example',
    hasMail: true,
  };
});
after(() => database.close());

beforeEach(async () => {
  await app.db.transact(async (tx) => {
    tx.send(sql`delete from mail`);
    tx.send(sql`delete from sign_in_guess`);
  });
  const asked = { email: `ann${places}@shop.example`, name: 'Ann', isOperator: false };
  const { token } = await invite(app, 'somebody', { ...asked, membership: undefined });
  const given = { name: 'Ann', email: '', password, signedIn: undefined };
  ann = await acceptInvitation(app, token, given);
  places += 1;
  await app.db.transact(async (tx) => tx.send(sql`delete from mail`));
});

const browser = (more: Partial<Browser> = {}): Browser => ({
  ...{ address: `192.0.2.${places}`, agent: 'Browser 1', language: 'en' },
  ...{ session: undefined, device: undefined },
  ...more,
});

type Mail = {
  readonly id: string;
  readonly kind: string;
  readonly receiver: string;
  readonly sealedKey: Uint8Array;
  readonly sealedContent: Uint8Array;
};

async function mails(): Promise<readonly { kind: string; receiver: string; text: string }[]> {
  const rows = await app.db.query<Mail>(sql`
    select id, kind, receiver, sealed_key as "sealedKey", sealed_content as "sealedContent"
    from mail order by created_at, id`);
  return rows.map((one) => ({ ...one, text: openLetter(app.keyring, one).text }));
}

/** The token of the link that was mailed last. */
async function askAndOpen(): Promise<string> {
  await app.db.transact(async (tx) => tx.send(sql`delete from mail`));
  await askForLink(app, ann.email, browser());
  const [mail] = await mails();
  assert.equal(mail?.kind, 'SIGN_IN_LINK');
  assert.equal(mail.receiver, ann.email);
  const token = /dashboard\/sign-in\/link\/([\w-]{43})/.exec(mail.text)?.[1];
  assert(token !== undefined, mail.text);
  return token;
}

const refused = (code: string) => (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === code;
const isGone = refused('sign_in_wrong');

test('a link signs its person in once; the trail says how, and a new browser is told of', async () => {
  const token = await askAndOpen();
  const entered = await signInWithLink(app, token, browser());
  assert('session' in entered);
  const session = await findSession(app, entered.session);
  assert.equal(session?.personId, ann.id);
  const [act] = await listActs(app.db, { verb: 'sign-in' }, 1);
  assert.equal(JSON.parse(act?.details ?? '').way, 'link');
  assert.deepEqual(
    (await mails()).map(({ kind }) => kind),
    ['SIGN_IN_LINK', 'NEW_SIGN_IN'],
  );
  await assert.rejects(signInWithLink(app, token, browser()), isGone);
});

test('a link is no recent proof: money, keys and people ask for a password or passkey', async () => {
  const entered = await signInWithLink(app, await askAndOpen(), browser());
  assert('session' in entered);
  const session = await findSession(app, entered.session);
  assert(session !== undefined);
  assert.equal(isFresh(session, app.clock.now()), false);
});

test('a link does not stand in for the code of an app, and is none of the recent proofs after it', async () => {
  const { secret } = newTotp(app, 'Quittance', ann.email);
  await app.db.transact(async (tx) => setTotp(tx, ann.id, sealTotp(app, ann, secret)));
  const after = await signInWithLink(app, await askAndOpen(), browser());
  assert('step' in after);
  const timestamp = app.clock.now().epochMilliseconds;
  const code = new OTPAuth.TOTP({ secret }).generate({ timestamp });
  const entered = await signInWithCode(app, { step: after.step, code }, browser());
  const session = await findSession(app, entered.session);
  assert(session !== undefined);
  assert.equal(isFresh(session, app.clock.now()), false);
  const [act] = await listActs(app.db, { verb: 'sign-in' }, 1);
  assert.equal(JSON.parse(act?.details ?? '').way, 'link and code');
});

test('a link is over after a quarter of an hour, by the next link, and by a new password', async () => {
  const late = await askAndOpen();
  await app.clock.advance(Temporal.Duration.from({ minutes: 15 }));
  await assert.rejects(signInWithLink(app, late, browser()), isGone);
  const first = await askAndOpen();
  const second = await askAndOpen();
  await assert.rejects(signInWithLink(app, first, browser()), isGone);
  const entered = await signInWithLink(app, second, browser());
  assert('session' in entered);
  const session = await findSession(app, entered.session);
  assert(session !== undefined);
  await app.clock.advance(Temporal.Duration.from({ minutes: 16 }));
  const third = await askAndOpen();
  const who = { person: ann, session, language: 'en' } as const;
  await choosePassword(app, who, 'seven green hills in a row');
  await assert.rejects(signInWithLink(app, third, browser()), isGone);
});

test('who left is opened nothing by a link of before', async () => {
  const token = await askAndOpen();
  await endPerson(app, { actor: 'somebody', personId: ann.id });
  await assert.rejects(signInWithLink(app, token, browser()), isGone);
});

test('an address that nobody has gets no mail, and is the same work', async () => {
  const statements = async (address: string) => {
    const sent: string[] = [];
    const db = {
      ...app.db,
      transact: ((work) =>
        app.db.transact((tx) =>
          work({
            ...tx,
            send: (statement) => {
              sent.push(statement.text);
              tx.send(statement);
            },
          }),
        )) as typeof app.db.transact,
    };
    await askForLink({ ...app, db }, address, browser());
    return sent;
  };
  const known = await statements(ann.email);
  assert.equal((await mails()).length, 1);
  const unknown = await statements('nobody@shop.example');
  assert.equal((await mails()).length, 1, 'nobody was mailed');
  assert.deepEqual(unknown, known);
  assert.ok(known.some((text) => text.includes('insert into mail')));
});

test('three links in a quarter of an hour to one address, known or not, and twenty from one place', async () => {
  for (const address of [ann.email, 'nobody@shop.example']) {
    for (let count = 0; count < 3; count += 1) await askForLink(app, address, browser());
    await assert.rejects(askForLink(app, address, browser()), refused('too_many_guesses'));
  }
  const from = browser({ address: '198.51.100.77' });
  for (let count = 0; count < 20; count += 1) {
    await askForLink(app, `no${count}@shop.example`, from);
  }
  await assert.rejects(askForLink(app, 'one@more.example', from), refused('too_many_guesses'));
  await assert.rejects(askForLink(app, 'no address', browser()), refused('email'));
});
