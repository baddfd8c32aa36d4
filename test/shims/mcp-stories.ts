// The client of the Model Context Protocol, unmodified, starts npx quittance mcp and uses its tools.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { openServerProcess, type ServerProcess } from '#test/support/server-process.ts';
import { openShop, type Shop } from '#test/support/shop.ts';
import { loadPackage } from './package-of.ts';

type Client = {
  connect(transport: object): Promise<void>;
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(call: { readonly name: string; readonly arguments: object }): Promise<{
    readonly content: readonly { readonly text: string }[];
    readonly isError?: boolean;
  }>;
  close(): Promise<void>;
};
const { Client } = loadPackage<{ Client: new (about: object) => Client }>(
  '@modelcontextprotocol/sdk/client/index.js',
);
const { StdioClientTransport } = loadPackage<{
  StdioClientTransport: new (program: object) => object;
}>('@modelcontextprotocol/sdk/client/stdio.js');

let server: ServerProcess;
let shop: Shop;
const clients: Client[] = [];

before(async () => {
  server = await openServerProcess();
  await server.start({ PUBLIC_URL: server.origin });
  shop = await openShop(server, 'test');
});
after(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await shop?.close();
  await server?.close();
});

async function connect(...words: readonly string[]): Promise<Client> {
  const program = new StdioClientTransport({
    command: process.execPath,
    args: [join(import.meta.dirname, '../../src/remote/remote-main.ts'), 'mcp', ...words],
    env: {
      QUITTANCE_URL: server.origin,
      QUITTANCE_KEY: shop.key.key,
      QUITTANCE_SECRET: shop.key.secret,
    },
  });
  const client = new Client({ name: 'story', version: '1' });
  clients.push(client);
  await client.connect(program);
  return client;
}

async function textOf(client: Client, name: string, given: object) {
  const { content, isError = false } = await client.callTool({ name, arguments: given });
  return { isError, text: content[0]?.text ?? '' };
}

test('it looks things up, and has no tool that writes', async () => {
  const client = await connect();
  const names = (await client.listTools()).tools.map(({ name }) => name);
  assert.ok(names.includes('get_checkout') && !names.includes('create_checkout'));
  const manual = await textOf(client, 'search_manual', { words: 'verify webhook signature' });
  assert.match(manual.text, /webhook-signature/);
  await assert.rejects(client.callTool({ name: 'create_checkout', arguments: {} }), /no tool/);
  assert.equal((await textOf(client, 'get_checkout', { id: 'nothing00000' })).isError, true);
});

test('where it may write it makes a checkout and pays it with simulated money', async () => {
  const client = await connect('--allow-write');
  const made = await textOf(client, 'create_checkout', { amount: '23', currency: 'EUR' });
  const { id } = JSON.parse(made.text) as { id: string };
  await textOf(client, 'pay_test_checkout', { checkoutId: id, network: 'LIGHTNING' });
  await shop.client.waitForState(id, 'COMPLETED');
  const { text } = await textOf(client, 'list_events', { type: 'CHECKOUT_COMPLETED' });
  assert.match(text, new RegExp(id));
});
