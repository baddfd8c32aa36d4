import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { decimalToText, isNegative } from './decimal.ts';
import { ExactNumber, parseExactJson } from './exact-json.ts';
import { checkShape, fields, metaObject, numeric, omittable, textUpTo } from './exact-schema.ts';

const schema = fields({
  name: textUpTo(5),
  amounts: z.array(fields({ netAmount: numeric(), note: omittable(textUpTo(3)) })).max(3),
  nested: omittable(fields({ flag: z.boolean(), lineItems: omittable(z.array(z.string())) })),
});

function check(json: string) {
  const parsed = parseExactJson(json);
  assert.ok(parsed.ok);
  const faults: string[] = [];
  const value = checkShape(schema, parsed.value, faults);
  return { value, faults };
}

test('numbers come as JSON numbers or as text, exactly', () => {
  const { value } = check(
    '{"name":"a","amounts":[{"netAmount":0.1},{"netAmount":"10.0000"},{"netAmount":1e-18}]}',
  );
  const amounts = value?.amounts.map(({ netAmount }) => decimalToText(netAmount));
  assert.deepEqual(amounts, ['0.1', '10', '0.000000000000000001']);
});

test('null is the same as absent', () => {
  const { value, faults } = check(
    '{"name":null,"amounts":[{"netAmount":1,"note":null}],"nested":null}',
  );
  assert.deepEqual(faults, ['name: is required']);
  assert.equal(value, undefined);
});

test('every fault is named at once, with its path', () => {
  const { faults } = check(`{"name": "sixsix", "amounts": [{"netAmount": true, "note": 7},
    {"netAmount": "1e400"}, {}], "nested": {"flag": "yes"}}`);
  assert.deepEqual(faults, [
    'name: must have at most 5 characters',
    'amounts[0].netAmount: must be a number',
    'amounts[0].note: must be text',
    'amounts[1].netAmount: must be a number with at most 18 digits before and 18 after the point',
    'amounts[2].netAmount: is required',
    'nested.flag: must be true or false',
  ]);
});

test('a number, a list or a text is no object', () => {
  for (const json of ['5', '[]', '"text"']) {
    assert.deepEqual(check(json).faults, ['the request body: must be an object'], json);
  }
  const { faults } = check('{"name":"a","amounts":[5],"nested":6}');
  assert.deepEqual(faults, ['amounts[0]: must be an object', 'nested: must be an object']);
});

test('lengths count Unicode code points', () => {
  assert.deepEqual(check('{"name":"😀😀😀😀😀","amounts":[]}').faults, []);
});

test('an unknown name is let through unless it is nearly a known one', () => {
  const near = ['lineItem', 'LineItems', 'line_items', 'lineItmes', 'linesItems', 'lineItemz'];
  for (const name of near) {
    const { faults } = check(`{"name":"a","amounts":[],"nested":{"flag":true,"${name}":[]}}`);
    assert.deepEqual(faults, [`nested.${name}: is unknown, lineItems is probably meant`], name);
  }
  for (const name of ['items', 'sku', 'flags', 'lineTotal', 'toString', 'x'.repeat(1000)]) {
    const { faults } = check(`{"name":"a","amounts":[],"nested":{"flag":true,"${name}":[]}}`);
    assert.deepEqual(faults, [], name);
  }
});

test('the schemas become JSON Schema', () => {
  const document = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const properties = document.properties as Record<string, { maxLength?: number }>;
  assert.equal(properties.name?.maxLength, 5);
  assert.deepEqual(document.required, ['name', 'amounts']);
});

test('what need not be given is read as its layers would read it', () => {
  const inner = [
    textUpTo(3),
    numeric((value) => (isNegative(value) ? 'must not be negative' : undefined)),
    z.boolean(),
    z.enum(['one', 'two']),
    z.array(textUpTo(2)).max(2),
    fields({ name: textUpTo(3), more: omittable(z.boolean()) }),
    metaObject,
  ];
  const values = [
    undefined,
    null,
    '',
    [],
    'one',
    'too long',
    '-1',
    '1.5',
    new ExactNumber('2'),
    true,
    ['a', 'bb'],
    ['a', 'bb', 'ccc'],
    { name: 'a' },
    { name: 'abcd', more: '' },
    { more: 'no' },
    { b: 1 },
  ];
  for (const schema of inner) {
    const quick = omittable(schema);
    // A check makes a schema anew, as the library makes it.
    const layered = quick.refine(() => true);
    for (const value of values) {
      assert.deepEqual(readBy(quick, value), readBy(layered, value));
      const within = { field: value };
      assert.deepEqual(
        readBy(fields({ field: quick }), within),
        readBy(fields({ field: layered }), within),
      );
    }
    assert.deepEqual(readBy(fields({ field: quick }), {}), readBy(fields({ field: layered }), {}));
  }
});

function readBy(schema: z.ZodType, value: unknown) {
  const faults: string[] = [];
  return { value: checkShape(schema, value, faults), faults };
}
