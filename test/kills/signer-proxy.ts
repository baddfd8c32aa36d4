// Between the service and the socket of the signer: a line for each question, a line for each answer.
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import type { SignerProcess } from '#test/support/signer-process.ts';
import type { Trap } from './trap.ts';

export type SignerProxy = { close(): Promise<void> };

/** `path`: where the service asks. An answer that was signed for it now is told as `new`. */
export async function openSignerProxy(
  path: string,
  { socket, log }: Pick<SignerProcess, 'socket' | 'log'>,
  trap: Trap,
): Promise<SignerProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((service) => {
    sockets.add(service);
    service.on('error', () => undefined);
    service.on('close', () => sockets.delete(service));
    carry(service, { socket, log }, trap).finally(() => service.destroy());
  });
  server.listen(path);
  await once(server, 'listening');
  return {
    async close() {
      for (const one of sockets) one.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function carry(
  service: Socket,
  { socket, log }: Pick<SignerProcess, 'socket' | 'log'>,
  trap: Trap,
): Promise<void> {
  const question = await lineOf(service);
  if (question === undefined) return;
  const killed = await trap.pass({ at: 'to-signer', text: question });
  // What was written is read all the same, whether the service lives or not.
  if (killed?.includes('signer')) return;
  const { size: before } = statSync(log);
  const signer = connect(socket);
  signer.on('error', () => undefined);
  signer.write(question);
  const answer = await lineOf(signer);
  signer.destroy();
  if (answer === undefined) return;
  const text = `${statSync(log).size > before ? 'new ' : ''}${answer}`;
  if ((await trap.pass({ at: 'from-signer', text })) !== undefined) return;
  if (!service.destroyed) await new Promise((done) => service.end(answer, () => done(undefined)));
}

/** Undefined when it hangs up before the line is whole. */
async function lineOf(socket: Socket): Promise<string | undefined> {
  let text = '';
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    text += chunk;
    if (text.includes('\n')) resolve(text);
  });
  socket.once('close', () => resolve(undefined));
  return promise;
}
