// What the buyer of an invoice is mailed, and on which day: switched on by the merchant, received by
// a real server and read by another parser. What is paid, cancelled or under way is asked for by
// nobody; somebody of the shop reminds by hand, once a day.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { allowAddress } from '#access/allow-list.ts';
import { listActs } from '#audit/act.ts';
import { type Bill, billTokenSubject, isIssued } from '#billing/bill.ts';
import type { BillRequest } from '#billing/draft-bill.ts';
import { cancelBill } from '#billing/issue-bill.ts';
import { openBillCheckout } from '#billing/pay-bill.ts';
import { findCheckoutByPageToken } from '#checkout/find-checkout.ts';
import { pageToken } from '#checkout/page-token.ts';
import { sql } from '#db/db.ts';
import type { Letter } from '#mail/letter.ts';
import { declineMails, mailReader } from '#mail/mail-stop.ts';
import { sendDueMails } from '#mail/send-mails.ts';
import { openSmtp } from '#mail/smtp.ts';
import { BILL_MAILS, changeCustomerMails, setMailWords } from '#merchant/customer-mails.ts';
import { billLetter } from '#pages/letters/bill-letter.ts';
import { customerLetter } from '#pages/letters/customer-letter.ts';
import { staffLetter } from '#pages/letters/staff-letter.ts';
import type { BillMail } from '#status-mail/bill-mail.ts';
import { followEvents } from '#status-mail/follow-events.ts';
import { BUYER, issueNew, ownerOf, tellSender } from '#test/support/bill-fixture.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';
import { emptyTables } from '#test/support/empty-tables.ts';
import { mailSettingsFor } from '#test/support/mail-fixture.ts';
import { type ReceivedMail, withMailServer } from '#test/support/mail-server.ts';
import { payCheckout } from '#test/support/outgoing-money.ts';

const DAY_MS = 24 * 3_600_000;

let world: DashboardWorld;
before(async () => {
  world = await openDashboardWorld({ hasMail: true });
  const owner = { merchantId: world.caller.merchantId, environment: 'test' } as const;
  await allowAddress(world.app, owner, { use: 'withdrawals', address: '127.0.0.1' });
  await world.observe('LITECOIN');
  await tellSender(world);
});
beforeEach(async () => {
  await world.app.db.single((tx) =>
    tx.query(sql`update bill_mail set told_at = now() where told_at is null`),
  );
  await tell();
  await emptyTables(world.app.db, 'mail_left', 'mail');
  await switchOn(BILL_MAILS);
});
after(() => world.close());

const switchOn = (kinds: Parameters<typeof changeCustomerMails>[2]) =>
  changeCustomerMails(world.app, world.caller, kinds);

function tell(write: (mail: BillMail) => Letter = billLetter) {
  return followEvents({
    ...world.app,
    writeCustomerLetter: customerLetter,
    writeStaffLetter: staffLetter,
    writeBillLetter: write,
  });
}

async function listKinds(): Promise<string[]> {
  const rows = await world.app.db.query<{ kind: string }>(
    sql`select kind from mail order by created_at, kind`,
  );
  return rows.map(({ kind }) => kind);
}

async function receive(): Promise<ReceivedMail[]> {
  const kept: ReceivedMail[] = [];
  await withMailServer({}, async ({ port, received }) => {
    const smtp = openSmtp(mailSettingsFor(port));
    while ((await sendDueMails(world.app, smtp)) === 'busy');
    smtp.close();
    kept.push(...received);
  });
  return kept;
}

/** Every day from now on it is looked at what is due; answers what is written by which day. */
async function passDays(days: number): Promise<string[]> {
  const written: string[] = [];
  for (let day = 0; day <= days; day += 1) {
    if (day > 0) world.clock.advance(DAY_MS);
    const before = (await listKinds()).length;
    await tell();
    for (const kind of (await listKinds()).slice(before)) written.push(`${day} ${kind}`);
  }
  return written;
}

async function openCheckout(bill: Bill): Promise<string> {
  assert.ok(isIssued(bill));
  const token = await openBillCheckout(world.app, bill, 'en');
  return (await findCheckoutByPageToken(world.app, token))?.id ?? '';
}

const issue = (more: Partial<BillRequest> = {}) => issueNew(world, { dueDays: 10, ...more });

test('it is mailed when it is issued, before it is due, on the day, and when it is overdue, once each', async () => {
  await issue();
  assert.deepEqual(await passDays(20), [
    '0 BILL_SENT',
    '7 BILL_DUE_SOON',
    '10 BILL_DUE',
    '17 BILL_OVERDUE',
  ]);
});

test('in the language of the invoice, to the address on it, with its own link and none of another', async () => {
  const bill = await issue({ language: 'de' });
  const other = await issue({ language: 'fr', buyer: { ...BUYER, email: 'bob@customers.test' } });
  await tell();
  const mails = await receive();
  assert.equal(mails.length, 2);
  const own = mails.find(({ to }) => to[0] === BUYER.email);
  const tokenOf = ({ id }: Bill) => pageToken(world.app.keyring, billTokenSubject(id));
  assert.equal(own?.parsed.subject, `Testbetrieb: Rechnung ${bill.name} von Test shop`);
  const text = own?.parsed.text ?? '';
  assert.match(text, /Test shop hat Ihnen eine Rechnung über 47,24\u00a0€ gestellt\./);
  assert.ok(text.includes(`/de/invoice/${tokenOf(bill)}`));
  assert.ok(!`${own?.raw} ${own?.parsed.html}`.includes(tokenOf(other)));
  assert.match(own?.raw ?? '', /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m);
  const [, path = ''] = /http:\/\/localhost:8080(\/de\/invoice\/[\w-]{32})/.exec(text) ?? [];
  assert.equal((await world.open().get(path)).status, 200);
});

test('nobody is mailed unless the merchant has switched it on, each kind by itself', async () => {
  await switchOn(['BILL_OVERDUE']);
  await issue();
  assert.deepEqual(await passDays(20), ['17 BILL_OVERDUE']);
  await switchOn([]);
  await issue();
  await tell();
  await switchOn(BILL_MAILS);
  await tell();
  assert.deepEqual(await listKinds(), ['BILL_OVERDUE'], 'what happened before stays untold');
});

test('one without an address, and one whose buyer has declined, are mailed to nobody', async () => {
  await issue({ buyer: { ...BUYER, email: '' } });
  await decline(BUYER.email.toUpperCase());
  await issue();
  assert.deepEqual(await passDays(20), []);
});

async function decline(address: string): Promise<void> {
  const { merchantId } = world.caller;
  const reader = mailReader(world.app.keyring, merchantId, address);
  const leftAt = world.clock.now();
  await world.app.db.transact(async (tx) =>
    declineMails(tx, { merchantId, reader, isLeft: true, leftAt }),
  );
}

test('what is paid, cancelled or under way is asked for by no mail', async () => {
  await switchOn(['BILL_DUE_SOON', 'BILL_DUE', 'BILL_OVERDUE']);
  const paid = await issue();
  await payCheckout(world, await openCheckout(paid));
  await cancelBill(world.app, ownerOf(world), (await issue()).id);
  const short = await issue();
  await payCheckout(world, await openCheckout(short), 50n);
  assert.deepEqual(await passDays(20), []);
});

test('a process that was away for weeks tells nothing that is old news', async () => {
  await issue();
  world.clock.advance(18 * DAY_MS);
  await tell();
  const [mail, ...none] = await receive();
  assert.deepEqual(none, []);
  assert.match(mail?.parsed.subject ?? '', /ist überfällig$/);
});

test('two processes tell of an invoice once; one that dies before its commit has told nothing', async () => {
  await issue();
  await assert.rejects(
    followEvents({
      ...world.app,
      db: { ...world.app.db, transact: () => Promise.reject(new Error('killed')) },
      writeCustomerLetter: customerLetter,
      writeStaffLetter: staffLetter,
      writeBillLetter: billLetter,
    }),
    /killed/,
  );
  assert.deepEqual(await listKinds(), []);
  await Promise.all([tell(), tell(), tell()]);
  assert.deepEqual(await listKinds(), ['BILL_SENT']);
});

test('what cannot be written keeps nobody else’s mail back', async () => {
  await issue({ language: 'it' });
  await issue();
  await tell((mail) => {
    if (mail.bill.language === 'it') throw new Error('a bug');
    return billLetter(mail);
  });
  assert.deepEqual(await listKinds(), ['BILL_SENT']);
});

test('somebody of the shop reminds by hand, once a day, whatever is switched on, and it is noted', async () => {
  await switchOn([]);
  const bill = await issue();
  const cashier = await world.comeAs('CASHIER', 'carl');
  const path = `${world.shop}/invoices/${bill.id}`;
  assert.match((await cashier.get(path)).markup, /id="remind"/);
  assert.equal((await cashier.submit(`${path}/remind`, {})).location, path);
  const [mail, ...none] = await receive();
  assert.deepEqual(none, []);
  assert.deepEqual(mail?.to, [BUYER.email]);
  assert.equal(
    mail?.parsed.subject,
    `Testbetrieb: Erinnerung: Rechnung ${bill.name} von Test shop`,
  );
  const { markup } = await cashier.get(path);
  assert.match(markup, /data-mail="BILL_REMINDER"><dt>Reminder<\/dt><dd>Mailed: /);
  assert.match((await cashier.submit(`${path}/remind`, {})).markup, /sent today already/);
  world.clock.advance(DAY_MS);
  const colleague = await world.comeAs('CASHIER', 'cora');
  await colleague.get(path);
  assert.equal((await colleague.submit(`${path}/remind`, {})).location, path);
  assert.deepEqual(await listKinds(), ['BILL_REMINDER', 'BILL_REMINDER']);
  const acts = await listActs(world.app.db, { verb: 'bill-remind' }, 10);
  assert.deepEqual(
    acts.map(({ subject }) => subject),
    [`bill:${bill.id}`, `bill:${bill.id}`],
  );
  assert.ok(acts.every(({ actor }) => actor.startsWith('person ')));
});

test('nobody is reminded who has paid, has no address or wants no mails, and the room says why', async () => {
  await switchOn([]);
  const cashier = await world.comeAs('CASHIER', 'clara');
  const pathOf = ({ id }: Bill) => `${world.shop}/invoices/${id}`;
  const remind = async (bill: Bill, meanwhile: () => Promise<unknown> = async () => undefined) => {
    await cashier.get(pathOf(bill));
    await meanwhile();
    return (await cashier.submit(`${pathOf(bill)}/remind`, {})).markup;
  };
  const nameless = await issue({ buyer: { ...BUYER, email: '' } });
  assert.match(await remind(nameless), /has no e-mail address/);
  const paid = await issue();
  const checkout = await openCheckout(paid);
  assert.match(await remind(paid, () => payCheckout(world, checkout)), /not possible any more/);
  assert.doesNotMatch((await cashier.get(pathOf(paid))).markup, /id="remind"/);
  await decline(BUYER.email);
  assert.match(await remind(await issue()), /wants no more mails/);
  assert.deepEqual(await listKinds(), []);
});

test('own words of the shop follow what the mail says, also when it is sent by hand', async () => {
  const words = BILL_MAILS.map((kind) => ({ kind, language: 'de' as const, opening: `(${kind})` }));
  await setMailWords(world.app, world.caller, words, 'all');
  const { id } = await issue();
  await passDays(12);
  const owner = await world.comeAs('OWNER', 'wanda');
  const path = `${world.shop}/invoices/${id}`;
  await owner.get(path);
  assert.equal((await owner.submit(`${path}/remind`, {})).location, path);
  const said = (await receive()).map(({ parsed }) => /\((BILL_\w+)\)/.exec(parsed.text ?? '')?.[1]);
  assert.deepEqual(said.sort(), ['BILL_DUE', 'BILL_DUE_SOON', 'BILL_OVERDUE', 'BILL_SENT']);
  await setMailWords(world.app, world.caller, [], 'all');
});
