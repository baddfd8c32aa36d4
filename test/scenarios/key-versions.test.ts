// The room of keys says which version of the API each key has, and which still ask in an older one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiKey, noteOlderVersions } from '#access/api-key.ts';
import { openDashboardWorld } from '#test/support/dashboard-world.ts';
import { FIRST_VERSION, LATEST_VERSION } from '#versions/api-version.ts';

test('a developer sees the version of each key, and when one last asked in an older version', async () => {
  const world = await openDashboardWorld();
  try {
    const { app, clock, caller } = world;
    const { merchantId, environment } = caller;
    const owner = { merchantId, environment };
    const developer = await world.comeAs('DEVELOPER');
    const read = async () => (await developer.get(`${world.shop}/keys`)).markup;
    await createApiKey(app, owner);
    assert.match(await read(), new RegExp(`Version of the API: ${LATEST_VERSION}`));
    assert.doesNotMatch(await read(), /Last call in an older version/);

    const { key } = await createApiKey(app, { ...owner, apiVersion: FIRST_VERSION });
    await app.db.transact(async (tx) => {
      noteOlderVersions(tx, [{ apiKey: key, version: FIRST_VERSION, at: clock.now() }]);
    });
    const markup = await read();
    assert.match(markup, new RegExp(`Version of the API: ${FIRST_VERSION}`));
    const notice = `<a href="/docs/changelog">Last call in an older version</a>:\\s${FIRST_VERSION}, `;
    assert.equal([...markup.matchAll(new RegExp(notice, 'g'))].length, 1);
  } finally {
    await world.close();
  }
});
