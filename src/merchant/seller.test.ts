import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemRandom } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { keyringOf } from '#installation/keyring.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { openTestDatabase, type TestDatabase } from '#test/support/test-database.ts';
import { createMerchant } from './create-merchant.ts';
import { changeLogo, findLogoContent, findSeller, type LogoDrawing } from './seller.ts';

let database: TestDatabase;
let merchants: string[];

before(async () => {
  database = await openTestDatabase();
  const keyring = keyringOf(new Uint8Array(32).fill(1), systemRandom);
  const clock = manualClock(Temporal.Instant.from('2026-11-21T10:00:00Z'));
  const app = { db: database.db, keyring, clock, random: systemRandom };
  const made = [
    await createMerchant(app, { name: 'One' }),
    await createMerchant(app, { name: 'Two' }),
  ];
  merchants = made.map(({ id }) => id);
});
after(() => database.close());

/** Contents are never looked into here. */
function drawings(seed: number): LogoDrawing[] {
  return ([1, 2] as const).map((scale) => ({
    scale,
    hash: `${scale}${seed}`.padEnd(32, '0'),
    ink: 'dark',
    width: 100 * scale,
    height: 20 * scale,
    content: new Uint8Array([seed, scale]),
  }));
}

test('a logo is stored, replaced and removed; one merchant’s does not touch another’s', async () => {
  const { db } = database;
  const [one = '', two = ''] = merchants;
  const logoOf = async (id: string) => (await findSeller(db, id))?.logo;
  const contents = (seed: number) =>
    Promise.all(drawings(seed).map(({ hash }) => findLogoContent(db, hash)));
  await changeLogo({ db }, one, drawings(1));
  await changeLogo({ db }, two, drawings(1));
  const [plain, fine] = drawings(1);
  const shown = { hash: plain?.hash, fineHash: fine?.hash, ink: 'dark', width: 100, height: 20 };
  assert.deepEqual(await logoOf(one), shown);
  assert.deepEqual(await contents(1), [new Uint8Array([1, 1]), new Uint8Array([1, 2])]);

  await changeLogo({ db }, one, drawings(2));
  assert.equal((await logoOf(one))?.hash, drawings(2)[0]?.hash);
  await changeLogo({ db }, one, []);
  assert.equal(await logoOf(one), undefined);
  assert.deepEqual(await contents(2), [undefined, undefined]);
  assert.deepEqual(await logoOf(two), shown);
  assert.deepEqual(await contents(1), [new Uint8Array([1, 1]), new Uint8Array([1, 2])]);
});

test('two logos brought at once leave one whole logo', async () => {
  const { db } = database;
  const [one = ''] = merchants;
  await Promise.all([3, 4, 5].map((seed) => changeLogo({ db }, one, drawings(seed))));
  const logo = (await findSeller(db, one))?.logo;
  assert.equal(logo?.hash.slice(1), logo?.fineHash.slice(1));
});

test('an unknown merchant has no logo', async () => {
  const { db } = database;
  await assert.rejects(
    changeLogo({ db }, 'aaaaaaaaaaaa', drawings(6)),
    (error: unknown) => error instanceof Refusal && error.code === 'merchant_unknown',
  );
});
