// Mail from the settings to a real server: the command line, the loop of the running service, and
// what waits for a person.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { withMailServer } from '#test/support/mail-server.ts';
import { loopbackShopCertificate } from '#test/support/self-signed.ts';
import { openServerProcess } from '#test/support/server-process.ts';
import { waitUntil } from '#test/support/shop.ts';

/** As a mail server brings a mail back (RFC 3464). */
function bounceOf(messageId: string): string {
  return [
    'From: MAILER-DAEMON@customers.test',
    'To: pay@shop.test',
    'Subject: Undelivered',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'It could not be delivered.',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.customers.test',
    '',
    'Final-Recipient: rfc822; carl@customers.test',
    'Action: failed',
    'Status: 5.1.1',
    '',
    '--b',
    'Content-Type: text/rfc822-headers',
    '',
    `Message-ID: ${messageId}`,
    '',
    '--b--',
    '',
  ].join('\r\n');
}

test('a mail is tested, refused, parked, shown and sent again from the command line', async () => {
  const authority = join(mkdtempSync(join(tmpdir(), 'quittance-mail-')), 'authority.pem');
  writeFileSync(authority, loopbackShopCertificate);
  let answer: string | undefined;
  const refuseReceiver = () => answer;
  await withMailServer({ refuseReceiver, password: 'hush' }, async ({ port, received }) => {
    const settings = {
      SMTP_URL: `smtp://shop:hush@127.0.0.1:${port}`,
      SMTP_AUTHORITY_FILE: authority,
      MAIL_FROM: 'The Shop <pay@shop.test>',
    };
    const server = await openServerProcess({ settings });
    const run = (...words: string[]) => server.command(...words, '--json');
    try {
      await server.start();
      const sent = await run('mail', 'test', 'ann@customers.test', '--by', 'ann');
      assert.deepEqual([sent.exitCode, sent.json.state], [0, 'SENT'], sent.stderr);
      assert.equal(received[0]?.parsed.subject, 'Mail works');
      const doctor = await run('doctor');
      assert.match(JSON.stringify(doctor.json), /sent by 127\.0\.0\.1 as pay@shop\.test/);

      answer = '550 no such user';
      await run('mail', 'test', 'bob@customers.test', '--by', 'ann');
      const { json: parked } = await run('parked', 'list');
      const [waiting] = parked.parked as { id: string; reason: string }[];
      assert.match(waiting?.reason ?? '', /refused it for good: 550 no such user/);
      answer = undefined;
      const id = waiting?.id.replace('mail:', '') ?? '';
      assert.equal((await run('mail', 'retry', id, '--by', 'ann')).exitCode, 0);
      assert.equal((await run('mail', 'retry', id, '--by', 'ann')).exitCode, 1);
      // The running service sends it.
      await waitUntil('the mail to come', () => received.length > 1);
      assert.deepEqual(received[1]?.to, ['bob@customers.test']);

      const stop = ['carl@customers.test', '--by', 'ann', '--reason', 'asked us to'];
      assert.equal((await run('mail', 'stop', ...stop)).exitCode, 0);
      assert.match(
        JSON.stringify((await run('mail', 'stops')).json),
        /carl@customers.*asked us to/,
      );
      const unsent = await run('mail', 'test', 'carl@customers.test', '--by', 'ann');
      assert.deepEqual([unsent.exitCode, unsent.json.state], [1, 'PARKED'], unsent.stdout);
      assert.match(`${unsent.json.answer}`, /asked us to/);
      const allow = ['mail', 'allow', 'carl@customers.test', '--by', 'ann'];
      assert.equal((await run(...allow)).exitCode, 0);
      assert.equal((await run(...allow)).exitCode, 1);
      assert.equal((await run('mail', 'test', 'carl@customers.test', '--by', 'ann')).exitCode, 0);
      assert.deepEqual(received[2]?.to, ['carl@customers.test']);

      const bounce = join(mkdtempSync(join(tmpdir(), 'quittance-mail-')), 'bounce.eml');
      const { messageId } = received[2]?.parsed ?? {};
      writeFileSync(bounce, bounceOf(messageId ?? ''));
      const reported = await run('mail', 'report', bounce, '--by', 'ann');
      assert.deepEqual(reported.json.stopped, ['carl@customers.test'], reported.stderr);
      writeFileSync(bounce, bounceOf('<somebody-else@elsewhere.test>'));
      assert.deepEqual((await run('mail', 'report', bounce, '--by', 'ann')).json.stopped, []);

      const { json } = await run('settings');
      assert.doesNotMatch(JSON.stringify(json), /hush/);
    } finally {
      await server.close();
    }
  });
});
