// The commands of npx quittance sign, and what the signer does while it runs.

import { Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import { amountToText } from '#money/asset-amount.ts';
import { approveOrder, findWaiting } from '#signer/approve-order.ts';
import { openSignerClient } from '#signer/client.ts';
import { logKeyOf } from '#signer/manage-keys.ts';
import { readSettingsOf, runSigner, signerFiles } from '#signer/run-signer.ts';
import { type LogLine, verifySignerLog } from '#signer/signer-log.ts';
import { onePositional, textOption, wholeOption } from './command.ts';
import { type CommandProgram, type Lines, runCommand } from './run-command.ts';
import { firstLine } from './secret-input.ts';
import {
  DIRECTORY_OPTIONS,
  directoryOf,
  OPENING_OPTIONS,
  OPENING_USAGE,
  openDirectory,
  type SignCommand,
  type SignContext,
} from './sign-context.ts';
import {
  signApproverAdd,
  signApproverList,
  signApproverRemove,
  signInit,
  signKeyAdd,
  signKeyList,
  signKeyRemove,
  signPassphrase,
} from './sign-key.ts';

// The signer while it runs, what it did, and what waits for a second person.
const sign: SignCommand = {
  name: 'sign',
  summary: 'run the signer until it is told to end',
  usage: OPENING_USAGE,
  options: OPENING_OPTIONS,
  async run(context, { positionals, values }) {
    if (positionals.length > 0) {
      throw new Refusal('invalid', 'usage', [`there is no sign ${positionals.join(' ')}`]);
    }
    const { directory, passphrase } = await openDirectory(context, values);
    const { clock, log, families } = context;
    const onReady = ({ socket, port }: { socket: string; port: number | undefined }) =>
      context.say(
        port === undefined ? `signing at ${socket}` : `signing at ${socket}, TLS ${port}`,
      );
    const running = { directory, passphrase, families, clock, log, onReady };
    await runSigner({ ...running, ended: context.ended() });
    return { text: 'The signer has ended.', json: { ended: true } };
  },
};

const signStatus: SignCommand = {
  name: 'sign status',
  summary: 'what the running signer has keys for, and where its log ends',
  usage: '[--directory DIR]',
  options: DIRECTORY_OPTIONS,
  async run(context, { values }) {
    const { socket } = readSettingsOf(directoryOf(context, values)).listening;
    const { keys, log } = await openSignerClient(socket).info();
    const lines = keys.map(
      ({ name, environment, network, address }) => `${name}  ${environment}:${network}  ${address}`,
    );
    const text = [...lines, `log: ${log.lines} lines, the last is ${log.digest}`].join('\n');
    return { text, json: { keys, log: { ...log, lines: `${log.lines}` } } };
  },
};

const SIGNED_BEFORE =
  'It was signed before. Agree only when you have seen on the network itself that none of these ' +
  'can land any more, since their nonce, number or coins were used by something else for good:';

const signApprove: SignCommand = {
  name: 'sign approve',
  summary: 'agree, as the second person, to the order that waits under a code',
  usage: 'CODE --as NAME [--directory DIR] [--approver-passphrase-file FILE]',
  options: {
    ...DIRECTORY_OPTIONS,
    as: { type: 'string' },
    'approver-passphrase-file': { type: 'string' },
  },
  async run(context, { positionals, values }) {
    const code = onePositional(positionals, 'the code that the signer said');
    const name = textOption(values, 'as');
    if (name === undefined) throw new Refusal('invalid', 'usage', ['--as: who you are']);
    const directory = directoryOf(context, values);
    const purpose = await findWaiting(directory, code);
    const { id, environment, network, payments, buys, before = [] } = purpose;
    context.say(`Order ${id} on ${environment}:${network}:`);
    for (const { assetId, units, account } of payments) {
      const { decimals, assetCode } = getAsset(assetId);
      const to = Object.values(account).join(' ');
      context.say(`  ${amountToText(units, decimals)} ${assetCode} to ${to}`);
    }
    if (buys !== undefined) {
      const { decimals, assetCode } = getAsset(buys.assetId);
      context.say(`  for at least ${amountToText(buys.leastUnits, decimals)} ${assetCode}`);
    }
    if (before.length > 0) {
      context.say(SIGNED_BEFORE);
      for (const transaction of before) context.say(`  ${transaction}`);
    }
    const path = textOption(values, 'approver-passphrase-file');
    const passphrase =
      path === undefined ? await context.askSecret(`Passphrase of ${name}: `) : firstLine(path);
    await approveOrder(directory, purpose, name, passphrase);
    const text = 'Approved for 24 hours; the service asks again by itself.';
    return { text, json: { approved: code, order: id, as: name } };
  },
};

const signLog: SignCommand = {
  name: 'sign log',
  summary: 'what was signed, refused and approved, the last lines first',
  usage: '[--limit 1-1000] [--directory DIR]',
  options: { ...DIRECTORY_OPTIONS, limit: { type: 'string' } },
  async run(context, { values }) {
    const most = wholeOption(values, 'limit', { initial: 50, least: 1, most: 1_000 });
    const { log } = signerFiles(directoryOf(context, values));
    const last: LogLine[] = [];
    verifySignerLog(log, undefined, (line) => {
      last.push(line);
      if (last.length > most) last.shift();
    });
    const lines = last.reverse();
    const text = lines.length === 0 ? 'Nothing yet.' : lines.map(lineText).join('\n');
    return { text, json: { lines } };
  },
};

function ordersOf({
  id,
  beside = [],
}: {
  readonly id: string;
  readonly beside?: readonly string[];
}) {
  return [id, ...beside].join(', ');
}

function lineText({ number, at, entry }: LogLine): string {
  const begin = `${number}  ${at}  ${entry.kind}`;
  switch (entry.kind) {
    case 'started':
      return begin;
    case 'approved':
      return `${begin}  ${entry.code} by ${entry.approver}`;
    case 'asked':
      return `${begin}  ${entry.code} for the order ${entry.order.id}`;
    case 'refused':
      return `${begin}  order ${ordersOf(entry.order)}: ${entry.reasons.join('; ')}`;
    case 'signed':
      return `${begin}  order ${ordersOf(entry.order)} in ${entry.transaction} by ${entry.key}`;
  }
}

const signLogVerify: SignCommand = {
  name: 'sign log verify',
  summary: 'prove that no line of the log was changed, moved or taken out',
  usage: `[--with-keys] [--head DIGEST] ${OPENING_USAGE}`,
  options: { ...OPENING_OPTIONS, 'with-keys': { type: 'boolean' }, head: { type: 'string' } },
  async run(context, { values }) {
    const { log } = signerFiles(directoryOf(context, values));
    const isSealed = values['with-keys'] === true;
    const key = isSealed ? logKeyOf(await openDirectory(context, values)) : undefined;
    const head = textOption(values, 'head');
    let isHeadThere = head === undefined;
    const found = verifySignerLog(log, key, ({ previous }) => {
      if (previous === head) isHeadThere = true;
    });
    if (!isHeadThere && found.digest !== head) {
      throw new Refusal('conflict', 'signer_log_changed', [
        `no line of the log has the digest ${head}: it was cut, or is another one`,
      ]);
    }
    const proven = isSealed ? 'Chain and seals are right' : 'The chain is right';
    const text = `${proven}: ${found.lines} lines, the last is ${found.digest}.`;
    return { text, json: { ...found, sealsProven: isSealed } };
  },
};

export const SIGN_COMMANDS: readonly SignCommand[] = [
  signInit,
  signKeyAdd,
  signKeyList,
  signKeyRemove,
  signPassphrase,
  signApproverAdd,
  signApproverList,
  signApproverRemove,
  signApprove,
  signStatus,
  signLogVerify,
  signLog,
  sign,
];

const PROGRAM: CommandProgram<SignContext> = {
  commands: SIGN_COMMANDS,
  about:
    'The directory of the signer is --directory, SIGNER_DIRECTORY, or .signer here.\n' +
    'docs/operate/signer.md says what to do in which order.',
};

/** Gives the exit code. */
export function runSignCommand(
  args: readonly string[],
  lines: Lines,
  context: SignContext,
): Promise<number> {
  return runCommand(PROGRAM, args, lines, () => ({ context, close: async () => undefined }));
}
