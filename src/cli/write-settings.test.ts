import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsText } from './write-settings.ts';

const set = (pairs: Record<string, string>) => new Map(Object.entries(pairs));

test('a new file says what it is, and has what was answered', () => {
  const text = settingsText(undefined, set({ PORT: '8081', SMTP_URL: '' }));
  assert.match(text, /^# Settings of Quittance/);
  assert.match(text, /\nPORT=8081\n$/);
  assert.doesNotMatch(text, /SMTP_URL/);
});

test('comments, order and what is commented out stay', () => {
  const before = '# mine\nPORT = 8080\n\n#HOST=0.0.0.0\nDATA_DIR=/srv\n';
  const after = settingsText(before, set({ PORT: '8081', DATA_DIR: '/srv', HOST: '::' }));
  assert.equal(after, '# mine\nPORT=8081\n\n#HOST=0.0.0.0\nDATA_DIR=/srv\nHOST=::\n');
  assert.equal(settingsText(after, set({ PORT: '8081', DATA_DIR: '/srv', HOST: '::' })), after);
});

test('what is emptied goes, and of a name given twice one line stays', () => {
  const before = 'PORT=1\nPORT=2\nMAIL_FROM=a@b.test\n';
  assert.equal(settingsText(before, set({ PORT: '2', MAIL_FROM: '' })), 'PORT=2\n');
});
