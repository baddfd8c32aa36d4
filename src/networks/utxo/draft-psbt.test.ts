import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NodeLie, RpcFailure } from '#networks/answer-fields.ts';
import { psbtSigner, smallOrder } from '#test/support/psbt-signer.ts';
import { readPreviousTransactions } from './draft-psbt.ts';
import type { CoreRpc } from './json-rpc.ts';
import { BITCOIN_TEST } from './utxo-chain.ts';
import { addressReader } from './witness-address.ts';

const PAYEE = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx';
const CHAIN = { ...BITCOIN_TEST, readAddress: addressReader(BITCOIN_TEST.bech32Prefix) };
const signer = psbtSigner(BITCOIN_TEST, 'wpkh', new Uint8Array(32).fill(1));
const { inputs: COINS } = smallOrder(signer, BITCOIN_TEST, PAYEE);
const rawOf = (id: unknown): string => {
  const raw = COINS.find(({ transaction }) => transaction === id)?.previousTransaction;
  return Buffer.from(raw ?? []).toString('hex');
};

type Answer = (method: string, params: readonly unknown[]) => unknown;

/** The first coin lies in block 95 of 100, the second waits for one. */
const honest: Answer = (method, [first, second, third]) => {
  switch (method) {
    case 'gettxout':
      return first === COINS[0]?.transaction
        ? { bestblock: 'tip', confirmations: 6 }
        : { bestblock: 'tip', confirmations: 0 };
    case 'getblockheader':
      return { height: 100 };
    case 'getblockhash':
      return `block ${String(first)}`;
    case 'getrawtransaction':
      assert.equal(second, false);
      assert.equal(third, first === COINS[0]?.transaction ? 'block 95' : undefined);
      return rawOf(first);
    default:
      throw new Error(method);
  }
};

function read(answer: Answer, coins: typeof COINS = COINS) {
  const rpc: Pick<CoreRpc, 'call'> = {
    call: async (method, params = []) => answer(method, params),
  };
  return readPreviousTransactions(rpc as CoreRpc, CHAIN, coins);
}

test('each is asked for by its block, once, and one that waits without', async () => {
  const asked: string[] = [];
  const found = await read(
    (method, params) => {
      asked.push(method);
      return honest(method, params);
    },
    [...COINS, ...COINS],
  );
  assert.equal(found.size, 2);
  for (const { transaction, previousTransaction } of COINS) {
    assert.deepEqual(
      Buffer.from(found.get(transaction) ?? []),
      previousTransaction && Buffer.from(previousTransaction),
    );
  }
  assert.equal(asked.filter((method) => method === 'getrawtransaction').length, 2);
});

test('where the node has one no more, or is none, it is left out', async () => {
  const pruned = await read((method, params) => {
    if (method === 'getrawtransaction' && params[2] !== undefined) {
      throw new RpcFailure(method, -1, 'Block not available (pruned data)');
    }
    return honest(method, params);
  });
  assert.deepEqual([...pruned.keys()], [COINS[1]?.transaction]);
  const esplora = await read((method) => {
    throw new RpcFailure(method, -32601, 'not asked of Esplora');
  });
  assert.equal(esplora.size, 0);
});

test('another transaction, or none at all, is a lie', async () => {
  const [one, other] = COINS;
  for (const raw of [rawOf(other?.transaction), 'zz', rawOf(one?.transaction).slice(0, 40)]) {
    const lying: Answer = (method, params) =>
      method === 'getrawtransaction' ? raw : honest(method, params);
    await assert.rejects(read(lying, COINS.slice(0, 1)), NodeLie);
  }
});
