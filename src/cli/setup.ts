// An interview that ends in a settings file. Guarantees: nothing is written before the service
// would take all of it, and nothing that stands there is replaced unless somebody says so; what it
// said is kept beside it. What the checks find is told and does not keep it from being written: a
// domain is often added an hour later.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { Outage, Refusal } from '#base/refusal.ts';
import { checkDatabaseServer } from '#checkup/check-machine.ts';
import { checkUp } from '#checkup/check-up.ts';
import type { Finding } from '#checkup/finding.ts';
import { openDb } from '#db/db.ts';
import { openNetworks } from '#networks/families.ts';
import { dbIsDurable } from '#postgres/postgres-server.ts';
import { replacePrivateFile } from '#runtime/private-file.ts';
import { type Config, readConfig } from '#server/config.ts';
import { adviceOn } from '#server/look-over.ts';
import { collectValues, SETTINGS_FILE } from '#server/settings.ts';
import type { Command, CommandContext, Values } from './command.ts';
import { textOption } from './command.ts';
import { type Answers, interview, withDomain } from './interview.ts';
import { settingsText } from './write-settings.ts';

export const setup: Command = {
  name: 'setup',
  summary: 'ask what is needed, check it, write the settings file',
  usage:
    '[--yes] [--domain NAME] [--set NAME=value]... [--file PATH] [--replace] [--no-checks]\n' +
    '  --yes        ask nothing: what stands there, and what is set here\n' +
    '  --set        any setting of `npx quittance settings`; empty: not set any more\n' +
    '  --file       where to write (quittance.conf here)\n' +
    '  --replace    with --yes: write although the file is there and says something else\n' +
    '  --no-checks  ask no server whether it answers',
  options: {
    yes: { type: 'boolean' },
    domain: { type: 'string' },
    set: { type: 'string', multiple: true },
    file: { type: 'string' },
    replace: { type: 'boolean' },
    'no-checks': { type: 'boolean' },
  },
  async run(context, { values }) {
    const file = resolve(context.directory, fileOf(context, values));
    const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    const answers = await answersOf(context, values, { file, before });
    const text = settingsText(before, answers);
    const config = readConfig({
      environment: { ...context.environment, QUITTANCE_CONFIG: file },
      file: text,
      directory: context.directory,
    });
    const findings = values['no-checks'] === true ? [] : await checkAll(config, context.onProgress);
    const written = await write(context, values, { file, before, text, findings });
    return resultOf({ file, before, text, findings, written });
  },
};

function fileOf({ environment }: CommandContext, values: Values): string {
  return textOption(values, 'file') ?? environment.QUITTANCE_CONFIG ?? SETTINGS_FILE;
}

type Place = { readonly file: string; readonly before: string | undefined };

async function answersOf(
  { terminal, directory }: CommandContext,
  values: Values,
  { file, before }: Place,
): Promise<Answers> {
  const faults: string[] = [];
  const answers: Answers = collectValues({ environment: {}, file: before }, faults);
  const domain = textOption(values, 'domain');
  if (domain !== undefined) withDomain(answers, domain);
  const set = values.set as unknown as readonly string[] | undefined;
  for (const pair of set ?? []) {
    const at = pair.indexOf('=');
    if (at < 1) throw new Refusal('invalid', 'usage', [`--set: must be NAME=value, not "${pair}"`]);
    answers.set(pair.slice(0, at).trim(), pair.slice(at + 1).trim());
  }
  if (values.yes === true) return answers;
  if (terminal === undefined) {
    throw new Refusal('invalid', 'usage', [
      'nobody can be asked here: --yes takes what is set, with --domain and --set',
    ]);
  }
  const keepPassword = (password: string) => {
    const kept = join(dirname(file), 'smtp-password');
    replacePrivateFile(kept, `${password}\n`);
    return kept;
  };
  await interview(terminal, answers, { directory, keepPassword });
  return answers;
}

/** All that can be asked before there is a database of ours. */
async function checkAll(config: Config, onProgress: (step: string) => void): Promise<Finding[]> {
  onProgress('asking servers, networks, the database …');
  const found = await Promise.all([
    checkUp(config, { clock: systemClock, isRunning: false }),
    checkDatabase(config),
    checkNodes(config),
  ]);
  return found.flat();
}

const NODE_WITHIN_MS = 15_000;

async function checkDatabase({
  databaseUrl,
  databaseOwnerUrl,
  databaseDirectUrl,
}: Config): Promise<readonly Finding[]> {
  const what = 'database';
  const connectionString = databaseOwnerUrl ?? databaseDirectUrl ?? databaseUrl;
  if (connectionString === undefined) {
    return [{ ok: true, what, detail: 'the embedded PostgreSQL, made at the first start' }];
  }
  const db = openDb({ connectionString, poolSize: 1, log: silentLog });
  try {
    const faults = await dbIsDurable(db);
    const detail = faults.length === 0 ? 'DATABASE_URL answers and is durable' : faults.join('; ');
    const server = await checkDatabaseServer(db, { clock: systemClock });
    return [{ ok: faults.length === 0, what, detail }, ...server];
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    const detail = `${error.message}: is DATABASE_URL right, and does the server let this machine in?`;
    return [{ ok: false, what, detail }];
  } finally {
    await db.close();
  }
}

/** Whether each node is of the chain that the settings say. Banks have none. */
async function checkNodes(config: Config): Promise<Finding[]> {
  // Nothing is read or written: there may be no database yet.
  const db = openDb({ connectionString: 'postgres://127.0.0.1:1/', poolSize: 1, log: silentLog });
  const parts = { db, clock: systemClock, log: silentLog };
  try {
    const opened = openNetworks({ ...config.networks, bank: [] }, parts);
    return await Promise.all(
      opened.map(async ({ network }): Promise<Finding> => {
        const what = network.chain;
        const late = new AbortController();
        try {
          await Promise.race([network.checkIdentity(), tooLate(late.signal)]);
          const { description, nodeVersion = '' } = network.health();
          return { ok: true, what, detail: `${description} ${nodeVersion}`.trim() };
        } catch (error) {
          return { ok: false, what, detail: adviceOn(error) };
        } finally {
          late.abort();
          await network.close();
        }
      }),
    );
  } finally {
    await db.close();
  }
}

async function tooLate(signal: AbortSignal): Promise<never> {
  await systemClock.sleep(NODE_WITHIN_MS, signal);
  throw new Error(`no answer within ${NODE_WITHIN_MS / 1_000} s`);
}

type Outcome = Place & { readonly text: string; readonly findings: readonly Finding[] };

/** Whether it was. @throws Refusal where something else stands there and nobody said so. */
async function write(
  { terminal }: CommandContext,
  values: Values,
  { file, before, text, findings }: Outcome,
): Promise<boolean> {
  if (before === text) return false;
  if (values.yes !== true && terminal !== undefined) {
    if (findings.length > 0) terminal.say(`\n${findings.map(lineOf).join('\n')}`);
    const verb = before === undefined ? 'Write' : 'Replace';
    const kept = before === undefined ? '' : ` (what it says now is kept as ${file}.old)`;
    const answer = await terminal.ask(`\n${verb} ${file}${kept}? [y/N]: `);
    if (!/^y(?:es)?$/i.test(answer.trim())) {
      throw new Refusal('conflict', 'not_written', ['nothing was written']);
    }
  } else if (before !== undefined && values.replace !== true) {
    throw new Refusal('conflict', 'settings_exist', [
      `${file} is there and says something else: --replace writes it, and keeps the old as ${file}.old`,
    ]);
  }
  if (before !== undefined) replacePrivateFile(`${file}.old`, before);
  replacePrivateFile(file, text);
  return true;
}

function lineOf({ ok, what, detail }: Finding): string {
  return `${ok ? 'ok  ' : 'BAD '} ${what.padEnd(18)} ${detail}`;
}

function resultOf({ file, text, findings, written }: Outcome & { readonly written: boolean }) {
  const bad = findings.filter(({ ok }) => !ok);
  const todo =
    bad.length === 0
      ? ['Next: npm start']
      : [
          `${bad.length} of ${findings.length} checks want something, see above. ` +
            'Again at any time: npx quittance doctor',
          'Next: npm start',
        ];
  const said = written ? `Written: ${file}` : `${file} says so already; nothing was written.`;
  const names = [...collectValues({ environment: {}, file: text }, []).keys()];
  return {
    text: [...findings.map(lineOf), '', said, ...todo].join('\n'),
    json: { ok: bad.length === 0, file, written, settings: names, findings },
    exitCode: bad.length === 0 ? 0 : 1,
  };
}
