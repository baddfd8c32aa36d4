import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '#test/support/seeded-random.ts';
import { checkNewPassword, hashPassword, isPassword } from './password.ts';

for (const [password, code] of [
  ['short', 'password_length'],
  ['x'.repeat(201), 'password_length'],
  ['aaaaaaaaaaaa', 'password_common'],
  ['password123', 'password_common'],
  ['Qwertyuiop1', 'password_common'],
  ['margarete2026!', 'password_common'],
] as const) {
  test(`"${password.slice(0, 20)}" is refused: ${code}`, async () => {
    const refused = checkNewPassword(password, ['margarete', 'shop.example']);
    await assert.rejects(refused, { code });
  });
}

test('a long one of ordinary words is taken, in any script', async () => {
  await checkNewPassword('four horses eat blue grass', ['ann']);
  await checkNewPassword('четыре лошади едят траву', ['ann']);
});

test('a password opens its own hash alone, however its letters were typed', async () => {
  const hash = await hashPassword('Caf\u00e9 am Rande der Nacht', seededRandom(1));
  assert.match(hash, /^argon2id\$19456\$2\$1\$/);
  assert.equal(await isPassword('Cafe\u0301 am Rande der Nacht', hash), true);
  assert.equal(await isPassword('Cafe am Rande der Nacht', hash), false);
  assert.equal(await isPassword('', hash), false);
  assert.notEqual(hash, await hashPassword('Caf\u00e9 am Rande der Nacht', seededRandom(2)));
});

test('nobody has a password that fits nobody', async () => {
  assert.equal(await isPassword('', undefined), false);
  assert.equal(await isPassword('anything at all', undefined), false);
});
