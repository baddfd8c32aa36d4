// npx quittance mcp: an installation as tools for a program that speaks the Model Context Protocol.
// Guarantees: without --allow-write nothing is made or changed; a live key is refused without
// --allow-live; the secret is in no answer.

import { Refusal } from '#base/refusal.ts';
import { type McpTool, serveMcp } from './mcp-protocol.ts';
import type { Json } from './remote-client.ts';
import {
  LIVE_EXPLAINED,
  LIVE_OPTION,
  LIVE_USAGE,
  openTestRemote,
  PROFILE_EXPLAINED,
  PROFILE_OPTION,
  PROFILE_USAGE,
  type Remote,
  type RemoteCommand,
} from './remote-command.ts';
import { openManual } from './search-manual.ts';

const VERSION = '1';

export const serveTools: RemoteCommand = {
  name: 'mcp',
  summary: 'serve tools of an installation by the Model Context Protocol over the standard input',
  usage: `[--allow-write] ${LIVE_USAGE} ${PROFILE_USAGE}`,
  options: { ...PROFILE_OPTION, ...LIVE_OPTION, 'allow-write': { type: 'boolean' } },
  explains: {
    '--allow-write': 'tools that make checkouts and pay them on simulated networks, too',
    ...LIVE_EXPLAINED,
    ...PROFILE_EXPLAINED,
  },
  async run(context, { positionals, values }) {
    if (positionals.length > 0) throw new Refusal('invalid', 'usage', ['no argument is taken']);
    const remote = await openTestRemote(context, values);
    const mayWrite = values['allow-write'] === true;
    const tools = [...readingTools(remote), ...(mayWrite ? writingTools(remote) : [])];
    const instructions =
      `Tools of the payment service at ${remote.client.url}: look up checkouts, events, requests ` +
      'and the manual' +
      (mayWrite ? ', make checkouts and pay them on simulated networks.' : '; nothing is changed.');
    const server = { name: 'quittance', version: VERSION, instructions, tools };
    await serveMcp(server, context.input, context.say);
    return { text: 'The input has ended.', json: { ended: true }, isPiped: true };
  },
};

const text = (description: string) => ({ type: 'string', description }) as const;
const whole = (description: string) => ({ type: 'integer', minimum: 1, description }) as const;

/** One that asks the API once and gives its answer as it came. */
function tool(
  {
    name,
    title,
    description,
    properties,
    required,
    isReadOnly = true,
  }: {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly properties: Readonly<Record<string, object>>;
    readonly required?: readonly string[];
    readonly isReadOnly?: boolean;
  },
  call: (input: Json) => Promise<string>,
): McpTool {
  const inputSchema = {
    ...({ type: 'object', properties, additionalProperties: false } as const),
    ...(required && { required }),
  };
  return { name, title, description, inputSchema, isReadOnly, call };
}

function given(input: Json, ...names: readonly string[]): Record<string, string | undefined> {
  return Object.fromEntries(
    names.map((name) => [name, input[name] === undefined ? undefined : String(input[name])]),
  );
}

/** Pages of what the API answers. */
function reader({ client }: Remote) {
  const get = async (path: string, query: Record<string, string | undefined>) =>
    (await client.get(path, query)).text;
  const page = { limit: whole('How many, 10 unless given'), cursor: text('nextCursor of before') };
  const paged = (input: Json) => ({
    limit: '10',
    ...given(input, 'cursor'),
    ...(input.limit && given(input, 'limit')),
  });
  return { get, page, paged };
}

function readingTools(remote: Remote): readonly McpTool[] {
  const manual = openManual(remote.client.url);
  const { get, page, paged } = reader(remote);
  return [
    tool(
      {
        name: 'search_manual',
        title: 'Search the manual',
        description: 'Guides, operations, events and errors of this API by words',
        ...{ properties: { words: text('What to look for') }, required: ['words'] },
      },
      (input) => manual.search(String(input.words)),
    ),
    tool(
      {
        name: 'get_checkout',
        title: 'A checkout',
        description: 'State, amounts, ways to pay, payments and history of one checkout',
        ...{ properties: { id: text('Its id, 12 characters') }, required: ['id'] },
      },
      (input) => get('/checkout', given(input, 'id')),
    ),
    tool(
      {
        name: 'list_checkouts',
        title: 'Checkouts',
        description: 'Checkouts of the account, newest first',
        properties: {
          state: text('NEW, AWAITING_PAYMENT, PENDING, UNDERPAID, COMPLETED, EXPIRED or CANCELLED'),
          ...page,
        },
      },
      (input) => get('/checkouts', { ...paged(input), ...given(input, 'state') }),
    ),
    tool(
      {
        name: 'list_payment_methods',
        title: 'Networks and assets',
        description: 'What can be paid with, on which networks',
        properties: {},
      },
      () => get('/networks', {}),
    ),
    ...loggedTools(remote),
  ];
}

/** What was told to the account and asked by it. */
function loggedTools(remote: Remote): readonly McpTool[] {
  const { get, page, paged } = reader(remote);
  return [
    tool(
      {
        name: 'list_events',
        title: 'Events',
        description: 'Events of the account, newest first, with how far their webhooks have come',
        properties: { type: text('One type, as CHECKOUT_COMPLETED'), ...page },
      },
      (input) => get('/events', { ...paged(input), ...given(input, 'type') }),
    ),
    tool(
      {
        name: 'list_requests',
        title: 'Log of requests',
        description: 'What programs of the account asked of the API in seven days, newest first',
        properties: {
          status: text('4xx, 5xx or one status'),
          path: text('How the path begins'),
          ...page,
        },
      },
      (input) => get('/requests', { ...paged(input), ...given(input, 'status', 'path') }),
    ),
    tool(
      {
        name: 'get_request',
        title: 'One request',
        description: 'What was sent and answered, without secrets',
        ...{ properties: { id: text('Its X-Request-Id') }, required: ['id'] },
      },
      (input) => get('/request', given(input, 'id')),
    ),
  ];
}

function writingTools({ client }: Remote): readonly McpTool[] {
  const post = async (path: string, body: object) => (await client.post(path, body)).text;
  return [
    tool(
      {
        name: 'create_checkout',
        title: 'Make a checkout',
        description: 'Makes a checkout with a hosted page and gives its id and address',
        properties: {
          amount: text('As 19.90'),
          currency: text('As EUR'),
          description: text('What is sold'),
        },
        ...{ required: ['amount', 'currency'], isReadOnly: false },
      },
      ({ amount, currency, description }) => {
        const lineItem = { description: String(description ?? 'Test'), netAmount: String(amount) };
        const charge = { billingCurrency: String(currency), lineItems: [lineItem] };
        return post('/checkout/hosted', { charge });
      },
    ),
    tool(
      {
        name: 'pay_test_checkout',
        title: 'Pay a test checkout',
        description:
          'Pays on a simulated network, with less or more than asked where an amount is given',
        properties: {
          checkoutId: text('Its id'),
          network: text('As LITECOIN; one that is offered where absent'),
          amount: text('In the asset; what is missing where absent'),
        },
        ...{ required: ['checkoutId'], isReadOnly: false },
      },
      (input) => post('/sandbox/pay', given(input, 'checkoutId', 'network', 'amount')),
    ),
    tool(
      {
        name: 'mine_test_blocks',
        title: 'Confirm test payments',
        description: 'Lets blocks come on the simulated networks, above your payments',
        properties: { blocks: whole('How many, 1 unless given') },
        isReadOnly: false,
      },
      (input) => post('/sandbox/mine', given(input, 'blocks')),
    ),
    tool(
      {
        name: 'expire_test_checkout',
        title: 'End the window of a test checkout',
        description: 'The time to pay is over now; what is paid from now on comes late',
        ...{
          properties: { checkoutId: text('Its id') },
          required: ['checkoutId'],
          isReadOnly: false,
        },
      },
      (input) => post('/sandbox/expire', given(input, 'checkoutId')),
    ),
  ];
}
