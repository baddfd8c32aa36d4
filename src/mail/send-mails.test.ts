import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Outage } from '#base/refusal.ts';
import { type Db, sql } from '#db/db.ts';
import { emptyTables } from '#test/support/empty-tables.ts';
import {
  getMail,
  type MailFixture,
  mailFixture,
  mailSettingsFor,
  SAMPLE_LETTER,
  tellMail,
} from '#test/support/mail-fixture.ts';
import { type MailServer, withMailServer } from '#test/support/mail-server.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { listMails, retryParkedMail } from './mail.ts';
import { sendDueMails } from './send-mails.ts';
import { type MailSettings, openSmtp } from './smtp.ts';

let database: TestDatabase;
let db: Db;
before(async () => {
  database = await openTestDatabase({ unsafeFast: true });
  db = database.db;
});
after(() => database.close());

type Behaviour = Parameters<typeof withMailServer>[0];

/** A fresh outbox, a server, and what sends from one to the other until nothing is due. */
async function withOutbox(
  behaviour: Behaviour,
  act: (given: {
    readonly app: MailFixture;
    readonly server: MailServer;
    send(): Promise<void>;
  }) => Promise<void>,
  settings: Partial<MailSettings> = {},
): Promise<void> {
  await emptyTables(db, 'mail');
  await withMailServer(behaviour, async (server) => {
    const smtp = openSmtp(mailSettingsFor(server.port, settings));
    const app = mailFixture(db, 7);
    const send = async () => {
      while ((await sendDueMails(app, smtp)) === 'busy');
    };
    try {
      await act({ app, server, send });
    } finally {
      smtp.close();
    }
  });
}

test('a mail that cannot be opened is parked, and holds up no other', async () => {
  await withOutbox({}, async ({ app, server, send }) => {
    const [broken, other] = [
      await tellMail(app, { causeKey: 'broken' }),
      await tellMail(app, { causeKey: 'other' }),
    ];
    await db.single((tx) =>
      tx.query(sql`update mail set sealed_content = sealed_key where id = ${broken}`),
    );
    await send();
    assert.equal(server.received.length, 1);
    assert.equal((await getMail(app, other)).state, 'SENT');
    const { state, reason } = await getMail(app, broken);
    assert.equal(state, 'PARKED');
    assert.match(reason ?? '', /what it says cannot be opened: cannot unseal/);
  });
});

test('a mail is received over TLS as it was written, and what it said is not kept', async () => {
  await withOutbox({}, async ({ app, server, send }) => {
    const id = await tellMail(app, { causeKey: 'one' });
    const [row] = await db.query<{ sealedContent: Uint8Array }>(
      sql`select sealed_content as "sealedContent" from mail where id = ${id}`,
    );
    assert.doesNotMatch(Buffer.from(row?.sealedContent ?? []).toString('latin1'), /secret-of-ann/);
    await send();
    await send();
    assert.equal(server.received.length, 1);
    const [mail] = server.received;
    assert.equal(mail?.isEncrypted, true);
    assert.equal(mail?.from, 'pay@shop.test');
    assert.deepEqual(mail?.to, ['ann@customers.test']);
    assert.equal(mail?.parsed.subject, SAMPLE_LETTER.subject);
    assert.equal(mail?.parsed.from?.text, '"The Shop" <pay@shop.test>');
    assert.equal(mail?.parsed.text, SAMPLE_LETTER.text);
    assert.equal(mail?.parsed.html, SAMPLE_LETTER.html);
    assert.equal(mail?.parsed.messageId, `<${id}@shop.test>`);
    assert.equal(mail?.parsed.headers.get('auto-submitted'), 'auto-generated');
    const sent = await getMail(app, id);
    assert.equal(sent.state, 'SENT');
    assert.match(sent.lastAnswer ?? '', /^250 /);
    const kept = await db.query(sql`select id from mail where sealed_content is not null`);
    assert.deepEqual(kept, []);
  });
});

test('also over TLS from the first byte on, with a password', async () => {
  const settings = { isTlsFromStart: true, user: 'shop', password: 'p%ss wörd' };
  const behaviour = { isTlsFromStart: true, password: 'p%ss wörd' };
  await withOutbox(
    behaviour,
    async ({ app, server, send }) => {
      await tellMail(app, { causeKey: 'one' });
      await send();
      assert.equal(server.received[0]?.isEncrypted, true);
    },
    settings,
  );
});

test('without TLS nothing is said, unless the settings allow it; the mail waits', async () => {
  await withOutbox({ hasNoTls: true }, async ({ app, server, send }) => {
    const id = await tellMail(app, { causeKey: 'one' });
    await assert.rejects(send(), Outage);
    assert.equal(server.received.length, 0);
    const waiting = await getMail(app, id);
    assert.deepEqual([waiting.state, waiting.attemptCount], ['PENDING', 0]);
    const allowed = openSmtp(mailSettingsFor(server.port, { tls: 'optional' }));
    await sendDueMails(app, allowed);
    allowed.close();
    assert.equal(server.received[0]?.isEncrypted, false);
    assert.equal((await getMail(app, id)).state, 'SENT');
  });
});

test('a certificate that nobody vouches for, and a wrong password, are no attempts', async () => {
  const behaviour = { password: 'right' };
  await withOutbox(behaviour, async ({ app, server, send }) => {
    const id = await tellMail(app, { causeKey: 'one' });
    await assert.rejects(send(), Outage);
    const login = { user: 'shop', password: 'right' };
    const untrusted = mailSettingsFor(server.port, { ...login, authorityFile: undefined });
    const wrong = mailSettingsFor(server.port, { ...login, password: 'wrong' });
    for (const settings of [untrusted, wrong]) {
      const smtp = openSmtp(settings);
      await assert.rejects(sendDueMails(app, smtp), Outage);
      await assert.rejects(smtp.check(), Outage);
      smtp.close();
    }
    assert.equal((await getMail(app, id)).attemptCount, 0);
    const smtp = openSmtp(mailSettingsFor(server.port, login));
    await smtp.check();
    await sendDueMails(app, smtp);
    smtp.close();
    assert.equal(server.received.length, 1);
  });
});

test('a server that says later is asked later, ten times, and then the mail is parked', async () => {
  const refuseReceiver = () => '451 try again later';
  await withOutbox({ refuseReceiver }, async ({ app, send }) => {
    const id = await tellMail(app, { causeKey: 'one' });
    await send();
    const first = await getMail(app, id);
    assert.deepEqual([first.state, first.attemptCount], ['PENDING', 1]);
    assert.match(first.lastAnswer ?? '', /^451 try again later/);
    await send();
    assert.equal((await getMail(app, id)).attemptCount, 1, 'not before its pause is over');
    for (let hour = 0; hour < 96; hour += 1) {
      await app.clock.advance(3_600_000);
      await send();
    }
    const last = await getMail(app, id);
    assert.deepEqual([last.state, last.attemptCount], ['PARKED', 10]);
    assert.match(last.reason ?? '', /^10 attempts failed, the last with: 451/);
  });
});

test('a receiver that is refused for good is not tried again, until a person says so', async () => {
  const unknown = new Set(['ann@customers.test']);
  const refuseReceiver = (address: string) =>
    unknown.has(address) ? '550 no such user' : undefined;
  await withOutbox({ refuseReceiver }, async ({ app, server, send }) => {
    const id = await tellMail(app, { causeKey: 'one' });
    const other = await tellMail(app, { causeKey: 'two', receiver: 'bob@customers.test' });
    await send();
    const parked = await getMail(app, id);
    assert.deepEqual([parked.state, parked.attemptCount], ['PARKED', 1]);
    assert.equal(parked.reason, 'the mail server refused it for good: 550 no such user');
    assert.equal((await getMail(app, other)).state, 'SENT');
    assert.deepEqual(
      (await listMails(db, { state: 'PARKED', most: 10 })).map((mail) => mail.id),
      [id],
    );
    unknown.clear();
    await app.clock.advance(1_000);
    await db.single((tx) => tx.query(retryParkedMail(id, app.clock.now())));
    await send();
    assert.equal((await getMail(app, id)).state, 'SENT');
    assert.equal(server.received.length, 2);
  });
});

test('one cause has one mail, and two workers send it once', async () => {
  await withOutbox({}, async ({ app, server }) => {
    await Promise.all([1, 2, 3].map(() => tellMail(app, { causeKey: 'paid:abc' })));
    const workers = [1, 2].map(() => openSmtp(mailSettingsFor(server.port)));
    await Promise.all(workers.map((smtp) => sendDueMails(app, smtp)));
    for (const smtp of workers) smtp.close();
    assert.equal(server.received.length, 1);
  });
});

test('nobody gets more than thirty mails in an hour; the rest waits, others do not', async () => {
  await withOutbox({}, async ({ app, server, send }) => {
    for (let count = 0; count < 33; count += 1) await tellMail(app, { causeKey: `flood-${count}` });
    await tellMail(app, { causeKey: 'other', receiver: 'bob@customers.test' });
    await send();
    const to = (receiver: string) =>
      server.received.filter((mail) => mail.to[0] === receiver).length;
    assert.deepEqual([to('ann@customers.test'), to('bob@customers.test')], [30, 1]);
    await app.clock.advance(3_700_000);
    await send();
    assert.equal(to('ann@customers.test'), 33);
  });
});

test('what only tells what was paid leaves room for what needs somebody, which goes first', async () => {
  await withOutbox({}, async ({ app, server, send }) => {
    for (let count = 0; count < 40; count += 1) {
      await tellMail(app, { causeKey: `paid-${count}`, kind: 'PAID' });
    }
    await tellMail(app, { causeKey: 'underpaid-1', kind: 'NEEDS_PERSON', letter: URGENT });
    await send();
    const urgent = () => server.received.filter((mail) => mail.parsed.subject === 'Underpaid');
    assert.deepEqual([server.received.length, urgent().length], [21, 1]);
    await app.clock.advance(60_000);
    for (let count = 2; count < 12; count += 1) {
      const causeKey = `underpaid-${count}`;
      await tellMail(app, { causeKey, kind: 'NEEDS_PERSON', letter: URGENT });
    }
    await send();
    assert.deepEqual([server.received.length, urgent().length], [30, 10], 'thirty is the most');
    await app.clock.advance(3_700_000);
    await send();
    assert.equal(urgent().length, 11);
  });
});

const URGENT = { ...SAMPLE_LETTER, subject: 'Underpaid' };

function dkimFile(privateKey: KeyObject): string {
  const keyFile = join(mkdtempSync(join(tmpdir(), 'quittance-dkim-')), 'dkim.pem');
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return keyFile;
}

test('where there is a key, mails are signed by DKIM for the domain they come from', async () => {
  const keyFile = dkimFile(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);
  const sendSigned = async ({
    app,
    server,
    send,
  }: Parameters<Parameters<typeof withOutbox>[1]>[0]) => {
    const leaveUrl = 'https://pay.shop.test/en/mails/merchant1234/token';
    await tellMail(app, { causeKey: 'one', letter: { ...SAMPLE_LETTER, leaveUrl } });
    await send();
    const raw = server.received[0]?.raw.match(/^DKIM-Signature:(?:.*\r?\n[ \t])*.*/m)?.[0] ?? '';
    const signature = raw.replaceAll(/\s+/g, '');
    assert.match(signature, /d=shop\.test;q=dns\/txt;s=mail2026/);
    // RFC 8058, 4: both lines by which one declines.
    assert.match(signature, /h=[^;]*list-unsubscribe:list-unsubscribe-post/i);
  };
  await withOutbox({}, sendSigned, { dkim: { keyFile, selector: 'mail2026' } });
});

test('a DKIM key of a kind that cannot sign is refused when it is opened, not left out', () => {
  const keyFile = dkimFile(generateKeyPairSync('ed25519').privateKey);
  const dkim = { keyFile, selector: 'mail2026' };
  assert.throws(() => openSmtp(mailSettingsFor(25, { dkim })), /DKIM_KEY_FILE: .* RSA/);
  writeFileSync(keyFile, 'nonsense');
  assert.throws(() => openSmtp(mailSettingsFor(25, { dkim })), /DKIM_KEY_FILE: .* RSA/);
});
