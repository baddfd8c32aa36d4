// What the operator configures as the source of addresses: an extended public key of an account, or
// an output descriptor (BIP-380) over one. Guarantees: a private key, a key of another network, a
// damaged key or descriptor, and every kind of script we do not derive are refused, and no refusal
// repeats the key. Not guaranteed: that the operator holds the private key; showing the first
// addresses to the operator is the remedy.

import {
  type ExtendedKey,
  readExtendedKey,
  refusePrivateKey,
  refuseSource,
  withVersion,
} from '#networks/extended-key.ts';
import type { UtxoChain } from './utxo-chain.ts';

export type AddressSource = {
  /** How a key becomes a script: BIP-84, or BIP-86 (taproot without scripts). */
  readonly script: SourceScript;
  readonly key: SourceKey;
  /** Unhardened steps between the key and the index: [0] is the external chain. */
  readonly path: readonly number[];
  /**
   * The one spelling of this source, with checksum: version bytes of the node, no origin. Two
   * spellings of one key must not count as two sources, each starting at index 0 (AD2).
   */
  readonly descriptor: string;
  /** The same with the origin of the key, where it was given. */
  readonly descriptorWithOrigin: string;
};

export type SourceScript = 'wpkh' | 'tr';

/** The same key, spelled with the version bytes that the node of the chain reads. */
type SourceKey = ExtendedKey & {
  /** False where it was written with version bytes that say which script it is for (zpub, Ltub). */
  readonly isPlain: boolean;
};

/** The first level of an account's path says which scripts it is for. */
const PURPOSES: Record<SourceScript, string> = { wpkh: '84h', tr: '86h' };
/** Depth of m/84'/coin'/account' (BIP-84). */
const ACCOUNT_DEPTH = 3;
const KEY_PATTERN = /^(?:\[([^\]]*)\])?([1-9A-HJ-NP-Za-km-z]{50,150})((?:\/[^/]*)*)$/;
const ORIGIN_PATTERN = /^([0-9a-fA-F]{8})((?:\/\d{1,10}['hH]?)*)$/;

/** Public version bytes that stand for scripts other than wpkh. */
const OTHER_SCRIPTS: ReadonlyMap<number, string> = new Map([
  [0x049d7cb2, 'ypub: nested segwit'],
  [0x044a5262, 'upub: nested segwit'],
  [0x01b26ef6, 'Mtub: nested segwit'],
  [0x0295b43f, 'Ypub: several signers'],
  [0x02aa7ed3, 'Zpub: several signers'],
  [0x024289ef, 'Upub: several signers'],
  [0x02575483, 'Vpub: several signers'],
]);

/** tpub, vpub, ttub. */
const TEST_VERSIONS: ReadonlySet<number> = new Set([0x043587cf, 0x045f1cf6, 0x0436f6e1]);

/** @throws Refusal (invalid) naming the fault. */
export function parseAddressSource(text: string, chain: UtxoChain): AddressSource {
  const trimmed = text.trim();
  const match = /^([a-z]+)\((.*)\)$/.exec(stripChecksum(trimmed));
  if (match === null) return sourceOf(parseKeyExpression(trimmed, chain), chain, 'wpkh', 'bare');
  const [, script, argument = ''] = match;
  if (script !== 'wpkh' && script !== 'tr') {
    throw refuseSource(
      `the descriptor is ${script}(...); only wpkh(...) and tr(...) are supported`,
    );
  }
  if (script === 'tr') checkTaproot(argument, chain);
  return sourceOf(parseKeyExpression(argument, chain), chain, script, 'descriptor');
}

function checkTaproot(argument: string, chain: UtxoChain): void {
  if (!chain.hasTaproot) {
    throw refuseSource(
      `the descriptor is tr(...); a node of ${chain.name} has no taproot descriptors, so ` +
        'nobody could check what arrives there: use wpkh(...)',
    );
  }
  if (argument.includes(','))
    throw refuseSource('tr(...) with scripts is not supported, only one key');
}

type KeyExpression = {
  readonly origin: string | undefined;
  readonly key: SourceKey;
  readonly steps: readonly string[];
};

function sourceOf(
  { origin, key, steps }: KeyExpression,
  chain: UtxoChain,
  script: SourceScript,
  form: 'bare' | 'descriptor',
): AddressSource {
  const path = form === 'bare' && steps.length === 0 ? barePath(key) : parsePath(steps);
  if (origin !== undefined) checkOrigin(origin, key, chain, script);
  // zpub and its like are for native segwit (SLIP-132): whoever writes tr(zpub) means another one.
  if (script === 'tr' && !key.isPlain) {
    throw refuseSource(
      'the extended key is one for native segwit, and tr(...) needs one of BIP-86 (xpub)',
    );
  }
  const keyPath = `${key.text}/${[...path, '*'].join('/')}`;
  return {
    script,
    key,
    path,
    descriptor: withChecksum(`${script}(${keyPath})`),
    descriptorWithOrigin: withChecksum(
      origin === undefined ? `${script}(${keyPath})` : `${script}([${origin}]${keyPath})`,
    ),
  };
}

function barePath(key: SourceKey): readonly number[] {
  if (key.depth !== ACCOUNT_DEPTH) {
    throw refuseSource(
      `the extended key is at depth ${key.depth}; an account key (BIP-84) is at depth ` +
        `${ACCOUNT_DEPTH}. Give a descriptor to use another path`,
    );
  }
  return [0];
}

function parsePath(steps: readonly string[]): readonly number[] {
  if (steps.at(-1) !== '*') throw refuseSource("the key's path does not end in /*");
  const fixed = steps.slice(0, -1);
  if (fixed.filter((step) => step.startsWith('<')).length > 1) {
    throw refuseSource("the key's path has two steps with several branches (BIP-389 allows one)");
  }
  return fixed.map(receivingBranch).map((step) => {
    if (/['hH]$/.test(step))
      throw refuseSource('a hardened step cannot be derived from a public key');
    const number = /^(?:0|[1-9]\d{0,9})$/.test(step) ? Number(step) : Number.NaN;
    if (!(number < 2 ** 31)) throw refuseSource("the key's path has a step that is no number");
    return number;
  });
}

/** `<0;1>` stands for receiving and change in one (BIP-389): the first is where payers pay. */
function receivingBranch(step: string): string {
  return /^<(\d+)(?:;\d+)+>$/.exec(step)?.[1] ?? step;
}

function parseKeyExpression(text: string, chain: UtxoChain): KeyExpression {
  const match = KEY_PATTERN.exec(text);
  if (match === null) {
    if (/prv/i.test(text)) throw refusePrivateKey();
    throw refuseSource('neither an extended public key nor a descriptor over one');
  }
  const [, origin, key = '', path = ''] = match;
  return {
    origin: origin === undefined ? undefined : canonicalOrigin(origin),
    key: parseExtendedKey(key, chain),
    steps: path.split('/').slice(1),
  };
}

function parseExtendedKey(text: string, chain: UtxoChain): SourceKey {
  const key = readExtendedKey(text, 'the extended key is damaged: its checksum does not match');
  const { version } = key;
  const otherScript = OTHER_SCRIPTS.get(version);
  if (otherScript !== undefined) {
    throw refuseSource(
      `the extended key is of another kind (${otherScript}); wpkh needs native segwit`,
    );
  }
  if (version !== chain.extendedPublicVersion && !chain.extendedPublicAliases.includes(version)) {
    throw refuseSource(`the extended key is not one of ${chain.name}${hintOf(version, chain)}`);
  }
  const isPlain = version === chain.extendedPublicVersion;
  return { ...withVersion(key, chain.extendedPublicVersion), isPlain };
}

/** Which setting was forgotten, as far as the version bytes tell. */
function hintOf(version: number, chain: UtxoChain): string {
  const isOfTestChain = TEST_VERSIONS.has(version);
  const isTestChain = chain.coinType === 1;
  if (isOfTestChain && !isTestChain) {
    return ': it is one of a test chain (tpub, vpub); say which with the setting that ends in _CHAIN';
  }
  if (!isOfTestChain && isTestChain) {
    return ': a test chain needs the key at m/84h/1h/0h, which begins with tpub or vpub';
  }
  return '';
}

function canonicalOrigin(origin: string): string {
  const match = ORIGIN_PATTERN.exec(origin);
  if (match === null) throw refuseSource('the origin of the key is malformed');
  const [, fingerprint = '', path = ''] = match;
  return fingerprint.toLowerCase() + path.replaceAll(/['H]/g, 'h');
}

/** The origin is not part of the key, so only plain contradictions can be found. */
function checkOrigin(origin: string, key: SourceKey, chain: UtxoChain, script: SourceScript): void {
  const steps = origin.split('/').slice(1);
  if (steps.length !== key.depth) {
    throw refuseSource(`the origin has ${steps.length} steps, the extended key says ${key.depth}`);
  }
  const [purpose, coinType] = steps;
  const ours = PURPOSES[script];
  if (purpose === ours && coinType !== undefined && coinType !== `${chain.coinType}h`) {
    throw refuseSource(
      `the origin names coin type ${coinType}; ${chain.name} has ${chain.coinType}h`,
    );
  }
  if (purpose !== ours && /^(?:44|49|84|86)h$/.test(purpose ?? '')) {
    throw refuseSource(
      `the origin is an account for other scripts (${purpose}); ${script} has ${ours}`,
    );
  }
}

function stripChecksum(text: string): string {
  const at = text.indexOf('#');
  if (at === -1) return text;
  const descriptor = text.slice(0, at);
  if (descriptorChecksum(descriptor) !== text.slice(at + 1)) {
    throw refuseSource('the checksum of the descriptor does not match');
  }
  return descriptor;
}

function withChecksum(descriptor: string): string {
  return `${descriptor}#${descriptorChecksum(descriptor)}`;
}

// The checksum behind '#' of an output descriptor: BIP-380, a BCH code over 40 bits that finds any
// three wrong characters in descriptors of up to 49,154 characters.

const inputCharacters =
  '0123456789()[],\'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#"\\ ';
const CHARACTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0xf5dee51989n, 0xa9fdca3312n, 0x1bab10e32dn, 0x3706b1677an, 0x644d626ffdn];

/** Eight characters, or undefined when the text holds one that no descriptor may hold. */
export function descriptorChecksum(descriptor: string): string | undefined {
  let state = 1n;
  let groups = 0;
  let groupSize = 0;
  for (const character of descriptor) {
    const position = inputCharacters.indexOf(character);
    if (position === -1) return undefined;
    state = step(state, BigInt(position & 31));
    groups = groups * 3 + (position >> 5);
    groupSize += 1;
    if (groupSize === 3) {
      state = step(state, BigInt(groups));
      groups = 0;
      groupSize = 0;
    }
  }
  if (groupSize > 0) state = step(state, BigInt(groups));
  for (let i = 0; i < 8; i += 1) state = step(state, 0n);
  state ^= 1n;
  let checksum = '';
  for (let i = 7n; i >= 0n; i -= 1n) {
    checksum += CHARACTERS[Number((state >> (5n * i)) & 31n)];
  }
  return checksum;
}

function step(state: bigint, value: bigint): bigint {
  const top = state >> 35n;
  let next = ((state & 0x7ffffffffn) << 5n) ^ value;
  for (const [bit, constant] of GENERATOR.entries()) {
    if ((top >> BigInt(bit)) & 1n) next ^= constant;
  }
  return next;
}
