import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAsking } from '#ask/ask.ts';
import {
  askingValues,
  listAskingFaults,
  listAskRows,
  readAskingForm,
  wantsMoreFields,
} from './read-asking-form.ts';

const WHOLE = {
  'ask-0-kind': 'CHOICE',
  'ask-0-label': 'Size',
  'ask-0-labels': 'de: Größe\r\n PT-br : Tamanho: qual?',
  'ask-0-choices': 'Small | de: Klein | FR: Petit\r\n\r\nLarge | de: Groß\r\nOne | two',
  'ask-0-required': 'yes',
  // A row of which nothing was typed: a select always sends something.
  'ask-1-kind': 'TEXT',
  'ask-4-kind': 'NUMBER',
  'ask-4-label': 'Alter des Gastes',
  'ask-4-least': '17,5',
  'ask-4-key': 'age',
  termsUrl: 'https://shop.example/terms',
  tipPercents: '5, 7,5;10%',
  tipAmounts: '1 2,50',
  tipOwn: 'yes',
};
const form = (values: Readonly<Record<string, string>>) => new URLSearchParams(values);

test('what was typed is asked, with a name of its own and percentages as people say them', () => {
  const read = readAskingForm(form(WHOLE));
  assert.deepEqual(read, {
    asks: [
      {
        key: 'size',
        kind: 'CHOICE',
        label: 'Size',
        labels: { de: 'Größe', 'pt-BR': 'Tamanho: qual?' },
        isRequired: true,
        choices: ['Small', 'Large', 'One | two'],
        choiceLabels: { de: ['Klein', 'Groß', 'One | two'], fr: ['Petit', 'Large', 'One | two'] },
      },
      {
        ...{ key: 'age', kind: 'NUMBER', label: 'Alter des Gastes', labels: {} },
        ...{ isRequired: false, choices: [], least: '17.5' },
      },
    ],
    termsUrl: 'https://shop.example/terms',
    tipPercents: ['0.05', '0.075', '0.1'],
    tipAmounts: ['1', '2.5'],
    isTipOwn: true,
  });
});

test('what is asked stands in the form again, and comes to the same', () => {
  const asking = readAskingForm(form(WHOLE));
  const shown = askingValues(asking);
  assert.deepEqual(listAskRows(shown), [0, 1]);
  assert.equal(shown.get('tipPercents'), '5 7.5 10');
  assert.deepEqual(readAskingForm(shown), asking);
  assert.deepEqual(readAsking('{}'), { value: null });
});

test('an empty form asks nothing, also with bounds and choices that no longer belong to a field', () => {
  assert.equal(readAskingForm(form({})), undefined);
  assert.equal(readAskingForm(form({ 'ask-0-kind': 'TEXT' })), undefined);
  const left = {
    ...{ 'ask-0-kind': 'CHECKBOX', 'ask-0-label': 'Letters' },
    ...{ 'ask-0-choices': 'a', 'ask-0-least': '3' },
  };
  const read = readAskingForm(form(left));
  assert.deepEqual(read?.asks, [
    ...[{ key: 'letters', kind: 'CHECKBOX', label: 'Letters', labels: {}, isRequired: false }].map(
      (ask) => ({ ...ask, choices: [] }),
    ),
  ]);
});

test('a question without plain letters has a name, and two alike have two', () => {
  const labels = ['名前', 'Größe?', 'Grösse!', '2nd name', '名'];
  const rows = labels.flatMap((label, row) => [
    [`ask-${row}-kind`, 'TEXT'],
    [`ask-${row}-label`, label],
  ]);
  const read = readAskingForm(new URLSearchParams([...rows, ['ask-3-key', 'field_2']]));
  assert.deepEqual(
    read?.asks.map(({ key }) => key),
    ['field', 'gro_e', 'grosse', 'field_2', 'field_3'],
  );
});

const FAULTS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['ask-3-label', { 'ask-3-kind': 'TEXT', 'ask-3-key': 'a' }],
  ['ask-0-label', { 'ask-0-kind': 'TEXT', 'ask-0-label': 'x'.repeat(201) }],
  ['ask-0-labels', { 'ask-0-kind': 'TEXT', 'ask-0-label': 'a', 'ask-0-labels': 'Größe' }],
  ['ask-0-labels', { 'ask-0-kind': 'TEXT', 'ask-0-label': 'a', 'ask-0-labels': 'xx: b' }],
  ['ask-0-labels', { 'ask-0-kind': 'TEXT', 'ask-0-label': 'a', 'ask-0-labels': 'de:' }],
  ['ask-0-kind', { 'ask-0-kind': 'DATE', 'ask-0-label': 'a' }],
  ['ask-0-key', { 'ask-0-kind': 'TEXT', 'ask-0-label': 'a', 'ask-0-key': '1' }],
  ['ask-0-choices', { 'ask-0-kind': 'CHOICE', 'ask-0-label': 'a' }],
  ['ask-0-choices', { 'ask-0-kind': 'CHOICE', 'ask-0-label': 'a', 'ask-0-choices': 'b\nb' }],
  ['ask-0-choices', { 'ask-0-kind': 'CHOICE', 'ask-0-label': 'a', 'ask-0-choices': 'b | de:' }],
  ['ask-0-least', { 'ask-0-kind': 'TEXT', 'ask-0-label': 'a', 'ask-0-least': '0' }],
  ['ask-0-most', { 'ask-0-kind': 'NUMBER', 'ask-0-label': 'a', 'ask-0-most': 'many' }],
  ['termsUrl', { termsUrl: 'javascript:alert(1)' }],
  ['termsText', { termsText: 'x'.repeat(501) }],
  ['tipPercents', { tipPercents: '5 101' }],
  ['tipPercents', { tipPercents: '1 2 3 4 5 6 7' }],
  ['tipPercents', { tipPercents: 'five' }],
  ['tipAmounts', { tipAmounts: '1,000' }],
  ['tipAmounts', { tipAmounts: '-1' }],
];

test('what is wrong is found where it was typed', () => {
  for (const [name, values] of FAULTS) {
    assert.throws(() => readAskingForm(form(values)), { code: 'asking' }, JSON.stringify(values));
    assert.deepEqual([...listAskingFaults(form(values))], [name], JSON.stringify(values));
  }
  const twice = { 'ask-0-kind': 'TEXT', 'ask-0-label': 'a', 'ask-0-key': 'k' };
  const both = { ...twice, 'ask-7-kind': 'TEXT', 'ask-7-label': 'b', 'ask-7-key': 'k' };
  assert.deepEqual([...listAskingFaults(form(both))], ['ask-7-key']);
  assert.deepEqual([...listAskingFaults(form(WHOLE))], []);
});

test('one more field is asked for by a button of the same form', () => {
  assert.equal(wantsMoreFields(form({ act: 'more-fields' })), true);
  assert.equal(wantsMoreFields(form({ act: 'on' })), false);
});
