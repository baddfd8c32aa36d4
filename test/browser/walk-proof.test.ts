// An owner who filled in a form and is asked for a proof: after it everything stands there as he typed
// it, and is done when he presses the button. As a whole walk.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#db/db.ts';
import { invite } from '#staff/invitation.ts';
import { openDashboardSite } from './dashboard-site.ts';
import { acceptInvitation, openWalker, PASSWORD, VARIANTS, type Walker } from './walk.ts';

for (const variant of VARIANTS) {
  test(`what was typed comes back after a proof: ${variant.name}`, async (context) => {
    const { world, origin, close } = await openDashboardSite();
    context.after(close);
    const membership = { merchantId: world.caller.merchantId, role: 'OWNER' } as const;
    const asked = { email: 'otto@shop.example', name: 'Otto', isOperator: false, membership };
    const { token } = await invite(world.app, 'tester', asked);
    const owner = await openWalker(variant);
    await owner.open(`${origin}/dashboard/invitation/${token}`);
    await acceptInvitation(owner);
    await owner.go('Test');
    await owner.go('People');
    await world.clock.advance(Temporal.Duration.from({ minutes: 11 }));
    await owner.fill('Name', 'Greta “the till” <b>');
    await owner.fill('E-mail address', 'greta@shop.example');
    await owner.page.locator('#new-role').selectOption('ACCOUNTANT');
    await owner.press('Make the invitation');
    await owner.isIn('Is it you?');
    await owner.isTold('What you filled in comes back after the proof');
    assert.doesNotMatch(owner.page.url(), /greta/i);
    await prove(owner);
    await owner.isIn('People');
    await owner.isTold('What you had filled in stands here again.');
    assert.match(owner.page.url(), /#kept$/);
    const { page } = owner;
    assert.equal(
      await page.getByLabel('Name', { exact: true }).inputValue(),
      'Greta “the till” <b>',
    );
    const mail = page.getByLabel('E-mail address', { exact: true });
    assert.equal(await mail.inputValue(), 'greta@shop.example');
    assert.equal(await page.locator('#new-role').inputValue(), 'ACCOUNTANT');
    const made = () =>
      world.app.db.query(sql`select 1 from invitation where email = 'greta@shop.example'`);
    assert.equal((await made()).length, 0, 'nothing happens by itself');
    await owner.press('Make the invitation');
    await owner.isTold('greta@shop.example');
    assert.equal((await made()).length, 1);
    await owner.go('People');
    assert.equal(await mail.inputValue(), '', 'what was sent does not come back');
    await owner.leave();
  });
}

async function prove(owner: Walker): Promise<void> {
  if (owner.variant.javaScriptEnabled) await owner.press('Sign in with a passkey');
  else {
    await owner.fill('Password', PASSWORD);
    await owner.press('Continue');
  }
}
