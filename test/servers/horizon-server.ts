// Horizon over the ledgers of a fake network, in a process of its own that ends with this one. It
// reads what everybody holds from an archive and each later ledger as stellar-core would give it; its
// tables are made by itself in a database of its own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { ConnectionSettings } from '#postgres/postgres-server.ts';
import type { FakeStellar } from '#test/fakes/stellar-ledger.ts';
import { closeFirst, newEmptyDatabase } from '#test/support/test-database.ts';
import { archiveState, bucketOf, copyHoldings, ledgerMeta } from './ledger-meta.ts';

export type RealHorizon = {
  readonly url: string;
  /** Hands over the ledgers that closed since, and waits until Horizon shows them. */
  publish(): Promise<void>;
  /** As people read it, for a test that fails. */
  said(): string;
  close(): Promise<void>;
};

/** Horizon's own settings, by the names its documentation has. */
export type HorizonSettings = Readonly<Record<string, string>>;

const withinMs = 240_000;
/** How many ledgers lie between two checkpoints of an archive. */
const frequency = 64;

/** Whatever anybody holds now is in the archive: no transaction waits, and some ledgers will close. */
export async function startHorizon(
  stellar: FakeStellar,
  settings: HorizonSettings = {},
): Promise<RealHorizon> {
  const program = process.env.QUITTANCE_TEST_HORIZON_SERVER;
  assert(program !== undefined, 'QUITTANCE_TEST_HORIZON_SERVER is not set: npm run test:servers');
  const directory = await mkdtemp(join(tmpdir(), 'quittance-horizon-'));
  const database = await newEmptyDatabase();
  const file = (name: string) => join(directory, name);
  const held = await writeArchive(stellar, file('archive'));
  let written = stellar.ledgers.length - 1;
  // Of the checkpoint Horizon has the state alone: its history begins with the next ledger.
  stellar.close();
  await writeFile(file('ledgers'), '');
  const core = file('stellar-core');
  await symlink(program, core);
  await writeFile(file('core.cfg'), coreSettings(stellar.passphrase));
  const child = spawn(program, [], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      QUITTANCE_LEDGERS: file('ledgers'),
      DATABASE_URL: postgresUrl(database.connection),
      APPLY_MIGRATIONS: 'true',
      INGEST: 'true',
      INGEST_DISABLE_STATE_VERIFICATION: 'true',
      NETWORK_PASSPHRASE: stellar.passphrase,
      HISTORY_ARCHIVE_URLS: `file://${file('archive')}`,
      STELLAR_CORE_BINARY_PATH: core,
      STELLAR_CORE_URL: 'http://127.0.0.1:11626',
      CAPTIVE_CORE_CONFIG_PATH: file('core.cfg'),
      CAPTIVE_CORE_STORAGE_PATH: file('core'),
      CAPTIVE_CORE_HTTP_PORT: '0',
      PER_HOUR_RATE_LIMIT: '0',
      ...settings,
    },
  });
  let said = '';
  child.stdout.setEncoding('utf8');
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (!line.includes(' request" ')) said = `${said}${line}\n`.slice(-200_000);
  });
  const ended = once(child, 'exit');
  const [port] = (await once(child.stdout, 'data', { signal: AbortSignal.timeout(withinMs) })) as [
    string,
  ];
  const url = `http://127.0.0.1:${port.trim()}`;

  async function publish(): Promise<void> {
    for (const ledger of stellar.ledgers.slice(written)) {
      await appendFile(file('ledgers'), ledgerMeta(ledger, held, stellar.passphrase));
      written += 1;
    }
    const last = stellar.ledgers.at(-1)?.sequence ?? 0;
    const until = performance.now() + withinMs;
    while ((await newestOf(url)) < last) {
      const isOver = performance.now() > until || child.exitCode !== null;
      assert(!isOver, `Horizon does not show ledger ${last}:\n${said.slice(-4_000)}`);
      await wait(100);
    }
  }

  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= end();
    return closing;
  };
  // The database of a test ends with its file; what stands on it ends before.
  closeFirst(close);

  async function end(): Promise<void> {
    // The end of its standard input is its end.
    child.stdin.end();
    if (child.exitCode === null && child.signalCode === null) await ended;
    await database.close();
    await rm(directory, { recursive: true, force: true });
  }

  try {
    await publish();
  } catch (error) {
    await close();
    throw error;
  }
  return { url, publish, close, said: () => said };
}

/** The driver of Horizon takes a directory for a socket only where no host is named. */
function postgresUrl({ host, port, user, password, database }: ConnectionSettings): string {
  const parameters = new URLSearchParams({ host, port: String(port), sslmode: 'disable' });
  return `postgres://${user}:${password}@/${database}?${parameters}`;
}

/** The newest ledger that it shows; 0 while it shows none. */
async function newestOf(url: string): Promise<number> {
  try {
    const response = await fetch(url);
    const root = (await response.json()) as { history_latest_ledger?: number };
    return response.ok ? Number(root.history_latest_ledger ?? 0) : 0;
  } catch {
    return 0;
  }
}

/** Closes ledgers up to the next checkpoint, whose state the archive has. */
async function writeArchive(stellar: FakeStellar, archive: string) {
  const next = () => (stellar.ledgers.at(-1)?.sequence ?? 0) + 1;
  while ((next() + 1) % frequency !== 0) stellar.close();
  const sequence = next();
  const held = copyHoldings(stellar.accounts);
  const bucket = bucketOf(held, sequence);
  const { state, bucketHash, listHash } = archiveState(bucket, sequence, stellar.passphrase);
  stellar.close(listHash);
  const json = JSON.stringify(state);
  const hex = sequence.toString(16).padStart(8, '0');
  await write(join(archive, '.well-known', 'stellar-history.json'), json);
  await write(join(archive, 'history', ...inPairs(hex), `history-${hex}.json`), json);
  const name = `bucket-${bucketHash}.xdr.gz`;
  await write(join(archive, 'bucket', ...inPairs(bucketHash), name), gzipSync(bucket));
  return held;
}

function inPairs(hex: string): string[] {
  return [hex.slice(0, 2), hex.slice(2, 4), hex.slice(4, 6)];
}

async function write(file: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

/** Nobody is asked for a vote: what stands in for stellar-core has no peers. */
function coreSettings(passphrase: string): string {
  return `NETWORK_PASSPHRASE=${JSON.stringify(passphrase)}
UNSAFE_QUORUM=true
FAILURE_SAFETY=0
[QUORUM_SET]
THRESHOLD_PERCENT=100
VALIDATORS=["GDKXE2OZMJIPOSLNA6N6F2BVCI3O777I2OOC4BV7VOYUEHYX7RTRYA7Y nobody"]
`;
}
