// Whether a node publishes where the settings say it does: a wrong port costs nothing but time, and
// nobody would notice. A ZMTP peer speaks first, with a byte of 0xff (ZMTP 3.1, greeting).

import { connect } from 'node:net';

const ANSWER_WITHIN_MS = 3_000;

/** What is wrong, for the operator; undefined when all is well or it cannot be told (ipc). */
export function zmqFault(url: string): Promise<string | undefined> {
  const match = /^tcp:\/\/\[?([^\]]+?)\]?:(\d{1,5})$/.exec(url);
  if (match === null) return Promise.resolve(undefined);
  const [, host, port] = match;
  return new Promise((resolve) => {
    const socket = connect({ host: host ?? '', port: Number(port) });
    const end = (fault: string | undefined) => {
      socket.destroy();
      resolve(
        fault === undefined ? undefined : `${fault} at ${url}: see zmqpubhashblock of the node`,
      );
    };
    socket.setTimeout(ANSWER_WITHIN_MS, () => end('nothing is published'));
    socket.once('error', () => end('nobody answers'));
    socket.once('close', () => end('nothing is published'));
    socket.once('data', (bytes) => end(bytes[0] === 0xff ? undefined : 'no ZMQ is spoken'));
  });
}
