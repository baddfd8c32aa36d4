// Whoever runs the installation lets go what the brake of a network holds, as a whole walk: he sees
// that it is on and why, what it holds, says why it may go on, proves who he is, and sees it go on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chainOf } from '#catalog/chain.ts';
import type { BrakeCause, Position } from '#deposit/network.ts';
import { mineBlocks } from '#networks/sandbox/make-blocks.ts';
import { networkWatch } from '#networks/watch-network.ts';
import { requestSettlement } from '#settle/queue.ts';
import { invite } from '#staff/invitation.ts';
import type { DashboardWorld } from '#test/support/dashboard-world.ts';
import { openDashboardSite } from './dashboard-site.ts';
import { acceptInvitation, openWalker, PASSWORD, VARIANTS, type Walker } from './walk.ts';

const CHAIN = chainOf('test', 'LITECOIN');
const SLOW: BrakeCause = {
  ...{ kind: 'slow-blocks', what: 'blocks', degree: 3 },
  reason: 'blocks take three times as long as they should',
};

for (const variant of VARIANTS) {
  test(`an operator lets go what a brake holds: ${variant.name}`, async (context) => {
    const { world, origin, close } = await openDashboardSite();
    context.after(close);
    await look(world);
    const sold = await payLarge(world);
    const asked = { email: 'otis@house.example', name: 'Otis', isOperator: true };
    const { token } = await invite(world.app, 'tester', { ...asked, membership: undefined });
    const operator = await openWalker(variant);
    await operator.open(`${origin}/dashboard/invitation/${token}`);
    await operator.isTold('You were invited to run this installation.');
    await acceptInvitation(operator, ['This server', 'Overview']);
    await world.clock.advance(Temporal.Duration.from({ minutes: 11 }));
    await look(world);
    await operator.go('Networks');
    await operator.isTold('The brake is on');
    await operator.go('See what it holds');
    await operator.isIn('Held on Litecoin');
    for (const said of [SLOW.reason, 'Large payments held: 1', 'Test shop', sold]) {
      await operator.isTold(said);
    }
    await letGo(operator);
    await operator.isIn('Is it you?');
    await prove(operator);
    await operator.isIn('Held on Litecoin');
    await letGo(operator);
    await operator.isTold('Payments let go: 1. They go on within seconds.');
    await mineBlocks(world.app, CHAIN, 2);
    await look(world);
    await operator.waitsFor('Nothing is held.');
    assert.equal((await world.read(sold)).state, 'COMPLETED');
    await operator.leave();
  });
}

async function letGo(operator: Walker): Promise<void> {
  await operator.isTold('Everybody who runs this server is told by mail.');
  await operator.fill('Why', 'Two pools are down');
  await operator.press('Let go these payments');
}

async function prove(operator: Walker): Promise<void> {
  await operator.isTold('Money, keys and people ask for a proof');
  if (operator.variant.javaScriptEnabled) await operator.press('Sign in with a passkey');
  else {
    await operator.fill('Password', PASSWORD);
    await operator.press('Continue');
  }
}

/** Two confirmations are enough, ten LTC are large, and blocks are slow. */
async function look(world: DashboardWorld): Promise<void> {
  const { app } = world;
  const adapter = app.networks.get(CHAIN);
  assert.ok(adapter !== undefined);
  const observe = async (position: Position) => ({
    ...(await adapter.observe(position)),
    brake: [SLOW],
  });
  const policy = {
    ...app.policy,
    requiredConfirmations: () => 2,
    isHeldByBrake: (_: string, amounts: readonly { readonly units: bigint }[]) =>
      amounts.reduce((sum, { units }) => sum + units, 0n) >= 1_000_000_000n,
  };
  const watched = { ...app, policy, onAffected: requestSettlement, onRecorded: () => undefined };
  const watch = networkWatch(watched, { ...adapter, observe });
  while (await watch.step());
  await world.settle();
}

/** Deep enough for any other day. */
async function payLarge(world: DashboardWorld): Promise<string> {
  const lineItems = [{ description: 'A printing press', netAmount: '20000.00' }];
  const id = await world.create({ charge: { billingCurrency: 'EUR', lineItems } });
  const paid = { checkoutId: id, network: 'LITECOIN', asset: undefined, amount: undefined };
  await world.app.sandbox?.pay(world.caller, { ...paid, parts: 1 });
  await mineBlocks(world.app, CHAIN, 2);
  await world.clock.advance(1_000);
  await look(world);
  return id;
}
