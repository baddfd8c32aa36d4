// Transfers that lie for their receivers to fetch, and what is taken back of them.
import { draftTakeBack } from '#claimable/draft-take-back.ts';
import { sendingView } from '#transfer/send-by-hand.ts';
import { listLeft, type Transfer } from '#transfer/transfer.ts';
import {
  BY_OPTION,
  BY_USAGE,
  type Command,
  onePositional,
  textOption,
  wholeOption,
  whoOf,
} from './command.ts';
import { writeOutFile } from './command-files.ts';
import { draftView } from './draft-view.ts';

export const sendLeft: Command = {
  name: 'send left',
  summary:
    'transfers left on Stellar for receivers without a trust line to claim, and from when on you ' +
    'may take each back',
  usage: '[--limit 1-1000]',
  options: { limit: { type: 'string' } },
  async run(context, { values }) {
    const { db } = await context.openApp();
    const most = wholeOption(values, 'limit', { initial: 100, least: 1, most: 1_000 });
    const found = await listLeft(db, most + 1);
    const shown = found.slice(0, most);
    const lines = shown.map(leftLine);
    if (found.length > most) lines.push('and more: --limit shows up to 1000');
    if (shown.length === 0) lines.push('Nothing was left to be claimed.');
    const json = shown.map((transfer) => sendingView({ transfer }));
    return { text: lines.join('\n'), json: { transfers: json } };
  },
};

/** Whether it was fetched nobody here knows before it is asked for. */
function leftLine(transfer: Transfer): string {
  const { id, send, account, claimableBalance } = sendingView({ transfer });
  const from = claimableBalance?.reclaimableFrom ?? 'never';
  return `${id}  ${send} to ${account?.account ?? ''}  balance ${claimableBalance?.id}  yours from ${from}`;
}

export const sendTakeBack: Command = {
  name: 'send take-back',
  summary:
    'what a receiver never claimed comes back to you: one transaction for your wallet to sign',
  usage: `ID [--out FILE] ${BY_USAGE}`,
  options: { ...BY_OPTION, out: { type: 'string' } },
  async run(context, { positionals, values }) {
    const id = onePositional(positionals, 'the id of a transfer of npx quittance send left');
    const out = textOption(values, 'out');
    const app = await context.openApp();
    const { transfer, drafted, draft } = await draftTakeBack(app, id, whoOf(values));
    if (out !== undefined) writeOutFile(out, drafted.text, { encoding: 'utf8', isPrivate: true });
    const { about, json } = draftView(drafted, transfer.assetId);
    const lines = [
      leftLine(transfer),
      '',
      ...about,
      out === undefined ? drafted.text : `Written to ${out}.`,
      '',
      'Sign and send it with your wallet, or bring it back signed and let it be sent:',
      `npx quittance custody signed ${draft} FILE`,
      'Until it has landed, or can land no more, nothing else leaves the account.',
    ];
    return {
      text: lines.join('\n'),
      json: { transfer: sendingView({ transfer }), draft: { ...json, id: `${draft}` } },
    };
  },
};
