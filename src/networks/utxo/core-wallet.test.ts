import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Outage, Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import { RpcFailure } from '#networks/answer-fields.ts';
import { coreWallet } from './core-wallet.ts';

type Answers = Readonly<Record<string, unknown>>;

/** Each method answers this, or fails with it. */
function walletOf(answers: Answers) {
  const call = async (method: string) => {
    const answer = answers[method];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const caps = { perTransactionUnits: 1n, perDayUnits: 2n };
  const chain = chainOf('live', 'BITCOIN');
  return coreWallet({ rpc: { call }, chain, name: 'hot', setting: 'BITCOIN_WALLET', caps });
}

const failing = (code: number) => new RpcFailure('walletprocesspsbt', code, 'no');
const unlocked = { private_keys_enabled: true };

test('what the wallet signed whole is given back, anything else says what to do', async () => {
  const cases: readonly (readonly [Answers, RegExp | string])[] = [
    [{ walletprocesspsbt: { psbt: 'cHNidP', complete: true } }, 'cHNidP'],
    [
      { walletprocesspsbt: { psbt: 'cHNidP', complete: false }, getwalletinfo: unlocked },
      /has not the keys of all that is spent/,
    ],
    // Litecoin Core 0.21 says no more of a locked wallet.
    [
      {
        walletprocesspsbt: { psbt: 'cHNidP', complete: false },
        getwalletinfo: { ...unlocked, unlocked_until: 0 },
      },
      /hot is locked: unlock it/,
    ],
    [{ walletprocesspsbt: failing(-13) }, /hot is locked: unlock it/],
    [{ walletprocesspsbt: failing(-18) }, /no wallet hot loaded: loadwallet "hot"/],
    [{ walletprocesspsbt: failing(-32601) }, /runs without wallets/],
  ];
  for (const [answers, wanted] of cases) {
    const answer = await walletOf(answers).sign('cHNidP');
    if (typeof wanted === 'string') assert.deepEqual(answer, { signed: wanted });
    else assert.match('refused' in answer ? answer.refused : '', wanted);
  }
});

test('what nobody can do anything about is an outage', async () => {
  for (const answer of [failing(-4), 'text', { complete: true }]) {
    await assert.rejects(walletOf({ walletprocesspsbt: answer }).sign('cHNidP'), Outage);
  }
});

test('it is looked at before it is needed', async () => {
  const infoOf = (getwalletinfo: unknown) => walletOf({ getwalletinfo }).check();
  assert.equal(await infoOf(unlocked), "the node's wallet hot");
  assert.equal(await infoOf({ ...unlocked, unlocked_until: 9 }), "the node's wallet hot");
  for (const [info, reason] of [
    [{ ...unlocked, unlocked_until: 0 }, /locked/],
    [{ private_keys_enabled: false }, /holds no private keys/],
    [failing(-18), /no wallet hot/],
  ] as const) {
    await assert.rejects(
      infoOf(info),
      (error) => error instanceof Refusal && reason.test(error.message),
    );
  }
});
