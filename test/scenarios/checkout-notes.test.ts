// People of a shop write notes on a checkout: for the shop alone, each once, and for good.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listActs } from '#audit/act.ts';
import { checkoutView } from '#checkout-settlement/checkout-view.ts';
import { sql } from '#db/db.ts';
import { listNotes, NOTE_MAX, NOTES_MOST, writeNote } from '#desk/checkout-note.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import type { DashboardBrowser } from '#test/support/dashboard-browser.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';

let world: DashboardWorld;
let shop: string;
before(async () => {
  world = await openDashboardWorld();
  shop = world.shop;
});
after(() => world.close());

const notesOf = (id: string) => listNotes(world.app.db, world.caller, id);

/** The hidden fields of the form for a note, as the page gives them. */
async function openForm(browser: DashboardBrowser, id: string) {
  const { markup } = await browser.get(`${shop}/checkouts/${id}`);
  const read = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(markup)?.[1];
  return { form: read('form') ?? '', once: read('once') ?? '' };
}

test('a note stands in the story of its checkout with who wrote it, and in the trail without its text', async () => {
  const id = await world.create();
  const cashier = await world.comeAs('CASHIER', 'cora');
  const hidden = await openForm(cashier, id);
  const note = 'Comes back tomorrow\r\nwith <script>alert(1)</script> \u202egnp.exe';
  const sent = await cashier.post(`${shop}/checkouts/${id}/notes`, { ...hidden, note });
  assert.equal(sent.location, `${shop}/checkouts/${id}#notes`);
  const viewer = await world.comeAs('VIEWER', 'vito');
  const { markup } = await viewer.get(`${shop}/checkouts/${id}`);
  assert.match(markup, /data-kind="note"[\s\S]*<strong>Note: <bdi>cora<\/bdi>/);
  assert.match(markup, /Comes back tomorrow<\/bdi><br><bdi>with &lt;script&gt;/);
  assert.doesNotMatch(markup, /<script>alert|\u202e/);
  assert.doesNotMatch(markup, /id="add-note"/, 'who writes none sees no form');
  const acts = await listActs(world.app.db, { about: `checkout:${id}` }, 5);
  assert.deepEqual(
    acts.map(({ verb, details }) => [verb, details]),
    [['checkout-note', '{}']],
  );
  assert.match(acts[0]?.actor ?? '', /^person /);
});

test('a form that is sent twice, also at once, is one note; with other words it is refused', async () => {
  const id = await world.create();
  const admin = await world.comeAs('ADMIN', 'ada');
  const path = `${shop}/checkouts/${id}/notes`;
  const values = { ...(await openForm(admin, id)), note: 'Once' };
  const both = await Promise.all([admin.post(path, values), admin.post(path, values)]);
  assert.deepEqual(
    both.map(({ status }) => status),
    [303, 303],
  );
  assert.equal((await notesOf(id)).length, 1);
  const other = await admin.post(path, { ...values, note: 'Twice' });
  assert.equal(other.status, 409);
  assert.match(other.markup, /This form was sent before/);
  assert.match(other.markup, /\nTwice<\/textarea>/, 'what was typed is not lost');
  assert.equal((await notesOf(id)).length, 1);
});

test('a note is a text of a bounded length, and a checkout has a bounded number of them', async () => {
  const { app, caller } = world;
  const id = await world.create();
  const admin = await world.comeAs('ADMIN', 'agnes');
  const path = `${shop}/checkouts/${id}/notes`;
  for (const note of ['', ' \r\n ', 'x'.repeat(NOTE_MAX + 1), 'a\u0000b']) {
    const { status, markup } = await admin.post(path, { ...(await openForm(admin, id)), note });
    assert.equal(status, 400, JSON.stringify(note.slice(0, 5)));
    assert.match(markup, /A note has 1 to 1,000 characters/);
  }
  const whole = '\u{1f600}'.repeat(NOTE_MAX);
  assert.equal(
    (await admin.post(path, { ...(await openForm(admin, id)), note: whole })).status,
    303,
  );
  const given = { checkoutId: id, actor: 'tester', note: 'again' };
  const more = Array.from({ length: NOTES_MOST + 4 }, () => writeNote(app, caller, given));
  const settled = await Promise.allSettled(more);
  assert.equal(settled.filter(({ status }) => status === 'rejected').length, 5);
  const full = await admin.post(path, { ...(await openForm(admin, id)), note: 'one more' });
  assert.equal(full.status, 409);
  assert.match(full.markup, /as many notes as are kept/);
  assert.equal((await notesOf(id)).length, NOTES_MOST);
});

test('nobody changes or removes a note', async () => {
  const { app, caller } = world;
  const id = await world.create();
  await writeNote(app, caller, { checkoutId: id, actor: 'tester', note: 'for good' });
  for (const change of [
    sql`update checkout_note set note = 'other' where checkout_id = ${id}`,
    sql`delete from checkout_note where checkout_id = ${id}`,
    sql`truncate checkout_note`,
  ]) {
    await assert.rejects(app.db.single((tx) => tx.query(change)));
  }
  assert.deepEqual(
    (await notesOf(id)).map(({ note }) => note),
    ['for good'],
  );
});

test('no customer and no program sees it, nor anybody of another shop or with other money', async () => {
  const { app, caller } = world;
  const id = await world.create();
  await writeNote(app, caller, { checkoutId: id, actor: 'tester', note: 'pays-late-again' });
  const shown = JSON.stringify(checkoutView(app, await world.read(id)));
  assert.doesNotMatch(shown, /pays-late-again/);
  const { hostedCheckoutUrl } = JSON.parse(shown) as { readonly hostedCheckoutUrl: string };
  const page = await world.open().get(new URL(hostedCheckoutUrl).pathname.replace('auto', 'en'));
  assert.equal(page.status, 200);
  assert.doesNotMatch(page.markup, /pays-late-again/);
  const other = await createMerchant(app, { name: 'Other shop' });
  const stranger = await world.comeAs('OWNER', 'stella', other.id);
  const hidden = await openForm(stranger, id);
  for (const path of [
    `/dashboard/shop/${other.id}/test/checkouts/${id}`,
    `${shop.replace(/test$/, 'live')}/checkouts/${id}`,
    `${shop}/checkouts/${id}`,
  ]) {
    const { status, markup } = await stranger.get(path);
    assert.equal(status, 404, path);
    assert.doesNotMatch(markup, /pays-late-again/);
    const sent = await stranger.post(`${path}/notes`, { ...hidden, note: 'mine' });
    assert.ok(sent.status === 404 || sent.status === 403, `${path}: ${sent.status}`);
  }
  assert.equal((await notesOf(id)).length, 1);
});
