import assert from 'node:assert/strict';
import { playShop } from '../play-shop.mjs';
import { installNodeShop } from '../prepare.mjs';

export default {
  prepare: installNodeShop,
  start: ({ node }) => ({ program: node, words: ['shop.mjs'] }),
  play: async (shop, env) => {
    await playShop(shop, env);
    await openInWindow(shop, env);
    console.log(`    ${openInWindow.name}`);
  },
};

/** The page loads the script of the service as it is pinned, and is given an address to open. */
async function openInWindow(shop, { QUITTANCE_URL: service }) {
  const page = await (await fetch(shop.url)).text();
  const [, script, integrity] = /<script src="([^"]+)" integrity="([^"]+)"/.exec(page) ?? [];
  assert.equal(script, `${service}/embed/v1.js`);
  const bytes = await (await fetch(script)).arrayBuffer();
  const digest = Buffer.from(await crypto.subtle.digest('SHA-384', bytes)).toString('base64');
  assert.equal(integrity, `sha384-${digest}`);
  const headers = { accept: 'application/json' };
  const answer = await fetch(`${shop.url}/buy`, { method: 'POST', headers });
  const { url } = await answer.json();
  assert.equal(new URL(url).port, new URL(service).port);
  assert.equal((await fetch(url)).status, 200);
}
