// Several processes look at one rule that is due: the database, not the code path, says that its
// period is settled once.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Refusal } from '#base/refusal.ts';
import { sql } from '#db/db.ts';
import { parseDecimal } from '#money/decimal.ts';
import { createSettlementRule } from '#settlement-rule/create-settlement-rule.ts';
import { type RunRulesApp, runSettlementRules } from '#settlement-rule/run-settlement-rules.ts';
import { changeRule, listDueRuleIds, listRuns } from '#settlement-rule/settlement-rule.ts';
import { checkInvariants } from '#test/support/check-invariants.ts';
import { fundMerchant } from '#test/support/fund-merchant.ts';
import { addBeneficiary, availableUnits } from '#test/support/outgoing-money.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';

const LTC = 'LTC:NATIVE';

let world: TestApp;
before(async () => {
  world = await openTestApp({ connections: 10 });
  await addBeneficiary(world, 'savings');
  await world.observe('LITECOIN');
});
after(() => world.close());

let funded = 0;
async function fund(units: bigint): Promise<void> {
  funded += 1;
  const { merchantId } = world.caller;
  const occurredAt = world.clock.now();
  const cause = `race-${funded}`;
  await fundMerchant(world.app.db, { merchantId, cause, occurredAt, assetId: LTC, units });
}

function addRule(more: object = {}): Promise<{ readonly id: string }> {
  return createSettlementRule(
    world.app,
    { ...world.caller, actor: 'test' },
    {
      ...{ asset: LTC, threshold: parseDecimal('0.1'), keep: parseDecimal('0.01') },
      ...{ schedule: undefined, convertTo: undefined },
      ...{ network: 'LITECOIN', targetAccount: 'savings', ...more },
    },
  );
}

const transfers = () =>
  world.app.db.query<{ units: bigint; state: string }>(sql`
    select units, state from transfer order by created_at, id`);

async function assertSound(): Promise<void> {
  assert.deepEqual(await checkInvariants(world.app.db, { now: world.clock.now() }), []);
}

test('two processes, one rule that is due, one transfer', async () => {
  const { id } = await addRule();
  await fund(50_000_000n);
  await Promise.all(Array.from({ length: 8 }, () => runSettlementRules(world.app)));
  const made = await transfers();
  assert.deepEqual(made, [{ units: 49_000_000n, state: 'RESERVED' }]);
  const runs = await listRuns(world.app.db, id, 10);
  assert.deepEqual(
    runs.map(({ state, units }) => [state, units]),
    [['DONE', 49_000_000n]],
  );
  assert.equal(await availableUnits(world, LTC), 1_000_000n);
  await assertSound();
  await changeRule(world.app, world.caller, id, 'delete');
});

test('a process that dies before its commit leaves nothing, and the next one does all of it', async () => {
  const { id } = await addRule({
    convertTo: 'BTC:NATIVE',
    network: undefined,
    targetAccount: undefined,
  });
  await fund(50_000_000n);
  const { db } = world.app;
  const dying: RunRulesApp = {
    ...world.app,
    db: {
      ...db,
      transact: (act) =>
        db.transact(async (tx) => {
          const cause = await act(tx);
          throw new Error('killed before COMMIT', { cause });
        }),
    },
  };
  await runSettlementRules(dying);
  assert.deepEqual(await db.query(sql`select id from swap`), []);
  assert.deepEqual(await listRuns(db, id, 10), []);
  await world.clock.advance(15 * 60_000);
  await runSettlementRules(world.app);
  const swaps = await db.query(sql`select state, source_units as units from swap`);
  assert.deepEqual(swaps, [{ state: 'COMPLETED', units: 50_000_000n }]);
  await assertSound();
  await changeRule(world.app, world.caller, id, 'delete');
});

test('a rule that is deleted while it is followed is followed whole or not at all', async () => {
  const sentUnits = async () => (await transfers()).reduce((sum, { units }) => sum + units, 0n);
  for (let round = 0; round < 5; round += 1) {
    await world.observe('LITECOIN');
    await fund(20_000_000n);
    const had = await availableUnits(world, LTC);
    const before = await sentUnits();
    const { id } = await addRule();
    await Promise.all([
      runSettlementRules(world.app),
      changeRule(world.app, world.caller, id, 'delete'),
    ]);
    const sent = (await sentUnits()) - before;
    assert.equal(await availableUnits(world, LTC), had - sent);
    const [run] = await listRuns(world.app.db, id, 10);
    assert.equal(run?.units ?? 0n, sent);
    assert.deepEqual(await listDueRuleIds(world.app.db, world.clock.now(), 10), []);
  }
  await assertSound();
});

test('what cannot be sent is undone with what was converted for it', async () => {
  await addRule({ convertTo: 'BTC:NATIVE', network: 'BITCOIN', targetAccount: 'cold' }).catch(
    (error: unknown) => assert.ok(error instanceof Refusal && error.code === 'beneficiary_missing'),
  );
  const cold = { address: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx' };
  await addBeneficiary(world, 'cold', { network: 'BITCOIN', account: cold });
  await world.observe('BITCOIN');
  await fund(20_000_000n);
  const had = await availableUnits(world, LTC);
  const { id } = await addRule({
    convertTo: 'BTC:NATIVE',
    network: 'BITCOIN',
    targetAccount: 'cold',
  });
  await world.app.db.single((tx) =>
    tx.query(sql`update beneficiary set deleted_at = created_at where label = 'cold'`),
  );
  await runSettlementRules(world.app);
  const [run] = await listRuns(world.app.db, id, 10);
  assert.deepEqual([run?.state, run?.code], ['SKIPPED', 'beneficiary_missing']);
  assert.equal(await availableUnits(world, LTC), had);
  await assertSound();
});
