// What the machine has to give: room, files that nobody else reads, the right time, and programs
// that still get fixes.

import { existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname } from 'node:path';
import { getuid, version } from 'node:process';
import type { Clock } from '#base/clock.ts';
import { type Reader, sql } from '#db/db.ts';
import type { Finding } from './finding.ts';

const GIBIBYTE = 1024 ** 3;
/** Below it the database stops before somebody has looked. */
const ROOM_LEAST = GIBIBYTE;
const ROOM_LOW = 5 * GIBIBYTE;
const INODES_LEAST = 10_000;

type Room = { readonly bytes: number; readonly files: number | undefined };

export function decideRoom(directory: string, { bytes, files }: Room): Finding {
  const what = 'disk';
  const free = `${(bytes / GIBIBYTE).toFixed(1)} GB free for ${directory}`;
  if (bytes < ROOM_LEAST) {
    const detail = `${free}: make room or move DATA_DIR now; a full disk stops the database`;
    return { ok: false, what, detail };
  }
  if (files !== undefined && files < INODES_LEAST) {
    const detail = `${free}, but only ${files} more files can be made there: remove small files`;
    return { ok: false, what, detail };
  }
  const detail = bytes < ROOM_LOW ? `warning: ${free}; think of a larger disk` : free;
  return { ok: true, what, detail };
}

/** Of the nearest directory that there is: a first start makes the rest. */
export async function checkRoom(directory: string): Promise<Finding> {
  let nearest = directory;
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  try {
    const { bavail, bsize, files, ffree } = await statfs(nearest);
    // Some file systems make them as they are needed, and tell none.
    return decideRoom(directory, { bytes: bavail * bsize, files: files === 0 ? undefined : ffree });
  } catch (error) {
    const detail = `${directory} cannot be looked at (${String(error)})`;
    return { ok: false, what: 'disk', detail };
  }
}

/** Files with secrets, and whether the service runs as a user who could do anything. */
export function checkPermissions(files: readonly string[]): Finding {
  const what = 'permissions';
  if (platform() === 'win32') return { ok: true, what, detail: 'not looked at on Windows' };
  const open = files.filter((path) => existsSync(path) && (statSync(path).mode & 0o077) !== 0);
  if (open.length > 0) {
    const detail = `others on this machine may read ${open.join(', ')}: chmod 600 ${open.join(' ')}`;
    return { ok: false, what, detail };
  }
  const known = files.filter((path) => existsSync(path));
  const well =
    known.length === 0 ? 'no secrets are kept yet' : 'secrets are read by their owner alone';
  if (getuid?.() !== 0) return { ok: true, what, detail: well };
  const detail = `warning: ${well}, but this runs as root: give it a user of its own`;
  return { ok: true, what, detail };
}

/** Price sources as well: whoever may ask those may ask these. A header says what time it is. */
const TIME_SERVERS = [
  'https://api.kraken.com',
  'https://api.coinbase.com',
  'https://www.bitstamp.net',
];
const TIME_WITHIN_MS = 5_000;
/** A header says whole seconds, and an answer is under way for some. */
const CLOCK_OFF_MS = 10_000;

/** `offsetsMs`: how far this clock is ahead of others, which may lie. */
export function decideClock(offsetsMs: readonly number[], whose: string): Finding {
  const what = 'clock';
  const sorted = offsetsMs.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) {
    return {
      ok: true,
      what,
      detail: `warning: it could be compared with nothing: ${whose} was away`,
    };
  }
  const seconds = Math.round(Math.abs(middle) / 1_000);
  if (Math.abs(middle) <= CLOCK_OFF_MS) {
    return { ok: true, what, detail: `within ${seconds} s of ${whose}` };
  }
  const detail =
    `${seconds} s ${middle > 0 ? 'ahead of' : 'behind'} ${whose}: let the system keep it ` +
    '(timedatectl set-ntp true, or install chrony); prices and signatures are refused by age';
  return { ok: false, what, detail };
}

/** With servers outside, where the settings allow to ask any. */
export async function checkClock(
  { clock }: { readonly clock: Pick<Clock, 'now'> },
  servers: readonly string[] = TIME_SERVERS,
): Promise<Finding> {
  const asked = await Promise.allSettled(servers.map((server) => offsetTo(server, clock)));
  const offsets = asked.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  return decideClock(offsets, 'servers outside');
}

async function offsetTo(server: string, clock: Pick<Clock, 'now'>): Promise<number[]> {
  const before = clock.now().epochMilliseconds;
  const signal = AbortSignal.timeout(TIME_WITHIN_MS);
  const answer = await fetch(server, { method: 'HEAD', redirect: 'manual', signal });
  const after = clock.now().epochMilliseconds;
  const theirs = Date.parse(answer.headers.get('date') ?? '');
  if (Number.isNaN(theirs)) return [];
  // The header is cut to the second that had begun.
  return [(before + after) / 2 - (theirs + 500)];
}

/** A major version gets its last fixes in the November of its fifth year (postgresql.org). */
export function decideVersions(
  major: number,
  database: string,
  today: Temporal.PlainDate,
): Finding {
  const what = 'versions';
  const detail = `Node ${version}, PostgreSQL ${database}`;
  const lastFixes = new Temporal.PlainDate(2012 + major, 11, 30);
  if (Temporal.PlainDate.compare(today, lastFixes) <= 0) return { ok: true, what, detail };
  const advice = `PostgreSQL ${major} gets no more fixes since ${lastFixes.year}: upgrade the server`;
  return { ok: false, what, detail: `${detail}; ${advice}` };
}

/** Where the database runs on another machine, it has a clock of its own. */
export async function checkDatabaseServer(
  db: Reader,
  { clock }: { readonly clock: Pick<Clock, 'now'> },
): Promise<Finding[]> {
  const before = clock.now().epochMilliseconds;
  const [server] = await db.query<{ version: string; major: number; now: Temporal.Instant }>(sql`
    select current_setting('server_version') as version,
      (current_setting('server_version_num')::integer / 10000)::integer as major,
      clock_timestamp() as now`);
  if (server === undefined) return [];
  const middle = (before + clock.now().epochMilliseconds) / 2;
  const offset = middle - server.now.epochMilliseconds;
  const { what, ...told } = decideClock([offset], 'the database');
  const today = clock.now().toZonedDateTimeISO('UTC').toPlainDate();
  return [
    { what: `${what} of database`, ...told },
    decideVersions(server.major, server.version, today),
  ];
}
