// The signer's directory: its keys, its passphrase and those who may approve.

import { resolve } from 'node:path';
import { Refusal } from '#base/refusal.ts';
import {
  addApprover,
  addKey,
  changePassphrase,
  listApprovers,
  listKeys,
  removeApprover,
  removeKey,
  setUpSigner,
} from '#signer/manage-keys.ts';
import { chooseEnvironment, onePositional, textOption, type Values } from './command.ts';
import { firstLine, newSecret } from './secret-input.ts';
import {
  directoryOf,
  OPENING_OPTIONS,
  OPENING_USAGE,
  openDirectory,
  type SignCommand,
  type SignContext,
} from './sign-context.ts';

type Shown = ReturnType<typeof addKey>;

export const signInit: SignCommand = {
  name: 'sign init',
  summary: 'make the directory of a signer: a key file without keys, and rules that allow nothing',
  usage: OPENING_USAGE,
  options: OPENING_OPTIONS,
  async run(context, { values }) {
    const directory = directoryOf(context, values);
    const passphrase = await newSecret(context, values, 'passphrase-file', 'New passphrase');
    const { random, families, cost } = context;
    setUpSigner({ directory, passphrase, random, families, cost });
    const text =
      `${directory} is made. Next: npx quittance sign key add, and its caps in signer.toml.\n` +
      'Nobody can open the keys without the passphrase: keep it where the keys are not.';
    return { text, json: { directory } };
  },
};

export const signKeyAdd: SignCommand = {
  name: 'sign key add',
  summary: 'take in a key, or make one; its public half is shown',
  usage:
    'NAME --environment test|live --network NETWORK [--chain main] [--chain-id N] [--script wpkh|tr] ' +
    `[--origin F/84h/0h/0h] [--account ACCOUNT] [--generate | --secret-file FILE] ${OPENING_USAGE}`,
  options: {
    ...OPENING_OPTIONS,
    environment: { type: 'string' },
    network: { type: 'string' },
    chain: { type: 'string' },
    'chain-id': { type: 'string' },
    script: { type: 'string' },
    origin: { type: 'string' },
    account: { type: 'string' },
    generate: { type: 'boolean' },
    'secret-file': { type: 'string' },
  },
  async run(context, { positionals, values }) {
    const name = onePositional(positionals, 'a name for the key');
    const key = {
      name,
      environment: chooseEnvironment(values),
      network: textOption(values, 'network') ?? '',
      chain: textOption(values, 'chain') ?? 'main',
      chainId: chainIdOption(values),
      script: scriptOption(values),
      origin: textOption(values, 'origin'),
      account: textOption(values, 'account'),
    };
    const opened = await openDirectory(context, values);
    const shown = addKey(opened, { ...key, secret: await secretOf(context, values) });
    return { text: `${keyText(shown)}\n${RESTART}`, json: { key: shown } };
  },
};

const RESTART = 'A signer that runs knows of it when it is started again.';

function chainIdOption(values: Values): string | undefined {
  const text = textOption(values, 'chain-id');
  if (text === undefined || /^[1-9]\d{0,18}$/.test(text)) return text;
  throw new Refusal('invalid', 'usage', ['--chain-id: must be a whole number']);
}

function scriptOption(values: Values): 'wpkh' | 'tr' | undefined {
  const script = textOption(values, 'script');
  if (script === undefined || script === 'wpkh' || script === 'tr') return script;
  throw new Refusal('invalid', 'usage', ['--script: wpkh or tr']);
}

/** Undefined: one is made. */
async function secretOf(context: SignContext, values: Values): Promise<string | undefined> {
  const path = textOption(values, 'secret-file');
  if (values.generate === true && path !== undefined) {
    throw new Refusal('invalid', 'usage', ['--generate makes a key; --secret-file takes one in']);
  }
  if (values.generate === true) return undefined;
  if (path !== undefined) return firstLine(resolve(context.workingDirectory, path));
  return await context.askSecret('The key, as its wallet shows it: ');
}

export const signKeyList: SignCommand = {
  name: 'sign key list',
  summary: 'the public halves of the keys: what the settings of the service and of wallets take',
  usage: OPENING_USAGE,
  options: OPENING_OPTIONS,
  async run(context, { values }) {
    const keys = listKeys(await openDirectory(context, values));
    const text = keys.length === 0 ? 'There are no keys.' : keys.map(keyText).join('\n');
    return { text, json: { keys } };
  },
};

export const signKeyRemove: SignCommand = {
  name: 'sign key remove',
  summary: 'forget a key for good; what it holds can then only be spent by another copy of it',
  usage: `NAME ${OPENING_USAGE}`,
  options: OPENING_OPTIONS,
  async run(context, { positionals, values }) {
    const name = onePositional(positionals, 'the name of a key');
    removeKey(await openDirectory(context, values), name);
    return { text: `${name} is removed. ${RESTART}`, json: { key: name, removed: true } };
  },
};

export const signPassphrase: SignCommand = {
  name: 'sign passphrase',
  summary: 'put the keys under another passphrase',
  usage: `${OPENING_USAGE} [--new-passphrase-file FILE]`,
  options: { ...OPENING_OPTIONS, 'new-passphrase-file': { type: 'string' } },
  async run(context, { values }) {
    const opened = await openDirectory(context, values);
    const next = await newSecret(context, values, 'new-passphrase-file', 'New passphrase');
    changePassphrase(opened, next);
    const text =
      'The keys are under the new passphrase. Copies of the file have the old one still.';
    return { text, json: { changed: true } };
  },
};

export const signApproverAdd: SignCommand = {
  name: 'sign approver add',
  summary: 'a second person, who agrees to large payments with a passphrase of their own',
  usage: `NAME ${OPENING_USAGE} [--approver-passphrase-file FILE]`,
  options: { ...OPENING_OPTIONS, 'approver-passphrase-file': { type: 'string' } },
  async run(context, { positionals, values }) {
    const name = onePositional(positionals, 'a name for the person');
    const opened = await openDirectory(context, values);
    const what = `Passphrase of ${name}`;
    const own = await newSecret(context, values, 'approver-passphrase-file', what);
    addApprover(opened, name, own);
    return { text: `${name} may approve. ${RESTART}`, json: { approver: name } };
  },
};

export const signApproverList: SignCommand = {
  name: 'sign approver list',
  summary: 'who may approve',
  usage: OPENING_USAGE,
  options: OPENING_OPTIONS,
  async run(context, { values }) {
    const approvers = listApprovers(await openDirectory(context, values));
    const text = approvers.length === 0 ? 'Nobody may approve.' : approvers.join('\n');
    return { text, json: { approvers } };
  },
};

export const signApproverRemove: SignCommand = {
  name: 'sign approver remove',
  summary: 'take the right to approve away',
  usage: `NAME ${OPENING_USAGE}`,
  options: OPENING_OPTIONS,
  async run(context, { positionals, values }) {
    const name = onePositional(positionals, 'the name of an approver');
    removeApprover(await openDirectory(context, values), name);
    return { text: `${name} is removed. ${RESTART}`, json: { approver: name, removed: true } };
  },
};

function keyText({ name, environment, network, chain, address, descriptor }: Shown): string {
  const many = descriptor === undefined ? '' : `\n    ${descriptor}`;
  return `${name}  ${environment}:${network} (${chain})\n    ${address}${many}`;
}
