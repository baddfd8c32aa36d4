import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { NodeLie } from '#networks/answer-fields.ts';
import {
  type Broadcast,
  decideBroadcast,
  readBroadcast,
  type ServerSaid,
} from './decide-broadcast.ts';

type Recorded = {
  readonly where: string;
  readonly status: number;
  readonly text: string;
  readonly means: 'refused' | 'known' | 'nothing';
};
const fixtures = join(import.meta.dirname, '../../../test/fixtures');
const { answers } = JSON.parse(
  readFileSync(join(fixtures, 'bitcoin/esplora-broadcast.json'), 'utf8'),
) as { readonly answers: readonly Recorded[] };

for (const { text, where, means, ...answer } of answers) {
  test(`what servers really said to a transaction: ${means}: ${text} (${where})`, () => {
    const said = readBroadcast({ ...answer, text });
    if (means === 'nothing') return assert.equal(said, undefined);
    assert(said !== undefined && means in said);
    if ('refused' in said) assert(text.includes(`"message":"${said.refused}"`) && said.code < 0);
  });
}

const ID = 'ab'.repeat(32);
const OTHER = 'cd'.repeat(32);

test('taken is what is answered with an id, and with nothing else', () => {
  assert.deepEqual(readBroadcast({ status: 200, text: `${ID}\n` }), { taken: ID });
  for (const text of ['', 'ok', ID.slice(1), `{"txid":"${ID}"}`]) {
    assert.throws(() => readBroadcast({ status: 200, text }), NodeLie);
  }
});

test('a server that is busy, cut off or speaks otherwise has said nothing', () => {
  for (const answer of [
    { status: 429, text: 'Too Many Requests' },
    { status: 502, text: '<html>' },
    { status: 404, text: 'endpoint does not exist' },
    { status: 400, text: 'sendrawtransaction RPC error: {"code":-26' },
    { status: 400, text: 'sendrawtransaction RPC error: {"code":"-26","message":"x"}' },
    { status: 400, text: 'getblock RPC error: {"code":-27,"message":"x"}' },
    { status: 400, text: 'sendrawtransaction RPC error: null' },
    { status: 503, text: 'sendrawtransaction RPC error: {"code":-27,"message":"x"}' },
  ]) {
    assert.equal(readBroadcast(answer), undefined);
  }
});

const taken: ServerSaid = { taken: ID };
const known: ServerSaid = { known: true };
const refused: ServerSaid = { code: -26, refused: 'min relay fee not met' };

const CASES: readonly (readonly [
  what: string,
  answers: readonly ServerSaid[],
  needed: number,
  expected: Broadcast | RegExp,
])[] = [
  ['one server takes it', [taken], 1, taken],
  ['one server refuses it', [refused], 1, refused],
  ['one server has it', [known], 1, known],
  ['one server says nothing', [], 1, /too few/],
  ['both take it', [taken, taken], 2, taken],
  ['one takes it, one had it', [known, taken], 2, taken],
  ['both had it', [known, known], 2, known],
  ['both refuse it', [refused, { code: -25, refused: 'Missing inputs' }], 2, refused],
  ['one takes it, the other is away', [taken], 2, /too few/],
  ['one refuses it, the other is away', [refused], 2, /refuses it \(min relay.* does not answer/],
  ['one takes it, one refuses it', [taken, refused], 2, /refuses it .* another has it/],
  ['one had it, one refuses it', [refused, known], 2, /another has it/],
  ['they name two transactions', [taken, { taken: OTHER }], 2, /different transactions/],
  ['two of three take it', [taken, refused, known], 2, taken],
  ['two of three refuse it', [refused, taken, refused], 2, /another has it/],
  ['two of three refuse it, one is away', [refused, refused], 2, refused],
];

for (const [what, given, needed, expected] of CASES) {
  test(`what was sent to servers of Esplora: ${what}`, () => {
    const decided = decideBroadcast(given, needed);
    if (!(expected instanceof RegExp)) return assert.deepEqual(decided, expected);
    assert.match('undecided' in decided ? decided.undecided : JSON.stringify(decided), expected);
  });
}
