// What the people of a shop are mailed: each what he wants and his role shows him, received by a
// real server.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { listActs } from '#audit/act.ts';
import { isIssued } from '#billing/bill.ts';
import { openBillCheckout } from '#billing/pay-bill.ts';
import { findCheckoutByPageToken } from '#checkout/find-checkout.ts';
import { sql } from '#db/db.ts';
import { sendDueMails } from '#mail/send-mails.ts';
import { openSmtp } from '#mail/smtp.ts';
import { billLetter } from '#pages/letters/bill-letter.ts';
import { customerLetter } from '#pages/letters/customer-letter.ts';
import { staffLetter } from '#pages/letters/staff-letter.ts';
import { actorOf, findPersonByEmail } from '#staff/person.ts';
import { followEvents } from '#status-mail/follow-events.ts';
import { followTakings } from '#takings/follow-takings.ts';
import { issueNew, tellSender } from '#test/support/bill-fixture.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';
import { emptyTables } from '#test/support/empty-tables.ts';
import { mailSettingsFor } from '#test/support/mail-fixture.ts';
import { type ReceivedMail, withMailServer } from '#test/support/mail-server.ts';
import { payCheckout } from '#test/support/outgoing-money.ts';

let world: DashboardWorld;
before(async () => {
  world = await openDashboardWorld();
  await world.observe('LITECOIN');
});
beforeEach(async () => {
  await tell();
  await emptyTables(world.app.db, 'mail');
});
after(() => world.close());

const tell = () =>
  followEvents({
    ...world.app,
    writeCustomerLetter: customerLetter,
    writeStaffLetter: staffLetter,
    writeBillLetter: billLetter,
  });

async function receive(): Promise<ReceivedMail[]> {
  const kept: ReceivedMail[] = [];
  await withMailServer({}, async ({ port, received }) => {
    const smtp = openSmtp(mailSettingsFor(port));
    while ((await sendDueMails(world.app, smtp)) === 'busy');
    smtp.close();
    kept.push(...received);
  });
  return kept.sort((one, other) => ((one.to[0] ?? '') < (other.to[0] ?? '') ? -1 : 1));
}

const receivers = (mails: readonly ReceivedMail[]) => mails.map(({ to }) => to[0]);

type Browser = Awaited<ReturnType<DashboardWorld['comeAs']>>;

/** One kind or none, as a browser without JavaScript says it. */
async function wish(browser: Browser, kind?: string): Promise<void> {
  await browser.get('/dashboard/mails');
  const merchant = world.caller.merchantId;
  const form = { merchant, ...(kind !== undefined && { kind }) };
  assert.equal((await browser.submit('/dashboard/mails', form)).status, 303);
}

test('an owner is told of what needs a person unless he says no; others when they say yes', async () => {
  const owner = await world.comeAs('OWNER', 'olga');
  const admin = await world.comeAs('ADMIN', 'adam');
  const cashier = await world.comeAs('CASHIER', 'carl');
  const first = await world.create();
  await payCheckout(world, first, 50n);
  await tell();
  const [mail, ...none] = await receive();
  assert.deepEqual(none, []);
  assert.deepEqual(mail?.to, ['olga@shop.example']);
  assert.equal(mail?.parsed.subject, 'Test: Test shop: a payment needs you');
  assert.match(mail?.parsed.text ?? '', /Less arrived than was asked for\./);
  assert.ok(mail?.parsed.text?.includes(`${world.shop}/checkouts/${first}`));
  assert.ok(!mail?.raw.includes('List-Unsubscribe'), 'he says so where he works');

  await wish(owner);
  await wish(admin, 'NEEDS_PERSON');
  await wish(cashier, 'NEEDS_PERSON');
  await payCheckout(world, await world.create(), 50n);
  await tell();
  assert.deepEqual(receivers(await receive()), ['adam@shop.example'], 'a cashier decides nothing');
});

test('what is paid is told to who wants it, each in the language in which he chose it', async () => {
  const anna = await world.comeAs('ACCOUNTANT', 'anna');
  const vera = await world.comeAs('VIEWER', 'vera');
  await vera.get('/dashboard/mails');
  await vera.submit('/dashboard/language', { language: 'de', to: '/dashboard/mails' });
  await wish(anna, 'PAID');
  await wish(vera, 'PAID');
  await payCheckout(world, await world.create());
  await Promise.all([tell(), tell()]);
  await tell();
  const mails = await receive();
  assert.deepEqual(receivers(mails), ['anna@shop.example', 'vera@shop.example']);
  assert.match(mails[0]?.parsed.text ?? '', /A checkout of €19\.90 is complete\./);
  assert.match(mails[1]?.parsed.subject ?? '', /^Testbetrieb: Test shop: 19,90 € bezahlt$/);
});

test('who was removed, and whose role does not show it any more, is told nothing', async () => {
  const berta = await world.comeAs('ADMIN', 'berta');
  await wish(berta, 'NEEDS_PERSON');
  const { db } = world.app;
  await db.single((tx) =>
    tx.query(sql`update membership set role = 'VIEWER' from person p
      where p.id = person_id and p.email = 'berta@shop.example'`),
  );
  await payCheckout(world, await world.create(), 50n);
  await tell();
  assert.deepEqual(
    receivers(await receive()).filter((to) => to?.startsWith('berta')),
    [],
  );
});

test('a day is summed up once it is over, once, for who may see money, and not where nothing was', async () => {
  const eve = await world.comeAs('ACCOUNTANT', 'eve');
  const vic = await world.comeAs('VIEWER', 'vic');
  for (const role of ['olga', 'adam', 'anna', 'vera']) {
    await world.app.db.single((tx) =>
      tx.query(sql`update membership set mails = '{}' from person p
        where p.id = person_id and p.email = ${`${role}@shop.example`}`),
    );
  }
  // Later than all that was told above.
  await world.clock.advance(24 * 3_600_000);
  await wish(eve, 'DAILY_SUMMARY');
  await wish(vic, 'DAILY_SUMMARY');
  await payCheckout(world, await world.create());
  await payCheckout(world, await world.create());
  await payCheckout(world, await world.create(), 50n);
  await tell();
  assert.deepEqual(await receive(), [], 'the day is not over');
  await world.clock.advance(24 * 3_600_000);
  await Promise.all([tell(), tell()]);
  const [mail, ...none] = await receive();
  assert.deepEqual(receivers(none), []);
  assert.deepEqual(mail?.to, ['eve@shop.example']);
  assert.equal(mail?.parsed.subject, 'Test: Test shop: January 2, 2026');
  const text = mail?.parsed.text ?? '';
  assert.match(text, /Paid checkouts: 2\n\nIn total: €39\.80\n\nNeeded somebody: 1/);
  await world.clock.advance(24 * 3_600_000);
  await tell();
  assert.deepEqual(await receive(), [], 'nothing happened');
});

test('nobody changes what somebody else wants, nor asks for mails of a shop that is not his', async () => {
  const gina = await world.comeAs('OWNER', 'gina');
  await gina.get('/dashboard/mails');
  const actor = actorOf((await findPersonByEmail(world.app.db, 'gina@shop.example'))?.id ?? '');
  const { markup } = await gina.get('/dashboard/mails');
  const form = /name="form" value="([^"]+)"/.exec(markup)?.[1] ?? '';
  const asked = { form, merchant: 'nobodyshop12', kind: 'PAID' };
  assert.equal((await gina.post('/dashboard/mails', asked)).status, 303);
  const rows = await world.app.db.query<{ mails: string[] | null }>(sql`
    select mails from membership m join person p on p.id = m.person_id
    where p.email = 'gina@shop.example'`);
  assert.deepEqual(rows, [{ mails: null }], 'and his own stays as it was');
  assert.deepEqual(await listActs(world.app.db, { verb: 'mails-choose', actor }, 9), []);
  assert.equal((await world.open().get('/dashboard/mails')).status, 303, 'signed in first');
});

test('what somebody chooses stands in the trail of the shop, once while it stays the same', async () => {
  const admin = await world.comeAs('ADMIN', 'ines');
  for (const kind of ['PAID', 'PAID', undefined, 'NONSENSE']) await wish(admin, kind);
  const id = (await findPersonByEmail(world.app.db, 'ines@shop.example'))?.id ?? '';
  const acts = await listActs(world.app.db, { verb: 'mails-choose', actor: actorOf(id) }, 9);
  assert.deepEqual(
    acts.map(({ subject, merchantId, details }) => ({
      subject,
      merchantId,
      ...JSON.parse(details),
    })),
    [
      { ...about(id), after: 'PAID', language: 'en' },
      { ...about(id), before: 'PAID', after: '', language: 'en' },
    ],
  );
});

const about = (id: string) => ({
  subject: `person:${id}`,
  merchantId: world.caller.merchantId,
});

test('an invoice that is paid by two checkouts needs somebody, who is told at the second one', async () => {
  await world.comeAs('OWNER', 'hans');
  const admin = await world.comeAs('ADMIN', 'hilda');
  await wish(admin, 'PAID');
  await tellSender(world);
  const bill = await issueNew(world, { dueDays: 30 });
  const open = async () => {
    assert.ok(isIssued(bill));
    const token = await openBillCheckout(world.app, bill, 'en');
    return (await findCheckoutByPageToken(world.app, token))?.id ?? '';
  };
  const first = await open();
  world.clock.advance(2 * 3_600_000);
  const second = await open();
  await payCheckout(world, second);
  await tell();
  const told = async () => (await receive()).filter(({ to }) => to[0]?.startsWith('h'));
  assert.deepEqual(receivers(await told()), ['hilda@shop.example'], 'a sale like others');
  world.clock.advance(60_000);
  await payCheckout(world, first);
  await tell();
  const [mail, ...none] = await told();
  assert.deepEqual(none, []);
  assert.deepEqual(mail?.to, ['hans@shop.example']);
  assert.match(mail?.parsed.text ?? '', /An invoice that was paid already was paid once more\./);
  assert.ok(mail?.parsed.text?.includes(`${world.shop}/checkouts/${first}`));

  await wish(admin, 'DAILY_SUMMARY');
  while ((await followTakings(world.app)) === 'busy');
  await world.clock.advance(24 * 3_600_000);
  await tell();
  const [summary] = (await told()).filter(({ to }) => to[0] === 'hilda@shop.example');
  assert.match(
    summary?.parsed.text ?? '',
    /Paid checkouts: 2\n\nIn total: €94\.48\n\nNeeded somebody: 1/,
  );
});
