import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '#server/config.ts';

const SAFE = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';
const XPUB = 'xpub-is-checked-when-it-is-opened';

function read(environment: Record<string, string>) {
  return readConfig({ environment, file: undefined, directory: '/nowhere' }).networks.evm;
}

const faultsOf = (environment: Record<string, string>): string => {
  try {
    read(environment);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

test('several endpoints in order of preference, and the limits from which two must agree', () => {
  const [node] = read({
    ETHEREUM_RPC_URLS: 'http://127.0.0.1:8545, https://user:key@node.example/v3/abc',
    ETHEREUM_XPUB: XPUB,
    ETHEREUM_AGREE_ABOVE: '500/1',
  });
  assert.deepEqual(node, {
    network: 'ETHEREUM',
    chainName: 'main',
    chainId: undefined,
    rpcUrls: ['http://127.0.0.1:8545', 'https://user:key@node.example/v3/abc'],
    extendedPublicKey: XPUB,
    agreeAbove: { tokens: 500n, coins: 1n },
    sweep: { collectTo: undefined, gasAccount: undefined, above: new Map() },
    contractReceivers: new Set(),
    safe: undefined,
    relayAccount: undefined,
    relayGasPercentMost: 100,
  });
});

test('each chain is configured for itself; none without settings', () => {
  assert.deepEqual(read({}), []);
  const nodes = read({
    BASE_RPC_URLS: 'http://127.0.0.1:1',
    BASE_XPUB: XPUB,
    ARBITRUM_RPC_URLS: 'http://127.0.0.1:2',
    ARBITRUM_XPUB: XPUB,
    ARBITRUM_CHAIN: 'dev',
    ARBITRUM_CHAIN_ID: '1337',
  });
  assert.deepEqual(
    nodes.map(({ network, chainId }) => [network, chainId]),
    [
      ['BASE', undefined],
      ['ARBITRUM', 1337n],
    ],
  );
});

for (const [name, environment, fault] of [
  ['an account without endpoints', { POLYGON_XPUB: XPUB }, /POLYGON_RPC_URLS: missing/],
  [
    'endpoints without an account',
    { POLYGON_RPC_URLS: 'http://a.example' },
    /POLYGON_XPUB: missing/,
  ],
  [
    'another scheme',
    { BASE_RPC_URLS: 'ws://a.example', BASE_XPUB: XPUB },
    /BASE_RPC_URLS: must be/,
  ],
  [
    'an unknown chain',
    { BASE_RPC_URLS: 'http://a.example', BASE_XPUB: XPUB, BASE_CHAIN: 'sepolia' },
    /BASE_CHAIN: must be one of main, dev/,
  ],
  [
    'a number for the main chain',
    { BASE_RPC_URLS: 'http://a.example', BASE_XPUB: XPUB, BASE_CHAIN_ID: '5' },
    /BASE_CHAIN_ID/,
  ],
  [
    'limits that are none',
    { BASE_RPC_URLS: 'http://a.example', BASE_XPUB: XPUB, BASE_AGREE_ABOVE: '1.5' },
    /BASE_AGREE_ABOVE/,
  ],
  [
    'a Safe that is no address',
    { BASE_RPC_URLS: 'http://a.example', BASE_XPUB: XPUB, BASE_SAFE: `0x${'aB'.repeat(20)}` },
    /BASE_SAFE: .* is no address with capitals/,
  ],
  [
    'a Safe that is the gas account',
    {
      ...{ BASE_RPC_URLS: 'http://a.example', BASE_XPUB: XPUB, BASE_COLLECT_TO: SAFE },
      ...{ BASE_SAFE: SAFE, BASE_GAS_ACCOUNT: SAFE },
    },
    /BASE_SAFE: is BASE_GAS_ACCOUNT too/,
  ],
  ['a name with a slip', { ETHEREUM_RPC_URL: 'http://a.example' }, /ETHEREUM_RPC_URL: unknown/],
  ['a name with a slip', { BASE_RPC_URL: 'http://a.example' }, /BASE_RPC_URL: unknown/],
] as const) {
  test(`${name} refuses the start and names the setting`, () => {
    assert.match(faultsOf(environment), fault);
  });
}

test('BASE_URL and BASE_PATH of other programs are none of our business', () => {
  assert.equal(faultsOf({ BASE_URL: '/shop', BASE_PATH: '/x', BASE_DOMAIN: 'y' }), '');
});
