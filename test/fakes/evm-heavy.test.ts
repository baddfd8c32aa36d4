// Blocks that are too much for a node or for us, all at once: a shop that was away for a while catches
// up all the same, in smaller steps.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { PostText } from '#networks/evm/json-rpc.ts';
import { AnswerTooLong } from '#networks/http-client.ts';
import { nodeOutage } from '#networks/node-outage.ts';
import { type ForgedWorld, openForgedWorld } from '#test/forged/forged-world.ts';
import { createFakeEvmNode, type FakeEvmNode, hashOf, PAYER } from './evm-node.ts';
import { contractOf, deployTokens, openFakeEvm, USDC } from './evm-world.ts';

const units = 5_000_000n;
const BLOCKS = 60;
type Question = { readonly id: unknown; readonly method: string };

let node: FakeEvmNode;
let world: ForgedWorld;
let post: PostText;

before(async () => {
  node = createFakeEvmNode();
  deployTokens(node);
  node.mineEmpty(3);
  post = node.post;
  const posts = [(body: string) => post(body)];
  world = await openForgedWorld({ networks: (parts) => [openFakeEvm({ posts }, parts)] });
  assert.deepEqual(await world.observe(), []);
});
after(() => world?.close());
beforeEach(() => {
  post = node.post;
});

/** A payment in the middle of blocks with so many bytes of foreign logs each. */
async function heavyBlocks(bytesPerBlock: number, count = BLOCKS): Promise<string> {
  const { checkoutId, instruction } = await world.createAndCommit('ETHEREUM', USDC, units);
  assert.deepEqual(await world.observe(), []);
  const data = `0x${'ab'.repeat(bytesPerBlock / 2)}`;
  const log = { address: PAYER, topics: [hashOf('Noise')], data };
  for (let at = 0; at < count; at += 1) {
    const noise = { to: PAYER, logs: [log] };
    const payment = node.pay(instruction.address, units, contractOf(USDC));
    node.mine(...(at === count / 2 ? [noise, payment] : [noise]));
  }
  node.mineEmpty(3);
  return checkoutId;
}

async function observeUntilWell(most: number): Promise<number> {
  for (let failed = 0; failed <= most; failed += 1) {
    if ((await world.observe()).length === 0) return failed;
  }
  assert.fail(`not well after ${most} failures`);
}

const parsed = (body: string): readonly Question[] => {
  const question: unknown = JSON.parse(body);
  return (Array.isArray(question) ? question : [question]) as Question[];
};

test('what the receipts weigh is counted: the next step is smaller', async () => {
  const checkoutId = await heavyBlocks(3_000_000, 32);
  const sizes: number[] = [];
  post = (body) => {
    const blocks = parsed(body).filter(({ method }) => method === 'eth_getBlockReceipts').length;
    if (blocks > 0) sizes.push(blocks);
    return node.post(body);
  };
  // As after a start, when nothing is known of the blocks.
  assert.deepEqual(await world.observe(), []);
  await world.settle();
  assert.equal((await world.read(checkoutId)).state, 'COMPLETED');
  const [first = 0, second = 0] = sizes;
  assert(first >= 16 && second <= 9, `${sizes.join(', ')} blocks`);
});

test('where a node cuts its answers, what is missing is asked for again, and nothing fails', async () => {
  const checkoutId = await heavyBlocks(10_000);
  let cut = 0;
  post = async (body) => {
    const answer = await node.post(body);
    const list: unknown = JSON.parse(answer.text);
    if (!Array.isArray(list)) return answer;
    let bytes = 0;
    const answers = list.map((one: { id: unknown }) => {
      if (bytes > 25_000) {
        cut += 1;
        return {
          jsonrpc: '2.0',
          id: one.id,
          error: { code: -32003, message: 'response too large' },
        };
      }
      bytes += JSON.stringify(one).length;
      return one;
    });
    return { status: 200, text: JSON.stringify(answers) };
  };
  assert.deepEqual(await world.observe(), []);
  await world.settle();
  assert.equal((await world.read(checkoutId)).state, 'COMPLETED');
  assert(cut > 3, `${cut} answers were cut`);
});

test('a node that gives no answer to many blocks is asked for half as many, then for more again', async () => {
  const checkoutId = await heavyBlocks(100);
  const sizes: number[] = [];
  post = async (body) => {
    const blocks = parsed(body).filter(({ method }) => method === 'eth_getBlockReceipts').length;
    if (blocks > 0) sizes.push(blocks);
    if (blocks > 5) throw nodeOutage('live:ETHEREUM', 'no answer within 30000 ms');
    return node.post(body);
  };
  const failed = await observeUntilWell(12);
  assert(failed >= 2, `${failed} failures`);
  await world.settle();
  assert.equal((await world.read(checkoutId)).state, 'COMPLETED');
  assert(sizes.filter((size) => size > 5).length >= failed, 'more is tried after each success');
  assert.deepEqual(await world.brokenInvariants(), []);
});

test('more in one answer than is ever taken is asked for in halves, down to single receipts', async () => {
  const checkoutId = await heavyBlocks(20_000, 16);
  const asked: number[] = [];
  const single = new Set<string>();
  post = async (body) => {
    const questions = parsed(body);
    const blocks = questions.filter(({ method }) => method === 'eth_getBlockReceipts').length;
    const answer = await node.post(body);
    for (const { method } of questions) single.add(method);
    if (blocks === 0) return answer;
    asked.push(blocks);
    // Not even the receipts of one block are few enough.
    throw new AnswerTooLong('live:ETHEREUM', 'exceeds 128 MB', answer.text.length);
  };
  assert.deepEqual(await world.observe(), []);
  await world.settle();
  assert.equal((await world.read(checkoutId)).state, 'COMPLETED');
  assert(
    asked.some((blocks, at) => at > 0 && blocks * 2 === asked[at - 1]),
    asked.join(', '),
  );
  assert(asked.includes(1) && single.has('eth_getTransactionReceipt'));
  assert.deepEqual(await world.brokenInvariants(), []);
});
