// Headers under hostile texts: what a stranger wrote is never another header, receiver or letter.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { Refusal } from '#base/refusal.ts';
import { isEmail } from '#base/text.ts';
import { cleanLetter, messageOf, readReceiver } from './letter.ts';

const HOSTILE = [
  'a\r\nBcc: eve@evil.test',
  'a\nX-Evil: yes',
  '\r\n\r\n<script>',
  'a\u2028Bcc: eve@evil.test',
  '"a" <eve@evil.test>, b',
  '=?utf-8?Q?a=0D=0ABcc:_eve@evil.test?=',
  '\u202Etxet',
  'a\0b',
  'ann@x.test>\r\nRCPT TO:<eve@evil.test',
  'a\u0085Bcc: b',
];
const hostile = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .array(fc.constantFrom(...HOSTILE, 'a', ' ', '\r', '\n', '\t', '<', '>', '"', ','), {
      maxLength: 12,
    })
    .map((parts) => parts.join('')),
);
const HEADERS = new Set([
  'auto-submitted',
  'content-transfer-encoding',
  'content-type',
  'date',
  'from',
  // How the parser calls those that begin with List-.
  'list',
  'message-id',
  'mime-version',
  'reply-to',
  'subject',
  'to',
]);

test('no text of a stranger adds a header, a receiver or a letter', async () => {
  await fc.assert(
    fc.asyncProperty(hostile, hostile, hostile, async (subject, fromName, text) => {
      const beside = { replyTo: text, leaveUrl: `https://pay.shop.test/${text}` };
      const letter = cleanLetter({ subject, fromName, text, html: '<p>hello</p>', ...beside });
      const at = Temporal.Instant.from('2026-03-01T12:00:00Z');
      const mail = { id: 'abc', receiver: 'ann@customers.test', letter, at };
      const message = messageOf(mail, { name: '', address: 'pay@shop.test' });
      const raw = await new MailComposer(message).compile().build();
      const parsed = await simpleParser(raw);
      assert.deepEqual(
        [...parsed.headers.keys()].filter((name) => !HEADERS.has(name)),
        [],
      );
      // Beyond emoji the library may halve what is not of the first plane.
      const isWhole = !/[\u{10000}-\u{1EFFF}\u{1FC00}-\u{10FFFF}]/u.test(letter.subject);
      if (isWhole) assert.equal(parsed.subject ?? '', letter.subject);
      assert.deepEqual(
        [parsed.from, parsed.to].flat().flatMap((one) => one?.value.map(({ address }) => address)),
        ['pay@shop.test', 'ann@customers.test'],
      );
      const [answer, ...others] = parsed.replyTo?.value ?? [];
      assert.deepEqual([answer?.address, others], [letter.replyTo, []]);
      const leave = parsed.headerLines.filter(({ key }) => key === 'list-unsubscribe');
      assert.match(
        leave.map(({ line }) => line.replaceAll(/\r?\n[ \t]/g, '')).join('\n'),
        /^List-Unsubscribe: ?<https:\/\/pay\.shop\.test\/[^<>\s]*>$/,
      );
    }),
    { numRuns: 300 },
  );
});

test('a receiver is one address, or it is refused', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      try {
        const receiver = readReceiver(text);
        assert.ok(isEmail(receiver));
        assert.doesNotMatch(receiver, /[\p{Cc}\p{Z}<>",;:]/u);
      } catch (error) {
        assert.ok(error instanceof Refusal);
      }
    }),
    { numRuns: 1_000 },
  );
  assert.equal(readReceiver(' ann@shop.test '), 'ann@shop.test');
  for (const wrong of ['ann', 'ann@', 'a@b', 'a@b.test, c@d.test', 'a@b.test\r\nBcc: c@d.test']) {
    assert.throws(() => readReceiver(wrong), Refusal, wrong);
  }
});

test('subjects and names stay readable: one line, cut where they are long', () => {
  const subject = `Order\r\n ${'ä'.repeat(300)}`;
  const letter = cleanLetter({ subject, fromName: '\r\n', text: '', html: '' });
  assert.equal([...letter.subject].length, 200);
  assert.match(letter.subject, /^Order ä+…$/);
  assert.equal(letter.fromName, undefined);
});
