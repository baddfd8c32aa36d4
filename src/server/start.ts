// One start of the service: what it is refused for, the database, the roles, what is served, and
// the end of all of it in order.

import { createKeyCache, type KeyCache } from '#access/caller.ts';
import { startServer } from '#api/http/server.ts';
import { systemClock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { systemRandom } from '#base/random.ts';
import { findProxySeen } from '#installation/installation.ts';
import { createDomainCache, type DomainCache } from '#merchant/domain.ts';
import { openListener } from '#postgres/open-listener.ts';
import type { Loop } from '#runtime/loop.ts';
import { openApp } from './app.ts';
import type { Config } from './config.ts';
import { ensureFirstMerchant } from './first-run.ts';
import { type OpenDatabase, openDatabase } from './open-database.ts';
import { refuseOtherChains, refuseTakenPort } from './refuse-start.ts';
import { runRoles } from './run-roles.ts';
import { createSite } from './site.ts';
import { welcome } from './welcome.ts';

/** Where a start says how far it is. */
type Told = {
  readonly say: (line: string) => void;
  /** A person at a terminal reads it, and no log. */
  readonly isSeen: boolean;
};

/**
 * Resolves when all runs, with what stops it.
 * @throws Refusal with one line that says what to do.
 */
export async function startService(
  config: Config,
  log: Log,
  told: Told,
): Promise<() => Promise<void>> {
  if (config.roles.includes('serve')) await refuseTakenPort(config.host, config.port);
  const database = await openDatabase(config, log, (step) => told.say(`  ${step}`));
  const running: Loop[] = [];
  const stop = async () => {
    for (const part of running) await part.stop();
    await database.close();
  };
  try {
    await startRoles(config, log, { told, database, running });
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

type Start = {
  readonly told: Told;
  readonly database: OpenDatabase;
  /** In the order in which it is stopped. */
  readonly running: Loop[];
};

async function startRoles(
  config: Config,
  log: Log,
  { told: { say, isSeen }, database, running }: Start,
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
    running.unshift({ stop, health: () => SERVER_HEALTH });
    const proxySeen = await findProxySeen(app, app.clock.now());
    say(welcome({ config, database, firstRun, port: server.port, isSeen, proxySeen }));
  } else {
    say(`Quittance runs ${config.roles.join(', ')}`);
  }
}

/** Keys and domains are remembered while their changes can be heard. */
function rememberKeys(
  { connection }: OpenDatabase,
  log: Log,
): Loop & { readonly cache: KeyCache; readonly domains: DomainCache } {
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

const SERVER_HEALTH = { name: 'serve', consecutiveFailures: 0, steps: 0 };
