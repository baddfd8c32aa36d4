// What we say of a Safe is what the published contracts say, of each version that we take.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Hex } from 'viem';
import { Refusal } from '#base/refusal.ts';
import { type EvmRpc, httpPost, openEvmRpc } from '#networks/evm/json-rpc.ts';
import { agreedSafeHash, checkSafe, readSafe, wasCarriedOut } from '#networks/evm/safe-contract.ts';
import { executedBy, readExecutionEvent } from '#networks/evm/safe-execution.ts';
import { joinSignatures, readOwnerSignatures } from '#networks/evm/safe-signatures.ts';
import { executeCall } from '#networks/evm/safe-transaction.ts';
import { type AnvilNode, startAnvil } from './anvil-node.ts';
import { actAsOwners, deploySafe, ownerKeys, type SafeVersion } from './safe-contracts.ts';

const DEV = { network: 'ETHEREUM', chainId: 31_337n } as const;
const RECEIVER = '0x8ba1f109551bd432803012645ac136ddd64dba72';
const owners = ownerKeys(3);
const addresses = owners.map(({ address }) => address.toLowerCase());

let node: AnvilNode;
let rpc: EvmRpc;

before(async () => {
  node = await startAnvil();
  rpc = openEvmRpc({ what: 'anvil', label: 'anvil', ...httpPost('a', 'a', new URL(node.url)) });
});
after(async () => {
  rpc?.close();
  await node?.stop();
});

type Log = Record<string, unknown>;

async function receiptOf(hash: string): Promise<{ status: string; logs: readonly Log[] }> {
  await node.mine(1);
  const receipt = await node.rpc('eth_getTransactionReceipt', hash);
  return receipt as { status: string; logs: readonly Log[] };
}

for (const version of ['1.3.0', '1.4.1'] as const satisfies readonly SafeVersion[]) {
  test(`${version}: the contract has our hash, takes our call, and its event is read`, async () => {
    const safe = (await deploySafe(node, version, owners, 2)).toLowerCase() as Hex;
    await node.send({ to: safe, value: 1_000n });
    await node.mine(1);
    assert.match(await checkSafe(rpc, DEV, safe), new RegExp(`Safe ${version} at ${safe}, 2 of 3`));
    const state = await readSafe(rpc, safe);
    assert.deepEqual([new Set(state.owners), state.nonce], [new Set(addresses), 0n]);
    for (const data of ['0x', '0x01', `0x${'ab'.repeat(32)}`, `0x${'cd'.repeat(70)}`]) {
      for (const nonce of [0n, 7n, 2n ** 200n]) {
        const call = { to: RECEIVER, value: nonce * 3n, data };
        await agreedSafeHash(rpc, call, { safe, chainId: 31_337n, nonce });
      }
    }
    const call = { to: RECEIVER, value: 7n, data: '0x' };
    const digest = await agreedSafeHash(rpc, call, { safe, chainId: 31_337n, nonce: 0n });
    const raw = { message: { raw: digest as Hex } };
    const [typed, spoken] = [
      await owners[1]!.sign({ hash: digest as Hex }),
      await owners[0]!.signMessage(raw),
    ];
    const signatures = readOwnerSignatures(`${typed} ${spoken}`, digest, { owners: addresses });
    const input = executeCall(call, joinSignatures(signatures));
    const hash = await node.send({ to: safe, data: input });
    const { status, logs } = await receiptOf(hash);
    assert.equal(status, '0x1');
    const events = logs.flatMap((log) => readExecutionEvent(log, safe) ?? []);
    assert.deepEqual(events, [{ digest, isSuccessful: true, paidUnits: 0n }]);
    const sent = { hash, from: node.payer, to: safe, executed: input };
    assert.deepEqual(executedBy(sent, events, 'ETH'), {
      transaction: hash,
      digest,
      movements: [...[{ key: `${hash}:safe`, transaction: hash, assetId: 'ETH', from: safe }]].map(
        (one) => ({ ...one, to: RECEIVER, units: 7n }),
      ),
    });
    const height = BigInt(await node.height());
    assert.equal(await wasCarriedOut(rpc, { safe, digest, since: 0n }, height), true);
    const other = `0x${'9'.repeat(64)}`;
    assert.equal(await wasCarriedOut(rpc, { safe, digest: other, since: 0n }, height), false);
  });

  test(`${version}: what fails inside is read as a failure that moved nothing`, async () => {
    const safe = (await deploySafe(node, version, owners, 2)).toLowerCase() as Hex;
    const failing = { to: RECEIVER, value: 5n, nonce: 0n, safeTxGas: 50_000n };
    const hash = await actAsOwners(node, safe, owners.slice(1), failing);
    const { status, logs } = await receiptOf(hash);
    assert.equal(status, '0x1');
    const events = logs.flatMap((log) => readExecutionEvent(log, safe) ?? []);
    assert.deepEqual(
      events.map(({ isSuccessful }) => isSuccessful),
      [false],
    );
    const transaction = (await node.rpc('eth_getTransactionByHash', hash)) as { input: string };
    const sent = { hash, from: node.payer, to: safe, executed: transaction.input };
    assert.deepEqual(executedBy(sent, events, 'ETH')?.movements, []);
  });
}

test('what is no Safe of this chain is refused, and the setting is named', async () => {
  const safe = await deploySafe(node, '1.4.1', owners, 1);
  const token = await node.deploy('Token', 6);
  for (const [place, chainId, sentence] of [
    [RECEIVER, 31_337n, /ETHEREUM_SAFE: 0x8ba1.* is no contract on this chain/],
    [token.toLowerCase(), 31_337n, /ETHEREUM_SAFE: .* is no Safe/],
    [safe.toLowerCase(), 1n, /ETHEREUM_SAFE: .* signs for another chain/],
  ] as const) {
    await assert.rejects(checkSafe(rpc, { ...DEV, chainId }, place), (error) => {
      assert(error instanceof Refusal, String(error));
      assert.match(error.details.join(), sentence);
      return true;
    });
  }
});
