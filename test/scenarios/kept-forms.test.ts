// What somebody had typed when he was asked for a recent proof stands in the form again after it, for
// him alone, without secrets, and is sent by nobody but him. As browsers without JavaScript do it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#db/db.ts';
import { forgetOldForms } from '#staff/session.ts';
import type { DashboardBrowser } from '#test/support/dashboard-browser.ts';
import {
  type DashboardWorld,
  openDashboardWorld,
  PASSWORD,
} from '#test/support/dashboard-world.ts';
import { addBeneficiary, payCheckout } from '#test/support/outgoing-money.ts';

let world: DashboardWorld;
let people: string;
before(async () => {
  world = await openDashboardWorld();
  people = `${world.shop}/people`;
  await world.observe('LITECOIN');
});
after(() => world.close());

const NEW = { act: 'invite', name: 'Eve "<b>', email: 'eve@shop.example', role: 'CASHIER' };
const BACK = /What you had filled in stands here again/;
const minutes = (count: number) => world.clock.advance(Temporal.Duration.from({ minutes: count }));

/** As a browser sends it: with the page on which the form stands. */
async function sendFrom(
  browser: DashboardBrowser,
  page: string,
  values: Readonly<Record<string, string>>,
  path = page,
) {
  const { markup } = await browser.get(page);
  const [, at = ''] = /name="at" value="([^"]+)"/.exec(markup) ?? [];
  assert.equal(at.replaceAll('&amp;', '&'), page, 'each form says where it stands');
  return browser.submit(path, { at: page, ...values });
}

async function prove(browser: DashboardBrowser, to: string) {
  const shown = await browser.get(`/dashboard/proof?to=${encodeURIComponent(to)}`);
  const proven = await browser.submit('/dashboard/proof', { password: PASSWORD, to });
  assert.equal(proven.status, 303, proven.markup);
  return { shown, proven };
}

/** A form that was sent too late, and the proof after it. */
async function askedAgain(name: string) {
  const browser = await world.comeAs('OWNER', name);
  await minutes(11);
  const asked = await sendFrom(browser, people, NEW);
  assert.equal(asked.location, `/dashboard/proof?to=${encodeURIComponent(people)}`);
  return browser;
}

const invited = async (email: string) =>
  (await world.app.db.query(sql`select 1 from invitation where email = ${email}`)).length;

test('what was typed comes back after the proof, and is done when the person sends it', async () => {
  const browser = await askedAgain('anna');
  assert.doesNotMatch((await browser.get(people)).markup, BACK, 'not before the proof');
  const { shown, proven } = await prove(browser, people);
  assert.match(shown.markup, /What you filled in comes back after the proof/);
  assert.equal(proven.location, `${people}#kept`);
  const { markup } = await browser.get(people);
  assert.match(markup, BACK);
  assert.match(markup, /id="name"[^>]* value="Eve &quot;&lt;b&gt;"/);
  assert.match(markup, /name="email"[^>]* value="eve@shop\.example"/);
  assert.match(markup, /<option value="CASHIER" selected>/);
  assert.equal(await invited('eve@shop.example'), 0, 'nothing was done with it');
  assert.match((await browser.get(people)).markup, BACK, 'also when the page is loaded again');
  assert.equal((await browser.submit(people, NEW)).status, 200);
  assert.equal(await invited('eve@shop.example'), 1);
  assert.doesNotMatch((await browser.get(people)).markup, BACK, 'once it was sent it is forgotten');
});

test('it stands in no address, and on no other page', async () => {
  const browser = await askedAgain('berta');
  const { proven } = await prove(browser, people);
  assert.doesNotMatch(proven.location ?? '', /eve/);
  for (const page of [`${world.shop}/keys`, `${people}?x=1`, '/dashboard/security']) {
    const { markup } = await browser.get(page);
    assert.doesNotMatch(markup, BACK, page);
    assert.doesNotMatch(markup, /value="eve@shop\.example"/, page);
  }
});

test('nobody else gets it: neither another session of the same person, nor who comes after him', async () => {
  const browser = await askedAgain('carla');
  const other = world.open();
  await other.get('/dashboard/sign-in');
  await other.submit('/dashboard/sign-in', { email: 'carla@shop.example', password: PASSWORD });
  assert.doesNotMatch((await other.get(people)).markup, BACK);
  await browser.get(people);
  await browser.submit('/dashboard/sign-out', {});
  await browser.get('/dashboard/sign-in');
  await browser.submit('/dashboard/sign-in', { email: 'carla@shop.example', password: PASSWORD });
  assert.doesNotMatch((await browser.get(people)).markup, BACK);
});

test('a form of another site puts nothing into ours', async () => {
  const browser = await world.comeAs('OWNER', 'dora');
  const { markup } = await browser.get(people);
  const form = /name="form" value="([^"]+)"/.exec(markup)?.[1] ?? '';
  await minutes(11);
  for (const [values, headers] of [
    [NEW, {}],
    [{ ...NEW, form: 'x'.repeat(43) }, {}],
    [{ ...NEW, form }, { 'sec-fetch-site': 'cross-site' }],
  ] as const) {
    assert.equal((await browser.post(people, values, headers)).status, 403);
  }
  await prove(browser, people);
  assert.doesNotMatch((await browser.get(people)).markup, BACK);
});

test('it waits a quarter of an hour, and then no row has it', async () => {
  const browser = await askedAgain('emma');
  const kept = () =>
    world.app.db.query(sql`select kept_form from staff_session where kept_form like '%Eve%'`);
  assert.ok((await kept()).length > 0);
  await minutes(16);
  await prove(browser, people);
  assert.doesNotMatch((await browser.get(people)).markup, BACK);
  await forgetOldForms(world.app);
  assert.deepEqual(await kept(), []);
});

test('no password and no code is kept', async () => {
  const browser = await world.comeAs('OWNER', 'fanny');
  await minutes(11);
  const page = '/dashboard/security';
  const secret = 'nine blue horses sing low';
  await sendFrom(browser, page, { act: 'password', password: secret });
  await sendFrom(browser, page, { act: 'totp-on', secret: 'ABCDEFGH', code: '123456' });
  const rows = await world.app.db.query<{ kept: string }>(sql`
    select coalesce(kept_form, '') as kept from staff_session`);
  for (const { kept } of rows) assert.doesNotMatch(kept, /nine blue|ABCDEFGH|123456/);
  await prove(browser, page);
  assert.doesNotMatch((await browser.get(page)).markup, /nine blue|ABCDEFGH/);
});

test('the page it stood on comes back with what it was asked for, and of its forms the one that was sent', async () => {
  const browser = await world.comeAs('OWNER', 'gerda');
  const to = await addBeneficiary(world, 'Cold store');
  const page = `${world.shop}/money/send?to=${to}`;
  await minutes(11);
  const send = `${world.shop}/money/send`;
  const asked = await sendFrom(browser, page, { to, asset: 'LTC:NATIVE', amount: '0.75' }, send);
  assert.equal(asked.location, `/dashboard/proof?to=${encodeURIComponent(page)}`);
  const { proven } = await prove(browser, page);
  assert.equal(proven.location, `${page}#kept`);
  const { markup } = await browser.get(page);
  assert.match(markup, BACK);
  assert.match(markup, /name="amount"[^>]* value="0\.75"/);

  const id = await world.create();
  await payCheckout(world, id);
  await minutes(11);
  const { markup: sold } = await browser.get(`${world.shop}/checkouts/${id}`);
  const form = /name="form" value="([^"]+)"/.exec(sold)?.[1] ?? '';
  const cancel = `${world.shop}/checkouts/${id}/refund/cancel`;
  const late = await browser.post(cancel, { form, refund: 'none' });
  const above = `${world.shop}/checkouts/${id}`;
  assert.equal(late.location, `/dashboard/proof?to=${encodeURIComponent(above)}`);
});
