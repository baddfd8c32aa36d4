// The commands of npx quittance trade, and what the trader does while it runs.

import { resolve } from 'node:path';
import { Refusal } from '#base/refusal.ts';
import {
  addAccount,
  openAccounts,
  removeAccount,
  setUpTrader,
  traderFiles,
} from '#trader/key-file.ts';
import { EXCHANGES } from '#trader/open-exchange.ts';
import { readTraderSettings } from '#trader/rules.ts';
import { runTrader } from '#trader/run-trader.ts';
import { readTradeJournal, type TradeLine } from '#trader/trade-journal.ts';
import { type Command, onePositional, textOption, type Values, wholeOption } from './command.ts';
import { type CommandProgram, type Lines, runCommand } from './run-command.ts';
import { firstLine, newSecret } from './secret-input.ts';
import type { SignContext } from './sign-context.ts';
import { providerName } from './treasury-words.ts';

// The trader: its directory, its accounts at exchanges, what it did, and its running.
type TradeContext = Omit<SignContext, 'families'>;
type TradeCommand = Command<TradeContext>;

const DIRECTORY_OPTIONS: TradeCommand['options'] = { directory: { type: 'string' } };
const OPENING_OPTIONS: TradeCommand['options'] = {
  ...DIRECTORY_OPTIONS,
  'passphrase-file': { type: 'string' },
};
const OPENING_USAGE = '[--directory DIR] [--passphrase-file FILE]';
const RESTART = 'A trader that runs knows of it when it is started again.';

/** `--directory`, `TRADER_DIRECTORY`, or `.trader` here. */
function directoryOf({ environment, workingDirectory }: TradeContext, values: Values): string {
  const named = textOption(values, 'directory') ?? environment.TRADER_DIRECTORY ?? '.trader';
  return resolve(workingDirectory, named);
}

async function openDirectory(context: TradeContext, values: Values) {
  const directory = directoryOf(context, values);
  const option = textOption(values, 'passphrase-file');
  const { settings } = traderFiles(directory);
  const path = option ?? readTraderSettings(directory, settings).passphraseFile;
  const passphrase =
    path === undefined
      ? await context.askSecret('Passphrase of the accounts: ')
      : firstLine(resolve(context.workingDirectory, path));
  return { directory, passphrase, random: context.random };
}

const trade: TradeCommand = {
  name: 'trade',
  summary: 'run the trader until it is told to end',
  usage: OPENING_USAGE,
  options: OPENING_OPTIONS,
  async run(context, { positionals, values }) {
    if (positionals.length > 0) {
      throw new Refusal('invalid', 'usage', [`there is no trade ${positionals.join(' ')}`]);
    }
    const { directory, passphrase } = await openDirectory(context, values);
    const { clock, log } = context;
    const onReady = (socket: string) => context.say(`trading at ${socket}`);
    const ended = context.ended();
    await runTrader({ directory, passphrase, clock, log, onReady, ended });
    return { text: 'The trader has ended.', json: { ended: true } };
  },
};

const tradeInit: TradeCommand = {
  name: 'trade init',
  summary: 'make the directory of a trader: no accounts, and rules that allow nothing',
  usage: OPENING_USAGE,
  options: OPENING_OPTIONS,
  async run(context, { values }) {
    const directory = directoryOf(context, values);
    const passphrase = await newSecret(context, values, 'passphrase-file', 'New passphrase');
    setUpTrader({ directory, passphrase, random: context.random });
    const text =
      `${directory} is made. Next: npx quittance trade account add, and its caps in trader.toml.\n` +
      'Nobody can open the keys without the passphrase: keep it where the keys are not.';
    return { text, json: { directory } };
  },
};

const tradeAccountAdd: TradeCommand = {
  name: 'trade account add',
  summary: 'take in the API key of an account at an exchange',
  usage:
    `NAME --exchange ${EXCHANGES.join('|')} [--api-key-file FILE] [--secret-file FILE] ` +
    `[--url URL] ${OPENING_USAGE}`,
  options: {
    ...OPENING_OPTIONS,
    ...{ exchange: { type: 'string' }, url: { type: 'string' } },
    ...{ 'api-key-file': { type: 'string' }, 'secret-file': { type: 'string' } },
  },
  async run(context, { positionals, values }) {
    const provider = providerName(onePositional(positionals, 'a name for the account'));
    const exchange = EXCHANGES.find((name) => name === textOption(values, 'exchange'));
    if (exchange === undefined) {
      throw new Refusal('invalid', 'usage', [`--exchange: one of ${EXCHANGES.join(', ')}`]);
    }
    const url = urlOption(values);
    const opened = await openDirectory(context, values);
    const apiKey = await secretOf(context, values, 'api-key-file', 'API key: ');
    const secret = await secretOf(context, values, 'secret-file', 'Its secret: ');
    addAccount(opened, {
      provider,
      exchange,
      apiKey,
      secret,
      ...(url === undefined ? {} : { url }),
    });
    const text = `${provider} at ${exchange} is added. ${RESTART}`;
    return { text, json: { account: provider, exchange } };
  },
};

function urlOption(values: Values): string | undefined {
  const url = textOption(values, 'url');
  if (url === undefined) return undefined;
  const read = URL.parse(url);
  const isOnThisMachine = read?.hostname === '127.0.0.1' || read?.hostname === 'localhost';
  if (read?.protocol === 'https:' || (read?.protocol === 'http:' && isOnThisMachine)) {
    return read.origin;
  }
  throw new Refusal('invalid', 'usage', ['--url: must be https://, or http:// on this machine']);
}

async function secretOf(
  context: TradeContext,
  values: Values,
  option: string,
  prompt: string,
): Promise<string> {
  const path = textOption(values, option);
  const text =
    path === undefined
      ? await context.askSecret(prompt)
      : firstLine(resolve(context.workingDirectory, path));
  if (text.trim() !== '') return text.trim();
  throw new Refusal('invalid', 'secret_missing', 'nothing was given');
}

const tradeAccountList: TradeCommand = {
  name: 'trade account list',
  summary: 'the accounts, without their keys',
  usage: OPENING_USAGE,
  options: OPENING_OPTIONS,
  async run(context, { values }) {
    const accounts = openAccounts(await openDirectory(context, values)).map(
      ({ provider, exchange, url }) => ({ name: provider, exchange, url: url ?? null }),
    );
    const lines = accounts.map(({ name, exchange, url }) => `${name}  ${exchange}  ${url ?? ''}`);
    return { text: lines.join('\n') || 'There are no accounts.', json: { accounts } };
  },
};

const tradeAccountRemove: TradeCommand = {
  name: 'trade account remove',
  summary: 'forget the API key of an account',
  usage: `NAME ${OPENING_USAGE}`,
  options: OPENING_OPTIONS,
  async run(context, { positionals, values }) {
    const name = onePositional(positionals, 'the name of an account');
    removeAccount(await openDirectory(context, values), name);
    return { text: `${name} is removed. ${RESTART}`, json: { account: name, removed: true } };
  },
};

const tradeLog: TradeCommand = {
  name: 'trade log',
  summary: 'what was sent, refused and withdrawn, the last lines first',
  usage: '[--limit 1-1000] [--directory DIR]',
  options: { ...DIRECTORY_OPTIONS, limit: { type: 'string' } },
  async run(context, { values }) {
    const most = wholeOption(values, 'limit', { initial: 50, least: 1, most: 1_000 });
    const { journal } = traderFiles(directoryOf(context, values));
    const lines = readTradeJournal(journal).lines.slice(-most).reverse();
    return { text: lines.map(lineText).join('\n') || 'Nothing yet.', json: { lines } };
  },
};

function lineText({ at, entry }: TradeLine): string {
  const { kind, ...facts } = entry;
  return `${at}  ${kind}  ${Object.values(facts).join('  ')}`.trimEnd();
}

export const TRADE_COMMANDS: readonly TradeCommand[] = [
  tradeInit,
  tradeAccountAdd,
  tradeAccountList,
  tradeAccountRemove,
  tradeLog,
  trade,
];

/** Gives the exit code. */
export function runTradeCommand(
  args: readonly string[],
  lines: Lines,
  context: TradeContext,
): Promise<number> {
  const program: CommandProgram<TradeContext> = {
    commands: TRADE_COMMANDS,
    about:
      'The directory of the trader is --directory, TRADER_DIRECTORY, or .trader here.\n' +
      'docs/operate/trader.md says what to do in which order.',
  };
  return runCommand(program, args, lines, () => ({ context, close: async () => undefined }));
}
