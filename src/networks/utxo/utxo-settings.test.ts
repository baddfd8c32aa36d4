import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SettingsReader } from '#networks/network-settings.ts';
import { readUtxoSettings, UTXO_SETTINGS, type UtxoNodeSettings } from './utxo-settings.ts';

function read(given: Record<string, string>): { nodes: UtxoNodeSettings[]; faults: string[] } {
  const faults: string[] = [];
  const text = (name: string) =>
    given[name] ?? UTXO_SETTINGS.find((setting) => setting.name === name)?.initial ?? '';
  const reader: SettingsReader = {
    has: (name) => given[name] !== undefined,
    text,
    list: (name) =>
      text(name)
        .split(',')
        .filter((part) => part !== ''),
    choice: (name, choices) => choices.find((choice) => choice === text(name)) ?? choices[0],
    integer: (name) => Number(text(name)),
    fault: (sentence) => void faults.push(sentence),
  };
  return { nodes: readUtxoSettings(reader), faults };
}

const descriptor = { BITCOIN_DESCRIPTOR: 'zpub' };
const [first, second] = ['https://one.example/api', 'https://two.example/api/secret'];

test('two Esplora servers are enough, without a node', () => {
  const { nodes, faults } = read({ ...descriptor, BITCOIN_ESPLORA_URLS: `${first},${second}` });
  assert.deepEqual(faults, []);
  assert.deepEqual(nodes[0]?.esploraUrls, [first, second]);
  assert.equal(nodes[0]?.singleSourceLimit, undefined);
});

test('a fee rate is what the settings say, and none where they say nothing', () => {
  const node = { ...descriptor, BITCOIN_RPC_URL: 'http://a:b@c' };
  assert.equal(read(node).nodes[0]?.rates?.feeRateElse, undefined);
  assert.equal(read({ ...node, BITCOIN_FEE_RATE: '3' }).nodes[0]?.rates?.feeRateElse, 3n);
});

test('a wallet of the node signs only with both caps, and only of a node', () => {
  const node = { ...descriptor, BITCOIN_RPC_URL: 'http://a:b@c' };
  const wallet = {
    BITCOIN_WALLET: 'hot',
    BITCOIN_WALLET_PER_TRANSACTION: '0.5',
    BITCOIN_WALLET_PER_DAY: '2',
  };
  assert.deepEqual(read({ ...node, ...wallet }), {
    nodes: [
      { ...read(node).nodes[0], wallet: { name: 'hot', perTransaction: '0.5', perDay: '2' } },
    ],
    faults: [],
  });
  const faultsOf = (given: Record<string, string>) => read({ ...node, ...given }).faults.join();
  assert.match(faultsOf({ ...wallet, BITCOIN_WALLET_PER_DAY: '' }), /WALLET_PER_DAY: must be/);
  assert.match(faultsOf({ ...wallet, BITCOIN_WALLET_PER_DAY: '0.0' }), /WALLET_PER_DAY: must be/);
  assert.match(faultsOf({ ...wallet, BITCOIN_WALLET: '' }), /PER_DAY: says nothing without/);
  const esplora = { ...descriptor, BITCOIN_ESPLORA_URLS: `${first},${second}` };
  assert.match(read({ ...esplora, ...wallet }).faults.join(), /BITCOIN_WALLET: needs a node/);
});

test('one Esplora server needs a limit up to which it is believed', () => {
  const one = { ...descriptor, BITCOIN_ESPLORA_URLS: first };
  assert.match(read(one).faults.join(), /two servers must agree.*SINGLE_SOURCE_LIMIT/);
  const { nodes, faults } = read({ ...one, BITCOIN_SINGLE_SOURCE_LIMIT: '0.005' });
  assert.deepEqual([faults, nodes[0]?.singleSourceLimit], [[], '0.005']);
});

for (const [name, given, pattern] of [
  [
    'a node beside them',
    { BITCOIN_ESPLORA_URLS: `${first},${second}`, BITCOIN_RPC_URL: 'http://a:b@c' },
    /not beside/,
  ],
  ['one server twice', { BITCOIN_ESPLORA_URLS: `${first},${first}/` }, /no second opinion/],
  [
    'a ZMQ address that is none',
    { BITCOIN_RPC_URL: 'http://a:b@c', BITCOIN_ZMQ_URL: 'localhost' },
    /tcp/,
  ],
  ['what is no address', { BITCOIN_ESPLORA_URLS: 'one.example' }, /http or https/],
  [
    'a limit that is none',
    { BITCOIN_ESPLORA_URLS: first, BITCOIN_SINGLE_SOURCE_LIMIT: 'much' },
    /amount/,
  ],
] as const) {
  test(`${name} is a fault`, () => {
    assert.match(read({ ...descriptor, ...given }).faults.join(), pattern);
  });
}

for (const [password, written] of [
  ['a#b/c?d@e:f', 'a#b/c?d@e:f'],
  ['a#b/c?d@e:f', 'a%23b%2Fc%3Fd%40e%3Af'],
  ['100%', '100%'],
  ['a+b=', 'a+b='],
]) {
  test(`a password of ${password}, written as ${written}, is what the node is told`, () => {
    const url = `http://quittance:${written}@127.0.0.1:8332`;
    const { nodes, faults } = read({ ...descriptor, BITCOIN_RPC_URL: url });
    assert.deepEqual(faults, []);
    const parsed = new URL(nodes[0]?.rpcUrl ?? '');
    assert.equal(decodeURIComponent(parsed.password), password);
    assert.deepEqual([parsed.username, parsed.host], ['quittance', '127.0.0.1:8332']);
  });
}
