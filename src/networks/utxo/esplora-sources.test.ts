import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeOutage } from '#networks/node-outage.ts';
import type { EsploraClient } from './esplora-client.ts';
import { esploraSources } from './esplora-sources.ts';
import { BITCOIN_MAIN } from './utxo-chain.ts';

const HASH = 'ab'.repeat(32);
const BLOCK = Buffer.from('00112233', 'hex');

function server(host: string, asked: string[], block: Buffer | undefined): EsploraClient {
  return {
    host,
    close: () => undefined,
    post: async () => ({ status: 400, text: 'nobody sends here' }),
    async get() {
      asked.push(host);
      if (block === undefined) throw nodeOutage('Bitcoin', `${host} has no raw blocks`);
      return block;
    },
  };
}

test('a block comes from the other server when the first one does not give it, every time', async () => {
  const asked: string[] = [];
  const clients = [server('without', asked, undefined), server('with', asked, BLOCK)];
  const sources = esploraSources({ what: 'Bitcoin', clients, chain: BITCOIN_MAIN });
  for (let block = 0; block < 3; block += 1) {
    assert.equal(await sources.call('getblock', [HASH, 0]), BLOCK.toString('hex'));
  }
  assert.deepEqual(asked, ['without', 'with', 'with', 'without', 'with']);
});

test('a block that no server gives is an outage that was asked of each of them once', async () => {
  const asked: string[] = [];
  const clients = ['one', 'two', 'three'].map((host) => server(host, asked, undefined));
  const sources = esploraSources({ what: 'Bitcoin', clients, chain: BITCOIN_MAIN });
  await assert.rejects(sources.call('getblock', [HASH, 0]), /Bitcoin/);
  assert.deepEqual(asked.sort(), ['one', 'three', 'two']);
});

const FEES: readonly (readonly [
  what: string,
  said: readonly string[],
  expected: string | undefined,
])[] = [
  ['of one server', ['{"1":20.5,"6":12.345}'], '0.00012345'],
  ['rounded up', ['{"6":12.3450000000001}'], '0.00012346'],
  ['a whole number', ['{"6":3}'], '0.00003'],
  ['the lower one of two', ['{"6":90}', '{"6":12}'], '0.00012'],
  ['the one in the middle of three', ['{"6":1}', '{"6":9000000}', '{"6":7}'], '0.00007'],
  ['none for so many blocks', ['{"2":9}'], undefined],
  ['one that is no number is not counted', ['{"6":"12"}', '{"6":5}'], '0.00005'],
  ['nor one below zero, nor another form', ['{"6":-1}', '{"6":1e3}', '{"6":4}'], '0.00004'],
  ['nor text', ['<html>', '{"6":4}'], '0.00004'],
];

for (const [what, said, expected] of FEES) {
  test(`the fee rate of Esplora servers: ${what}`, async () => {
    const clients = said.map((text, at) => server(`server ${at}`, [], Buffer.from(text)));
    const sources = esploraSources({ what: 'Bitcoin', clients, chain: BITCOIN_MAIN });
    assert.deepEqual(await sources.call('estimatesmartfee', [6]), { feerate: expected });
  });
}

test('servers that all have no fee rate are an error of theirs', async () => {
  const clients = [server('one', [], Buffer.from('[]')), server('two', [], undefined)];
  const sources = esploraSources({ what: 'Bitcoin', clients, chain: BITCOIN_MAIN });
  await assert.rejects(sources.call('estimatesmartfee', [6]), /no fee rates/);
});
