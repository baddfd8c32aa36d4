// A calendar takes in what is due as RFC 5545 has it, whatever a shop is called.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeCalendar } from './write-calendar.ts';

const now = Temporal.Instant.from('2026-03-01T12:00:00.25Z');
const plain = { id: 'a@b', title: 'Due', description: 'What', now };
const unfold = (text: string) => text.replaceAll('\r\n ', '').split('\r\n');

test('a day is a date, a moment is one of universal time', () => {
  const day = unfold(writeCalendar({ ...plain, due: '2026-03-31' }));
  assert.ok(day.includes('DTSTART;VALUE=DATE:20260331'));
  assert.ok(day.includes('DTSTAMP:20260301T120000Z'));
  const due = Temporal.Instant.from('2026-03-31T22:05:09Z');
  assert.ok(unfold(writeCalendar({ ...plain, due })).includes('DTSTART:20260331T220509Z'));
});

test('texts of strangers end no line and no property', () => {
  const title = 'A, B; C\\D\nEND:VEVENT\r\nX:\u0007y\rz';
  const lines = unfold(writeCalendar({ ...plain, title, due: '2026-03-31' }));
  assert.ok(lines.includes('SUMMARY:A\\, B\\; C\\\\D\\nEND:VEVENT\\nX:y\\nz'), lines.join('|'));
  assert.equal(lines.filter((line) => line === 'END:VEVENT').length, 1);
});

test('no line has more than 75 octets, and no character is cut', () => {
  const title = `${'支付'.repeat(60)}🎉${'é'.repeat(80)}`;
  const text = writeCalendar({
    ...plain,
    title,
    due: '2026-03-31',
    url: `https://a.example/${'x'.repeat(200)}`,
  });
  assert.ok(text.endsWith('END:VCALENDAR\r\n'));
  for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line);
  assert.ok(!text.includes('\ufffd') && !/[^\r]\n/.test(text));
  assert.ok(unfold(text).includes(`SUMMARY:${title}`));
});
