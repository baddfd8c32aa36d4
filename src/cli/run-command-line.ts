// One command line, from its words to its exit code: beside a running server over the same data, or
// alone.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { jsonLog, type Log } from '#base/log.ts';
import { systemRandom } from '#base/random.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { type App, openApp } from '#server/app.ts';
import { type Config, readConfig } from '#server/config.ts';
import { type OpenDatabase, openDatabase } from '#server/open-database.ts';
import { readSettingsFile } from '#server/settings.ts';
import { allowListAdd, allowListAny, allowListList, allowListRemove } from './allow-list.ts';
import { bankImport } from './bank.ts';
import { bankFiles, bankStatus, sendRelease } from './bank-file.ts';
import { chainRewind } from './chain.ts';
import { checkoutShow } from './checkout.ts';
import { type Command, type CommandContext, parseInput } from './command.ts';
import { custodyExplain, custodyGone, custodyList } from './custody.ts';
import { doctor } from './doctor.ts';
import {
  merchantDomainAdd,
  merchantDomainList,
  merchantDomainRemove,
  merchantDomainVerify,
} from './domain.ts';
import { migrateDatabase, showSettings } from './installation.ts';
import { keyBasic, keyCreate, keyList, keyRevoke, keyRotate } from './key.ts';
import { ledgerVerify } from './ledger.ts';
import { merchantCreate, merchantList, merchantSet } from './merchant.ts';
import {
  merchantPageLogo,
  merchantPageSet,
  merchantPageShow,
  merchantPageUnset,
} from './merchant-page.ts';
import { parkedList, parkedRetry } from './parked.ts';
import { reportExport } from './report.ts';
import { restored } from './restored.ts';
import {
  sandboxExpire,
  sandboxFreeze,
  sandboxMine,
  sandboxPay,
  sandboxReorg,
  sandboxReplace,
} from './sandbox.ts';
import { sendCancel, sendConfirm, sendDraft, sendList, sendShow } from './send.ts';
import { suspenseAssign, suspenseList, suspenseReturn, suspenseWriteOff } from './suspense.ts';
import { webhookSecret } from './webhook.ts';

const COMMANDS: readonly Command[] = [
  merchantCreate,
  merchantList,
  merchantSet,
  merchantPageShow,
  merchantPageSet,
  merchantPageLogo,
  merchantPageUnset,
  merchantDomainAdd,
  merchantDomainVerify,
  merchantDomainList,
  merchantDomainRemove,
  keyCreate,
  keyList,
  keyRotate,
  keyRevoke,
  keyBasic,
  allowListAdd,
  allowListRemove,
  allowListAny,
  allowListList,
  checkoutShow,
  webhookSecret,
  bankImport,
  bankStatus,
  bankFiles,
  ledgerVerify,
  reportExport,
  parkedList,
  parkedRetry,
  sendList,
  sendShow,
  sendDraft,
  sendRelease,
  sendConfirm,
  sendCancel,
  custodyList,
  custodyExplain,
  custodyGone,
  suspenseList,
  suspenseAssign,
  suspenseReturn,
  suspenseWriteOff,
  sandboxPay,
  sandboxMine,
  sandboxReplace,
  sandboxReorg,
  sandboxExpire,
  sandboxFreeze,
  migrateDatabase,
  chainRewind,
  restored,
  doctor,
  showSettings,
];

export type Terminal = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What relative paths of settings begin at. */
  readonly directory: string;
  /** Both get whole lines, without their end. */
  say(text: string): void;
  complain(text: string): void;
  /** What a person who watches may see of a long command. */
  onProgress(step: string): void;
};

/** Gives the exit code. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const { say, complain } = terminal;
  const words = args.filter((word) => !word.startsWith('-'));
  const command = COMMANDS.find(({ name }) => words.slice(0, wordCount(name)).join(' ') === name);
  if (command === undefined) {
    const wantsHelp = args.length === 0 || args.includes('--help');
    if (wantsHelp) say(helpText(words[0]));
    else complain(`quittance: no such command: ${words.join(' ')}\n\n${helpText(undefined)}`);
    return wantsHelp ? 0 : 2;
  }
  if (args.includes('--help')) {
    say(
      `npx quittance ${command.name} ${command.usage}\n\n${command.summary}\n\n  --json   one JSON object on the last line`,
    );
    return 0;
  }
  const isJson = args.includes('--json');
  const opened = createContext(terminal);
  try {
    const input = parseInput(command, withoutName(args, command.name));
    const result = await command.run(opened.context, input);
    say(isJson ? JSON.stringify(result.json) : result.text);
    return result.exitCode ?? 0;
  } catch (error) {
    const { message, code, exitCode } = describe(error);
    if (isJson) say(JSON.stringify({ error: { code, message } }));
    complain(`quittance ${command.name}: ${message}`);
    if (code === 'usage') complain(`usage: npx quittance ${command.name} ${command.usage}`);
    return exitCode;
  } finally {
    await opened.close();
  }
}

function wordCount(name: string): number {
  return name.split(' ').length;
}

function withoutName(args: readonly string[], name: string): string[] {
  const left = name.split(' ');
  return args.filter((word) => {
    if (left[0] !== word) return true;
    left.shift();
    return false;
  });
}

type Opened = { readonly context: CommandContext; close(): Promise<void> };

function createContext({ environment, directory, complain, onProgress }: Terminal): Opened {
  let database: Promise<OpenDatabase> | undefined;
  let app: Promise<App> | undefined;
  const log = jsonLog(complain, 'error', systemClock);
  const config = () => readConfig({ environment, file: readSettingsFile(environment), directory });
  // `doctor` looks; a key file it made would fit nothing.
  const parts = { clock: systemClock, random: systemRandom, log, createsKeyFile: false };
  const context: CommandContext = {
    environment,
    onProgress,
    openDatabase() {
      database ??= openKnownDatabase(config(), log, complain);
      return database;
    },
    openApp() {
      app ??= context.openDatabase().then(({ db }) => openApp(config(), { ...parts, db }));
      return app;
    },
  };
  return {
    context,
    async close() {
      const [openedApp] = await Promise.allSettled([app]);
      if (openedApp.status === 'fulfilled' && openedApp.value !== undefined) {
        await Promise.all([...openedApp.value.networks.values()].map((one) => one.close()));
      }
      const [openedDatabase] = await Promise.allSettled([database]);
      if (openedDatabase.status === 'fulfilled') await openedDatabase.value?.close();
    },
  };
}

/** A command in the wrong place must not make a database there, and answer from that. */
async function openKnownDatabase(
  config: Config,
  log: Log,
  complain: Terminal['complain'],
): Promise<OpenDatabase> {
  const { databaseUrl, dataDirectory } = config;
  if (databaseUrl === undefined && !existsSync(join(dataDirectory, 'postgres', 'cluster'))) {
    throw new Refusal('conflict', 'database_missing', [
      `there is no database in ${dataDirectory}: set DATA_DIR to where the server keeps its ` +
        'data, or start it there first (npm start)',
    ]);
  }
  return openDatabase(config, log, complain);
}

function describe(error: unknown): { message: string; code: string; exitCode: number } {
  if (error instanceof Refusal) {
    const exitCode = error.code === 'usage' ? 2 : 1;
    return { message: error.details.join('; '), code: error.code, exitCode };
  }
  if (error instanceof Outage) {
    return { message: `${error.message}`, code: 'outage', exitCode: 1 };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { message, code: 'internal', exitCode: 1 };
}

function helpText(group: string | undefined): string {
  const listed = COMMANDS.filter(({ name }) => group === undefined || name.startsWith(`${group} `));
  const rows = (listed.length === 0 ? COMMANDS : listed).map(
    ({ name, summary }) => `  ${name.padEnd(23)} ${summary}`,
  );
  return [
    'npx quittance COMMAND [options]',
    '',
    ...rows,
    '',
    '  --help   of a command: its arguments',
    '  --json   one JSON object on the last line of the output',
    '',
    'Works beside a running server over the same DATA_DIR or DATABASE_URL, or alone.',
  ].join('\n');
}
