import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { decimalToText } from './decimal.ts';
import { parseExactJson } from './exact-json.ts';
import { checkShape, fields, numeric, omittable, textUpTo } from './exact-schema.ts';

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
