// What is sent again, when, and what is not.
import { Refusal } from '#base/refusal.ts';
import type { TestApi } from '#test/support/test-api.ts';
import {
  brokenOff,
  type Exchange,
  errorOf,
  exchange,
  failure,
  GET,
  json,
  ONE_KEY,
  POST,
  refused,
  type StoryFile,
  signedAt,
  USUAL,
} from './story.ts';

const NOW = USUAL.clock.local;
const BROKEN: Exchange['answer'] = { failure: 'connection' };
const SILENT: Exchange['answer'] = { failure: 'timeout' };

/** How long is waited before the next attempt; null: not at all, the error is told. */
export function retryDelays(): object[] {
  const cases: (readonly [attempt: number, random: number, retryAfter: number | null])[] = [
    ...[0, 1, 2, 3, 4, 5, 20].map((attempt) => [attempt, 0, null] as const),
    ...[0, 1, 4].map((attempt) => [attempt, 0.5, null] as const),
    ...([0, 1, 5, 30, 31, 300] as const).map((seconds) => [0, 0.5, seconds] as const),
    [4, 0.5, 1],
  ];
  const backOff = (attempt: number, random: number) =>
    Math.min(8, 0.5 * 2 ** attempt) * (0.5 + random / 2);
  return cases.flatMap(([attempt, random, retryAfterSeconds]) =>
    [false, true].map((isMoney) => ({
      ...{ attempt, random, retryAfterSeconds, isMoney },
      delaySeconds:
        (retryAfterSeconds ?? 0) > 30
          ? null
          : Math.max(backOff(attempt, random), retryAfterSeconds ?? 0, isMoney ? 1 : 0),
    })),
  );
}

export async function retryStories(api: TestApi): Promise<StoryFile> {
  const right = await exchange(api, GET('/auth-test'));
  const call = { method: 'service.authTest', arguments: {} };
  const common = { ...USUAL, call, idempotencyKey: 'none' } as const;
  const tried = (answer: Exchange['answer']): Exchange => ({ request: right.request, answer });
  const limited = refused(
    new Refusal('too-many', 'rate_limited', 'too many calls', { retryAfterSeconds: 2 }),
  );
  const conflict = refused(new Refusal('conflict', 'checkout_completed', 'it is completed'));
  const used = refused(new Refusal('conflict', 'signature_used', 'sign the request again'));
  const late = brokenOff(408, 'request_timeout', 'The request took too long.');
  const cancel = POST('/checkout/cancel', { checkoutId: 'abcdefghijkl' });
  const commit = POST('/swap/commit', { swapId: 'abcdefghijkl' });
  const swapped = { swap: { id: 'abcdefghijkl', state: 'COMPLETED' } };
  const done = { status: 200, headers: { ...right.answer.headers }, body: JSON.stringify(swapped) };
  const money = {
    ...USUAL,
    ...ONE_KEY,
    call: { method: 'swaps.commit', arguments: { swapId: 'abcdefghijkl' } },
    outcome: { value: swapped.swap },
  } as const;
  const value = json(right.answer);
  return {
    stories: [
      {
        ...{ ...common, name: 'a connection that breaks is tried twice again' },
        exchanges: [tried(BROKEN), tried(BROKEN), right],
        ...{ sleeps: [0.25, 0.5], outcome: { value } },
      },
      {
        ...{ ...common, name: 'after that it is an error' },
        exchanges: [tried(BROKEN), tried(BROKEN), tried(BROKEN)],
        sleeps: [0.25, 0.5],
        outcome: { error: failure('NetworkError', 'no_answer', { retryable: true }) },
      },
      {
        ...{ ...common, name: 'no answer in time', maxRetries: 0 },
        exchanges: [tried(SILENT)],
        outcome: { error: failure('RequestTimeoutError', 'timeout', { retryable: true }) },
      },
      {
        ...{ ...common, name: 'who is too fast waits as long as he is told' },
        exchanges: [tried(limited), right],
        ...{ sleeps: [2], outcome: { value } },
      },
      {
        ...{ ...common, name: 'a request that arrived too slowly is sent again' },
        exchanges: [tried(late), right],
        ...{ sleeps: [0.25], outcome: { value } },
      },
      {
        ...{ ...common, name: 'a gateway that fails is tried again' },
        exchanges: [tried({ status: 504, headers: {}, body: '' }), right],
        ...{ sleeps: [0.25], outcome: { value } },
      },
      {
        ...{ ...USUAL, name: 'what the state forbids is not tried again' },
        call: { method: 'checkout.cancel', arguments: { checkoutId: 'abcdefghijkl' } },
        exchanges: [{ request: cancel, answer: conflict }],
        ...{ idempotencyKey: 'one', outcome: { error: errorOf(conflict) } },
      },
      {
        ...{ ...money, name: 'what moves money is signed again with a later second' },
        exchanges: [
          { request: signedAt(commit, NOW), answer: BROKEN },
          { request: signedAt(commit, NOW + 1), answer: done },
        ],
        sleeps: [1],
      },
      {
        ...{ ...money, name: 'a signature that was used is made anew' },
        exchanges: [
          { request: signedAt(commit, NOW), answer: used },
          { request: signedAt(commit, NOW + 1), answer: done },
        ],
        sleeps: [1],
      },
    ],
  };
}
