// Opens a connection to the addresses that were checked and to no other (W4). No agent, no pool, no
// proxy, no second look-up: the name is used for SNI, for the certificate and for nothing else.
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { parseAddress, unmapAddress } from '#account/ip-address.ts';
import type { PinnedAddress, Target } from './target-guard.ts';

/** How long one of several addresses may take before the next is tried beside it (RFC 8305). */
const nextAddressMs = 400;

/** Rejects with the signal's reason when aborted, and with what the socket says otherwise. */
export async function openPinnedSocket(target: Target, signal: AbortSignal): Promise<Socket> {
  const plain = connectTcp({
    host: target.hostname,
    port: target.port,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressMs,
    lookup: (_hostname, options, done) => {
      const [first] = target.addresses;
      if (options.all) done(null, [...target.addresses]);
      else done(null, first?.address ?? '', first?.family);
    },
  });
  await untilReady(plain, 'connect', signal);
  // Cannot differ unless this file is wrong; nothing has been written yet.
  if (!isPinned(plain.remoteAddress, target.addresses)) {
    plain.destroy();
    throw new Error('connected to an address that was not checked');
  }
  plain.setNoDelay(true);
  if (!target.isTls) return plain;
  const isLiteral = parseAddress(target.hostname) !== undefined;
  const secure = connectTls({
    socket: plain,
    host: target.hostname,
    servername: isLiteral ? '' : target.hostname,
    ALPNProtocols: ['http/1.1'],
    // Said aloud, so that NODE_TLS_REJECT_UNAUTHORIZED cannot switch it off.
    rejectUnauthorized: true,
  });
  await untilReady(secure, 'secureConnect', signal);
  return secure;
}

function untilReady(socket: Socket, event: string, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abort = () => reject(signal.reason);
  const close = () => reject(new Error('the connection was closed'));
  // Stays: a socket without a listener for errors would end this process.
  socket.on('error', reject);
  socket.once('close', close);
  socket.once(event, resolve);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return promise
    .catch((error: unknown) => {
      socket.destroy();
      throw error;
    })
    .finally(() => {
      socket.off('close', close);
      signal.removeEventListener('abort', abort);
    });
}

function isPinned(remote: string | undefined, addresses: readonly PinnedAddress[]): boolean {
  const plain = canonical(remote ?? '');
  return plain !== undefined && addresses.some(({ address }) => canonical(address) === plain);
}

function canonical(address: string): string | undefined {
  const bytes = parseAddress(address);
  return bytes === undefined ? undefined : unmapAddress(bytes).toHex();
}
