// Requests are signed with the clock of the service.
import { Outage, Refusal } from '#base/refusal.ts';
import type { TestApi } from '#test/support/test-api.ts';
import {
  type Exchange,
  errorOf,
  exchange,
  GET,
  json,
  refused,
  type StoryAnswer,
  type StoryFile,
  signedAt,
  USUAL,
  WITHOUT_KEY,
  walk,
} from './story.ts';

const NOW = USUAL.clock.local;

export async function clockStories(api: TestApi): Promise<StoryFile> {
  const right = await exchange(api, GET('/auth-test'));
  const failed = refused(
    new Refusal('unauthenticated', 'authentication_failed', 'check key, signature, timestamp'),
  );
  const value = json(right.answer);
  const common = {
    ...USUAL,
    ...WITHOUT_KEY,
    call: { method: 'service.authTest', arguments: {} },
  } as const;
  const test = (timestamp: number, answer: StoryAnswer): Exchange => ({
    request: signedAt(GET('/auth-test'), timestamp),
    answer,
  });
  const [first, second] = await walk(api, '/customers', { limit: '3' });
  const customers = [first!, second!].flatMap(({ answer }) => json(answer).customers as unknown[]);
  return {
    stories: [
      {
        ...{ ...common, name: 'requests are signed with the time of the service' },
        clock: { local: NOW - 90, service: NOW },
        exchanges: [test(NOW, right.answer)],
        outcome: { value },
      },
      {
        ...{ ...common, name: 'a machine whose clock is ahead' },
        clock: { local: NOW + 3600, service: NOW },
        exchanges: [test(NOW, right.answer)],
        outcome: { value },
      },
      {
        ...{ ...common, name: 'where the time cannot be had the clock of the machine is taken' },
        ...{ isTimeAway: true, exchanges: [test(NOW, right.answer)], outcome: { value } },
      },
      {
        ...{ ...common, name: 'wrong credentials are told after one look at the time' },
        ...{ timeRequests: 2, exchanges: [test(NOW, failed)], outcome: { error: errorOf(failed) } },
      },
      {
        ...{ ...common, name: 'after a clock was set the time is asked for again' },
        call: { method: 'customers.list', arguments: { limit: 3 } },
        timeRequests: 2,
        exchanges: [
          { ...first!, request: signedAt(first!.request, NOW), clockJumpsSeconds: 120 },
          { request: signedAt(second!.request, NOW + 120), answer: failed },
          { ...second!, request: signedAt(second!.request, NOW) },
        ],
        outcome: { items: customers },
      },
      {
        ...{ ...common, name: 'what is signed anew for the clock is no retry' },
        call: { method: 'customers.list', arguments: { limit: 3 } },
        ...{ timeRequests: 2, maxRetries: 1, sleeps: [5] },
        exchanges: [
          { ...first!, request: signedAt(first!.request, NOW), clockJumpsSeconds: 120 },
          { request: signedAt(second!.request, NOW + 120), answer: failed },
          { request: signedAt(second!.request, NOW), answer: refused(new Outage('database')) },
          { ...second!, request: signedAt(second!.request, NOW + 5) },
        ],
        outcome: { items: customers },
      },
    ],
  };
}
