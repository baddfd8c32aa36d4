import assert from 'node:assert/strict';
import { sql } from '#db/db.ts';
import type { CommandEnded, ServerProcess } from '#test/support/server-process.ts';
import { waitUntil } from '#test/support/shop.ts';

/**
 * Until health and doctor say that the network is away and the expiry of the checkout, which must be
 * due, was looked at and put off. Gives what doctor said.
 */
export async function waitForAbsence(
  server: ServerProcess,
  chain: string,
  checkoutId: string,
): Promise<CommandEnded> {
  await waitUntil('health to say it', async () => {
    const { body } = await server.health();
    return body.status === 'failing' && body.failing.includes(`watch ${chain}`);
  });
  const doctor = await server.command('doctor', '--json');
  assert.equal(doctor.json.ok, false);
  await waitUntil('the expiry to be looked at', async () => {
    const [row] = await server.db.query<{ isLater: boolean }>(sql`
      select settle_at > expires_at as "isLater" from checkout where id = ${checkoutId}`);
    return row?.isLater === true;
  });
  return doctor;
}
