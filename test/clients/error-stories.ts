// Refusals, faults and what is no answer at all.
import { Outage, Refusal } from '#base/refusal.ts';
import type { TestApi } from '#test/support/test-api.ts';
import {
  errorOf,
  exchange,
  failure,
  GET,
  POST,
  refused,
  type StoryAnswer,
  type StoryFile,
  USUAL,
  WITHOUT_KEY,
} from './story.ts';

export async function errorStories(api: TestApi): Promise<StoryFile> {
  const common = { ...USUAL, ...WITHOUT_KEY };
  const wrong = { charge: { billingCurrency: 'NONE', lineItems: [{ netAmount: '-1' }] } };
  const invalid = await exchange(api, POST('/checkout', wrong));
  const missing = await exchange(api, GET('/checkout', { id: 'aaaaaaaaaaaa' }));
  const swap = { sourceAsset: 'BTC:NATIVE', targetAsset: 'EUR:FIAT', sourceAmount: '1' };
  const closed = await exchange(api, POST('/swap', swap));
  const refusals: readonly [name: string, answer: StoryAnswer, sleeps: readonly number[]][] = [
    [
      'a limit of calls is told with the time until the next',
      refused(new Refusal('too-many', 'rate_limited', 'too many calls', { retryAfterSeconds: 60 })),
      [],
    ],
    [
      'what an operator has to connect is not waited for',
      refused(new Refusal('unavailable', 'network_missing', 'LITECOIN is not connected here')),
      [],
    ],
    ['our own fault is tried twice again', refused(new Error('a bug')), [0.25, 0.5]],
    ['an outage is waited for as long as it says', refused(new Outage('database')), [5, 5]],
    [
      'an outage that will last is told at once',
      refused(new Outage('database', { retryAfterSeconds: 31 })),
      [],
    ],
  ];
  const page = '<html><body>502 Bad Gateway</body></html>';
  const proxy = { status: 502, headers: { 'content-type': 'text/html' }, body: page };
  const check = { method: 'service.authTest', arguments: {} };
  return {
    stories: [
      {
        ...{ ...common, name: 'every fault of a request is told', idempotencyKey: 'one' },
        call: { method: 'checkout.create', arguments: wrong },
        exchanges: [invalid],
        outcome: { error: errorOf(invalid.answer) },
      },
      {
        ...{ ...common, name: 'what there is not' },
        call: { method: 'checkout.get', arguments: { id: 'aaaaaaaaaaaa' } },
        exchanges: [missing],
        outcome: { error: errorOf(missing.answer) },
      },
      {
        ...{ ...common, name: 'what the account does not allow', idempotencyKey: 'one' },
        call: { method: 'swaps.create', arguments: swap },
        exchanges: [closed],
        outcome: { error: errorOf(closed.answer) },
      },
      ...refusals.map(([name, answer, sleeps]) => ({
        ...{ ...common, name, call: check, sleeps },
        exchanges: [undefined, ...sleeps].map(() => ({ request: GET('/auth-test'), answer })),
        outcome: { error: errorOf(answer) },
      })),
      {
        ...{ ...common, name: 'a page of a proxy is no answer of the service', call: check },
        maxRetries: 0,
        exchanges: [{ request: GET('/auth-test'), answer: proxy }],
        outcome: {
          error: failure('ServerError', 'answer_malformed', { status: 502, retryable: true }),
        },
      },
      {
        ...{ ...common, name: 'a success that is no JSON is an error', call: check },
        exchanges: [{ request: GET('/auth-test'), answer: { ...proxy, status: 200 } }],
        outcome: { error: failure('QuittanceError', 'answer_malformed', { status: 200 }) },
      },
      {
        ...{ ...common, name: 'a redirect is not followed', call: check },
        exchanges: [
          {
            request: GET('/auth-test'),
            answer: { status: 302, headers: { location: 'https://other.example/' }, body: '' },
          },
        ],
        outcome: { error: failure('QuittanceError', 'answer_malformed', { status: 302 }) },
      },
    ],
  };
}
