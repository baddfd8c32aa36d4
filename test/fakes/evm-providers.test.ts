// Behind each node and provider of the table the same is read, or it is an outage that says what is
// wrong: none is asked the same for ever, and none that wants to be left alone is asked at once again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Outage } from '#base/refusal.ts';
import { readChainState } from '#networks/evm/chain-state.ts';
import { evmChain } from '#networks/evm/evm-chain.ts';
import { askAll, type EvmRpc, openEvmRpc, type PostText } from '#networks/evm/json-rpc.ts';
import { readBalancesAt } from '#networks/evm/read-balances.ts';
import type { EvmBlock } from '#networks/evm/read-block.ts';
import { oursIn, readBlocksAt, readContents } from '#networks/evm/read-blocks.ts';
import { type ManualClock, manualClock } from '#test/support/manual-clock.ts';
import { createFakeEvmNode, FakeRefusal } from './evm-node.ts';
import {
  BATCH_ROWS,
  behind,
  FINAL_ROWS,
  RATE_ROWS,
  RECEIPT_ROWS,
  refusesAll,
  refusesEach,
  SIZE_ROWS,
  STATE_ROWS,
} from './evm-providers.ts';
import { contractOf, deployTokens, ETH, USDC } from './evm-world.ts';

const CHAIN = 'live:ETHEREUM';
const OURS = '0x00000000000000000000000000000000000000ff';
const token = contractOf(USDC);
const tokens = new Map([[token, USDC]]);
const paid = [3n, 5n, 3n, 5n, 3n, 5n, 3n, 5n];

/** Four blocks, each with a payment in the coin and one in a token. */
function paidNode() {
  const node = createFakeEvmNode();
  deployTokens(node);
  for (let at = 0; at < 4; at += 1) node.mine(node.pay(OURS, 3n), node.pay(OURS, 5n, token));
  return node;
}

function rpcOf(post: PostText, clock: ManualClock = manualClock('2026-01-01T12:00:00Z')): EvmRpc {
  return openEvmRpc({ what: CHAIN, label: 'endpoint 1', post, clock });
}

async function readThrough(rpc: EvmRpc): Promise<readonly bigint[]> {
  const source = { rpc, chain: CHAIN, tokens, coinAssetId: ETH, hasSystemReceipts: false } as const;
  const read = await readBlocksAt(source, [1n, 2n, 3n, 4n]);
  const blocks = read.filter((block): block is EvmBlock => block !== undefined);
  const fetched = await readContents(source, blocks, {
    index: (calls) => rpc.batch(calls),
    onFound: () => undefined,
  });
  const ours = await oursIn(source, fetched, (address) => address === OURS);
  return ours.flatMap(({ movements }) => movements.map(({ units }) => units));
}

const echoes = Array.from({ length: 45 }, (_, at) => ({ method: 'eth_echo', params: [at] }));
const echoed = echoes.map(({ params }) => params[0]);

/** Answers with what it was asked. */
const echo: PostText = async (body) => {
  const question = JSON.parse(body);
  const one = ({ id, params }: { id: number; params: unknown[] }) => ({ id, result: params[0] });
  const answers = Array.isArray(question) ? question.map(one) : one(question);
  return { status: 200, text: JSON.stringify(answers) };
};

for (const { name, source, refuse } of BATCH_ROWS) {
  test(`a batch is made smaller for ${name} (${source})`, async () => {
    let posts = 0;
    const rpc = rpcOf((body) => {
      posts += 1;
      return behind(refuse, echo)(body);
    });
    assert.deepEqual(await askAll(rpc, echoes), echoed);
    posts = 0;
    assert.deepEqual(await askAll(rpc, echoes), echoed);
    assert(posts <= 50, `${posts} posts, once it is known how many fit`);
    assert.deepEqual(await readThrough(rpcOf(behind(refuse, paidNode().post))), paid);
  });
}

for (const { name, source, failure } of SIZE_ROWS) {
  test(`what did not fit into an answer of ${name} is asked again (${source})`, async () => {
    const lengths: number[] = [];
    const cut: PostText = async (body) => {
      const asked = JSON.parse(body);
      if (!Array.isArray(asked)) return echo(body);
      lengths.push(asked.length);
      const whole = JSON.parse((await echo(body)).text) as { id: number }[];
      const answers = whole.map((one, at) => (at < 7 ? one : { id: one.id, error: failure }));
      return { status: 200, text: JSON.stringify(answers) };
    };
    const rpc = rpcOf(cut);
    assert.deepEqual(await askAll(rpc, echoes), echoed);
    assert.deepEqual(lengths, [45, 22, 11, 5, 5, 5, 5, 4], 'half as many');
  });
}

test('after a while of whole answers larger batches are tried again', async () => {
  let most = 5;
  const lengths: number[] = [];
  const rpc = rpcOf((body) => {
    const refuse = refusesAll({ code: -32600, message: 'batch too large' });
    const asked: unknown = JSON.parse(body);
    lengths.push(Array.isArray(asked) ? asked.length : 1);
    return behind(
      (list, isBatch) => (list.length > most ? refuse(list, isBatch) : undefined),
      echo,
    )(body);
  });
  await askAll(rpc, echoes);
  most = 100;
  for (let turn = 0; turn < 100; turn += 1) assert.deepEqual(await askAll(rpc, echoes), echoed);
  assert.equal(lengths.at(-1), 45);
});

test('an answer that is longer than we take is asked for in halves', async () => {
  const { AnswerTooLong } = await import('#networks/http-client.ts');
  let bytes = 0;
  const rpc = rpcOf(async (body) => {
    const answer = await echo(body);
    if (answer.text.length > 500) throw new AnswerTooLong(CHAIN, 'too long', 500);
    return answer;
  });
  const answers = await rpc.batch(echoes, (more) => {
    bytes += more;
  });
  assert.deepEqual(
    answers.map((answer) => answer.ok && answer.result),
    echoed,
  );
  assert(bytes > 1000, 'what was thrown away is counted');
  const single = rpcOf(async () => {
    throw new AnswerTooLong(CHAIN, 'too long', 500);
  });
  const [refused] = await single.batch(echoes.slice(0, 1));
  assert(refused?.ok === false && /response too large/.test(refused.failure.said));
});

for (const { name, source, code, message, status } of RECEIPT_ROWS) {
  for (const manner of ['each', 'all'] as const) {
    test(`receipts are asked for singly of ${name}, which refuses ${manner} (${source})`, async () => {
      const refuse = (manner === 'each' ? refusesEach : refusesAll)({ code, message }, status);
      const asked: string[] = [];
      const rpc = rpcOf(
        behind((questions, isBatch) => {
          for (const { method } of questions) asked.push(method);
          const isRefused = questions.some(({ method }) => method === 'eth_getBlockReceipts');
          return isRefused ? refuse(questions, isBatch) : undefined;
        }, paidNode().post),
      );
      assert.deepEqual(await readThrough(rpc), paid);
      asked.length = 0;
      assert.deepEqual(await readThrough(rpc), paid);
      assert(!asked.includes('eth_getBlockReceipts'), 'not asked at once again');
    });
  }
}

for (const { name, source, code, message, status, retryAfter } of RATE_ROWS) {
  for (const manner of ['each', 'all'] as const) {
    test(`${name} is left alone for a while, having refused ${manner} (${source})`, async () => {
      const refuse = (manner === 'each' ? refusesEach : refusesAll)(
        { code, message },
        status,
        retryAfter,
      );
      let isLimited = true;
      let posts = 0;
      const clock = manualClock('2026-01-01T12:00:00Z');
      const rpc = rpcOf((body) => {
        posts += 1;
        return behind(
          (list, isBatch) => (isLimited ? refuse(list, isBatch) : undefined),
          echo,
        )(body);
      }, clock);
      const places = [{ address: OURS, assetId: ETH, height: 1n }];
      await assert.rejects(readBalancesAt(rpc, new Map(), places), /too many questions from us/);
      isLimited = false;
      await clock.advance(retryAfter === undefined ? 900 : 6_900);
      await assert.rejects(askAll(rpc, echoes), /left alone/);
      assert.equal(posts, 1);
      await clock.advance(200);
      assert.deepEqual(await askAll(rpc, echoes), echoed);
      isLimited = true;
      await assert.rejects(askAll(rpc, echoes), Outage);
    });
  }
}

test('a node that goes on refusing is left alone for longer, and never for ever', async () => {
  const clock = manualClock('2026-01-01T12:00:00Z');
  let posts = 0;
  const rpc = rpcOf(async () => {
    posts += 1;
    return { status: 429, text: '<html>error code: 1015</html>', retryAfter: undefined };
  }, clock);
  for (let second = 0; second < 300; second += 1) {
    await assert.rejects(askAll(rpc, echoes), Outage);
    await clock.advance(1_000);
  }
  assert(posts >= 15 && posts <= 25, `${posts} posts in five minutes`);
  const patient = rpcOf(async () => ({ status: 429, text: '', retryAfter: '999999999' }), clock);
  await assert.rejects(askAll(patient, echoes), /too many questions/);
  await clock.advance(300_001);
  await assert.rejects(askAll(patient, echoes), /too many questions/);
});

for (const { name, source, code, message, status } of STATE_ROWS) {
  test(`a balance whose state ${name} does not keep is unknown (${source})`, async () => {
    const rpc = rpcOf(behind(refusesAll({ code, message }, status), echo));
    const places = [1n, 2n].map((height) => ({ address: OURS, assetId: ETH, height }));
    assert.deepEqual(await readBalancesAt(rpc, new Map(), places), [undefined, undefined]);
  });
}

test('a balance that is refused for no reason of the state is asked for again later', async () => {
  const rpc = rpcOf(behind(refusesAll({ code: -32603, message: 'Internal error' }), echo));
  const places = [{ address: OURS, assetId: ETH, height: 1n }];
  await assert.rejects(readBalancesAt(rpc, new Map(), places), /Internal error/);
});

test('a node that syncs says how far it is, and that nothing is to be done but wait', async () => {
  const node = createFakeEvmNode();
  node.answer = (method, [tag], result) => {
    if (method === 'eth_syncing') return { currentBlock: '0x384', highestBlock: '0x5dc' };
    return tag === 'finalized' ? null : result;
  };
  const parameters = evmChain('ETHEREUM', 'dev');
  const clock = manualClock('2026-01-01T12:00:00Z');
  const request = { chain: CHAIN, parameters, genesisHash: undefined, clock } as const;
  await assert.rejects(readChainState(rpcOf(node.post), request), (error) => {
    assert.ok(error instanceof Outage && error.endsByItself, String(error));
    assert.match(error.message, /still syncing, at block 900 of 1500; .*nothing is to be done but/);
    return true;
  });
});

test('a node that syncs in words of its own is behind, and somebody looks at it', async () => {
  const node = createFakeEvmNode();
  // Nitro, the node of Arbitrum, tells batches and messages in place of blocks.
  const said = { batchSeen: 5, batchProcessed: 4, messageOfProcessedBatch: 7, blockNum: 12 };
  node.answer = (method, [tag], result) => {
    if (method === 'eth_syncing') return said;
    return tag === 'finalized' ? null : result;
  };
  const parameters = evmChain('ETHEREUM', 'dev');
  const clock = manualClock('2026-01-01T12:00:00Z');
  const request = { chain: CHAIN, parameters, genesisHash: undefined, clock } as const;
  await assert.rejects(readChainState(rpcOf(node.post), request), (error) => {
    assert.ok(error instanceof Outage && !error.endsByItself, String(error));
    assert.match(
      error.message,
      /knows no final block: it is still syncing, or no consensus client/,
    );
    return true;
  });
});

for (const { name, source, failure } of FINAL_ROWS) {
  test(`that ${name} knows no final block yet is said so (${source})`, async () => {
    const node = createFakeEvmNode();
    node.answer = (_method, [tag], result) => {
      if (tag !== 'finalized') return result;
      if (failure !== undefined) throw new FakeRefusal(failure.code, failure.message);
      return null;
    };
    const parameters = evmChain('ETHEREUM', 'dev');
    const clock = manualClock('2026-01-01T12:00:00Z');
    const request = { chain: CHAIN, parameters, genesisHash: undefined, clock } as const;
    await assert.rejects(readChainState(rpcOf(node.post), request), (error) => {
      return (
        error instanceof Outage && /knows no final block: it is still sync/.test(error.message)
      );
    });
  });
}
