// What an accountant sees of a shop: balances, what was sent out, and reports as files.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { REPORTS } from '#report/reports.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';
import { fundMerchant } from '#test/support/fund-merchant.ts';
import { addBeneficiary, payCheckout } from '#test/support/outgoing-money.ts';
import { commitTransfer } from '#transfer/commit-transfer.ts';
import { quoteTransfer } from '#transfer/quote-transfer.ts';

let world: DashboardWorld;
let shop: string;
before(async () => {
  world = await openDashboardWorld();
  shop = world.shop;
  await world.observe('LITECOIN');
});
after(() => world.close());

const JANUARY = 'from=2026-01-01&to=2026-01-31';

test('an accountant sees what there is, what it is worth, and what was sent out', async () => {
  const { app, caller } = world;
  const accountant = await world.comeAs('ACCOUNTANT', 'abby');
  const empty = await accountant.get(`${shop}/money`);
  assert.match(empty.markup, /Nothing has been credited yet/);
  assert.match(empty.markup, /Nothing has been sent out yet/);
  const { merchantId } = caller;
  const occurredAt = world.clock.now();
  const money = { merchantId, cause: 'a', assetId: 'LTC:NATIVE', units: 250_000_000n, occurredAt };
  await fundMerchant(app.db, money);
  await fundMerchant(app.db, {
    ...money,
    cause: 'b',
    units: 50_000_000n,
    code: 'merchant:pending',
  });
  const targetAccount = await addBeneficiary(world, 'Cold <wallet>');
  const amount = { coefficient: 1n, scale: 0 };
  const asked = { network: 'LITECOIN', asset: undefined, amount, targetAccount };
  const { id } = await quoteTransfer(app, caller, asked);
  await commitTransfer(app, caller, id);
  const { markup } = await accountant.get(`${shop}/money`);
  assert.match(markup, /<strong>1\.5\u00a0LTC<\/strong>/);
  assert.match(markup, /Not final yet: 0\.5\u00a0LTC/);
  assert.match(markup, /Worth about: \$/);
  assert.match(markup, new RegExp(`${id}</code> Litecoin`));
  assert.match(markup, /data-transfer-state="RESERVED">reserved/);
});

test('each report is a file, from the first day to the last one included', async () => {
  const accountant = await world.comeAs('ACCOUNTANT', 'alma');
  const room = await accountant.get(`${shop}/reports`);
  assert.match(room.markup, /name="from" type="date" value="2025-12-01"/, 'the month before this');
  assert.match(room.markup, /name="to" type="date" value="2025-12-31"/);
  const paid = await world.create();
  await payCheckout(world, paid);
  for (const { name, columns } of REPORTS) {
    const { status, markup, headers } = await accountant.get(
      `${shop}/reports/file?report=${name}&${JANUARY}`,
    );
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^text\/csv/);
    const file = `attachment; filename="${name}-2026-01-01-2026-01-31.csv"`;
    assert.equal(headers.get('content-disposition'), file);
    const [head = '', ...lines] = markup.trim().split('\r\n');
    assert.equal(head, columns.map((column) => column.name).join(','));
    // Nobody charges this shop.
    assert.equal(lines.length > 0, name !== 'fees', name);
  }
  const day = world.clock.now().toString().slice(0, 10);
  const taxes = async (from: string, to: string) =>
    (await accountant.get(`${shop}/reports/file?report=taxes&from=${from}&to=${to}`)).markup;
  assert.match(await taxes(day, day), new RegExp(paid));
  assert.doesNotMatch(await taxes('2025-01-01', '2025-12-31'), new RegExp(paid));
  for (const name of ['gains', 'conversions']) {
    const asked = `report=${name}&${JANUARY}&currency=USD&method=average`;
    const { status, markup } = await accountant.get(`${shop}/reports/file?${asked}`);
    assert.equal(status, 200);
    assert.match(markup, /^time,|^\w+,/);
  }
  const books = await accountant.get(
    `${shop}/reports/file?report=ledger&${JANUARY}&format=hledger`,
  );
  assert.match(
    books.headers.get('content-disposition') ?? '',
    /ledger-2026-01-01-2026-01-31\.journal/,
  );
  assert.match(books.markup, new RegExp(paid));
});

test('a file is whole, however many pages it is read in', async () => {
  const { app, caller } = world;
  const { merchantId } = caller;
  const occurredAt = world.clock.now();
  const made = Array.from({ length: 1_005 }, (_, number) =>
    fundMerchant(app.db, {
      merchantId,
      cause: `many${number}`,
      assetId: 'BTC:NATIVE',
      units: 1n,
      occurredAt,
    }),
  );
  await Promise.all(made);
  const accountant = await world.comeAs('ACCOUNTANT', 'anne');
  const { markup } = await accountant.get(`${shop}/reports/file?report=ledger&${JANUARY}`);
  const [head, ...lines] = markup.trim().split('\r\n');
  assert.ok(!lines.includes(head ?? ''), 'the columns are named once');
  const ours = lines.filter((line) => line.includes('BTC:NATIVE'));
  assert.equal(new Set(ours).size, 1_005);
});

test('a period that is none is said, and what was chosen stays', async () => {
  const accountant = await world.comeAs('ACCOUNTANT', 'ayla');
  for (const period of [
    'from=2026-02-30&to=2026-03-01',
    'from=2026-03-02&to=2026-03-01',
    'from=x&to=y',
    '',
  ]) {
    const { status, markup } = await accountant.get(`${shop}/reports/file?report=fees&${period}`);
    assert.equal(status, 400, period);
    assert.match(markup, /Write two days/);
    assert.match(markup, /<option value="fees" selected>/);
  }
  const wrong = await accountant.get(
    `${shop}/reports/file?report=fees&${JANUARY}&format=beancount`,
  );
  assert.equal(wrong.status, 400);
  assert.match(wrong.markup, /Only the ledger is written for that program/);
});
