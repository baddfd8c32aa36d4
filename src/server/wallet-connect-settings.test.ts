import assert from 'node:assert/strict';
import { test } from 'node:test';
import { walletConnectSettings } from './wallet-connect-settings.ts';

function read(given: Record<string, string>) {
  const faults: string[] = [];
  const initial: Record<string, string> = {
    WALLETCONNECT_RELAY_URL: 'wss://relay.walletconnect.org',
  };
  const text = (name: string) => given[name] ?? initial[name] ?? '';
  return { ...walletConnectSettings(text, new Map(Object.entries(given)), faults), faults };
}

test('it is off until a project is named', () => {
  assert.deepEqual(read({}), { walletConnect: undefined, faults: [] });
  assert.deepEqual(read({ WALLETCONNECT_PROJECT_ID: 'ab12' }), {
    walletConnect: {
      projectId: 'ab12',
      relayUrl: 'wss://relay.walletconnect.org',
      relayOrigin: 'wss://relay.walletconnect.org',
    },
    faults: [],
  });
});

test('a relay of your own may have a path; the policy of the page names its origin alone', () => {
  const { walletConnect, faults } = read({
    WALLETCONNECT_PROJECT_ID: 'ab12',
    WALLETCONNECT_RELAY_URL: 'wss://relay.shop.example:8443/v2/',
  });
  assert.deepEqual(faults, []);
  assert.equal(walletConnect?.relayUrl, 'wss://relay.shop.example:8443/v2');
  assert.equal(walletConnect?.relayOrigin, 'wss://relay.shop.example:8443');
});

test('what would widen the policy, or travel in the clear, is refused', () => {
  const relay = (url: string) =>
    read({ WALLETCONNECT_PROJECT_ID: 'ab12', WALLETCONNECT_RELAY_URL: url });
  assert.deepEqual(relay('ws://127.0.0.1:9000').faults, []);
  for (const url of [
    ...['ws://relay.example', 'https://relay.example', 'relay.example', 'wss://*.example', '*'],
    ...['wss://me:secret@relay.example', 'wss://relay.example?a=b', 'wss://relay.example#a'],
    "wss://relay.example;script-src 'unsafe-inline'",
  ]) {
    const { walletConnect, faults } = relay(url);
    assert.equal(walletConnect, undefined, url);
    assert.equal(faults.length, 1, url);
  }
  assert.equal(read({ WALLETCONNECT_PROJECT_ID: 'a b' }).faults.length, 1);
  assert.equal(read({ WALLETCONNECT_RELAY_URL: 'wss://relay.example' }).faults.length, 1);
});
