// What wakes the watch between two blocks: a payment that is replaced by one as large, and hints that
// never come because the address of the publisher is wrong.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { silentLog } from '#base/log.ts';
import { openCoreRpc } from '#networks/utxo/json-rpc.ts';
import { LITECOIN_REGTEST } from '#networks/utxo/utxo-chain.ts';
import { watchMempool } from '#networks/utxo/watch-mempool.ts';
import { addressReader } from '#networks/utxo/witness-address.ts';
import { zmqFault } from '#networks/utxo/zmq-hints.ts';
import { findFreePort } from '#test/support/free-port.ts';
import { manualClock } from '#test/support/manual-clock.ts';
import { startFakeCoreNode } from './core-node.ts';

for (const [name, fees] of [
  ['by the fees that are offered', ['0.0001', '0.0002']],
  ['by its list, where the node tells no fees', [undefined, undefined]],
] as const) {
  test(`a payment replaced by one as large is noticed ${name}`, async (t) => {
    const node = await startFakeCoreNode();
    t.after(() => node.close());
    const { hash } = node.mine();
    const rpc = openCoreRpc({ what: 'test:LITECOIN', url: node.url });
    t.after(() => rpc.close());
    const chain = {
      ...LITECOIN_REGTEST,
      readAddress: addressReader(LITECOIN_REGTEST.bech32Prefix),
    };
    const clock = manualClock('2026-01-01T12:00:00Z');
    const mempool = watchMempool({ rpc, chain, clock, log: silentLog });
    const tell = (fee: string | undefined) => {
      node.mempoolInfo = fee === undefined ? {} : { total_fee: fee };
    };
    const first = node.addUnconfirmed({ outputs: [{ value: '0.5' }] });
    tell(fees[0]);
    await mempool.look(hash, []);
    assert.equal(await mempool.hasChanged(), false, 'nothing happened');
    node.mempool.delete(first);
    node.addUnconfirmed({ outputs: [{ value: '0.4' }] });
    tell(fees[1]);
    assert.equal(await mempool.hasChanged(), true);
  });
}

test('an address where nothing is published is told to the operator', async (t) => {
  const free = await findFreePort();
  assert.match(String(await zmqFault(`tcp://127.0.0.1:${free}`)), /nobody answers at tcp/);
  const talking = (bytes: number[]) =>
    createServer((socket) => socket.on('error', () => undefined).write(Buffer.from(bytes)));
  for (const [server, expected] of [
    [talking([0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f]), /^undefined$/],
    [talking([0x48, 0x54, 0x54, 0x50]), /no ZMQ is spoken/],
  ] as const) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    assert.match(String(await zmqFault(`tcp://127.0.0.1:${port}`)), expected);
  }
});
