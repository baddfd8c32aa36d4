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
