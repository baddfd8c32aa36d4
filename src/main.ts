// The server: the only file beside the command line that touches the process. Reads settings, opens
// database and app, starts the roles, stops them in order on a signal.

import process from 'node:process';
import { createKeyCache, type KeyCache } from '#account/caller.ts';
import { createDomainCache, type DomainCache } from '#account/domain.ts';
import { startServer } from '#api/http/server.ts';
import { systemClock } from '#base/clock.ts';
import { jsonLog, type Log } from '#base/log.ts';
import { systemRandom } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { openListener } from '#db/open-listener.ts';
import { openApp } from '#server/app.ts';
import { type Config, readConfig, SETTINGS } from '#server/config.ts';
import { ensureFirstMerchant } from '#server/first-run.ts';
import { type OpenDatabase, openDatabase } from '#server/open-database.ts';
import { findProxySeen } from '#server/proxy-advice.ts';
import { refuseOtherChains } from '#server/refuse-other-chains.ts';
import { refuseTakenPort } from '#server/refuse-taken-port.ts';
import { runRoles, type Stoppable } from '#server/run-roles.ts';
import { readSettingsFile, SETTINGS_FILE } from '#server/settings-file.ts';
import { createSite } from '#server/site.ts';
import { welcome } from '#server/welcome.ts';

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function main(): Promise<void> {
  if (process.argv.includes('--help')) return say(helpText());
  const config = readConfig({
    environment: process.env,
    file: readSettingsFile(process.env),
    directory: process.cwd(),
  });
  const log = jsonLog((line) => process.stderr.write(`${line}\n`), config.logLevel, systemClock);
  if (config.roles.includes('serve')) await refuseTakenPort(config.host, config.port);
  const database = await openDatabase(config, log, (step) => say(`  ${step}`));
  const running: Stoppable[] = [];
  try {
    await serve(config, log, database, running);
  } catch (error) {
    await stopAll(running, database);
    throw error;
  }
}

async function serve(
  config: Config,
  log: Log,
  database: OpenDatabase,
  running: Stoppable[],
): Promise<void> {
  const keys = rememberKeys(database, log);
  const app = await openApp(config, {
    db: database.db,
    clock: systemClock,
    random: systemRandom,
    log,
    keyCache: keys.cache,
    domainCache: keys.domains,
  });
  running.push(keys);
  await refuseOtherChains(app);
  await app.givenOut.settleFromRecord();
  running.push(...runRoles(app));
  if (config.roles.includes('serve')) {
    const firstRun = await ensureFirstMerchant(app);
    const site = createSite(app, running);
    const server = await startServer({
      fetch: site,
      port: config.port,
      host: config.host,
      random: systemRandom,
      log,
    });
    const stop = () => {
      // Open pages come again; their streams must not hold up the end.
      app.changes.end();
      return server.close();
    };
    running.unshift({ stop, health: () => serverHealth });
    const isSeen = process.stdout.isTTY === true;
    const proxySeen = await findProxySeen(app, app.clock.now());
    say(welcome({ config, database, firstRun, port: server.port, isSeen, proxySeen }));
  } else {
    say(`Quittance runs ${config.roles.join(', ')}`);
  }
  stopOnSignal(running, database, log);
}

/** Keys and domains are remembered while their changes can be heard. */
function rememberKeys(
  { connection }: OpenDatabase,
  log: Log,
): Stoppable & { readonly cache: KeyCache; readonly domains: DomainCache } {
  const forget = () => {
    cache.forgetAll();
    domains.forgetAll();
  };
  const listener = openListener({
    connection,
    channel: 'key_change',
    clock: systemClock,
    log,
    onNotice: forget,
    onLost: forget,
  });
  const cache = createKeyCache(systemClock, () => listener.isHearing());
  const domains = createDomainCache(() => listener.isHearing());
  return { cache, domains, stop: () => listener.close(), health: () => listener.health() };
}

const serverHealth = { name: 'serve', consecutiveFailures: 0, steps: 0 };

async function stopAll(running: readonly Stoppable[], database: OpenDatabase): Promise<void> {
  for (const part of running) await part.stop();
  await database.close();
}

function stopOnSignal(running: readonly Stoppable[], database: OpenDatabase, log: Log): void {
  let isStopping = false;
  const stop = (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info('stopping', { signal });
    stopAll(running, database).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error('stopping failed', { error });
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
}

function helpText(): string {
  const rows = SETTINGS.map(
    ({ name, about, initial }) =>
      `  ${name.padEnd(26)} ${about}${initial === '' ? '' : ` (${initial})`}`,
  );
  return `npm start: serves Quittance.\n\nSettings, by environment or in ${SETTINGS_FILE} (NAME=value):\n${rows.join('\n')}`;
}

main().catch((error: unknown) => {
  if (error instanceof Refusal) {
    process.stderr.write(`Quittance cannot start: ${error.details.join('; ')}\n`);
  } else {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    process.stderr.write(`Quittance cannot start: ${message}\n${stack ?? ''}\n`);
  }
  process.exit(1);
});
