// A network that is down never expires a checkout in front of its customer (C8).
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Hono } from 'hono';
import { pageToken } from '#checkout/page-token.ts';
import { findSeller } from '#merchant/seller.ts';
import { createPages } from '#pages/create-pages.ts';
import { openTestApp, type TestApp } from '#test/support/test-app.ts';

let world: TestApp;
let pages: Hono;
before(async () => {
  world = await openTestApp();
  await world.observe('LITECOIN');
  const { app } = world;
  const find = (merchantId: string) => findSeller(app.db, merchantId);
  pages = createPages({ ...app, findSeller: find, demo: undefined });
});
after(() => world.close());

const origin = 'http://localhost:8080';
const minuteMs = 60_000;

test('the end of the window is shown only when the network was heard after it', async () => {
  const id = await world.create();
  const path = `/en/checkout/${pageToken(world.app.keyring, id)}`;
  const show = async () => (await pages.fetch(new Request(origin + path))).text();
  const state = async () => /data-state="([a-z]+)"/.exec(await show())?.[1];
  await pages.fetch(
    new Request(`${origin}${path}/choose`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ method: 'LITECOIN LTC:NATIVE' }),
    }),
  );
  await world.clock.advance(59.5 * minuteMs);
  assert.match(await show(), /data-notice="behind"/);
  await world.observe('LITECOIN');
  assert.doesNotMatch(await show(), /data-notice="behind"/);
  assert.equal(await state(), 'pay');

  // Half a minute of silence is nothing, but the payment may stand in just that.
  await world.clock.advance(0.75 * minuteMs);
  assert.equal(await state(), 'trouble');
  await world.settle();
  assert.equal(await state(), 'trouble');
  await world.observe('LITECOIN');
  await world.settle();
  assert.equal(await state(), 'expired');
});

test('a network that is silent is marked where it can be chosen', async () => {
  await world.clock.advance(2 * minuteMs);
  const id = await world.create();
  const path = `/en/checkout/${pageToken(world.app.keyring, id)}`;
  const text = await (await pages.fetch(new Request(origin + path))).text();
  assert.match(text, /payments show late at the moment/);
});
