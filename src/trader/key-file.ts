// The accounts at exchanges whose keys the trader holds, in a file under a passphrase. Guarantees:
// the file is only read when nobody but its owner can read it; what was changed in it without the
// passphrase is refused.

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Random } from '#base/random.ts';
import { Refusal } from '#base/refusal.ts';
import { makeDirectory, readPrivateFile, replacePrivateFile } from '#runtime/private-file.ts';
import {
  openSealedText,
  SEALED_TEXT,
  type SealCost,
  STRONG_SEAL,
  sealWithPassphrase,
} from '#runtime/sealed-text.ts';
import { FIRST_TRADER_SETTINGS } from './rules.ts';

const ACCOUNT = z.strictObject({
  /** How the service calls it: `custody:<provider>`. */
  provider: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/),
  /** How ccxt calls the exchange. */
  exchange: z.string(),
  apiKey: z.string().min(1),
  secret: z.string().min(1),
  /** Another address of the exchange than its usual one. */
  url: z.string().optional(),
});
export type ExchangeAccount = z.infer<typeof ACCOUNT>;

const SECRETS = z.strictObject({ accounts: z.array(ACCOUNT) });
const KEY_FILE = z.object({ version: z.literal(1), sealed: SEALED_TEXT });

const SIZE_MAX = 1024 * 1024;
const LABEL = 'accounts at exchanges';

type TraderDirectory = {
  readonly directory: string;
  readonly passphrase: string;
  readonly random: Random;
  /** STRONG_SEAL unless given. */
  readonly cost?: SealCost;
};

/** The files of a trader, by its directory. */
export function traderFiles(directory: string) {
  return {
    keys: join(directory, 'keys.json'),
    settings: join(directory, 'trader.toml'),
    journal: join(directory, 'journal.jsonl'),
    lock: join(directory, 'lock'),
  };
}

/** A key file without accounts, and rules that allow nothing. @throws Refusal when there is one. */
export function setUpTrader(opened: TraderDirectory): void {
  const { keys, settings } = traderFiles(opened.directory);
  makeDirectory(opened.directory, 0o700);
  if (existsSync(keys)) {
    throw new Refusal('conflict', 'trader_file', `there is a key file already: ${keys}`);
  }
  writeAccounts(opened, []);
  if (!existsSync(settings)) writeFileSync(settings, FIRST_TRADER_SETTINGS, { mode: 0o600 });
}

/** @throws Refusal when it is missing, open to others, changed, or under another passphrase. */
export function openAccounts({
  directory,
  passphrase,
}: Pick<TraderDirectory, 'directory' | 'passphrase'>): readonly ExchangeAccount[] {
  const path = traderFiles(directory).keys;
  const text = readPrivateFile(path, SIZE_MAX);
  const read = KEY_FILE.safeParse(jsonOf(text));
  if (!read.success) {
    throw new Refusal('conflict', 'trader_file', `${path} is no key file of the trader`);
  }
  return SECRETS.parse(JSON.parse(openSealedText(read.data.sealed, passphrase, LABEL))).accounts;
}

/** @throws Refusal when there is one of that name. */
export function addAccount(opened: TraderDirectory, account: ExchangeAccount): void {
  const accounts = openAccounts(opened);
  if (accounts.some(({ provider }) => provider === account.provider)) {
    const fault = `there is an account ${account.provider} already`;
    throw new Refusal('conflict', 'trader_account_invalid', fault);
  }
  writeAccounts(opened, [...accounts, ACCOUNT.parse(account)]);
}

/** @throws Refusal when there is none of that name. */
export function removeAccount(opened: TraderDirectory, name: string): void {
  const accounts = openAccounts(opened);
  const left = accounts.filter(({ provider }) => provider !== name);
  if (left.length === accounts.length) {
    throw new Refusal('missing', 'trader_account_missing', `there is no account ${name}`);
  }
  writeAccounts(opened, left);
}

function writeAccounts(
  { directory, passphrase, random, cost = STRONG_SEAL }: TraderDirectory,
  accounts: readonly ExchangeAccount[],
): void {
  const text = JSON.stringify({ accounts });
  const sealed = sealWithPassphrase(text, passphrase, LABEL, { random, cost });
  const file = { version: 1, sealed };
  replacePrivateFile(traderFiles(directory).keys, `${JSON.stringify(file, undefined, 2)}\n`);
}

/** The cause of a fault is left out, because it would quote the file. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
