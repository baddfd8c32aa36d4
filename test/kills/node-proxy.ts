// Between the service and the node: passes each question over HTTP on and its answer back, and tells
// the trap of both, and whoever counts what was told.
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Trap } from './trap.ts';

export type NodeProxy = { readonly url: string; close(): Promise<void> };

export async function openNodeProxy(
  nodeUrl: string,
  trap: Trap,
  onTold: (question: string) => void,
): Promise<NodeProxy> {
  const target = new URL(nodeUrl);
  const agent = new Agent({ keepAlive: true });
  const server = createServer((question, answer) => {
    carry(question, answer).catch(() => answer.destroy());
  });

  async function carry(question: IncomingMessage, answer: ServerResponse): Promise<void> {
    const asked = await bodyOf(question);
    const text = asked.toString('utf8');
    if ((await trap.pass({ at: 'to-node', text })) !== undefined) return void answer.destroy();
    const { method, url: path, headers } = question;
    const { hostname, port } = target;
    const forth = request({ agent, hostname, port, method, path, headers });
    forth.end(asked);
    const [told] = (await once(forth, 'response')) as [IncomingMessage];
    const body = await bodyOf(told);
    if ((await trap.pass({ at: 'from-node', text })) !== undefined) return void answer.destroy();
    const { 'transfer-encoding': _chunks, connection: _kept, ...kept } = told.headers;
    answer.writeHead(told.statusCode ?? 500, { ...kept, 'content-length': body.length });
    answer.end(body);
    onTold(text);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(nodeUrl);
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    async close() {
      server.closeAllConnections();
      agent.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
