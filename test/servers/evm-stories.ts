// A shop that was away for a while, behind go-ethereum's own server and its limits: it catches up, and
// the payment made meanwhile is credited. Run by `npm run test:servers -- evm`.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { PostText } from '#networks/evm/json-rpc.ts';
import { createFakeEvmNode, hashOf, PAYER } from '#test/fakes/evm-node.ts';
import { contractOf, deployTokens, ETH, openFakeEvm, USDC } from '#test/fakes/evm-world.ts';
import { openForgedWorld } from '#test/forged/forged-world.ts';
import { type ServerLimits, startEvmServer } from './evm-server.ts';

const units = 5_000_000n;
const ether = 10n ** 17n;
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

type Story = {
  readonly name: string;
  readonly limits: ServerLimits;
  readonly blocks: number;
  readonly bytesPerBlock: number;
  /** How the server says no, which it has to have done. */
  readonly refusal: RegExp;
};

const STORIES: readonly Story[] = [
  {
    name: 'blocks of which a dozen exceed the 25,000,000 bytes of geth and bor',
    limits: {},
    blocks: 40,
    bytesPerBlock: 3_000_000,
    refusal: /-32003.*response too large/,
  },
  {
    name: 'a server whose answers may have 100,000 bytes together',
    limits: { response: 100_000 },
    blocks: 40,
    bytesPerBlock: 60_000,
    refusal: /-32003.*response too large/,
  },
  {
    name: 'a server that takes ten questions at once',
    limits: { items: 10 },
    blocks: 60,
    bytesPerBlock: 100,
    refusal: /-32600.*batch too large/,
  },
  {
    name: 'a server that takes one question at once',
    limits: { items: 1 },
    blocks: 10,
    bytesPerBlock: 100,
    refusal: /-32600.*batch too large/,
  },
  {
    name: 'a server that takes questions of 1,000 bytes',
    limits: { body: 1_000 },
    blocks: 60,
    bytesPerBlock: 100,
    refusal: /^413 .*content length too large/,
  },
];

for (const { name, limits, blocks, bytesPerBlock, refusal } of STORIES) {
  test(`caught up with: ${name}`, async () => {
    const node = createFakeEvmNode();
    deployTokens(node);
    node.mineEmpty(3);
    let post: PostText = node.post;
    const posts = [(body: string) => post(body)];
    const world = await openForgedWorld({ networks: (parts) => [openFakeEvm({ posts }, parts)] });
    closing.push(() => world.close());
    assert.deepEqual(await world.observe(), []);
    const token = await world.createAndCommit('ETHEREUM', USDC, units);
    const coin = await world.createAndCommit('ETHEREUM', ETH, ether);
    const log = {
      address: PAYER,
      topics: [hashOf('Noise')],
      data: `0x${'ab'.repeat(bytesPerBlock / 2)}`,
    };
    for (let at = 0; at < blocks; at += 1) {
      const payments = [
        node.pay(token.instruction.address, units, contractOf(USDC)),
        node.pay(coin.instruction.address, ether),
      ];
      node.mine({ to: PAYER, logs: [log] }, ...(at === blocks >> 1 ? payments : []));
    }
    node.mineEmpty(3);

    const server = await startEvmServer(node, limits);
    closing.push(() => server.stop());
    let refusals = 0;
    post = async (body) => {
      const answer = await server.post(body);
      if (refusal.test(`${answer.status} ${answer.text.slice(-300)}`)) refusals += 1;
      return answer;
    };
    assert.deepEqual(await world.observe(), []);
    await world.settle();
    assert.equal((await world.read(token.checkoutId)).state, 'COMPLETED');
    assert.equal((await world.read(coin.checkoutId)).state, 'COMPLETED');
    assert(refusals > 0, 'the server refused something');
    assert.deepEqual(await world.brokenInvariants(), []);
  });
}
