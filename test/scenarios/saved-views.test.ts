// People keep searches of the checkouts under a name: each for himself, or for the whole shop.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listActs } from '#audit/act.ts';
import { listViews, saveView, VIEWS_MOST } from '#desk/saved-view.ts';
import { createMerchant } from '#merchant/create-merchant.ts';
import type { DashboardBrowser } from '#test/support/dashboard-browser.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';

let world: DashboardWorld;
let shop: string;
let path: string;
before(async () => {
  world = await openDashboardWorld();
  shop = world.shop;
  path = `${shop}/checkout-views`;
});
after(() => world.close());

const ASKED = { find: '', state: 'UNDERPAID', from: '2026-01-01', to: '' };
const QUERY = 'state=UNDERPAID&from=2026-01-01';

/** Saves what is asked for, by the form that the page shows. */
async function save(browser: DashboardBrowser, name: string, more: Record<string, string> = {}) {
  const { markup } = await browser.get(`${shop}/checkouts?${QUERY}`);
  const read = (field: string) => new RegExp(`name="${field}" value="([^"]+)"`).exec(markup)?.[1];
  const hidden = { form: read('form') ?? '', once: read('once') ?? '' };
  return browser.post(path, { ...hidden, ...ASKED, act: 'save', name, ...more });
}

/** Names of the tabs above the search, and which one is marked. */
async function tabsOf(browser: DashboardBrowser, query = '') {
  const { markup } = await browser.get(`${shop}/checkouts${query}`);
  const [, list = ''] = /id="saved"[^>]*>([\s\S]*?)<\/nav>/.exec(markup) ?? [];
  const links = [...list.matchAll(/<a href="([^"]+)"([^>]*)>([\s\S]*?)<\/a>/g)];
  const names = links.map(([, , , label = '']) => label.replaceAll(/<[^>]*>/g, ''));
  const [, here = '', , name = ''] = links.find(([, , mark]) => mark?.includes('page')) ?? [];
  return { names, marked: name.replaceAll(/<[^>]*>/g, ''), address: here.replaceAll('&amp;', '&') };
}

async function idOf(browser: DashboardBrowser, name: string): Promise<string> {
  const { markup } = await browser.get(path);
  const at = markup.indexOf(`<bdi>${name}</bdi>`);
  return /name="view" value="([^"]+)"/.exec(markup.slice(at))?.[1] ?? '';
}

test('what is asked for is kept under a name, opened by a tab, renamed and removed', async () => {
  const viewer = await world.comeAs('VIEWER', 'vera');
  assert.doesNotMatch((await viewer.get(`${shop}/checkouts`)).markup, /id="save-view"|id="saved"/);
  const saved = await save(viewer, ' Too\n little <b> ');
  assert.equal(saved.location, `${shop}/checkouts?${QUERY}`);
  const { names, marked, address } = await tabsOf(viewer, `?${QUERY}`);
  assert.deepEqual(names, ['All', 'Too little &lt;b&gt;', 'Change views']);
  assert.equal(marked, 'Too little &lt;b&gt;');
  assert.equal(address, `${shop}/checkouts?${QUERY}`);
  const { markup } = await viewer.get(address);
  assert.match(markup, /<option value="UNDERPAID" selected>/);
  assert.match(markup, /name="from" type="date" value="2026-01-01"/);
  assert.equal((await tabsOf(viewer)).marked, 'All');
  const view = await idOf(viewer, 'Too little &lt;b&gt;');
  await viewer.get(path);
  const taken = await viewer.submit(path, { act: 'rename', view, name: 'Mine' });
  assert.equal(taken.location, path);
  assert.deepEqual((await tabsOf(viewer)).names, ['All', 'Mine', 'Change views']);
  await viewer.get(path);
  await viewer.submit(path, { act: 'remove', view });
  assert.deepEqual((await tabsOf(viewer)).names, []);
});

test('one that is for the whole shop is kept by who changes its settings, and is in the trail', async () => {
  const admin = await world.comeAs('ADMIN', 'adam');
  const cashier = await world.comeAs('CASHIER', 'cleo');
  await save(admin, 'Of all', { shop: 'yes' });
  await save(admin, 'Of Adam');
  assert.deepEqual((await tabsOf(cashier)).names, ['All', 'Of all', 'Change views']);
  assert.deepEqual((await tabsOf(admin)).names, ['All', 'Of all', 'Of Adam', 'Change views']);
  assert.equal((await save(cashier, 'Not mine', { shop: 'yes' })).status, 403);
  const [view, own] = [await idOf(admin, 'Of all'), await idOf(admin, 'Of Adam')];
  await cashier.get(`${shop}/checkouts?${QUERY}`);
  const tries: readonly Readonly<Record<string, string>>[] = [
    { act: 'rename', view, name: 'Stolen', shop: 'yes' },
    { act: 'rename', view, name: 'Stolen' },
    { act: 'rename', view: own, name: 'Stolen' },
    { act: 'remove', view, shop: 'yes' },
    { act: 'remove', view },
    { act: 'remove', view: own },
  ];
  for (const given of tries) {
    await cashier.get(`${shop}/checkouts?${QUERY}`);
    const { status } = await cashier.submit(path, given);
    assert.ok([303, 403, 404].includes(status), `${status}`);
  }
  assert.deepEqual((await tabsOf(admin)).names, ['All', 'Of all', 'Of Adam', 'Change views']);
  await admin.get(path);
  await admin.submit(path, { act: 'rename', view, name: 'Everybody', shop: 'yes' });
  await admin.get(path);
  await admin.submit(path, { act: 'remove', view, shop: 'yes' });
  const acts = await listActs(world.app.db, { about: `saved-view:${view}` }, 9);
  assert.deepEqual(
    acts.map(({ verb }) => verb),
    ['saved-view-add', 'saved-view-rename', 'saved-view-remove'],
  );
  const others = await listActs(world.app.db, { about: `saved-view:${own}` }, 9);
  assert.deepEqual(others, [], 'what one keeps for himself is his affair');
});

test('names are bounded texts, each once; a form that is sent twice is one view', async () => {
  const owner = await world.comeAs('OWNER', 'olga');
  for (const name of ['', '  ', 'x'.repeat(41), 'a\u0000b']) {
    const { status, markup } = await save(owner, name);
    assert.equal(status, 400);
    assert.match(markup, /A name has 1 to 40 characters/);
  }
  await save(owner, 'Once');
  const again = await save(owner, 'ONCE');
  assert.equal(again.status, 409);
  assert.match(again.markup, /Another view has this name/);
  const { markup } = await owner.get(`${shop}/checkouts?${QUERY}`);
  const read = (field: string) => new RegExp(`name="${field}" value="([^"]+)"`).exec(markup)?.[1];
  const hidden = { form: read('form') ?? '', once: read('once') ?? '' };
  const values = { ...hidden, ...ASKED, act: 'save', name: 'Twice' };
  const both = await Promise.all([owner.post(path, values), owner.post(path, values)]);
  assert.deepEqual(
    both.map(({ status }) => status),
    [303, 303],
  );
  assert.deepEqual((await tabsOf(owner)).names, ['All', 'Once', 'Twice', 'Change views']);
});

test('there are no more than are kept, also when many are saved at once; other shops see none', async () => {
  const { app, caller } = world;
  const theirs = await createMerchant(app, { name: 'Other shop' });
  const owner = { merchantId: theirs.id, environment: caller.environment, personId: undefined };
  const more = Array.from({ length: VIEWS_MOST + 3 }, (_, index) =>
    saveView(app, owner, { name: `View ${index}`, asked: QUERY }),
  );
  const settled = await Promise.allSettled(more);
  assert.equal(settled.filter(({ status }) => status === 'rejected').length, 3);
  assert.equal((await listViews(app.db, owner, 'nobody')).length, VIEWS_MOST);
  const mine = await world.comeAs('OWNER', 'otto');
  assert.deepEqual((await tabsOf(mine)).names, []);
  const stranger = await world.comeAs('OWNER', 'stan', theirs.id);
  assert.equal((await stranger.get(path)).status, 404);
  const live = `/dashboard/shop/${theirs.id}/live/checkouts`;
  assert.doesNotMatch((await stranger.get(live)).markup, /id="saved"/, 'nor with real money');
});
