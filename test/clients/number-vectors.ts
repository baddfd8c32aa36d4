// Numbers as the service writes and reads them: none of them may pass through a float on its way.
import assert from 'node:assert/strict';
import { decimalToText, parseWideDecimal, tryParseDecimal } from '#money/decimal.ts';
import { parseExactJson, stringifyExact } from '#money/exact-json.ts';

/** Numbers of `meta` and `payload`, which come back with the text that they were sent with. */
const ANSWERED = [
  ...['0', '-0', '7', '-12', '1.5', '0.1', '10.00', '0.0825', '1e3', '1E+3', '1e-7', '12.50e-1'],
  ...['9007199254740991', '9007199254740992', '9007199254740993', '-9007199254740993'],
  ...['0.100000000000000001', '123456789012345678.123456789012345678', '0.30000000000000004'],
  ...['1e18', '1e21', '123456789012345678901234567890'],
];

type Given = {
  readonly name: string;
  readonly kind: 'text' | 'integer' | 'decimal' | 'float';
  readonly text: string;
  /** Inside of `meta`, which belongs to the merchant. */
  readonly inMeta?: boolean;
  /** The JSON that stands for it in the request; refused before anything is sent where absent. */
  readonly sent?: string;
};

const GIVEN: readonly Given[] = [
  { name: 'an amount as text', kind: 'text', text: '0.1', sent: '"0.1"' },
  { name: 'zeros stay', kind: 'text', text: '10.00', sent: '"10.00"' },
  { name: 'an exponent stays', kind: 'text', text: '1e-7', sent: '"1e-7"' },
  {
    name: 'eighteen decimals',
    kind: 'text',
    text: '0.100000000000000001',
    sent: '"0.100000000000000001"',
  },
  { name: 'a whole number', kind: 'integer', text: '12', sent: '12' },
  {
    name: 'a whole number that no double holds',
    kind: 'integer',
    text: '9007199254740993',
    sent: '9007199254740993',
  },
  { name: 'an exact decimal', kind: 'decimal', text: '0.1', sent: '"0.1"' },
  { name: 'a small exact decimal', kind: 'decimal', text: '0.0000001', sent: '"0.0000001"' },
  {
    name: 'an exact decimal of eighteen digits',
    kind: 'decimal',
    text: '0.100000000000000001',
    sent: '"0.100000000000000001"',
  },
  { name: 'a float', kind: 'float', text: '0.1' },
  { name: 'a small float', kind: 'float', text: '1e-7' },
  { name: 'a float of a sum', kind: 'float', text: '0.30000000000000004' },
  { name: 'what is no number', kind: 'float', text: 'NaN' },
  { name: 'infinity', kind: 'float', text: 'Infinity' },
  { name: 'a float in meta', kind: 'float', text: '0.5', inMeta: true, sent: '0.5' },
];

export function numberVectors(): object {
  return {
    answers: ANSWERED.map((json) => {
      assertEchoed(json);
      const decimal = decimalToText(parseWideDecimal(json));
      const asDouble = String(Number(json));
      const isDouble = decimalToText(parseWideDecimal(asDouble)) === decimal;
      return { json, decimal, isDouble };
    }),
    amounts: ['0', '0.1', '0.00000001', '0.100000000000000001', '123456789012345678.9'],
    requests: GIVEN.map(({ name, kind, text, inMeta = false, sent = null }) => {
      assert.ok(
        sent === null || tryParseDecimal(sent.replaceAll('"', '')) !== undefined,
        `the service takes no such amount: ${text}`,
      );
      return { name, kind, text, inMeta, sent };
    }),
  };
}

function assertEchoed(json: string): void {
  const text = `{"meta":{"value":${json}}}`;
  const parsed = parseExactJson(text);
  assert.ok(parsed.ok, json);
  assert.equal(stringifyExact(parsed.value), text);
}
