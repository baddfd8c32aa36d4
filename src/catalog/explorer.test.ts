import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explorerUrl, KNOWN_EXPLORERS, networkOfExplorer, TRANSACTION_MARK } from './explorer.ts';
import { findNetwork } from './network.ts';

test('every known explorer is of a network that there is, by https, with one place for the hash', () => {
  for (const [network, address] of KNOWN_EXPLORERS) {
    assert.ok(findNetwork(network) !== undefined, network);
    assert.equal(new URL(address).protocol, 'https:');
    assert.equal(address.split(TRANSACTION_MARK).length, 2);
    assert.equal(networkOfExplorer(new URL(address).host), network);
  }
});

test('only live networks have one, and a hash cannot leave its place in the address', () => {
  const bitcoin = explorerUrl(KNOWN_EXPLORERS, 'live:BITCOIN', 'ab/../?x=1');
  assert.equal(bitcoin, 'https://mempool.space/tx/ab%2F..%2F%3Fx%3D1');
  assert.equal(explorerUrl(KNOWN_EXPLORERS, 'test:BITCOIN', 'ab'), undefined);
  assert.equal(explorerUrl(KNOWN_EXPLORERS, 'live:LIGHTNING', 'ab'), undefined);
  assert.equal(networkOfExplorer('mempool.space.evil.example'), undefined);
});
