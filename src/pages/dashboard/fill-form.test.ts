// What was typed stands in the same form again, as it was typed, and in no other one.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { html } from '#pages/html.ts';
import { areaField, checkField, selectField, textField } from './controls.ts';
import { fillForm, keptFields } from './fill-form.ts';

const FORM = html`<input type="hidden" name="form" value="token">
<input type="hidden" name="once" value="another">
<input type="hidden" name="act" value="invite">
${textField({ name: 'name', label: 'Name', value: 'before' })}
${areaField({ name: 'note', label: 'Note', value: 'before', maxLength: 100 })}
${checkField({ name: 'own', label: 'Own', isOn: true })}
${checkField({ name: 'all', label: 'All', isOn: false })}
${selectField({
  name: 'role',
  label: 'Role',
  value: 'VIEWER',
  options: [
    ['VIEWER', 'Looks'],
    ['OWNER', 'Owns'],
  ],
})}
<input type="radio" name="way" value="a" checked><input type="radio" name="way" value="b">
<input type="password" name="password">
<button class="button">Invite</button>`;

test('each field says again what was typed, chosen and ticked', () => {
  const typed = new URLSearchParams({
    ...{ act: 'invite', name: '"Ann" <b>&', note: 'a\r\nb' },
    ...{ all: 'yes', role: 'OWNER', way: 'b' },
  });
  const markup = fillForm(FORM, keptFields(typed))?.markup ?? '';
  assert.match(markup, /name="name"[^>]* value="&quot;Ann&quot; &lt;b&gt;&amp;">/);
  assert.doesNotMatch(markup, /before/);
  assert.match(markup, /<textarea[^>]*>\na\r\nb<\/textarea>/);
  assert.match(markup, /name="all" value="yes" checked>/);
  assert.doesNotMatch(markup, /name="own"[^>]*checked/);
  assert.match(markup, /<option value="OWNER" selected>/);
  assert.doesNotMatch(markup, /<option value="VIEWER"[^>]*selected/);
  assert.match(markup, /name="way" value="b" checked>/);
  assert.doesNotMatch(markup, /name="way" value="a"[^>]*checked/);
  assert.match(markup, /name="once" value="another"/, 'hidden fields are those of the form shown');
});

test('a secret is neither kept nor filled in', () => {
  const said = { act: 'invite', password: 'four horses', code: '123456', secret: 'ABC', name: 'x' };
  const kept = keptFields(new URLSearchParams({ ...said, form: 'token', at: '/dashboard' }));
  assert.deepEqual(kept, [
    ['act', 'invite'],
    ['name', 'x'],
  ]);
  const markup = fillForm(FORM, [...kept, ['password', 'four horses']])?.markup ?? '';
  assert.match(markup, /value="x"/);
  assert.doesNotMatch(markup, /four horses/);
});

test('every field for a password has a name that is not kept', () => {
  const folder = import.meta.dirname;
  const files = readdirSync(folder).filter((file) => /(?<!\.test)\.ts$/.test(file));
  const names = files.flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    const fields = text.matchAll(/name: '(\w+)',[^}]*?type: 'password'/g);
    return Array.from(fields, ([, name = '']) => name);
  });
  assert.ok(names.length >= 3);
  for (const name of names) assert.deepEqual(keptFields(new URLSearchParams({ [name]: 'x' })), []);
});

test('another form of the same page is not filled', () => {
  const name = ['name', 'x'] as const;
  assert.equal(fillForm(FORM, [['act', 'remove'], name]), undefined);
  assert.equal(fillForm(FORM, [name]), undefined, 'it does not say what the hidden field says');
  const buttons = html`${textField({ name: 'name', label: 'Name' })}
<button name="act" value="on">On</button><button name="act" value="off">Off</button>`;
  assert.ok(fillForm(buttons, [['act', 'off'], name]));
  assert.equal(fillForm(buttons, [['act', 'away'], name]), undefined);
  const plain = html`<button name="act" value="on">On</button>`;
  assert.equal(fillForm(plain, [['act', 'on']]), undefined, 'nothing was typed');
});

test('whatever was typed stays a text of its field', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const kept = keptFields(new URLSearchParams({ act: 'invite', name: text, note: text }));
      const markup = fillForm(FORM, kept)?.markup ?? '';
      const tags = (markup.match(/<[a-z/][^>]*>/g) ?? []).length;
      assert.equal(tags, (FORM.markup.match(/<[a-z/][^>]*>/g) ?? []).length);
    }),
  );
});
