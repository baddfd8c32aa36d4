// Waiting for a state of a checkout.
import type { TestApi } from '#test/support/test-api.ts';
import { exchange, failure, GET, json, POST, type StoryFile, USUAL, WITHOUT_KEY } from './story.ts';

const charge = { billingCurrency: 'EUR', lineItems: [{ description: 'Book', netAmount: '10.00' }] };

export async function waitingStories(api: TestApi): Promise<StoryFile> {
  const created = await exchange(api, POST('/checkout', { charge }));
  const { id } = json(created.answer) as { id: string };
  const get = GET('/checkout', { id });
  const before = await exchange(api, get);
  await exchange(api, POST('/checkout/cancel', { checkoutId: id }));
  const after = await exchange(api, get);
  const held = (seconds: number) => GET('/checkout', { id, wait: String(seconds) });
  const common = { ...USUAL, ...WITHOUT_KEY };
  const call = (more: object) => ({
    method: 'checkout.waitUntil',
    arguments: { id, states: ['CANCELLED', 'COMPLETED'], ...more },
  });
  const value = json(after.answer).checkout;
  return {
    stories: [
      {
        ...{ ...common, name: 'a state that is there already', call: call({}) },
        ...{ exchanges: [after], outcome: { value } },
      },
      {
        ...{ ...common, name: 'an answer is held until the state changes', call: call({}) },
        exchanges: [
          before,
          { request: held(25), answer: before.answer, takesSeconds: 25 },
          { request: held(25), answer: after.answer, takesSeconds: 3 },
        ],
        outcome: { value },
      },
      {
        ...{ ...common, name: 'it is waited for no longer than was said' },
        call: call({ timeoutSeconds: 30 }),
        exchanges: [
          before,
          { request: held(25), answer: before.answer, takesSeconds: 25 },
          { request: held(5), answer: before.answer, takesSeconds: 5 },
        ],
        outcome: { error: failure('WaitTimeoutError', 'wait_timeout') },
      },
    ],
  };
}
