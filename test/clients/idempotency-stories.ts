// Keys that make it safe to send a request again.
import { Refusal } from '#base/refusal.ts';
import type { TestApi } from '#test/support/test-api.ts';
import {
  type Exchange,
  errorOf,
  exchange,
  json,
  POST,
  refused,
  type StoryFile,
  USUAL,
} from './story.ts';

const BROKEN: Exchange['answer'] = { failure: 'connection' };
const SILENT: Exchange['answer'] = { failure: 'timeout' };

export async function idempotencyStories(api: TestApi): Promise<StoryFile> {
  const body = { customer: { email: 'zoe@shop.example' } };
  const request = POST('/customer', body);
  const headers = { 'idempotency-key': 'order-7' };
  const made = await exchange(api, request, headers);
  const again = await exchange(api, request, headers);
  const other = POST('/customer', { customer: { email: 'yan@shop.example' } });
  const reused = await exchange(api, other, headers);
  const running = refused(
    new Refusal('conflict', 'idempotency_key_running', 'still running', { retryAfterSeconds: 1 }),
  );
  const { customerId } = json(made.answer);
  const call = { method: 'customers.create', arguments: body.customer };
  const change = { id: customerId, city: 'Bern' };
  const put = { ...POST('/customer', { customer: change }), method: 'PUT' };
  const changed = await exchange(api, put);
  const remove = { ...POST('/customer', { id: customerId }), method: 'DELETE' };
  const removed = await exchange(api, remove);
  return {
    stories: [
      {
        ...{ ...USUAL, name: 'a key is made once and stays the same', call },
        exchanges: [{ request, answer: BROKEN }, { request, answer: SILENT }, again],
        ...{ sleeps: [0.25, 0.5], idempotencyKey: 'one' },
        outcome: { value: json(again.answer) },
      },
      {
        ...{ ...USUAL, name: 'a key that is given is taken' },
        call: { ...call, idempotencyKey: 'order-7' },
        exchanges: [{ request, answer: refused(new Error('a bug')) }, made],
        ...{ sleeps: [0.25], idempotencyKey: 'given' },
        outcome: { value: json(made.answer) },
      },
      {
        ...{ ...USUAL, name: 'a request with the same key that runs is waited for', call },
        exchanges: [{ request, answer: SILENT }, { request, answer: running }, again],
        ...{ sleeps: [0.25, 1], idempotencyKey: 'one' },
        outcome: { value: json(again.answer) },
      },
      {
        ...{ ...USUAL, name: 'a key of another request is an error' },
        call: {
          method: 'customers.create',
          arguments: { email: 'yan@shop.example' },
          idempotencyKey: 'order-7',
        },
        exchanges: [reused],
        idempotencyKey: 'given',
        outcome: { error: errorOf(reused.answer) },
      },
      {
        ...{ ...USUAL, name: 'a PUT has no key' },
        call: { method: 'customers.update', arguments: change },
        exchanges: [{ request: put, answer: BROKEN }, changed],
        ...{ sleeps: [0.25], idempotencyKey: 'none' },
        outcome: { value: json(changed.answer).customer },
      },
      {
        ...{ ...USUAL, name: 'a DELETE has no key' },
        call: { method: 'customers.delete', arguments: { id: customerId } },
        exchanges: [{ request: remove, answer: BROKEN }, removed],
        ...{ sleeps: [0.25], idempotencyKey: 'none' },
        outcome: { value: json(removed.answer) },
      },
    ],
  };
}
