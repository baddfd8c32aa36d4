// The signer's own rules, from its own file: signer.toml in its directory. What has no cap is not
// signed. Guarantees: a file with a mistake, a misspelled name among them, is refused as a whole.

import { parse } from 'smol-toml';
import { z } from 'zod';
import { Refusal } from '#base/refusal.ts';
import { findAsset } from '#catalog/asset.ts';
import { ENVIRONMENTS, type Environment } from '#catalog/chain.ts';
import { findNetwork } from '#catalog/network.ts';
import { amountFromText } from '#money/asset-amount.ts';
import { CONVERT, type FindLeastPrice, leastPricesOf } from './least-price.ts';
import type { ListedRelay, ListedSafe, OpenKey } from './open-key.ts';

/** In units of the asset. */
type Cap = {
  readonly perTransaction: bigint;
  /** In any 24 hours, with the fees that are paid in it. */
  readonly perDay: bigint;
  readonly perReceiverPerDay: bigint | undefined;
  /** From more than this on a second person has to agree. */
  readonly secondPersonAbove: bigint | undefined;
  /** Of one transaction; undefined where nothing is paid for in it. */
  readonly feePerTransaction: bigint | undefined;
};

export type ListedAddress = {
  readonly environment: Environment;
  readonly network: string;
  readonly address: string;
  readonly memo?: string | undefined;
};

export type SignerRules = {
  readonly signaturesPerMinute: number;
  readonly findCap: (environment: Environment, assetId: string) => Cap | undefined;
  /** Of what is converted at the market of a network. */
  readonly findLeastPrice: FindLeastPrice;
  /** Undefined: whoever it is. */
  readonly onlyReceivers: readonly ListedAddress[] | undefined;
  /** Where sweeps go, one for a network at most; where there is none they are payments. */
  readonly collectTo: readonly ListedAddress[];
  /** One for a network at most. */
  readonly safes: readonly ListedSafe[];
  readonly relays: readonly ListedRelay[];
};

export type Listening = {
  readonly socket: string;
  /** Whether the group of the socket's directory may connect. */
  readonly isForGroup: boolean;
  readonly tls:
    | {
        readonly host: string;
        readonly port: number;
        readonly keyFile: string;
        readonly certificateFile: string;
        /** Clients without a certificate of this authority are refused. */
        readonly clientAuthorityFile: string;
      }
    | undefined;
};

export type SignerSettings = {
  readonly rules: SignerRules;
  readonly listening: Listening;
  readonly passphraseFile: string | undefined;
};

const AMOUNT = z.string().regex(/^\d{1,30}(?:\.\d{1,30})?$/, 'must be an amount in quotes: "0.5"');
const SETTINGS = z.strictObject({
  passphrase_file: z.string().optional(),
  signatures_per_minute: z.int().min(1).max(10_000).default(30),
  only_listed_receivers: z.boolean().default(false),
  listen: z
    .strictObject({
      socket: z.string().default('socket'),
      group_may_connect: z.boolean().default(false),
      tls: z
        .strictObject({
          host: z.string().default('127.0.0.1'),
          port: z.int().min(0).max(65_535),
          key_file: z.string(),
          certificate_file: z.string(),
          client_authority_file: z.string(),
        })
        .optional(),
    })
    .default({ socket: 'socket', group_may_connect: false }),
  cap: z
    .array(
      z.strictObject({
        environment: z.enum(ENVIRONMENTS),
        asset: z.string(),
        per_transaction: AMOUNT,
        per_day: AMOUNT,
        per_receiver_per_day: AMOUNT.optional(),
        second_person_above: AMOUNT.optional(),
        fee_per_transaction: AMOUNT.optional(),
      }),
    )
    .default([]),
  convert: z.array(CONVERT).default([]),
  receiver: z
    .array(
      z.strictObject({
        environment: z.enum(ENVIRONMENTS),
        network: z.string(),
        address: z.string(),
        memo: z.string().optional(),
      }),
    )
    .default([]),
  collect_to: z
    .array(
      z.strictObject({
        environment: z.enum(ENVIRONMENTS),
        network: z.string(),
        address: z.string(),
      }),
    )
    .default([]),
  safe: z
    .array(
      z.strictObject({
        environment: z.enum(ENVIRONMENTS),
        network: z.string(),
        address: z.string(),
        gas_account: z.string(),
        owners: z.array(z.string()).min(1).max(100),
        threshold: z.int().min(1),
      }),
    )
    .default([]),
  relay: z
    .array(
      z.strictObject({
        environment: z.enum(ENVIRONMENTS),
        network: z.string(),
        account: z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address as 0x...'),
        receivers_below: z.string().startsWith('xpub', 'must be an extended public key'),
      }),
    )
    .default([]),
});
type Read = z.infer<typeof SETTINGS>;

/** @throws Refusal with a sentence for each mistake. */
export function readSignerSettings(text: string): SignerSettings {
  const read = SETTINGS.safeParse(tablesOf(text));
  if (!read.success) {
    throw refuse(read.error.issues.map(({ path, message }) => `${pathText(path)}: ${message}`));
  }
  const { listen, passphrase_file: passphraseFile } = read.data;
  const { tls } = listen;
  return {
    rules: rulesOf(read.data),
    passphraseFile,
    listening: {
      socket: listen.socket,
      isForGroup: listen.group_may_connect,
      tls: tls && {
        host: tls.host,
        port: tls.port,
        keyFile: tls.key_file,
        certificateFile: tls.certificate_file,
        clientAuthorityFile: tls.client_authority_file,
      },
    },
  };
}

function tablesOf(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw refuse([error instanceof Error ? error.message : 'it is no TOML']);
  }
}

function rulesOf(read: Read): SignerRules {
  const faults: string[] = [];
  const caps = new Map<string, Cap>();
  for (const [at, cap] of read.cap.entries()) {
    const key = `${cap.environment} ${cap.asset}`;
    const path = `cap[${at}]`;
    if (caps.has(key)) faults.push(`${path}: there are two caps for ${key}`);
    caps.set(key, capOf(cap, path, faults));
  }
  for (const [at, { network }] of read.receiver.entries()) {
    if (findNetwork(network) === undefined) {
      faults.push(`receiver[${at}].network: there is no ${network}`);
    }
  }
  const findLeastPrice = leastPricesOf(read.convert, faults);
  faults.push(...faultsOfCollecting(read.collect_to), ...faultsOfSafes(read.safe));
  if (faults.length > 0) throw refuse(faults);
  return {
    signaturesPerMinute: read.signatures_per_minute,
    findCap: (environment, assetId) => caps.get(`${environment} ${assetId}`),
    findLeastPrice,
    onlyReceivers: read.only_listed_receivers ? read.receiver : undefined,
    collectTo: read.collect_to,
    relays: read.relay.map(({ receivers_below: receiversBelow, account, ...relay }) => {
      return { ...relay, account: account.toLowerCase(), receiversBelow };
    }),
    safes: read.safe.map(({ gas_account: gasAccount, ...safe }) => ({ ...safe, gasAccount })),
  };
}

function faultsOfCollecting(list: Read['collect_to']): string[] {
  const seen = new Set<string>();
  return list.flatMap(({ environment, network }, at) => {
    const info = findNetwork(network);
    const key = `${environment} ${network}`;
    const isTwice = seen.has(key);
    seen.add(key);
    const path = `collect_to[${at}]`;
    if (info === undefined) return [`${path}.network: there is no ${network}`];
    if (info.family !== 'evm') {
      return [`${path}.network: nothing is swept on ${network}, only on EVM chains`];
    }
    return isTwice ? [`${path}: there are two addresses for ${key}`] : [];
  });
}

function faultsOfSafes(list: Read['safe']): string[] {
  const seen = new Set<string>();
  return list.flatMap(({ environment, network, owners, threshold }, at) => {
    const key = `${environment} ${network}`;
    const isTwice = seen.has(key);
    seen.add(key);
    const path = `safe[${at}]`;
    if (findNetwork(network)?.family !== 'evm') {
      return [`${path}.network: ${network} is no EVM chain`];
    }
    return [
      ...(isTwice ? [`${path}: there are two Safes for ${key}`] : []),
      ...(threshold > owners.length
        ? [`${path}.threshold: ${threshold} of ${owners.length} owners cannot sign`]
        : []),
    ];
  });
}

/**
 * With each address in the spelling of orders. What is of a network that no key is of stays as it
 * is: nothing is signed there. @throws Refusal with a sentence for each that is no address.
 */
export function spellAddresses(
  { onlyReceivers, collectTo, safes, ...rules }: SignerRules,
  keys: readonly Pick<OpenKey, 'shown' | 'spell'>[],
): SignerRules {
  const faults: string[] = [];
  const spellAt = (
    { environment, network }: Pick<ListedAddress, 'environment' | 'network'>,
    address: string,
    path: string,
  ): string => {
    const key = keys.find(
      ({ shown }) => shown.environment === environment && shown.network === network,
    );
    const spelled = key === undefined ? address : key.spell(address);
    if (spelled !== undefined) return spelled;
    const chain = key?.shown.chain;
    faults.push(`${path}: ${address} is no address of ${network} (${chain}), or mistyped`);
    return address;
  };
  const spell = (one: ListedAddress, path: string): ListedAddress => {
    return { ...one, address: spellAt(one, one.address, `${path}.address`) };
  };
  const spellSafe = (one: ListedSafe, path: string): ListedSafe => {
    const owners = one.owners.map((owner, at) => spellAt(one, owner, `${path}.owners[${at}]`));
    // One owner who is named twice would sign for two.
    if (new Set(owners).size < owners.length) faults.push(`${path}.owners: one is named twice`);
    return {
      ...one,
      address: spellAt(one, one.address, `${path}.address`),
      gasAccount: spellAt(one, one.gasAccount, `${path}.gas_account`),
      owners,
    };
  };
  const spelled = {
    ...rules,
    onlyReceivers: onlyReceivers?.map((one, at) => spell(one, `receiver[${at}]`)),
    collectTo: collectTo.map((one, at) => spell(one, `collect_to[${at}]`)),
    safes: safes.map((one, at) => spellSafe(one, `safe[${at}]`)),
  };
  if (faults.length > 0) throw refuse(faults);
  return spelled;
}

function capOf(cap: Read['cap'][number], path: string, faults: string[]): Cap {
  const decimals = findAsset(cap.asset)?.decimals;
  if (decimals === undefined) faults.push(`${path}.asset: there is no asset ${cap.asset}`);
  const units = (name: keyof typeof cap): bigint | undefined => {
    const text = cap[name];
    if (text === undefined || decimals === undefined) return undefined;
    const found = amountFromText(text, decimals);
    if (found === undefined) faults.push(`${path}.${name}: ${cap.asset} has ${decimals} decimals`);
    return found;
  };
  return {
    perTransaction: units('per_transaction') ?? 0n,
    perDay: units('per_day') ?? 0n,
    perReceiverPerDay: units('per_receiver_per_day'),
    secondPersonAbove: units('second_person_above'),
    feePerTransaction: units('fee_per_transaction'),
  };
}

function pathText(path: readonly PropertyKey[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return steps.join('').replace(/^\./, '') || 'the file';
}

function refuse(sentences: readonly string[]): Refusal {
  return new Refusal(
    'invalid',
    'signer_settings_invalid',
    sentences.map((one) => `signer.toml: ${one}`),
  );
}

/** What `sign init` writes: nothing is allowed until somebody says how much. */
export const FIRST_SETTINGS = `# The signer's own rules. What has no cap is not signed.
# Amounts are in whole coins, in quotes.
# Every line is explained in docs/operate/signer.md.

# Where the passphrase is read for a start that nobody watches; else it is asked for.
# passphrase_file = "/run/credentials/quittance-signer.service/passphrase"

signatures_per_minute = 30

# Nothing is signed for anybody who is not a [[receiver]] below. Addresses of the signer's own
# keys and [[collect_to]] need not be listed.
only_listed_receivers = false

[listen]
socket = "socket"           # beside this file, or a whole path
group_may_connect = false   # true: the group of the socket may connect (mode 0660)

# [listen.tls]              # for a service on another machine; clients need a certificate
# host = "127.0.0.1"
# port = 7443
# key_file = "server.key"
# certificate_file = "server.crt"
# client_authority_file = "clients.crt"

# [[cap]]
# environment = "live"
# asset = "BTC:NATIVE"
# per_transaction = "0.1"
# per_day = "0.5"               # in any 24 hours, fees included
# per_receiver_per_day = "0.2"
# second_person_above = "0.05"
# fee_per_transaction = "0.0005"

# [[convert]]                   # at the market of Stellar, to ourselves; else it is not done
# environment = "live"
# give = "XLM:NATIVE"
# get = "USDC:GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN"
# least_price = "0.09"          # at least so much of it for one

# [[receiver]]
# environment = "live"
# network = "BITCOIN"
# address = "bc1q..."

# [[collect_to]]                # where the service may sweep, and nowhere else
# environment = "live"
# network = "ETHEREUM"
# address = "0x..."

# [[safe]]                      # what its owners have signed is carried out by a key of this signer
# environment = "live"
# network = "ETHEREUM"
# address = "0x..."
# gas_account = "0x..."
# owners = ["0x...", "0x...", "0x..."]
# threshold = 2
`;
