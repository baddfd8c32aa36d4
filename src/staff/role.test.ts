import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asksFreshSignIn, mayAct, mayHoldKey, STAFF_ACTS, STAFF_ROLES } from './role.ts';

/** Every role against every act, as a person would read it: x may. */
const TABLE = `
                  OWNER ADMIN DEVELOPER ACCOUNTANT CASHIER VIEWER
see-sales         x     x     x         x          x       x
sell              x     x     .         .          x       .
decide-checkout   x     x     .         .          .       .
note              x     x     .         .          x       .
refund            x     x     .         .          .       .
see-money         x     x     .         x          .       .
move-money        x     .     .         .          .       .
erase             x     x     .         .          .       .
approve           x     x     .         .          .       .
report            x     x     .         x          .       .
see-development   x     x     x         .          .       .
develop           x     x     x         .          .       .
settings          x     x     .         .          .       .
people            x     .     .         .          .       .
see-trail         x     x     x         x          .       .
`;

test('each role may what the table says, and nothing else', () => {
  const table = STAFF_ACTS.map((act) => [
    act,
    ...STAFF_ROLES.map((role) => (mayAct(role, act) ? 'x' : '.')),
  ]);
  const wanted = TABLE.trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(/\s+/));
  assert.deepEqual(table, wanted);
});

test('nobody gets from a key what the role does not give', () => {
  const holders = (environment: 'live' | 'test', scopes: readonly string[] | null) =>
    STAFF_ROLES.filter((role) => mayHoldKey(role, environment, scopes));
  assert.deepEqual(holders('live', null), ['OWNER']);
  assert.deepEqual(holders('live', ['read', 'money']), ['OWNER']);
  assert.deepEqual(holders('live', ['approve']), ['OWNER']);
  assert.deepEqual(holders('live', ['read', 'checkout']), ['OWNER', 'ADMIN', 'DEVELOPER']);
  assert.deepEqual(holders('test', null), ['OWNER', 'ADMIN', 'DEVELOPER']);
});

test('money, keys, people and what is known of them ask for a recent proof; looking and selling do not', () => {
  const asked = STAFF_ACTS.filter(asksFreshSignIn);
  assert.deepEqual(asked, ['refund', 'move-money', 'erase', 'approve', 'develop', 'people']);
});
