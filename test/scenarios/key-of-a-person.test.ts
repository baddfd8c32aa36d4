// Whoever was shown the secret of a key is one person with it: above the limit of one person he
// does not approve by the one what he made by the other.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { listActs } from '#audit/act.ts';
import { approveAct, declineAct } from '#spending/approval.ts';
import { setLimit } from '#spending/spending-limit.ts';
import { commitSwap } from '#swap/commit-swap.ts';
import { createSwap } from '#swap/create-swap.ts';
import type { DashboardBrowser } from '#test/support/dashboard-browser.ts';
import { type DashboardWorld, openDashboardWorld } from '#test/support/dashboard-world.ts';
import { fundMerchant } from '#test/support/fund-merchant.ts';
import { addBeneficiary, sender } from '#test/support/outgoing-money.ts';
import { commitTransfer } from '#transfer/commit-transfer.ts';
import { quoteTransfer } from '#transfer/quote-transfer.ts';
import { runTransfers } from '#transfer/run-transfers.ts';

const LTC = 'LTC:NATIVE';

let world: DashboardWorld;
let shop: string;
before(async () => {
  world = await openDashboardWorld();
  shop = world.shop;
  await world.observe('LITECOIN');
  const { merchantId } = world.caller;
  const occurredAt = world.clock.now();
  const money = { merchantId, assetId: LTC, units: 10_000_000_000n, cause: 'first', occurredAt };
  await fundMerchant(world.app.db, money);
  const said = { actor: 'operator', reason: 'test', setAt: occurredAt };
  const name = { kind: 'TWO_PEOPLE', environment: 'test', merchantId, measure: LTC } as const;
  await world.app.db.transact(async (tx) =>
    setLimit(tx, { ...name, mostUnits: 100_000_000n, ...said }),
  );
});
after(() => world.close());

/** A key that may do everything, made in the dashboard. */
async function makeKey(browser: DashboardBrowser): Promise<string> {
  const path = `${shop}/keys`;
  await browser.get(path);
  const { markup } = await browser.submit(path, { act: 'create', all: '1' });
  return /<dd><code>([^<]+)/.exec(markup)?.[1] ?? '';
}

const ownerOf = () => {
  const { merchantId, environment } = world.caller;
  return { merchantId, environment };
};

/** What waits for a second person, made by a key. */
async function orderBy(apiKey: string): Promise<string> {
  const { app } = world;
  const targetAccount = await addBeneficiary(world, `Cold ${await world.create()}`);
  const amount = { coefficient: 2n, scale: 0 };
  const asked = { network: 'LITECOIN', asset: undefined, amount, targetAccount };
  const { id } = await quoteTransfer(app, { ...ownerOf(), apiKey }, asked);
  await commitTransfer(app, ownerOf(), id);
  await runTransfers(sender(world));
  return `transfer:${id}`;
}

/** The same by a person, in the dashboard. */
async function orderAs(browser: DashboardBrowser): Promise<string> {
  const to = await addBeneficiary(world, `Warm ${await world.create()}`);
  await browser.get(`${shop}/money/send?to=${to}`);
  const given = { to, asset: LTC, amount: '2' };
  const { location = '' } = await browser.submit(`${shop}/money/send`, given);
  await browser.get(location);
  await browser.submit(`${location}/order`, {});
  await runTransfers(sender(world));
  return `transfer:${location.split('/').at(-1)}`;
}

async function assertRefused(said: Promise<unknown>): Promise<void> {
  await assert.rejects(said, { name: 'Refusal', code: 'second_person' });
}

const approve = (subject: string, approver: string) =>
  approveAct(world.app, subject, { approver, owner: ownerOf() });

test('nobody approves with his own key what he made, nor himself what his key made', async () => {
  const owner = await world.comeAs('OWNER', 'kira');
  const [one, other] = [await makeKey(owner), await makeKey(owner)];
  const byHand = await orderAs(owner);
  await assertRefused(approve(byHand, `key ${one}`));
  await assertRefused(declineAct(world.app, byHand, { decliner: `key ${one}`, owner: ownerOf() }));
  const byKey = await orderBy(one);
  await assertRefused(approve(byKey, `key ${other}`));
  const room = `${shop}/money/approvals`;
  const { markup } = await owner.get(room);
  assert.equal(markup.match(/You made it: another one decides/g)?.length, 2);
  const form = /name="form" value="([^"]+)"/.exec(markup)?.[1] ?? '';
  const refused = await owner.post(room, { form, act: 'approve', subject: byKey });
  assert.equal(refused.status, 409);
  assert.match(refused.markup, /another one has to say it/);

  const admin = await world.comeAs('ADMIN', 'karl');
  await admin.get(room);
  assert.equal((await admin.submit(room, { act: 'approve', subject: byKey })).status, 303);
  await approve(byHand, `key ${world.caller.apiKey}`);
  const verbs = (await listActs(world.app.db, { about: byHand }, 9)).map(({ verb }) => verb);
  assert.deepEqual(verbs, ['transfer-commit', 'approve']);
});

test('who renewed a key knows its secret, also after it was renewed once more', async () => {
  const [owner, next] = [await world.comeAs('OWNER', 'kuno'), await world.comeAs('OWNER', 'kaja')];
  const key = await makeKey(await world.comeAs('OWNER', 'kati'));
  const path = `${shop}/keys`;
  for (const browser of [owner, next]) {
    await browser.get(path);
    assert.equal((await browser.submit(path, { act: 'rotate', key })).status, 200);
  }
  const byHand = await orderAs(owner);
  await assertRefused(approve(byHand, `key ${key}`));
  const { apiKey } = world.caller;
  await approve(byHand, `key ${apiKey}`);
});

test('a swap above the limit is not committed by another key of the same person', async () => {
  const owner = await world.comeAs('OWNER', 'kolja');
  const [one, other] = [await makeKey(owner), await makeKey(owner)];
  const another = await makeKey(await world.comeAs('OWNER', 'kurt'));
  const assets = { sourceAssetId: LTC, targetAssetId: 'BTC:NATIVE' };
  const asked = { ...assets, fixed: { sourceUnits: 200_000_000n } };
  const terms = { feePartsPerMillion: 0, riskTolerance: world.caller.riskTolerance };
  const { id } = await createSwap(world.app, { ...ownerOf(), ...terms, apiKey: one }, asked);
  const commitBy = (apiKey: string) =>
    commitSwap(world.app, { swapId: id, owner: ownerOf(), committer: { apiKey } });
  await assertRefused(commitBy(other));
  assert.equal((await commitBy(another)).state, 'COMPLETED');
});
