// The trader's own rules, from its own file: trader.toml in its directory. What has no cap is not
// sold, and money goes to listed addresses alone. Guarantees: a file with a mistake, a misspelled
// name among them, is refused as a whole.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parse } from 'smol-toml';
import { z } from 'zod';
import { Refusal } from '#base/refusal.ts';
import { findAsset } from '#catalog/asset.ts';
import { amountFromText } from '#money/asset-amount.ts';

/** In units of the asset that is sold. */
type OrderCap = { readonly perOrder: bigint; readonly perDay: bigint };

/** An address of ours that money may be withdrawn to. */
type ListedAddress = {
  readonly name: string;
  readonly provider: string;
  readonly assetId: string;
  readonly address: string;
  readonly tag: string | undefined;
  /** How the exchange calls the address, where it wants that (Kraken). */
  readonly key: string | undefined;
  readonly perWithdrawal: bigint;
  /** In any 24 hours. */
  readonly perDay: bigint;
};

export type TraderRules = {
  readonly worstPricePartsPerMillion: number;
  findCap(provider: string, assetId: string): OrderCap | undefined;
  findAddress(provider: string, name: string): ListedAddress | undefined;
};

type TraderSettings = {
  readonly rules: TraderRules;
  readonly socket: string;
  readonly isForGroup: boolean;
  readonly passphraseFile: string | undefined;
};

const AMOUNT = z.string().regex(/^\d{1,30}(?:\.\d{1,30})?$/, 'must be an amount in quotes: "0.5"');
const SETTINGS = z.strictObject({
  passphrase_file: z.string().optional(),
  worst_price_ppm: z.int().min(0).max(200_000).default(10_000),
  listen: z
    .strictObject({
      socket: z.string().default('socket'),
      group_may_connect: z.boolean().default(false),
    })
    .default({ socket: 'socket', group_may_connect: false }),
  cap: z
    .array(
      z.strictObject({
        provider: z.string(),
        asset: z.string(),
        per_order: AMOUNT,
        per_day: AMOUNT,
      }),
    )
    .default([]),
  address: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'small letters, digits and dashes'),
        provider: z.string(),
        asset: z.string(),
        address: z.string().min(1),
        tag: z.string().optional(),
        key: z.string().optional(),
        per_withdrawal: AMOUNT,
        per_day: AMOUNT,
      }),
    )
    .default([]),
});
type Read = z.infer<typeof SETTINGS>;

/** Those of a directory, with paths as they are from anywhere. @throws Refusal */
export function readTraderSettings(directory: string, path: string): TraderSettings {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const hint = `quittance trade init --directory ${directory} makes one`;
    throw new Refusal('missing', 'trader_missing', `${path} cannot be read: ${hint}`, {
      cause: error,
    });
  }
  const { listen, passphrase_file: passphraseFile, ...read } = parseTraderSettings(text);
  return {
    rules: rulesOf(read),
    socket: resolve(directory, listen.socket),
    isForGroup: listen.group_may_connect,
    passphraseFile: passphraseFile === undefined ? undefined : resolve(directory, passphraseFile),
  };
}

function parseTraderSettings(text: string): Read {
  let tables: unknown;
  try {
    tables = parse(text);
  } catch (error) {
    throw refuse([error instanceof Error ? error.message : 'it is no TOML']);
  }
  const read = SETTINGS.safeParse(tables);
  if (read.success) return read.data;
  throw refuse(read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`));
}

function rulesOf(read: Pick<Read, 'worst_price_ppm' | 'cap' | 'address'>): TraderRules {
  const faults: string[] = [];
  const caps = new Map<string, OrderCap>();
  const addresses = new Map<string, ListedAddress>();
  for (const [at, { provider, asset, per_order, per_day }] of read.cap.entries()) {
    const units = unitsReader(`cap[${at}]`, asset, faults);
    const key = `${provider} ${asset}`;
    if (caps.has(key)) faults.push(`cap[${at}]: there are two caps for ${key}`);
    caps.set(key, { perOrder: units('per_order', per_order), perDay: units('per_day', per_day) });
  }
  for (const [at, one] of read.address.entries()) {
    const { name, provider, asset: assetId, address, tag, key } = one;
    const units = unitsReader(`address[${at}]`, assetId, faults);
    const perWithdrawal = units('per_withdrawal', one.per_withdrawal);
    const perDay = units('per_day', one.per_day);
    const place = `${provider} ${name}`;
    if (addresses.has(place)) faults.push(`address[${at}]: there are two of ${place}`);
    addresses.set(place, { name, provider, assetId, address, tag, key, perWithdrawal, perDay });
  }
  if (faults.length > 0) throw refuse(faults);
  return {
    worstPricePartsPerMillion: read.worst_price_ppm,
    findCap: (provider, assetId) => caps.get(`${provider} ${assetId}`),
    findAddress: (provider, name) => addresses.get(`${provider} ${name}`),
  };
}

function unitsReader(path: string, asset: string, faults: string[]) {
  const decimals = findAsset(asset)?.decimals;
  if (decimals === undefined) faults.push(`${path}.asset: there is no asset ${asset}`);
  return (name: string, text: string): bigint => {
    const units = amountFromText(text, decimals ?? 0);
    if (units === undefined && decimals !== undefined) {
      faults.push(`${path}.${name}: ${asset} has ${decimals} decimals`);
    }
    return units ?? 0n;
  };
}

function refuse(sentences: readonly string[]): Refusal {
  return new Refusal(
    'invalid',
    'trader_settings_invalid',
    sentences.map((one) => `trader.toml: ${one}`),
  );
}

/** What `trade init` writes: nothing is allowed until somebody says how much. */
export const FIRST_TRADER_SETTINGS = `# The trader's own rules. What has no cap is not sold.
# Amounts are in whole coins, in quotes. Every line is explained in docs/operate/trader.md.

# Where the passphrase is read for a start that nobody watches; else it is asked for.
# passphrase_file = "/run/credentials/quittance-trader.service/passphrase"

# No order is sent whose limit is worse than the exchange's own best price by more than this.
worst_price_ppm = 10000

[listen]
socket = "socket"           # beside this file, or a whole path
group_may_connect = false   # true: the group of the socket may connect (mode 0660)

# [[cap]]
# provider = "kraken"
# asset = "BTC:NATIVE"      # that is sold
# per_order = "0.1"
# per_day = "0.5"           # in any 24 hours

# [[address]]               # of yours, to which money may be withdrawn
# name = "cold"
# provider = "kraken"
# asset = "BTC:NATIVE"
# address = "bc1q..."
# key = "cold wallet"       # how Kraken calls the address
# per_withdrawal = "1"
# per_day = "2"
`;
