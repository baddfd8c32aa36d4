// One start of the service: what it is refused for, the database, the roles, what is served, and
// the end of all of it in order.

import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { basicValue } from '#access/api-key.ts';
import { createKeyCache, type KeyCache } from '#access/caller.ts';
import { addressAllowed } from '#access/ip-address.ts';
import { type Answered, startServer } from '#api/http/server.ts';
import { type Clock, systemClock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { systemRandom } from '#base/random.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import type { Watcher } from '#deposit/network.ts';
import { findProxySeen, notePublicUrl, type ProxySeen } from '#installation/installation.ts';
import { createDomainCache, type DomainCache } from '#merchant/domain.ts';
import { openListener } from '#postgres/open-listener.ts';
import type { Loop } from '#runtime/loop.ts';
import { openTracer } from '#tracing/open-tracer.ts';
import type { Tracer } from '#tracing/trace.ts';
import { type App, openApp } from './app.ts';
import type { Config } from './config.ts';
import { createFacts } from './facts.ts';
import { ensureFirstMerchant, type FirstRun, firstKeyFile } from './first-run.ts';
import { createRequestLines } from './log-requests.ts';
import { startBackups } from './make-backups.ts';
import { startIncrements } from './make-increments.ts';
import { type OpenDatabase, openDatabase } from './open-database.ts';
import { createProbes, type Probes } from './probes.ts';
import { proxyAdvice } from './proxy-advice.ts';
import { runRoles } from './run-roles.ts';
import { createSite } from './site.ts';
import { traceRequests } from './trace-requests.ts';
import { VERSION } from './version.ts';
import { startWatchPort } from './watch-port.ts';
import { createMetrics } from './write-metrics.ts';

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
  if (config.roles.includes('serve')) {
    await refuseTakenPort({ setting: 'PORT', host: config.host, port: config.port });
  }
  if (config.metrics !== undefined) {
    await refuseTakenPort({ setting: 'METRICS_PORT', ...config.metrics });
  }
  const database = await openDatabase(config, log, (step) => told.say(`  ${step}`));
  const tracer = config.traces && (await openTracer(config.traces, { log, version: VERSION }));
  const running: Loop[] = [];
  let probes: Probes | undefined;
  const stop = async () => {
    probes?.end();
    for (const part of running) await part.stop();
    await database.close();
    await tracer?.close();
  };
  try {
    probes = await startRoles(config, log, { told, database, running, tracer });
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
  readonly tracer: Tracer | undefined;
};

async function startRoles(
  config: Config,
  log: Log,
  { told: { say, isSeen }, database, running, tracer }: Start,
): Promise<Probes> {
  const keys = rememberKeys(database, log);
  const app = await openApp(config, {
    db: database.db,
    reads: database.reads,
    clock: systemClock,
    random: systemRandom,
    log,
    keyCache: keys.cache,
    domainCache: keys.domains,
    tracer,
  });
  running.push(keys);
  await refuseOtherChains(app);
  await app.givenOut.settleFromRecord();
  running.push(...runRoles(app), ...startBackups(app, database), ...startIncrements(app, database));
  const probes = createProbes(app, running);
  // The last to be stopped: until then it says how the rest ends.
  if (config.metrics !== undefined) {
    const metrics = createMetrics(app, running, { look: createFacts(app), version: VERSION });
    running.push(await startWatchPort(app, config.metrics, { probes, metrics }));
  }
  if (config.roles.includes('serve')) {
    const firstRun = await ensureFirstMerchant(app);
    const site = createSite(app, running, probes);
    const server = await startServer({
      ...(tracer === undefined ? site : { fetch: traceRequests(tracer, site.fetch) }),
      port: config.port,
      host: config.host,
      random: systemRandom,
      log,
      keptLonger: {
        isFrom: (address) => addressAllowed(config.trustedProxies, address),
        idleMs: config.proxyKeepAliveSeconds * 1_000,
      },
      onAnswered: answerTeller(app),
    });
    const stop = async () => {
      // Whoever shares out requests asks /ready, and sends none here any more.
      server.drain();
      await pause(config.drainSeconds * 1_000);
      // Open pages come again; their streams must not hold up the end.
      app.changes.end();
      await server.close();
    };
    running.unshift({ stop, health: () => SERVER_HEALTH });
    await notePublicUrl(app, servedAt(config, server.port));
    const proxySeen = await findProxySeen(app, app.clock.now());
    say(welcome({ config, database, firstRun, port: server.port, isSeen, proxySeen }));
  } else {
    say(`Quittance runs ${config.roles.join(', ')}`);
  }
  return probes;
}

/** Each request is counted, and has its line. */
function answerTeller(app: App): (answered: Answered) => void {
  const say = createRequestLines(app, app.config.requestLinesASecond);
  return (answered) => {
    app.meters.noteAnswer(answered);
    say(answered);
  };
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

/** With the port that was found, where any would do. */
function servedAt({ publicUrl }: Config, port: number): string {
  return publicUrl.replace(/:0$/, `:${port}`);
}

const SERVER_HEALTH = { name: 'serve', consecutiveFailures: 0, steps: 0 };

// What the operator reads when the service is up: where everything is, and on the first start a key
// and a line to paste.
type WelcomeFacts = {
  readonly config: Config;
  readonly database: OpenDatabase;
  readonly firstRun: FirstRun;
  readonly port: number;
  /** A person at a terminal reads it, and no log. */
  readonly isSeen: boolean;
  /** Noted by a server before this start. */
  readonly proxySeen: ProxySeen | undefined;
};

function welcome(facts: WelcomeFacts): string {
  const { config, database, port } = facts;
  const here = servedAt(config, port);
  const lines = [
    '',
    `Quittance is serving at ${here}`,
    '',
    `  API        ${here}/api/v1`,
    `  manual     ${here}/docs`,
    `  health     ${here}/health`,
    `  dashboard  ${here}/dashboard`,
    ...(config.demo ? [`  demo shop  ${here}/demo`] : []),
    `  database   ${database.description}`,
    `  data       ${config.dataDirectory}`,
    '',
  ];
  const advice = proxyAdvice(config, facts.proxySeen);
  if (advice !== undefined) lines.push(`  proxy      ${advice}`, '');
  lines.push(...keyLines(facts, here));
  lines.push('Stop with Ctrl-C.', '');
  return lines.join('\n');
}

function keyLines({ config, firstRun, isSeen }: WelcomeFacts, here: string): string[] {
  const { merchantName, testKey, secret, link } = firstRun;
  const head = [`  merchant   ${merchantName}`, `  test key   ${testKey ?? '(none)'}`];
  if (secret === undefined || testKey === undefined) {
    return [...head, '  new key    npx quittance key create --environment test', ''];
  }
  const file = firstKeyFile(config.dataDirectory);
  if (!isSeen) {
    const line = `  secret     in ${file}, which only you can read, with the link to the dashboard`;
    return [...head, line, ''];
  }
  return [
    ...head,
    `  secret     ${secret}   (shown this once, kept in ${file})`,
    '',
    'Your way into the dashboard, once, within seven days:',
    '',
    `  ${link?.replace(config.publicUrl, here)}`,
    '',
    ...(config.sandbox
      ? ['Create a checkout and open the url it answers with:', '', curlLine(here, testKey, secret)]
      : ['Test keys find nothing to try until you set SANDBOX=on.']),
    '',
  ];
}

/** Test keys accept X-Basic, a static value: enough to try it by hand. */
function curlLine(url: string, key: string, secret: string): string {
  const body = {
    charge: {
      billingCurrency: 'EUR',
      lineItems: [{ description: 'A good book', netAmount: '19.90' }],
    },
  };
  const header = `X-Basic: ${basicValue(key, secret)}`;
  return `curl -s ${url}/api/v1/checkout/hosted -H '${header}' -d '${JSON.stringify(body)}'`;
}

// What a start is refused for before anything is served: a port that cannot be had, and a node of
// another chain.

type Place = { readonly setting: string; readonly host: string; readonly port: number };

/** A server that was told to stop a moment ago may still be finishing. */
const TRIES = 8;
const TRY_AGAIN_MS = 250;
const ANSWER_WITHIN_MS = 5_000;

/**
 * Looks whether the port can be had before anything else is started, so that the answer comes at
 * once.
 * @throws Refusal with one line.
 */
async function refuseTakenPort(place: Place): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const error = await tryPort(place.host, place.port);
    if (error === undefined) return;
    if (error.code !== 'EADDRINUSE' || attempt === TRIES) {
      throw new Refusal('conflict', 'port_unavailable', [reason(place, error)]);
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

function reason({ setting, host, port }: Place, error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `port ${port} is taken: stop what listens there, or choose another with ${setting}`;
    case 'EACCES':
      return `port ${port} may not be opened by this user: choose one above 1023 with ${setting}`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${setting.replace('PORT', 'HOST')} ${host} is not an address of this machine`;
    default:
      return `cannot listen on ${host} port ${port}: ${String(error)}`;
  }
}

type OtherChainsApp = {
  readonly networks: ReadonlyMap<string, Watcher>;
  readonly clock: Clock;
  readonly log: Log;
};

/**
 * Asks every configured node which chain it follows before anything is offered or watched: with a
 * node of another chain a customer would be shown an address that nobody watches. A node that is
 * away or slow is no reason not to start; whoever watches it asks again.
 * @throws Refusal of the first node that is of another chain.
 */
async function refuseOtherChains(app: OtherChainsApp): Promise<void> {
  await Promise.all([...app.networks.values()].map((network) => checkInTime(app, network)));
}

async function checkInTime({ clock, log }: OtherChainsApp, network: Watcher): Promise<void> {
  const { chain } = network;
  const answered = new AbortController();
  const patience = clock.sleep(ANSWER_WITHIN_MS, answered.signal).then(
    () => log.warn('the node does not answer yet', { chain }),
    () => {},
  );
  try {
    await Promise.race([network.checkIdentity(), patience]);
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    log.warn('the node is away', { chain, reason: error.message });
  } finally {
    answered.abort();
  }
}
