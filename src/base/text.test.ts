import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { codePointLength, counted, hasLoneSurrogate, hasNul, isDomain, isEmail } from './text.ts';

test('text is counted in code points', () => {
  assert.equal(codePointLength('a😀é'), 3);
  assert.equal(codePointLength(''), 0);
  assert.equal(hasLoneSurrogate('a\ud83d'), true);
  assert.equal(hasLoneSurrogate('😀'), false);
  assert.equal(hasNul('a\u0000'), true);
  assert.equal(hasNul('a'), false);
});

test('addresses as people use them are accepted', () => {
  for (const email of [
    'a@b.de',
    'ada.lovelace+shop@example.co.uk',
    "o'neil_1@sub-domain.example.org",
    'jörg@münchen.example',
    '用户@例子.公司',
    'x@example.xn--p1ai',
    `${'a'.repeat(64)}@example.com`,
  ]) {
    assert.ok(isEmail(email), email);
  }
});

test('what is no address is refused', () => {
  for (const email of [
    ...['', '@', 'a', 'a@', '@b.de', 'a@b', 'a@localhost', 'a@@b.de', 'a@b@c.de', 'a b@c.de'],
    ...['a@b .de', ' a@b.de', 'a@b.de ', 'a@b.de\n', 'a@b..de', '.a@b.de', 'a.@b.de', 'a..a@b.de'],
    ...['a@-b.de', 'a@b-.de', 'a@b.d', 'a@1.2.3.4', 'a@[1.2.3.4]', '"a"@b.de', 'a<b@c.de'],
    ...['a@b.de,c@d.de', 'a@b_c.de', `${'a'.repeat(65)}@b.de`, `a@${'b'.repeat(64)}.de`],
    `a@${'b.'.repeat(126)}de`,
  ]) {
    assert.ok(!isEmail(email), email);
  }
});

test('an address of usual atoms and labels is always accepted, with a space in it never', () => {
  const word = fc.stringMatching(/^[a-z][a-z0-9]{1,10}$/);
  fc.assert(
    fc.property(word, word, word, fc.nat(30), (local, host, top, at) => {
      const email = `${local}@${host}.${top}`;
      assert.ok(isEmail(email) && isDomain(`${host}.${top}`));
      const place = at % (email.length + 1);
      assert.ok(!isEmail(`${email.slice(0, place)} ${email.slice(place)}`));
    }),
  );
});

test('one is said in the singular, none and more in the plural', () => {
  const said = [0n, 1n, 2n, 0, 1, 21].map((count) => counted(count, 'event'));
  assert.deepEqual(said, ['0 events', '1 event', '2 events', '0 events', '1 event', '21 events']);
  assert.deepEqual(
    [1n, 3n].map((count) => counted(count, 'entry', 'entries')),
    ['1 entry', '3 entries'],
  );
});
