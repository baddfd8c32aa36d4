// Files of orders for a bank: drafted, released by a second person where the limit asks for one,
// and what the bank says of them.

import { Refusal } from '#base/refusal.ts';
import { getAsset } from '#catalog/asset.ts';
import {
  type BankFile,
  type BankFileTransfer,
  listBankFiles,
  listFileTransfers,
} from '#custody/bank-file.ts';
import { type DraftedFile, draftBankFile, releaseBankFile } from '#custody/draft-bank-file.ts';
import { type NotedStatus, noteBankStatus } from '#custody/note-bank-status.ts';
import { amountToText } from '#money/asset-amount.ts';
import {
  type ImportedStatement,
  importStatements,
  readBankFile,
  readBankStatus,
} from '#networks/bank/import-bank-file.ts';
import { transferGrounds } from '#suspense/return-suspense.ts';
import {
  BY_OPTION,
  BY_USAGE,
  type Command,
  type CommandContext,
  type CommandResult,
  onePositional,
  textOption,
  type Values,
  wholeOption,
  whoOf,
} from './command.ts';
import { readBoundedFile, writeOutFile } from './command-files.ts';

const STATUS_BYTES_MAX = 16 * 1024 * 1024;

/** `send draft --bank`. */
export async function draftForBank(
  context: CommandContext,
  ids: readonly string[],
  values: Values,
): Promise<CommandResult> {
  const app = await context.openApp();
  const who = { actor: whoOf(values), isAgain: values.again === true };
  const drafted = await draftBankFile({ ...app, ...transferGrounds(app) }, ids, who);
  return draftedResult(drafted, textOption(values, 'out'));
}

export const sendRelease: Command = {
  name: 'send release',
  summary: 'release a file of orders that somebody else drafted, and write it for the bank',
  usage: 'QT-FILE [--out FILE] [--by NAME]',
  options: { out: { type: 'string' }, by: { type: 'string' } },
  async run(context, { positionals, values }) {
    const messageId = onePositional(positionals, 'the name of the file (QT-…)');
    const app = await context.openApp();
    const released = await releaseBankFile(
      { ...app, ...transferGrounds(app) },
      messageId,
      whoOf(values),
    );
    return draftedResult(released, textOption(values, 'out'));
  },
};

function draftedResult(
  { file, transfers, text }: DraftedFile,
  out: string | undefined,
): CommandResult {
  const lines = [
    ...transfers.map(({ id, assetId, targetUnits, account = {} }) => {
      const who = account.holder ?? account.iban ?? account.accountNumber ?? '';
      return `${id}  ${moneyText(assetId, targetUnits)}  to ${who}`;
    }),
    '',
    fileLine(file),
  ];
  if (text === undefined) {
    lines.push(
      'Nothing was written: it is above the limit of one person. Somebody else releases it:',
      `npx quittance send release ${file.messageId} --by NAME --out FILE`,
    );
  } else {
    // Whoever has it knows who is paid, and can give it to no other bank.
    if (out !== undefined) writeOutFile(out, text, { isPrivate: true });
    lines.push(out === undefined ? text : `Written to ${out}: give it to your bank, once.`);
  }
  return { text: lines.join('\n'), json: { file: fileView(file), text: text ?? null } };
}

export const bankFiles: Command = {
  name: 'bank files',
  summary: 'files of orders: who drafted and released them, and what the bank says',
  usage: '[--limit 1-1000]',
  options: { limit: { type: 'string' } },
  async run(context, { values }) {
    const { db } = await context.openApp();
    const most = wholeOption(values, 'limit', { initial: 20, least: 1, most: 1_000 });
    const files = await listBankFiles(db, most);
    const orders = await listFileTransfers(
      db,
      files.map(({ messageId }) => messageId),
    );
    const ofFile = Map.groupBy(orders, ({ messageId }) => messageId);
    const lines = files.flatMap((file) => [
      fileLine(file),
      ...(ofFile.get(file.messageId) ?? []).map(orderLine),
    ]);
    if (files.length === 0) lines.push('No file was drafted yet: npx quittance send draft --bank');
    const json = files.map((file) => ({
      ...fileView(file),
      transfers: (ofFile.get(file.messageId) ?? []).map(orderView),
    }));
    return { text: lines.join('\n'), json: { files: json } };
  },
};

export const bankStatus: Command = {
  name: 'bank status',
  summary: 'take in what a bank says of a file of orders (pain.002)',
  usage: `FILE ${BY_USAGE}`,
  options: BY_OPTION,
  async run(context, { positionals, values }) {
    const path = onePositional(positionals, 'the file');
    const bytes = await readBoundedFile(path, STATUS_BYTES_MAX, 'file');
    const app = await context.openApp();
    const report = readBankStatus(bytes, app.db);
    const noted = await noteBankStatus({ ...app, ...transferGrounds(app) }, report, whoOf(values));
    const isOpen = noted.some(({ decision }) => decision.kind === 'contradicts');
    const lines = [`${report.messageId}:`, ...noted.map(notedLine)];
    if (noted.every(({ status }) => status === undefined)) {
      throw new Refusal('mismatch', 'bank_status', ['the report says nothing of any transfer']);
    }
    const json = { messageId: report.messageId, transfers: noted.map(notedView) };
    return { text: lines.join('\n'), json, exitCode: isOpen ? 1 : 0 };
  },
};

function notedLine({ transfer, status, decision }: NotedStatus): string {
  const said = status === undefined ? 'nothing said' : [status.code, ...status.reasons].join(': ');
  const what = {
    known: '',
    noted: '',
    failed: '\n    FAILED: the money went back to where it was taken from',
    contradicts: decision.kind === 'contradicts' ? `\n    NOTHING WAS DONE: ${decision.why}` : '',
  };
  return `${transfer.id}  ${said}${what[decision.kind]}`;
}

function notedView({ transfer, status, decision }: NotedStatus) {
  return {
    transferId: transfer.id,
    verdict: status?.verdict ?? null,
    code: status?.code ?? null,
    reasons: status?.reasons ?? [],
    decision: decision.kind,
    why: decision.kind === 'contradicts' ? decision.why : null,
  };
}

function fileLine({ messageId, assetId, units, ...file }: BankFile): string {
  const released =
    file.releasedBy === undefined
      ? 'NOT RELEASED'
      : `released by ${file.releasedBy} at ${file.releasedAt}`;
  return `${messageId}  ${moneyText(assetId, units)}  drafted by ${file.draftedBy} at ${file.draftedAt}  ${released}`;
}

function orderLine({ transferId, verdict, said }: BankFileTransfer): string {
  return `    ${transferId}  ${verdict === undefined ? 'nothing said yet' : `${verdict}  ${said}`}`;
}

function orderView({ transferId, verdict, said, reportId, toldAt }: BankFileTransfer) {
  return {
    transferId,
    verdict: verdict ?? null,
    said: said ?? null,
    reportId: reportId ?? null,
    toldAt: toldAt?.toString() ?? null,
  };
}

function fileView({ messageId, chain, assetId, units, ...file }: BankFile) {
  return {
    messageId,
    chain,
    amount: moneyText(assetId, units),
    needsSecond: file.needsSecond,
    draftedBy: file.draftedBy,
    draftedAt: file.draftedAt.toString(),
    releasedBy: file.releasedBy ?? null,
    releasedAt: file.releasedAt?.toString() ?? null,
  };
}

function moneyText(assetId: string, units: bigint): string {
  const { decimals, assetCode } = getAsset(assetId);
  return `${amountToText(units, decimals)} ${assetCode}`;
}

export const bankImport: Command = {
  name: 'bank import',
  summary: 'take in a statement of a bank (camt.053, camt.054 or camt.052)',
  usage: `FILE [--network SEPA|SWIFT|PIX] [--dry-run] ${BY_USAGE}`,
  options: { ...BY_OPTION, network: { type: 'string' }, 'dry-run': { type: 'boolean' } },
  async run(context, { positionals, values }) {
    const path = onePositional(positionals, 'the file');
    const isDry = values['dry-run'] === true;
    const statements = await readBankFile((most) => readBoundedFile(path, most, 'file'));
    const app = await context.openApp();
    const accounts = app.config.networks.bank;
    const network = textOption(values, 'network');
    const imported = await importStatements(app, statements, {
      accounts,
      network,
      isDry,
      actor: whoOf(values),
    });
    const lines = imported.map(lineOf);
    const text = [...lines, ...(isDry ? ['Nothing was written.'] : [])].join('\n');
    return { text, json: { dryRun: isDry, statements: imported } };
  },
};

function lineOf(one: ImportedStatement): string {
  const facts: readonly (readonly [count: number, words: string])[] = [
    [one.credits, 'new credits'],
    [one.withoutReference, 'of them WITHOUT a reference of ours: they wait in suspense'],
    [one.reversals, 'taken back'],
    [one.reversalsUnknown, 'of them NOT KNOWN to take back anything: compare by hand'],
    [one.known, 'known before'],
    [one.pending, 'not booked yet'],
    [one.payments, 'payments of ours'],
    [one.charges, 'charges of the bank'],
    [one.foreign, 'NOT TAKEN, in a currency that is not kept here: look at them by hand'],
    [one.held, 'HELD BACK: the statement does not add up'],
  ];
  const shown = facts.filter(([count], index) => index === 0 || count > 0);
  const text = shown.map(([count, words]) => `${count} ${words}`).join(', ');
  const unusual = [...new Set(one.unusual)].map(
    (reason) => `\n  a booking as a whole, for a person to look at: ${reason}`,
  );
  return `${one.network} ${one.statement}: ${text}${unusual.join('')}`;
}
