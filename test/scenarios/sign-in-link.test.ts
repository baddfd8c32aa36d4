// Signing in by a link in the browser: who is offered it, what it opens and what it does not.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#db/db.ts';
import { openLetter, type SealedMail } from '#mail/mail.ts';
import type { Shown } from '#test/support/dashboard-browser.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';

let world: DashboardWorld;
before(async () => {
  world = await openDashboardWorld({ hasMail: true });
});
after(() => world.close());

async function askFor(email: string): Promise<Shown> {
  const browser = world.open();
  await browser.get('/dashboard/sign-in');
  return browser.submit('/dashboard/sign-in/link', { email, password: '' });
}

async function linkOf(email: string): Promise<string> {
  const [mail] = await world.app.db.query<SealedMail>(sql`
    select id, sealed_key as "sealedKey", sealed_content as "sealedContent" from mail
    where kind = 'SIGN_IN_LINK' and receiver = ${email} order by created_at desc limit 1`);
  assert(mail !== undefined);
  const { text } = openLetter(world.app.keyring, mail);
  return /(\/dashboard\/sign-in\/link\/[\w-]+)/.exec(text)?.[1] ?? text;
}

test('a link is offered where there is a mail server, and nowhere else', async () => {
  const { markup } = await world.open().get('/dashboard/sign-in');
  assert.match(markup, /id="send-link"/);
  const silent = await openDashboardWorld();
  const browser = silent.open();
  assert.doesNotMatch((await browser.get('/dashboard/sign-in')).markup, /send-link/);
  const form = /name="form" value="([^"]+)"/.exec(
    (await browser.get('/dashboard/sign-in')).markup,
  )?.[1];
  const given = { form: form ?? '', email: 'ann@shop.example' };
  assert.equal((await browser.post('/dashboard/sign-in/link', given)).status, 404);
  await silent.close();
});

test('whether somebody is known is told nobody: the answer is the same, and one of them is mailed', async () => {
  await world.comeAs('OWNER', 'olga');
  const plain = ({ status, markup, headers }: Shown) => ({
    status,
    markup: markup.replaceAll(/nonce="[^"]+"|name="form" value="[^"]+"/g, ''),
    names: [...headers.keys()].sort(),
  });
  const known = await askFor('olga@shop.example');
  assert.equal(known.status, 200);
  assert.deepEqual(plain(known), plain(await askFor('nobody@shop.example')));
  const mailed = await world.app.db.query<{ receiver: string }>(
    sql`select receiver from mail where kind = 'SIGN_IN_LINK'`,
  );
  assert.deepEqual(mailed, [{ receiver: 'olga@shop.example' }]);
});

test('who looks at the link uses nothing up; its button signs in once, and people ask for a proof', async () => {
  await world.comeAs('OWNER', 'petra');
  await askFor('petra@shop.example');
  const link = await linkOf('petra@shop.example');
  assert.equal((await world.open().get(link)).status, 200);
  const browser = world.open();
  await browser.get(link);
  const without = await world.open().post(link, { form: 'x' });
  assert.equal(without.status, 403, 'a form of another browser signs nobody in');
  const entered = await browser.submit(link, {});
  assert.equal(entered.status, 303);
  const home = await browser.get(`${world.shop}/today`);
  assert.equal(home.status, 200);
  await browser.get(`${world.shop}/people`);
  const asked = await browser.submit(`${world.shop}/people`, {
    act: 'invite',
    email: 'guest@shop.example',
    name: 'Guest',
    role: 'VIEWER',
  });
  assert.match(asked.location ?? '', /^\/dashboard\/proof\?to=/);
  const again = world.open();
  await again.get(link);
  const used = await again.submit(link, {});
  assert.equal(used.status, 404);
  assert.match(used.markup, /used or is too old/);
});

test('what is no address is said, and the fourth link to one address is put off', async () => {
  const wrong = await askFor('no address');
  assert.equal(wrong.status, 400);
  assert.match(wrong.markup, /id="fault"/);
  for (let count = 0; count < 3; count += 1) {
    assert.equal((await askFor('often@shop.example')).status, 200);
  }
  assert.equal((await askFor('often@shop.example')).status, 429);
});
