// Money that a person sends: what waits, how it is sent, and what that person says of it.
import { renderUnicodeCompact } from 'uqr';
import { Refusal } from '#base/refusal.ts';
import { chainOf } from '#catalog/chain.ts';
import { settleLanded } from '#custody/explain-departure.ts';
import { confirmSent, showToSend } from '#invoice/sent-by-person.ts';
import { decideSending, requireDecidable } from '#sending/carry-out-acts.ts';
import { draftSending } from '#sending/draft-sending.ts';
import { openSigners } from '#sending/open-signers.ts';
import { releaseAttempts } from '#sending/release-attempts.ts';
import { sendSigned } from '#sending/send-signed.ts';
import { isCarriedOut } from '#sending/sweep.ts';
import type { App } from '#server/app.ts';
import { transferGrounds } from '#suspense/return-suspense.ts';
import { cancelSending, listToSend, type Sending, sendingView } from '#transfer/send-by-hand.ts';
import { listTransfersByIds, type Transfer } from '#transfer/transfer.ts';
import { draftForBank } from './bank-file.ts';
import {
  BY_OPTION,
  BY_USAGE,
  type Command,
  feeRateOf,
  onePositional,
  SAID_OPTIONS,
  SAID_USAGE,
  saidOf,
  textOption,
  type Values,
  wholeOption,
  whoOf,
} from './command.ts';
import { readBoundedInput, writeOutFile } from './command-files.ts';
import { draftView } from './draft-view.ts';

const TRANSFER_ID = 'the id of a transfer of npx quittance send list';

export const sendList: Command = {
  name: 'send list',
  summary: 'transfers and refunds that you have to send, and those you sent that are not final yet',
  usage: '[--limit 1-1000]',
  options: { limit: { type: 'string' } },
  async run(context, { values }) {
    const { db } = await context.openApp();
    const most = wholeOption(values, 'limit', { initial: 100, least: 1, most: 1_000 });
    const found = await listToSend({ db }, { most: most + 1 });
    const shown = found.slice(0, most);
    const lines = shown.map(sendLine);
    if (found.length > most) lines.push('and more: --limit shows up to 1000');
    if (shown.length === 0) lines.push('Nothing waits to be sent.');
    const json = shown.map((transfer) => ({
      ...sendingView({ transfer }),
      environment: transfer.environment,
      merchantId: transfer.merchantId,
    }));
    return { text: lines.join('\n'), json: { transfers: json } };
  },
};

export const sendShow: Command = {
  name: 'send show',
  summary: 'how to send it: receiver, exact amount, and a link and a code for a wallet',
  usage: `ID ${BY_USAGE}`,
  options: BY_OPTION,
  async run(context, { positionals, values }) {
    const id = onePositional(positionals, TRANSFER_ID);
    const who = { actor: whoOf(values) };
    const sending = await showToSend(sendingApp(await context.openApp()), id, who);
    return { text: instructionText(sending), json: { sending: sendingView(sending) } };
  },
};

export const sendDraft: Command = {
  name: 'send draft',
  summary:
    'one unsigned transaction for them, for your wallet to sign, or one file (pain.001) for your bank',
  usage: 'ID... [[--fee-rate RATE] [--from ADDRESS] | --bank [--again]] [--by NAME] [--out FILE]',
  options: {
    'fee-rate': { type: 'string' },
    from: { type: 'string' },
    bank: { type: 'boolean' },
    again: { type: 'boolean' },
    by: { type: 'string' },
    out: { type: 'string' },
  },
  async run(context, { positionals, values }) {
    if (positionals.length === 0) throw new Refusal('invalid', 'usage', [`ID: ${TRANSFER_ID}`]);
    if (values.bank === true) return draftForBank(context, positionals, values);
    const wish = {
      ...{ feeRate: feeRateOf(values), from: textOption(values, 'from') },
      actor: whoOf(values),
    };
    const app = sendingApp(await context.openApp());
    return draftedText(await draftSending(app, positionals, wish), textOption(values, 'out'));
  },
};

function draftedText(
  { drafted, transfers }: Awaited<ReturnType<typeof draftSending>>,
  out: string | undefined,
) {
  // Whoever has it knows which money is ours, and can do nothing with it.
  const encoding = drafted.format === 'PSBT' ? 'base64' : 'utf8';
  if (out !== undefined) writeOutFile(out, drafted.text, { encoding, isPrivate: true });
  const { about, json } = draftView(drafted, transfers[0]?.assetId ?? '');
  const hasOwners = drafted.format === 'transaction' && drafted.signers !== undefined;
  const who = hasOwners ? 'let the owners sign it' : 'let your wallet sign it';
  const next = `${who}: npx quittance send signed ${transfers[0]?.id} FILE`;
  const told = out === undefined ? drafted.text : `Written to ${out}: ${next}`;
  const text = [...transfers.map(sendLine), '', ...about, told].join('\n');
  return { text, json: { draft: json } };
}

export const sendBump: Command = {
  name: 'send bump',
  summary: 'what was signed does not land: another transaction in its place, with a higher fee',
  usage: `ID... [--fee-rate RATE] [--out FILE] ${SAID_USAGE}`,
  options: { ...SAID_OPTIONS, 'fee-rate': { type: 'string' }, out: { type: 'string' } },
  async run(context, { positionals, values }) {
    return instead(await context.openApp(), positionals, values, 'BUMP');
  },
};

/**
 * What takes the place of what was signed: the signer is asked by the server, a person gets a
 * draft. Who and why is kept.
 */
async function instead(
  app: App,
  positionals: readonly string[],
  values: Values,
  act: 'BUMP' | 'CANCEL',
) {
  if (positionals.length === 0) throw new Refusal('invalid', 'usage', [`ID: ${TRANSFER_ID}`]);
  const said = saidOf(values);
  const feeRate = feeRateOf(values);
  const isSentAgain = values.again === true;
  const sending = sendingApp(app);
  // Before anything is drafted: whoever is shown how to send it keeps the signer from it.
  const { live } = await requireDecidable(sending, positionals, act);
  const ids = live.transferIds;
  const isCarried = act === 'BUMP' && (await isCarriedOut(app.db, live));
  const isSignedHere = live.question !== undefined || isCarried;
  const isAsked = isSignedHere && openSigners(app).has(live.chain);
  const kind = act === 'CANCEL' ? 'CANCEL' : 'PAY';
  const drafted = isAsked
    ? undefined
    : await draftSending(sending, ids, { kind, feeRate, from: undefined, actor: said.actor });
  await decideSending(sending, positionals, { ...said, act, feeRate, isSentAgain });
  if (drafted !== undefined) return draftedText(drafted, textOption(values, 'out'));
  const transfers = await listTransfersByIds(app.db, ids);
  return {
    text: [...transfers.map(sendLine), '', 'The signer is asked for it.'].join('\n'),
    json: { transfers: transfers.map((transfer) => sendingView({ transfer })) },
  };
}

export const sendSignedTransaction: Command = {
  name: 'send signed',
  summary:
    'send what you have drafted and signed; without a file once more what was sent before; of a ' +
    'Safe: enter signatures of its owners, and see how to carry it out',
  usage: `ID [FILE|-] ${BY_USAGE}`,
  options: BY_OPTION,
  async run(context, { positionals, values }) {
    const [id, path, ...more] = positionals;
    const transferId = onePositional(id === undefined ? [] : [id, ...more], TRANSFER_ID);
    const returned =
      path === undefined ? undefined : await readBoundedInput(path, SIGNED_BYTES_MOST, 'FILE');
    const app = sendingApp(await context.openApp());
    const sent = await sendSigned(app, transferId, returned, { actor: whoOf(values) });
    return signedText(transferId, sent, carrierOf(app, sent));
  },
};

type Sent = Awaited<ReturnType<typeof sendSigned>>;

/** The account that sends what owners have signed, where the signer does. */
function carrierOf(app: App, { transfers: [first] }: Sent): string | undefined {
  if (first === undefined) return undefined;
  const chain = chainOf(first.environment, first.network);
  return openSigners(app).has(chain) ? app.networks.get(chain)?.carriesFrom : undefined;
}

function signedText(id: string, sent: Sent, carrier: string | undefined) {
  const { transaction = null, transfers, cosigned, execution } = sent;
  const lines = [...transfers.map(sendLine), ''];
  if (cosigned !== undefined) {
    const { signedBy, needed } = cosigned;
    lines.push(`${signedBy.length} of ${needed} owners have signed it: ${signedBy.join(' ')}`);
  }
  if (transaction === null) lines.push(`Enter more: npx quittance send signed ${id} FILE`);
  else if (execution === undefined) lines.push(`Sent as ${transaction}.`);
  else {
    const { call, against } = execution;
    lines.push(
      carrier === undefined
        ? 'Send this with any account that has coins for the gas, once; it is seen and booked:'
        : `The signer sends this from ${carrier}. Send it yourself only where that does not go on:`,
      JSON.stringify(call, null, 2),
      ...(against === undefined ? [] : [`Not now: ${against}`]),
    );
  }
  const view = transfers.map((transfer) => sendingView({ transfer }));
  const { digest = null, signedBy = null, needed = null } = cosigned ?? {};
  const signatures = cosigned === undefined ? null : { digest, signedBy, needed };
  const shown = execution && { call: execution.call, against: execution.against ?? null };
  const json = { transaction, transfers: view, signatures, execution: shown ?? null };
  return { text: lines.join('\n'), json };
}

/** A PSBT of the largest transaction that nodes relay, as text. */
export const SIGNED_BYTES_MOST = 2_000_000;

export const sendCancel: Command = {
  name: 'send cancel',
  summary:
    'not sent: its money goes back; signed and not landed: a transaction that pays us takes its ' +
    'place first',
  usage: `ID... ${SAID_USAGE} [--not-sent] [--again] [--fee-rate RATE] [--out FILE]`,
  options: {
    ...SAID_OPTIONS,
    'not-sent': { type: 'boolean' },
    again: { type: 'boolean' },
    'fee-rate': { type: 'string' },
    out: { type: 'string' },
  },
  async run(context, { positionals, values }) {
    const app = await context.openApp();
    const sending = sendingApp(app);
    const live = await releaseAttempts(sending, positionals);
    const isNotSent = values['not-sent'] === true;
    if (live.length > 0 && !isNotSent) return instead(app, positionals, values, 'CANCEL');
    const id = onePositional(positionals, TRANSFER_ID);
    const said = { ...saidOf(values), isNotSent };
    return done(await cancelSending(sending, id, said));
  },
};

export const sendLanded: Command = {
  name: 'send landed',
  summary: 'say which transaction has paid it, where that was not recognised; it is looked at',
  usage: `ID TRANSACTION ${SAID_USAGE}`,
  options: SAID_OPTIONS,
  async run(context, { positionals, values }) {
    const [id = '', transaction = ''] = positionals;
    onePositional(id === '' ? [] : [id, ...positionals.slice(2)], TRANSFER_ID);
    if (!/^\S{1,200}$/.test(transaction)) {
      throw new Refusal('invalid', 'usage', ['TRANSACTION: by which id the network knows it']);
    }
    const app = sendingApp(await context.openApp());
    return done(await settleLanded(app, id, { ...saidOf(values), transaction }));
  },
};

export const sendConfirm: Command = {
  name: 'send confirm',
  summary:
    'say that you paid it with money held elsewhere, which the service does not watch; on Lightning TX is the preimage',
  usage: `ID --transaction TX ${SAID_USAGE}`,
  options: { ...SAID_OPTIONS, transaction: { type: 'string' } },
  async run(context, { positionals, values }) {
    const id = onePositional(positionals, TRANSFER_ID);
    const transaction = textOption(values, 'transaction') ?? '';
    if (!/^\S{1,200}$/.test(transaction)) {
      throw new Refusal('invalid', 'usage', ['--transaction: say by which id it is known']);
    }
    const said = { ...saidOf(values), transaction };
    return done(await confirmSent(sendingApp(await context.openApp()), id, said));
  },
};

function sendingApp(app: App) {
  return { ...app, ...transferGrounds(app) };
}

function done(transfer: Transfer) {
  const view = sendingView({ transfer });
  return { text: sendLine(transfer), json: { transfer: view } };
}

function sendLine(transfer: Transfer): string {
  const { send, state, tx, heldUp, stuckSince } = sendingView({ transfer });
  const { id, kind, environment, network, committedAt } = transfer;
  const where = Object.values(transfer.account ?? {}).join(' ');
  const sent = tx === null ? '' : `\n    in ${tx}`;
  const stuck = stuckSince === null ? '' : `  STUCK since ${stuckSince}`;
  const waits = heldUp === null ? '' : `\n    not sent yet: ${heldUp}`;
  return (
    `${id}  ${state}  ${send} on ${environment}:${network}  ${kind}  since ${committedAt}${stuck}\n` +
    `    to ${where}${sent}${waits}`
  );
}

function instructionText({ transfer, link, fields: typed }: Sending): string {
  const { send } = sendingView({ transfer });
  const told =
    typed?.map(({ label, value }) => [label, value] as const) ??
    Object.entries(transfer.account ?? {});
  const fields = told.map(([name, value]) => `  ${name.padEnd(16)} ${value}`);
  const lines = [
    `Send exactly ${send} on ${transfer.network}, the network fee on top, to`,
    ...fields,
    '',
  ];
  if (link !== undefined) lines.push(link, renderUnicodeCompact(link), '');
  const isInvoice = link?.startsWith('lightning:') === true;
  lines.push(
    isInvoice
      ? 'Pay it once. Paid by the node of the service it is found and booked by itself.'
      : 'Send it once. From the addresses that the service watches it is found and booked by itself.',
    `Paid from elsewhere: npx quittance send confirm ${transfer.id} --transaction ${isInvoice ? 'PREIMAGE' : 'TX'} --reason TEXT`,
    `Not sent after all:  npx quittance send cancel ${transfer.id} --not-sent --reason TEXT`,
  );
  return lines.join('\n');
}
