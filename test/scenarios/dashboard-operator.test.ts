// The rooms of whoever runs the installation: for everybody else they are not there; networks, what
// waits, shops, what is parked, mails and the program, as the commands tell them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listActs, noteAct } from '#audit/act.ts';
import { sql } from '#db/db.ts';
import { testLetter } from '#mail/letters.ts';
import { enqueueMail } from '#mail/mail.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import type { LookLine } from '#pages/operator-port.ts';
import { listParked } from '#server/list-parked.ts';
import { invite } from '#staff/invitation.ts';
import { actorOf, findPersonByEmail } from '#staff/person.ts';
import { STAFF_ROLES } from '#staff/role.ts';
import type { DashboardBrowser } from '#test/support/dashboard-browser.ts';
import {
  type DashboardWorld,
  openDashboardWorld,
  PASSWORD,
} from '#test/support/dashboard-world.ts';

const OPERATOR = '/dashboard/operator';
const ROUTES = [
  ['GET', OPERATOR],
  ['POST', OPERATOR],
  ...['networks', 'treasury', 'merchants', 'parked', 'mail', 'trail', 'software'].map(
    (room) => ['GET', `${OPERATOR}/${room}`] as const,
  ),
  ['GET', `${OPERATOR}/trail/file`],
  ['POST', `${OPERATOR}/parked`],
  ['GET', `${OPERATOR}/networks/:environment/:network`],
  ['POST', `${OPERATOR}/networks/:environment/:network`],
] as const;

/** One that the others lead to. */
const isRoom = (path: string) => !path.includes(':') && !path.endsWith('/file');

/** A path as somebody types it. */
const typed = (path: string) =>
  path.replace(':environment', 'test').replace(':network', 'LITECOIN');

const AT = Temporal.Instant.from('2026-01-01T00:00:00Z');
const LOOKS: readonly LookLine[] = [
  {
    ...{ kind: 'signer', chain: 'live:BITCOIN' },
    found: { ok: false, detail: 'the signer: <b>gone</b>', lookedAt: AT, wellAt: AT },
  },
  { kind: 'signer', chain: 'live:LITECOIN', found: undefined },
  {
    ...{ kind: 'gas', chain: 'live:ETHEREUM' },
    found: { ok: true, detail: '0x1 holds 0.5 ETH', lookedAt: AT, wellAt: AT },
  },
  {
    ...{ kind: 'backup', chain: undefined },
    found: { ok: false, detail: 'there is none in /mnt', lookedAt: AT, wellAt: undefined },
  },
];

let world: DashboardWorld;
let operator: DashboardBrowser;
before(async () => {
  world = await openDashboardWorld({ looks: LOOKS });
  operator = await comeToOperate('otis');
});
after(() => world.close());

/** Somebody without a shop. */
async function comeToOperate(name: string): Promise<DashboardBrowser> {
  const asked = { email: `${name}@house.example`, name, isOperator: true, membership: undefined };
  const { token } = await invite(world.app, 'tester', asked);
  const browser = world.open();
  const path = `/dashboard/invitation/${token}`;
  await browser.get(path);
  const accepted = await browser.submit(path, { name, password: PASSWORD, way: 'password' });
  assert.equal(accepted.status, 303, accepted.markup);
  return browser;
}

async function parkOne(reason: string): Promise<string> {
  const id = await world.create();
  const { app, clock } = world;
  await app.db.single((tx) =>
    tx.query(sql`update checkout set parked_reason = ${reason}, settle_failures = 5,
      settle_at = ${clock.now()} where id = ${id}`),
  );
  return `checkout:${id}`;
}

test('every route of the operator stands in the table', () => {
  const routes = world.pages.routes.flatMap(({ method, path }) =>
    path.startsWith(OPERATOR) ? `${method} ${path}` : [],
  );
  assert.deepEqual([...new Set(routes)].sort(), ROUTES.map((route) => route.join(' ')).sort());
});

test('whoever does not run the installation finds nothing there, and sees no link to it', async () => {
  const name = await parkOne('not for them');
  const stranger = world.open();
  assert.match((await stranger.get(OPERATOR)).location ?? '', /^\/dashboard\/sign-in\?to=/);
  for (const role of STAFF_ROLES) {
    const browser = await world.comeAs(role);
    const home = await browser.get(`${world.shop}/checkouts`);
    assert.doesNotMatch(home.markup, /dashboard\/operator/);
    const form = /name="form" value="([^"]+)"/.exec(home.markup)?.[1] ?? '';
    for (const [method, path] of ROUTES) {
      const shown = await (method === 'GET'
        ? browser.get(typed(path))
        : browser.post(typed(path), { form, parked: name }));
      assert.equal(shown.status, 404, `${role} ${method} ${path}`);
      assert.doesNotMatch(shown.markup, /not for them/);
    }
  }
  const parked = await listParked(world.app, world.clock.now(), 9);
  assert.equal(parked[0]?.id, name, 'nobody has tried it again');
});

test('somebody without a shop comes into his own rooms, and goes from each to all others', async () => {
  assert.equal((await operator.get('/dashboard')).location, OPERATOR);
  for (const [method, path] of ROUTES) {
    if (method === 'POST' || !isRoom(path)) continue;
    const { status, markup } = await operator.get(path);
    assert.equal(status, 200, path);
    for (const [, other] of ROUTES) {
      if (isRoom(other)) assert.match(markup, new RegExp(`href="${other}"`));
    }
    assert.match(markup, new RegExp(`href="${path}" aria-current="page"`));
  }
  assert.equal((await operator.get(`${world.shop}/checkouts`)).status, 404, 'no shop is his');
});

test('a network is told in words, with its brake', async () => {
  await world.observe('LITECOIN');
  await world.app.db.single((tx) =>
    tx.query(sql`update chain_cursor set brake = 'blocks come <b>slowly</b>'
      where chain = 'test:LITECOIN'`),
  );
  const { markup } = await operator.get(`${OPERATOR}/networks`);
  const [, card = ''] = /id="test-LITECOIN">(.*?)<\/section>/s.exec(markup) ?? [];
  assert.match(card, /Litecoin \(Test\)/);
  assert.match(card, /data-state="brake">The brake is on/);
  assert.match(card, /blocks come &lt;b&gt;slowly/);
  assert.match(markup, /A brake goes off by itself/);
  assert.match(markup, /data-state="never">Not read yet/, 'of one that was never heard');
});

test('what is parked is tried again by whoever proved who he is, and that is in the trail', async () => {
  const path = `${OPERATOR}/parked`;
  const name = await parkOne('a <i>bug</i>');
  const overview = await operator.get(OPERATOR);
  assert.match(overview.markup, /Something is parked/);
  await world.clock.advance(Temporal.Duration.from({ minutes: 11 }));
  const list = await operator.get(path);
  assert.match(list.markup, /a &lt;i&gt;bug/);
  const asked = await operator.submit(path, { parked: name });
  assert.equal(asked.location, `/dashboard/proof?to=${encodeURIComponent(path)}`);
  await operator.get(asked.location ?? '');
  await operator.submit('/dashboard/proof', { password: PASSWORD, to: path });
  await operator.get(path);
  const done = await operator.submit(path, { parked: name });
  assert.equal(done.location, `${path}?done=1`);
  const acts = await listActs(world.app.db, { about: `parked:${name}` }, 9);
  assert.deepEqual(
    acts.map(({ verb }) => verb),
    ['parked-retry'],
  );
  assert.match(acts[0]?.actor ?? '', /^person /);
  await operator.get(path);
  assert.equal((await operator.submit(path, { parked: 'checkout:nobody' })).status, 404);
  await operator.get(path);
  assert.equal((await operator.submit(path, { parked: 'payment:1' })).status, 400);
});

test('shops are listed with how many people and keys they have, whatever they are called', async () => {
  const { app, caller } = world;
  await createMerchant(app, { name: '"><script>alert(1)</script>\u202e' });
  const { markup } = await operator.get(`${OPERATOR}/merchants`);
  assert.doesNotMatch(markup, /<script>alert|\u202e/);
  assert.match(markup, /&lt;script&gt;alert/);
  assert.ok(markup.includes(caller.merchantId));
  assert.match(markup, /People: \d+, API keys: 1/);
  assert.equal((await operator.get(`${OPERATOR}/merchants?after=nonsense`)).status, 200);
});

test('mails on their way and parked ones are told with what the server said', async () => {
  const { app, clock } = world;
  const mail = { causeKey: 'one', kind: 'TEST', receiver: 'ann@shop.example' } as const;
  const letter = testLetter(app.publicUrl);
  await app.db.transact(async (tx) => {
    enqueueMail(app, tx, { ...mail, letter });
    enqueueMail(app, tx, { ...mail, causeKey: 'two', receiver: 'bob@shop.example', letter });
  });
  await app.db.single((tx) =>
    tx.query(sql`update mail set state = 'PARKED', finished_at = ${clock.now()},
      reason = '550 <nobody> here' where cause_key = 'two'`),
  );
  const { markup } = await operator.get(`${OPERATOR}/mail`);
  assert.match(markup, /No mail server is set up/);
  assert.match(markup, /Parked: 1/);
  assert.match(markup, /550 &lt;nobody&gt; here/);
  assert.match(markup, /On their way: \d/);
  assert.match(markup, /ann@shop\.example/);
});

test('the program tells its version, migrations, and the files that a backup has to come with', async () => {
  const { markup } = await operator.get(`${OPERATOR}/software`);
  assert.match(markup, /PostgreSQL \d+/);
  assert.match(markup, /<code>\d{4}-[a-z-]+<\/code>/);
  assert.match(markup, /quittance\.key/);
  assert.match(markup, /given-out\.log/);
});

test('asked anew it says what the command doctor says', async () => {
  const { markup } = await operator.get(`${OPERATOR}?ask=1`);
  assert.match(markup, /data-ok="yes">in order/);
  assert.match(markup, /key file/);
  assert.doesNotMatch((await operator.get(OPERATOR)).markup, /data-ok=/, 'only when it is asked');
});

test('whether alerts arrive is tried by a button, and that is in the trail', async () => {
  const { markup } = await operator.get(OPERATOR);
  assert.match(markup, /id="alert-test"/);
  const done = await operator.submit(OPERATOR, {});
  // Nobody is named in the settings of this world.
  assert.equal(done.location, `${OPERATOR}?told=0`);
  assert.match((await operator.get(`${OPERATOR}?told=0`)).markup, /Nobody is told of alerts yet/);
  assert.match((await operator.get(`${OPERATOR}?told=3`)).markup, /On its way\. Receivers: 3/);
  assert.doesNotMatch((await operator.get(`${OPERATOR}?told=x`)).markup, /On its way/);
  const acts = await listActs(world.app.db, { verb: 'alert-test' }, 9);
  assert.deepEqual(
    acts.map(({ verb }) => verb),
    ['alert-test'],
  );
});

test('who signs, gas and the last backup are told as they were found last, and nobody is asked', async () => {
  const card = (markup: string, id: string) =>
    new RegExp(`id="${id}">(.*?)</section>`, 's').exec(markup)?.[1] ?? '';
  const treasury = (await operator.get(`${OPERATOR}/treasury`)).markup;
  const signer = card(treasury, 'signer');
  assert.match(signer, /Bitcoin<\/strong>\s*<span data-ok="no">not in order/);
  assert.match(signer, /the signer: &lt;b&gt;gone/);
  assert.match(signer, /looked at: \d+ \w+ ago, last well: /);
  assert.match(signer, /Litecoin<\/strong> <span>Nobody has looked yet/);
  const gas = card(treasury, 'gas');
  assert.match(gas, /Ethereum<\/strong>\s*<span data-ok="yes">in order/);
  assert.match(gas, /0x1 holds 0\.5 ETH/);
  const backup = card((await operator.get(`${OPERATOR}/software`)).markup, 'backup');
  assert.match(backup, /there is none in \/mnt/);
  assert.match(backup, /last well: not yet/);
  const overview = card((await operator.get(OPERATOR)).markup, 'alerts');
  assert.match(overview, /Who signs does not answer<\/strong>/);
  assert.match(overview, /The last backup is not in order<\/strong>/);
  assert.doesNotMatch(overview, /too little gas/);
});

test('the trail of the house is searched and taken along: who did what and when, with what was written', async () => {
  const { app, caller } = world;
  const note = (actor: string, verb: string, more: Partial<Parameters<typeof noteAct>[1]> = {}) =>
    app.db.single(async (tx) =>
      noteAct(tx, {
        actedAt: world.clock.now(),
        actor,
        verb,
        subject: 'chain:live:BITCOIN',
        ...more,
      }),
    );
  const ownerId = (await findPersonByEmail(app.db, 'otis@house.example'))?.id ?? '';
  await note('anna', 'limit-set', { details: { before: '5 <i>EUR</i>', after: '9 EUR' } });
  await note('anna', 'chain-release', { environment: 'live' });
  await note(actorOf(ownerId), 'key-create', { merchantId: caller.merchantId });
  await note('bob', 'key-revoke', { merchantId: caller.merchantId, subject: 'key:1' });
  const trail = async (asked: Readonly<Record<string, string>> = {}) => {
    const { status, markup } = await operator.get(
      `${OPERATOR}/trail?${new URLSearchParams(asked)}`,
    );
    assert.equal(status, 200);
    return markup;
  };
  const verbs = (markup: string) =>
    [...markup.matchAll(/data-act="\d+"><code>([a-z-]+)</g)].map(([, verb]) => verb);
  const all = await trail();
  assert.deepEqual(verbs(all).slice(0, 3), ['key-create', 'chain-release', 'limit-set']);
  assert.ok(!verbs(all).includes('key-revoke'), 'what others did with a shop is its own');
  assert.match(all, /<dt lang="en"><bdi>before<\/bdi><\/dt>\s<dd lang="en"><bdi>5 &lt;i&gt;EUR/);
  assert.match(all, /<dt lang="en"><bdi>after<\/bdi><\/dt>\s<dd lang="en"><bdi>9 EUR/);
  assert.deepEqual(verbs(await trail({ by: 'anna' })), ['chain-release', 'limit-set']);
  assert.deepEqual(verbs(await trail({ by: 'OTIS', verb: 'key-' })), ['key-create']);
  assert.deepEqual(verbs(await trail({ by: 'otis@house.example', verb: 'key-c' })), ['key-create']);
  assert.deepEqual(verbs(await trail({ by: 'anna', verb: 'chain' })), ['chain-release']);
  assert.deepEqual(verbs(await trail({ by: 'anna', about: 'chain' })).length, 2);
  assert.deepEqual(verbs(await trail({ by: 'anna', about: 'chain:live:LITECOIN' })), []);
  const today = world.clock.now().toZonedDateTimeISO('UTC').toPlainDate();
  assert.equal(verbs(await trail({ by: 'anna', from: `${today}`, to: `${today}` })).length, 2);
  assert.deepEqual(verbs(await trail({ by: 'anna', from: `${today.add({ days: 1 })}` })), []);
  assert.deepEqual(verbs(await trail({ by: 'anna', to: `${today.subtract({ days: 1 })}` })), []);
  assert.equal(verbs(await trail({ by: 'anna', from: '2026-99-99', after: 'x' })).length, 2);
  for (let number = 0; number < 60; number += 1)
    await note('carl', `act-${'x'.repeat(1 + (number % 3))}`);
  const first = await trail({ by: 'carl' });
  assert.equal(verbs(first).length, 50);
  const [, href = ''] = /<a class="quiet" id="older" href="([^"]+)"/.exec(first) ?? [];
  const { markup } = await operator.get(href.replaceAll('&amp;', '&'));
  assert.equal(verbs(markup).length, 10, 'the rest');
  const table = (await operator.get(`${OPERATOR}/trail/file?by=carl`)).markup;
  assert.equal(table.trimEnd().split('\r\n').length, 61, 'all of them, and their names');
  assert.doesNotMatch(markup, /id="older"/);
});

test('a letter that could not be written is tried again or given up by a button, and noted', async () => {
  await world.app.db.single((tx) =>
    tx.query(sql`
      insert into unwritten_mail (id, source, fact, reason, parked_at)
      values ('cccccccccccc', 'claims', 'aaaaaaaaaaaa', 'Error: no <b>text</b>', now())`),
  );
  const path = `${OPERATOR}/parked`;
  const { markup } = await operator.get(path);
  assert.match(markup, /letter:cccccccccccc/);
  assert.match(markup, /Error: no &lt;b&gt;text/);
  assert.match(markup, /name="act" value="retry"/);
  const given = { parked: 'letter:cccccccccccc', act: 'discard' };
  assert.equal((await operator.submit(path, given)).status, 303);
  assert.doesNotMatch((await operator.get(path)).markup, /letter:cccccccccccc/);
  const [act] = await listActs(world.app.db, { verb: 'parked-discard' }, 1);
  assert.equal(act?.subject, 'parked:letter:cccccccccccc');
});
