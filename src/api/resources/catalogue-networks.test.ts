// Alone in its process: it announces anchored assets, and no process forgets them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { announceAnchoredAsset } from '#catalog/asset.ts';
import { openTestApi } from '#test/support/test-api.ts';

/** A key of nobody: all its bytes are zero. */
const ISSUER = 'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF';

test('a network that is reached through an anchor is bridged, with the asset of the anchor', async () => {
  const api = await openTestApi();
  try {
    const assetId = `BTC:${ISSUER}`;
    announceAnchoredAsset(assetId, 'BITCOIN', 'anchor.example');
    const { json } = await api.call('GET', '/networks');
    const { networks } = json as unknown as {
      networks: { id: string; bridged: boolean; assets: string[] }[];
    };
    const bridged = networks.filter((network) => network.bridged);
    assert.deepEqual(
      bridged.map(({ id, assets }) => [id, assets]),
      [['BITCOIN', ['BTC:NATIVE', assetId]]],
    );
  } finally {
    await api.close();
  }
});
