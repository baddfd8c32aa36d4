// Lists that are followed page by page.
import { Outage } from '#base/refusal.ts';
import type { TestApi } from '#test/support/test-api.ts';
import {
  exchange,
  failure,
  json,
  POST,
  refused,
  type StoryFile,
  USUAL,
  WITHOUT_KEY,
  walk,
} from './story.ts';

const charge = { billingCurrency: 'EUR', lineItems: [{ description: 'Book', netAmount: '10.00' }] };

export async function pagingStories(api: TestApi): Promise<StoryFile> {
  for (const name of ['ada', 'ben', 'cem', 'dua', 'eva']) {
    const customer = { email: `${name}@shop.example` };
    await exchange(api, POST('/customer', { customer }));
  }
  for (const order of ['7', '8', '7']) {
    await exchange(api, POST('/checkout', { charge, meta: { order } }));
  }
  const customers = await walk(api, '/customers', { limit: '2' });
  const [first] = customers;
  const checkouts = await walk(api, '/checkouts', { limit: '1', 'meta.order': '7' });
  const nothing = await walk(api, '/deposit-addresses', {});
  const rows = await walk(api, '/reports/balances', {});
  const unavailable = refused(new Outage('database'));
  const get = (limit: number) => ({ method: 'customers.list', arguments: { limit } });
  const common = { ...USUAL, ...WITHOUT_KEY };
  const itemsOf = (pages: typeof customers, name: string) =>
    pages.flatMap(({ answer }) => json(answer)[name] as unknown[]);
  return {
    stories: [
      {
        ...{ ...common, name: 'a list is followed to its last page', call: get(2) },
        exchanges: customers,
        outcome: { items: itemsOf(customers, 'customers') },
      },
      {
        ...{ ...common, name: 'a filter goes with every page' },
        call: { method: 'checkout.list', arguments: { limit: 1, meta: { order: '7' } } },
        exchanges: checkouts,
        outcome: { items: itemsOf(checkouts, 'checkouts') },
      },
      {
        ...{ ...common, name: 'a list without entries' },
        call: { method: 'depositAddresses.list', arguments: {} },
        exchanges: nothing,
        outcome: { items: [] },
      },
      {
        ...{ ...common, name: 'the rows of a report' },
        call: { method: 'reports.balances', arguments: {} },
        exchanges: rows,
        outcome: {
          items: rows.flatMap(({ answer }) => (json(answer).report as { rows: unknown[] }).rows),
        },
      },
      {
        ...{ ...common, name: 'a page that fails for a moment is asked for again', call: get(2) },
        exchanges: [first!, { ...customers[1]!, answer: unavailable }, ...customers.slice(1)],
        sleeps: [5],
        outcome: { items: itemsOf(customers, 'customers') },
      },
      {
        ...{ ...common, name: 'a cursor that comes a second time ends the walk', call: get(2) },
        exchanges: [first!, { request: customers[1]!.request, answer: first!.answer }],
        outcome: {
          error: failure('QuittanceError', 'cursor_repeated', {
            status: 200,
            requestId: first!.answer.headers['x-request-id'] ?? null,
          }),
        },
      },
    ],
  };
}
