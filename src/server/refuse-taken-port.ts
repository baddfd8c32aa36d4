// Looks whether the port can be had before anything else is started, so that the answer comes at
// once.

import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '#base/refusal.ts';

/** A server that was told to stop a moment ago may still be finishing. */
const TRIES = 8;
const TRY_AGAIN_MS = 250;

/** @throws Refusal with one line. */
export async function refuseTakenPort(host: string, port: number): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const error = await tryPort(host, port);
    if (error === undefined) return;
    if (error.code !== 'EADDRINUSE' || attempt === TRIES) {
      throw new Refusal('conflict', 'port_unavailable', [reason(host, port, error)]);
    }
    await pause(TRY_AGAIN_MS);
  }
}

function tryPort(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  const probe = createServer();
  const { promise, resolve } = Promise.withResolvers<NodeJS.ErrnoException | undefined>();
  probe.once('error', resolve);
  probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  return promise;
}

function reason(host: string, port: number, error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `port ${port} is taken: stop what listens there, or choose another with PORT`;
    case 'EACCES':
      return `port ${port} may not be opened by this user: choose one above 1023 with PORT`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST ${host} is not an address of this machine`;
    default:
      return `cannot listen on ${host} port ${port}: ${String(error)}`;
  }
}
