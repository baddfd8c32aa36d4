// Who gets no mail any more: said by a server, by a report that came back, by a person.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import type { Db } from '#db/db.ts';
import { emptyTables } from '#test/support/empty-tables.ts';
import {
  getMail,
  type MailFixture,
  mailFixture,
  mailSettingsFor,
  tellMail,
} from '#test/support/mail-fixture.ts';
import { withMailServer } from '#test/support/mail-server.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { allowMailTo, listStops, stopMailTo, takeReport } from './mail-stop.ts';
import { readMailReport } from './read-report.ts';
import { sendDueMails } from './send-mails.ts';
import { openSmtp } from './smtp.ts';

let database: TestDatabase;
let db: Db;
before(async () => {
  database = await openTestDatabase({ unsafeFast: true });
  db = database.db;
});
beforeEach(() => emptyTables(db, 'mail_stop', 'mail'));
after(() => database.close());

/** Answers what was received, as it came over the line. */
async function sendAll(
  app: MailFixture,
  refuseReceiver?: (address: string) => string | undefined,
): Promise<string[]> {
  const raw: string[] = [];
  await withMailServer(refuseReceiver === undefined ? {} : { refuseReceiver }, async (server) => {
    const smtp = openSmtp(mailSettingsFor(server.port));
    while ((await sendDueMails(app, smtp)) === 'busy');
    smtp.close();
    raw.push(...server.received.map((mail) => mail.raw));
  });
  return raw;
}

const headersOf = (raw: string) => raw.slice(0, raw.indexOf('\r\n\r\n'));

/** As postfix writes one. */
const bounceOf = (raw: string, action = 'failed', status = '5.1.1') =>
  [
    'From: MAILER-DAEMON@mx.example',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'I am sorry.',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example',
    '',
    'Final-Recipient: rfc822; someone-else@forwarded.example',
    `Action: ${action}`,
    `Status: ${status}`,
    'Diagnostic-Code: smtp; 550 5.1.1 <ann@customers.test>:',
    '    user unknown',
    '--b',
    'Content-Type: text/rfc822-headers',
    '',
    headersOf(raw),
    '--b--',
  ].join('\r\n');

const complaintOf = (raw: string, type = 'abuse') =>
  [
    'Content-Type: multipart/report; report-type=feedback-report; boundary="b"',
    '',
    '--b',
    'Content-Type: message/feedback-report',
    '',
    `Feedback-Type: ${type}`,
    'User-Agent: SomeProvider/1.0',
    'Version: 1',
    '--b',
    'Content-Type: message/rfc822',
    '',
    raw,
    '--b--',
  ].join('\r\n');

const take = (app: MailFixture, report: string) =>
  db.transact((tx) => takeReport(tx, app, readMailReport(report, 'shop.test')));

test('a bounce that brings our mail back stops its receiver, until a person allows it', async () => {
  const app = mailFixture(db, 31);
  await tellMail(app, { causeKey: 'one', receiver: 'Ann@customers.test' });
  const [raw = ''] = await sendAll(app);
  assert.deepEqual(await take(app, bounceOf(raw)), ['Ann@customers.test']);
  assert.deepEqual(await take(app, bounceOf(raw)), ['Ann@customers.test'], 'once more is the same');
  const [stop, ...others] = await listStops(db, 10);
  assert.equal(others.length, 0);
  assert.deepEqual([stop?.address, stop?.cause], ['ann@customers.test', 'BOUNCED']);
  assert.equal(stop?.detail, 'smtp; 550 5.1.1 <ann@customers.test>: user unknown');

  const held = await tellMail(app, { causeKey: 'two', receiver: 'ann@customers.test' });
  const other = await tellMail(app, { causeKey: 'three', receiver: 'bob@customers.test' });
  assert.equal((await sendAll(app)).length, 1);
  assert.equal((await getMail(app, other)).state, 'SENT');
  const parked = await getMail(app, held);
  assert.deepEqual([parked.state, parked.attemptCount], ['PARKED', 0]);
  assert.match(parked.reason ?? '', /^no mail goes to this address: smtp; 550/);
  assert.equal(await db.transact((tx) => allowMailTo(tx, 'ANN@customers.test')), true);
  assert.equal(await db.transact((tx) => allowMailTo(tx, 'ann@customers.test')), false);
  await tellMail(app, { causeKey: 'four' });
  assert.equal((await sendAll(app)).length, 1);
});

test('a complaint stops, one that is taken back or a delay does not', async () => {
  const app = mailFixture(db, 32);
  await tellMail(app, { causeKey: 'one' });
  const [raw = ''] = await sendAll(app);
  for (const harmless of [
    complaintOf(raw, 'not-spam'),
    bounceOf(raw, 'delayed', '4.4.1'),
    bounceOf(raw, 'failed', '4.2.2'),
    bounceOf(raw, 'delivered', '2.0.0'),
    raw,
  ]) {
    assert.deepEqual(await take(app, harmless), []);
  }
  assert.deepEqual(await take(app, complaintOf(raw)), ['ann@customers.test']);
  assert.equal((await listStops(db, 10))[0]?.cause, 'COMPLAINED');
});

test('a report that somebody made up stops nobody', async () => {
  const app = mailFixture(db, 33);
  await tellMail(app, { causeKey: 'one' });
  const [raw = ''] = await sendAll(app);
  const foreign = raw.replace(/(<[a-z0-9]{12})@shop\.test>/, '$1@evil.test>');
  const guessed = raw.replace(/<[a-z0-9]{12}@shop\.test>/, '<aaaaaaaaaaaa@shop.test>');
  assert.notEqual(guessed, raw);
  for (const made of [foreign, guessed, 'To: ann@customers.test']) {
    assert.deepEqual(await take(app, bounceOf(`${made}\r\n\r\n`)), []);
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (text) => {
      assert.deepEqual(readMailReport(bounceOf(`${text}\r\n\r\n`), 'shop.test').mailIds, []);
      assert.equal(readMailReport(text, 'shop.test').cause, undefined);
    }),
  );
});

test('a server that says there is no such receiver stops him; one that minds us does not', async () => {
  const app = mailFixture(db, 34);
  const answers: Readonly<Record<string, string>> = {
    'gone@customers.test': '550 5.1.1 no such user',
    'picky@customers.test': '550 5.7.1 we do not like your network',
    'full@customers.test': '552 5.2.2 mailbox full',
  };
  for (const receiver of Object.keys(answers))
    await tellMail(app, { causeKey: receiver, receiver });
  await sendAll(app, (address) => answers[address]);
  const stops = await listStops(db, 10);
  assert.deepEqual(
    stops.map(({ address, cause }) => [address, cause]),
    [['gone@customers.test', 'REFUSED']],
  );
});

test('what a person said is kept as he said it', async () => {
  const stoppedAt = Temporal.Instant.from('2026-03-01T12:00:00Z');
  const said = {
    address: 'Ann@Customers.test',
    cause: 'SAID',
    detail: 'she asked',
    stoppedAt,
  } as const;
  await db.transact(async (tx) => stopMailTo(tx, said));
  assert.deepEqual(
    (await listStops(db, 10)).map(({ address, detail }) => [address, detail]),
    [['ann@customers.test', 'she asked']],
  );
});
