import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from '#db/db.ts';
import { addBeneficiary } from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';
import { requireBeneficiary, sealOldBeneficiaries } from './beneficiary.ts';

let world: TestApp;
before(async () => {
  world = await openTestApp();
});
after(() => world.close());

test('rows from before seals are sealed by the next start, and by no later one', async () => {
  const { app, caller } = world;
  const unsealed = async (label: string) => {
    const id = await addBeneficiary(world, label);
    await app.db.single((tx) => tx.query(sql`update beneficiary set seal = null where id = ${id}`));
    return id;
  };
  const old = await unsealed('from before');
  await app.db.single((tx) =>
    tx.query(sql`update installation set beneficiaries_sealed_at = null`),
  );
  await assert.rejects(requireBeneficiary(app, caller, old), /was changed in the database/);
  await sealOldBeneficiaries(app);
  assert.equal((await requireBeneficiary(app, caller, old)).label, 'from before');
  const forged = await unsealed('from somebody');
  await sealOldBeneficiaries(app);
  await assert.rejects(requireBeneficiary(app, caller, forged), /was changed in the database/);
});
