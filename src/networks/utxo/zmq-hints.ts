// What a node publishes over ZMQ (zmqpubhashblock, zmqpubrawblock, zmqpubhashtx), as hints:
// something happened, look. What the messages say is not read. Guarantees: a publisher that is
// away, comes back or floods does no harm; without the library, or with a wrong address, polling
// goes on and the log says so once. Reconnecting is done by the library.
import { connect } from 'node:net';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';

export type ZmqHints = { close(): void };

/** A transaction or more each second: the observer looks at the mempool that often anyway. */
const TRANSACTION_PAUSE_MS = 250;
const MOST_MESSAGE_BYTES = 32 * 1024 * 1024;
const ANSWER_WITHIN_MS = 3_000;
const BLOCK_TOPICS: ReadonlySet<string> = new Set(['hashblock', 'rawblock']);
const TRANSACTION_TOPIC = 'hashtx';

export function listenForHints(options: {
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly onHint: () => void;
}): ZmqHints {
  const { url, clock, log, onHint } = options;
  let isClosed = false;
  let closeSocket = () => {};

  async function listen(): Promise<void> {
    // Only who asks for it loads the library, which is native code.
    const { Subscriber } = await import('zeromq');
    if (isClosed) return;
    const socket = new Subscriber({
      maxMessageSize: MOST_MESSAGE_BYTES,
      receiveHighWaterMark: 100,
    });
    closeSocket = () => socket.close();
    socket.connect(url);
    socket.subscribe(...BLOCK_TOPICS, TRANSACTION_TOPIC);
    let lastTransactionMs = Number.NEGATIVE_INFINITY;
    for await (const [topic] of socket) {
      const name = String(topic);
      if (name === TRANSACTION_TOPIC) {
        const now = clock.monotonicMs();
        if (now - lastTransactionMs < TRANSACTION_PAUSE_MS) continue;
        lastTransactionMs = now;
      } else if (!BLOCK_TOPICS.has(name)) continue;
      onHint();
    }
  }

  listen().catch((error: unknown) => {
    if (isClosed) return;
    const reason = error instanceof Error ? error.message : String(error);
    log.warn('no hints by ZMQ: new blocks are found by asking', { reason });
  });
  return {
    close() {
      isClosed = true;
      closeSocket();
    },
  };
}

/**
 * Whether a node publishes where the settings say it does: a wrong port costs nothing but time, and
 * nobody would notice. A ZMTP peer speaks first, with a byte of 0xff (ZMTP 3.1, greeting). What is
 * wrong, for the operator; undefined when all is well or it cannot be told (ipc).
 */
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
