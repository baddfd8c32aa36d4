import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SignOrder } from '#signer/sign-order.ts';
import { signerProcess } from './open-signers.ts';

type Client = Parameters<typeof signerProcess>[0];
type Answer = Awaited<ReturnType<Client['sign']>>;

function answering(answer: Answer): Client {
  const log = { lines: 0n, digest: '' };
  return {
    sign: async () => answer,
    info: async () => ({ answer: 'info', keys: [], log }),
  };
}

const ask = (answer: Answer) => signerProcess(answering(answer)).sign({} as SignOrder);

test('what the signer answers is told so that somebody can act on it', async () => {
  const signed = { outcome: 'SIGNED', signedTransaction: '00', transaction: 'aa' } as const;
  assert.deepEqual(await ask(signed), signed);
  const reasons = ['the cap is 0.5', 'and the day is over'];
  assert.deepEqual(await ask({ outcome: 'REFUSED', code: 'above_cap', reasons }), {
    outcome: 'NOT_NOW',
    reason: 'the signer refuses it: the cap is 0.5; and the day is over',
  });
  assert.deepEqual(await ask({ outcome: 'NEEDS_APPROVAL', code: '0000-1111' }), {
    outcome: 'NOT_NOW',
    reason: 'the signer wants a second person: quittance sign approve 0000-1111',
  });
  const away = { outcome: 'AWAY', reason: 'nobody listens' } as const;
  assert.deepEqual(await ask(away), away);
});

test('a signer without keys says so', async () => {
  const checked = await signerProcess(answering({ outcome: 'AWAY', reason: '' })).check();
  assert.equal(checked, 'the signer answers, and has no keys');
});
