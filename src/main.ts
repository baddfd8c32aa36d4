// The server: the only file beside the command line that touches the process. Reads settings,
// starts the service, and stops it on a signal.

import process from 'node:process';
import { systemClock } from '#base/clock.ts';
import { type Log, summingLog } from '#base/log.ts';
import { Refusal } from '#base/refusal.ts';
import { readConfig } from '#server/config.ts';
import { readSettingsFile, SETTINGS, SETTINGS_FILE } from '#server/settings.ts';
import { startService } from '#server/start.ts';

/** How often troubles that repeat are looked over, whether it is time to say how often they did. */
const SUM_EVERY_MS = 60_000;

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
  const write = (line: string) => void process.stderr.write(`${line}\n`);
  const { log, tell } = summingLog(write, config.logLevel, systemClock);
  setInterval(() => tell(), SUM_EVERY_MS).unref();
  const stop = await startService(config, log, { say, isSeen: process.stdout.isTTY === true });
  stopOnSignal(() => stop().finally(() => tell(true)), log);
}

function stopOnSignal(stopAll: () => Promise<void>, log: Log): void {
  let isStopping = false;
  const stop = (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info('stopping', { signal });
    stopAll().then(
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
