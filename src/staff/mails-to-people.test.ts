// What people of the dashboard are mailed, received by a real server: who gets it, in which
// language, and that no mail holds what is somebody else's.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Db, sql } from '#db/db.ts';
import { sendDueMails } from '#mail/send-mails.ts';
import { openSmtp } from '#mail/smtp.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import { mailFixture, mailSettingsFor } from '#test/support/mail-fixture.ts';
import { type ReceivedMail, withMailServer } from '#test/support/mail-server.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { acceptInvitation, invite, listInvitations } from './invitation.ts';
import { findSession } from './session.ts';
import { type Browser, signInWithPassword } from './sign-in.ts';
import { choosePassword } from './ways-in.ts';

const password = 'three blue horses run';
const email = 'ann@shop.example';

let database: TestDatabase;
let db: Db;
before(async () => {
  database = await openTestDatabase({ unsafeFast: true });
  db = database.db;
});
after(() => database.close());

const browser = (more: Partial<Browser> = {}): Browser => ({
  address: '192.0.2.1',
  agent: 'Visit https://evil.test now',
  session: undefined,
  device: undefined,
  language: 'de',
  ...more,
});

type World = Awaited<ReturnType<typeof worldOf>>;

/** `seed`: what is drawn by chance, such as ids, is its own. */
async function worldOf(hasMail: boolean, seed = hasMail ? 11 : 12) {
  return { ...mailFixture(db, seed), publicUrl: 'https://pay.shop.example', hasMail };
}

/** What is received while it is done. */
async function mailsOf(app: World, act: () => Promise<unknown>): Promise<readonly ReceivedMail[]> {
  const kept: ReceivedMail[] = [];
  await withMailServer({}, async ({ port, received }) => {
    await act();
    const smtp = openSmtp(mailSettingsFor(port));
    while ((await sendDueMails(app, smtp)) === 'busy');
    smtp.close();
    kept.push(...received);
  });
  return kept;
}

test('people are mailed their invitation, a sign-in in a new browser, and changed security', async () => {
  const app = await worldOf(true);
  const asked = { email, name: 'Ann', isOperator: true, membership: undefined };
  let token = '';
  const [invitation, ...others] = await mailsOf(app, async () => {
    ({ token } = await invite(app, 'somebody', { ...asked, language: 'de' }));
  });
  assert.equal(others.length, 0);
  assert.deepEqual(invitation?.to, [email]);
  assert.equal(invitation?.parsed.subject, 'Einladung zum Dashboard von pay.shop.example');
  const link = `https://pay.shop.example/dashboard/invitation/${token}`;
  assert.ok(invitation?.parsed.text?.includes(link));
  assert.ok(String(invitation?.parsed.html).includes(`href="${link}"`));

  const given = { name: 'Ann', email: '', password, signedIn: undefined };
  const person = await acceptInvitation(app, token, given);
  let entered: Awaited<ReturnType<typeof signInWithPassword>> | undefined;
  const [seen] = await mailsOf(app, async () => {
    entered = await signInWithPassword(app, { email, password }, browser());
  });
  assert.ok(entered !== undefined && 'session' in entered);
  assert.equal(seen?.parsed.subject, 'Neue Anmeldung bei pay.shop.example');
  assert.match(
    seen?.parsed.text ?? '',
    /am 1\. März 2026 um 12:00 UTC von der Adresse 192\.0\.2\.1/,
  );
  assert.doesNotMatch(
    seen?.raw ?? '',
    /evil\.test/,
    'what a browser calls itself is no text of ours',
  );

  const { session: cookie, device } = entered;
  const known = await mailsOf(app, () =>
    signInWithPassword(app, { email, password }, browser({ device })),
  );
  assert.deepEqual(known, [], 'a browser that he signed in with before is no news');

  const session = await findSession(app, cookie);
  assert.ok(session !== undefined);
  const next = 'four green horses walk';
  const [changed] = await mailsOf(app, () =>
    choosePassword(app, { person, session, language: 'fr' }, next),
  );
  assert.equal(changed?.parsed.subject, 'Votre connexion à pay.shop.example a été modifiée');
  assert.match(changed?.parsed.text ?? '', /Votre mot de passe a été défini\./);

  for (const { parsed } of [seen, changed].flatMap((mail) => mail ?? [])) {
    const said = `${parsed.subject} ${parsed.text} ${parsed.html}`;
    for (const secret of [token, cookie, device, password, next]) {
      assert.ok(!said.includes(secret), 'no secret stands in a mail that does not need it');
    }
  }
});

test('a browser that keeps no cookies is told of once a day, another one at once', async () => {
  const app = await worldOf(true, 13);
  const asked = {
    email: 'nils@shop.example',
    name: 'Nils',
    isOperator: true,
    language: 'de',
  } as const;
  const { token } = await invite(app, 'somebody', { ...asked, membership: undefined });
  await acceptInvitation(app, token, { name: 'Nils', email: '', password, signedIn: undefined });
  const signIn = (more: Partial<Browser>) =>
    signInWithPassword(app, { email: asked.email, password }, browser(more));
  const told = async (...signIns: readonly Partial<Browser>[]) => {
    const mails = await mailsOf(app, async () => {
      for (const more of signIns) await signIn(more);
    });
    return mails.filter(({ parsed }) => parsed.subject?.startsWith('Neue Anmeldung')).length;
  };
  assert.equal(await told({}, {}, {}), 1);
  assert.equal(await told({ address: '198.51.100.9' }, { agent: 'Another' }), 2);
  await app.clock.advance(24 * 3_600_000);
  assert.equal(await told({}, {}), 1);
});

test('an open invitation says whether it was mailed, since when, or that it was refused', async () => {
  const app = await worldOf(true);
  const { id: merchantId } = await createMerchant(app, { name: 'Shop' });
  const membership = { merchantId, role: 'CASHIER' } as const;
  const asked = { name: 'Carl', isOperator: false, membership };
  const mailOf = async (email: string) => {
    const listed = await listInvitations(app, merchantId);
    return listed.find((one) => one.email === email)?.mail;
  };
  const carl = 'carl@shop.example';
  await mailsOf(app, async () => {
    await invite(app, 'somebody', { ...asked, email: carl });
    assert.deepEqual(await mailOf(carl), { state: 'PENDING', at: app.clock.now() });
    await app.clock.advance(60_000);
  });
  assert.deepEqual(await mailOf(carl), { state: 'SENT', at: app.clock.now() });
  const dora = 'dora@shop.example';
  await invite({ ...app, hasMail: false }, 'somebody', { ...asked, email: dora });
  assert.equal(await mailOf(dora), undefined, 'handed on by whoever invited');
});

test('without a mail server nothing is written', async () => {
  const app = await worldOf(false);
  const asked = { email: 'bob@shop.example', name: 'Bob', isOperator: true, membership: undefined };
  const { token } = await invite(app, 'somebody', asked);
  const given = { name: 'Bob', email: '', password, signedIn: undefined };
  await acceptInvitation(app, token, given);
  await signInWithPassword(app, { email: 'bob@shop.example', password }, browser());
  const mails = await db.query(sql`select id from mail where receiver = 'bob@shop.example'`);
  assert.deepEqual(mails, []);
});
