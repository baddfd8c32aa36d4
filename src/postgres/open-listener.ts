// A connection of its own that hears what the database announces (NOTIFY).
//
// Guarantees: `isHearing` is true only while a question asked over this connection within the last
// seconds was answered, so a connection that died silently is known after HEARD_MS at the latest;
// `onLost` is called before anything is heard again, because what was announced in between is not
// known. Not guaranteed: that an announcement arrives before the commit is answered; it is a matter
// of milliseconds.

import pg from 'pg';
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { type LoopHealth, startLoop } from '#runtime/loop.ts';
import type { ConnectionSettings } from './postgres-server.ts';

export type Listener = {
  isHearing(): boolean;
  health(): LoopHealth;
  close(): Promise<void>;
};

export type ListenerOptions = {
  readonly connection: Partial<ConnectionSettings> & { readonly connectionString?: string };
  readonly channel: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly onNotice: () => void;
  /** Something may have been missed. */
  readonly onLost: () => void;
};

const HEARTBEAT_MS = 1_000;
const ANSWER_MS = 2_000;
const HEARD_MS = 3_000;

export function openListener(options: ListenerOptions): Listener {
  const { clock, log, onLost } = options;
  let client: pg.Client | undefined;
  let heardAtMs = Number.NEGATIVE_INFINITY;

  function drop(): void {
    heardAtMs = Number.NEGATIVE_INFINITY;
    const dropped = client;
    client = undefined;
    onLost();
    dropped?.end().catch(() => undefined); // It is dead: nobody minds how it ends.
  }

  async function step(): Promise<'idle'> {
    const askedAtMs = clock.monotonicMs();
    try {
      client ??= await connect(options, drop);
      await client.query('select 1');
    } catch (error) {
      drop();
      throw error;
    }
    // Whoever dropped it while the answer was on its way has the last word.
    if (client !== undefined) heardAtMs = askedAtMs;
    return 'idle';
  }

  const name = `listen ${options.channel}`;
  const loop = startLoop({ name, step, idleMs: HEARTBEAT_MS, clock, log });
  return {
    isHearing: () => clock.monotonicMs() - heardAtMs < HEARD_MS,
    health: () => loop.health(),
    async close() {
      await loop.stop();
      drop();
    },
  };
}

async function connect(options: ListenerOptions, onEnd: () => void): Promise<pg.Client> {
  const { connection, channel, onNotice, onLost } = options;
  const client = new pg.Client({
    ...connection,
    ...(connection.host?.startsWith('/') ? { ssl: false } : {}),
    application_name: `quittance ${channel}`,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
  });
  let isEnded = false;
  const end = () => {
    if (!isEnded) onEnd();
    isEnded = true;
  };
  client.on('error', end);
  client.on('end', end);
  client.on('notification', onNotice);
  await client.connect();
  await client.query(`listen ${client.escapeIdentifier(channel)}`);
  onLost();
  return client;
}
