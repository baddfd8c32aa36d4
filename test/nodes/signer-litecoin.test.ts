// What the signer signs, taken and mined by Litecoin Core: coins of the key's own addresses pay what
// was ordered, the change comes back to the key, and a replacement takes the place of the first.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Transaction } from '@scure/btc-signer/transaction.js';
import { buildPsbt, type OwnCoin } from '#networks/utxo/build-psbt.ts';
import { addressOfScript, outputScript } from '#networks/utxo/output-script.ts';
import { ownScripts } from '#networks/utxo/own-scripts.ts';
import { parseAddressSource } from '#networks/utxo/parse-address-source.ts';
import { readSignedPsbt } from '#networks/utxo/read-signed-psbt.ts';
import { LITECOIN_REGTEST } from '#networks/utxo/utxo-chain.ts';
import { openSignerClient } from '#signer/client.ts';
import type { SignOrder } from '#signer/sign-order.ts';
import { createSignerProcess, type SignerProcess } from '#test/support/signer-process.ts';
import { type LitecoinNode, startLitecoinNode } from './litecoin-node.ts';

const RULES = `
[[cap]]
environment = "live"
asset = "LTC:NATIVE"
per_transaction = "1"
per_day = "2"
fee_per_transaction = "0.01"
`;
let node: LitecoinNode;
let signer: SignerProcess;

before(async () => {
  node = await startLitecoinNode();
  // Made by the signer itself.
  const key = { name: 'ltc', network: 'LITECOIN', environment: 'live', chain: 'regtest' } as const;
  signer = createSignerProcess([key]);
  await signer.start(RULES);
});
after(async () => {
  await signer?.close();
  await node?.stop();
});

test('a payment is mined, its change comes back, and a replacement takes its place', async () => {
  const client = openSignerClient(signer.socket);
  const { keys } = await client.info();
  const source = parseAddressSource(keys[0]?.descriptor ?? '', LITECOIN_REGTEST);
  const scriptAt = ownScripts(source, LITECOIN_REGTEST);
  const address = (branch: 'receiving' | 'change', index: bigint) =>
    addressOfScript(scriptAt(branch, index).script, LITECOIN_REGTEST) ?? '';
  assert.equal(address('receiving', 0n), keys[0]?.address);
  const funding = await node.sendOutputs([
    { address: address('receiving', 0n), amount: '0.4' },
    { address: address('receiving', 1n), amount: '0.5' },
  ]);
  await node.mine(1);
  const raw = Buffer.from(String(await node.rpc('getrawtransaction', funding)), 'hex');
  const funded = Transaction.fromRaw(raw, { allowUnknownOutputs: true });
  const inputs = [0n, 1n].map((index): OwnCoin => {
    const { script } = scriptAt('receiving', index);
    const vout = [0, 1, 2].find((at) => {
      const found = funded.getOutput(at).script;
      return found !== undefined && Buffer.from(found).equals(script);
    });
    assert(vout !== undefined);
    const units = funded.getOutput(vout).amount ?? 0n;
    const coin = { transaction: funding, vout, units, kind: 'p2wpkh', confirmations: 1 } as const;
    return { ...coin, branch: 'receiving', index, previousTransaction: raw };
  });
  const payee = await node.newAddress();
  const paid = outputScript(payee, LITECOIN_REGTEST);
  assert(paid !== undefined);
  const lockTime = await node.height();
  const attempt = async (feeUnits: bigint) => {
    const units = 70_000_000n;
    const change = { branch: 'change', index: 4n, units: 20_000_000n - feeUnits } as const;
    const order = { inputs, payments: [{ script: paid, units }], change, lockTime };
    const handedOut = buildPsbt(order, source, LITECOIN_REGTEST);
    const asked: SignOrder = {
      id: 'ltc-1',
      environment: 'live',
      network: 'LITECOIN',
      kind: 'PAY',
      payments: [{ assetId: 'LTC:NATIVE', units, account: { address: payee } }],
      feeUnits,
      facts: { spends: inputs.map(({ transaction, vout }) => `${transaction}:${vout}`) },
      unsigned: Buffer.from(handedOut).toString('base64'),
    };
    const outcome = await client.sign(asked);
    assert(outcome.outcome === 'SIGNED', JSON.stringify(outcome));
    const read = readSignedPsbt(outcome.signedTransaction, handedOut, LITECOIN_REGTEST);
    assert(!('refused' in read));
    assert.equal(read.transaction, outcome.transaction);
    const hex = Buffer.from(read.raw).toString('hex');
    assert.equal(await node.rpc('sendrawtransaction', hex), outcome.transaction);
    return outcome.transaction;
  };
  const first = await attempt(10_000n);
  const second = await attempt(40_000n);
  assert.deepEqual(await node.rpc('getrawmempool'), [second]);
  await node.mine(1);
  assert.notEqual(first, second);
  const mined = await node.rpc('getrawtransaction', second, true);
  assert.equal(Reflect.get(Object(mined), 'confirmations'), 1);
  const back = address('change', 4n);
  const scanned = await node.rpc('scantxoutset', 'start', [`addr(${back})`]);
  assert.equal(String(Reflect.get(Object(scanned), 'total_amount')), '0.19960000');
});
